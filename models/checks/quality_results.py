"""Which results of a station are judged, and which are only shown: nothing is dropped silently.

A rejected result, a quality-control sample, the fraction a well is not judged by, and a row that says nothing are shown
with the reason. The same result delivered twice is one result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from models.fractions import Fraction, fraction_of
from models.nr140.result import Result, read_result, void_limit
from models.observation import Flags
from models.question import StoredRow
from models.rules import GroundwaterQuality
from models.standard_set import Form
from models.standards import Standards

REJECTED = {"R", "UR"}
"""Data qualifiers of a result that its reviewer rejected."""

_QUALITY_CONTROL = re.compile(
    r"quality control|\bqc\b|reference (?:material|sample)|blank|replicate|duplicate|spike|surrogate", re.IGNORECASE
)


@dataclass(frozen=True)
class Terms:
    """What a station's results are judged by: the clause, the set of standards in force there, and its fraction.

    ``law_day``: judge by the law of this day; None: of each sample's own.
    """

    rule: GroundwaterQuality
    law: Standards
    fraction: Fraction | None = None
    law_day: date | None = None


@dataclass(frozen=True)
class Reported:
    """One result that is judged. ``result`` is as reported; ``form`` says how it becomes the ``substance``."""

    row: StoredRow
    sample: str
    substance: str
    result: Result
    fraction: Fraction | None
    form: Form | None = None


@dataclass(frozen=True)
class Shown:
    """A result that is not judged, and why."""

    station: str
    parameter: str
    sampled: str
    sample: str
    value_text: str
    unit: str
    reason: str
    rows: tuple[str, ...]


def taken(terms: Terms, rows: Sequence[StoredRow]) -> tuple[list[Reported], list[Shown]]:
    """Results to judge, and the others with the reason; in one order whatever the order of the rows."""
    reported: list[Reported] = []
    shown: list[Shown] = []
    for row in distinct(rows):
        found = _one(terms, row)
        if isinstance(found, Shown):
            shown.append(found)
        else:
            reported.append(found)
    return reported, shown


def distinct(rows: Iterable[StoredRow]) -> Iterator[StoredRow]:
    """Rows by station, time, substance and series, each content once."""
    seen: set[tuple[object, ...]] = set()
    for row in sorted(rows, key=_order):
        if _content(row) not in seen:
            seen.add(_content(row))
            yield row


def sample_of(row: StoredRow, flags: Flags) -> str:
    """The sample of a result: its own number, else what its series carries behind the code, else its time."""
    return flags.facts.get("sample") or row.series.partition(":")[2] or str(row.time_ms)


def shown(row: StoredRow, flags: Flags, reason: str) -> Shown:
    return Shown(
        row.station, row.parameter, row.day.isoformat(), flags.facts.get("sample", ""), row.value_text, row.unit,
        reason, (row.row_id,),
    )  # fmt: skip


def _one(terms: Terms, row: StoredRow) -> Reported | Shown:
    flags = Flags.parse(row.flags)
    fraction = fraction_of(flags.facts.get("fraction", ""), row.series.partition(":")[0])
    reason = _not_judged(terms, flags, fraction)
    if reason:
        return shown(row, flags, reason)
    result = read_result(row.value_text, row.unit, flags)
    if result is None:
        return shown(row, flags, "says neither an amount nor whether anything was detected: ask the laboratory")
    if void_limit(result, flags):
        return shown(row, flags, "not detected, but the detection limit is zero: not compared")
    form = terms.law.forms.get(row.parameter)
    substance = row.parameter if form is None else form.substance
    return Reported(row, sample_of(row, flags), substance, result, fraction, form)


def _not_judged(terms: Terms, flags: Flags, fraction: Fraction | None) -> str:
    if REJECTED & set(flags.qualifiers):
        return "rejected (R)"
    activity = flags.facts.get("activity", "")
    if _QUALITY_CONTROL.search(activity):
        return f"quality control: {activity}"
    if terms.fraction is not None and fraction not in (None, terms.fraction):
        return f"{fraction}: this station is judged by the {terms.fraction} fraction"
    return ""


def _order(row: StoredRow) -> tuple[object, ...]:
    return (row.station, row.time_ms, row.parameter, row.series, row.value_text, row.unit, row.flags, row.row_id)


def _content(row: StoredRow) -> tuple[object, ...]:
    return (row.station, row.time_ms, row.parameter, row.series, row.value_text, row.unit, row.flags)
