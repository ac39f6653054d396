"""Cells of a laboratory result read by what they say; each distinct text once, for a deliverable repeats itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from operator import itemgetter
from typing import TypeVar

from ingest.cells import BadCell, clipped, code_words, coded, number, unit
from ingest.date_order import instant, moment
from ingest.headings import plain_name
from ingest.laboratory.headings import FIELDS, Record
from ingest.laboratory.names import agreed, named, stated_fraction
from ingest.reading import DateOrder
from ingest.summary import time_text
from ingest.wqx.amounts import countable, in_unit
from ingest.wqx.detection import FACT_OF, Limits, Outcome, condition_kind, outcome, reported
from ingest.wqx.substance import split_basis
from models.errors import BadUnit
from models.observation import DAY_MS, Flags
from models.parameters import find_parameter
from models.qualifiers import said_by
from models.sample_types import is_plain, kind_of
from models.units import CONCENTRATIONS, PRESENCE, unit_id

LIMITS = (("lod", "lod"), ("loq", "loq"), ("rl", "rl"), ("detection_limit", "lod"))
"""Fields of limits, and what each is."""
T = TypeVar("T")
_OF_THE_ROW = {
    "sample", "station", "day", "clock", "zone", "parent", "analysed", "analysed_clock", "comment", "result_comment",
    "sample_comment", "described", "field_number",
}  # fmt: skip
"""Fields that say nothing of the amount: who, where and when."""
_BESIDE = tuple(name for name in FIELDS if name not in {*_OF_THE_ROW, "value"})
_beside = itemgetter(*map(FIELDS.index, _BESIDE))
_STORET = re.compile(r"[0-9]{1,5}")
_YES, _NO = {"y", "yes", "true"}, {"n", "no", "false"}


@dataclass(frozen=True)
class Subject:
    """What is measured: a parameter, the unit of its number, and the words of its fraction."""

    parameter: str
    unit: str
    fraction: str = ""


@lru_cache(maxsize=65536)
def subject_of(name: str, cas: str, storet: str, spelled: str, fraction: str) -> Subject:
    """The substance by STORET code, else by name and basis, else by CAS number.

    Raises
    ------
    BadCell : no STORET code, no such unit, or a fraction, name or CAS number that contradicts the other.
    """
    spelling, basis = split_basis(spelled)
    if storet:
        found = _by_code(storet, spelling, basis, fraction)
        agreed(find_parameter("storet", storet.zfill(5)), name, cas)
        return found
    told = named(name, cas, basis)
    return Subject(
        told.parameter, _unit(told.parameter, spelling), _in("fraction", stated_fraction, fraction, told.fraction)
    )


def _by_code(storet: str, spelling: str, basis: str, fraction: str) -> Subject:
    if _STORET.fullmatch(storet) is None:
        raise BadCell("not a STORET code", "storet")
    code = storet.zfill(5)
    known = find_parameter("storet", code)
    if known is None:
        return Subject(f"storet:{code}", _any_unit(spelling), fraction)
    if basis and "_as_" in known.id and not known.id.endswith(f"_as_{basis.casefold()}"):
        raise BadCell(f"code {code} is {known.name}", "unit")
    return Subject(known.id, _unit(known.id, spelling), fraction)


def _any_unit(spelling: str) -> str:
    try:
        return unit_id(spelling) if spelling else ""
    except BadUnit:
        return spelling


def _unit(parameter: str, spelling: str) -> str:
    known = find_parameter("name", parameter)
    if known is None:
        return spelling
    if not spelling and known.canonical_unit == PRESENCE:
        return PRESENCE
    return _in("unit", unit, spelling, known.canonical_unit)


@lru_cache(maxsize=65536)
def sampled(day: str, clock: str, order: DateOrder) -> tuple[int, str, str]:
    """Wall clock [ms], ``day`` or ``naive``, and the offset written behind it. Midnight is a day without a time.

    Raises
    ------
    BadCell : no date in this order.
    """
    wall, kind, offset = _in("day", moment, day, order)
    if kind == "day" and clock:
        wall, kind, offset = _in("clock", moment, f"{day} {clock}", order)
    return (wall, "day", "") if wall % DAY_MS == 0 and not offset else (wall, kind, offset)


def said_of(one: Record, subject: Subject, mark: str = "") -> tuple[Outcome, str]:
    """The amount, and the text of ``Flags`` up to the fraction; ``mark``: what the row's texts add to its codes.

    Raises
    ------
    BadCell : as ``limits_of`` and ``amount_of``.
    """
    limits, words = _said_beside(_beside(one), subject.unit)
    found = amount_of(one, subject, limits, words)
    return found, facts_before(found, (*words, mark) if mark else words, limits, one.condition, subject.fraction)


@lru_cache(maxsize=16384)
def _said_beside(cells: tuple[str, ...], measured_in: str) -> tuple[Limits, tuple[str, ...]]:
    """Limits and qualifiers; of cells that say the same, once: amounts differ more often than what stands beside."""
    one = Record(**dict(zip(_BESIDE, cells, strict=True)))
    return limits_of(one, measured_in), words_of(one.qualifier, one.validation, one.interpreted)


def limits_of(one: Record, measured_in: str) -> Limits:
    """Limits above zero, in the result's unit."""
    if not (one.lod or one.loq or one.rl or one.detection_limit):
        return Limits()
    shared = "" if one.detection_limit else one.detection_limit_unit
    units = (one.lod_unit or shared, one.loq_unit or shared, one.rl_unit or shared, one.detection_limit_unit)
    kind = _in("condition", condition_kind, one.condition)
    return _limits((one.lod, one.loq, one.rl, one.detection_limit), units, kind, measured_in)


@lru_cache(maxsize=65536)
def _limits(texts: tuple[str, ...], units: tuple[str, ...], kind: str, measured_in: str) -> Limits:
    """A bare detection limit is the LOQ of a result stated to be below it. A limit's own unit is never supposed."""
    found: dict[str, str] = {}
    void = False
    for (role, meaning), text, spelled in zip(LIMITS, texts, units, strict=True):
        if not text:
            continue
        if _in(role, number, text) <= 0:
            void = True
            continue
        spelling, _ = split_basis(spelled)
        limit = _in(f"{role}_unit", in_unit, text, spelling, measured_in) if spelling else text
        found.setdefault("loq" if role == "detection_limit" and kind == "below-loq" else meaning, limit)
    return Limits(found, void=void)


@lru_cache(maxsize=4096)
def words_of(*texts: str) -> tuple[str, ...]:
    """Qualifiers of the laboratory and of whoever validated it."""
    return tuple(word for text in texts for word in code_words(text))


def uncoded(one: Record) -> Record:
    """With a code written behind the number (``2U``) among the qualifiers."""
    value, code = coded(one.value)
    return one._replace(value=value, qualifier=f"{one.qualifier} {code}".strip()) if code else one


def amount_of(one: Record, subject: Subject, limits: Limits, words: tuple[str, ...]) -> Outcome:
    """The number, or what is known instead of one.

    Raises
    ------
    BadCell : nothing is said, or two things that contradict each other.
    """
    try:
        said = reported(one.value, one.condition or (_flagged(one) if one.detected else ""))
        countable(said.number, subject.unit)
        _above_its_lod(one, said.number, limits, subject.unit)
        return outcome(said, limits, words, subject.unit in CONCENTRATIONS)
    except BadCell as bad:
        raise BadCell(bad.reason, bad.column or "value") from None


def _above_its_lod(one: Record, amount: str, limits: Limits, measured_in: str) -> None:
    """Refuse what the laboratory flags as detected below its own LOD; a limit without a unit has the result's.

    Raises
    ------
    BadCell : flag and limit contradict each other, and nobody can tell which is wrong.
    """
    lod = limits.first("lod")
    if not (amount and lod) or one.detected.casefold() not in _YES or "not_seen" in said_by(_reviewed(one)):
        return
    if 0 <= Decimal(amount) < Decimal(lod):
        raise BadCell(f"detected, and {amount} is below its own LOD of {lod} {measured_in}", "detected")


def _reviewed(one: Record) -> tuple[str, ...]:
    return words_of(one.validation, one.interpreted)


def _flagged(one: Record) -> str:
    """A flag Y or N as a detection condition. A laboratory that says Y and U says nothing; a reviewer's U stands."""
    flag = one.detected.casefold()
    if flag in _NO:
        return "Not Detected"
    if flag not in _YES:
        raise BadCell("neither Y nor N", "detected")
    if "not_seen" in said_by(words_of(one.qualifier)) and "not_seen" not in said_by(_reviewed(one)):
        raise BadCell(f"detected, and qualified {one.qualifier}", "detected")
    return "" if one.value else "Detected Not Quantified"


def facts_before(found: Outcome, words: tuple[str, ...], limits: Limits, condition: str, fraction: str) -> str:
    """Qualifiers, limits, condition and fraction as the text of ``Flags`` begins."""
    said = (*found.qualifiers, *words, *limits.marks)
    return _facts_before(said, tuple(limits.by_kind.items()), found.limit, found.limit_is, condition, fraction)


@lru_cache(maxsize=65536)
def _facts_before(
    said: tuple[str, ...], limits: tuple[tuple[str, str], ...], limit: str, limit_is: str, condition: str, fraction: str
) -> str:
    facts = {FACT_OF[kind]: text for kind, text in limits if kind in FACT_OF}
    rest = {"limit": limit, "limit_is": limit_is, "condition": condition, "fraction": fraction}
    return Flags("", tuple(dict.fromkeys(said)), {**facts, **rest}).text()


@lru_cache(maxsize=65536)
def facts_after(
    type: str, parent: str, analysed: str, clock: str, dilution: str, method: str, comment: str, told: str,
    order: DateOrder,
) -> str:  # fmt: skip
    """What is unusual of the sample, and how it was analysed; begins with its own separator."""
    facts = {
        "activity": "" if is_plain(type) else type,
        "parent": parent if kind_of(type) == "duplicate" else "",
        "analysed": analysed_at(analysed, clock, order),
        "dilution": "" if dilution in {"1", "1.0", "1.00"} else dilution,
        "method": method,
        "comment": clipped(comment),
        "told": told,
    }
    return Flags("", (), facts).text()


@lru_cache(maxsize=65536)
def analysed_at(text: str, at: str, order: DateOrder) -> str:
    """When it was analysed, as ISO text, in UTC where it has a zone; as written where it is not like sampling dates."""
    try:
        wall, kind, zone = sampled(text, at, order)
        return time_text(instant(wall, zone), "utc") if zone else time_text(wall, kind)
    except BadCell:
        return f"{text} {at}".strip()


@lru_cache(maxsize=65536)
def series_of(storet: str, fraction: str, sample: str) -> str:
    """By code or fraction, and sample: two samples of one day are two results."""
    what = storet.zfill(5) if storet else plain_name(fraction)
    return ":".join(part for part in (what, sample) if part)


def _in(role: str, reader: Callable[..., T], *cells: str) -> T:
    """Through ``reader``; a refusal learns its field here."""
    try:
        return reader(*cells)
    except BadCell as bad:
        raise BadCell(bad.reason, role) from None
