"""Laboratory deliverables: EQuIS of several sections and of one, SWIMS, LDES, CCAL, remark pairs, and maps.

Expected values are read off the files by hand, or off the manifest of the shared samples. Where no real file exists
(EQuIS, EZEDD, Region 5, LDES) the deliverables are made up after the public definitions of their columns.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import ZipFile
from zoneinfo import ZoneInfo

import openpyxl
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.arrival import place
from ingest.formats import read
from ingest.laboratory.mapped import load_map
from ingest.reading import Reading, Told
from models.errors import BadFile
from models.observation import Flags
from models.site import Site, Well
from pipelines import cli

SHARED = Path(__file__).parents[2] / "shared"
SAMPLES = SHARED / "samples" / "lab-edd"
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared is absent")
SITE = Site.model_construct(
    well=tuple(Well(id=f"MW-{n}", use="monitoring", position=(0.0, 0.0)) for n in (1, 2, 3)),
)

SAMPLE_COLUMNS = (
    "#sys_sample_code,sample_name,sample_matrix_code,sample_type_code,sample_source,parent_sample_code,sample_date,"
    "sample_time,sys_loc_code"
)
SAMPLE_ROWS = (
    "MW1-A,MW-1,WG,N,FIELD,,05/14/2024,10:30,MW-1",
    "MW1-D,MW-1 dup,WG,FD,FIELD,MW1-A,05/14/2024,10:35,MW-1",
    "EB-1,rinsate,WQ,EB,FIELD,,05/14/2024,11:00,",
    "LB-1,method blank,WQ,LB,LAB,,05/20/2024,,",
    "SO-1,soil,SO,N,FIELD,,05/14/2024,12:00,MW-1",
    "MW2-A,MW-2,WG,N,FIELD,,05/15/2024,00:00,MW-2",
    "MW3-A,MW-3,WG,N,FIELD,,05/16/2024,09:00,MW-3",
)
TEST_COLUMNS = (
    "sys_sample_code,lab_anl_method_name,analysis_date,analysis_time,total_or_dissolved,column_number,test_type,"
    "lab_matrix_code,analysis_location,basis,dilution_factor,lab_sample_id"
)
RESULT_COLUMNS = (
    "sys_sample_code,lab_anl_method_name,analysis_date,analysis_time,total_or_dissolved,column_number,test_type,cas_rn,"
    "chemical_name,result_value,result_type_code,reportable_result,detect_flag,lab_qualifiers,validator_qualifiers,"
    "method_detection_limit,reporting_detection_limit,quantitation_limit,result_unit,detection_limit_unit"
)
METAL, VOLATILE = "E200.8,05/20/2024,08:00,T,NA,INITIAL", "SW8260,05/21/2024,09:00,N,NA,INITIAL"
TEST_ROWS = tuple(
    f"{code},{METAL},WG,LB,NA,{factor},L{place}"
    for place, (code, factor) in enumerate(
        [("MW1-A", 1), ("MW1-D", 1), ("EB-1", 1), ("LB-1", 1), ("SO-1", 1), ("MW2-A", 5), ("MW3-A", 1)]
    )
) + tuple(f"{code},{VOLATILE},WG,LB,NA,1,V" for code in ("MW1-A", "MW2-A"))
RESULT_ROWS = (
    f"MW1-A,{METAL},7440-38-2,Arsenic,12,TRG,Yes,Y,,,0.2,0.5,0.6,ug/L,ug/L",
    f"MW1-D,{METAL},7440-38-2,Arsenic,13,TRG,Yes,Y,,,0.2,0.5,0.6,ug/L,ug/L",
    f"EB-1,{METAL},7440-38-2,Arsenic,99,TRG,Yes,Y,,,0.2,0.5,0.6,ug/L,ug/L",
    f"LB-1,{METAL},7440-38-2,Arsenic,98,TRG,Yes,Y,,,0.2,0.5,0.6,ug/L,ug/L",
    f"SO-1,{METAL},7440-38-2,Arsenic,97,TRG,Yes,Y,,,0.2,0.5,0.6,ug/L,ug/L",
    f"MW2-A,{METAL},7440-38-2,Arsenic,,TRG,Yes,N,U,,0.001,0.0025,,ug/L,mg/L",
    f"MW2-A,{VOLATILE},71-43-2,Benzene,0.5,TRG,Yes,Y,J,,0.2,1.0,,ug/L,ug/L",
    f"MW1-A,{VOLATILE},71-43-2,Benzene,96,TRG,No,Y,E,,0.2,1.0,,ug/L,ug/L",
    f"MW1-A,{VOLATILE},460-00-4,4-Bromofluorobenzene,95,SUR,Yes,Y,,,,,,%,",
    f"MW3-A,{METAL},7440-38-2,Arsenic,2,TRG,Yes,Y,J,U,0.2,0.5,0.6,ug/L,ug/L",
)
SECTIONS = {
    "LabSMP.txt": (SAMPLE_COLUMNS, SAMPLE_ROWS),
    "LabTST.txt": (TEST_COLUMNS, TEST_ROWS),
    "LabRES.txt": (RESULT_COLUMNS, RESULT_ROWS),
    "LabBCH.txt": ("sys_sample_code,lab_anl_method_name,test_batch_type,test_batch_id", ("MW1-A,E200.8,Prep,B1",)),
}


def text(columns: str, rows: Sequence[str], mark: str = ",") -> str:
    return "\n".join([columns, *rows, ""]).replace(",", mark)


def folder(path: Path, mark: str = ",", **other: Sequence[str]) -> Path:
    """The four sections as a folder of text files; ``LabRES=rows`` puts other rows in one of them."""
    path.mkdir()
    for name, (columns, rows) in SECTIONS.items():
        (path / name).write_text(text(columns, other.get(name.removesuffix(".txt"), rows), mark), "utf-8")
    return path


def results(found: Reading) -> dict[tuple[str, str], dict[Any, Any]]:
    rows = found.observations.to_dict("records")
    assert len({(one["station"], one["parameter"]) for one in rows}) == len(rows)
    return {(one["station"], one["parameter"]): one for one in rows}


def facts(row: dict[Any, Any]) -> dict[str, str]:
    return dict(Flags.parse(row["flags"]).facts)


# EQuIS, several sections ---------------------------------------------------------------------------------------------


def test_four_files_are_one_delivery(tmp_path: Path) -> None:
    found = read(folder(tmp_path / "edd"))
    assert (found.format, found.rejects) == ("equis-edd", ())
    rows = results(found)
    assert set(rows) == {("MW-1", "arsenic"), ("MW-2", "arsenic"), ("MW-2", "benzene"), ("MW-3", "arsenic")}
    arsenic = rows["MW-1", "arsenic"]
    assert (arsenic["value"], arsenic["unit"], arsenic["row"], arsenic["series"]) == (12.0, "ug/L", 2, "t:MW1-A")
    assert (arsenic["time_ms"], arsenic["clock"]) == (1715682600000, "naive")  # 2024-05-14 10:30
    assert facts(arsenic) == {
        "lod": "0.2", "loq": "0.6", "reporting_level": "0.5", "fraction": "T", "sample": "MW1-A",
        "analysed": "2024-05-20T08:00:00", "method": "E200.8",
    }  # fmt: skip


def test_the_flag_n_is_a_non_detect_with_limits_in_the_results_unit(tmp_path: Path) -> None:
    row = results(read(folder(tmp_path / "edd")))["MW-2", "arsenic"]
    assert math.isnan(row["value"])
    assert (row["value_text"], row["clock"], row["time_ms"]) == ("ND", "day", 1715731200000)  # 00:00 is no time of day
    assert {name: facts(row)[name] for name in ("lod", "reporting_level", "dilution")} == {
        "lod": "1",
        "reporting_level": "2.5",
        "dilution": "5",
    }
    assert "loq" not in facts(row)  # a reporting limit is none


def test_a_reviewers_u_stands_over_the_laboratorys_flag(tmp_path: Path) -> None:
    row = results(read(folder(tmp_path / "edd")))["MW-3", "arsenic"]
    assert math.isnan(row["value"])
    assert (row["value_text"], Flags.parse(row["flags"]).qualifiers) == ("<2", ("<", "J", "U"))


def test_what_is_no_result_of_the_water_is_set_apart(tmp_path: Path) -> None:
    found = read(folder(tmp_path / "edd"))
    apart = found.tables["quality_control"]
    assert set(apart["result_value"]) == {"13", "99", "98", "96", "95"}  # duplicate, blanks, not reportable, surrogate
    (pair,) = found.tables["field_duplicates"].to_dict("records")
    assert (pair["value"], pair["parent"]) == ("13.0", "MW1-A")
    assert set(found.tables["not_water"]["result_value"]) == {"97"}


@pytest.mark.parametrize("mark", [",", "\t"])
def test_the_same_as_a_zip_and_as_a_folder(tmp_path: Path, mark: str) -> None:
    path = folder(tmp_path / "edd", mark)
    with ZipFile(tmp_path / "edd.zip", "w") as archive:
        for one in path.iterdir():
            archive.write(one, f"delivery/{one.name}")
    one, other = read(path), read(tmp_path / "edd.zip")
    assert one.observations.equals(other.observations)
    assert len(one.observations) == 4
    assert one.sha256 != other.sha256
    assert read(path).sha256 == one.sha256


def test_the_same_as_sheets_of_a_workbook(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Made-up laboratory"])
    for name, (columns, rows) in SECTIONS.items():
        sheet = book.create_sheet(name.removesuffix(".txt"))
        for line in csv.reader([columns, *rows]):
            sheet.append(line)
    book.save(tmp_path / "edd.xlsx")
    found = read(tmp_path / "edd.xlsx")
    assert found.format == "equis-edd"
    assert found.observations.equals(read(folder(tmp_path / "edd")).observations)


def test_a_result_section_alone_says_what_it_lacks(tmp_path: Path) -> None:
    alone = tmp_path / "LabRES.txt"
    alone.write_text(text(RESULT_COLUMNS, RESULT_ROWS), "utf-8")
    with pytest.raises(
        BadFile, match=r"LabRES\.txt: an EQuIS result section alone: deliver it with its sample section"
    ):
        read(alone)
    path = folder(tmp_path / "edd")
    (path / "LabSMP.txt").unlink()
    with pytest.raises(BadFile, match="result section alone"):
        read(path)
    (path / "LabRES.txt").unlink()
    (path / "LabSMP.txt").write_text(text(SAMPLE_COLUMNS, SAMPLE_ROWS), "utf-8")
    with pytest.raises(BadFile):
        read(path)


def test_a_result_without_its_sample_or_test_is_refused_by_row(tmp_path: Path) -> None:
    rows = (*RESULT_ROWS, f"MW9-A,{METAL},7440-38-2,Arsenic,1,TRG,Yes,Y,,,0.2,0.5,0.6,ug/L,ug/L",
            f"MW1-A,{METAL.replace('INITIAL', 'AGAIN')},7439-92-1,Lead,1,TRG,Yes,Y,,,0.2,0.5,,ug/L,ug/L")  # fmt: skip
    found = read(folder(tmp_path / "edd", LabRES=rows))
    assert [(one.row, one.raw, one.reason) for one in found.rejects] == [
        (12, "MW9-A", "no such sample in LabSMP.txt"), (13, "MW1-A", "no such test in LabTST.txt"),
    ]  # fmt: skip
    assert len(found.observations) == 4


def test_two_samples_of_one_code_are_not_chosen_between(tmp_path: Path) -> None:
    other = SAMPLE_ROWS[0].replace("MW-1", "MW-2")
    found = read(folder(tmp_path / "edd", LabSMP=(*SAMPLE_ROWS, SAMPLE_ROWS[0], other)))
    assert {one.reason for one in found.rejects} == {"two samples of this key that differ in LabSMP.txt"}
    assert ("MW-1", "arsenic") not in results(found)


@pytest.mark.parametrize(
    ("old", "new", "column", "reason"),
    [
        (",12,TRG,Yes,Y,", ",12,TRG,Yes,Q,", "detect_flag", "neither Y nor N"),
        (",12,TRG,Yes,Y,,", ",12,TRG,Yes,Y,U,", "detect_flag", "detected, and qualified U"),
        (",12,TRG,Yes,Y,", ",twelve,TRG,Yes,Y,", "result_value", "not a number"),
        (",0.6,ug/L,", ",0.6,furlong,", "result_unit", "unknown unit"),
        (",0.2,0.5,0.6,", ",low,0.5,0.6,", "method_detection_limit", "not a number"),
    ],
)
def test_a_bad_cell_is_named(tmp_path: Path, old: str, new: str, column: str, reason: str) -> None:
    assert old in RESULT_ROWS[0]
    found = read(folder(tmp_path / "edd", LabRES=(RESULT_ROWS[0].replace(old, new, 1), *RESULT_ROWS[1:])))
    assert [(one.row, one.column, one.reason) for one in found.rejects] == [(2, column, reason)]
    assert len(found.observations) == 3


def test_version_3_text_without_a_header_is_read_by_its_column_order(tmp_path: Path) -> None:
    """Columns of TestResultsQC and Sample of version 3, written out here as a laboratory sends them."""
    result = ["MW1-A", "E300.0", "05/20/2024 08:00:00", "T", "NA", "INITIAL", "WG", "LB", "NA", "", "1"]
    result += [""] * 16 + [
        "16887-00-6",
        "Chloride",
        "12.5",
        "",
        "TRG",
        "Yes",
        "Y",
        "",
        "",
        "",
        "N",
        "0.1",
        "0.5",
        "0.5",
    ]
    result += ["mg/L", "mg/L"] + [""] * 22 + ["SDG1"]
    sample = ["LAB", "MW1-A", "MW-1", "WG", "N", "Field", "", "SDG1", "05/14/2024 10:30:00", "MW-1"] + [""] * 19
    assert (len(result), len(sample)) == (66, 29)
    with ZipFile(tmp_path / "edd.zip", "w") as archive:
        archive.writestr("TestResultQC_v3.txt", ",".join(result) + "\n")
        archive.writestr("Sample_v3.txt", ",".join(sample) + "\n")
    (row,) = read(tmp_path / "edd.zip").observations.to_dict("records")
    assert (row["station"], row["parameter"], row["value"], row["unit"]) == ("MW-1", "chloride", 12.5, "mg/L")
    assert (row["row"], row["time_ms"]) == (1, 1715682600000)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(len(RESULT_ROWS))), others=st.permutations(range(len(SAMPLE_ROWS))))
def test_any_row_order_is_the_same_store(tmp_path_factory: Any, order: list[int], others: list[int]) -> None:
    base = tmp_path_factory.mktemp("order")
    shuffled = folder(base / "edd", LabRES=[RESULT_ROWS[n] for n in order], LabSMP=[SAMPLE_ROWS[n] for n in others])
    assert stored(read(shuffled)) == stored(read(folder(base / "plain")))


def stored(found: Reading) -> list[tuple[Any, ...]]:
    frame = place(found, SITE, ZoneInfo("America/Chicago")).frame.drop(columns="row").astype(str)
    assert len(frame) == 5  # four results, and the duplicate in a series of its own
    return sorted(frame.itertuples(index=False, name=None))


CONTROL_TYPES = ("EB", "FB", "TB", "LB", "MB", "MS", "SD", "BS", "LCS", "LR", "Trip blank", "Lab duplicate", "FD")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kinds=st.lists(st.sampled_from(("N", *CONTROL_TYPES)), min_size=1, max_size=8))
def test_no_quality_control_sample_is_ever_a_result(tmp_path_factory: Any, kinds: list[str]) -> None:
    path = tmp_path_factory.mktemp("qc") / "lab.csv"
    rows = [f"S{n},MW-1,2024-05-{n + 1:02},{kind},arsenic,{n + 1},ug/L" for n, kind in enumerate(kinds)]
    path.write_text(text("sample_id,location,date,sample_type,analyte,result,unit", rows), "utf-8")
    found = read(path)
    plain = [f"S{n}" for n, kind in enumerate(kinds) if kind == "N"]
    assert [facts(one)["sample"] for one in found.observations.to_dict("records")] == plain
    assert len(found.tables.get("quality_control", ())) == len(kinds) - len(plain)


# EQuIS, one section --------------------------------------------------------------------------------------------------

EZEDD = (
    "#sys_sample_code,sample_date,sample_type_code,lab_anl_method_name,analysis_date,fraction,cas_rn,chemical_name,"
    "result_value,detect_flag,lab_qualifiers,method_detection_limit,reporting_detection_limit,result_unit"
)
EZ_ROW = "A1,05/14/2024 10:30:00,N,E200.8,05/20/2024,{f},7440-38-2,Arsenic,1.20,Y,J,0.2,0.5,ug/L"


def test_ezedd_has_no_place_and_must_be_told_one(tmp_path: Path) -> None:
    path = tmp_path / "ez.csv"
    path.write_text(text(EZEDD, [EZ_ROW.format(f="D")]), "utf-8")
    found = read(path)
    assert found.format == "ezedd"
    assert [(one.column, one.reason.split(";")[0]) for one in place(found, SITE, ZoneInfo("UTC")).rejects] == [
        ("station", "the file names no station")
    ]
    (row,) = read(path, told=Told(station="MW-1")).observations.to_dict("records")
    assert (row["station"], row["value_text"], facts(row)["fraction"]) == ("MW-1", "1.20", "D")
    assert Flags.parse(row["flags"]).qualifiers == ("J",)


def test_n_is_no_fraction(tmp_path: Path) -> None:
    path = tmp_path / "ez.csv"
    path.write_text(text(EZEDD, [EZ_ROW.format(f="N")]), "utf-8")
    (row,) = read(path).observations.to_dict("records")
    assert "fraction" not in facts(row)


# Wisconsin -----------------------------------------------------------------------------------------------------------


@needs_samples
def test_swims_as_the_manifest_counts_it() -> None:
    found = read(SAMPLES / "wdnr-swims-csls.csv")
    rows = found.observations.to_dict("records")
    assert (found.format, found.rejects) == ("wdnr-swims", ())
    assert sum(not math.isnan(one["value"]) for one in rows) == 237
    assert sum(one["value_text"] == "ND" for one in rows) == 56
    assert len(found.tables["answers"]) == 187
    assert len({*found.observations["station"], *found.tables["answers"]["Station ID"]}) == 17
    assert len({facts(one)["sample"] for one in rows} | {""}) == 34
    between = [
        one for one in rows
        if (limits := facts(one)).get("lod") and not math.isnan(one["value"])
        and float(limits["lod"]) <= one["value"] < float(limits["loq"])
    ]  # fmt: skip
    assert len(between) == 35


@needs_samples
def test_swims_keeps_when_it_was_analysed_and_that_it_was_late() -> None:
    rows = read(SAMPLES / "wdnr-swims-csls.csv").observations.to_dict("records")
    late = [one for one in rows if "holding time" in facts(one).get("comment", "")]
    assert len(late) == 27
    assert all(facts(one)["analysed"][:10] == "2018-11-15" for one in late if "415224" in one["series"])
    assert {one["clock"] for one in rows} == {"naive"}
    first = next(one for one in rows if one["series"] == "00631:415224001")
    assert (first["parameter"], first["value"], first["unit"]) == ("nitrate_nitrite_as_n", 0.909, "mg/L")
    assert first["time_ms"] == 1539767100000  # 2018-10-17 09:05 on the wall clock


def test_ldes_never_reads_the_standards_in_the_file(tmp_path: Path) -> None:
    source = Path(__file__).parent / "data" / "ingest" / "wdnr-ldes.txt"
    other = tmp_path / "other.csv"
    other.write_text(source.read_text("utf-8").replace(",300,50", ",1,0.1").replace(",250,125", ",2,1"), "utf-8")
    found = read(source)
    assert found.observations.equals(read(other).observations)
    rows = results(found)
    assert math.isnan(rows["AB123", "manganese"]["value"])
    assert facts(rows["AB123", "manganese"])["lod"] == "0.5"
    assert rows["AB123", "chloride"]["value"] == 12.5


# Crosstabs and remarks -----------------------------------------------------------------------------------------------


@needs_samples
def test_ccal_as_the_manifest_counts_it() -> None:
    found = read(SAMPLES / "ccal-oregon-state-results.xlsx")
    undated, again = found.tables["undated"], found.tables["quality_control"]
    starred = [*undated[undated["flags"].str.contains("read *", regex=False)]["row"], *again["result"]]
    assert (found.format, found.rejects, len(found.observations)) == ("ccal", (), 0)
    assert sum("*" in one for one in again["result"]) + undated["flags"].str.contains("read \\*").sum() == 29
    assert len(starred) > 29
    assert set(undated["series"]) == {f"SPAC{n}" for n in range(1, 16)}
    assert {len(undated[undated["parameter"] == name]) for name in ("chloride", "sodium", "ammonia_as_n")} == {15}
    first = undated[(undated["series"] == "SPAC1") & (undated["parameter"] == "alkalinity_as_caco3")].iloc[0]
    last = undated[(undated["series"] == "SPAC15") & (undated["parameter"] == "alkalinity_as_caco3")].iloc[0]
    assert (first["value_text"], first["station"], first["row"]) == ("20.1", "99NPS0000001", "5")
    assert last["value_text"] == "21.21"
    assert found.facts["sheets"] == "SPAC Data"
    assert found.facts["sheets_not_read"] == "SPAC Information"


@needs_samples
def test_a_starred_number_is_no_number_and_no_limit() -> None:
    undated = read(SAMPLES / "ccal-oregon-state-results.xlsx").tables["undated"]
    one = undated[(undated["series"] == "SPAC1") & (undated["parameter"] == "ammonia_as_n")].iloc[0]
    assert (one["value"], one["value_text"]) == ("", "ND")
    assert not {"limit", "lod", "loq"} & set(Flags.parse(one["flags"]).facts)
    assert Flags.parse(one["flags"]).facts["comment"] == "read *0.007"


def test_laboratory_replicates_are_no_results() -> None:
    found = read(Path(__file__).parent / "data" / "ingest" / "ccal.txt")
    assert found.tables["quality_control"].to_dict("records") == [
        {"row": "3", "sample_id": "TOWN2", "column": "Duplicate NH3-N (mg N/L)", "result": "0.013"}
    ]
    assert "0.013" not in set(found.tables["undated"]["value_text"])


@needs_samples
def test_pairs_of_remark_and_value() -> None:
    found = read(SAMPLES / "choptank-nitrate-two-remarks.csv", told=Told(unit="mg/L", station="R-1"))
    rows = found.observations
    assert (found.format, len(rows), found.rejects) == ("two-remarks-csv", 14, ())
    censored = rows[rows["value"].isna()]
    assert sorted(censored["value_text"]) == ["<.50", "<0.25", "<0.99", "<1.24"]
    assert set(rows["parameter"]) == {"name:Nitrate (part)", "name:Nitrate2 (part)"}
    assert found.facts["parts_of_a_sum"] == "Nitrate, Nitrate2"


def test_a_single_pair_is_what_its_column_says(tmp_path: Path) -> None:
    path = tmp_path / "pair.csv"
    path.write_text("date,remark,chloride\n2024-05-01,,12.5\n2024-06-01,<,2\n", "utf-8")
    with pytest.raises(BadFile, match="no unit; say which with --unit"):
        read(path)
    found = read(path, told=Told(unit="mg/L"))
    assert found.observations[["parameter", "value_text", "unit"]].to_numpy().tolist() == [
        ["chloride", "12.5", "mg/L"], ["chloride", "<2", "mg/L"],
    ]  # fmt: skip


# Maps ----------------------------------------------------------------------------------------------------------------

MAP = """
date_order = "dmy"
[columns]
"Sample No." = "sample"
"Well" = "station"
"Taken" = "day"
"Kind" = "type"
"Substance" = "analyte"
"Found" = "value"
[constants]
unit = "mg/L as N"
lod = "0.02"
[marks]
"*" = "Not Detected"
"""
TABLE = "Town laboratory\n\nSample No.;Well;Taken;Kind;Substance;Found;Page\n1;MW-1;05/06/2024;N;Nitrate;1.25;3\n" \
    "2;MW-1;06/06/2024;N;Nitrate;*0.01;3\n3;MW-1;06/06/2024;Field blank;Nitrate;9;4\n"  # fmt: skip


def mapped(tmp_path: Path, map_text: str = MAP, table: str = TABLE) -> Reading:
    (tmp_path / "map.toml").write_text(map_text, "utf-8")
    (tmp_path / "table.csv").write_text(table, "utf-8")
    return read(tmp_path / "table.csv", table_map=load_map(tmp_path / "map.toml"))


def test_a_table_read_through_a_map(tmp_path: Path) -> None:
    found = mapped(tmp_path)
    assert (found.format, found.rejects, found.facts["columns_not_read"]) == ("mapped-table", (), "Page")
    one, other = found.observations.to_dict("records")
    assert (one["parameter"], one["value"], one["unit"], one["row"]) == ("nitrate_as_n", 1.25, "mg/L", 4)
    assert (other["value_text"], facts(other)["lod"]) == ("ND", "0.02")
    assert len(found.tables["quality_control"]) == 1


def test_dates_are_read_in_the_maps_order(tmp_path: Path) -> None:
    days = pd.to_datetime(mapped(tmp_path).observations["time_ms"], unit="ms").dt.date.astype(str)
    assert days.tolist() == ["2024-06-05", "2024-06-06"]  # written 05/06 and 06/06


def test_a_map_of_a_column_for_each_substance(tmp_path: Path) -> None:
    text = '[columns]\n"No" = "sample"\n"Day" = "day"\n[substances]\n"Cl-" = {parameter = "chloride", unit = "mg/L"}\n'
    text += '"NO3" = {parameter = "nitrate", unit = "mg/L as NO3"}\n'
    found = mapped(tmp_path, text, "No,Day,Cl-,NO3\n1,2024-05-01,12.5,40\n2,2024-05-02,,\n3,2024-05-03,x,1\n")
    assert found.observations[["parameter", "value", "row"]].to_numpy().tolist() == [
        ["chloride", 12.5, 2], ["nitrate_as_no3", 40.0, 2], ["nitrate_as_no3", 1.0, 4],
    ]  # fmt: skip
    assert [(one.row, one.column, one.raw) for one in found.rejects] == [(4, "Cl-", "x")]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"Kind" = "type"', '"Kind" = "colour"', "map.toml: columns.Kind: no such field (found 'colour'"),
        ('"Kind" = "type"', '"Sort" = "type"', "map.toml: type: the table has no such column (found 'Sort'"),
        ('"Found" = "value"', "", "map.toml: columns: give a column for value, or columns for substances"),
        ('"Kind" = "type"', '"Kind" = "value"', "map.toml: columns: two columns for one field (found 'value'"),
        ('lod = "0.02"', 'value = "1"', "map.toml: constants.value: both a column and a constant"),
        ('"Not Detected"', '"perhaps"', "map.toml: marks.*: unknown detection condition (found 'perhaps'"),
        ("[marks]", "[stamps]", "map.toml: stamps"),
        ('unit = "mg/L as N"', "unit = ", "map.toml: not valid TOML"),
    ],
)
def test_an_error_of_a_map_names_key_and_column(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in MAP
    with pytest.raises(BadFile) as caught:
        mapped(tmp_path, MAP.replace(old, new))
    assert said in str(caught.value)


def test_the_command_takes_a_map(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    mapped(tmp_path)
    assert cli.run(["read", str(tmp_path / "table.csv"), "--map", str(tmp_path / "map.toml")]) == 0
    assert "mapped-table, 2 series" in capfd.readouterr().out
    assert cli.run(["read", str(tmp_path / "table.csv"), "--map", str(tmp_path / "no.toml")]) == 2
    assert "no.toml: the map cannot be read" in capfd.readouterr().err


FOLDER = """
id = "mapped"
name = "A made-up site whose laboratory has a table of its own"
ordinance = "howard"
crs = "EPSG:7595"
reference_point = "made up"
boundary = [[158000.0, 164400.0], [159600.0, 164400.0], [159600.0, 167040.0], [158000.0, 167040.0]]
party = [{id = "op", role = "operator", name = "Example operator"}, {id = "town", role = "town", name = "Example"}]
permit = {number = "1", granted = 2020-01-01, ends = 2030-01-01, mining_began = 2021-01-01, holders = [
  {party = "op", since = 2020-01-01}]}
well = [{id = "MW-1", use = "monitoring", position = [158100.0, 164500.0]}]
"""


def test_what_is_read_through_a_map_is_stored_through_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = TABLE.replace(";1.25;", ";1,250;").replace("*0.01", "2,750")
    mapped(tmp_path)
    (tmp_path / "table.csv").write_text(text, "utf-8")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.toml").write_text(FOLDER, "utf-8")
    at = ["--site", str(tmp_path / "site"), "--json"]
    command = ["ingest", str(tmp_path / "table.csv"), "--map", str(tmp_path / "map.toml"), *at]
    assert cli.run([*command[:2], *at]) == 2
    capfd.readouterr()
    assert cli.run([*command, "--decimal", "comma"]) == 0
    (receipt,) = json.loads(capfd.readouterr().out)
    assert (receipt["format"], receipt["accepted"], receipt["rejected"]) == ("mapped-table", 2, 0)
    assert cli.run(["quality", "MW-1", *at]) == 0
    found = json.loads(capfd.readouterr().out)["verdicts"]
    assert {one["value_text"] for one in found if not one["value_text"].startswith("at least")} == {"1.250", "2.750"}
    # Of the sum of nitrate and nitrite one part is known.
    assert {one["value_text"] for one in found} >= {"at least 1.250", "at least 2.750"}


@pytest.mark.parametrize("unit", ["pg/L", "ng/L", "ug/L", "mg/L", "g/L"])
def test_a_zero_without_a_limit_is_no_result_in_any_unit_of_mass(tmp_path: Path, unit: str) -> None:
    found = mapped(tmp_path, MAP.replace("mg/L as N", f"{unit} as N").replace('lod = "0.02"', ""),
                   TABLE.replace(";1.25;", ";0;"))  # fmt: skip
    assert [(one.row, one.reason) for one in found.rejects] == [(4, "zero without detection information")]
