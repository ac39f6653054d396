"""An Excel workbook (.xlsx, .xlsm) as text: each sheet a csv whose lines are the sheet's rows.

Stored values are read, never computed: no formula, macro or external link runs. What a cell shows is what is taken: a
number with Excel's 15 significant digits and what its format adds to it (``ingest.packed.number_format``), a date in
the workbook's own date system (1900 or 1904), a moment at midnight as its day. A row with a formula that holds no value
is left out and said; so is a row of merged cells, of which only one holds a value, and a hidden row or number.
Merged cells in the head leave columns without a name, and the sheet is refused.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from ingest.packed.archive import member
from ingest.packed.number_format import SIGNIFICANT, is_plain, shown, shown_text
from ingest.packed.sheet_scan import Merged, Scan, scan
from ingest.table import MAX_COLUMNS
from models.errors import BadFile

WORKBOOK, BINARY_WORKBOOK, MACROS = "xl/workbook.xml", "xl/workbook.bin", "xl/vbaProject.bin"
UNSTORED = "formula without a stored value (re-save in a spreadsheet program)"
HIDDEN_ROW = "a hidden row: unhide it if it counts, delete it if it does not"
HIDDEN_NUMBER = "a number that its format hides: show it, or delete it"
MERGED = "merged cells: unmerge them, each row needs its own values"

_BREAKS = re.compile(r"[\r\n\t\0\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_MIDNIGHT = time(0)
GENERAL = "General"
HIDDEN = object()
"""A number that its format does not show."""


@dataclass(frozen=True)
class LeftOut:
    """A row that is not taken: its number, the cell at fault, what stands there, and why."""

    row: int
    cell: str
    raw: str
    reason: str


@dataclass(frozen=True)
class SheetText:
    """One sheet as csv text, with the rows left out of it and its merged cells; ``hidden_columns`` by their letters."""

    name: str
    text: str
    left_out: tuple[LeftOut, ...]
    merged: tuple[Merged, ...]
    hidden: bool
    hidden_columns: tuple[str, ...] = ()


def is_workbook(archive: ZipFile) -> bool:
    return WORKBOOK in archive.namelist()


def sheets_of(data: bytes, archive: ZipFile, file: str) -> list[SheetText]:
    """Every sheet with a cell in it, in the workbook's order.

    Raises
    ------
    BadFile : a workbook that cannot be opened, or XML that no spreadsheet program writes.
    """
    _no_declarations(archive, file)
    import openpyxl  # 0.3 s to import: only for a workbook

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and extensions that say nothing of a value
            book = openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True, keep_links=False)
            return [_sheet(one, archive, file) for one in book.worksheets]
    except BadFile:
        raise
    except Exception as failed:  # noqa: BLE001 - whatever a library says of a file that somebody sent
        raise BadFile("a broken workbook", file=file, found=f"{type(failed).__name__}: {failed}"[:120]) from None


def _no_declarations(archive: ZipFile, file: str) -> None:
    """Office files declare no document type and no entity; one that does is made to do harm."""
    for name in archive.namelist():
        if name.endswith((".xml", ".rels", ".vml")):
            text = member(archive, name, file)
            if b"<!DOCTYPE" in text or b"<!ENTITY" in text or b"\0" in text[:64]:
                raise BadFile("a workbook whose XML declares entities", file=file, key=name[:80])


def _sheet(sheet: Any, archive: ZipFile, file: str) -> SheetText:
    with archive.open(str(sheet._worksheet_path).lstrip("/")) as raw:
        found = scan(raw)
    if found.disordered:
        raise BadFile("a sheet whose rows are out of order", file=file, key=str(sheet.title))
    if found.beyond:
        raise BadFile(f"a cell beyond column {MAX_COLUMNS}", file=file, key=str(sheet.title), found=found.beyond)
    sheet.reset_dimensions()
    left_out = {one.row: one for one in _left_out(found)}
    text = _text(_seen(_rows(sheet, found.wide, left_out), found.hidden, left_out), left_out)
    return SheetText(
        str(sheet.title), text, tuple(left_out.values()), found.merged, str(sheet.sheet_state) != "visible",
        tuple(map(_letters, found.hidden_columns)),
    )  # fmt: skip


def _rows(sheet: Any, wide: bool, left_out: dict[int, LeftOut]) -> Iterator[tuple[Any, ...]]:
    """Values row by row; where a format of the workbook says more than its number, as their cells show them."""
    most = MAX_COLUMNS + 1 if wide else None
    formats = _telling(sheet.parent)
    if not formats:
        yield from sheet.iter_rows(values_only=True, max_col=most)
        return
    for number, cells in enumerate(sheet.iter_rows(max_col=most), 1):
        values = tuple(_shown(cell, formats) for cell in cells)
        for place in (place for place, value in enumerate(values) if value is HIDDEN):
            cell = f"{_letters(place + 1)}{number}"
            left_out.setdefault(number, LeftOut(number, cell, _cell(cells[place].value), HIDDEN_NUMBER))
        yield values


def _telling(book: Any) -> dict[int, str]:
    """Number formats that say more than their number, by style."""
    from openpyxl.styles.numbers import BUILTIN_FORMATS, BUILTIN_FORMATS_MAX_SIZE, is_date_format

    known = {**BUILTIN_FORMATS, **dict(enumerate(book._number_formats, BUILTIN_FORMATS_MAX_SIZE))}
    codes = {place: known.get(style.numFmtId, GENERAL) for place, style in enumerate(book._cell_styles)}
    return {place: code for place, code in codes.items() if not (is_date_format(code) or is_plain(code))}


def _shown(cell: Any, formats: dict[int, str]) -> Any:
    value = cell.value
    code = None if value is None else formats.get(getattr(cell, "_style_id", 0))
    if code is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value if cell.data_type == "e" else shown_text(value, code)
    if isinstance(value, int | float):
        text = shown(value, code)
        return HIDDEN if text is None else text
    return value


def _seen(
    rows: Iterable[tuple[Any, ...]], hidden: frozenset[int], left_out: dict[int, LeftOut]
) -> Iterator[tuple[Any, ...]]:
    """The rows, those that are hidden and hold anything noted as left out."""
    for number, row in enumerate(rows, 1):
        if number in hidden and (cells := _cells(row)):
            left_out.setdefault(number, LeftOut(number, "", ",".join(cells), HIDDEN_ROW))
        yield row


def _letters(column: int) -> str:
    """``AB`` for 28."""
    before, last = divmod(column - 1, 26)
    return (_letters(before) if before else "") + chr(ord("A") + last)


def _left_out(found: Scan) -> Iterator[LeftOut]:
    for one in found.merged:
        for row in range(one.first, one.last + 1) if one.last > one.first else ():
            yield LeftOut(row, one.text, "", MERGED)
    for row, (cell, formula) in found.unstored.items():
        yield LeftOut(row, cell, formula, UNSTORED)


def _text(rows: Iterable[tuple[Any, ...]], left_out: dict[int, LeftOut]) -> str:
    """The rows as csv, one line each and as wide as the widest; a row left out is a blank line."""
    lines = [_line([] if number in left_out else _cells(row)) for number, row in enumerate(rows, 1)]
    widest = max((width for _, width in lines), default=0)
    return "\n".join(text + "," * (widest - width) if width else "" for text, width in lines) + "\n"


def _line(cells: list[str]) -> tuple[str, int]:
    """A row as csv, and how many cells it has."""
    if not any('"' in cell or "," in cell for cell in cells):
        return ",".join(cells), len(cells)
    quoted = ('"' + cell.replace('"', '""') + '"' if '"' in cell or "," in cell else cell for cell in cells)
    return ",".join(quoted), len(cells)


def _cells(row: tuple[Any, ...]) -> list[str]:
    cells = [_cell(one) for one in row]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _cell(value: Any) -> str:
    if value is None or value is HIDDEN:
        return ""
    if isinstance(value, str):
        return _BREAKS.sub(" ", value).strip()
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return format(value, SIGNIFICANT)
    return _moment(value)


def _moment(value: Any) -> str:
    if isinstance(value, datetime):
        return (
            (value.date() if value.time() == _MIDNIGHT else value.replace(microsecond=0)).isoformat().replace("T", " ")
        )
    if isinstance(value, timedelta):
        return str(value)
    return value.isoformat() if isinstance(value, date | time) else str(value)
