"""The nouns of the appendix: chapters of tables and figures, as plain data that a page and a workbook both print."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal

Kind = Literal["id", "text", "long", "number", "count", "date", "instant", "rows"]
Style = Literal["", "es", "pal", "both", "lod"]
Plain = str | int | float | Decimal | date | datetime | None


@dataclass(frozen=True)
class Column:
    """One column: its head with the unit in it, and what its cells are.

    ``decimals`` are the places a number is printed to; None prints a decimal as it was reported.
    """

    head: str
    kind: Kind = "text"
    decimals: int | None = None


@dataclass(frozen=True)
class Cell:
    """A value that is shown in its own way: its print text, its mark, and the ids of the rows behind it."""

    value: Plain
    shown: str = ""
    style: Style = ""
    rows: tuple[str, ...] = ()
    tag: str = ""


Row = tuple[Plain | Cell, ...]


@dataclass(frozen=True)
class Table:
    """One table. ``sheet`` is its name in the workbook; ``in_page`` False keeps it there, and the page says so."""

    id: str
    title: str
    sheet: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    notes: tuple[str, ...] = ()
    empty: str = "none recorded"
    in_page: bool = True


@dataclass(frozen=True)
class Figure:
    """A Plotly figure (``spec`` its JSON data) or, with ``svg``, a drawing; ``alt`` says what it shows."""

    id: str
    title: str
    alt: str
    spec: Mapping[str, Any] | None = None
    svg: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a chapter, under its own heading where it has one."""

    title: str
    says: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    apart: bool = False


@dataclass(frozen=True)
class Chapter:
    """One numbered chapter of the appendix."""

    number: int
    title: str
    says: tuple[str, ...]
    sections: tuple[Section, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        return tuple(table for section in self.sections for table in section.tables)


def cell_of(item: Plain | Cell) -> Cell:
    """A bare value as a cell."""
    return item if isinstance(item, Cell) else Cell(item)


def row_span(ids: Iterable[str]) -> str:
    """Row ids ``source:row`` gathered by source: the first and last row of each, and how many rows of it.

    >>> row_span(["ab:3", "ab:7", "cd:1"])
    'ab:3…7 (2 rows), cd:1'
    """
    by_source: dict[str, list[int]] = {}
    for id in ids:
        source, _, row = id.rpartition(":")
        if source and row.isdigit():
            by_source.setdefault(source, []).append(int(row))
    return ", ".join(_span(source, sorted(set(rows))) for source, rows in by_source.items())


def _span(source: str, rows: list[int]) -> str:
    if len(rows) == 1:
        return f"{source}:{rows[0]}"
    return f"{source}:{rows[0]}…{rows[-1]} ({len(rows)} rows)"
