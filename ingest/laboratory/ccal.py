"""Crosstab of the CCAL water analysis laboratory, Oregon State University (``ccal``): one sample a row.

Each analyte column is followed by the day of its analysis and by columns of laboratory duplicates and triplicates,
which are kept apart. A starred number lies below the method detection limit, which the workbook does not state: it is
not detected, and the number is no limit. The sheet has no day of sampling (``Remark`` is free text, and ``Date`` is the
analysis), so that its results are the table ``undated``; ``Site ID`` is what the sampler wrote on the bottle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from ingest.laboratory.grid import Cells, Grid, cells_of, first_lines, read_grid
from ingest.laboratory.headings import Record
from ingest.laboratory.results import Layout, results
from ingest.packed.tables import joined
from ingest.reading import Parts, Source
from ingest.table import in_order

FIRST = ("SampleName", "Project Code", "Lab Number", "Site ID", "Remark", "Delivery Date")
SAMPLE, SITE, DATE = "SampleName", "Site ID", "Date"

NAMES = {"DOC": ("organic_carbon_dissolved", ""), "UTP": ("phosphorus_total", ""), "UTN": ("nitrogen_total_as_n", "N")}
"""The laboratory's short names that the vocabulary knows, with the basis to state: U is unfiltered, T total."""

_ANALYTE = re.compile(r"(?P<again>Duplicate |Triplicate )?(?P<name>.*\S)\s*\(\s*(?P<unit>mg|ug|ng)\s*(?P<as>\w*)/L\)")


@dataclass(frozen=True)
class Analyte:
    """One column: place, heading, substance as the laboratory names it, its unit with the basis, and its kind."""

    place: int
    heading: str
    name: str
    unit: str
    again: bool
    date: int | None


def sniff(head: str) -> bool:
    return any(cells_of(line)[: len(FIRST)] == FIRST for _, line in first_lines(head, 1))


def parse(source: Source) -> Parts:
    """Every result, in the table ``undated``, and laboratory replicates apart.

    Raises
    ------
    BadFile : no column of an analyte with its unit.
    """
    grid = read_grid(source, distinct=False)
    analytes = list(_analytes(grid.header))
    if not analytes or grid.header[: len(FIRST)] != FIRST:
        raise source.bad("the header lacks the columns of a sample, or an analyte with its unit")
    parts = [_of_one(source, grid, one) for one in analytes if not one.again]
    again = _replicates(grid, [one for one in analytes if one.again])
    whole = joined(parts, {})
    undated = whole.tables["undated"].sort_values("row", key=lambda rows: rows.astype(int), kind="stable")
    tables = {**whole.tables, "undated": undated.reset_index(drop=True), **again}
    return replace(whole, tables=tables, rejects=in_order((*grid.rejects, *whole.rejects)))


def _analytes(header: Cells) -> Iterator[Analyte]:
    for place, heading in enumerate(header):
        found = _ANALYTE.fullmatch(" ".join(heading.split()))
        if found is not None:
            name, basis = NAMES.get(found["name"].strip(), (found["name"].strip(), found["as"]))
            unit = f"{found['unit']}/L" + (f" as {basis}" if basis else "")
            date = place + 1 if header[place + 1 : place + 2] == (DATE,) else None
            yield Analyte(place, heading, name, unit, bool(found["again"]), date)


def _of_one(source: Source, grid: Grid, one: Analyte) -> Parts:
    """One column as results of a substance."""
    header = ("sample", "station", one.heading, "analysed")
    filled = [place for place, row in enumerate(grid.rows) if row[one.place]]
    rows = tuple(_cells(grid, place, one) for place in filled)
    own = Grid(header, tuple(grid.numbers[place] for place in filled), rows)
    roles = {"sample": "sample", "station": "station", "value": one.heading, "analysed": "analysed"}
    layout = Layout(source, roles, (), {"analyte": one.name, "unit": one.unit}, "mdy", _mended)
    return results(layout, own)


def _cells(grid: Grid, place: int, one: Analyte) -> Cells:
    row = grid.rows[place]
    analysed = "" if one.date is None else row[one.date]
    return row[grid.place(SAMPLE)], row[grid.place(SITE)], row[one.place], analysed


def _mended(one: Record) -> Record:
    """A star: not detected. The number beside it is what the instrument read, and no limit."""
    if not one.value.startswith("*"):
        return one
    return one._replace(value="", condition="Below Method Detection Limit", comment=f"read {one.value}")


def _replicates(grid: Grid, again: Sequence[Analyte]) -> dict[str, pd.DataFrame]:
    """Laboratory duplicates and triplicates as written: they check a laboratory, and are no results."""
    cells = [
        [str(number), row[grid.place(SAMPLE)], " ".join(one.heading.split()), row[one.place]]
        for number, row in zip(grid.numbers, grid.rows, strict=True)
        for one in again
        if row[one.place]
    ]
    columns = ["row", "sample_id", "column", "result"]
    return {"quality_control": pd.DataFrame(cells, columns=columns, dtype="str")} if cells else {}
