"""Tables as an Excel workbook: a sheet each, real dates and numbers, text that stays text, always the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from reports.annual.table import Cell, Column, Plain, Table, cell_of

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

LONGEST = 32_000  # a cell takes 32,767 characters
HEAD_ROW = 2
EXCEL_BEGINS = 1900
WIDEST, NARROWEST = 48, 9
BY_KIND = {"count": "#,##0", "date": "yyyy-mm-dd", "instant": "yyyy-mm-dd hh:mm"}
STYLES: dict[str, dict[str, Any]] = {
    "": {}, "es": {"bold": True}, "pal": {"bg_color": "#F6D9A8"}, "both": {"bold": True, "bg_color": "#F6D9A8"},
    "lod": {"font_color": "#5F5F5F", "italic": True},
}  # fmt: skip
Formats = dict[tuple[str, str], "Format"]


def workbook(tables: Iterable[Table], *, title: str, status: str, created: datetime) -> bytes:
    """Write every table to a sheet of its own, behind a sheet that lists them.

    Parameters
    ----------
    status : printed at the head of every sheet, such as DRAFT.
    created : the workbook's own date; nothing of the machine's clock gets in.
    """
    from xlsxwriter import Workbook

    told = list(tables)
    buffer = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with Workbook(buffer, options) as book:
        book.set_properties(
            {"title": title, "comments": status, "created": created.replace(tzinfo=None, microsecond=0)}
        )
        formats: Formats = {}
        _contents(book, told, title, status, formats)
        for table in told:
            _sheet(book, table, status, formats)
    return buffer.getvalue()


def _contents(book: Workbook, tables: Sequence[Table], title: str, status: str, formats: Formats) -> None:
    columns = (Column("Sheet"), Column("Table"), Column("Title"), Column("Rows", "count"))
    rows = [(table.sheet, table.id, table.title, len(table.rows)) for table in tables]
    _sheet(book, Table("", title, "Contents", columns, rows), status, formats)


def _sheet(book: Workbook, table: Table, status: str, formats: Formats) -> None:
    sheet = book.add_worksheet(table.sheet)
    head = _format(book, formats, "head", "")
    sheet.write_string(0, 0, f"{table.id} {table.title}".strip(), _format(book, formats, "title", ""))
    sheet.write_string(1, 0, status, _format(book, formats, "status", ""))
    for k, column in enumerate(table.columns):
        sheet.write_string(HEAD_ROW, k, column.head, head)
        sheet.set_column(k, k, _width(table, k))
    for number, row in enumerate(table.rows, start=HEAD_ROW + 1):
        for k, (item, column) in enumerate(zip(row, table.columns, strict=True)):
            cell = cell_of(item)
            _write(sheet, number, k, cell, _format(book, formats, _number_format(cell, column), cell.style))
    _foot(sheet, table)
    sheet.freeze_panes(HEAD_ROW + 1, 1)
    if table.rows:
        sheet.autofilter(HEAD_ROW, 0, HEAD_ROW + len(table.rows), len(table.columns) - 1)


def _foot(sheet: Worksheet, table: Table) -> None:
    lines = table.notes if table.rows else (table.empty,)
    for number, note in enumerate(lines, start=HEAD_ROW + 2 + len(table.rows)):
        sheet.write_string(number, 0, note)


def _write(sheet: Worksheet, row: int, column: int, cell: Cell, style: Format) -> None:
    value: Plain = cell.value if cell.value is not None else cell.shown or None
    if value is None:
        sheet.write_blank(row, column, None, style)
    elif isinstance(value, str):
        sheet.write_string(row, column, value if len(value) <= LONGEST else value[: LONGEST - 1] + "…", style)
    elif isinstance(value, date):
        _write_date(sheet, row, column, value, style)
    else:
        sheet.write_number(row, column, value, style)


def _write_date(sheet: Worksheet, row: int, column: int, value: date, style: Format) -> None:
    """A date as a date; Excel knows none before 1900."""
    if value.year < EXCEL_BEGINS:
        sheet.write_string(row, column, value.isoformat(), style)
    else:
        sheet.write_datetime(row, column, value, style)


def _number_format(cell: Cell, column: Column) -> str:
    if isinstance(cell.value, str) or cell.value is None:
        return ""
    if column.kind in BY_KIND:
        return BY_KIND[column.kind]
    decimals = column.decimals if column.decimals is not None else _places(cell.value)
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def _places(value: Plain) -> int:
    """Decimals of a number as it was reported."""
    exponent = value.as_tuple().exponent if isinstance(value, Decimal) else 0
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _format(book: Workbook, formats: Formats, number: str, style: str) -> Format:
    """One format per number format and style; a workbook refuses too many."""
    if (number, style) not in formats:
        special = {
            "head": {"bold": True, "bg_color": "#E9EFF4", "text_wrap": True, "valign": "bottom", "border": 1},
            "title": {"bold": True, "font_size": 13},
            "status": {"bold": True, "font_color": "#8A1C1C"},
        }.get(number)
        formats[number, style] = book.add_format(
            special or {"valign": "top", **({"num_format": number} if number else {}), **STYLES[style]}
        )
    return formats[number, style]


def _width(table: Table, k: int) -> float:
    column = table.columns[k]
    if column.kind in {"date", "instant"}:
        return 17 if column.kind == "instant" else 12
    longest = max((len(_seen(row[k])) for row in table.rows), default=0)
    words = max((len(word) for word in column.head.split()), default=0)
    return min(WIDEST, max(NARROWEST, longest + 2, words + 2))


def _seen(item: Plain | Cell) -> str:
    cell = cell_of(item)
    if isinstance(cell.value, float):
        return f"{cell.value:,.2f}"
    return cell.shown if cell.value is None else str(cell.value)
