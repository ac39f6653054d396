"""What a cell shows is what is taken: number formats that add words, scale, replace or hide, and hidden rows.

What a format shows is as Excel shows it, written by hand (ECMA-376 part 1, 18.8.30 and 18.8.31).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.formats import read
from ingest.packed.number_format import is_plain, shown, shown_text

HEAD = ("sample_id", "well", "sample_date", "analyte", "result", "units")
ACCOUNTING = '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)'


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (0.5, '"<"0.0', "<0.5"),
        (0.5, "\\<0.0", "<0.5"),
        (0.12, "0%", "12%"),
        (0.1234, "0.00%", "12.34%"),
        (12000, '0.0,"K"', "12K"),
        (12345, "#,##0,", "12.345"),
        (0.3, '[<0.5]"<0.5";0.0', "<0.5"),
        (0.7, '[<0.5]"<0.5";0.0', "0.7"),
        (0, '0.0;-0.0;"ND"', "ND"),
        (3, '0.0" J"', "3 J"),
        (7440382, "####\\-##\\-#", "7440-38-2"),
        (945, "00000", "00945"),
        (12.5, "00", "12.5"),
        (5, ";;;", None),
        (0, "0;-0;;@", "0"),
        (-5, ACCOUNTING, "-5"),
        (0, ACCOUNTING, "0"),
    ],
)
def test_numbers_as_their_cells_show_them(value: float, code: str, text: str | None) -> None:
    assert shown(value, code) == text


@pytest.mark.parametrize(
    "code",
    ["General", "0", "0.00", "#,##0.00", "0.00E+00", "# ?/?", "[Red]0.0", "[$-409]0.0", "$#,##0.00", "@", ACCOUNTING],
)
@given(st.floats(-1e9, 1e9))
def test_a_plain_format_shows_the_number_with_all_its_digits(code: str, value: float) -> None:
    assert is_plain(code) or code == ACCOUNTING
    assert float(str(shown(value, code))) == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("code", ['"<"0.0', "0%", '0,"K"', ";;;", '[<1]"ND";0', "00000", '0;0;0;"<"@'])
def test_a_format_that_says_more_is_seen(code: str) -> None:
    assert not is_plain(code)


def test_words_around_a_text() -> None:
    assert (shown_text("0.5", '0;0;0;"<"@'), shown_text("ND", "0.0")) == ("<0.5", "ND")


def book(path: Path, *results: tuple[Any, str], hidden: int = 0, column: str = "") -> Path:
    made = openpyxl.Workbook()
    sheet: Any = made.active
    sheet.append(HEAD)
    for place, (value, code) in enumerate(results, 2):
        sheet.append((f"S{place}", "MW-1", "2025-06-13", "Arsenic", value, "ug/L"))
        sheet.cell(place, 5).number_format = code
    if hidden:
        sheet.row_dimensions[hidden].hidden = True
    if column:
        sheet.column_dimensions[column].hidden = True
    made.save(path)
    return path


def test_a_workbook_is_read_as_it_is_seen(tmp_path: Path) -> None:
    found = read(book(tmp_path / "w.xlsx", (0.5, '"<"0.0'), (0.12, "0%"), (12000, '0,"K"'), (7.25, "0.0"), (9, ";;;")))
    assert found.observations["value_text"].tolist() == ["<0.5", "7.25"]
    assert [(one.row, one.raw) for one in found.rejects] == [(3, "12%"), (4, "12K"), (6, "9")]


def test_a_hidden_row_is_left_out_and_said(tmp_path: Path) -> None:
    found = read(book(tmp_path / "w.xlsx", (1, "General"), (99, "General"), hidden=3))
    assert found.observations["value"].tolist() == [1.0]
    assert [(one.row, one.reason[:12]) for one in found.rejects] == [(3, "a hidden row")]


def test_an_empty_hidden_row_is_nothing(tmp_path: Path) -> None:
    found = read(book(tmp_path / "w.xlsx", (1, "General"), hidden=9))
    assert (len(found.observations), found.rejects) == (1, ())


def test_a_hidden_column_is_read_and_named(tmp_path: Path) -> None:
    found = read(book(tmp_path / "w.xlsx", (1, "General"), column="F"))
    assert (found.observations["unit"].tolist(), found.facts["hidden_columns"]) == (["ug/L"], "Sheet!F")
