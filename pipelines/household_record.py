"""What the town holds of one property: private fields, public record, how long it is kept, and its redacted form."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.case import Case, CaseId
from models.errors import BadQuestion
from models.event import Event
from models.records_law import RecordsLaw, records_law
from models.site import Well
from pipelines import casebook
from pipelines.fund_book import read_book
from pipelines.household_access import check_reader
from pipelines.judgement import all_cases
from pipelines.site_folder import SiteFolder

FIELDS = ("owner", "occupant", "phone", "address", "position")
WITHHELD = "[redacted]"


@dataclass(frozen=True)
class Holding:
    """What is on file of one property. ``fields``: private field to its text, blank ones left out."""

    property: str
    parcel: str
    fields: dict[str, str]
    hold: str
    last_act: date | None
    kept_until: date | None
    due: bool

    def on_file(self) -> tuple[str, ...]:
        """Which private fields are held, not what they say."""
        return tuple(self.fields)

    def private(self) -> dict[str, str]:
        """All of it, for the one who may see it."""
        return {"property": self.property, "parcel": self.parcel, **self.fields}


def check(folder: SiteFolder, reader: str, purpose: str) -> None:
    """Refuse a look whose record would be blank or would itself name a household (`check_reader`)."""
    check_reader(reader, purpose, folder.households)


def holdings(folder: SiteFolder, connection: Connection, today: date) -> list[Holding]:
    """Every property of the site of which something private is on file."""
    found = [holding(folder, connection, one.id, today) for one in folder.site.property]
    return [one for one in found if one.fields]


def holding(folder: SiteFolder, connection: Connection, property: str, today: date) -> Holding:
    """One property, and whether its time is out: every case closed, and the years of retention gone since."""
    of_it = [one for one in all_cases(casebook.events(connection), folder) if CaseId.parse(one.id).subject == property]
    parcel = next(one for one in folder.site.property if one.id == property)
    last = _last_act(of_it, ZoneInfo(folder.law.zone))
    settled = last is not None and all(case.status == "closed" for case in of_it)
    until = _law(folder).retention.ends(last) if last is not None and settled else None
    homes = [one for one in folder.households.household if one.property == property]
    return Holding(
        property, parcel.parcel, _fields(folder, property), "; ".join(one.hold for one in homes if one.hold),
        last, until, until is not None and until <= today and not any(one.hold for one in homes),
    )  # fmt: skip


def _last_act(cases: Iterable[Case], zone: ZoneInfo) -> date | None:
    return max((act.happened_at.astimezone(zone).date() for case in cases for act in case.recorded), default=None)


def _law(folder: SiteFolder) -> RecordsLaw:
    if folder.law.records is None:
        raise BadQuestion("the ordinance names no law of public records", key="records", found=folder.law.id)
    return records_law(folder.law.records)


def _fields(folder: SiteFolder, property: str) -> dict[str, str]:
    homes = [one for one in folder.households.household if one.property == property]
    places = [f"{one.well}: {one.position[0]}, {one.position[1]}" for one in _placed(folder, property)]
    texts = {name: "; ".join(str(getattr(home, name)) for home in homes) for name in FIELDS if name != "position"}
    return {name: text for name, text in {**texts, "position": "; ".join(places)}.items() if text.strip("; ")}


def _placed(folder: SiteFolder, property: str) -> Sequence[Any]:
    wells = {one.id for one in _wells(folder, property)}
    return [one for one in folder.households.well if one.well in wells]


def _wells(folder: SiteFolder, property: str) -> list[Well]:
    return [one for one in folder.site.wells("private") if one.property == property]


def redacted(
    folder: SiteFolder, connection: Connection, property: str, reveal: Sequence[str], today: date
) -> dict[str, Any]:
    """All that is held of a property, private fields withheld unless the custodian releases them.

    Raises
    ------
    BadQuestion : a field to reveal that is none.
    """
    if unknown := [name for name in reveal if name not in FIELDS]:
        raise BadQuestion("no private field", key="--reveal", found=unknown[0], allowed=FIELDS)
    law, found = _law(folder), holding(folder, connection, property, today)
    hidden = [name for name in found.fields if name not in reveal]
    wells = _wells(folder, property)
    cases = [one for one in all_cases(casebook.events(connection), folder) if CaseId.parse(one.id).subject == property]
    return {
        "property": property,
        "parcel": found.parcel,
        "as_of": today.isoformat(),
        "law": f"{law.citation} ({law.verification})",
        "custodian": law.custodian,
        "private": [{"field": k, "value": WITHHELD if k in hidden else v} for k, v in found.fields.items()],
        "redactions": [{"field": name, "ground": law.ground(name) or ""} for name in hidden],
        "wells": [{"well": one.id, "quarter_quarter": one.quarter_quarter} for one in wells],
        "acts": [_act(act, folder) for case in cases for act in case.recorded],
        "findings": _findings(connection, {one.id for one in wells}),
        "money": _money(connection, {one.id for one in cases}),
    }


def _act(act: Event, folder: SiteFolder) -> dict[str, Any]:
    when = act.happened_at.astimezone(ZoneInfo(folder.law.zone)).strftime("%Y-%m-%d %H:%M %Z")
    said = {"method": act.method, "document": act.document, "note": act.note} | act.more()
    return {"case": act.case, "happened_at": when, "event": act.name, "by": act.by, **said}


def _findings(connection: Connection, wells: Collection[str]) -> list[dict[str, Any]]:
    names = ("rule", "clause", "station", "start", "end", "verdict", "measured", "limit", "change")
    return [
        {name: one[name] for name in names} for one in casebook.versions(connection) if one["station"] in wells
    ]  # fmt: skip


def _money(connection: Connection, cases: Collection[str]) -> list[dict[str, Any]]:
    return [
        {
            "happened_at": one.happened_at.isoformat(), "case": one.case, "act": one.act, "fund": one.fund,
            "amount": str(one.amount), "use": one.use, "document": one.document,
        }
        for one in read_book(connection).entries
        if one.case in cases
    ]  # fmt: skip
