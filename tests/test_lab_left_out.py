"""Tables that nobody can read whole: what is left out is said, and what the sender can do about it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import openpyxl
import pytest

from ingest.formats import read
from ingest.headings import names_substance
from ingest.laboratory.mapped import load_map
from models.errors import BadFile
from pipelines import cli

ROW = "MW-1,2025-07-01,Arsenic,Dissolved,15,ug/L\n"
HEAD = "station,sample_date,parameter,fraction,result,unit"


def written(folder: Path, text: str) -> Path:
    path = folder / "edd.csv"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(path: Path) -> str:
    with pytest.raises(BadFile) as caught:
        read(path)
    return str(caught.value)


def test_a_table_without_numbers_of_samples_says_which_heading_it_lacks(tmp_path: Path) -> None:
    said = refusal(written(tmp_path, f"{HEAD}\n{ROW}"))
    assert f"row 1 has headings of a laboratory's table ({HEAD.replace(',', ', ')})" in said
    assert "none for sample (sample_id" in said
    assert "--format lab-table" in said
    assert "--map" in said
    assert len(read(tmp_path / "edd.csv", format="lab-table").observations) == 1


def test_a_table_without_units_is_not_promised_to_be_read_as_it_is(tmp_path: Path) -> None:
    said = refusal(written(tmp_path, "sample_id,station,date,analyte,result\nS1,MW-1,2025-07-01,Arsenic,15\n"))
    assert "none for unit (unit or units" in said
    assert "--format" not in said


def test_a_title_above_the_head_is_named_by_the_row_of_the_head(tmp_path: Path) -> None:
    said = refusal(written(tmp_path, f"Report of a made-up laboratory\n\n{HEAD},sample_id\n{ROW}"))
    assert "row 3 has headings" in said
    assert "take out what stands above it" in said


def test_a_text_that_is_no_table_is_not_taken_for_one(tmp_path: Path) -> None:
    assert "nothing in the file says what wrote it" in refusal(written(tmp_path, "station,of,the,made-up,line\n1,2\n"))


def test_an_empty_zip_is_called_one(tmp_path: Path) -> None:
    found = io.BytesIO()
    zipfile.ZipFile(found, "w").close()
    (tmp_path / "a.zip").write_bytes(found.getvalue())
    assert "an empty zip file" in refusal(tmp_path / "a.zip")


@pytest.mark.parametrize("format", ["csv-table", "lab-table"])
def test_a_column_of_a_substance_is_left_out_aloud(format: str, tmp_path: Path) -> None:
    """Alkalinity in a unit that measures none of it: two numbers and a non-detect are lost, the blank is not."""
    rows = "MW-1,2025-07-01,15,12\nMW-2,2025-07-01,3,<1\nMW-1,2025-08-01,4,\nMW-2,2025-08-01,5,9.5\n"
    path = written(tmp_path, f"station,date,Arsenic (ug/L),Oddity (mg/L as moons)\n{rows}")
    assert not read(path, format=format).rejects, "a unit that nobody knows is no substance's"
    path = written(tmp_path, f"station,date,Arsenic (ug/L),Oddity (mg/L)\n{rows}")
    (one,) = read(path, format=format).rejects
    assert (one.row, one.column, one.raw, one.rows) == (2, "Oddity (mg/L)", "12", 3)
    assert cli.run(["read", str(path), "--format", format]) == 1


@pytest.mark.parametrize(
    ("cell", "is_one"),
    [
        ("Arsenic", True), ("Lead, dissolved (ug/L)", True), ("7440-38-2", True), ("Nitrate (mg/L)", True),
        ("Depth (ft)", False), ("99", False), ("2025-07-01", False), ("Remarks", False), ("", False),
        ("Arsenic and lead were looked for", False),
    ],
)  # fmt: skip
def test_what_names_a_substance(cell: str, is_one: bool) -> None:
    assert names_substance(cell) is is_one


def workbook(path: Path, *second: tuple[object, ...]) -> Path:
    made = openpyxl.Workbook()
    first = made.worksheets[0]
    first.append([*HEAD.split(","), "sample_id"])
    first.append(["MW-1", "2025-07-01", "Arsenic", "Dissolved", 15, "ug/L", "S1"])
    other = made.create_sheet("Second")
    for row in second:
        other.append(row)
    made.save(path)
    return path


def test_a_sheet_of_results_that_no_layout_knows_is_left_out_aloud(tmp_path: Path) -> None:
    found = read(workbook(tmp_path / "a.xlsx", ("Well", "What", "Conc"), ("MW-2", "Arsenic", 99)))
    (one,) = found.rejects
    assert (one.row, one.column, one.raw) == (0, "Second", "Arsenic")
    assert found.observations["value"].tolist() == [15.0]


@pytest.mark.parametrize("second", [(("Arsenic", "by our method"),), (("Opened", 99),), (("", ""),)])
def test_a_sheet_of_words_or_of_other_numbers_is_only_noted(second: tuple[tuple[object, ...]], tmp_path: Path) -> None:
    assert read(workbook(tmp_path / "a.xlsx", *second)).rejects == ()


@pytest.mark.parametrize("text", ['"Well" = "station"\n', '[columns]\n"Well" = 3\n', '[column]\n"Well" = "station"\n'])
def test_a_map_that_is_none_is_shown_a_right_one(text: str, tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=r'\[columns\] "Well" = "station" "Sampled" = "day"'):
        load_map(path)


def test_the_map_that_help_shows_reads_a_table(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["read", "--help"]) == 0
    words = " ".join(capfd.readouterr().out.split())
    shown = words[words.index("[columns]") : words.index('"Unit" = "unit"')] + '"Unit" = "unit"'
    (tmp_path / "map.toml").write_text(shown.replace('" "', '"\n"').replace("] ", "]\n"), encoding="utf-8")
    path = written(tmp_path, "Well,Sampled,Analyte,Conc,Unit\nMW-1,2025-07-01,Arsenic,15,ug/L\n")
    found = read(path, table_map=load_map(tmp_path / "map.toml")).observations.iloc[0]
    assert (found["station"], found["parameter"], found["value"], found["unit"]) == ("MW-1", "arsenic", 15.0, "ug/L")
