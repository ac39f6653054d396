"""Workbooks, zip files and number locales: the right value or a clear error, and nothing run, followed or unpacked.

Restated bug reports: IMP-01 (locales), IMP-03 (line ends), IMP-05 (formulas), TS-13 (the 1904 date system).
"""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile, ZipInfo

import openpyxl
import pandas as pd
import pytest

from ingest.formats import read
from ingest.packed import archive
from ingest.packed.sheet_scan import scan
from ingest.reading import Reading, Told
from models.errors import BadFile
from pipelines import cli

CASES = Path(__file__).parent / "data" / "cases"
LEVELS = ("well_id", "date", "depth_to_water_ft")


def expected(case: str) -> dict[str, Any]:
    checks = json.loads((CASES / case / "expected.json").read_text("utf-8"))["checks"]
    return {one["name"]: one["value"] for one in checks}


def days(found: Reading) -> list[str]:
    return pd.to_datetime(found.observations["time_ms"], unit="ms").dt.date.astype(str).tolist()


def book(path: Path, *rows: tuple[Any, ...], change: Callable[[Any], None] | None = None) -> Path:
    """A workbook of one sheet, as a spreadsheet program writes it."""
    made = openpyxl.Workbook()
    for row in rows:
        made.active.append(row)
    if change is not None:
        change(made)
    made.save(path)
    return path


def changed(path: Path, texts: Mapping[str, Callable[[str], str]]) -> Path:
    """The same workbook with the XML of some members changed."""
    with ZipFile(path) as old:
        members = {name: old.read(name) for name in old.namelist()}
    with ZipFile(path, "w", ZIP_DEFLATED) as new:
        for name, data in members.items():
            new.writestr(name, texts[name](data.decode()) if name in texts else data)
    return path


SHEET = "xl/worksheets/sheet1.xml"


# Cases ---------------------------------------------------------------------------------------------------------------


def test_imp_05_a_formula_without_a_value_is_said_and_its_row_is_not_missing() -> None:
    right = expected("IMP-05")
    found = read(CASES / "IMP-05" / "input.xlsx")
    assert len(found.observations) == right["rows imported"]
    assert days(found) == ["2024-06-02"]
    assert found.observations["value"].tolist() == [right["value 2024-06-02"]]
    (reject,) = found.rejects
    assert (reject.row, reject.column, reject.raw) == (2, "D2", "=B2-C2")
    assert f"rejected: {reject.reason}" == right["D2"]


def test_ts_13_the_1904_date_system_is_honoured() -> None:
    assert days(read(CASES / "TS-13" / "input.xlsx")) == expected("TS-13")["dates"]


def test_imp_01_a_decimal_comma_is_found() -> None:
    found = read(CASES / "IMP-01" / "eu.csv")
    assert found.observations["value"].tolist() == expected("IMP-01")["eu.csv"]
    assert found.observations["row"].tolist() == [2, 3, 4]
    assert found.observations["value_text"].tolist() == ["1234.56", "0.5", "12.75"]


def test_imp_01_what_is_not_of_the_files_locale_is_refused() -> None:
    found = read(CASES / "IMP-01" / "us.csv")
    assert found.observations["value"].tolist() == expected("IMP-01")["us.csv rows 1-2"]
    assert [(one.row, one.raw) for one in found.rejects] == [(4, "12,75")]
    assert "12,75 is not valid" in found.rejects[0].reason


def test_imp_01_an_ambiguous_locale_is_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    path = CASES / "IMP-01" / "ambiguous.csv"
    with pytest.raises(BadFile, match=r"row 2: 1,234 is 1234 or 1\.234; say which with --decimal"):
        read(path)
    assert read(path, told=Told(decimal="point")).observations["value"].tolist() == [1234.0, 2500.0]
    assert read(path, told=Told(decimal="comma")).observations["value"].tolist() == [1.234, 2.5]
    assert cli.run(["read", str(path), "--decimal", "comma"]) == 0
    assert "1.234" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("numbers", "values"),
    [
        (["1.234,5", "2.500"], [1234.5, 2500.0]),  # a point of a file with decimal commas groups thousands
        (["1,234", "0.5"], [1234.0, 0.5]),
        (["1,234,567", "1,000"], [1234567.0, 1000.0]),
        (["0,5", "1,234"], [0.5, 1.234]),
        (["<0,5", "3"], [None, 3.0]),
    ],
)
def test_one_number_shows_the_mark_of_all(tmp_path: Path, numbers: list[str], values: list[float | None]) -> None:
    path = tmp_path / "level.csv"
    rows = [f'W-1,2024-05-0{n},"{text}"' for n, text in enumerate(numbers, 1)]
    path.write_text("\n".join([",".join(LEVELS), *rows, ""]), "utf-8")
    found = read(path)
    assert [None if pd.isna(one) else one for one in found.observations["value"]] == values


def test_two_marks_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "level.csv"
    path.write_text(f'{",".join(LEVELS)}\nW-1,2024-05-01,"1,234.5"\nW-1,2024-05-02,"1.234,5"\n', "utf-8")
    with pytest.raises(BadFile, match="two decimal marks in one file: row 2 a point, row 3 a comma"):
        read(path)


def test_imp_03_every_line_end_ends_a_row() -> None:
    right = expected("IMP-03")
    found = read(CASES / "IMP-03" / "input.csv")
    assert (len(found.observations), days(found)) == (right["rows"], right["dates"])
    assert found.observations["value"].iloc[-1] == right["last value"]
    assert set(found.observations["station"]) == {"04999001"}


# What a cell shows ---------------------------------------------------------------------------------------------------


def test_cells_are_taken_as_they_are_shown(tmp_path: Path) -> None:
    path = book(
        tmp_path / "a.xlsx", LEVELS,
        ("W-1", date(2024, 6, 1), 16.350000000000001),
        ("W-1", datetime.fromisoformat("2024-06-02T14:30"), 7),
        ("W-1", "2024-06-03", "<0.5"),
        ("W-1\nby the barn", datetime.fromisoformat("2024-06-04"), 1e-06),
    )  # fmt: skip
    found = read(path)
    assert (found.format, found.rejects) == ("csv-table", ())
    assert found.observations["value_text"].tolist() == ["16.35", "7", "<0.5", "1e-06"]
    assert found.observations["clock"].tolist() == ["day", "naive", "day", "day"]
    assert found.observations["station"].iloc[3] == "W-1 by the barn"
    assert found.observations["row"].tolist() == [2, 3, 4, 5]


def test_a_stored_formula_value_is_taken(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5))
    changed(path, {SHEET: lambda xml: xml.replace("<v>16.5</v>", "<f>20-3.5</f><v>16.5</v>")})
    assert read(path).observations["value"].tolist() == [16.5]


def test_a_formula_that_yields_no_text_is_a_blank(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", (*LEVELS, "note"), ("W-1", date(2024, 6, 1), 16.5, 1))
    changed(path, {SHEET: lambda xml: xml.replace('<c r="D2" t="n"><v>1</v>', '<c r="D2" t="str"><f>""</f><v></v>')})
    assert read(path).observations["value"].tolist() == [16.5]


@pytest.mark.parametrize("formula", ["<f>B2</f>", '<f t="shared" si="0"/>', "<f>B2</f><v/>", "<f>B2</f><v></v>"])
def test_each_way_of_leaving_a_value_out_is_seen(formula: str) -> None:
    xml = f'<sheetData><row r="2"><c r="A2"><v>1</v></c><c r="B2" s="3">{formula}</c></row></sheetData>'
    assert set(scan(io.BytesIO(xml.encode())).unstored) == {2}


@pytest.mark.parametrize("size", [1, 7, 64])
def test_a_formula_on_the_edge_of_a_chunk_is_seen(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("ingest.packed.sheet_scan.CHUNK", size)
    cells = "".join(f'<c r="{name}2"><v>1</v></c>' for name in "ABC") + '<c r="D2"><f>B2-C2</f><v /></c>'
    xml = f'<sheetData><row r="2">{cells}</row></sheetData><mergeCells><mergeCell ref="A1:C1"/></mergeCells>'
    found = scan(io.BytesIO(xml.encode()))
    assert found.unstored == {2: ("D2", "=B2-C2")}
    assert [one.text for one in found.merged] == ["A1:C1"]


def test_a_serial_date_is_refused_with_what_to_do(tmp_path: Path) -> None:
    found = read(book(tmp_path / "a.xlsx", LEVELS, ("W-1", 45444, 16.5), ("W-1", date(2024, 6, 2), 16.6)))
    assert days(found) == ["2024-06-02"]
    assert "serial date" in found.rejects[0].reason


def test_mixed_day_and_month_are_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", LEVELS, ("W-1", "13/06/2024", 1), ("W-1", "06/14/2024", 2))
    with pytest.raises(BadFile, match="contradictory dates"):
        read(path)


# Where the table is --------------------------------------------------------------------------------------------------


def test_lines_above_the_header_and_other_sheets_are_passed_over(tmp_path: Path) -> None:
    def more(made: Any) -> None:
        made.create_sheet("Cover", 0).append(["Made-up laboratory"])
        made.create_sheet("Notes").append(["called the owner"])

    rows = (("Water levels of a made-up town",), (), LEVELS, ("W-1", date(2024, 6, 1), 16.5))
    found = read(book(tmp_path / "a.xlsx", *rows, change=more))
    assert found.observations["row"].tolist() == [4]
    assert (found.facts["sheets"], found.facts["sheets_not_read"]) == ("Sheet", "Cover, Notes")


def test_rows_of_a_second_sheet_keep_apart_from_the_first(tmp_path: Path) -> None:
    def more(made: Any) -> None:
        sheet = made.create_sheet("July")
        for row in (LEVELS, ("W-1", date(2024, 7, 1), 17.5), ("W-1", "soon", 17.5)):
            sheet.append(row)

    found = read(book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5), change=more))
    assert found.observations["row"].tolist() == [2, 10_000_002]
    assert [(one.row, one.column) for one in found.rejects] == [(10_000_003, "July!date")]


def test_sheets_of_two_formats_are_two_deliveries(tmp_path: Path) -> None:
    def more(made: Any) -> None:
        sheet = made.create_sheet("Lab")
        for row in (
            ("sample_id", "location", "date", "analyte", "result", "unit"),
            ("1", "W", "2024-06-01", "zinc", 1, "mg/L"),
        ):
            sheet.append(row)

    path = book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5), change=more)
    with pytest.raises(BadFile, match="several tables, each a delivery of its own"):
        read(path)


def test_merged_cells_in_the_head_are_refused(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5),
                change=lambda made: made.active.merge_cells("C1:D1"))  # fmt: skip
    with pytest.raises(BadFile, match=r"merged cells in the head.*C1:D1"):
        read(path)


def test_a_merged_banner_above_the_head_is_no_trouble(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", ("Levels",), LEVELS, ("W-1", date(2024, 6, 1), 16.5),
                change=lambda made: made.active.merge_cells("A1:C1"))  # fmt: skip
    assert read(path).observations["value"].tolist() == [16.5]


def test_rows_of_merged_cells_are_left_out_and_said(tmp_path: Path) -> None:
    rows = [("W-1", date(2024, 6, n), 16.0 + n) for n in (1, 2, 3)]
    path = book(tmp_path / "a.xlsx", LEVELS, *rows, change=lambda made: made.active.merge_cells("A2:A3"))
    found = read(path)
    assert days(found) == ["2024-06-03"]
    assert [(one.row, one.column) for one in found.rejects] == [(2, "A2:A3"), (3, "A2:A3")]


# Hostile -------------------------------------------------------------------------------------------------------------


def zipped(path: Path, members: Mapping[str, bytes]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return path


PLAIN = b"well_id,date,depth_to_water_ft\nW-1,2024-06-01,16.5\n"


def test_a_zip_of_one_table_is_that_table(tmp_path: Path) -> None:
    found = read(
        zipped(tmp_path / "a.zip", {"levels.csv": PLAIN, "report.pdf": b"%PDF-1.7 \x00\x01", "__MACOSX/._x": b"1"})
    )
    assert (found.format, found.observations["value"].tolist()) == ("csv-table", [16.5])


def test_a_sheet_that_is_all_left_out_is_said_in_a_zip_as_on_its_own(tmp_path: Path) -> None:
    levels = book(tmp_path / "levels.xlsx", ("=1+1",), change=lambda made: made.active.merge_cells("A1:A2"))
    said = []
    for path in (levels, zipped(tmp_path / "delivery.zip", {"levels.xlsx": levels.read_bytes()})):
        with pytest.raises(BadFile) as refused:
            read(path)
        said.append(refused.value.reason)
    assert said[0] == said[1]
    assert "merged cells" in said[0]


def test_a_zip_of_several_deliveries_is_not_put_together(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="deliver them one by one"):
        read(zipped(tmp_path / "a.zip", {"june.csv": PLAIN, "july.csv": PLAIN}))


@pytest.mark.parametrize(
    "name", ["../levels.csv", "/etc/levels.csv", "a/../../levels.csv", "C:/levels.csv", "..\\x.csv"]
)
def test_a_member_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadFile, match="leads out of it"):
        read(zipped(tmp_path / "a.zip", {name: PLAIN}))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.zip"]


def test_a_link_is_refused(tmp_path: Path) -> None:
    link = ZipInfo("levels.csv")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    with ZipFile(tmp_path / "a.zip", "w") as made:
        made.writestr(link, "/etc/passwd")
    with pytest.raises(BadFile, match="holds a link"):
        read(tmp_path / "a.zip")


@pytest.mark.parametrize("name", ["levels.csv", SHEET])
def test_a_bomb_is_refused_before_it_is_opened(tmp_path: Path, name: str) -> None:
    members = {"xl/workbook.xml": b"<workbook/>"} if name == SHEET else {}
    path = zipped(tmp_path / "a.zip", {**members, name: b"0" * (64 * 2**20)})
    assert path.stat().st_size < 2**17
    with pytest.raises(BadFile, match="zip bomb"):
        read(path)


def test_many_members_that_are_large_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1000)
    with pytest.raises(BadFile, match="more than 1000 bytes when unpacked"):
        read(zipped(tmp_path / "a.zip", {f"{n}.csv": PLAIN * 5 for n in range(5)}))


def test_a_zip_inside_a_zip_is_refused(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "b.zip", {"levels.csv": PLAIN}).read_bytes()
    with pytest.raises(BadFile, match="a zip inside a zip"):
        read(zipped(tmp_path / "a.zip", {"b.zip": inner}))


def test_a_size_that_is_a_lie_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"levels.csv": PLAIN * 50})
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02") + 24  # uncompressed size in the table of contents
    data[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(bytes(data))
    with pytest.raises(BadFile, match=r"a\.zip"):
        read(path)


def read_or_refused(path: Path) -> Reading | BadFile:
    try:
        return read(path)
    except BadFile as refused:
        return refused


@pytest.mark.parametrize("method", [ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA])
def test_damage_is_told_in_one_line_however_a_member_is_packed(tmp_path: Path, method: int) -> None:
    path = tmp_path / "delivery.zip"
    with ZipFile(path, "w", method) as made:
        made.writestr("levels.csv", PLAIN * 50)
    data, told, whole = path.read_bytes(), 0, read(path).observations
    for place in range(len("levels.csv") + 30, data.index(b"PK\x01\x02"), 3):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        found = read_or_refused(path)
        if isinstance(found, BadFile):
            assert "a broken zip file" in str(found)
            told += 1
        else:
            assert found.observations.equals(whole)  # a bit that nothing is read from
    assert told > 10


def zip64(offset: int) -> bytes:
    """A zip of one member that stands at an offset of 64 bits (APPNOTE 4.5.3)."""
    made = io.BytesIO()
    with ZipFile(made, "w") as archive_:
        archive_.writestr("levels.csv", PLAIN)
    data = made.getvalue()
    at, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    extra = struct.pack("<HHQ", 1, 8, offset)
    entry = data[at:end]
    entry = entry[:30] + struct.pack("<H", len(extra)) + entry[32:42] + b"\xff" * 4 + entry[46:] + extra
    return data[:at] + entry + data[end : end + 12] + struct.pack("<I", len(entry)) + data[end + 16 :]


@pytest.mark.parametrize("offset", [2**40, 2**64 - 5])
def test_a_member_that_stands_nowhere_in_the_file_is_a_broken_zip(tmp_path: Path, offset: int) -> None:
    path = tmp_path / "delivery.zip"
    path.write_bytes(zip64(0))
    assert days(read(path)) == ["2024-06-01"]
    path.write_bytes(zip64(offset))
    with pytest.raises(BadFile, match=r"delivery\.zip: .*a broken zip file"):
        read(path)


def test_a_member_whose_own_name_is_no_text_is_a_broken_zip(tmp_path: Path) -> None:
    path = zipped(tmp_path / "delivery.zip", {"grundwasserst\u00e4nde.csv": PLAIN})
    path.write_bytes(path.read_bytes().replace("\u00e4".encode(), b"\xb9\xb9", 1))
    with pytest.raises(BadFile, match=r"delivery\.zip: .*a broken zip file"):
        read(path)


@pytest.mark.parametrize("cut", [5, 30, 200, 2000])
def test_a_cut_off_workbook_is_refused_in_one_line(tmp_path: Path, cut: int) -> None:
    path = book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5))
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(BadFile, match=r"^a\.xlsx: "):
        read(path)


ENTITY = '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize("name", [SHEET, "xl/workbook.xml", "xl/styles.xml"])
def test_entities_are_refused(tmp_path: Path, name: str) -> None:
    path = book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5))
    with pytest.raises(BadFile, match="declares entities"):
        read(changed(path, {name: lambda xml: ENTITY + xml}))


def test_macros_are_not_run_and_said(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsm", LEVELS, ("W-1", date(2024, 6, 1), 16.5))
    with ZipFile(path, "a") as more:
        more.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0 Sub Workbook_Open()")
    found = read(path)
    assert (found.observations["value"].tolist(), found.facts["macros"]) == ([16.5], "in the workbook, not run")


def test_rows_out_of_order_are_not_lost(tmp_path: Path) -> None:
    path = book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5), ("W-1", date(2024, 6, 2), 16.6))
    with pytest.raises(BadFile, match="rows are out of order"):
        read(changed(path, {SHEET: lambda xml: xml.replace('<row r="2">', '<row r="9">')}))


def test_what_stands_beyond_the_last_column_is_not_lost(tmp_path: Path) -> None:
    def far(made: Any) -> None:
        made.active["XFD2"] = 1

    with pytest.raises(BadFile, match=r"a cell beyond column 500.*XFD2"):
        read(book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5), change=far))


def test_empty_cells_out_there_are_no_trouble(tmp_path: Path) -> None:
    def far(made: Any) -> None:
        made.active["XFD2"].number_format = "0.00"
        made.active["A1048576"].number_format = "0.00"

    found = read(book(tmp_path / "a.xlsx", LEVELS, ("W-1", date(2024, 6, 1), 16.5), change=far))
    assert (found.observations["value"].tolist(), found.rejects) == ([16.5], ())


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, r"an old or a locked workbook \(.xls\)"),
        (b"PK\x03\x04 nothing of a zip", "a broken zip file"),
    ],
)
def test_other_workbooks_are_named(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "a.xls"
    path.write_bytes(data)
    with pytest.raises(BadFile, match=said):
        read(path)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"[Content_Types].xml": b"<x/>", "xl/workbook.bin": b"1"}, r"a binary workbook \(.xlsb\)"),
        ({"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<x/>"}, "an office file"),
        ({"report.pdf": b"%PDF-1.7"}, "nothing in it is a table"),
    ],
)
def test_other_archives_are_named(tmp_path: Path, members: dict[str, bytes], said: str) -> None:
    with pytest.raises(BadFile, match=said):
        read(zipped(tmp_path / "a.zip", members))
