"""Rules of the gate that one result can break by itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from zoneinfo import ZoneInfo

from models.errors import BadUnit
from models.fractions import Fraction, fraction_of
from models.holding_time import Span, held, holding_time, sampled_span, span_of
from models.lab_gate import Fault, rule_of_name
from models.nr140.result import VOID_LIMIT, Result, read_result
from models.observation import Flags
from models.parameters import parameters
from models.question import StoredRow
from models.standards import Standard, Standards
from models.units import CONCENTRATIONS, COUNTS, NOMINAL, PRESENCE, convert

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DILUTION = re.compile(r"(?:1\s*[:/]\s*|x\s*)?([0-9.]+)\s*x?", re.IGNORECASE)
"""``10``, ``10x``, ``x10``, ``1:10``."""
_ZERO = re.compile(r"0*[.]?0+")
_LITRE = Decimal(1_000_000)
"""What a litre of water weighs [mg]."""
_MEASURED_AT_ONCE = {"ph", "dissolved_oxygen", "specific_conductance", "water_temperature"}
"""In the field, where nobody dates an analysis."""
_LATE_SAID = re.compile(r"\bhold", re.IGNORECASE)


@dataclass(frozen=True)
class Delivered:
    """One result of a deliverable, read once; ``result`` None: it says neither an amount nor a non-detect.

    ``zone``: the clock by which an instant in UTC has its day; None, and it has the day of UTC.
    """

    stored: StoredRow
    row: int
    flags: Flags
    fraction: Fraction | None
    result: Result | None
    zone: ZoneInfo | None = None

    @property
    def sample(self) -> str:
        return self.flags.facts.get("sample", "")

    @property
    def day(self) -> date:
        return _day_of(self.stored.time_ms, self.zone if self.stored.clock == "utc" else None)

    @property
    def visit(self) -> tuple[str, str, int]:
        """Station and moment; a day has no more than its samples to tell two visits apart."""
        return self.stored.station, self.stored.clock, self.stored.time_ms

    @property
    def known(self) -> bool:
        return self.stored.parameter in parameters()

    @property
    def value(self) -> str:
        return f"{self.stored.value_text or 'no value'} {self.stored.unit}".strip()

    def fault(self, rule: str, found: str) -> Fault:
        return Fault(rule, self.row, found, self.stored.station, self.sample, self.stored.parameter)


@lru_cache(maxsize=16384)
def _day_of(time_ms: int, zone: ZoneInfo | None) -> date:
    at = _EPOCH + timedelta(milliseconds=time_ms)
    return (at if zone is None else at.astimezone(zone)).date()


@dataclass(frozen=True)
class Terms:
    """What results are held against: standards for their names and PALs only, and the last day there can be."""

    law: Standards
    latest: date
    dated: bool = True
    stations: frozenset[str] = frozenset()


def delivered(rows: Sequence[StoredRow], zone: ZoneInfo | None = None) -> list[Delivered]:
    """Rows of a deliverable; ``row_id`` is the number of the row, ``zone`` the clock of the place."""
    return [_delivered(one, zone) for one in rows]


def groups(results: Iterable[Delivered], key: Callable[[Delivered], Hashable]) -> list[list[Delivered]]:
    """Results of one key together, in order."""
    found: dict[Hashable, list[Delivered]] = {}
    for one in results:
        found.setdefault(key(one), []).append(one)
    return list(found.values())


def is_of_a_laboratory(one: Delivered) -> bool:
    """A known substance in water, or a known parameter that a sample was numbered for."""
    known = parameters().get(one.stored.parameter)
    if known is None:
        return False
    return bool(one.sample) or one.stored.unit in CONCENTRATIONS or known.canonical_unit in NOMINAL


def of_result(terms: Terms, one: Delivered) -> Iterator[Fault]:
    """Every rule that one result breaks. What is of no known substance is not taken, and breaks no other."""
    if not one.known:
        yield one.fault("parameter-unknown", one.stored.parameter)
        return
    yield from _named(terms, one)
    yield from _measured(one)
    if terms.dated:
        yield from _dated(terms, one)
    if one.result is not None:
        yield from _limits(terms, one, one.result)
    yield from _diluted(one)


def of_dates(results: Sequence[Delivered]) -> Iterator[Fault]:
    """Missing dates of analysis, of a file without any once, and the substances of which no holding time is known."""
    held_ones = [one for one in results if one.known and _asks_for_a_date(one)]
    without = [one for one in held_ones if not one.flags.facts.get("analysed", "")]
    if without and len(without) == len(held_ones):
        yield Fault("analysis-date-missing", 0, f"none of {len(without)} results")
    else:
        yield from (one.fault("analysis-date-missing", one.value) for one in without)
    dated = [one for one in held_ones if one.flags.facts.get("analysed", "")]
    untimed = sorted({one.stored.parameter for one in dated if holding_time(one.stored.parameter, one.day) is None})
    if untimed:
        yield Fault("holding-time-not-known", 0, ", ".join(untimed))


def _asks_for_a_date(one: Delivered) -> bool:
    amount = one.stored.unit in CONCENTRATIONS or one.stored.unit in COUNTS or one.stored.unit == PRESENCE
    return amount and one.stored.parameter not in _MEASURED_AT_ONCE


def _delivered(one: StoredRow, zone: ZoneInfo | None) -> Delivered:
    flags = Flags.parse(one.flags)
    fraction = fraction_of(flags.facts.get("fraction", ""), one.series.partition(":")[0])
    return Delivered(one, int(one.row_id), flags, fraction, read_result(one.value_text, one.unit, flags), zone)


def _named(terms: Terms, one: Delivered) -> Iterator[Fault]:
    """A name that is a station's of the site says nothing of quality control."""
    rule, who = rule_of_name(terms.stations, one.sample, one.stored.station)
    if rule:
        yield one.fault(rule, f"{who}: {one.value}")


def _measured(one: Delivered) -> Iterator[Fault]:
    known = parameters()[one.stored.parameter]
    if not _measures(one.stored.unit, known.canonical_unit):
        yield one.fault("unit-unknown", f"{one.value}: {known.name} is kept in {known.canonical_unit}")


@lru_cache(maxsize=1024)
def _measures(unit: str, canonical: str) -> bool:
    try:
        convert(Decimal(1), unit, canonical)
    except BadUnit:
        return False
    return True


def _dated(terms: Terms, one: Delivered) -> Iterator[Fault]:
    if one.day > terms.latest:
        yield one.fault("sampled-in-future", f"sampled {one.day}")
    text = one.flags.facts.get("analysed", "")
    sampled, analysed = sampled_span(one.stored.clock, one.stored.time_ms), span_of(text)
    if text and analysed is None:
        yield one.fault("analysis-date-not-read", f"analysed {text}")
    if sampled is None or analysed is None:
        return
    if analysed[1] < sampled[0]:
        yield one.fault("analysed-before-sampled", f"sampled {one.day}, analysed {text}")
    elif _first_day(text, analysed, one.zone, one.stored.clock) > terms.latest:
        yield one.fault("analysed-in-future", f"analysed {text}")
    else:
        yield from _kept(one)


@lru_cache(maxsize=16384)
def _first_day(text: str, span: Span, zone: ZoneInfo | None, clock: str) -> date:
    """The earliest day of an analysis: of an instant with a zone, that of the place's clock where it is known.

    An hour without a zone beside a sample in UTC may be of either clock.
    """
    at, first = datetime.fromisoformat(text), (_EPOCH + timedelta(milliseconds=span[0])).date()
    if zone is None or (at.tzinfo is None and (clock != "utc" or span[0] != span[1])):
        return first
    local = (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(zone).date()
    return local if at.tzinfo is not None else min(local, first)


def _kept(one: Delivered) -> Iterator[Fault]:
    found = held(one.stored.parameter, one.stored.clock, one.stored.time_ms, one.flags)
    if found is not None and found.standing == "unknown":
        yield one.fault("holding-time-open", found.says())
    elif found is not None and found.standing == "exceeded":
        said = "H" in one.flags.qualifiers or _LATE_SAID.search(one.flags.facts.get("comment", ""))
        yield one.fault("holding-time", f"{found.says()}{'' if said else '; no qualifier or comment says so'}")


def _limits(terms: Terms, one: Delivered, result: Result) -> Iterator[Fault]:
    if any(word.casefold() == VOID_LIMIT for word in one.flags.qualifiers):
        yield one.fault("limit-not-positive", one.value)
    in_flags = one.flags.facts.get("limit_is") == "lod"
    lod, loq = result.lod or (result.limit if in_flags else None), result.loq
    if not result.detected and lod is None and result.limit is None:
        yield one.fault("nondetect-without-limit", one.value)
    if lod is not None and loq is not None and lod > loq:
        yield one.fault("lod-above-loq", f"LOD {lod}, LOQ {loq} {result.unit}")
    yield from _amount(one, result)
    if lod is not None and result.value is not None and result.value < lod:
        yield one.fault("detect-below-lod", f"{one.value}, LOD {lod}")
    if _not_its_limits(result):
        yield one.fault("nondetect-not-its-limits", f"{one.value}, LOD {result.lod}, LOQ {loq} {result.unit}")
    missing = [name for name, known in (("LOD", lod), ("LOQ", loq)) if known is None]
    if missing and result.unit in CONCENTRATIONS:
        rule = "limits-missing" if one.stored.parameter in terms.law.parameters else "limits-advised"
        yield one.fault(rule, f"{one.value}: no {' and no '.join(missing)}")
    if lod is not None:
        yield from _above_pal(terms, one, lod)


def _amount(one: Delivered, result: Result) -> Iterator[Fault]:
    """A mass in water is above zero and below that of the water. Readers take a zero as a non-detect."""
    if result.unit not in CONCENTRATIONS:
        return
    if result.value is None:
        if _ZERO.fullmatch(one.stored.value_text) and (result.lod or result.limit):
            yield one.fault("zero-told", f"{one.value}, LOD {result.lod or 'missing'}")
    elif result.value < 0:
        yield one.fault("below-zero", one.value)
    elif convert(result.value, result.unit, "mg/L") >= _LITRE:
        yield one.fault("more-than-water", one.value)


def _not_its_limits(result: Result) -> bool:
    """A non-detect below a number that is neither its LOD nor its LOQ nor between them."""
    if result.detected or result.limit is None:
        return False
    over = result.loq is not None and result.limit > result.loq
    return over or (result.lod is not None and result.limit < result.lod)


def _above_pal(terms: Terms, one: Delivered, lod: Decimal) -> Iterator[Fault]:
    """The LOD as an amount of the standard's own substance against the lowest PAL in force on the day of sampling."""
    form = terms.law.forms.get(one.stored.parameter)
    substance = one.stored.parameter if form is None else form.substance
    on = one.day if terms.dated else terms.latest
    lowest = next((law for law in _pals(terms.law, substance, one.stored.unit) if law.in_force(on)), None)
    if lowest is None:
        return
    least = lod if form is None else min(factor.times(lod) for factor in form.factors)
    if least > lowest.in_unit(one.stored.unit):
        yield one.fault("lod-above-pal", f"LOD {lod} {one.stored.unit}, PAL {lowest.value} {lowest.unit}")


@lru_cache(maxsize=1024)
def _pals(law: Standards, substance: str, unit: str) -> tuple[Standard, ...]:
    """PALs that a LOD in this unit can be held against, in force or not, the lowest first."""
    found = (one for one in law.of(substance) if one.kind == "PAL" and not one.detection_only)
    return tuple(sorted((one for one in found if _measures(unit, one.unit)), key=lambda one: one.in_unit(unit)))


def _diluted(one: Delivered) -> Iterator[Fault]:
    text = one.flags.facts.get("dilution", "")
    factor = dilution_of(one)
    if factor is None:
        yield one.fault("dilution-not-a-factor", f"dilution {text}")
    elif factor < 1:
        yield one.fault("dilution-below-one", f"dilution {text}")


def dilution_of(one: Delivered) -> Decimal | None:
    """The dilution as a number, 1 where none is stated; None where it is no number above zero."""
    return _factor(one.flags.facts.get("dilution", "") or "1")


@lru_cache(maxsize=1024)
def _factor(text: str) -> Decimal | None:
    match = _DILUTION.fullmatch(text.strip())
    try:
        found = Decimal(match[1] if match else text)
    except InvalidOperation:
        return None
    return found if found.is_finite() and found > 0 else None
