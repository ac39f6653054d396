"""Rules of the gate that one result can break by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from models.errors import BadUnit
from models.fractions import Fraction, fraction_of
from models.holding_time import held, sampled_span, span_of
from models.lab_gate import Fault
from models.nr140.result import VOID_LIMIT, Result, read_result
from models.observation import Flags
from models.parameters import parameters
from models.question import StoredRow
from models.standards import Standards
from models.units import CONCENTRATIONS, NOMINAL, convert

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WORD = re.compile(r"[a-z]+")
_CONTROL = {"blank", "blk", "spike", "spiked", "lcs", "lcsd", "msd", "rinsate", "surrogate", "tripblank", "fieldblank"}
_DUPLICATE = {"dup", "duplicate", "replicate"}
_LATE_SAID = re.compile(r"\bhold", re.IGNORECASE)


@dataclass(frozen=True)
class Delivered:
    """One result of a deliverable, read once; ``result`` None: it says neither an amount nor a non-detect."""

    stored: StoredRow
    row: int
    flags: Flags
    fraction: Fraction | None
    result: Result | None

    @property
    def sample(self) -> str:
        return self.flags.facts.get("sample", "")

    @property
    def day(self) -> date:
        return (_EPOCH + timedelta(milliseconds=self.stored.time_ms)).date()

    @property
    def value(self) -> str:
        return f"{self.stored.value_text or 'no value'} {self.stored.unit}".strip()

    def fault(self, rule: str, found: str) -> Fault:
        return Fault(rule, self.row, found, self.stored.station, self.sample, self.stored.parameter)


@dataclass(frozen=True)
class Terms:
    """What results are held against: standards for their names and PALs only, and the last day there can be."""

    law: Standards
    latest: date
    dated: bool = True
    stations: frozenset[str] = frozenset()


def delivered(rows: Sequence[StoredRow]) -> list[Delivered]:
    """Rows of a deliverable; ``row_id`` is the number of the row."""
    return [_delivered(one) for one in rows]


def is_of_a_laboratory(one: Delivered) -> bool:
    """A substance in water, or anything that a sample was numbered for."""
    known = parameters().get(one.stored.parameter)
    amount = one.stored.unit in CONCENTRATIONS or (known is not None and known.canonical_unit in NOMINAL)
    return bool(one.sample) or amount


def of_result(terms: Terms, one: Delivered) -> Iterator[Fault]:
    """Every rule that one result breaks."""
    yield from _named(terms, one)
    yield from _measured(one)
    if terms.dated:
        yield from _dated(terms, one)
    if one.result is not None:
        yield from _limits(terms, one, one.result)
    yield from _diluted(one)


def _delivered(one: StoredRow) -> Delivered:
    flags = Flags.parse(one.flags)
    fraction = fraction_of(flags.facts.get("fraction", ""), one.series.partition(":")[0])
    return Delivered(one, int(one.row_id), flags, fraction, read_result(one.value_text, one.unit, flags))


def _named(terms: Terms, one: Delivered) -> Iterator[Fault]:
    own = one.stored.station if one.stored.station.casefold() not in terms.stations else ""
    words = set(_WORD.findall(f"{one.sample} {own}".casefold()))
    if words & _CONTROL:
        yield one.fault("control-as-result", f"{one.sample or one.stored.station}: {one.value}")
    elif words & _DUPLICATE:
        yield one.fault("duplicate-as-result", f"{one.sample or one.stored.station}: {one.value}")


def _measured(one: Delivered) -> Iterator[Fault]:
    """Of an unknown substance no unit is wrong."""
    known = parameters().get(one.stored.parameter)
    if known is None:
        yield one.fault("parameter-unknown", one.stored.parameter)
    elif not _measures(one.stored.unit, known.canonical_unit):
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
    elif text[:10] > terms.latest.isoformat():
        yield one.fault("analysed-in-future", f"analysed {text}")
    else:
        yield from _kept(one)


def _kept(one: Delivered) -> Iterator[Fault]:
    found = held(one.stored.parameter, one.stored.clock, one.stored.time_ms, one.flags)
    if found is not None and found.standing == "exceeded":
        said = "H" in one.flags.qualifiers or _LATE_SAID.search(one.flags.facts.get("comment", ""))
        yield one.fault("holding-time", f"{found.says()}{'' if said else '; no qualifier or comment says so'}")


def _limits(terms: Terms, one: Delivered, result: Result) -> Iterator[Fault]:
    if VOID_LIMIT in {word.casefold() for word in one.flags.qualifiers}:
        yield one.fault("limit-not-positive", one.value)
    in_flags = one.flags.facts.get("limit_is") == "lod"
    lod, loq = result.lod or (result.limit if in_flags else None), result.loq
    if not result.detected and lod is None and result.limit is None:
        yield one.fault("nondetect-without-limit", one.value)
    if lod is not None and loq is not None and lod > loq:
        yield one.fault("lod-above-loq", f"LOD {lod}, LOQ {loq} {result.unit}")
    if lod is not None and result.value is not None and result.value < lod:
        yield one.fault("detect-below-lod", f"{one.value}, LOD {lod}")
    missing = [name for name, known in (("LOD", lod), ("LOQ", loq)) if known is None]
    if missing and result.unit in CONCENTRATIONS:
        rule = "limits-missing" if one.stored.parameter in terms.law.parameters else "limits-advised"
        yield one.fault(rule, f"{one.value}: no {' and no '.join(missing)}")
    if lod is not None:
        yield from _above_pal(terms, one, lod)


def _above_pal(terms: Terms, one: Delivered, lod: Decimal) -> Iterator[Fault]:
    """The LOD as an amount of the standard's own substance against the lowest PAL in force on the day of sampling."""
    form = terms.law.forms.get(one.stored.parameter)
    substance = one.stored.parameter if form is None else form.substance
    on = one.day if terms.dated else terms.latest
    laws = [law for law in terms.law.of(substance) if law.kind == "PAL" and law.in_force(on) and not law.detection_only]
    laws = [law for law in laws if _measures(one.stored.unit, law.unit)]
    if not laws:
        return
    lowest = min(laws, key=lambda law: law.in_unit(one.stored.unit))
    least = lod if form is None else min(factor.times(lod) for factor in form.factors)
    if least > lowest.in_unit(one.stored.unit):
        yield one.fault("lod-above-pal", f"LOD {lod} {one.stored.unit}, PAL {lowest.value} {lowest.unit}")


def _diluted(one: Delivered) -> Iterator[Fault]:
    text = one.flags.facts.get("dilution", "")
    factor = dilution_of(one)
    if text and (factor is None or factor < 1):
        yield one.fault("dilution-not-a-factor", f"dilution {text}")


def dilution_of(one: Delivered) -> Decimal | None:
    """The dilution as a number, 1 where none is stated; None where it is no number."""
    try:
        found = Decimal(one.flags.facts.get("dilution", "") or "1")
    except InvalidOperation:
        return None
    return found if found.is_finite() else None
