"""One series of a service's answer, point by point, as tidy rows: sentinels, words and limits keep their meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

import numpy as np
import pandas as pd

from ingest import cells
from ingest.cells import NUMBER_PATTERN, WORDS, BadCell, is_sentinel, number
from ingest.iso_times import moment
from ingest.reading import Source
from models.errors import BadUnit
from models.observation import Flags, Reject, tidy
from models.parameters import parameters
from models.units import unit_id

SENTINEL = -999_999.0
"""What NWIS writes where a value is missing, whatever a document declares."""

MOST_SERIES = 10_000

BLANKS = {"na", "nan", "null", "none"}
"""What programs that hold a blank number write for it."""

T = TypeVar("T")
ReadTime = Callable[[str], tuple[int, str]]
"""A time text as (ms, clock) of a tidy row."""

_LIMIT = re.compile(rf"([<>])\s*({NUMBER_PATTERN})")


@dataclass(frozen=True)
class Series:
    """What one series measures, in tidy words."""

    station: str
    parameter: str
    statistic: str
    id: str
    unit: str


@dataclass
class Points:
    """Its points as written. ``rows`` is the number of each point in the document, counted from 1: services write
    whole documents on one line, where a line number would say nothing."""

    times: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)

    def add(self, row: int, time: str, value: str, flags: str) -> None:
        self.rows.append(row)
        self.times.append(time)
        self.values.append(value)
        self.flags.append(flags)


@dataclass(frozen=True)
class Reported:
    """One value cell: the number or NaN, its text, and what the cell adds to the flags."""

    value: float
    text: str = ""
    words: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


def bounded(source: Source, items: Sequence[T], thing: str) -> Sequence[T]:
    """The items, if there are no more than an answer may have.

    Raises
    ------
    BadFile : more than ``MOST_SERIES``.
    """
    if len(items) > MOST_SERIES:
        raise source.bad(f"more than {MOST_SERIES} {thing}")
    return items


def measured_unit(spelling: str, parameter: str) -> str:
    """The unit id; of a parameter outside the vocabulary an unknown spelling stays as written.

    Raises
    ------
    BadCell : not stated, unknown, or it does not measure this parameter.
    """
    known = parameters().get(parameter)
    if known is not None:
        if not spelling and known.canonical_unit != "1":
            raise BadCell("the unit is not stated", "unit")
        return cells.unit(spelling, known.canonical_unit)
    try:
        return unit_id(spelling) if spelling else ""
    except BadUnit:
        return spelling


@dataclass
class Taken:
    """What has been read so far, series after series, as the columns of one tidy table."""

    rejects: list[Reject] = field(default_factory=list)
    series: list[Series] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    times: list[tuple[int, str]] = field(default_factory=list)
    values: list[Reported] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)

    def take(
        self,
        source: Source,
        points: Points,
        said: str,
        describe: Callable[[], Series],
        read_time: ReadTime = moment,
        no_data: float = SENTINEL,
    ) -> None:
        """Add one series; where ``describe`` raises BadCell, one reject that quotes ``said`` stands for all its points.

        Parameters
        ----------
        no_data : the number the document declares for "no value"; the known sentinels always are such numbers.

        Raises
        ------
        BadFile : more rejects than any answer has.
        """
        try:
            series = describe()
        except BadCell as bad:
            reason = f"{bad.reason}; {cells.counted(len(points.rows), 'row')} left out"
            self.refuse(source, min(points.rows, default=0), bad.column, said, reason, len(points.rows))
            return
        before = len(self.rows)
        for row, time, value, flags in zip(points.rows, points.times, points.values, points.flags, strict=True):
            self._point(source, row, (time, value, flags), series, read_time, no_data)
        self.series.append(series)
        self.counts.append(len(self.rows) - before)

    def refuse(self, source: Source, row: int, column: str, raw: str, reason: str, rows: int = 1) -> None:
        """One more reject, and how many values are left out with it.

        Raises
        ------
        BadFile : so many that the file is none of its format.
        """
        self.rejects.append(source.reject(row, column, raw, reason, rows))

    def _point(
        self, source: Source, row: int, point: tuple[str, str, str], series: Series, read_time: ReadTime, no_data: float
    ) -> None:
        time_text, value_text, flags = point
        try:
            time = read_time(time_text)
        except BadCell as bad:
            self.refuse(source, row, "time", time_text, bad.reason)
            return
        try:
            value = reported(value_text, series.unit, no_data, series.parameter)
        except BadCell as bad:
            self.refuse(source, row, "value", value_text, bad.reason)
            return
        self.times.append(time)
        self.values.append(value)
        self.flags.append(_added(flags, value.words, value.facts) if value.words or value.facts else flags)
        self.rows.append(row)

    def observations(self) -> pd.DataFrame:
        """Everything taken as one tidy table, series after series."""
        counts = np.array(self.counts, dtype=np.int64)
        named = ("station", "parameter", "statistic", "id", "unit")
        station, parameter, statistic, id, unit = (
            np.repeat(np.array([getattr(one, name) for one in self.series], dtype=object), counts) for name in named
        )
        return tidy(
            {
                "station": station,
                "parameter": parameter,
                "statistic": statistic,
                "series": id,
                "time_ms": np.array([ms for ms, _ in self.times], dtype=np.int64),
                "clock": np.array([clock for _, clock in self.times], dtype=object),
                "value": np.array([one.value for one in self.values], dtype=np.float64),
                "value_text": np.array([one.text for one in self.values], dtype=object),
                "unit": unit,
                "flags": np.array(self.flags, dtype=object),
                "row": np.array(self.rows, dtype=np.int64),
            }
        )


@lru_cache(maxsize=65536)
def reported(text: str, unit: str = "", no_data: float = SENTINEL, parameter: str = "") -> Reported:
    """A number; or no number, because blank, a sentinel, a word such as ``Ice``, or beyond a limit (``<0.5``).

    A sentinel that the document does not declare is kept as a qualifier.

    Raises
    ------
    BadCell : none of these.
    """
    if not text or text.casefold() in BLANKS:
        return Reported(np.nan)
    if text.casefold() in WORDS:
        return Reported(np.nan, "ND" if text.casefold() == "nd" else "", (text,))
    if limit := _LIMIT.fullmatch(text):
        number(limit[2])
        return below(limit[2], "rl") if limit[1] == "<" else above(limit[2], unit)
    value = number(text)
    if value in {no_data, SENTINEL}:
        return Reported(np.nan)
    return Reported(np.nan, "", (text,)) if is_sentinel(value, parameter) else Reported(value, text)


def below(limit: str, kind: str) -> Reported:
    """A value known to lie below a limit (``lod``: of detection, ``rl``: of reporting)."""
    return Reported(np.nan, f"<{limit}", ("<",), (("limit", limit), ("limit_is", kind)))


def above(limit: str, unit: str) -> Reported:
    """A value beyond the range of its instrument: no number, the limit kept with its unit."""
    return Reported(np.nan, "", (">",), (("above", f"{limit} {unit}".strip()),))


@lru_cache(maxsize=4096)
def _added(flags: str, words: tuple[str, ...], facts: tuple[tuple[str, str], ...]) -> str:
    had = Flags.parse(flags)
    new = tuple(word for word in words if word not in had.qualifiers)
    return Flags(had.approval, had.qualifiers + new, {**had.facts, **dict(facts)}).text()
