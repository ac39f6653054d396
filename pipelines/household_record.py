"""What the town holds of one property, and how long: the years of retention run from the last act about it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import get_args
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.case import Case, CaseId
from models.errors import BadQuestion
from models.fund import Book
from models.household import Households
from models.records_law import PrivateField, RecordsLaw, records_law
from models.site import Well
from pipelines import casebook
from pipelines.fund_book import read_book
from pipelines.household_access import check_reader
from pipelines.judgement import all_cases
from pipelines.site_folder import SiteFolder

FIELDS: tuple[PrivateField, ...] = get_args(PrivateField)
CASE_OPEN, UNPAID, NO_CASE = "a case is open", "a reimbursement of a case is not paid", "no case of it was ever closed"


@dataclass(frozen=True)
class Holding:
    """What is on file of one property. ``fields``: private field to its text, blank ones left out.

    ``last_act``: the last about it, in any case and in the ledger. ``waits``: why no time runs yet, in public words.
    ``hold``: whether somebody asked to keep it; why is among the private fields.
    """

    property: str
    parcel: str
    fields: dict[PrivateField, str]
    last_act: date | None
    kept_until: date | None
    due: bool
    hold: bool
    waits: str

    def on_file(self) -> tuple[str, ...]:
        """Which private fields are held, not what they say."""
        return tuple(self.fields)

    def private(self) -> dict[str, str]:
        """All of it, for the one who may see it."""
        fields: dict[str, str] = dict(self.fields.items())
        return {"property": self.property, "parcel": self.parcel} | fields


def check(folder: SiteFolder, reader: str, purpose: str) -> None:
    """Refuse a look whose record would be blank or would itself name a household (`check_reader`)."""
    check_reader(reader, purpose, folder.households)


def holdings(folder: SiteFolder, connection: Connection, today: date) -> list[Holding]:
    """Every property of the site of which something private is on file."""
    cases, book = all_cases(casebook.events(connection), folder), read_book(connection)
    found = [_holding(folder, one.id, cases, book, today) for one in folder.site.property]
    return [one for one in found if one.fields]


def holding(folder: SiteFolder, connection: Connection, property: str, today: date) -> Holding:
    """One property, and whether its time is out: every case that concerns it settled, the years gone since."""
    cases, book = all_cases(casebook.events(connection), folder), read_book(connection)
    return _holding(folder, property, cases, book, today)


def _holding(folder: SiteFolder, property: str, cases: Sequence[Case], book: Book, today: date) -> Holding:
    of_it = [one for one in cases if concerns(one, property)]
    parcel = next(one for one in folder.site.property if one.id == property)
    last = max(_days_of(of_it, book, ZoneInfo(folder.law.zone)), default=None)
    waits = _waits(of_it, book)
    until = law_of(folder).retention.ends(last) if last is not None and not waits else None
    fields = _fields(folder, property)
    hold = "hold" in fields
    due = until is not None and until <= today and not hold
    return Holding(property, parcel.parcel, fields, last, until, due, hold, waits)


def concerns(case: Case, property: str) -> bool:
    """Whether a case is about a property, or any act of it names the property as a party or its people as actors."""
    acts = case.recorded
    return CaseId.parse(case.id).subject == property or any(
        property in one.parties or one.by.partition(":")[2] == property for one in acts
    )


def _days_of(cases: Sequence[Case], book: Book, zone: ZoneInfo) -> Iterator[date]:
    """The civil day of every act and every movement of money of some cases."""
    ids = {one.id for one in cases}
    yield from (act.happened_at.astimezone(zone).date() for case in cases for act in case.recorded)
    yield from (one.happened_at.astimezone(zone).date() for one in book.entries if one.case in ids)


def _waits(cases: Sequence[Case], book: Book) -> str:
    if not cases:
        return NO_CASE
    if any(one.status == "open" for one in cases):
        return CASE_OPEN
    owed = (book.balances(one.id) for one in cases)
    return UNPAID if any(sum_ for each in owed for name, sum_ in each.items() if name.startswith("private:")) else ""


def law_of(folder: SiteFolder) -> RecordsLaw:
    """The law of public records that the ordinance names.

    Raises
    ------
    BadQuestion : it names none.
    """
    if folder.law.records is None:
        raise BadQuestion("the ordinance names no law of public records", key="records", found=folder.law.id)
    return records_law(folder.law.records)


def private_of(folder: SiteFolder, property: str) -> Households:
    """The part of ``households.toml`` that is about one property."""
    wells = {one.id for one in wells_of(folder, property)}
    return Households(
        household=tuple(one for one in folder.households.household if one.property == property),
        well=tuple(one for one in folder.households.well if one.well in wells),
    )


def wells_of(folder: SiteFolder, property: str) -> list[Well]:
    """The private wells on a property."""
    return [one for one in folder.site.wells("private") if one.property == property]


def _fields(folder: SiteFolder, property: str) -> dict[PrivateField, str]:
    own = private_of(folder, property)
    places = [f"{one.well}: {one.position[0]}, {one.position[1]}" for one in own.well]
    texts = {name: [getattr(home, name, "") for home in own.household] for name in FIELDS} | {"position": places}
    return {name: "; ".join(filter(None, texts[name])) for name in FIELDS if any(texts[name])}
