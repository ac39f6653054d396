"""Results as columns: in one order, each content once, with what a verdict can depend on as numbers.

Texts are told apart and read once, and rows carry the number of their text, so that a million rows cost what their
distinct texts cost.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.checks.quality_codes import Codes, Column, Floats, Texts, objects, together
from models.checks.quality_facts import amounts_of, facts_of, what_is_read
from models.checks.quality_sources import OneEach, candidates, one_each
from models.fractions import fraction_by_code
from models.question import StoredRow, stored_rows

Source = pd.DataFrame | Sequence[StoredRow]
VALUE = "value"
_SAMPLE = re.compile(r";sample=([^;]+)")


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
    also: tuple[str, ...] = ()


GIVEN = _Row._fields[:-1]


def ids_of(row: StoredRow) -> tuple[str, ...]:
    """The ids of a result: of its row, and of those by which other agencies reported it."""
    return (row.row_id, *getattr(row, "also", ()))


@dataclass(frozen=True, eq=False)
class Rows:
    """Results by station, day, time, sample, substance and series; each content once.

    Parameters
    ----------
    source, places : what was given, and where in it each row stands.
    day : civil days.
    numbers : ``value`` (plain, or behind a ``<`` or ``>``), ``lod``, ``loq`` and ``limit`` where they are exact as
        doubles, else NaN; ``plain``: the value is a number; ``rest``: what else the texts of value and flags say.
    once : which rows are not among these, since another source's says the same, and which differ from another's.
    """

    source: Source
    places: NDArray[np.intp]
    columns: Mapping[str, Column]
    numbers: Mapping[str, Floats]
    plain: NDArray[np.bool_]
    rest: Codes
    once: OneEach

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def stored(self, at: NDArray[np.intp] | Sequence[int]) -> list[StoredRow]:
        """Some of the rows as they were given."""
        return self.at_places(self.places[np.asarray(at, np.intp)].tolist())

    def at_places(self, places: Sequence[int]) -> list[StoredRow]:
        """Rows as they were given, by their places in it, with what other sources add."""
        told = self._sources
        return [_with(row, told[k]) if k in told else row for k, row in self._as_given(places)]

    @cached_property
    def _sources(self) -> Mapping[int, dict[str, Any]]:
        """Of a row with a second source its ids and completed flags, by place."""
        ids: dict[int, list[str]] = {}
        for twin in self.once.twins:
            ids.setdefault(twin.of, []).extend(row.row_id for _, row in self._as_given([twin.place]))
        return {k: {"also": tuple(ids[k]), "flags": self.once.flags[k]} for k in ids}

    def _as_given(self, places: Sequence[int]) -> Iterator[tuple[int, StoredRow]]:
        if isinstance(self.source, pd.DataFrame):
            return ((k, cast("StoredRow", _Row(*(cells[k] for cells in self._given)))) for k in places)
        source = self.source
        return ((k, source[k]) for k in places)

    @cached_property
    def _given(self) -> list[Texts | Codes]:
        return [_cells(self.source, name) for name in GIVEN]

    @cached_property
    def pattern(self) -> Codes:
        """Rows of one pattern say the same of the same substance in the same unit, but for their ``numbers``."""
        return together(self["parameter"].codes, self["unit"].codes, self["code_fraction"].codes, self.rest)

    def alike(self, at: Codes) -> Codes:
        """Of some rows, one code for all that say the same to the letter."""
        flags = self["flags"]
        distinct, which = np.unique(flags.codes[at], return_inverse=True)
        read = Column.of(objects([what_is_read(str(flags.values[k])) for k in distinct.tolist()]), ordered=False)
        return together(self.pattern[at], self["value_text"].codes[at], read.codes[which])

    @cached_property
    def sample(self) -> Codes:
        """Which sample of which station and day."""
        return together(self["station"].codes, self["day"].codes, self["sample"].codes)


def rows_of(source: Source, substances: Mapping[str, str], sums: Container[str] = ()) -> Rows:
    """A table of results, or a list of them, as columns.

    Parameters
    ----------
    source : columns or attributes as of ``models.question.StoredRow``.
    substances : what a parameter counts as, where that is another.
    sums : parameters that a sum, or the limit of another, takes from its sample.
    """
    columns = {name: Column.of(_cells(source, name)) for name in ("station", "parameter", "series", "time_ms", "day")}
    columns |= {name: Column.of(_cells(source, name), ordered=False) for name in ("value_text", "unit", "flags")}
    columns["substance"] = columns["parameter"].mapped(lambda name: substances.get(name, name))
    columns["code_fraction"] = columns["series"].mapped(lambda name: fraction_by_code(_code(name)) or "")
    once = _one_each(source, columns, substances, sums)
    if once.flags:
        columns["flags"] = _replaced(columns["flags"], once.flags, ordered=False)
    facts = facts_of(cast("list[str]", columns["flags"].values))
    named = _samples(columns, Column(facts.samples.values, facts.samples.codes[columns["flags"].codes]))
    columns["sample"] = _replaced(named, once.sample) if once.sample else named
    places = _once(source, columns, once)
    kept = {name: one.at(places) for name, one in columns.items()}
    amounts = amounts_of(cast("list[str]", kept["value_text"].values))
    text, flags = kept["value_text"].codes, kept["flags"].codes
    numbers = {VALUE: amounts.numbers[text], **{name: one[flags] for name, one in facts.numbers.items()}}
    rest = together(amounts.rest[text], facts.rest[flags])
    return Rows(source, places, kept, numbers, amounts.plain[text], rest, once)


def _one_each(
    source: Source, columns: Mapping[str, Column], substances: Mapping[str, str], sums: Container[str]
) -> OneEach:
    """The results that two sources report, among the rows of their days."""
    days = columns["day"]
    ordinals = np.array([cast("date", one).toordinal() for one in days.values], np.int64)[days.codes]
    at = candidates(source, columns["station"].codes, ordinals, columns["substance"].codes)
    if not len(at):
        return OneEach()
    rows = stored_rows(source.iloc[at]) if isinstance(source, pd.DataFrame) else [source[k] for k in at.tolist()]
    return one_each(rows, at.tolist(), _names_of(rows), sums, substances)


def _names_of(rows: Sequence[StoredRow]) -> list[str]:
    return [sample_name(row.flags, row.series, row.time_ms) for row in rows]


def _replaced(column: Column, texts: Mapping[int, str], *, ordered: bool = True) -> Column:
    """The same with other texts in some rows."""
    cells = objects(column.texts())
    cells[list(texts)] = list(texts.values())
    return Column.of(cells, ordered=ordered)


def sample_name(flags: str, series: str, time_ms: int) -> str:
    """The sample of a result: its own number, else what its series carries behind the code, else its time."""
    found = _SAMPLE.search(flags)
    return found[1] if found else series.partition(":")[2] or str(time_ms)


def shown_sample(sample: str, time_ms: int) -> str:
    """The sample as a person is told it: a laboratory that gave none a number has none."""
    return "" if sample == str(time_ms) else sample


def _samples(columns: Mapping[str, Column], named: Column) -> Column:
    """The sample of each row; most name it in their flags."""
    without = np.flatnonzero(named.at_value("")).tolist()
    if not without:
        return named
    names, series, times = objects(named.texts()), columns["series"], columns["time_ms"]
    told = zip(series.codes[without].tolist(), times.codes[without].tolist(), strict=True)
    names[without] = [sample_name("", str(series.values[k]), cast("int", times.values[t])) for k, t in told]
    return Column.of(names)


def _code(series: str) -> str:
    return series.partition(":")[0]


ORDER = ("station", "day", "time_ms", "sample", "substance", "series", "parameter")
TIES = ("value_text", "unit", "flags", "row_id")


def _once(source: Source, columns: Mapping[str, Column], said: OneEach) -> NDArray[np.intp]:
    """Places of the rows in order; of those that say the same the one that stands for others, or whose id is first."""
    codes = [columns[name].codes for name in ORDER]
    order = np.lexsort(codes[::-1])
    if said.twins:
        order = order[~np.isin(order, np.array([twin.place for twin in said.twins], np.intp))]
    new = np.ones(len(order), np.bool_)
    new[1:] = np.any([np.diff(one[order]) != 0 for one in codes], axis=0)
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(order))
    kept = np.ones(len(order), np.bool_)
    cells = [_cells(source, name) for name in TIES] if len(starts) < len(order) else []
    first = {twin.of for twin in said.twins}
    for k in np.flatnonzero(ends - starts > 1).tolist():
        run = slice(int(starts[k]), int(ends[k]))
        told = sorted((*(one[j] for one in cells[:3]), j not in first, cells[3][j], j) for j in order[run].tolist())
        order[run] = [one[-1] for one in told]
        kept[run] = [j == 0 or told[j - 1][:3] != one[:3] for j, one in enumerate(told)]
    return order[kept]


def _with(row: StoredRow, told: Mapping[str, Any]) -> StoredRow:
    return cast("StoredRow", _Row(*(getattr(row, name) for name in GIVEN))._replace(**told))


def _cells(source: Source, name: str) -> Texts | Codes:
    if isinstance(source, pd.DataFrame):
        return source[name].to_numpy(np.int64 if name == "time_ms" else object)
    return objects([getattr(row, name) for row in source])
