"""Comma-separated tables with a header row, read so that one broken row costs one row."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ingest.cells import BadCell
from ingest.reading import Parts, Source
from ingest.times import sheet_time
from models.observation import Reject, tidy

MAX_COLUMNS = 500
LONGEST_LINE = 100_000
_QUOTED_LINES = 20  # a quoted comment may hold line breaks; an unclosed quote must not eat the file

T = TypeVar("T")
Observation = tuple[Any, ...]
"""One row in ``models.observation.TIDY`` order."""


@dataclass(frozen=True)
class Row:
    """One data row: where it starts in the file, and its cells by column name."""

    number: int
    cells: Mapping[str, str]

    def text(self, column: str) -> str:
        return self.cells.get(column, "")

    def read(self, column: str, reader: Callable[[str], T]) -> T:
        """The cell through ``reader``; a refusal learns its column here."""
        try:
            return reader(self.text(column))
        except BadCell as bad:
            raise BadCell(bad.reason, column) from None

    def required(self, column: str) -> str:
        """The cell, which must not be blank."""
        if not self.text(column):
            raise BadCell("blank", column)
        return self.text(column)


@dataclass(frozen=True)
class Table:
    """A header and the rows under it that fit it."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    rejects: tuple[Reject, ...]


def header_of(head: str, skip: int = 0) -> tuple[str, ...]:
    """Column names of the first line with anything on it, blanks at the end cut off."""
    line = next((line for line in head.split("\n")[skip:] if line.strip()), "")
    return _named(_cells(line)) if len(line) <= LONGEST_LINE else ()


def read_table(source: Source, skip: int = 0) -> Table:
    """Every row under the first non-blank line after ``skip`` lines.

    Raises
    ------
    BadFile : no usable header.
    """
    records = _records(source, skip)
    _, header = next(records, (0, ()))
    if not header or len(header) > MAX_COLUMNS or len(set(header)) < len(header):
        raise source.bad("no header row with distinct column names", found=",".join(header)[:80])
    rows, rejects = [], []
    for number, cells in records:
        if len(cells) == len(header):
            rows.append(Row(number, dict(zip(header, cells, strict=True))))
        else:
            rejects.append(source.reject(number, "", cells[0] if cells else "", _misfit(cells, header)))
    return Table(header, tuple(rows), tuple(rejects))


def require(source: Source, table: Table, *columns: str) -> None:
    """Refuse a table that lacks a column.

    Raises
    ------
    BadFile : naming the missing ones.
    """
    missing = [column for column in columns if column not in table.header]
    if missing:
        raise source.bad(f"the header lacks {', '.join(missing)}")


def take_rows(
    source: Source,
    table: Table,
    *takers: Callable[[Row], Observation | None],
    checks: Sequence[Callable[[Row], None]] = (),
) -> Parts:
    """Each taker makes at most one observation of each row; what it refuses becomes one reject per cell.

    Parameters
    ----------
    checks : look at cells beside a value; what they refuse leaves no value out.
    """
    taken: list[Observation] = []
    refused: dict[tuple[int, str], Reject] = {}
    for row in table.rows:
        for place, taker in enumerate((*takers, *checks)):
            try:
                found = taker(row)
            except BadCell as bad:
                key, lost = (row.number, bad.column), int(place < len(takers))
                before = refused.get(key) or source.reject(*key, row.text(bad.column), bad.reason, 0)
                refused[key] = replace(before, rows=before.rows + lost)
            else:
                taken.extend(() if found is None else (found,))
    return Parts(tidy(taken), in_order((*table.rejects, *refused.values())))


def row_time(row: Row, day: str, time: str) -> tuple[int, str]:
    """Time and clock of a sheet row; a refusal names the cell at fault."""
    row.read(day, lambda text: sheet_time(text, "", ""))
    row.read(time, lambda text: sheet_time(row.text(day), text, ""))
    return row.read("timezone", lambda zone: sheet_time(row.text(day), row.text(time), zone))


def in_order(rejects: Iterable[Reject]) -> tuple[Reject, ...]:
    """Rejects as one meets them going down the file."""
    return tuple(sorted(rejects, key=lambda reject: reject.row))


def _misfit(cells: Sequence[str], header: Sequence[str]) -> str:
    if not cells:
        return "a quote is opened and never closed, or the line is far too long"
    return f"{len(cells)} cells where the header has {len(header)}"


def _records(source: Source, skip: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Row number and cells of each record; no cells where the line cannot be split."""
    lines = source.text.split("\n")
    place, width = skip, 0
    while place < len(lines):
        if not lines[place]:  # millions of them must cost nothing
            place += 1
            continue
        length = _span(lines, place)
        cells = _cells("\n".join(lines[place : place + length])) if length else ()
        if not length or any(cells):
            width = width or len(_named(cells))
            yield place + 1, _fitted(cells, width)
        place += max(length, 1)


def _fitted(cells: tuple[str, ...], width: int) -> tuple[str, ...]:
    """Spreadsheets add blank cells after the last column; those are nothing."""
    return cells if any(cells[width:]) else cells[:width]


def _span(lines: Sequence[str], place: int) -> int:
    """How many lines one record takes; 0 where its quote never closes."""
    quotes = 0
    for length in range(1, _QUOTED_LINES + 1):
        if place + length > len(lines) or len(lines[place + length - 1]) > LONGEST_LINE:
            return 0
        quotes += lines[place + length - 1].count('"')
        if quotes % 2 == 0:
            return length
    return 0


def _cells(record: str) -> tuple[str, ...]:
    try:
        cells = next(csv.reader([line + "\n" for line in record.split("\n")]), [])
    except csv.Error:
        return ()
    return tuple(cell.strip() for cell in cells)


def _named(cells: Sequence[str]) -> tuple[str, ...]:
    """Header cells without the blank ones at the end."""
    last = max((place for place, cell in enumerate(cells, 1) if cell), default=0)
    return tuple(cells[:last])
