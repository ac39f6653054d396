"""What a laboratory's words mean: qualifiers, sample types, fractions, names, units of limits, and dates.

Every expectation is written by hand after NR 140.14 and the lists that laboratories use (EPA qualifiers, EQuIS and WQX
sample types).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.formats import read
from ingest.reading import Told
from models.errors import BadFile
from models.fractions import fraction_of, is_another
from models.observation import Flags
from models.parameters import find_parameter, parameters
from models.qualifiers import meanings
from models.sample_types import kind_of
from pipelines import cli
from tests.test_quality_command import SITE
from tests.test_wqp import narrow

HEADER = "sample_id,location,date,sample_type,parent,analyte,result,unit,qualifier,lod,loq,fraction"
Run = Callable[..., Any]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> Any:
        capfd.readouterr()
        cli.run([str(one) for one in (*arguments, "--json")])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return json.loads(out)

    return command


def table(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "lab.csv"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return path


def status(answer: Any, kind: str = "ES") -> dict[str, str]:
    return {one["sample"]: one["nr140_status"] for one in answer["verdicts"] if one["kind"] == kind}


def reasons(answer: Any) -> dict[str, str]:
    return {one["sample"]: one["reason"] for one in answer["not_judged"]}


# Qualifiers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code", ["U", "u", "UJ", "uj", "U*", "UB", "U/J", "JU", "ND", "nd", "N.D.", "*Non-detect", "BDL"]
)
def test_not_seen_however_it_is_written(code: str) -> None:
    assert meanings(code) == {"not_seen"}


@pytest.mark.parametrize("code", ["R", "r", "JR", "RJ", "J-R", "J/R", "Rejected"])
def test_rejected_however_it_is_written(code: str) -> None:
    assert meanings(code) == {"rejected"}


@pytest.mark.parametrize("code", ["J", "B", "H", "JB", "X", "", "HMSR", "R1", "red", "Raw", "Trace", "3"])
def test_a_remark_is_no_more_than_that(code: str) -> None:
    assert not meanings(code)


def test_a_code_of_two_meanings_is_not_decided_here() -> None:
    assert meanings("NR") == {"unclear"}


def test_joined_and_small_qualifiers_are_judged_like_the_plain_ones(run: Run, tmp_path: Path) -> None:
    codes = ["U", "u", "U*", "UB", "U/J", "nd", "<"]
    rows = [f"s{k},W,2025-05-{k + 1:02},,,lead,2,ug/L,{code},1,3," for k, code in enumerate(codes)]
    refused = [
        f"r{k},W,2025-06-{k + 1:02},,,lead,20,ug/L,{code},1,3," for k, code in enumerate(["r", "JR", "J-R", "NR"])
    ]
    answer = run("quality", table(tmp_path, *rows, *refused))
    assert status(answer)["r3"] == "needs_confirmation", "NR: rejected, or not reported"
    found = [one for one in answer["verdicts"] if one["kind"] == "ES" and one["sample"] != "r3"]
    assert {one["measured"].split()[0] for one in found} == {"<2"}, "a limit, and printed as one"
    assert not any(one["detected"] for one in found)
    assert {name: text[:8] for name, text in reasons(answer).items()} == {
        "r0": "rejected", "r1": "rejected", "r2": "rejected",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("result", "qualifier", "lod", "loq", "expected"),
    [
        ("3", "U", "1", "3", "not_attained"),  # not seen at the LOD, printed at the LOQ
        ("20", "U", "1", "3", "indeterminate"),  # a raised limit: a detect may hide between 1 and 20
        ("<20", "", "1", "3", "indeterminate"),
        ("20", "nd", "1", "3", "indeterminate"),
        ("20", "U", "", "", "indeterminate"),
        ("ND", "", "1", "3", "not_attained"),
    ],
)
def test_u_beside_a_number_over_the_loq_tells_no_more_than_the_number(
    run: Run, tmp_path: Path, result: str, qualifier: str, lod: str, loq: str, expected: str
) -> None:
    answer = run("quality", table(tmp_path, f"s,W,2025-05-01,,,lead,{result},ug/L,{qualifier},{lod},{loq},"))
    assert status(answer) == {"s": expected}


@pytest.mark.parametrize("text", ["BDL", "N.D.", "<MDL", "<LOD"])
def test_words_for_below_the_lod_are_a_non_detect(run: Run, tmp_path: Path, text: str) -> None:
    answer = run("quality", table(tmp_path, f"s,W,2025-05-01,,,lead,{text},ug/L,,1,3,"))
    assert [(one["measured"], one["nr140_status"]) for one in answer["verdicts"] if one["kind"] == "ES"] == [
        ("ND ug/L", "not_attained")
    ]


# Sample types --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "types"),
    [
        ("water", ["", "N", "Routine", "REG", "Sample-Routine", "Sample - Routine, regular", "Field Msr/Obs",
                   "Sample-Composite Without Parents"]),
        ("duplicate", ["FD", "fd", "Dup", "FDUP", "Field Duplicate", "field replicate",
                       "Quality Control Sample-Field Replicate", "Quality Control Field Replicate Msr/Obs"]),
        ("quality_control", ["EB", "MS", "MSD", "LCS", "TB", "Trip Blank", "Equipment Rinsate", "Split sample",
                             "Matrix spike duplicate", "Lab Duplicate", "Quality Control Sample-Lab Duplicate",
                             "Sample-Field Split", "Sample-Depletion Replicate", "QC sample", "Surrogate"]),
        ("unknown", ["XY", "D", "Mystery", "N2", "type 4"]),
    ],
)  # fmt: skip
def test_sample_types(kind: str, types: list[str]) -> None:
    assert {one: kind_of(one) for one in types} == dict.fromkeys(types, kind)


def test_coded_quality_control_and_unknown_types_are_never_judged(run: Run, tmp_path: Path) -> None:
    types = ["Routine", "EB", "MS", "LCS", "Equipment Rinsate", "Split sample", "XY"]
    rows = [f"s{k},W,2025-05-{k + 1:02},{one},,arsenic,12,ug/L,,0.3,1," for k, one in enumerate(types)]
    answer = run("quality", table(tmp_path, *rows))
    assert status(answer) == {"s0": "attained"}
    assert [one["sample_id"] for one in answer["quality_control"]] == ["s1", "s2", "s3", "s4", "s5"]
    assert reasons(answer) == {"s6": "sample type XY is not known: ask whether it is plain water of this place"}


def test_an_unknown_activity_type_of_the_portal_is_shown_and_not_judged(run: Run, tmp_path: Path) -> None:
    row = {"station": "W-1", "value": "20", "unit": "ug/l", "name": "Lead", "day": "2024-07-15"}
    path = tmp_path / "wqp.csv"
    path.write_text(narrow(row, row | {"kind": "Sample-Mystery", "activity": "T-2"}), "utf-8")
    answer = run("quality", path)
    assert {one["sample"] for one in answer["verdicts"]} == {"TOWN-1"}
    assert "Sample-Mystery" in reasons(answer)["T-2"]


# Field duplicates in the record --------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site.toml").write_text(SITE, "utf-8")
    return tmp_path


DELIVERED = (
    "1,M-1,2024-02-01,Routine,,arsenic,8,ug/L,,0.3,1,Dissolved",
    "1,M-1,2024-02-01,FD,1,arsenic,12,ug/L,,0.3,1,Dissolved",  # under its parent's own number
    "2,M-1,2024-02-02,EB,,arsenic,12,ug/L,,0.3,1,Dissolved",
    "3,M-1,2024-02-03,XY,,arsenic,12,ug/L,,0.3,1,Dissolved",
    "4,M-1,2024-02-04,Field Replicate,77,arsenic,13,ug/L,,0.3,1,Dissolved",
    "5,M-1,2024-02-05,Routine,,arsenic,13,ug/L,,0.3,1,Suspended",
)


def test_a_station_shows_its_duplicates_with_their_difference(run: Run, site: Path) -> None:
    """|8 - 12| / 10 = 40 %."""
    run("ingest", table(site, *DELIVERED), "--site", site)
    answer = run("quality", "M-1", "--site", site)
    assert status(answer) == {"1": "not_attained"}
    pair, alone = answer["duplicates"]
    assert (pair["sample"], pair["parent"], pair["rpd_percent"]) == ("1", "1", 40.0)
    assert pair["remark"].endswith("the parent is what is judged")
    assert (alone["parent"], alone["rpd_percent"]) == (None, None)
    assert alone["remark"].endswith("no result that it repeats is here, so nothing was judged")
    assert {one["sample"]: one["value_text"] for one in answer["not_judged"]} == {
        "1": "12",
        "3": "12",
        "4": "13",
        "5": "13",
    }


def test_a_delivery_says_what_of_it_is_not_judged_and_adds_up(run: Run, site: Path) -> None:
    receipt = run("ingest", table(site, *DELIVERED), "--site", site)[0]
    assert (receipt["accepted"], receipt["rejected"], receipt["set_apart"]) == (5, 0, 1)
    for words in (
        "1 quality-control row set apart, not stored", "2 field duplicates kept, not judged",
        "1 row of sample type XY, which is not known: kept, not judged",
        "1 row of fraction Suspended, which is not known: kept, not judged",
    ):  # fmt: skip
        assert words in receipt["note"]
    again = run("ingest", site / "lab.csv", "--site", site)[0]
    assert (again["accepted"], again["rejected"]) == (0, 0)


def test_a_duplicate_of_a_level_is_no_second_reading(run: Run, site: Path) -> None:
    rows = (
        "1,M-1,2024-02-01,Routine,,depth_to_water,8,ft,,,,",
        "2,M-1,2024-02-01,FD,1,depth_to_water,8.1,ft,,,,",
    )
    receipt = run("ingest", table(site, *rows), "--site", site)[0]
    assert (receipt["accepted"], receipt["set_apart"]) == (1, 1)


# Fractions -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "fraction", "another"),
    [
        ("T", "total", False), ("D", "dissolved", False), ("Field filtered", "dissolved", False),
        ("non-filtered", "total", False), ("Not filtered", "total", False), ("Total dissolved", "dissolved", False),
        ("Total Recoverable", "total", False), ("Filtered field and/or lab", "dissolved", False),
        ("Suspended", None, True), ("Acid soluble", None, True), ("Non-Filterable (Particle)", None, True),
        ("XYZ", None, True), ("", None, False), ("None", None, False), ("Volatile", None, False),
    ],
)  # fmt: skip
def test_fractions(said: str, fraction: str | None, another: bool) -> None:
    assert (fraction_of(said, ""), is_another(said)) == (fraction, another)


def test_another_fraction_does_not_take_the_one_of_a_code() -> None:
    assert (fraction_of("", "01002"), fraction_of("Suspended", "01002")) == ("total", None)


def test_a_part_of_the_water_is_shown_and_a_fraction_in_the_name_counts(run: Run, site: Path) -> None:
    rows = [
        "1,M-1,2024-02-01,,,\"Iron, Dissolved\",0.9,mg/L,,0.001,0.003,",
        "2,M-1,2024-02-02,,,\"Iron, total\",0.9,mg/L,,0.001,0.003,",
        "3,M-1,2024-02-03,,,Iron,0.9,mg/L,,0.001,0.003,Acid soluble",
        "4,M-1,2024-02-04,,,Iron,0.9,mg/L,,0.001,0.003,D",
        "5,M-1,2024-02-05,,,Iron,0.9,mg/L,,0.001,0.003,T",
        "6,M-1,2024-02-06,,,\"Iron, total\",0.9,mg/L,,0.001,0.003,Dissolved",
    ]  # fmt: skip
    receipt = run("ingest", table(site, *rows), "--site", site)[0]
    assert receipt["rejected"] == 1, "a name that contradicts its own column is not taken"
    answer = run("quality", "M-1", "--site", site)
    assert status(answer) == {"1": "attained", "4": "attained"}
    assert set(reasons(answer)) == {"2", "3", "5"}


# Names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("Trichloroethene", "trichloroethylene"), ("Tetrachloroethene", "tetrachloroethylene"),
        ("Chlorobenzene", "monochlorobenzene"), ("Xylenes Total", "xylene"), ("Xylenes, total", "xylene"),
        ("Alachlor ESA", "alachlor_ethane_sulfonic_acid"), ("Nitrate-N", "nitrate_as_n"), ("NO3-N", "nitrate_as_n"),
        ("Nitrate", "nitrate_basis_unstated"), ("Ammonia", "ammonia_basis_unstated"), ("NH3-N", "ammonia_as_n"),
        ("Nitrite (NO2-N), dissolved", "nitrite_as_n"), ("Nitrate+nitrite as N, total", "nitrate_nitrite_as_n"),
        ("Lead, total", "lead"), ("Lead (dissolved)", "lead"), ("Total zinc", "zinc"),
        ("Benzo[a]pyrene", "benzopyrene"),
        ("Chromium, total", "chromium"), ("Manganese, total recoverable", "manganese"),
    ],
)  # fmt: skip
def test_names_that_laboratories_use(tmp_path: Path, name: str, id: str) -> None:
    (row,) = read(table(tmp_path, f's,W,2025-05-01,,,"{name}",1,mg/L,,,,')).observations.to_dict("records")
    assert row["parameter"] == id


def test_no_name_stands_for_two_substances() -> None:
    for one in parameters().values():
        for name in (one.id, one.name, *one.aliases):
            assert find_parameter("name", name) == one, name


def test_an_unknown_name_is_not_said_to_have_no_standard(run: Run, tmp_path: Path) -> None:
    rows = ["a,W,2025-05-01,,,Unobtainium,1,ug/L,,,,", "b,W,2025-05-01,,,Calcium,1,mg/L,,,,"]
    found = reasons(run("quality", table(tmp_path, *rows)))
    assert found["a"].startswith("no known name, so a standard may stand under another one")
    assert found["b"] == "no standard of the set names it"


def test_ammonia_without_a_basis_hangs_on_it(run: Run, tmp_path: Path) -> None:
    """ES 9.7 as N: 9.7 as NH3 is 9.7 x 14.007 / 17.031 = 7.98; 12 as NH3 is 9.87."""
    rows = ["a,W,2025-05-01,,,Ammonia,9.7,mg/L,,0.1,0.3,", "b,W,2025-05-02,,,Ammonia,12,mg/L as NH3,,0.1,0.3,"]
    found = status(run("quality", table(tmp_path, *rows)))
    assert found == {"a": "indeterminate", "b": "attained"}


def test_nitrate_without_a_basis_is_the_same_from_every_reader(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wqp.csv"
    path.write_text(narrow({"station": "W-1", "value": "20", "unit": "mg/l", "name": "Nitrate"}), "utf-8")
    assert list(status(run("quality", path)).values()) == ["indeterminate"]
    assert list(status(run("quality", table(tmp_path, "a,W,2025-05-01,,,Nitrate,20,mg/L,,,,"))).values()) == [
        "indeterminate"
    ]


# Units ---------------------------------------------------------------------------------------------------------------

WITH_UNIT = "sample_id,location,date,analyte,result,unit,detection_limit,detection_limit_unit,loq"
SHARED = "sample_id,location,date,analyte,result,unit,method_detection_limit,quantitation_limit,detection_limit_unit"


@pytest.mark.parametrize(
    ("header", "row", "lod", "loq", "found"),
    [
        (WITH_UNIT, "a,W,2025-05-01,lead,0.016,mg/L,0.5,ug/L,0.003", "0.0005", "0.003", "attained"),
        (WITH_UNIT, "a,W,2025-05-01,lead,ND,mg/L,500,ug/L,", "0.5", "", "not_attained"),
        (WITH_UNIT, "a,W,2025-05-01,lead,15,ug/L,0.0005,mg/L,3", "0.5", "3", "attained"),
        (WITH_UNIT, "a,W,2025-05-01,lead,15,ug/L,0.5,,3", "0.5", "3", "attained"),
        (SHARED, "a,W,2025-05-01,lead,0.016,mg/L,0.5,3,ug/L", "0.0005", "0.003", "attained"),
    ],
)
def test_a_limit_has_the_unit_that_is_stated_for_it(
    run: Run, tmp_path: Path, header: str, row: str, lod: str, loq: str, found: str
) -> None:
    path = table(tmp_path, row, header=header)
    facts = Flags.parse(read(path).observations["flags"].item()).facts
    assert (facts.get("lod", ""), facts.get("loq", "")) == (lod, loq)
    assert status(run("quality", path)) == {"a": found}


def test_a_limit_in_an_unknown_unit_is_refused(run: Run, tmp_path: Path) -> None:
    path = table(tmp_path, "a,W,2025-05-01,lead,15,ug/L,0.5,bags,3", header=WITH_UNIT)
    (reject,) = run("quality", path)["rejects"]
    assert (reject["column"], reject["raw"], reject["reason"]) == ("detection_limit_unit", "bags", "unknown unit")


@pytest.mark.parametrize(("name", "x", "unit"), [("Odor", "3", "TON"), ("Color", "15", "CU"), ("Color", "15", "PCU")])
def test_units_of_odor_and_color(run: Run, tmp_path: Path, name: str, x: str, unit: str) -> None:
    answer = run("quality", table(tmp_path, f"a,W,2025-05-01,,,{name},{x},{unit},,,1,"))
    assert status(answer) == {"a": "attained"}, "the standards are 3 TON and 15 color units"


# E. coli -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "unit", "lod", "expected", "proves_nothing"),
    [
        ("TNTC", "CFU/100mL", "", "attained", False),
        ("Positive", "", "", "attained", False),
        ("Present", "P/A", "", "attained", False),
        ("Absent", "P/A", "", "not_attained", False),
        ("Negative", "", "", "not_attained", False),
        ("1", "CFU/mL", "", "attained", False),
        ("<1", "MPN/100mL", "1", "not_attained", False),
        ("<10", "MPN/100mL", "10", "not_attained", True),  # 140.14(3)(a), and nine organisms may hide
        ("<10", "MPN/100mL", "", "indeterminate", False),
    ],
)
def test_e_coli(
    run: Run, tmp_path: Path, result: str, unit: str, lod: str, expected: str, proves_nothing: bool
) -> None:
    answer = run("quality", table(tmp_path, f"a,W,2025-05-01,,,E. coli,{result},{unit},,{lod},,"))
    (found,) = [one for one in answer["verdicts"] if one["kind"] == "ES"]
    assert (found["nr140_status"], found["proves_nothing"]) == (expected, proves_nothing)


def test_a_count_below_zero_is_refused(run: Run, tmp_path: Path) -> None:
    (reject,) = run("quality", table(tmp_path, "a,W,2025-05-01,,,E. coli,-1,MPN/100mL,,,,"))["rejects"]
    assert reject["reason"] == "negative"


# Dates ---------------------------------------------------------------------------------------------------------------

TWO_ORDERS = ("a,W,2025-05-01,,,lead,20,ug/L,,,,", "b,W,05/06/2025,,,lead,20,ug/L,,,,")


def test_a_year_in_front_decides_nothing_for_the_row_beside_it(tmp_path: Path) -> None:
    path = table(tmp_path, *TWO_ORDERS)
    for told in (None, "ymd"):
        with pytest.raises(BadFile, match="say which with --date-order"):
            read(path, told=Told(told))


@pytest.mark.parametrize(("order", "day"), [("mdy", "2025-05-06"), ("dmy", "2025-06-05")])
def test_an_order_that_is_told_is_the_one_that_is_read(run: Run, tmp_path: Path, order: str, day: str) -> None:
    answer = run("quality", table(tmp_path, *TWO_ORDERS), "--date-order", order)
    assert {one["sample"]: one["sampled"] for one in answer["verdicts"]} == {"a": "2025-05-01", "b": day}


# Means ---------------------------------------------------------------------------------------------------------------


def test_present_below_the_quantification_limit_is_counted_with_what_is_below_a_limit(run: Run) -> None:
    data = Path(__file__).parent / "data"
    case, above = data / "cases" / "CENS-01", data / "standards" / "above.toml"
    right = {one["name"]: one["value"] for one in json.loads((case / "expected.json").read_text("utf-8"))["checks"]}
    answer = run("quality", case / "input.csv", "--parameter", "phenol", "--standards", above, "--summary")
    (found,) = answer["summaries"]
    assert (found["n_detected"], found["n"] - found["n_detected"]) == (right["detections"], right["non-detects"])
    assert found["mean"] == [pytest.approx(1.2 / 3), pytest.approx((0.05 + 1.2 + 0.1) / 3)]
