"""Results as columns: in one order, each content once, with what a verdict can depend on as small whole numbers.

Texts are told apart once, and rows carry the number of their text, so that a million rows cost what their distinct
texts cost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.fractions import fraction_by_code
from models.question import StoredRow

Source = pd.DataFrame | Sequence[StoredRow]
Codes = NDArray[np.int64]
Texts = NDArray[np.object_]

READ = ("lod", "loq", "limit", "limit_is", "condition", "fraction", "activity")
"""Facts of a result that a verdict can depend on, beside its qualifiers; the others say where it came from."""
_UNREAD = re.compile(rf"^[^:;]*|;(?!(?:{'|'.join(READ)})=)[^;]*")
_SAMPLE = re.compile(r";sample=([^;]+)")
_NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_EXACT = 15
"""Decimal numbers of so many figures keep their order and their equality as doubles (DBL_DIG)."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column told apart: the distinct values, and which of them each row holds."""

    values: Sequence[object]
    codes: Codes

    @staticmethod
    def of(cells: Texts | Codes, *, ordered: bool = True) -> Column:
        """``ordered``: a greater code is a greater value; else codes only tell apart."""
        codes, found = pd.factorize(cells)
        values = found.tolist()
        if not ordered:
            return Column(values, codes.astype(np.int64))
        order = sorted(range(len(values)), key=values.__getitem__)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return Column([values[k] for k in order], rank[codes])

    def mapped(self, change: Callable[[str], object]) -> Column:
        """Another column that depends on this one."""
        new = Column.of(_objects([change(str(one)) for one in self.values]))
        return Column(new.values, new.codes[self.codes])

    def at_value(self, value: object) -> NDArray[np.bool_]:
        """The rows that hold a value."""
        return np.array([one == value for one in self.values], np.bool_)[self.codes]

    def at(self, places: NDArray[np.intp]) -> Column:
        return Column(self.values, self.codes[places])

    def texts(self) -> list[str]:
        values = cast("list[str]", self.values)
        return [values[k] for k in self.codes.tolist()]


class _Row(NamedTuple):
    """A ``StoredRow`` of a table."""

    station: str
    parameter: str
    series: str
    unit: str
    clock: str
    time_ms: int
    day: date
    value: float
    value_text: str
    flags: str
    row_id: str


@dataclass(frozen=True, eq=False)
class Rows:
    """Results by station, day, time, sample, substance and series; each content once.

    Parameters
    ----------
    source, places : what was given, and where in it each row stands.
    day : civil days; ``number``: of a text that is a plain number that number, else NaN.
    """

    source: Source
    places: NDArray[np.intp]
    columns: Mapping[str, Column]
    number: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def stored(self, at: NDArray[np.intp] | Sequence[int]) -> list[StoredRow]:
        """Some of the rows as they were given."""
        places = self.places[np.asarray(at, np.intp)].tolist()
        if isinstance(self.source, pd.DataFrame):
            return [cast("StoredRow", _Row(*(cells[k] for cells in self._given))) for k in places]
        return [self.source[k] for k in places]

    @cached_property
    def _given(self) -> list[Texts | Codes]:
        return [_cells(self.source, name) for name in _Row._fields]

    @cached_property
    def pattern(self) -> Codes:
        """Rows of one pattern say the same of the same substance in the same unit, but for a plain number."""
        plain = np.isfinite(self.number)
        text = np.where(plain, 0, self["value_text"].codes + 1)
        core = self["flags"].mapped(lambda flags: _UNREAD.sub("", flags))
        return together(self["parameter"].codes, self["unit"].codes, core.codes, self["code_fraction"].codes, text)

    @cached_property
    def sample(self) -> Codes:
        """Which sample of which station and day."""
        return together(self["station"].codes, self["day"].codes, self["sample"].codes)


def rows_of(source: Source, substances: Mapping[str, str]) -> Rows:
    """A table of results, or a list of them, as columns.

    Parameters
    ----------
    source : columns or attributes as of ``models.question.StoredRow``.
    substances : what a parameter counts as, where that is another.
    """
    columns = {name: Column.of(_cells(source, name)) for name in ("station", "parameter", "series", "time_ms", "day")}
    columns |= {name: Column.of(_cells(source, name), ordered=False) for name in ("value_text", "unit", "flags")}
    columns["substance"] = columns["parameter"].mapped(lambda name: substances.get(name, name))
    columns["code_fraction"] = columns["series"].mapped(lambda name: fraction_by_code(_code(name)) or "")
    columns["sample"] = _samples(columns)
    places = _once(source, columns)
    kept = {name: one.at(places) for name, one in columns.items()}
    return Rows(source, places, kept, _numbers(kept["value_text"]))


def together(*codes: Codes) -> Codes:
    """One number for each combination that occurs."""
    found = codes[0]
    for one in codes[1:]:
        found = pd.factorize(found * (int(one.max(initial=0)) + 1) + one)[0].astype(np.int64)
    return found


def sample_name(flags: str, series: str, time_ms: int) -> str:
    """The sample of a result: its own number, else what its series carries behind the code, else its time."""
    return _named(flags) or series.partition(":")[2] or str(time_ms)


def _named(flags: str) -> str:
    found = _SAMPLE.search(flags)
    return found[1] if found else ""


def is_exact(text: str) -> bool:
    """Whether a text is a number that keeps its order among its like as a double."""
    return len(text) <= _EXACT and _NUMBER.fullmatch(text) is not None


def _samples(columns: Mapping[str, Column]) -> Column:
    """The sample of each row; most name it in their flags."""
    named = columns["flags"].mapped(_named)
    without = np.flatnonzero(named.at_value("")).tolist()
    if not without:
        return named
    names, series, times = _objects(named.texts()), columns["series"], columns["time_ms"]
    told = zip(series.codes[without].tolist(), times.codes[without].tolist(), strict=True)
    names[without] = [sample_name("", str(series.values[k]), cast("int", times.values[t])) for k, t in told]
    return Column.of(names)


def _code(series: str) -> str:
    return series.partition(":")[0]


ORDER = ("station", "day", "time_ms", "sample", "substance", "series", "parameter")
TIES = ("value_text", "unit", "flags", "row_id")


def _once(source: Source, columns: Mapping[str, Column]) -> NDArray[np.intp]:
    """Places of the rows in order; of those that say the same the one whose id comes first."""
    codes = [columns[name].codes for name in ORDER]
    order = np.lexsort(codes[::-1])
    new = np.ones(len(order), np.bool_)
    new[1:] = np.any([np.diff(one[order]) != 0 for one in codes], axis=0)
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(order))
    kept = np.ones(len(order), np.bool_)
    cells = [_cells(source, name) for name in TIES] if len(starts) < len(order) else []
    for k in np.flatnonzero(ends - starts > 1).tolist():
        run = slice(int(starts[k]), int(ends[k]))
        told = sorted((*(one[place] for one in cells), place) for place in order[run].tolist())
        order[run] = [one[-1] for one in told]
        kept[run] = [j == 0 or told[j - 1][:3] != one[:3] for j, one in enumerate(told)]
    return order[kept]


def _numbers(texts: Column) -> NDArray[np.float64]:
    plain = [float(text) if is_exact(text) else np.nan for text in cast("list[str]", texts.values)]
    return np.array(plain, np.float64)[texts.codes]


def _cells(source: Source, name: str) -> Texts | Codes:
    if isinstance(source, pd.DataFrame):
        return source[name].to_numpy(np.int64 if name == "time_ms" else object)
    return _objects([getattr(row, name) for row in source])


def _objects(cells: Sequence[object]) -> Texts:
    found = np.empty(len(cells), object)
    found[:] = cells
    return found
