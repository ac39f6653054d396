"""``headwater quality`` of a station: what was stored, under the clause, with the site's own limits and fraction."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli
from tests.test_wqp import narrow

SQUARE = """
id = "square"
name = "A made-up site"
ordinance = "howard"
crs = "EPSG:7595"
reference_point = "made up"
boundary = [[158000.0, 164400.0], [159600.0, 164400.0], [159600.0, 167040.0], [158000.0, 167040.0]]
party = [{id = "op", role = "operator", name = "Example operator"}, {id = "town", role = "town", name = "Example"}]

[permit]
number = "1"
granted = 2020-01-01
ends = 2030-01-01
mining_began = 2024-01-01
holders = [{party = "op", since = 2020-01-01}]
"""
SITE = f"""{SQUARE}
[[alternative_limit]]
substance = "chloride"
kind = "PAL"
value = 140
unit = "mg/L"
since = 2024-03-01
decision = "made-up decision 7"
wells = ["M-1"]

[[well]]
id = "M-1"
use = "monitoring"
in_application = true
fraction = "dissolved"
position = [158100.0, 164500.0]

[[well]]
id = "M-2"
use = "monitoring"
in_application = true
position = [158200.0, 164500.0]
"""
RESULTS = """sample_id,location,date,sample_type,analyte,result,qualifier,mdl,loq,unit,fraction
1,M-1,2023-06-01,Routine,arsenic,12,,0.3,1.0,ug/L,Dissolved
2,M-1,2024-02-01,Routine,arsenic,10,,0.3,1.0,ug/L,Dissolved
2,M-1,2024-02-01,Routine,arsenic,40,,0.3,1.0,ug/L,Total
3,M-1,2024-02-01,Routine,chloride,130,,0.5,1.6,mg/L,
4,M-1,2024-04-01,Routine,chloride,130,,0.5,1.6,mg/L,
5,M-1,2024-04-01,Routine,E. coli,490,,,,MPN/100 mL,
5,M-1,2024-04-01,Routine,lead,500,R,0.2,0.65,ug/L,
6,M-2,2024-04-01,Routine,chloride,130,,0.5,1.6,mg/L,
B,M-2,2024-04-01,Field blank,chloride,900,,0.5,1.6,mg/L,
"""

Run = Callable[..., Any]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """One command: its JSON, or its one line of error."""

    def command(*arguments: object, code: int = 0) -> Any:
        capfd.readouterr()
        assert cli.run([str(one) for one in (*arguments, "--json")]) == code
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return json.loads(out) if code == 0 else err

    return command


@pytest.fixture
def stored(tmp_path: Path, run: Run) -> Path:
    (tmp_path / "site.toml").write_text(SITE, encoding="utf-8")
    (tmp_path / "results.csv").write_text(RESULTS, encoding="utf-8")
    run("ingest", tmp_path / "results.csv", "--site", tmp_path)
    return tmp_path


def told(answer: Any, *names: str) -> set[tuple[Any, ...]]:
    return {tuple(one[name] for name in names) for one in answer["verdicts"]}


def test_a_station_is_judged_by_its_clause_its_limits_and_its_fraction(run: Run, stored: Path) -> None:
    answer = run("quality", "M-1", "--site", stored)
    es = [one for one in answer["verdicts"] if (one["substance"], one["kind"]) == ("arsenic", "ES")]
    assert [(one["sampled"], one["value"], one["nr140_status"], one["verdict"]) for one in es] == [
        ("2023-06-01", 12.0, "attained", "attained"),
        ("2024-02-01", 10.0, "attained", "needs_confirmation"),
    ]
    assert [one["attained_in_baseline"] for one in es] == [True, True]
    assert es[1]["confirms"] is None, "a sample from before the mine confirms none of after"
    assert answer["clause"] == "2.09(3)(a)"
    chloride = [one for one in answer["verdicts"] if (one["substance"], one["kind"]) == ("chloride", "PAL")]
    assert [(one["sampled"], one["standard"], one["verdict"]) for one in chloride] == [
        ("2024-02-01", 125.0, "attained"),
        ("2024-04-01", 140.0, "not_attained"),
    ]
    assert "made-up decision 7" in chloride[1]["citation"]
    apart = {one["value_text"]: one["reason"] for one in answer["not_judged"]}
    assert apart == {"40": "total: this station is judged by the dissolved fraction", "500": "rejected (R)"}


def test_a_count_of_e_coli_is_a_detect(run: Run, stored: Path) -> None:
    answer = run("quality", "M-1", "--site", stored)
    found = [one for one in answer["verdicts"] if one["substance"] == "e_coli"]
    assert {(one["kind"], one["verdict"], one["measured"]) for one in found} == {
        ("PAL", "attained", "490 MPN/100 mL"), ("ES", "attained", "490 MPN/100 mL"),
    }  # fmt: skip


def test_another_wells_limit_and_a_blank_are_not_this_wells(run: Run, stored: Path) -> None:
    answer = run("quality", "M-2", "--site", stored)
    assert told(answer, "sampled", "kind", "standard", "value", "verdict") == {
        ("2024-04-01", "PAL", 125.0, 130.0, "attained"), ("2024-04-01", "ES", 250.0, 130.0, "not_attained"),
    }  # fmt: skip


def test_by_the_law_of_another_day(run: Run, stored: Path) -> None:
    """The alternative limit holds from March 2024: as of then both samples are under it."""
    answer = run("quality", "M-1", "--site", stored, "--on", "2024-03-01")
    chloride = [one for one in answer["verdicts"] if (one["substance"], one["kind"]) == ("chloride", "PAL")]
    assert [(one["sampled"], one["standard"]) for one in chloride] == [("2024-02-01", 140.0), ("2024-04-01", 140.0)]


def test_another_set_of_standards_for_a_station(run: Run, stored: Path) -> None:
    above = Path(__file__).parent / "data" / "standards" / "above.toml"
    answer = run("quality", "M-1", "--site", stored, "--standards", above)
    assert (answer["standards"], answer["clause"]) == ("above", "Made-up Code 1.1")
    assert {one["substance"] for one in answer["verdicts"]} == {"arsenic"}


def test_notable_leaves_out_what_is_not_attained_and_counts_it(run: Run, stored: Path) -> None:
    answer = run("quality", "M-2", "--site", stored, "--notable")
    assert told(answer, "kind") == {("PAL",)}
    assert answer["counts"] == {"attained": 1, "not_attained": 1}


def test_a_limit_that_replaces_nothing_is_found_by_check(run: Run, stored: Path) -> None:
    path = stored / "site.toml"
    path.write_text(SITE.replace('substance = "chloride"', 'substance = "silica"'), encoding="utf-8")
    assert "alternative_limit" in run("check", "--site", stored, code=2)


def test_check_lists_what_nobody_has_read_twice(run: Run, stored: Path) -> None:
    listed = run("check", "--standards", "--site", stored)["standards"]
    kinds = {one["kind"] for one in listed}
    dated = {"PAL in force from", "ES in force from"}
    assert kinds == {"PAL", "ES", "increment", "sum", "confirmation", "indicators"} | dated
    coli = [(one["value"], one["verification"]) for one in listed if one["kind"] in dated]
    assert coli == [("2023-07-01", "memory")] * 2, "mid-2023, recalled; the Register was not seen"
    assert not [one for one in listed if one["verification"] == "verified2"]
    assert ("lead", "ES") in {(one["parameter"], one["kind"]) for one in listed}
    assert ("arsenic", "ES") not in {(one["parameter"], one["kind"]) for one in listed}


def test_the_json_contract(run: Run, stored: Path) -> None:
    wanted = {
        "station", "substance", "sampled", "value", "unit", "lod", "loq", "standard", "kind", "table", "nr140_status",
        "verdict", "paragraph", "reason",
    }  # fmt: skip
    for answer in (run("quality", "M-1", "--site", stored), run("quality", stored / "results.csv")):
        assert answer["verdicts"]
        assert all(wanted <= set(one) for one in answer["verdicts"])


def test_a_duplicate_row_and_another_order_give_the_same_answer(run: Run, tmp_path: Path) -> None:
    head, *rows = RESULTS.splitlines()
    answers = []
    for name, lines in (("a", rows), ("b", [*reversed(rows), *rows])):
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([head, *lines]) + "\n")
        answers.append([{**one, "row_ids": None} for one in run("quality", path)["verdicts"]])
    assert answers[0] == answers[1]


def test_a_file_tells_what_it_set_apart_and_ends_with_3_where_rows_were_rejected(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rows: list[dict[str, Any]] = [
        {"value": "12", "unit": "ug/l"},
        {"value": "40", "unit": "ug/l", "media": "Sediment", "activity": "T-2"},
        {"value": "1", "unit": "ug/l", "kind": "Quality Control Sample-Field Blank", "activity": "T-3"},
    ]
    path = tmp_path / "wqp.csv"
    path.write_text(narrow(*rows), encoding="utf-8")
    assert cli.run(["quality", str(path)]) == 0
    out = capfd.readouterr().out
    assert "set apart, not judged: 1 of other media than water" in out
    assert "set apart, not judged: 1 of quality control" in out
    assert cli.run(["quality", str(path), "--json"]) == 0
    assert len(json.loads(capfd.readouterr().out)["not_water"]) == 1
    path.write_text(narrow(*rows, {"value": "x", "unit": "ug/l", "activity": "T-4"}), encoding="utf-8")
    assert cli.run(["quality", str(path), "--json"]) == 3


def test_rows_of_read_leave_the_rejects_to_stderr(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("date,value\n2024-01-01,1\n2024-01-02,x\n", encoding="utf-8")
    assert cli.run(["read", str(path), "--rows"]) == 1
    out, err = capfd.readouterr()
    assert [json.loads(line)["value"] for line in out.splitlines()] == [1.0]
    (line,) = err.splitlines()
    assert line.startswith("headwater: rejected: ")
    assert all(word in line for word in ("a.csv", "row 3", "not a number"))
