"""An Excel workbook (.xlsx, .xlsm) as text: each sheet a csv whose lines are the sheet's rows.

Stored values are read, never computed: no formula, macro or external link runs. What a cell shows is what is taken: a
number with Excel's 15 significant digits, a date in the workbook's own date system (1900 or 1904), a moment at midnight
as its day. A row with a formula that holds no value is left out and said; so is a row of merged cells, of which only
one holds a value. Merged cells in the head leave columns without a name, and the sheet is refused.
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
from ingest.packed.sheet_scan import Merged, Scan, scan
from ingest.table import MAX_COLUMNS
from models.errors import BadFile

SIGNIFICANT = ".15g"
WORKBOOK, BINARY_WORKBOOK, MACROS = "xl/workbook.xml", "xl/workbook.bin", "xl/vbaProject.bin"
UNSTORED = "formula without a stored value (re-save in a spreadsheet program)"
MERGED = "merged cells: unmerge them, each row needs its own values"

_BREAKS = re.compile(r"[\r\n\t\0\x0b\x0c\x1c-\x1e\x85\u2028\u2029]+")
_MIDNIGHT = time(0)


@dataclass(frozen=True)
class LeftOut:
    """A row that is not taken: its number, the cell at fault, what stands there, and why."""

    row: int
    cell: str
    raw: str
    reason: str


@dataclass(frozen=True)
class SheetText:
    """One sheet as csv text, with the rows left out of it and its merged cells."""

    name: str
    text: str
    left_out: tuple[LeftOut, ...]
    merged: tuple[Merged, ...]
    hidden: bool


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
    rows = sheet.iter_rows(values_only=True, max_col=MAX_COLUMNS + 1 if found.wide else None)
    left_out = {one.row: one for one in _left_out(found)}
    return SheetText(
        str(sheet.title), _text(rows, left_out), tuple(left_out.values()), found.merged,
        str(sheet.sheet_state) != "visible",
    )  # fmt: skip


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
    if value is None:
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
