"""The workbook: text stays text, dates are dates, numbers are numbers, and the bytes are always the same."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import openpyxl
import pytest

from reports.annual.table import Cell, Column, Table, cell_of, row_span
from reports.workbook import LONGEST, workbook

CREATED = datetime(2026, 1, 1, 6, tzinfo=UTC)
HOSTILE = [
    "<script>alert(1)</script>", '=HYPERLINK("http://example.com","x")', "+1+1", "-2", "@SUM(A1)", "\t=1+1", "{=1}",
    "../../etc/passwd", "http://example.com/", "mailto:a@example.com", "N" * 300, "\u05d1\u202etxt.exe", "007", "1e5",
    "a\nb",
]  # fmt: skip


def local(*parts: int) -> datetime:
    """Wall clock without a zone, as a workbook keeps it."""
    return datetime(*parts, tzinfo=UTC).replace(tzinfo=None)  # type: ignore[arg-type,misc]


def table(rows: list[tuple[Any, ...]], *columns: Column) -> Table:
    return Table("1.1", "A table", "Sheet", columns, rows)


def read(content: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(content))


def made(one: Table) -> bytes:
    return workbook([one], title="Title", status="DRAFT", created=CREATED)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_text_in_every_column_and_no_formula_or_link(text: str) -> None:
    sheet = read(
        made(table([(text, Cell(None, text), Cell(text))], Column("A"), Column("B", "number"), Column("C", "id")))
    )["Sheet"]
    for cell in sheet[4]:
        assert cell.data_type in {"s", "inlineStr"}
        assert cell.hyperlink is None
        assert cell.value == text


def test_dates_and_numbers_are_real_with_the_decimals_of_their_source() -> None:
    columns = (
        Column("Day", "date"),
        Column("At", "instant"),
        Column("x [ft]", "number", 2),
        Column("y", "number"),
        Column("n", "count"),
    )
    row = (date(2025, 7, 8), local(2025, 7, 8, 9, 30), 12.345678, Decimal("3.0"), 1234567)
    cells = read(made(table([row], *columns)))["Sheet"][4]
    assert [one.value for one in cells] == [local(2025, 7, 8), local(2025, 7, 8, 9, 30), 12.345678, 3.0, 1234567]
    assert [one.number_format for one in cells] == ["yyyy-mm-dd", "yyyy-mm-dd hh:mm", "#,##0.00", "#,##0.0", "#,##0"]
    assert [one.data_type for one in cells] == ["d", "d", "n", "n", "n"]


def test_a_blank_stays_blank_and_a_day_before_excel_is_text() -> None:
    cells = read(made(table([(None, date(1899, 5, 1))], Column("x", "number"), Column("d", "date"))))["Sheet"][4]
    assert [one.value for one in cells] == [None, "1899-05-01"]


def test_styles_freeze_widths_heads_and_status() -> None:
    rows = [(Cell(10.0, "10", "es"), Cell(3.0, "3", "pal"), Cell(None, "<0.3", "lod"), Cell(1.0, "1", "both"))]
    sheet = read(made(table(rows, *(Column(f"{k} [ug/L]", "number") for k in range(4)))))["Sheet"]
    es, pal, lod, both = sheet[4]
    assert (es.font.b, pal.font.b, lod.font.i, both.font.b) == (True, False, True, True)
    assert pal.fill.fgColor.rgb == both.fill.fgColor.rgb == "FFF6D9A8"
    assert lod.value == "<0.3"
    assert sheet.freeze_panes == "B4"
    assert sheet["A2"].value == "DRAFT"
    assert [one.value for one in sheet[3]] == ["0 [ug/L]", "1 [ug/L]", "2 [ug/L]", "3 [ug/L]"]
    assert sheet.column_dimensions["A"].width >= 9


def test_a_table_without_rows_says_so_and_every_table_has_its_sheet() -> None:
    tables = [table([], Column("A")), Table("2", "Other", "Second", (Column("A"),), [("x",)])]
    book = read(workbook(tables, title="T", status="DRAFT", created=CREATED))
    assert book.sheetnames == ["Contents", "Sheet", "Second"]
    assert "none recorded" in [row[0].value for row in book["Sheet"].iter_rows()]


def test_the_same_tables_make_the_same_bytes_and_the_date_is_the_one_given() -> None:
    one = table([("x", 1.5)], Column("A"), Column("B", "number", 1))
    assert made(one) == made(one)
    assert read(made(one)).properties.created == local(2026, 1, 1, 6)


def test_a_text_longer_than_a_cell_is_cut_and_not_lost() -> None:
    value = read(made(table([("x" * 40_000,)], Column("A"))))["Sheet"]["A4"].value
    assert len(value) == LONGEST
    assert value.endswith("…")


def test_row_ids_are_gathered_by_source() -> None:
    assert row_span(["ab:7", "ab:3", "cd:1", "ab:3", ""]) == "ab:3…7 (2 rows), cd:1"
    assert row_span([]) == ""
    assert cell_of("x") == Cell("x")
