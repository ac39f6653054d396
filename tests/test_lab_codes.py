"""A non-detect stays one however it is written, and what is not understood is never a plain detection.

Every expectation is written by hand after NR 140.14, the EPA data review guidelines, and the remark codes of STORET.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.cells import coded
from ingest.formats import read
from ingest.laboratory import grn, ldes
from ingest.reading import Source
from ingest.wqx.detection import beside
from models.errors import BadFile
from models.observation import Flags
from models.qualifiers import meanings, said_by
from pipelines import cli
from tests.test_wqp import narrow

HEADER = "sample_id,location,date,analyte,cas,storet,result,unit,qualifier,lod,loq"
GRN = (
    "WI Unique Well #,Sample Collection Date,Storet Parameter Description,Storet Parameter Code,"
    "Sample Analytical Result Amount,Result Text,Units,Sample Analytical Qualifier,LOD,LOQ,Labslip #/Sample ID"
)
LDES = (
    "sample_labslip_id,wi_unique_well,sample_collection_date,dnr_parameter_code,result_value,result_amt,units,lod,loq"
)
EQUIS = (
    "sys_sample_code,sys_loc_code,sample_date,cas_rn,chemical_name,result_value,detect_flag,lab_qualifiers,"
    "validator_qualifiers,method_detection_limit,quantitation_limit,result_unit,detection_limit_unit"
)
Judge = Callable[[Path], dict[str, str]]


@pytest.fixture
def judge(capfd: pytest.CaptureFixture[str]) -> Judge:
    """The status by the enforcement standard of each sample, ``shown`` for what is not judged."""

    def command(path: Path) -> dict[str, str]:
        capfd.readouterr()
        cli.run(["quality", str(path), "--json"])
        answer = json.loads(capfd.readouterr().out)
        found = {one["sample"]: one["nr140_status"] for one in answer["verdicts"] if one["kind"] == "ES"}
        return found | {one["sample"]: "shown" for one in answer["not_judged"]}

    return command


def written(folder: Path, header: str, *rows: str) -> Path:
    path = folder / "lab.csv"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return path


def lab(sample: str = "s", **cells: str) -> str:
    said = {
        "day": "2025-06-01", "analyte": "Arsenic", "cas": "", "storet": "", "result": "12", "unit": "ug/L",
        "code": "", "lod": "0.5", "loq": "2",
    } | cells  # fmt: skip
    return ",".join([sample, "MW-1", *(f'"{text}"' for text in said.values())])


def one_of(folder: Path, header: str, row: str) -> tuple[Any, list[tuple[str, str]]]:
    """The one observation, None where it was refused, and what was refused by column and reason."""
    found = read(written(folder, header, row))
    rows = found.observations.to_dict("records")
    return (rows[0] if rows else None), [(one.column, one.reason) for one in found.rejects]


# Codes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["UJBH", "NDJ", "BMDL", "UJ+", "Not Detected", "none detected", "Below LOD", "UJ-"])
def test_codes_of_a_non_detect(code: str) -> None:
    assert meanings(code) == {"not_seen"}


@pytest.mark.parametrize(
    "code",
    ["UJH4", "UX", "U1", "UU", "XU", "K", "T", "W", "KJ", "BRL", "BQL", "BPQL", "KRMDL", "NDB", "under", "RPD<20",
     "Not detected in blank", "no analyte detected"],
)  # fmt: skip
def test_a_code_with_a_sign_of_not_detected_that_is_not_understood_is_unclear(code: str) -> None:
    assert meanings(code) == {"unclear"}


@pytest.mark.parametrize(
    "code",
    ["J", "M", "E", "HMSR", "R1", "Duplicate", "result", "MS/MSD recovery outside limits", "Between LOD and LOQ",
     "Detected above LOD", "1.2E-05", "12"],
)  # fmt: skip
def test_a_remark_stays_one(code: str) -> None:
    assert not meanings(code)


def test_a_mark_of_less_and_of_more() -> None:
    assert meanings("LT") == meanings("less than RL") == {"below"}
    assert meanings("GT") == {"above"}


def test_a_code_of_doubt_weighs_nothing_beside_one_that_is_sure() -> None:
    assert said_by(["U", "W"]) == said_by(["K", "ND"]) == {"not_seen"}
    assert said_by(["R", "UX"]) == {"rejected", "unclear"}


def test_a_phrase_split_at_its_blanks_is_one_and_a_condition_is_not_taken_apart() -> None:
    assert said_by(["J", "Not", "Detected"]) == {"not_seen"}
    assert not said_by(["between-LOD-LOQ", "limit-not-positive", "lod-above-loq"])
    assert not said_by(["Present Below Quantification Limit", "Under review"])
    assert said_by(["< 0.5"]) == {"below"}


def test_no_code_of_doubt_beside_twelve_attains_ten(judge: Judge, tmp_path: Path) -> None:
    """ES of arsenic 10 ug/L; a U beside 12, over the LOQ of 2, says that nothing below 12 was looked for."""
    limits = ["UJBH", "NDJ", "LT", "Not Detected", "non-detect"]
    doubts = ["UJH4", "UX", "U1", "UU", "BRL", "BQL", "K", "NDB"]
    codes = [*limits, *doubts, "J"]
    found = judge(written(tmp_path, HEADER, *(lab(f"s{k}", code=code) for k, code in enumerate(codes))))
    by_code = {code: found[f"s{k}"] for k, code in enumerate(codes)}
    assert by_code == dict.fromkeys(limits, "indeterminate") | dict.fromkeys(doubts, "needs_confirmation") | {
        "J": "attained"
    }


# Behind the number ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2U", ("2", "U")), ("12 J", ("12", "J")), ("12 (J)", ("12", "J")), ("<2.0 U", ("<2.0", "U")),
        ("2 UJ+", ("2", "UJ+")), ("ND (2.0)", ("<2.0", "ND")), ("nd(<2)", ("<2", "ND")), ("ND @ 2", ("<2", "ND")),
        ("12E", ("12", "E")), ("1.2E-05", ("1.2E-05", "")), ("12 h", ("12 h", "")), ("12 ppb", ("12 ppb", "")),
        ("12 PPB", ("12 PPB", "")), ("ND", ("ND", "")), ("", ("", "")), ("12 mg/L", ("12 mg/L", "")),
    ],
)  # fmt: skip
def test_a_code_written_behind_the_number(text: str, expected: tuple[str, str]) -> None:
    assert coded(text) == expected


def test_a_result_with_its_code_behind_it_is_judged_by_both(judge: Judge, tmp_path: Path) -> None:
    """ND (20) against an ES of 10 with an LOQ of 2: the limit was raised, and 12 may hide below it."""
    results = {"a": "2U", "b": "12 J", "c": "ND (2.0)", "d": "ND (20)", "e": "12U"}
    found = judge(written(tmp_path, HEADER, *(lab(name, result=text) for name, text in results.items())))
    assert found == {"a": "not_attained", "b": "attained", "c": "not_attained", "d": "indeterminate",
                     "e": "indeterminate"}  # fmt: skip


# Blank results -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "text", "limit"),
    [
        ("U", "ND", ""), ("ND", "ND", ""), ("Not Detected", "ND", ""), ("<", "<2", "2"), ("LT", "<2", "2"),
        ("BRL", "<2", "2"),
    ],
)  # fmt: skip
def test_a_blank_result_with_a_code_of_a_non_detect_is_one(tmp_path: Path, code: str, text: str, limit: str) -> None:
    row, refused = one_of(tmp_path, HEADER, lab(result="", code=code))
    assert (refused, row["value_text"], math.isnan(row["value"])) == ([], text, True)
    facts = Flags.parse(row["flags"]).facts
    assert (facts["lod"], facts["loq"], facts.get("limit", "")) == ("0.5", "2", limit)


@pytest.mark.parametrize("code", ["", "J", "UX", "K", "R"])
def test_a_blank_result_without_one_is_refused(tmp_path: Path, code: str) -> None:
    assert one_of(tmp_path, HEADER, lab(result="", code=code)) == (None, [("result", "blank")])


def test_a_blank_result_below_an_unknown_limit_is_refused(tmp_path: Path) -> None:
    assert one_of(tmp_path, HEADER, lab(result="", code="<", lod="", loq=""))[1] == [("result", "blank")]


def test_blank_non_detects_of_the_other_readers(tmp_path: Path) -> None:
    equis = "a,MW-1,06/15/2025,7440-38-2,Arsenic,,,U,,0.5,2,ug/L,ug/L"
    state = "MW-1,06/15/2025,ARSENIC,1002,,,UG/L,U,0.5,2,G2"
    for header, row in ((EQUIS, equis), (GRN, state)):
        found, refused = one_of(tmp_path, header, row)
        assert (refused, found["value_text"]) == ([], "ND")


# The word beside the amount ------------------------------------------------------------------------------------------


def from_grn(amount: str, text: str, code: str = "", number: str = "1002", name: str = "ARSENIC") -> Any:
    row = f"MW-1,06/01/2025,{name},{number},{amount},{text},UG/L,{code},0.5,2,G"
    parts = grn.parse(Source("grn.csv", f"{GRN}\n{row}\n"))
    rows = parts.observations.to_dict("records")
    return rows[0] if rows else [(one.column, one.raw, one.reason) for one in parts.rejects]


@pytest.mark.parametrize(
    ("amount", "text", "value", "written_as"),
    [
        ("12", "<LOD", None, "ND"), ("12", "BELOW DETECTION", None, "ND"), ("12", "BELOW LOD", None, "ND"),
        ("12", "NOT DETECTED", None, "ND"), ("12", "<12", None, "<12"), ("0", "<2", None, "<2"),
        ("12", "<RL", None, "<12"), (">50", "", None, ">50"), ("", "<2", None, "<2"), ("2U", "", None, "<2"),
        ("12", "12", 12.0, "12"), ("12", "12.0", 12.0, "12"), ("12", "NORMAL QUANTIFIED RESULT", 12.0, "12"),
        ("", "12", 12.0, "12"), ("1.2", "DETECT BETWEEN LOD & LOQ", 1.2, "1.2"), ("12 J", "", 12.0, "12"),
    ],
)  # fmt: skip
def test_grn_reads_the_text_beside_the_amount(amount: str, text: str, value: float | None, written_as: str) -> None:
    row = from_grn(amount, text)
    assert (None if math.isnan(row["value"]) else row["value"], row["value_text"]) == (value, written_as)


def test_grn_keeps_a_raised_limit_of_a_non_detect() -> None:
    """12 beside not detected, LOQ 2: what was looked for lies above 12, not at the LOD."""
    facts = Flags.parse(from_grn("12", "BELOW DETECTION")["flags"]).facts
    assert (facts["limit"], facts["limit_is"]) == ("12", "rl")


@pytest.mark.parametrize(
    ("amount", "text", "raw", "reason"),
    [
        ("12", "SEE COMMENT", "SEE COMMENT", "unknown detection condition"),
        ("12", "15", "15", "a number beside another amount"),
        ("12", "<2", "<2", "a number beside another amount"),
    ],
)
def test_grn_refuses_a_text_that_it_does_not_understand(amount: str, text: str, raw: str, reason: str) -> None:
    assert from_grn(amount, text) == [("Result Text", raw, reason)]


def from_ldes(value: str, amount: str) -> Any:
    row = f"L,MW-1,06/15/2025,1002,{value},{amount},UG/L,0.5,2"
    parts = ldes.parse(Source("ld.csv", f"{LDES}\n{row}\n"))
    rows = parts.observations.to_dict("records")
    return rows[0] if rows else [(one.column, one.raw, one.reason) for one in parts.rejects]


@pytest.mark.parametrize(
    ("value", "amount", "number", "written_as"),
    [
        ("<2", "2", None, "<2"), ("<2", "0", None, "<2"), ("<2", "", None, "<2"), ("BELOW LOD", "15", None, "ND"),
        ("ND", "", None, "ND"), ("2U", "2", None, "<2"), ("12", "12.0", 12.0, "12.0"), ("12", "", 12.0, "12"),
        ("", "12", 12.0, "12"), ("12 J", "12", 12.0, "12"), (">50", "50", None, ">50"),
    ],
)  # fmt: skip
def test_ldes_reads_the_value_beside_the_amount(value: str, amount: str, number: float | None, written_as: str) -> None:
    row = from_ldes(value, amount)
    assert (None if math.isnan(row["value"]) else row["value"], row["value_text"]) == (number, written_as)


@pytest.mark.parametrize(
    ("value", "amount", "reason"),
    [
        ("12", "15", "a number beside another amount"), ("<2", "5", "a number beside another amount"),
        ("SEE COMMENT", "15", "unknown detection condition"),
    ],
)  # fmt: skip
def test_ldes_refuses_two_numbers_and_unknown_words(value: str, amount: str, reason: str) -> None:
    assert from_ldes(value, amount) == [("result_value", value, reason)]


def test_a_number_over_the_loq_beside_not_detected_is_a_raised_limit(tmp_path: Path) -> None:
    """15 beside below LOD, LOQ 2: nothing below 15 was looked for, whichever column says so."""
    facts = Flags.parse(from_ldes("BELOW LOD", "15")["flags"]).facts
    assert (facts["lod"], facts["limit"], facts["limit_is"]) == ("0.5", "15", "rl")
    assert "limit" not in Flags.parse(from_ldes("BELOW LOD", "2")["flags"]).facts


def test_an_amount_and_the_cell_beside_it() -> None:
    assert beside("2", "<2.0") == ("<2.0", "")
    assert beside("<2", "2") == ("<2", "")
    assert beside("0", "2") == ("0", "2"), "without a mark the two contradict each other"


# Two substances ------------------------------------------------------------------------------------------------------

ARSENIC, LEAD = "7440-38-2", "7439-92-1"


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"analyte": "Lead", "cas": ARSENIC}, "cas"),
        ({"analyte": "Arsenic, dissolved", "cas": LEAD}, "cas"),
        ({"analyte": "Lead", "storet": "1002"}, "analyte"),
        ({"analyte": "", "storet": "1002", "cas": LEAD}, "cas"),
        ({"analyte": "Xylene", "cas": "108-38-3"}, "cas"),  # the sum, and meta-xylene
    ],
)
def test_a_result_that_names_two_substances_is_refused(tmp_path: Path, cells: dict[str, str], column: str) -> None:
    row, ((found, reason),) = one_of(tmp_path, HEADER, lab(**cells))
    assert (row, found) == (None, column)
    assert reason.endswith("two substances")


@pytest.mark.parametrize(
    ("cells", "id"),
    [
        ({"analyte": "Lead", "cas": LEAD}, "lead"),
        ({"analyte": "Lead", "cas": "999-99-9"}, "lead"),
        ({"analyte": "Nitrate as N", "cas": "14797-55-8", "unit": "mg/L"}, "nitrate_as_n"),
        ({"analyte": "Nitrate", "cas": "14797-55-8", "unit": "mg/L"}, "nitrate_basis_unstated"),
        ({"analyte": "m,p-Xylenes", "cas": "108-38-3"}, "m_p_xylene"),
        ({"analyte": "NITROGEN NO3+NO2", "storet": "631", "unit": "mg/L"}, "nitrate_nitrite_as_n"),
        ({"analyte": "Atrazine", "cas": "1912-24-9"}, "atrazine"),
    ],
)
def test_names_and_numbers_that_agree_or_are_not_known(tmp_path: Path, cells: dict[str, str], id: str) -> None:
    row, refused = one_of(tmp_path, HEADER, lab(**cells))
    assert (refused, row["parameter"]) == ([], id)


def test_the_other_readers_refuse_two_substances_too(tmp_path: Path) -> None:
    equis = f"a,MW-1,06/15/2025,{ARSENIC},Lead,12,Y,,,0.5,2,ug/L,ug/L"
    assert one_of(tmp_path, EQUIS, equis)[1] == [("cas_rn", "Arsenic, and beside it Lead: two substances")]
    assert from_grn("12", "", name="LEAD TOTAL") == [
        ("Storet Parameter Code", "1002", "Lead, and beside it Arsenic: two substances")
    ]
    portal = tmp_path / "wqp.csv"
    row = {"station": "W-1", "value": "20", "unit": "ug/l", "name": "Lead", "code": "01000"}  # dissolved arsenic
    portal.write_text(narrow(row), "utf-8")
    (refused,) = read(portal).rejects
    assert refused.reason == "Lead, and beside it Arsenic: two substances"


# Limits and amounts --------------------------------------------------------------------------------------------------


def equis(value: str, flag: str, lod: str = "0.5", unit: str = "ug/L", limit_unit: str = "", reviewed: str = "") -> str:
    return f"a,MW-1,06/15/2025,{ARSENIC},Arsenic,{value},{flag},,{reviewed},{lod},,{unit},{limit_unit}"


@pytest.mark.parametrize(
    ("row", "taken"),
    [
        (equis("0.012", "Y", unit="mg/L"), False),  # 12 ug/L, or below 0.5 mg/L: nobody can tell
        (equis("0.4", "Y"), False),
        (equis("0", "Y"), False),
        (equis("0.5", "Y"), True),
        (equis("0.012", "Y", unit="mg/L", limit_unit="ug/L"), True),
        (equis("0.4", "N"), True),
        (equis("0.4", "Y", reviewed="U"), True),  # the reviewer's word stands over the laboratory's flag
    ],
)
def test_detected_below_its_own_lod_is_a_contradiction(tmp_path: Path, row: str, taken: bool) -> None:
    found, refused = one_of(tmp_path, EQUIS, row)
    assert (found is not None, [column for column, _ in refused]) == (taken, [] if taken else ["detect_flag"])


def test_exchanged_limits_are_said_and_decide_nothing(judge: Judge, tmp_path: Path) -> None:
    """LOD 2 above LOQ 0.5: 12 lies above both; 1 lies above one of them only, whichever is the LOD."""
    row, _ = one_of(tmp_path, HEADER, lab(lod="2", loq="0.5"))
    assert Flags.parse(row["flags"]).qualifiers == ("lod-above-loq",)
    assert judge(tmp_path / "lab.csv") == {"s": "attained"}
    assert one_of(tmp_path, HEADER, lab(result="1", lod="2", loq="0.5")) == (
        None, [("result", "the LOD is above the LOQ, and the amount below the LOD")],
    )  # fmt: skip
    assert Flags.parse(one_of(tmp_path, HEADER, lab(lod="2", loq="2"))[0]["flags"]).qualifiers == ()


@pytest.mark.parametrize(
    ("result", "unit", "taken"),
    [("1000000000", "ug/L", True), ("1000000001", "ug/L", False), ("1001", "g/L", False), ("9" * 33, "ug/L", False),
     ("<1e12", "mg/L", False)],
)  # fmt: skip
def test_nothing_in_a_litre_weighs_more_than_the_water(tmp_path: Path, result: str, unit: str, taken: bool) -> None:
    """1 kg/L is 1e9 ug/L."""
    assert (one_of(tmp_path, HEADER, lab(result=result, unit=unit))[0] is not None) == taken


@pytest.mark.parametrize("unit", ["mg-N/L", "mg N/L", "mg-N/l", "mg/L-N", "mg/L as N"])
def test_a_basis_inside_the_unit(tmp_path: Path, unit: str) -> None:
    row, _ = one_of(tmp_path, HEADER, lab(analyte="Nitrogen, Nitrate (as N)", unit=unit))
    assert (row["parameter"], row["unit"]) == ("nitrate_as_n", "mg/L")
    assert one_of(tmp_path, HEADER, lab(analyte="Nitrate", unit="mg-NO3/L"))[0]["parameter"] == "nitrate_as_no3"


# Dates, separators, encodings ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("day", ["15-Jun-2025", "15 June 2025", "Jun 15, 2025", "2025-Jun-15", "15-JUN-2025"])
def test_a_month_in_words(tmp_path: Path, day: str) -> None:
    """1,749,945,600 s are 20,254 days: 55 years, 14 leap days and 165 days to 15 June."""
    assert 55 * 365 + 14 + 165 == 20254
    row, refused = one_of(tmp_path, HEADER, lab(day=day))
    assert (refused, row["time_ms"], row["clock"]) == ([], 20254 * 86_400_000, "day")


def test_a_month_in_words_leaves_the_order_of_other_dates_open(tmp_path: Path) -> None:
    rows = [lab("a", day="15-Jun-2025"), lab("b", day="05/13/2025")]
    found = read(written(tmp_path, HEADER, *rows))
    assert found.observations["time_ms"].tolist() == [20254 * 86_400_000, 20221 * 86_400_000]
    for wrong in ("31-Jun-2025", "15-Jux-2025", "15-Jun-25", "15-Jun-20255"):
        assert one_of(tmp_path, HEADER, lab(day=wrong))[0] is None


@pytest.mark.parametrize("first", ["sep=;", '"sep=;"', "SEP=;"])
def test_a_first_line_for_the_spreadsheet_is_no_header(tmp_path: Path, first: str) -> None:
    path = tmp_path / "lab.csv"
    path.write_text(
        f"{first}\r\nsample_id;well;sample_date;analyte;result;units\r\nS1;MW-1;2025-06-01;Lead;12;ug/L\r\n"
    )
    (row,) = read(path).observations.to_dict("records")
    assert (row["parameter"], row["value"], row["row"]) == ("lead", 12.0, 3), "rows are counted as an editor does"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-32"])
def test_wide_text_with_and_without_its_mark(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "lab.csv"
    path.write_bytes(f"{HEADER}\n{lab(unit='µg/L')}\n".encode(encoding))
    (row,) = read(path).observations.to_dict("records")
    assert (row["value"], row["unit"]) == (12.0, "ug/L")


def test_small_numbers_of_two_bytes_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "logger.dat"
    path.write_bytes(struct.pack("<40H", *range(1, 41)))
    with pytest.raises(BadFile, match="binary"):
        read(path)
