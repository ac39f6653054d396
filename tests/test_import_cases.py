"""Public bug reports on importing files (IMP, TS-13), and what the gate makes of CENS and UNIT: by the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli

CASES = Path(__file__).parent / "data" / "cases"
Run = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def rows(capfd: pytest.CaptureFixture[str]) -> Run:
    """Rows that ``headwater read --rows`` prints of a file of a case; ``code`` is what it has to exit with."""

    def command(name: str, *options: str, code: int = 0) -> list[dict[str, Any]]:
        capfd.readouterr()
        assert cli.run(["read", str(CASES / name), "--rows", *options]) == code
        return [json.loads(line) for line in capfd.readouterr().out.splitlines()]

    return command


@pytest.fixture
def gate(capfd: pytest.CaptureFixture[str]) -> Callable[..., dict[str, list[int]]]:
    """Rows by the rule they break at the gate."""

    def command(name: str, *options: str, code: int) -> dict[str, list[int]]:
        capfd.readouterr()
        assert cli.run(["read", str(CASES / name / "input.csv"), "--gate", "--json", *options]) == code
        broken = json.loads(capfd.readouterr().out)["rules"]
        return {one["rule"]: [fault["row"] for fault in one["faults"]] for one in broken}

    return command


def expected(name: str) -> dict[str, Any]:
    checks = json.loads((CASES / name / "expected.json").read_text("utf-8"))["checks"]
    return {one["name"]: one["value"] for one in checks}


def values(found: list[dict[str, Any]]) -> list[float]:
    return [one["value"] for one in found]


def days(found: list[dict[str, Any]]) -> list[str]:
    return [one["time"][:10] for one in found]


def test_imp_01_each_file_has_its_own_locale(rows: Run) -> None:
    right = expected("IMP-01")
    assert values(rows("IMP-01/eu.csv")) == right["eu.csv"]
    assert values(rows("IMP-01/us.csv", code=1)) == right["us.csv rows 1-2"]


def test_imp_01_the_one_that_does_not_tell_asks(rows: Run, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["read", str(CASES / "IMP-01" / "ambiguous.csv")]) == 2
    assert "--decimal" in capfd.readouterr().err
    assert values(rows("IMP-01/ambiguous.csv", "--decimal", "point")) == [1234.0, 2500.0]


def test_imp_03_every_line_end_ends_a_row(rows: Run) -> None:
    right, found = expected("IMP-03"), rows("IMP-03/input.csv")
    assert (len(found), days(found), found[-1]["value"]) == (right["rows"], right["dates"], right["last value"])


def test_imp_05_a_formula_without_a_value_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    right = expected("IMP-05")
    assert cli.run(["read", str(CASES / "IMP-05" / "input.xlsx"), "--json"]) == 1
    answer = json.loads(capfd.readouterr().out)
    ((series,), (reject,)) = answer["series"], answer["rejects"]
    assert (series["n"], series["min"]) == (right["rows imported"], right["value 2024-06-02"])
    assert (reject["column"], f"rejected: {reject['reason']}") == ("D2", right["D2"])


def test_ts_13_the_date_system_of_the_workbook(rows: Run) -> None:
    assert days(rows("TS-13/input.xlsx")) == expected("TS-13")["dates"]


# The gate ------------------------------------------------------------------------------------------------------------


def test_cens_01_a_bare_zero_does_not_pass(gate: Callable[..., dict[str, list[int]]]) -> None:
    found = gate("CENS-01", "--parameter", "phenol", code=1)
    assert found["nondetect-without-limit"] == [5]


def test_cens_08_a_name_like_a_duplicates_is_asked_for(gate: Callable[..., dict[str, list[int]]]) -> None:
    assert len(gate("CENS-08", code=1)["duplicate-as-result"]) == 1


def test_cens_11_a_limit_of_zero_is_no_limit(gate: Callable[..., dict[str, list[int]]]) -> None:
    found = gate("CENS-11", "--parameter", "benzene", code=1)
    assert found["nondetect-without-limit"] == found["limit-not-positive"] == [2, 3]


def test_unit_01_only_the_unknown_unit_is_refused(gate: Callable[..., dict[str, list[int]]]) -> None:
    told = ("--format", "lab-table", "--parameter", "benzene")
    assert gate("UNIT-01", *told, code=1)["unit-unknown"] == [12, 13, 14]
