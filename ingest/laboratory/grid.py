"""A table of text by place: header and rows of cells, whatever stands between them (comma, tab or semicolon).

``ingest.table`` reads a row into a mapping, which a deliverable of a hundred thousand rows and sixty columns is too
long for; here a row stays a tuple, and only the columns that mean something are ever looked at.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import pandas as pd

from ingest.reading import Source, beside_row
from ingest.table import LONGEST_LINE, MAX_COLUMNS, read_table
from models.observation import Reject

DELIMITERS = (",", "\t", ";")
HEAD = 200_000  # characters among which a header is looked for
Cells = tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """Rows that fit their header, each with its number in the file, and what did not fit."""

    header: Cells
    numbers: tuple[int, ...]
    rows: tuple[Cells, ...]
    rejects: tuple[Reject, ...] = ()

    def place(self, column: str) -> int:
        return self.header.index(column)

    def at(self, places: Sequence[int]) -> Grid:
        """The rows at these places."""
        return Grid(self.header, tuple(self.numbers[one] for one in places), tuple(self.rows[one] for one in places))

    def frame(self) -> pd.DataFrame:
        """As written, with the ``row`` column that a table of a reading has."""
        cells = [[str(number), *row] for number, row in zip(self.numbers, self.rows, strict=True)]
        return pd.DataFrame(cells, columns=["row", *beside_row(self.header)], dtype="str")


def delimiter_of(line: str) -> str:
    """What a header's columns stand between."""
    return max(DELIMITERS, key=line.count)


def cells_of(line: str, delimiter: str = "") -> Cells:
    """The cells of one whole line, blank ones at the end cut off; none of a line that cannot be one."""
    if len(line) > LONGEST_LINE:
        return ()
    found = _split(line, delimiter or delimiter_of(line))
    last = max((place for place, cell in enumerate(found, 1) if cell), default=0)
    return found[:last]


def first_lines(head: str, most: int) -> list[tuple[int, str]]:
    """The first lines with anything on them, counted from 0."""
    return list(islice(((place, line) for place, line in enumerate(head[:HEAD].split("\n")) if line.strip()), most))


def read_grid(source: Source, header_line: int | None = None, distinct: bool = True) -> Grid:
    """Every row under a header.

    Parameters
    ----------
    header_line : where it stands, from 0; None for the first line with anything on it.
    distinct : two columns of one name are refused.

    Raises
    ------
    BadFile : no usable header.
    """
    lines = source.text.split("\n")
    if header_line is None:
        header_line = next((place for place, line in enumerate(lines) if line.strip()), 0)
    delimiter = delimiter_of(lines[header_line])
    header = tuple(cell.lstrip("#").strip() for cell in cells_of(lines[header_line], delimiter))
    if not header or len(header) > MAX_COLUMNS or (distinct and len(set(header)) < len(header)):
        raise source.bad("no header row with distinct column names", row=header_line + 1, found=",".join(header)[:80])
    return _under(source, header, lines, header_line + 1, delimiter)


def read_headless(source: Source, header: Cells) -> Grid:
    """Rows of a file that starts with its data, under the columns that its definition gives it."""
    lines = source.text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    return _under(source, header, lines, 0, delimiter_of(first))


def _under(source: Source, header: Cells, lines: list[str], first: int, delimiter: str) -> Grid:
    body = lines[first:]
    if first and delimiter == "," and any(line.count('"') % 2 for line in body):
        return _of_table(source, first - 1)
    return _fitted(source, header, first + 1, _parsed(body, delimiter))


def _of_table(source: Source, header_line: int) -> Grid:
    """Cells that hold line breaks, or a quote that never closes: read with care."""
    table = read_table(source, header_line)
    numbers, rows = (row.number for row in table.rows), (tuple(row.cells.values()) for row in table.rows)
    return Grid(table.header, tuple(numbers), tuple(rows), table.rejects)


def _parsed(lines: Sequence[str], delimiter: str) -> Sequence[Sequence[str]]:
    """One record a line: a cell is in quotes as a whole or not at all."""
    if delimiter == "\t" or not any('"' in line for line in lines):
        return [_split(line, delimiter) if line else () for line in lines]
    short = [line if len(line) <= LONGEST_LINE else "" for line in lines]
    return [[cell.strip() for cell in row] for row in csv.reader(short, delimiter=delimiter)]


def _split(line: str, delimiter: str) -> Cells:
    if '"' not in line:
        return tuple(map(str.strip, line.split(delimiter)))
    if delimiter == "\t":  # an inch mark in a tab-separated comment opens no quote
        return tuple(_unquoted(cell.strip()) for cell in line.split(delimiter))
    return tuple(cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), []))


def _unquoted(cell: str) -> str:
    whole = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if whole else cell


def _fitted(source: Source, header: Cells, first: int, records: Sequence[Sequence[str]]) -> Grid:
    width = len(header)
    numbers: list[int] = []
    rows: list[Cells] = []
    rejects: list[Reject] = []
    for number, record in enumerate(records, first):
        if not any(record):
            continue
        cells = tuple(record)
        if len(cells) > width and not any(cells[width:]):
            cells = cells[:width]
        if len(cells) == width:
            numbers.append(number)
            rows.append(cells)
        else:
            rejects.append(source.reject(number, "", cells[0], f"{len(cells)} cells where the header has {width}"))
    return Grid(header, tuple(numbers), tuple(rows), tuple(rejects))
