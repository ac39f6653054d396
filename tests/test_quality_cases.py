"""Public bug reports on limits, non-detects, quality control and units, restated: each through the real command.

Limit cases run under a made-up set of standards (``tests/data/standards/above``): a limit is exceeded above it, and
there is no rule below the LOQ. Beside them stand the NR 140 readings of CENS-04, noted with the cases.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from models.statistics.sums import Part, sum_with_bounds
from pipelines import cli

DATA = Path(__file__).parent / "data"
CASES, ABOVE = DATA / "cases", DATA / "standards" / "above.toml"

Run = Callable[..., Any]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """One command: its JSON."""

    def command(*arguments: object, code: int = 0) -> Any:
        capfd.readouterr()
        assert cli.run([str(one) for one in (*arguments, "--json")]) == code
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return json.loads(out)

    return command


@pytest.fixture
def text(capfd: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """One command: what a person reads."""

    def command(*arguments: object) -> str:
        capfd.readouterr()
        assert cli.run([str(one) for one in arguments]) == 0
        return capfd.readouterr().out

    return command


def case(name: str) -> Path:
    return CASES / name / "input.csv"


def expected(name: str) -> dict[str, Any]:
    checks = json.loads((CASES / name / "expected.json").read_text("utf-8"))["checks"]
    return {one["name"]: one["value"] for one in checks}


def by_sample(answer: Any, substance: str, kind: str = "ES") -> dict[str, Any]:
    """The one verdict of each sample on a substance."""
    found = [one for one in answer["verdicts"] if (one["substance"], one["kind"]) == (substance, kind)]
    assert len({one["sample"] for one in found}) == len(found)
    return {one["sample"]: one for one in found}


def lines(tmp_path: Path, source: Path, old: str, new: str) -> Path:
    """A copy of a case with one word changed, where the case names a made-up substance."""
    path = tmp_path / "input.csv"
    path.write_text(source.read_text("utf-8").replace(old, new), "utf-8")
    return path


# Non-detects ---------------------------------------------------------------------------------------------------------


def test_cens_01_the_detection_condition_wins_over_a_zero(run: Run) -> None:
    right = expected("CENS-01")
    said = run("read", case("CENS-01"), code=1)
    (series,) = {one["parameter"] for one in said["series"]}
    assert series == "name:value"
    assert sum(one["n_censored"] for one in said["series"]) == right["non-detects"]
    assert sum(one["n"] - one["n_censored"] for one in said["series"]) == right["detections"]
    (refused,) = said["rejects"]
    assert (refused["row"], refused["reason"]) == (5, right["D"].removeprefix("flagged: "))


def test_cens_01_below_quantification_is_kept_with_its_limit(run: Run) -> None:
    answer = run("quality", case("CENS-01"), "--parameter", "phenol", "--standards", ABOVE, code=3)
    found = by_sample(answer, "phenol")
    assert {name: one["measured"] for name, one in found.items()} == {
        "A": "ND mg/L", "B": "1.20 mg/L", "C": "<0.10 mg/L (detected below the LOQ)",
    }  # fmt: skip
    assert (found["A"]["lod_text"], found["A"]["value"], found["C"]["value"]) == ("0.05", None, None)
    assert [one["row"] for one in answer["rejects"]] == [5]


def test_cens_04_three_outcomes(run: Run, tmp_path: Path) -> None:
    right = expected("CENS-04")
    answer = run("quality", lines(tmp_path, case("CENS-04"), "compound X", "benzene"), "--standards", ABOVE)
    found = by_sample(answer, "benzene")
    words = {"attained": "exceeds", "not_attained": "does not exceed", "indeterminate": "undetermined"}
    assert {name: words[one["verdict"]] for name, one in found.items()} == {
        name: text.partition(" (")[0].partition(",")[0] for name, text in right.items() if name != "counts"
    }
    assert Counter(words[one["verdict"]] for one in found.values()) == right["counts"]
    assert "limit of reporting 5" in found["1"]["reason"]
    assert found["3"]["measured"].endswith(" J"), "estimated, and not dropped for it"
    assert found["4"]["reason"] == "equal to the standard"
    assert answer["counts"] == {"attained": 2, "not_attained": 2, "indeterminate": 1}


def test_cens_04_under_nr_140(run: Run, tmp_path: Path) -> None:
    """The PAL of benzene is 0.5 ug/L too. By hand, after NR 140.14; a reporting limit is no LOQ, and hides a detect."""
    found = by_sample(run("quality", lines(tmp_path, case("CENS-04"), "compound X", "benzene")), "benzene", "PAL")
    needs = ("needs_confirmation", "needs_confirmation", "140.14(3)")
    assert {name: (one["nr140_status"], one["verdict"], one["paragraph"]) for name, one in found.items()} == {
        "1": ("indeterminate", "indeterminate", "140.14(3)(a)"),
        "2": ("not_attained", "not_attained", "140.14(3)(a)"),
        "3": needs, "4": needs, "5": needs,
    }  # fmt: skip
    assert "reporting limit 5" in found["1"]["reason"]


def test_cens_04_under_nr_140_with_an_loq(run: Run, tmp_path: Path) -> None:
    """The same with the second limit stated as the LOQ."""
    file = lines(tmp_path, lines(tmp_path, case("CENS-04"), "compound X", "benzene"), "mdl,rl", "mdl,loq")
    found = by_sample(run("quality", file), "benzene", "PAL")
    assert {name: (one["nr140_status"], one["verdict"], one["paragraph"]) for name, one in found.items()} == {
        "1": ("not_attained", "not_attained", "140.14(3)(a)"),
        "2": ("not_attained", "not_attained", "140.05(2)"),
        "3": ("below_loq", "not_attained", "140.14(3)(c)"),
        "4": ("attained", "attained", "140.05(2)"),
        "5": ("attained", "attained", "140.05(2)"),
    }
    assert {name for name, one in found.items() if one["proves_nothing"]} == {"1"}


def test_cens_04_what_proves_nothing_is_listed_apart(text: Callable[..., str], tmp_path: Path) -> None:
    file = lines(tmp_path, lines(tmp_path, case("CENS-04"), "compound X", "benzene"), "mdl,rl", "mdl,loq")
    told = text("quality", file)
    sure, _, apart = told.partition("Not detected, and proves nothing")
    assert "<5 ug/L" in apart.splitlines()[3]
    assert sure.count("<5 ug/L") == 1, "against the ES of 5 an LOD of 2 does prove something"


def test_cens_08_quality_control_is_no_result(run: Run) -> None:
    right = expected("CENS-08")
    answer = run("quality", case("CENS-08"), "--standards", ABOVE)
    here = [one for one in answer["verdicts"] if one["station"] == "W-101" and one["substance"] == "nitrate_as_n"]
    assert len(here) == right["sample events at W-101"]
    assert [one["value"] for one in here] == [right["value checked against limit"]]
    assert sum(one["verdict"] == "attained" for one in here) == right["exceedances at W-101"]
    (pair,) = answer["duplicates"]
    assert (pair["sample"], pair["parent"], pair["rpd_percent"]) == ("D1", "R1", right["duplicate pair RPD %"])
    assert pair["remark"] == "the duplicate attains ES Table A; the parent is what is judged"
    field_blanks = [one for one in answer["quality_control"] if one["sample_id"] == "B1"]
    assert len(field_blanks) == right["blank detections listed"]
    assert {one["sample_id"] for one in answer["quality_control"]} == {"D1", "B1", "T1", "K1"}
    assert [one for one in answer["warnings"] if "looks like a duplicate" in one and "W-101-DUP" in one]
    assert not [one for one in answer["verdicts"] if one["value"] == 101]


def test_cens_11_a_limit_of_zero_is_no_limit(run: Run) -> None:
    right = expected("CENS-11")
    answer = run("quality", case("CENS-11"), "--parameter", "benzene", "--standards", ABOVE)
    apart = {one["sample"]: one["reason"] for one in answer["not_judged"]}
    assert set(apart) == {name for name, text in right.items() if text.startswith("flagged")}
    assert all("detection limit is zero" in reason for reason in apart.values())
    (third,) = answer["verdicts"]
    assert (third["sample"], third["value"], third["verdict"]) == ("3", None, "not_attained")
    assert third["value_text"] == "ND<0.5"


def test_cens_12_bounds_instead_of_substitutes() -> None:
    """Means are those of the sums: [0 + 0 + 2 + 4, 1 + 1 + 2 + 4] / 4, and nothing of two non-detects but a limit."""
    right = expected("CENS-12")
    rows = list(csv.DictReader(case("CENS-12").read_text("utf-8").splitlines()))
    groups = {name: [row["result"] for row in rows if row["group"] == name] for name in ("G1", "G2")}
    bounds = {name: _bounds(texts) for name, texts in groups.items()}
    low, high = (bound / 4 for bound in (bounds["G1"].low, bounds["G1"].high or Decimal(-1)))
    assert [float(low), float(high)] == right["G1 mean bounds"]
    assert (bounds["G2"].n_detected, bounds["G2"].low) == (0, 0)
    assert float((bounds["G2"].high or 0) / 2) == 3, "an upper bound, and no mean: 0 of 2 were detected"


def test_cens_12_through_the_command(run: Run, text: Callable[..., str], tmp_path: Path) -> None:
    right = expected("CENS-12")
    file = lines(tmp_path, case("CENS-12"), "group,", "location,")
    told = ("--format", "lab-table", "--parameter", "benzene", "--unit", "ug/L")
    asked = ("quality", file, *told, "--summary")
    first, second = run(*asked)["summaries"]
    assert first["mean"] == right["G1 mean bounds"]
    assert first["mean_half_limit"] == right["G1 with half limit"]
    assert first["median"] == right["G1 median bounds (middle values are <1 and 2)"]
    assert (second["says"], second["mean"], second["median"]) == (right["G2"], None, None)
    assert "non-detects as 0 and as their limit" in first["method"]
    assert right["G2"] in text(*asked)


def _bounds(texts: list[str]) -> Any:
    names = [str(place) for place, _ in enumerate(texts)]
    parts = [
        Part(name, None, Decimal(text[1:])) if text.startswith("<") else Part(name, Decimal(text))
        for name, text in zip(names, texts, strict=True)
    ]
    return sum_with_bounds(parts, names)


# Limits --------------------------------------------------------------------------------------------------------------

STATUS = {"attained": "exceeds", "not_attained": "does not exceed", "indeterminate": "undetermined"}


def test_lim_01_a_total_is_measured_or_an_interval(run: Run) -> None:
    right = expected("LIM-01")
    found = by_sample(run("quality", case("LIM-01"), "--standards", ABOVE), "nitrate_nitrite_as_n")
    told = {name: STATUS[one["verdict"]] for name, one in found.items()}
    assert told == {name: check["status"].partition(":")[0] for name, check in right.items()}
    assert found["A"]["value"] == right["A"]["sum"]
    assert found["A"]["computed_from"] == [], "the reported total is what is judged"
    for name in "BDE":
        low, high = right[name]["sum range"]
        assert found[name]["value_text"] == f"{low} to {high}"
        assert found[name]["value"] is None, "no middle of the interval"
    assert found["C"]["missing"] == ["nitrite_as_n"]
    assert found["C"]["value_text"] == "at least 9.7"
    assert "nitrite_as_n not measured" in found["C"]["reason"]


def test_lim_03_the_reported_number_decides_and_is_printed(run: Run, text: Callable[..., str], tmp_path: Path) -> None:
    right = expected("LIM-03")
    rows = list(csv.DictReader(case("LIM-03").read_text("utf-8").splitlines()))
    exceeds, printed, tables = [], [], ""
    for limit, substance in (("0.015", "lead"), ("10", "phenol")):
        path = tmp_path / f"{substance}.csv"
        own = [f"{row['sample_id']},{row['value']},{row['unit']}" for row in rows if row["limit"] == limit]
        path.write_text("\n".join(["sample_id,value,unit", *own]) + "\n")
        told = ("quality", path, "--parameter", substance, "--standards", ABOVE)
        for one in by_sample(run(*told), substance).values():
            exceeds.append({"attained": "yes", "not_attained": "no"}[one["verdict"]])
            printed.append(one["value_text"])
        tables += text(*told)
    assert (exceeds, printed) == (right["exceeds"], right["printed values"])
    assert all(f"{number} mg/L" in tables for number in printed)
    assert "0.015 mg/L" in tables


def test_lim_04_a_limit_that_depends_on_hardness(run: Run) -> None:
    right = expected("LIM-04")
    found = by_sample(run("quality", case("LIM-04"), "--standards", ABOVE), "zinc")
    yes = {"attained": "yes", "not_attained": "no", "indeterminate": "undetermined"}
    assert [yes[one["verdict"]] for one in found.values()] == right["exceeds"]
    limits = [one["standard"] if one["verdict"] != "indeterminate" else "undetermined" for one in found.values()]
    assert limits == right["limits"]
    assert "hardness_as_caco3" in found["4"]["reason"]


# Units ---------------------------------------------------------------------------------------------------------------


def test_unit_01_every_spelling_is_one_number_and_an_unknown_unit_is_refused(run: Run) -> None:
    right = expected("UNIT-01")
    told = ("--format", "lab-table", "--parameter", "arsenic", "--standards", ABOVE)
    answer = run("quality", case("UNIT-01"), *told, code=3)
    assert [one["value_in_standard_unit"] for one in answer["verdicts"]] == pytest.approx(
        right["rows 1-10 in ug/L"], rel=1e-12
    )
    refused = {one["raw"]: one["reason"] for one in answer["rejects"]}
    assert refused == dict.fromkeys(("ug/kg", "mg/kg", "widgets"), "unknown unit"), "water is not weighed here"


def test_unit_03_the_basis_is_part_of_the_number(run: Run) -> None:
    right = expected("UNIT-03")
    answer = run("quality", case("UNIT-03"), "--standards", ABOVE)
    found = by_sample(answer, "nitrate_as_n") | by_sample(answer, "nitrite_as_n")
    for name in ("N1", "N2", "N3", "N4"):
        assert found[name]["value"] == pytest.approx(right[f"{name} mg/L as N"], abs=0.001)
    yes = {"attained": "yes", "not_attained": "no", "indeterminate": "undetermined"}
    assert {name: yes[one["verdict"]] for name, one in found.items()} == {
        name: word.partition(":")[0] for name, word in right["exceeds"].items()
    }
    assert "basis not stated" in found["N5"]["reason"]
    assert found["N1"]["measured"] == "40 mg/L as NO3"


def test_unit_06_hardness_needs_both_ions(run: Run) -> None:
    right = expected("UNIT-06")
    found = by_sample(run("quality", case("UNIT-06"), "--standards", ABOVE), "hardness_as_caco3")
    assert found["H1"]["value"] == pytest.approx(right["H1 hardness mg/L as CaCO3"], abs=0.01)
    assert (found["H2"]["value"], found["H2"]["verdict"]) == (None, "indeterminate")
    assert found["H2"]["missing"] == [right["H2"].partition(": ")[2].partition(" ")[0]]


# Nothing is wired to Wisconsin ---------------------------------------------------------------------------------------


def test_the_same_file_under_two_sets(run: Run) -> None:
    """Equality is under the one and over the other; only the data differ."""
    path = DATA / "standards" / "equal.csv"
    rows = {law: run("quality", path, *more) for law, more in (("nr140", ()), ("above", ("--standards", ABOVE)))}
    told = {law: by_sample(answer, "nitrate_as_n")["S1"] for law, answer in rows.items()}
    assert {law: one["verdict"] for law, one in told.items()} == {"nr140": "attained", "above": "not_attained"}
    assert {law: one["paragraph"] for law, one in told.items()} == {"nr140": "140.05(2)", "above": "Made-up Code 1.1"}
    assert rows["above"]["standards"] == "above"


@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("set.toml", None, "no such file"),
        ("set.csv", None, "no such file"),
        ("set.toml", "id = 1", "set.toml"),
        ("set.csv", "parameter,kind\n", "lacks a column"),
        ("set.csv", "HEAD\nunobtainium,ES,1,ug/L,A,c,,,m,,", "unknown parameter"),
        ("set.csv", "HEAD\nlead,MCL,1,ug/L,A,c,,,m,,", "neither PAL nor ES"),
        ("set.csv", "HEAD\nlead,ES,x,ug/L,A,c,,,m,,", "row 2"),
        ("set.csv", "HEAD\nlead,ES,-1,ug/L,A,c,,,m,,", "not a limit"),
        ("set.csv", "HEAD\nlead,ES,1", "row 2"),
        ("set.csv", "HEAD\nlead,ES,1,ug/L,A,c,,,m,,\nlead,ES,2,ug/L,A,c,,,m,,", "stands twice"),
    ],
)
def test_a_faulty_set_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], file: str, text: str | None, named: str
) -> None:
    head = ABOVE.with_suffix(".csv").read_text("utf-8").splitlines()[0]
    (tmp_path / "set.toml").write_text(ABOVE.read_text("utf-8"))
    (tmp_path / "set.csv").write_text(head + "\n")
    if text is None:
        (tmp_path / file).unlink()
    else:
        (tmp_path / file).write_text(text.replace("HEAD", head) + "\n")
    assert cli.run(["quality", str(case("LIM-01")), "--standards", str(tmp_path / "set.toml")]) == 2
    said = capfd.readouterr().err
    assert named in said
    assert len(said.splitlines()) == 1
