"""A signed record of what a water was before mining, and which of several versions judges a day.

Base flows and base levels are such records, and one set of rules holds for both. "Established prior to the beginning of
mining": what rests on days of mining never counts, and nothing is used before it was signed. A record signed only when
mining had begun judges from its signature on, except DNR's own and a reconstruction, where nothing was signed before
(shortfall semantics, decision 29). A correction judges from its own day on (decision 30). From the day DNR's value is
in force, DNR's value is the one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, ClassVar, Generic, Literal, Self, TypeVar

from pydantic import Field, model_validator

from models.field_types import Day, Id, Text
from models.streamflow.natural_rate import DAYS_PER_YEAR
from models.streamflow.threshold import Threshold
from models.toml_file import Noun

ROUNDED_YEARS = Decimal("0.05")
"""The most by which years of a record may be rounded up [a]: 355 days are 1.0 year; 2.6 years are not 3."""


class SignedRecord(Noun, ABC):
    """What somebody established for one gauge and signed for; a correction is a new version, the old one stays.

    ``effective``: the first day it may judge. ``baseline_years``: of known days it rests on [a].
    ``what``, ``unit``: what people call such a record, and the unit of its value.
    """

    what: ClassVar[str]
    unit: ClassVar[str]

    gauge: Id
    effective: Day
    version: str
    method: Text
    record_from: Day
    record_to: Day
    baseline_years: Annotated[Decimal, Field(ge=0)]
    source: Literal["DNR", "licensee"]
    signed_by: Text
    licence_kind: Literal["PG", "PH", "PE", "DNR"]
    licence_number: str
    signed_on: Day

    @model_validator(mode="after")
    def _signed_after_its_record(self) -> Self:
        if self.record_to < self.record_from:
            raise ValueError(f"record_to {self.record_to} is before record_from {self.record_from}")
        if self.signed_on < self.record_to:
            raise ValueError(
                f"signed_on {self.signed_on} is before record_to {self.record_to}: nobody signs days to come"
            )
        self.fits_record("baseline_years", self.baseline_years)
        return self

    def days_of_record(self) -> int:
        """The most days its record can hold."""
        return (self.record_to - self.record_from).days + 1

    def fits_record(self, key: str, stated: Decimal) -> None:
        """Refuse more years of known days than the record can hold; the last digit may be rounded up.

        Raises
        ------
        ValueError : naming the key and both numbers.
        """
        days = self.days_of_record()
        digit = Decimal(1).scaleb(int(stated.as_tuple().exponent)) / 2
        if stated > days / DAYS_PER_YEAR + min(digit, ROUNDED_YEARS):
            raise ValueError(
                f"{key} {stated} is more than the {days} days of its record, {days / DAYS_PER_YEAR:.2f} years"
            )

    def is_late(self, began: date) -> bool:
        """Whether it was signed only when mining had begun: the law wants it established before (decision 29)."""
        return self.signed_on >= began

    def counts_back(self, began: date) -> bool:
        """Whether, signed late, it may yet judge days before its signature: DNR's own and a reconstruction may."""
        index_to = self.index_ends()
        reconstructed = index_to is not None and index_to < began and self.licence_kind in {"PG", "PH"}
        return self.source == "DNR" or reconstructed

    def index_ends(self) -> date | None:
        """The last day of the index record that it was reconstructed from; None without one (decision 29)."""
        return None

    def rests_until(self) -> date:
        """The last day it rests on, of its own record or of the index record it was extended from."""
        return max(self.record_to, self.index_ends() or self.record_to)

    @abstractmethod
    def threshold(self) -> Threshold:
        """The value by day."""

    @abstractmethod
    def says(self) -> str:
        """The value in a word or two."""


R = TypeVar("R", bound=SignedRecord)


@dataclass(frozen=True)
class Version(Generic[R]):
    """A signed record and the first day it may judge."""

    record: R
    since: date

    def as_judged(self) -> R:
        """The record with that day as the one it is effective from."""
        return self.record.model_copy(update={"effective": self.since})


def in_force(signed: Sequence[R], began: date, on: date) -> list[Version[R]]:
    """The records of one gauge that a night judges by, in the order they take over."""
    known = [one for one in by_effective(signed) if max(one.effective, one.signed_on) <= on]
    usable = [one for one in known if one.rests_until() < began]
    founding = [one for one in usable if not one.is_late(began) or one.counts_back(began)]
    first = min(founding, key=lambda one: (one.signed_on, one.effective), default=None)
    dated = [Version(one, since(one, began, is_first=one is first)) for one in usable]
    ordered = sorted(dated, key=lambda one: (one.since, one.record.signed_on, one.record.version))
    dnr = next((one.since for one in ordered if one.record.source == "DNR"), None)
    return [one for one in ordered if dnr is None or one.record.source == "DNR" or one.since < dnr]


def since(one: SignedRecord, began: date, *, is_first: bool) -> date:
    """The first day it may judge: its own, and not before a signature that came late."""
    return one.effective if is_first or not one.is_late(began) else max(one.effective, one.signed_on)


def by_effective(signed: Sequence[R]) -> list[R]:
    """In the order of their own days."""
    return sorted(signed, key=lambda one: one.effective)


def versions_on(versions: Sequence[R], days: Sequence[date]) -> list[R]:
    """The versions some days are judged under, each once, in order; ``effective`` as in `Version.as_judged`."""
    used = {id(found) for day in days if (found := last_begun(versions, day)) is not None}
    return [one for one in versions if id(one) in used]


def last_begun(versions: Sequence[R], day: date) -> R | None:
    """The version a day is judged under; None before the first."""
    return next((one for one in reversed(versions) if one.effective <= day), None)


def threshold(versions: Sequence[SignedRecord]) -> Threshold:
    """The versions as one threshold by day."""
    whole = versions[0].threshold()
    for correction in versions[1:]:
        whole = whole.then(correction.effective, correction.threshold())
    return whole


def reaches_back(versions: Sequence[SignedRecord], began: date) -> bool:
    """Whether one judges days before its own late signature: what they say changes when it is signed, not by data."""
    return any(one.is_late(began) and one.effective < one.signed_on for one in versions)


def late_words(one: SignedRecord, began: date) -> str:
    """That a record in force was not signed before mining; empty where it was."""
    if not one.is_late(began):
        return ""
    said = f"{one.what} version {one.version} was signed on {one.signed_on}, after mining began on {began}"
    return f"{said}: it judges from {one.effective} on, and that it was established in time can be contested"


def first_is_late(versions: Sequence[SignedRecord], began: date) -> tuple[str, ...]:
    """That the first record came late; a correction comes late by nature, and DNR's own is the base."""
    said = "" if not versions or versions[0].source == "DNR" else late_words(versions[0], began)
    return (said,) if said else ()


def not_used(signed: Sequence[R], began: date, on: date) -> list[str]:
    """Records of a licensee that DNR's own stands in the place of, a line each."""
    found = in_force(signed, began, on)
    used = {one.record.version for one in found}
    dnr = next((one for one in found if one.record.source == "DNR"), None)
    return [
        f"version {one.version}, {one.says()} {one.unit}, signed by {one.signed_by}, is not used"
        + ("" if one.version not in used else f" from {dnr.since} on")
        + f": DNR's value (version {dnr.record.version}) is the {one.what}"
        for one in by_effective(signed)
        if dnr is not None and one.source == "licensee" and one.effective <= on
    ]


def versions_say(versions: Sequence[SignedRecord]) -> list[str]:
    """Every version with its day, value and method (decision 30)."""
    return [f"version {one.version} from {one.effective}: {one.says()} {one.unit}, {one.method}" for one in versions]


def contested_signature(one: SignedRecord) -> tuple[str, ...]:
    """What an opponent will say of the signature, one sentence each."""
    said = (
        "signed by a PE: a professional engineer's licence is neither a geologist's (PG) nor a hydrologist's (PH), and "
        "the signature can be contested"
        if one.licence_kind == "PE"
        else "",
        f"source {one.source} with licence kind {one.licence_kind}: who established it?"
        if (one.source == "licensee") == (one.licence_kind == "DNR")
        else "",
    )
    return tuple(line for line in said if line)


def against_mining(one: SignedRecord, began: date, to_state: str = "") -> Iterator[str]:
    """What the day mining began has to do with it; ``to_state`` is what would let it judge earlier days."""
    if one.rests_until() >= began:
        whose = "its record ends" if one.record_to >= began else "its index record ends"
        yield f"{whose} on {one.rests_until()}, after mining began on {began}: it is never judged by"
        return
    late, first = one.is_late(began), since(one, began, is_first=one.counts_back(began))
    when = f"signed on {one.signed_on}" if late else f"effective from {one.effective}"
    if first > began:
        yield f"{when}, after mining began on {began}: it judges no day before {first}{to_state if late else ''}"
    elif late:
        yield f"{when}, after mining began on {began}: it can be contested"
