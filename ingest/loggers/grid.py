"""Delimited logs as columns of text: a row that does not fit costs that row, and no row is ever a dictionary."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ingest.cells import clipped, counted
from ingest.reading import Source
from ingest.table import LONGEST_LINE, MAX_COLUMNS
from models.observation import Reject


@dataclass(frozen=True)
class Grid:
    """Records as columns: where each stands in the file (from 1), and its cells by column name."""

    rows: Sequence[int]
    cells: Mapping[str, Sequence[str]]


def split(line: str, delimiter: str) -> list[str]:
    """The cells of one line, blanks around them cut off; none where it cannot be split."""
    if len(line) > LONGEST_LINE:
        return []
    if '"' not in line:
        return [cell.strip() for cell in line.split(delimiter)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), [])]
    except csv.Error:
        return []


def names(source: Source, header: Sequence[str], row: int) -> list[str]:
    """Column names that are distinct: a blank one is ``column 3``, a second of one name ``LEVEL (2)``.

    Raises
    ------
    BadFile : more columns than any log has.
    """
    last = max((place for place, name in enumerate(header, 1) if name), default=0)
    if not 0 < last <= MAX_COLUMNS:
        raise source.bad(f"no header of 1 to {MAX_COLUMNS} columns", row=row, found=clipped(",".join(header)))
    found: dict[str, None] = {}
    for place, name in enumerate(header[:last], 1):
        own = name or f"column {place}"
        found[own if own not in found else f"{own} ({place})"] = None
    return list(found)


def grid(source: Source, columns: Sequence[str], skip: int, delimiter: str, lost: int) -> tuple[Grid, list[Reject]]:
    """Every record below ``skip`` lines.

    Parameters
    ----------
    columns : as ``names`` gives them.
    lost : how many values a record that does not fit leaves out.
    """
    rows: list[int] = []
    records: list[list[str]] = []
    rejects: list[Reject] = []
    for number, line, cells in _records(source, skip, delimiter):
        if len(cells) < len(columns) or any(cells[len(columns) :]):
            rejects.append(source.reject(number, "", line, _misfit(cells, columns), lost))
        else:
            rows.append(number)
            records.append(cells)
    return Grid(rows, dict(zip(columns, _transposed(records, len(columns)), strict=True))), rejects


def _records(source: Source, skip: int, delimiter: str) -> Iterator[tuple[int, str, list[str]]]:
    for number, line in enumerate(source.text.split("\n"), 1):
        if number <= skip or not line:
            continue
        cells = split(line, delimiter)
        if not cells or any(cells):
            yield number, line, cells


def _transposed(records: list[list[str]], width: int) -> list[list[str]]:
    return [[cells[place] for cells in records] for place in range(width)]


def _misfit(cells: Sequence[str], columns: Sequence[str]) -> str:
    if not cells:
        return "the line is far too long, or its quotes do not close"
    return f"{counted(len(cells), 'cell')} where the header has {len(columns)}"
