"""Pairs of remark and value beside a date (``two-remarks-csv``), as EGRET reads samples of a river.

Columns: a date, then ``remark;value`` once or more, between semicolons, commas or tabs. A remark ``<`` makes the value
beside it a reporting limit. Several pairs are parts of one constituent that the analyst adds up; a part is not the
constituent, so that each keeps the name of its column, and only a single pair is what its column says. The file states
neither station nor unit: both are told, or the values are refused where they are placed.
"""

from __future__ import annotations

from dataclasses import replace

from ingest.canonical import NO_UNIT
from ingest.laboratory.grid import Cells, cells_of, first_lines, read_grid
from ingest.laboratory.results import Layout, results
from ingest.packed.tables import joined
from ingest.reading import Parts, Source
from ingest.table import in_order

DATES = {"cdate", "date", "dates", "sample_dt"}
REMARK = "remark"


def sniff(head: str) -> bool:
    return any(_is_one(cells_of(line)) for _, line in first_lines(head, 1))


def parse(source: Source) -> Parts:
    """Every value of every pair.

    Raises
    ------
    BadFile : columns that are not a date and pairs, one pair without a unit told, or dates whose order nobody can tell.
    """
    grid = read_grid(source)
    if not _is_one(grid.header):
        raise source.bad("the header is not a date and pairs of remark and value")
    pairs = list(zip(grid.header[1::2], grid.header[2::2], strict=True))
    if not source.told.unit and len(pairs) == 1:
        raise source.bad("the file states no unit; say which with --unit")
    parts = [_pair(source, grid.header[0], remark, value, len(pairs) > 1) for remark, value in pairs]
    several = ", ".join(value for _, value in pairs) if len(pairs) > 1 else ""
    together = joined(parts, {"parts_of_a_sum": several} if several else {})
    rejects = {(one.row, one.column): one for one in together.rejects}
    order = together.observations.sort_values("row", kind="stable").reset_index(drop=True)
    return replace(together, observations=order, rejects=in_order(rejects.values()))


def _pair(source: Source, day: str, remark: str, value: str, several: bool) -> Parts:
    """One pair as results of a substance; a blank value is no result."""
    grid = read_grid(source)
    told = replace(source.told, parameter="" if several else source.told.parameter)
    kept = grid.at([place for place, row in enumerate(grid.rows) if row[grid.place(value)]])
    name = f"{value} (part)" if several else source.told.parameter or value
    roles = {"day": day, "qualifier": remark, "value": value}
    layout = Layout(
        replace(source, told=told), roles, (), {"analyte": name, "unit": source.told.unit or NO_UNIT}, numbered=False
    )
    return results(layout, replace(kept, rejects=grid.rejects))


def _is_one(header: Cells) -> bool:
    pairs = list(zip(header[1::2], header[2::2], strict=False))
    return (
        len(header) > 2
        and len(header) % 2 == 1
        and header[0].casefold() in DATES
        and all(REMARK in remark.casefold() and REMARK not in value.casefold() for remark, value in pairs)
    )
