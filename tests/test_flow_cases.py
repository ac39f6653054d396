"""Public bug reports on stream flow, restated: each comes out right here, through the command line.

A folder of ``tests/data/cases`` holds the input, what is right (``checks``) and what went wrong elsewhere (``traps``).
The inputs name their column ``flow``; a csv of the contract calls it ``value``, and is written here from them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from models.streamflow.flow_summary import flow_summary
from models.units import convert
from pipelines import cli

CASES = Path(__file__).parent / "data" / "cases"
Told = Callable[..., Any]
LYNE_HOLLICK = ("--method", "lyne-hollick", "--alpha", "0.925", "--rows")
AS_PUBLISHED = ("--set", "reflect_days=0", "--set", "start=zero", "--set", "variant=nathan-mcmahon")
"""The report's own start rule: no quick flow on the first day, no mirrored days, quick flow not below 0 on the way."""


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    """What a command answers as JSON."""

    def run(*arguments: object) -> Any:
        code = cli.run([*map(str, arguments), "--json"])
        assert code == 0, capsys.readouterr()
        return json.loads(capsys.readouterr().out)

    return run


def checks(case: str) -> dict[str, Any]:
    """What is right, by name."""
    found = json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))["checks"]
    return {one["name"]: one["value"] for one in found}


def rows(case: str, file: str = "input.csv") -> list[dict[str, str]]:
    return list(csv.DictReader((CASES / case / file).read_text(encoding="utf-8").splitlines()))


def daily_csv(folder: Path, days: list[tuple[str, str]]) -> Path:
    path = folder / "daily.csv"
    path.write_text("".join(f"{day},{value}\n" for day, value in [("date", "value"), *days]), encoding="utf-8")
    return path


def of_case(folder: Path, case: str) -> Path:
    return daily_csv(folder, [(row["date"], row["flow"]) for row in rows(case)])


# FLOW-01: quick flow taken for base flow; one pass or three -----------------------------------------------------------


@pytest.mark.parametrize(("passes", "name"), [(1, "1 pass"), (3, "3 passes")])
def test_lyne_hollick_gives_base_flow_and_says_how(tmp_path: Path, told: Told, passes: int, name: str) -> None:
    right = checks("FLOW-01")
    found = told("baseflow", of_case(tmp_path, "FLOW-01"), *LYNE_HOLLICK, "--set", f"passes={passes}", *AS_PUBLISHED)
    base = [row["base_flow"] for row in found["rows"]]
    assert base == pytest.approx(right[f"base flow, {name}"], abs=0.001)
    assert found["bfi"] == pytest.approx(right[f"BFI, {name}"], abs=0.0005)
    assert found["bfi"] != pytest.approx(0.3924, abs=0.01), "quick flow reported as base flow"
    said = found["parameters"]
    assert (float(said["alpha"]), int(said["passes"]), said["start"]) == (0.925, passes, "zero")


@pytest.mark.parametrize("passes", [1, 2, 3])
def test_base_flow_lies_between_nothing_and_the_flow_on_the_dates_of_the_input(
    tmp_path: Path, told: Told, passes: int
) -> None:
    found = told("baseflow", of_case(tmp_path, "FLOW-01"), *LYNE_HOLLICK, "--set", f"passes={passes}")["rows"]
    assert [row["date"] for row in found] == [row["date"] for row in rows("FLOW-01")]
    assert all(0 <= row["base_flow"] <= row["flow"] for row in found)


# FLOW-03: reverse flow dropped, made positive or cut off --------------------------------------------------------------


def test_reverse_flow_keeps_its_sign_in_store_and_summary(told: Told) -> None:
    right = checks("FLOW-03")
    (series,) = told("read", CASES / "FLOW-03" / "input.csv")["series"]
    assert (series["n"], series["min"]) == (5, right["minimum"])
    found = flow_summary([float(row["flow_ft3s"]) for row in rows("FLOW-03")])
    assert found.mean == pytest.approx(right["mean"], abs=1e-9)
    assert (found.reverse_days, found.volume_ft3) == (right["days of reverse flow"], right["volume ft3"])


def test_the_summary_of_a_record_holds_its_reverse_flow(told: Told) -> None:
    """8.33 would be the mean of the three days that flowed forward; what leaves the two out says so."""
    right = checks("FLOW-03")
    low = told("lowflow", CASES / "FLOW-03" / "input.csv", "--unit", "cfs", "--replicates", 2)
    summary = low["summary"]
    assert summary["mean"] == pytest.approx(right["mean"], abs=1e-9)
    assert (summary["minimum"], summary["n"], summary["missing"]) == (right["minimum"], 5, 0)
    assert (summary["reverse_days"], summary["volume_ft3"]) == (right["days of reverse flow"], right["volume ft3"])
    assert "days of reverse flow, taken as unknown: 2" in low["warnings"]


def test_reverse_flow_that_is_not_known_is_in_no_summary(tmp_path: Path, told: Told) -> None:
    path = tmp_path / "a.csv"
    path.write_text("date,value,qualifier,coverage\n2024-08-01,8,,\n2024-08-02,-5,Ice,\n2024-08-03,-5,,0.1\n")
    summary = told("lowflow", path, "--replicates", 2)["summary"]
    assert (summary["n"], summary["mean"], summary["reverse_days"]) == (1, 8.0, 0)


def test_no_filter_and_no_statistic_of_low_flow_takes_reverse_flow(told: Told) -> None:
    """8 cfs is the median of the three days that flowed; the filter joins nothing over the two that did not."""
    path = CASES / "FLOW-03" / "input.csv"
    low = told("lowflow", path)
    assert (low["n"], low["unknown_days"], low["q50"]) == (3, {"negative flow": 2}, 8.0)
    found = told("baseflow", path, *LYNE_HOLLICK)
    assert found["known_days"] == 3
    assert [row["base_flow"] for row in found["rows"]][2:4] == [None, None]


def test_reverse_flow_is_no_shortfall(told: Told) -> None:
    """Two days at -3 and -1 cfs below any base flow: unknown (decision 21), and never |Q|."""
    (spell,) = told("shortfall", CASES / "FLOW-03" / "input.csv", "--base-flow", "6.00")["spells"]
    assert (spell["start"], spell["known_below_days"], spell["unknown_days"]) == (
        "2024-08-05", 1, ["2024-08-03", "2024-08-04"],
    )  # fmt: skip


# FLOW-05: the year cut in its low-flow season -------------------------------------------------------------------------


def test_the_climatic_year_keeps_the_low_flow_season_whole(tmp_path: Path, told: Told) -> None:
    runs = rows("FLOW-05", "input_runs.csv")
    days = [
        (str(date.fromisoformat(run["from"]) + timedelta(days=k)), run["flow"])
        for run in runs
        for k in range((date.fromisoformat(run["to"]) - date.fromisoformat(run["from"])).days + 1)
    ]
    (minimum,) = told("lowflow", daily_csv(tmp_path, days), "--rows", "--replicates", 2)["rows"]
    assert minimum["flow"] == checks("FLOW-05")["minimum 7-day mean, climate year starting 2019-04-01"]
    assert minimum["flow"] not in (28.0, pytest.approx(21.8571, abs=1e-3)), "split at 1 October"


# FLOW-07: a site and its station added up -----------------------------------------------------------------------------


def test_a_site_and_its_station_are_two_series_that_nothing_adds(tmp_path: Path, told: Told) -> None:
    path = tmp_path / "table.csv"
    lines = [
        f"{row['station'] or row['site']},00060,2024-05-01T00:00Z,{row['mean_flow_l_s']},L/s" for row in rows("FLOW-07")
    ]
    path.write_text("\n".join(["station,parameter_cd,datetime_utc,value,unit", *lines]) + "\n", encoding="utf-8")
    series = {one["station"]: one for one in told("read", path)["series"]}
    assert sorted(series) == ["A228", "A22801", "A236", "A23601"]
    assert [one["n"] for one in series.values()] == [1] * 4
    total = sum(series[station]["last"]["value"] for station in ("A22801", "A23601"))
    assert total == checks("FLOW-07")["total L/s"]
    assert convert(Decimal(total), "L/s", "m3/s") == Decimal(str(checks("FLOW-07")["total m3/s"]))


# FLOW-09: a gap counted as a dry day ----------------------------------------------------------------------------------


def test_a_gap_is_no_dry_day(tmp_path: Path, told: Told) -> None:
    right = checks("FLOW-09")
    found = flow_summary([float(row["flow"] or "nan") for row in rows("FLOW-09")])
    assert found.harmonic_mean_of_positive == pytest.approx(right["harmonic mean of positive"], abs=1e-6)
    assert found.harmonic_mean_adjusted == pytest.approx(right["adjusted"], abs=1e-6)
    assert found.harmonic_mean_adjusted != pytest.approx(5.142857, abs=1e-3), "gap as zero"
    assert found.n == right["days with data"]
    low = told("lowflow", of_case(tmp_path, "FLOW-09"), "--replicates", 2)
    assert (low["n"], sum(low["unknown_days"].values())) == (right["days with data"], 1)


def test_a_gap_and_a_dry_day_are_not_the_same_to_a_shortfall(tmp_path: Path, told: Told) -> None:
    (dry,) = told("shortfall", of_case(tmp_path, "FLOW-09"), "--base-flow", "5.00")["spells"]
    assert (dry["start"], dry["end"], dry["unknown_days"]) == ("2024-07-03", "2024-07-03", ["2024-07-04"])


# Disclosed beside the spells, and never part of the trigger -----------------------------------------------------------


def test_pools_and_days_below_are_told_and_trigger_nothing(tmp_path: Path, told: Told) -> None:
    """Five days below, one at the base flow, five below: two minor spells (decision 19), one pool of ten days."""
    start, values = date(2025, 7, 1), ["4.00"] * 5 + ["5.01"] + ["4.00"] * 5 + ["6.00"]
    days = [(str(start + timedelta(days=k)), value) for k, value in enumerate(values)]
    found = told("shortfall", daily_csv(tmp_path, days), "--base-flow", "5.00")
    assert [one["status"] for one in found["spells"]] == ["MINOR", "MINOR"]
    (whole,) = found["records"]
    assert [(one["start"], one["end"], one["below_days"]) for one in whole["pools"]] == [
        ("2025-07-01", "2025-07-11", 10)
    ]
    assert whole["days_below"] == {"30": 10, "365": 10}


# What `shortfall` takes of a file, and what it says of the rest -------------------------------------------------------


@pytest.fixture
def ran(capsys: pytest.CaptureFixture[str]) -> Told:
    """Exit code, what a command prints, and its error output."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = cli.run([*map(str, arguments)])
        return code, *capsys.readouterr()

    return run


def week(folder: Path, rows: list[str], header: str = "date,value,qualifier") -> Path:
    path = folder / "week.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def rdb(folder: Path, columns: list[str], cells: list[str]) -> Path:
    """Eight daily rows of one station, the same cells every day."""
    names = "\t".join(f"{one}\t{one}_cd" for one in columns)
    days = [date(2025, 6, 1) + timedelta(days=k) for k in range(8)]
    values = "\t".join(f"{one}\tA" for one in cells)
    types = "5s\t15s\t20d" + "\t14n\t10s" * len(columns)
    lines = ["# daily", f"agency_cd\tsite_no\tdatetime\t{names}", types]
    path = folder / "daily.rdb"
    path.write_text("\n".join([*lines, *(f"USGS\t05999101\t{day}\t{values}" for day in days)]) + "\n")
    return path


def test_a_daily_minimum_is_no_mean(tmp_path: Path, told: Told) -> None:
    path = rdb(tmp_path, ["1_00060_00003", "2_00060_00001", "3_00060_00002"], ["5.80", "7.50", "4.00"])
    found = told("shortfall", path, "--base-flow", "5.00")
    assert (found["spells"], [one["version"] for one in found["records"]]) == ([], ["1"])


def test_a_file_without_means_is_refused(tmp_path: Path, ran: Told) -> None:
    code, _, err = ran("shortfall", rdb(tmp_path, ["3_00060_00002"], ["4.00"]), "--base-flow", "5.00")
    assert (code, "no daily mean" in err) == (2, True)


def test_two_sensors_of_a_station_are_both_judged_and_neither_is_a_version(tmp_path: Path, told: Told) -> None:
    for cells in (["4.00", "5.80"], ["5.80", "4.00"]):
        found = told("shortfall", rdb(tmp_path, ["1_00060_00003", "2_00060_00003"], cells), "--base-flow", "5.00")
        assert [one["verdict"] for one in found["spells"]] == ["attained"]


@pytest.mark.parametrize(
    ("row", "column"),
    [("4.8O,,", "value"), ("<4.8,,", "value"), ("Ice,,", "value"), ("4.80,,80", "coverage"), ("4.80,,1.2", "coverage")],
)
def test_a_row_that_cannot_be_taken_is_listed_and_the_exit_code(
    tmp_path: Path, ran: Told, row: str, column: str
) -> None:
    days = [f"2025-07-0{k},{row if k == 3 else '5.10,,'}" for k in range(1, 8)]
    path = week(tmp_path, days, "date,value,qualifier,coverage")
    code, out, _ = ran("shortfall", path, "--base-flow", "5.00")
    assert code == 3
    assert f"row 4: {column} " in out
    assert "1 of 7 days unknown\n  no record: 2025-07-03" in out
    code, out, _ = ran("shortfall", path, "--base-flow", "5.00", "--json")
    found = json.loads(out)
    assert (code, len(found["left_out"]), found["records"][0]["unknown_days"]) == (
        3, 1, [{"day": "2025-07-03", "reason": "no record"}],
    )  # fmt: skip


def test_no_spell_over_unknown_days_counts_and_lists_them(tmp_path: Path, ran: Told) -> None:
    cells = ["5.10,", "4.80,Pr", "5.10,", "4.80,Ice", "NA,", "4.80,", "5.10,"]
    path = week(tmp_path, [f"2025-07-0{k},{cell}" for k, cell in enumerate(cells, 1)])
    code, out, _ = ran("shortfall", path, "--base-flow", "4.00")
    assert (code, out.startswith("EVALUATED: no spell.")) == (0, True)
    assert "3 of 7 days unknown\n  Pr: 2025-07-02\n  Ice: 2025-07-04\n  no value: 2025-07-05" in out


def test_an_estimate_under_ice_in_a_csv_counts_and_is_flagged(tmp_path: Path, told: Told) -> None:
    codes = ["A:e", "A e Ice", '"A:e,Ice"', "P:e", "e", "A:e:Ice"]
    path = week(tmp_path, [*(f"2025-01-0{k},4.80,{code}" for k, code in enumerate(codes, 1)), "2025-01-07,5.10,A"])
    (spell,) = told("shortfall", path, "--base-flow", "5.00")["spells"]
    assert spell["status"] == "TRIGGERED_CLOSED"
    assert any("estimated: 2025-01-01, 2025-01-02" in one for one in spell["reasons"])


def test_the_unit_of_a_base_flow_is_said_and_values_are_brought_to_it(tmp_path: Path, ran: Told, told: Told) -> None:
    """0.14 m3/s is 4.944 cfs; a base flow of 5.00 is in cfs whatever the file's unit."""
    lines = [f"A-1,00060,2025-07-01T{hour:02}:00Z,0.14,m3/s" for hour in range(24)]
    path = week(tmp_path, lines, "station,parameter_cd,datetime_utc,value,unit")
    arguments = ("shortfall", path, "--base-flow", "5.00", "--zone", "UTC", "--days", "0")
    found = told(*arguments)
    assert (found["unit"], [one["verdict"] for one in found["spells"]]) == ("cfs", ["attained"])
    assert found["notes"] == ["converted from m3/s to cfs"]
    assert "values and base flow in cfs" in ran(*arguments)[1]
    bare = ran("shortfall", week(tmp_path, ["2025-07-01,4.80,"]), "--base-flow", "5.00")[1]
    assert "the file names no unit: taken as cfs" in bare


def test_a_stage_may_lie_below_its_datum_and_a_flow_not(tmp_path: Path, told: Told, ran: Told) -> None:
    path = week(tmp_path, [f"2025-07-0{k},-0.50," for k in range(1, 8)])
    found = told("shortfall", path, "--quantity", "stage", "--base-flow=-0.20")
    assert (found["unit"], [one["status"] for one in found["spells"]]) == ("ft", ["TRIGGERED_OPEN"])
    code, _, err = ran("shortfall", path, "--base-flow=-0.20")
    assert (code, "0 or more" in err) == (2, True)


@pytest.mark.parametrize(
    "command", [("shortfall", "--base-flow", "5.00"), ("lowflow",), ("baseflow", "--method", "ukih")]
)
def test_a_day_that_stands_twice_is_named_with_file_and_rows(
    tmp_path: Path, ran: Told, command: tuple[str, ...]
) -> None:
    name, *options = command
    path = week(tmp_path, ["2025-07-01,4.80,", "2025-07-02,4.80,", "2025-07-02,5.80,"])
    code, _, err = ran(name, path, *options)
    assert code == 2
    assert "week.csv: rows 3 and 4: 2025-07-02: two rows of one day differ (found '4.80 and 5.80')" in err
    same = week(tmp_path, ["2025-07-01,4.80,", "2025-07-02,4.80,", "2025-07-02,4.80,"])
    assert ran("shortfall", same, "--base-flow", "5.00")[0] == 0


@pytest.mark.parametrize(
    ("versions", "speaks"),
    [
        (["v1", "v0"], "v1"),
        (["v10", "v9"], "v10"),
        (["2025-08-01", "2025-07-20"], "2025-08-01"),
        (["new", "old"], "old"),
    ],
)
def test_the_last_version_is_the_highest_and_not_the_last_in_the_file(
    tmp_path: Path, told: Told, versions: list[str], speaks: str
) -> None:
    values = {speaks: "4.80"}
    rows = [f"2025-07-0{k},{values.get(one, '5.80')},,A,{one}" for one in versions for k in range(1, 8)]
    path = week(tmp_path, rows, "date,value,qualifier,station,version")
    found = told("shortfall", path, "--base-flow", "5.00")
    assert [one["version"] for one in found["records"] if one["speaks"]] == [speaks]
    assert [one["verdict"] for one in found["spells"]] == ["attained"]
    assert told("lowflow", path, "--replicates", 2)["q50"] == 4.8


@pytest.mark.parametrize(
    ("text", "words"),
    [("07=5.00,07=6.00", "a month is given twice"), ("1e400", "0 or more, to"), ("1000000000.1", "0 or more, to")],
)
def test_a_base_flow_that_nobody_can_mean_is_refused(text: str, words: str, tmp_path: Path, ran: Told) -> None:
    code, _, err = ran("shortfall", week(tmp_path, ["2025-07-01,4.80,"]), "--base-flow", text)
    assert (code, words in err) == (2, True)
