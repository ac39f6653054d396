"""Two analyses of one sample that its laboratory both calls reportable: neither wins by coming later.

EZEDD rows are made up after the public definition of the columns; expectations are read off them by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from ingest.formats import read
from pipelines import cli
from sample_data import demo

Run = Callable[..., Any]
HEAD = (
    "sys_sample_code,sys_loc_code,sample_date,sample_type_code,test_type,chemical_name,result_value,reportable_result,"
    "detect_flag,method_detection_limit,quantitation_limit,result_unit,detection_limit_unit"
)


def row(test: str, value: str, reportable: str = "Yes", sample: str = "A2") -> str:
    return f"{sample},MW-2,06/15/2023,N,{test},Arsenic,{value},{reportable},Y,0.5,2,ug/L,ug/L"


FIRST, AGAIN = row("INITIAL", "8"), row("REANALYSIS", "12")


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    def made(name: str, *rows: str) -> Path:
        path = tmp_path / f"{name}.csv"
        path.write_text("\n".join([HEAD, *rows, ""]), "utf-8")
        return path

    return made


@pytest.fixture
def run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str) -> Any:
        capfd.readouterr()
        assert cli.run([*words, "--json"]) in {0, 3}
        return json.loads(capfd.readouterr().out)

    return command


@pytest.mark.parametrize("rows", list(permutations([FIRST, AGAIN, row("INITIAL", "3", sample="A3")])))
def test_in_one_file_neither_is_taken_in_any_order(file: Callable[..., Path], rows: tuple[str, ...]) -> None:
    found = read(file("edd", *rows))
    assert found.observations["value"].tolist() == [3.0]
    assert sorted(one.raw for one in found.rejects) == ["12", "8"]
    assert all("INITIAL 8" in one.reason and "REANALYSIS 12" in one.reason for one in found.rejects)


def test_one_that_is_not_reportable_leaves_the_other(file: Callable[..., Path]) -> None:
    found = read(file("edd", row("INITIAL", "8", "No"), AGAIN))
    assert (found.observations["value"].tolist(), found.rejects) == ([12.0], ())
    assert found.tables["quality_control"]["result_value"].tolist() == ["8"]


def test_quality_of_a_file_says_what_ingest_says(run: Run, file: Callable[..., Path], tmp_path: Path) -> None:
    site = tmp_path / "site"
    demo.fresh_site(site)
    twice = file("twice", row("INITIAL", "8"), row("INITIAL", "12"), row("INITIAL", "3", sample="A3"))
    for path in (file("tests", FIRST, AGAIN, row("INITIAL", "3", sample="A3")), twice):
        answer = run("quality", str(path))
        (receipt,) = run("ingest", str(path), "--site", str(site))
        assert {one["sample"] for one in answer["verdicts"]} == {"A3"}
        assert len(answer["rejects"]) == receipt["rejected"] == 2


@pytest.mark.parametrize("order", list(permutations(["one", "two"])))
def test_in_two_files_both_are_shown_and_told_in_either_order(
    run: Run, file: Callable[..., Path], tmp_path: Path, order: tuple[str, ...]
) -> None:
    site = tmp_path / "site"
    demo.fresh_site(site)
    paths = {"one": file("one", FIRST), "two": file("two", AGAIN)}
    receipts = [run("ingest", str(paths[name]), "--site", str(site))[0] for name in order]
    assert [(one["accepted"], one["revised"]) for one in receipts] == [(1, 0), (1, 0)]
    answer = run("quality", "MW-2", "--site", str(site))
    assert {one["value_text"] for one in answer["verdicts"] if one["sample"] == "A2"} == {"8", "12"}
    told = [one for one in answer["warnings"] if "both are judged, ask which is right" in one]
    assert len(told) == 1
    assert "8 ug/L" in told[0]
    assert "12 ug/L" in told[0]


def test_a_corrected_reanalysis_is_a_new_version_of_itself(run: Run, file: Callable[..., Path], tmp_path: Path) -> None:
    site = tmp_path / "site"
    demo.fresh_site(site)
    names = [file("one", AGAIN), file("two", row("REANALYSIS", "11"))]
    receipts = [run("ingest", str(one), "--site", str(site))[0] for one in names]
    assert [(one["accepted"], one["revised"]) for one in receipts] == [(1, 0), (0, 1)]
