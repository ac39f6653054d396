"""Whose water a row is of: quality control, soil and what is not reportable are never judged, whatever says so.

Tables are made up; what belongs where is read off them by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from ingest.formats import read
from ingest.reading import Reading
from models.errors import BadFile
from models.sample_types import kind_by_name, kind_of, medium_of, named_control, of_sheet
from pipelines import cli
from sample_data import demo

Run = Callable[..., Any]
HEAD = "sample_id,well,sample_date,analyte,result,units,lod,loq"


def table(path: Path, more: str, *rows: tuple[str, str], head: str = HEAD) -> Path:
    """Arsenic, 12 ug/L of MW-1, a row for each (sample, cells of the further columns)."""
    lines = [f"{sample},MW-1,2025-06-01,Arsenic,12,ug/L,0.5,2,{cells}" for sample, cells in rows]
    path.write_text("\n".join([f"{head},{more}", *lines, ""]), "utf-8")
    return path


def samples(found: Reading) -> set[str]:
    return {str(name).rpartition(":")[2] for name in found.observations["series"]}


# Columns -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "cell", "where"),
    [
        ("Type", "Matrix Spike", "quality_control"),
        ("QC Type", "Method Blank", "quality_control"),
        ("qc", "Yes", "quality_control"),
        ("Matrix", "Soil", "not_water"),
        ("Sample Matrix", "TCLP Leachate", "not_water"),
        ("Medium", "Water for QC samples", "quality_control"),
        ("Reportable", "No", "quality_control"),
        ("Result Type", "SUR", "quality_control"),
        ("sample_source", "Lab", "quality_control"),
    ],
)
def test_whatever_column_says_it_sets_a_row_apart(tmp_path: Path, column: str, cell: str, where: str) -> None:
    found = read(table(tmp_path / "lab.csv", column, ("A", cell), ("B", "")))
    assert (samples(found), found.tables[where]["sample_id"].tolist()) == ({"B"}, ["A"])
    assert "columns_not_read" not in found.facts


@pytest.mark.parametrize(
    ("columns", "cells", "where"),
    [
        ("sample_type,qc_type", "Sample,Matrix Spike", "quality_control"),
        ("qc_type,sample_type", "Matrix Spike,Sample", "quality_control"),
        ("matrix,lab_matrix", "Water,Soil", "not_water"),
        ("reportable,reportable_result", "Yes,No", "quality_control"),
    ],
)
def test_of_two_columns_the_one_that_sets_apart_decides(tmp_path: Path, columns: str, cells: str, where: str) -> None:
    found = read(table(tmp_path / "lab.csv", columns, ("A", cells)))
    assert (samples(found), len(found.tables[where])) == (set(), 1)


def test_the_words_of_a_sample_that_is_one_set_nothing_apart(tmp_path: Path) -> None:
    columns = "Type,Matrix,Reportable,Result Type,sample_source,qc"
    found = read(table(tmp_path / "lab.csv", columns, ("A", "Sample,Groundwater,Yes,TRG,Field,No"), ("B", ",,,1,,")))
    assert (samples(found), found.tables, found.rejects) == ({"A", "B"}, {}, ())


@pytest.mark.parametrize(("column", "cell"), [("reportable", "R"), ("result_type_code", "XX")])
def test_a_cell_that_is_not_understood_is_refused_and_the_others_stand(tmp_path: Path, column: str, cell: str) -> None:
    found = read(table(tmp_path / "lab.csv", column, ("A", cell), ("B", "")))
    assert (samples(found), [(one.row, one.column, one.raw) for one in found.rejects]) == ({"B"}, [(2, column, cell)])


LDES = "sample_labslip_id,wi_unique_well,sample_collection_date,dnr_parameter_code,result_value,result_amt,units"
SWIMS = (
    "Station ID,Sample/Labslip ID,Start Date/Time,DNR Parameter,Parameter Type,Result,Units,LOD,LOQ,"
    "Analysis Date/Time,Lab Method,Lab Comments"
)
EZEDD = "sys_sample_code,sys_loc_code,sample_date,chemical_name,result_value,result_unit,detect_flag"
READERS = {
    "wdnr-ldes": (LDES, "A,MW-1,06/15/2025,1002,12,12,UG/L"),
    "wdnr-swims": (SWIMS, "1,A,06/15/2025,1002,DNR_STORET,12,UG/L,0.5,2,,,"),
    "ezedd": (EZEDD, "A,MW-1,06/15/2025,Arsenic,12,ug/L,Y"),
    "lab-table": (HEAD, "A,MW-1,2025-06-15,Arsenic,12,ug/L,0.5,2"),
}


@pytest.mark.parametrize("format", READERS)
@pytest.mark.parametrize(
    ("column", "cell", "where"),
    [
        ("sample_type_code", "MS", "quality_control"), ("sample_type", "Field Blank", "quality_control"),
        ("type", "Matrix Spike", "quality_control"), ("matrix", "Soil", "not_water"),
        ("sample_matrix_code", "SO", "not_water"), ("reportable_result", "No", "quality_control"),
        ("sample_source", "LAB", "quality_control"), ("result_type_code", "TIC", "quality_control"),
    ],
)  # fmt: skip
def test_no_reader_knows_fewer_of_these_columns(
    tmp_path: Path, format: str, column: str, cell: str, where: str
) -> None:
    head, row = READERS[format]
    path = tmp_path / "results.csv"
    path.write_text(f"{head},{column}\n{row},{cell}\n{row.replace('A', 'B', 1)},\n", "utf-8")
    found = read(path)
    assert (found.format, samples(found), len(found.tables[where])) == (format, {"B"}, 1)


def test_a_map_reads_nothing_that_it_does_not_name(tmp_path: Path) -> None:
    from ingest.laboratory.mapped import load_map

    rules = tmp_path / "map.toml"
    names = {"sample_id": "sample", "well": "station", "sample_date": "day", "analyte": "analyte", "result": "value"}
    pairs = "\n".join(f'"{column}" = "{field}"' for column, field in {**names, "units": "unit"}.items())
    rules.write_text(f"[columns]\n{pairs}\n", "utf-8")
    found = read(table(tmp_path / "lab.csv", "Type", ("A", "Matrix Spike")), table_map=load_map(rules))
    assert (samples(found), "Type" in found.facts["columns_not_read"]) == ({"A"}, True)


# Names and words -----------------------------------------------------------------------------------------------------


def test_a_name_that_no_well_has_is_quality_control_where_no_type_is_given(tmp_path: Path) -> None:
    path = table(tmp_path / "lab.csv", "type", ("B05 MSD", ""), ("Trip Blank", ""), ("MB-1", ""), ("LCS-7", "Sample"))
    found = read(path)
    assert samples(found) == {"MB-1", "LCS-7"}  # a monitoring bore may be MB-1; a stated type stands, and is told
    assert found.facts["like_quality_control"] == "LCS-7"


@pytest.mark.parametrize(
    ("kind", "types"),
    [
        ("quality_control", ["MS Dup", "Sample Dup", "Sample Duplicate", "Blank Dup", "CCV Dup", "Dup Spike",
                             "Analytical Duplicate", "Batch Dup", "LFM Dup", "Method Blk", "Cont Cal"]),
        ("duplicate", ["Duplicate Sample", "Blind Duplicate", "Dup of MW-3", "QC Field Duplicate", "Replicate"]),
    ],
)  # fmt: skip
def test_a_duplicate_of_the_laboratory_is_none_of_the_field(kind: str, types: list[str]) -> None:
    assert {one: kind_of(one) for one in types} == dict.fromkeys(types, kind)


@pytest.mark.parametrize(
    ("medium", "words"),
    [
        ("", ["", "WG", "Water", "Groundwater", "Ground Water", "Liquid", "AQ", "Aqueous", "Wastewater", "W"]),
        ("quality_control", ["WQ", "Water for QC samples", "DI Water", "Reagent water", "WH", "Blank water"]),
        ("not_water", ["SO", "Soil", "TCLP Leachate", "Non-aqueous liquid", "Nonaqueous", "Soil/Water", "WL", "Oil"]),
    ],
)
def test_media(medium: str, words: list[str]) -> None:
    assert {one: medium_of(one) for one in words} == dict.fromkeys(words, medium)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("quality_control", ["QC", "Method Blanks", "QA/QC", "MS-MSD", "LCS_LCSD", "Blanks & Spikes", "Surrogates"]),
        ("not_water", ["Soil", "Sediment 2025", "TCLP"]),
        ("", ["Results", "Water Quality", "Sheet1", "Results & QC", "Data (no QC)", "Control wells", "MW-1",
              "Groundwater and soil", "TestResultsQC"]),
    ],
)  # fmt: skip
def test_names_of_sheets(said: str, names: list[str]) -> None:
    assert {one: of_sheet(one) for one in names} == dict.fromkeys(names, said)


def test_a_well_may_have_a_short_code_or_a_common_word() -> None:
    assert not any(map(named_control, ["MB-1", "EB-2", "TB-3", "MS-4", "Blank Farm", "Control Well", "Spike Hollow"]))


# Sheets --------------------------------------------------------------------------------------------------------------


def book(path: Path, **sheets: Sequence[tuple[Any, ...]]) -> Path:
    made: Any = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name.replace("_", " "))
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


WIDE = ("sample_id", "well", "sample_date", "arsenic_ug_l")


def test_a_sheet_of_quality_control_is_set_apart_and_told(tmp_path: Path) -> None:
    path = book(
        tmp_path / "crosstab.xlsx",
        Results=[WIDE, ("S1", "MW-1", "2025-06-01", 12)],
        QC=[WIDE, ("S1 MSD", "MW-1", "2025-06-01", 55), ("MB-1", "MW-1", "2025-06-01", 11)],
        Method_Blanks=[(*WIDE, "lead_ug_l"), ("MB2", "MW-1", "2025-06-01", 44, 60)],
        Soil=[WIDE, ("SB-1", "MW-1", "2025-06-01", 9)],
    )
    found = read(path)
    assert found.observations["value"].tolist() == [12.0]
    assert found.tables["quality_control"]["sample_id"].tolist() == ["S1 MSD", "MB-1", "MB2"]
    assert found.tables["quality_control"]["row"].tolist() == ["10000002", "10000003", "20000002"]
    assert found.tables["not_water"]["sample_id"].tolist() == ["SB-1"]
    assert found.facts["sheets_set_apart"] == "QC, Method Blanks, Soil"


def test_a_sheet_whose_rows_say_what_they_are_is_not_judged_by_its_name(tmp_path: Path) -> None:
    head = ("sys_sample_code", "sys_loc_code", "sample_date", "sample_type_code", "chemical_name", "result_value",
            "result_unit", "detect_flag")  # fmt: skip
    rows = [head, ("A", "MW-1", "2025-06-13", "N", "Arsenic", 12, "ug/L", "Y"),
            ("B", "MW-1", "2025-06-13", "LB", "Arsenic", 13, "ug/L", "Y")]  # fmt: skip
    assert samples(read(book(tmp_path / "edd.xlsx", Chem_QC=rows))) == {"A"}


def test_a_hidden_sheet_is_not_taken_and_named(tmp_path: Path) -> None:
    path = book(tmp_path / "w.xlsx", Results=[WIDE, ("S1", "MW-1", "2025-06-01", 1)],
                old_data=[WIDE, ("H1", "MW-1", "2019-06-01", 99)])  # fmt: skip
    made = openpyxl.load_workbook(path)
    made["old data"].sheet_state = "hidden"
    made.save(path)
    found = read(path)
    assert (samples(found), found.facts["hidden_sheets"]) == ({"S1"}, "old data")
    made.create_sheet("Cover")
    made.remove(made["Results"])
    made.save(path)
    with pytest.raises(BadFile, match="hidden"):
        read(path)


# Told ----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    site = tmp_path / "site"
    demo.fresh_site(site)

    def command(*words: str) -> Any:
        capfd.readouterr()
        cli.run([*words, "--site", str(site)] if words[0] == "ingest" else list(words))
        return capfd.readouterr().out

    return command


def test_every_row_set_apart_is_counted_by_ingest(run: Run, tmp_path: Path) -> None:
    rows = [("A", "Soil,"), ("B", "Water,No"), ("C", "Water,Yes"), ("D", "TCLP leachate,Yes")]
    (receipt,) = json.loads(run("ingest", str(table(tmp_path / "lab.csv", "Matrix,Reportable", *rows)), "--json"))
    assert (receipt["accepted"], receipt["set_apart"]) == (1, 3)
    assert receipt["note"].startswith("1 quality-control row and 1 soil row and 1 tclp leachate row set apart")


def test_columns_that_are_not_read_are_told_by_ingest_and_read(run: Run, tmp_path: Path) -> None:
    path = table(tmp_path / "lab.csv", "Basis of decay", ("A", "x"))
    (receipt,) = json.loads(run("ingest", str(path), "--json"))
    assert receipt["note"] == "columns not read: Basis of decay"
    assert "note: columns not read: Basis of decay" in run("read", str(path))


def test_substances_as_laboratories_head_their_columns(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    head = 'sample_id,well,sample_date,"Lead, dissolved (ug/L)","Nitrate (mg/L as NO3)",zinc_ug_l,zinc_ug_l_q,Sum (x)'
    path.write_text(f"{head}\nS1,MW-1,2025-06-01,3,12,5,U,1\n", "utf-8")
    found = read(path)
    rows = {one["parameter"]: one for one in found.observations.to_dict("records")}
    assert (rows["lead"]["value"], rows["lead"]["series"]) == (3.0, "dissolved:S1")
    assert (rows["nitrate_as_no3"]["value"], rows["zinc"]["value_text"]) == (12.0, "<5")
    assert (set(rows), found.facts["columns_not_read"]) == ({"lead", "nitrate_as_no3", "zinc"}, "Sum (x)")


@pytest.mark.parametrize(
    ("name", "station", "kind"),
    [
        ("TB-01", "MW-1", "quality_control"), ("FB-062424", "MW-1", "quality_control"),
        ("FB-20240624", "MW-1", "quality_control"), ("EQB1", "MW-1", "quality_control"),
        ("MW-1 MS", "MW-1", "quality_control"), ("MW-1-MSD", "MW-1", "quality_control"),
        ("FB-MW-1", "MW-1", "quality_control"), ("MB-1", "MW-1", "quality_control"),
        ("Method Blk 3", "MW-1", "quality_control"), ("MW1FD", "MW-1", "duplicate"), ("FD-2", "MW-1", "duplicate"),
        ("MW-1 DUP", "MW-1", "duplicate"), ("MB-1", "MB-1", "unknown"), ("MB-1-0624", "MB-1", "unknown"),
        ("MB-1 blank", "MB-1", "quality_control"), ("FB24-0013-01", "MW-1", "unknown"), ("S1B", "MW-1", "unknown"),
        ("EB2400131", "MW-1", "unknown"), ("MW-1", "MW-1", "unknown"), ("", "MW-1", "unknown"),
    ],
)  # fmt: skip
def test_what_the_number_of_a_sample_names(name: str, station: str, kind: str) -> None:
    assert kind_by_name(name, station) == kind
