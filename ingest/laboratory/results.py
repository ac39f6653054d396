"""One result of a laboratory, whatever the deliverable calls its columns (``ingest.laboratory.headings.Record``).

The detection condition, a flag ``N`` and a ``U`` win over the number beside them. A reporting limit is what a
laboratory chose to report from: it may bound a non-detect and never stands for an LOQ. A basis written beside the unit
(``mg/L as NO3``) is part of what was measured: without one it is unstated, never supposed. A dilution factor is kept as
a fact: the laboratory has already applied it.

Quality-control samples, results that are no target of the analysis (surrogates, internal standards, spikes, tentatively
identified compounds) and results that the laboratory itself calls not reportable are the table ``quality_control``,
field duplicates among them ``field_duplicates``; other media are ``not_water``. None of them is ever an observation.

A further analysis of a sample (EQuIS ``test_type`` REANALYSIS, DILUTION) is a series of its own, so that neither of two
deliveries takes the other's place by coming later; in one delivery both reportable, neither is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter

import pandas as pd

from ingest.cells import BadCell
from ingest.date_order import column_order, instant
from ingest.headings import Measured
from ingest.laboratory.grid import Cells, Grid
from ingest.laboratory.headings import FIELDS, Record, deciding
from ingest.laboratory.repeats import repeats_numbered
from ingest.laboratory.set_apart import FIRST_TEST, apart, further_test, refuse_unclear, said_in, strictest
from ingest.laboratory.words import (
    Subject,
    facts_after,
    said_of,
    sampled,
    series_of,
    subject_of,
    uncoded,
)
from ingest.reading import DateOrder, Parts, Source
from ingest.table import Observation, in_order
from ingest.wqx.texts import told
from models.observation import Reject, tidy
from models.sample_types import kind_by_name, named_control, not_groundwater

Numbered = tuple[int, Cells, Record, str]
"""A row's number, its cells, what they say, and the table it belongs to."""
_LIKE_A_DUPLICATE = re.compile(r"(?:^|[^a-z])(?:dup|duplicate|rep|replicate)(?:[^a-z]|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """How the rows of a grid are read.

    Parameters
    ----------
    roles : column by field; ``constants``: what holds for every row that has no such column.
    measured : columns that each hold one substance, instead of ``analyte``, ``value`` and ``unit``.
    order : of the dates, None to find it in them; ``mended`` puts one record right before it is read.
    numbered : rows of one moment without the number of a sample are samples of their own; else readings of a series,
        which cannot be two at once.
    mapped : no column is read beyond ``roles``; else every one that may set a row apart is.
    """

    source: Source
    roles: Mapping[str, str]
    measured: tuple[Measured, ...] = ()
    constants: Mapping[str, str] = field(default_factory=dict)
    order: DateOrder | None = None
    mended: Callable[[Record], Record] | None = None
    numbered: bool = True
    mapped: bool = False

    def column(self, role: str) -> str:
        return self.roles.get(role, role)

    @property
    def dated(self) -> bool:
        return "day" in self.roles or "day" in self.constants


def results(layout: Layout, grid: Grid) -> Parts:
    """Every result of a grid.

    Raises
    ------
    BadFile : dates whose order nobody can tell.
    """
    records = list(_records(layout, grid))
    kinds: list[str] = [apart(one) for one in records]
    order = layout.order or _order(layout, grid)
    numbered = list(zip(grid.numbers, grid.rows, records, kinds, strict=True))
    single, refused = _one_each(layout, numbered, *_taken(layout, grid, order, (one for one in numbered if not one[3])))
    taken, repeats = repeats_numbered(single, dated=layout.dated) if layout.numbered else (single, "")
    pairs, _ = _taken(layout, grid, order, (one for one in numbered if one[3] == "duplicate"))
    tables = {**_written(grid, kinds), **_duplicates(pairs, numbered)}
    tables |= {} if layout.dated else {"undated": _text(taken)}
    found = taken if layout.dated else taken.iloc[:0]
    facts = {"repeats_without_number": repeats} if repeats else {}
    return Parts(found, in_order((*grid.rejects, *refused)), _alike(records, kinds) | facts, tables=tables)


def _records(layout: Layout, grid: Grid) -> Iterator[Record]:
    """Cells in the order of ``Record``; a cell that no column gives is a constant, or blank."""
    spare = tuple(dict.fromkeys(("", *layout.constants.values())))
    places = [
        grid.place(layout.roles[role])
        if role in layout.roles
        else len(grid.header) + spare.index(layout.constants.get(role, ""))
        for role in FIELDS
    ]
    pick, also = itemgetter(*places), _also(layout, grid)
    for row in grid.rows:
        record = Record._make(pick(row + spare))
        record = record if layout.mended is None else layout.mended(record)
        said = {field: [said_in(column, row[place]) for column, place in columns] for field, columns in also}
        yield strictest(record, said) if said else record


def _also(layout: Layout, grid: Grid) -> list[tuple[str, list[tuple[str, int]]]]:
    """By field, further columns that may set a row apart, a flag for quality control too, and their places."""
    columns = {} if layout.mapped else deciding(grid.header, layout.roles)
    return [(field, [(column, grid.place(column)) for column in names]) for field, names in columns.items()]


def _order(layout: Layout, grid: Grid) -> DateOrder:
    if "day" not in layout.roles:
        return "ymd"
    column = layout.roles["day"]
    place = grid.place(column)
    cells = ((number, row[place]) for number, row in zip(grid.numbers, grid.rows, strict=True))
    return column_order(layout.source, column, cells)


def _taken(layout: Layout, grid: Grid, order: DateOrder, rows: Iterable[Numbered]) -> tuple[pd.DataFrame, list[Reject]]:
    """What can be read, and one reject for each cell that cannot."""
    measured = [
        (grid.place(one.column), grid.place(one.qualifier) if one.qualifier else None, one) for one in layout.measured
    ]
    taken: list[Observation] = []
    refused: dict[tuple[int, str], tuple[str, str, int]] = {}
    for number, cells, record, _ in rows:
        for one, subject, column in _of_row(record, cells, measured) if measured else ((record, None, ""),):
            try:
                taken.append(_observation(layout, number, one, subject, order))
            except BadCell as bad:
                key = (number, column if column and bad.column == "value" else layout.column(bad.column))
                refused[key] = (getattr(one, bad.column, ""), bad.reason, refused.get(key, ("", "", 0))[2] + 1)
    return tidy(taken), [layout.source.reject(*key, raw, why, rows) for key, (raw, why, rows) in refused.items()]


def _one_each(
    layout: Layout, numbered: list[Numbered], taken: pd.DataFrame, refused: list[Reject]
) -> tuple[pd.DataFrame, list[Reject]]:
    """Without results of two analyses of one sample of which the laboratory calls both reportable: it chose neither."""
    if len({(one.test or FIRST_TEST).casefold() for _, _, one, _ in numbered}) < 2:
        return taken, refused
    tests = {number: (further_test(one), one.test or FIRST_TEST) for number, _, one, _ in numbered}
    series = [name.removesuffix(tests[row][0]) for name, row in zip(taken["series"], taken["row"], strict=True)]
    keys = taken[["station", "parameter", "time_ms", "clock"]].assign(series=series)
    names = pd.Series([tests[row][1].casefold() for row in taken["row"]], index=taken.index, dtype="str")
    groups = keys.groupby(list(keys.columns), sort=False).ngroup()
    both = names.groupby(groups).transform("nunique").to_numpy() > 1
    told = taken["row"].map(lambda row: tests[row][1]) + " " + taken["value_text"]
    said = told[both].groupby(groups[both]).transform(" and ".join)
    column = layout.column("value")
    more = [
        layout.source.reject(int(row), column, text, f"two reportable results of one sample, {which}: which counts?")
        for row, text, which in zip(taken["row"][both], taken["value_text"][both], said, strict=True)
    ]
    return taken[~both].reset_index(drop=True), [*refused, *more]


def _of_row(
    record: Record, cells: Cells, measured: list[tuple[int, int | None, Measured]]
) -> Iterator[tuple[Record, Subject | None, str]]:
    """One record for each substance of a wide row; a blank cell was not measured. Its codes stand beside a row's."""
    for place, codes, column in measured:
        beside = cells[codes] if codes is not None else ""
        if cells[place] or beside:
            qualifier = " ".join(filter(None, (record.qualifier, beside)))
            one = record._replace(value=cells[place], qualifier=qualifier)
            yield one, Subject(column.parameter, column.unit, column.fraction or record.fraction), column.column


def _observation(layout: Layout, number: int, one: Record, given: Subject | None, order: DateOrder) -> Observation:
    """One tidy row.

    Raises
    ------
    BadCell : whose ``column`` is the field at fault.
    """
    given_with, one = layout.source.told, uncoded(one)
    refuse_unclear(one)
    subject = given or subject_of(
        one.analyte or ("" if one.storet else given_with.parameter), one.cas, one.storet, one.unit or given_with.unit,
        one.fraction,
    )  # fmt: skip
    time_ms, clock = _when(one, order) if layout.dated else (0, "day")
    station = one.station or given_with.station
    kind, mark, text = told(one.type, one.sample, station, one.texts)
    found, flags = said_of(one, subject, mark)
    again = further_test(one)
    flags += f";sample={_plain(one.sample)}" if one.sample else ""
    flags += f";test={_plain(one.test)}" if again else ""
    flags += f";medium={_plain(one.matrix)}" if not_groundwater(one.matrix) else ""
    flags += facts_after(
        kind,
        one.parent,
        one.analysed,
        one.analysed_clock,
        one.dilution,
        one.method,
        one.comment,
        text,
        order,
    )
    return (
        station, subject.parameter, "instant",
        series_of(one.storet, subject.fraction, one.sample) + again, time_ms, clock,
        found.value, found.text, subject.unit, flags, number,
    )  # fmt: skip


def _when(one: Record, order: DateOrder) -> tuple[int, str]:
    wall, clock, offset = sampled(one.day, one.clock, order)
    zone = offset or one.zone
    if clock == "day" or not zone:
        return wall, clock
    try:
        return instant(wall, zone), "utc"
    except BadCell as bad:
        raise BadCell(bad.reason, "day" if offset else "zone") from None


def _plain(text: str) -> str:
    return text.replace(";", " ").replace(",", " ").replace("=", " ").strip()


def _written(grid: Grid, kinds: list[str]) -> dict[str, pd.DataFrame]:
    """Rows that are no results of the place, as written."""
    found: dict[str, pd.DataFrame] = {}
    for name, among in (("quality_control", {"quality_control", "duplicate"}), ("not_water", {"not_water"})):
        places = [place for place, kind in enumerate(kinds) if kind in among]
        if places:
            found[name] = grid.at(places).frame()
    return found


def _duplicates(pairs: pd.DataFrame, numbered: list[Numbered]) -> dict[str, pd.DataFrame]:
    """Field duplicates that can be read, beside the sample they repeat."""
    parents = {str(number): one.parent for number, _, one, kind in numbered if kind == "duplicate"}
    if "quality_control" not in {kind for *_, kind in numbered} and not parents:
        return {}
    text = _text(pairs)
    return {"field_duplicates": text.assign(parent=text["row"].map(parents).astype("str"))}


def _text(rows: pd.DataFrame) -> pd.DataFrame:
    return rows.astype("str").fillna("").reset_index(drop=True)


def _alike(records: list[Record], kinds: list[str]) -> dict[str, str]:
    """Names that look like a duplicate's, or quality control's, under a type that says otherwise."""
    names = {name for one, kind in zip(records, kinds, strict=True) if not kind for name in (one.station, one.sample)}
    found = {
        "like_duplicates": ", ".join(sorted(name for name in names if _LIKE_A_DUPLICATE.search(name))),
        "like_quality_control": ", ".join(sorted(name for name in names if named_control(name))),
        "places_like_quality_control": ", ".join(sorted(_places_like_control(records, kinds))),
    }
    return {fact: alike for fact, alike in found.items() if alike}


def _places_like_control(records: list[Record], kinds: list[str]) -> set[str]:
    """Places without a type that are named like quality control, as wells are too: judged."""
    places = {one.station for one, kind in zip(records, kinds, strict=True) if not (kind or one.type)}
    return {name for name in places if kind_by_name(name) == "quality_control"}
