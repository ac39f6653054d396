"""A word or a text beside a result never lets a blank be judged, and never loses a result in silence.

Which words let a number stand is written by hand after EPA's list of result measure qualifiers (WQX), the National
functional guidelines and the lists of laboratories; what texts say is read as a person would.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ingest.wqx.texts import Texts, told
from models.checks.quality_verdicts import verdicts
from models.qualifiers import REJECTED_IN_TEXT, rejection_in, said_by, unknown_words
from models.question import stored_rows
from models.sample_types import DESCRIBED, described_as, kind_of, mentions_control
from pipelines import cli
from tests.record_in_memory import Record
from tests.test_doubted_control import SITE
from tests.test_lab_codes import GRN
from tests.test_quality_confirmation import DAY, PLAIN, five, last
from tests.test_wqp import narrow

HEADER = "sample_id,location,date,sample_type,analyte,result,unit,qualifier,lod,loq,sample_description,lab_comments"
SWIMS = (
    "DNR Parameter,Parameter Type,Description,Result,Units,Start Date/Time,Analysis Date/Time,Sample/Labslip ID,"
    "Lab Method,Result Comments,Lab Comments,LOD,LOQ,Sample/Labslip Field No,Sample Description,Sample Comments,"
    "Station ID"
)
Run = Callable[..., Any]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> Any:
        capfd.readouterr()
        cli.run([str(one) for one in (*arguments, "--json")])
        return json.loads(capfd.readouterr().out)

    return command


def table(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "lab.csv"
    path.write_text("\n".join([header, *rows]) + "\n", "utf-8")
    return path


def arsenic(
    sample: str, amount: str = "15", code: str = "", described: str = "", comment: str = "", kind: str = "",
    day: str = "2025-06-01",
) -> str:  # fmt: skip
    """Arsenic [ug/L] with LOD 0.3 and LOQ 1; the ES is 10."""
    return f'{sample},MW-2,{day},{kind},arsenic,{amount},ug/L,"{code}",0.3,1,"{described}","{comment}"'


def told_of(answer: Any) -> dict[str, str]:
    """What is said of each sample against the enforcement standard, or that it is not judged."""
    found = {one["sample"]: one["nr140_status"] for one in answer["verdicts"] if one["kind"] == "ES"}
    return found | {one["sample"]: "not judged" for one in answer["not_judged"]}


def reasons(answer: Any) -> dict[str, str]:
    found = {one["sample"]: one["reason"] for one in answer["verdicts"] if one["kind"] == "ES"}
    return found | {one["sample"]: one["reason"] for one in answer["not_judged"]}


# Words ---------------------------------------------------------------------------------------------------------------

STANDS = ["J", "j", "J+", "J-", "H", "E", "D", "P", "N", "NJ", "Q", "F", "*", "M1", "H3", "D2", "F1", "HMSR", "JH",
          "EST", "J, H", "J;D", "estimated", "holding time exceeded", "NA",
          "MS/MSD recovery outside limits"]  # fmt: skip
TAKEN_BACK = ["R", "r", "J-R", "REJ", "Rejected", "Invalid", "VOID", "voided", "Contaminated", "broken", "cancelled",
              "canceled", "QNS", "NSQ", "Not analyzed", "not analysed", "quantity not sufficient", "do not use",
              "insufficient sample", "LAC", "sample void", "rejected by validator", "J, invalid"]  # fmt: skip
OPEN = {"B": "B", "b": "b", "JB": "JB", "J, B": "B", "XYZ": "XYZ", "H;XYZ": "XYZ", "X": "X", "V": "V", "A": "A",
        "3": "3", "?": "?", "~": "~", "suspect": "suspect", "K": "K", "NR": "NR", "not rejected": "not rejected",
        "NOT VOID": "NOT VOID", "Trip blank contaminated": "Trip blank contaminated", "CON": "CON",
        "DNQ": "DNQ"}  # fmt: skip
"""What is told of a cell that leaves the number open."""


def cell(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").replace(";", " ").split())


@pytest.mark.parametrize("text", STANDS)
def test_a_word_that_every_list_lets_stand(text: str) -> None:
    assert (unknown_words(cell(text)), said_by(cell(text))) == ((), frozenset())


@pytest.mark.parametrize("text", TAKEN_BACK)
def test_a_word_by_which_nobody_stands_by_the_value(text: str) -> None:
    assert said_by(cell(text)) == {"rejected"}


@pytest.mark.parametrize(("text", "named"), OPEN.items())
def test_a_word_without_one_meaning_is_named_as_written(text: str, named: str) -> None:
    assert (unknown_words(cell(text)), "rejected" in said_by(cell(text))) == ((named,), False)


def test_each_of_several_words_is_read_whatever_stands_between() -> None:
    """Of two codes beside each other the rejection counts, and the unknown one is named."""
    words = ["J", "H", "U", "R", "XYZ", "M1"]
    for pair in itertools.permutations(words, 2):
        assert unknown_words(pair) == tuple(one for one in pair if one == "XYZ")
        assert ("rejected" in said_by(pair), "not_seen" in said_by(pair)) == ("R" in pair, "U" in pair)


def test_a_condition_that_says_where_else_it_was_found_leaves_it_open() -> None:
    assert unknown_words(("Value affected by contamination",)) == ("Value affected by contamination",)
    assert unknown_words(("Present Below Quantification Limit", "between-LOD-LOQ", "<")) == ()


def test_words_beside_fifteen_against_ten(run: Run, tmp_path: Path) -> None:
    cells = {**dict.fromkeys(STANDS, "attained"), **dict.fromkeys(TAKEN_BACK, "not judged"),
             **dict.fromkeys(OPEN, "needs_confirmation")}  # fmt: skip
    rows = [arsenic(f"s{k}", code=code) for k, code in enumerate(cells)]
    answer = run("quality", table(tmp_path, *rows))
    found = told_of(answer)
    assert {code: found[f"s{k}"] for k, code in enumerate(cells)} == cells
    said = reasons(answer)
    for k, code in enumerate(cells):
        if code in OPEN:
            assert f"qualifier {OPEN[code]}: " in said[f"s{k}"]
            assert "ask the laboratory" in said[f"s{k}"]
        if code in TAKEN_BACK:
            assert said[f"s{k}"] == f"rejected ({' '.join(cell(code))})"


def test_below_the_standard_an_open_word_changes_nothing_and_is_told(run: Run, tmp_path: Path) -> None:
    answer = run("quality", table(tmp_path, arsenic("a", "9", "XYZ"), arsenic("b", "9")))
    assert told_of(answer) == {"a": "not_attained", "b": "not_attained"}
    assert {one["sample"]: one["measured"] for one in answer["verdicts"]}["a"] == "9 ug/L XYZ"


def test_an_open_result_neither_confirms_nor_refutes(run: Run, tmp_path: Path) -> None:
    """15, then one in doubt, then 15 again within 400 days: the third confirms the first all the same."""
    for amount in ("15", "0.5"):
        days = [arsenic("a", day="2025-03-01"), arsenic("b", amount, "XYZ", day="2025-06-01"),
                arsenic("c", day="2025-09-01")]  # fmt: skip
        answer = run("quality", table(tmp_path, *days))
        found = {one["sample"]: one["confirms"] for one in answer["verdicts"] if one["kind"] == "ES"}
        assert found == {"a": None, "b": None, "c": "2025-03-01"}


def test_a_sum_with_an_open_member_attains_nothing_for_sure(run: Run, tmp_path: Path) -> None:
    """Nitrate 9 and nitrite 4 mg/L as N make 13 in each of two samples; the ES of their sum is 10."""
    rows = [f"{sample},MW-2,2025-06-01,,{name},{amount},mg/L as N,{code},0.1,0.3,," for sample, name, amount, code in (
        ("a", "Nitrate", 9, ""), ("a", "Nitrite", 4, ""), ("b", "Nitrate", 9, ""), ("b", "Nitrite", 4, "XYZ"))
    ]  # fmt: skip
    sums = [one for one in run("quality", table(tmp_path, *rows))["verdicts"] if one["computed_from"]]
    found = {one["sample"]: one for one in sums if one["kind"] == "ES"}
    assert {name: one["nr140_status"] for name, one in found.items()} == {"a": "attained", "b": "needs_confirmation"}
    assert "nitrite_as_n: qualifier XYZ" in found["b"]["reason"]


def test_an_open_sum_is_no_case_of_a_sure_one() -> None:
    """What many samples share is judged once for all of them: 13 in each of two, one of them with an open member."""
    record = Record()
    for sample, codes in (("a", ()), ("b", ("XYZ",))):
        names = {"sample": sample, "series": f"Total:{sample}"}
        record.result("MW-1", "nitrate_as_n", DAY, "9", "mg/L", "0.1", "0.3", **names)
        record.result("MW-1", "nitrite_as_n", DAY, "4", "mg/L", "0.1", "0.3", qualifiers=codes, **names)
    found = verdicts(PLAIN, stored_rows(record.rows(["MW-1"], PLAIN.law.parameters, None, None)))
    sums = [found.sayings[k] for k in found.said.tolist() if found.sayings[k].computed is not None]
    assert [one.nr140.status for one in sums if one.standard.kind == "ES"] == ["attained", "needs_confirmation"]


@pytest.mark.parametrize(("codes", "status"), [((), "attained"), (("XYZ",), "needs_confirmation")])
def test_an_open_analysis_confirms_no_presence(codes: tuple[str, ...], status: str) -> None:
    """140.14(3)(b): lead, PAL 1.5 below its LOD of 2; five samples over it, and of the last a second analysis."""
    record = five(Record()).result(
        "MW-1", "lead", DAY, "5", "ug/L", "2", "6", series="M:4", qualifiers=codes, sample="s4"
    )
    assert last(record) == {status}


# Texts ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("quality_control", ["FIELD BLANK", "Field Blank #2", "Trip blank", "TRIP BLANK 7/15", "Equipment blank MW-1",
                             "MATRIX SPIKE", "LAB CONTROL", "Rinsate", "Field Blank No. 2", "Blank", "Lab duplicate"]),
        ("duplicate", ["DUPLICATE", "Duplicate of MW-3", "MW-1 (duplicate)", "Field duplicate", "dup"]),
        ("unknown", ["kitchen tap; field blank collected", "NO BLANK", "no blank collected", "blank was clean",
                     "Duplicate collected", "MW-1 with duplicate", "Blank Farm well", "MS/MSD", "Spike Hollow Rd"]),
        ("water", ["", "kitchen tap", "PLES082218", "monitoring well 4", "control well", "Reference well, QA check"]),
    ],
)  # fmt: skip
def test_what_a_description_makes_of_a_sample(kind: str, texts: list[str]) -> None:
    assert {one: described_as(one) for one in texts} == dict.fromkeys(texts, kind)
    if kind in {"quality_control", "duplicate"}:
        assert {kind_of(DESCRIBED + one) for one in texts} - {kind} == set()


def test_a_comment_has_to_say_so_in_a_phrase() -> None:
    assert [described_as(one, phrase=True) for one in ("Trip blank", "Blank", "Duplicate", "Field duplicate")] == [
        "quality_control", "unknown", "unknown", "duplicate",
    ]  # fmt: skip


def test_a_recovery_is_of_the_batch_and_a_blank_may_be_of_this_sample() -> None:
    batch = ["Matrix spike recovery outside limits", "LCS recovery 80 %", "Lab duplicate RPD 32 %", "diluted"]
    assert not any(map(mentions_control, batch))
    assert all(map(mentions_control, ["Found in method blank", "no blank collected", "blank was clean", "duplicate"]))


@pytest.mark.parametrize(
    ("said", "texts"),
    [
        ("rejected", ["RESULT REJECTED - QC FAILURE", "Rejected", "Sample voided by lab", "Invalid: headspace",
                      "Results are invalid due to bottle breakage", "not analyzed", "QNS"]),
        ("perhaps", ["not rejected", "Result not rejected", "Rejected; rerun reported", "Sample rejected for VOC",
                     "Result rejected, but accepted later", "Sample contaminated", "Field blank contaminated",
                     "bottle broken in transit", "insufficient headspace"]),
        ("", ["", "Analyzed past the 28 days holding time", "avoid sunlight", "diluted 10x"]),
    ],
)  # fmt: skip
def test_whether_a_comment_takes_its_result_back(said: str, texts: list[str]) -> None:
    assert {one: rejection_in(one) for one in texts} == dict.fromkeys(texts, said)


def test_texts_beside_fifteen_against_ten(run: Run, tmp_path: Path) -> None:
    rows = {
        "blank": (arsenic("blank", described="FIELD BLANK"), "not judged"),
        "dup": (arsenic("dup", described="DUPLICATE"), "not judged"),
        "back": (arsenic("back", comment="Result rejected: QC failure"), "not judged"),
        "clean": (arsenic("clean", comment="blank was clean"), "needs_confirmation"),
        "none": (arsenic("none", comment="no blank collected"), "needs_confirmation"),
        "kept": (arsenic("kept", comment="not rejected"), "needs_confirmation"),
        "batch": (arsenic("batch", comment="matrix spike recovery high"), "attained"),
        "plain": (arsenic("plain", described="kitchen tap", comment="diluted"), "attained"),
        "stated": (arsenic("stated", described="FIELD BLANK", kind="Routine"), "needs_confirmation"),
        "low": (arsenic("low", "9", comment="no blank collected"), "not_attained"),
        "two": (arsenic("two", code="B", comment="method blank high"), "needs_confirmation"),
    }
    answer = run("quality", table(tmp_path, *(row for row, _ in rows.values())))
    assert told_of(answer) == {name: expected for name, (_, expected) in rows.items()}
    said = reasons(answer)
    assert said["blank"] == "quality control: described as FIELD BLANK"
    assert said["dup"] == "quality control, a field duplicate: described as DUPLICATE"
    assert said["back"] == 'rejected ("Result rejected: QC failure")'
    for name, text in (("clean", "blank was clean"), ("kept", "not rejected"), ("stated", "FIELD BLANK")):
        assert said[name].startswith(f'"{text}" may say that this is quality control, or that it is taken back')
    assert "qualifier B: " in said["two"]
    assert '"method blank high"' in said["two"]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"described": "FIELD BLANK"}, "not judged"), ({"number": "FB-1"}, "not judged"),
        ({"number": "FIELD BLANK"}, "not judged"), ({"described": "DUPLICATE"}, "not judged"),
        ({"of_sample": "Trip blank"}, "not judged"), ({"lab": "RESULT REJECTED - QC FAILURE"}, "not judged"),
        ({"of_sample": "Duplicate"}, "needs_confirmation"), ({"number": "DUP-1"}, "needs_confirmation"),
        ({"of_result": "Trip blank"}, "needs_confirmation"),
        ({"of_result": "Field blank contaminated"}, "needs_confirmation"),
        ({"lab": "Analyzed past the 28 days holding time", "number": "PLES082218"}, "attained"),
    ],
)  # fmt: skip
def test_swims_says_what_a_sample_is_in_text_alone(
    run: Run, tmp_path: Path, cells: dict[str, str], expected: str
) -> None:
    said = {name: cells.get(name, "") for name in ("of_result", "lab", "number", "described", "of_sample")}
    row = (
        "1000,DNR_STORET,ARSENIC DISSOLVED,15,UG/L,07/15/2025 10:00 AM,07/20/2025 10:00 AM,S1,EPA 200.8,"
        f"{said['of_result']},{said['lab']},0.3,1,{said['number']},{said['described']},{said['of_sample']},MW-2"
    )
    assert told_of(run("quality", table(tmp_path, row, header=SWIMS))) == {"S1": expected}


@pytest.mark.parametrize(
    ("described", "comment", "expected"),
    [
        ("FIELD BLANK", "", "not judged"), ("", "RESULT REJECTED", "not judged"), ("DUPLICATE", "", "not judged"),
        ("", "field blank not collected", "needs_confirmation"), ("kitchen tap", "", "attained"),
    ],
)  # fmt: skip
def test_grn_says_what_a_sample_is_in_text_alone(
    run: Run, tmp_path: Path, described: str, comment: str, expected: str
) -> None:
    row = f"MW-2,06/01/2025,ARSENIC,1002,15,NORMAL QUANTIFIED RESULT,UG/L,,0.3,1,G1,{described},{comment}"
    path = table(tmp_path, row, header=f"{GRN},Sample Description,Lab Comments")
    assert told_of(run("quality", path)) == {"G1": expected}


@pytest.mark.parametrize(
    ("comment", "status", "quoted"),
    [("Rejected by the laboratory", "not judged", True), ("field blank broken", "needs_confirmation", True),
     ("clear day", "needs_confirmation", False)],
)  # fmt: skip
def test_the_portal_has_comments_too(run: Run, tmp_path: Path, comment: str, status: str, quoted: bool) -> None:
    """Without an LOQ 15 against 10 needs confirmation anyway, and what the comment leaves open is told beside that."""
    one = {"station": "W-1", "value": "15", "unit": "ug/l", "name": "Arsenic", "code": "01000"}
    head, row, *_ = narrow(one).splitlines()
    path = table(tmp_path, f"{row},{comment}", header=f"{head},ResultCommentText")
    answer = run("quality", path)
    assert set(told_of(answer).values()) == {status}
    assert {comment in one for one in reasons(answer).values()} == {quoted}


def test_a_number_of_the_field_stands_for_a_name() -> None:
    assert kind_of(told("", "L1", "MW-1", Texts(numbers=("TB-01",))).type) == "unknown"
    assert told("Routine", "L1", "MW-1", Texts(numbers=("TB-01",))).type == "Routine", "a stated type stands"
    assert [kind_of(one) for one in ("Triplicate", "Lab triplicate")] == ["duplicate", "quality_control"]
    assert told("", "L1", "TB-01", Texts(numbers=("TB-01",))).type == "", "a well may be called so"
    assert told("EB", "L1", "MW-1", Texts(on_result=("Rejected",))).mark == "", "no result of the place anyway"
    assert told("", "L1", "MW-1", Texts(on_result=("Rejected",))).mark == REJECTED_IN_TEXT


# Told ----------------------------------------------------------------------------------------------------------------


def test_nothing_of_it_is_silent_in_receipt_and_record(run: Run, tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text(SITE, "utf-8")
    rows = [arsenic("a", described="FIELD BLANK"), arsenic("b", code="void"), arsenic("c", code="XYZ"),
            arsenic("d", code="XYZ"), arsenic("e", comment="no blank collected"), arsenic("f")]  # fmt: skip
    (receipt,) = run("ingest", table(tmp_path, *rows), "--site", tmp_path)
    assert (receipt["accepted"], receipt["rejected"]) == (6, 0)
    note = receipt["note"]
    assert "1 row described as FIELD BLANK, without a sample type: kept, not judged" in note
    assert "1 row taken back (void): kept, not judged" in note
    assert "2 rows in doubt, kept, and what it attains needs confirmation (qualifier XYZ: " in note
    assert '1 row in doubt, kept, and what it attains needs confirmation ("no blank collected" may say' in note
    found = told_of(run("quality", "MW-2", "--site", tmp_path))
    assert found == {"a": "not judged", "b": "not judged", "c": "needs_confirmation", "d": "needs_confirmation",
                     "e": "needs_confirmation", "f": "attained"}  # fmt: skip
