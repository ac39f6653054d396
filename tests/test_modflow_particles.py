"""Particle paths against closed forms: a well in uniform flow, alone, beside a stream, in layers; and what is told."""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from math import cos, log, pi, radians, sin, sqrt
from pathlib import Path as Folder
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from models.errors import BadQuestion, EnvironmentFailed
from models.modflow import path_ends, path_forms, turned
from models.modflow.build import Choices, Pair, pair_of
from models.modflow.numerical import NumericalModel, Period, WellStress
from models.modflow.particles import End, Path, Start, Way, around, porosity_of, starts_of, steady_of
from models.modflow.path_checks import closed_form, lone_well, steady_checks
from models.modflow.path_ends import Tracks, paths_of
from models.modflow.path_groups import Particles
from models.modflow.weak_cells import ending
from models.porosity import POROSITY
from models.quantity import Quantity, read_quantity
from models.scenario.noun import Scenario, day_number
from pipelines import cli
from pipelines.modflow import particle_files, particle_run
from pipelines.modflow.kept import RECORD
from pipelines.modflow.particle_files import hand_over
from pipelines.modflow.particle_program import particle_program
from pipelines.modflow.particle_run import NORMAL, follow
from pipelines.modflow.path_layers import path_layers
from pipelines.modflow.paths import NUMBERS, Work, particles_of
from pipelines.modflow.program import sha256_of
from pipelines.modflow.run import run
from pipelines.modflow.runs import Runs
from reports.modflow.paths_told import path_rows
from reports.shown_units import shown
from tests.mf6_runs import confined, mf6, point, well

K, THICK, T, RATE, N = 4.32, 100.0, 432.0, 864.0, 0.2
SLOPE = 0.002
X0 = RATE / (2 * pi * T * SLOPE)
"""From the well to its stagnation point, 159 m."""
YEAR = 365.25
ENDS = day_number(date(2026, 1, 1))
ONE = Choices(ENDS, "one")
PLAIN = read_quantity("0.2", POROSITY)
WEST = {"slope": f"{SLOPE}", "toward_degrees": 270}


def tracked(scenario: Scenario, folder: Folder, *, choices: Choices = ONE, porosity: Quantity = PLAIN) -> list[Path]:
    """Every path of a scenario, through mf6 and mp7."""
    pair = pair_of(scenario, choices)
    steady = steady_of(pair.stressed)
    return followed(steady, starts_of(scenario, steady), folder, porosity)


def followed(steady: NumericalModel, starts: tuple[Start, ...], folder: Folder, porosity: Quantity) -> list[Path]:
    outcome = run(steady, folder, mf6())
    assert all(one.passed for one in steady_checks(steady, outcome))
    stops = hand_over(steady, outcome, folder)
    found: list[Path] = []
    for way in ("backward", "forward"):
        some = [one for one in starts if one.way == way]
        if some:
            tracks = follow(steady, some, way, stops[way], porosity, folder, particle_program(mf6()))
            found += paths_of(steady, some, tracks)
    return found


def theta(x: Any, y: Any) -> Any:
    """From upstream, which is east."""
    return np.arctan2(np.abs(y), x)


# A well in uniform flow -----------------------------------------------------------------------------------------------

UPSTREAM = (100.0, 300.0, 800.0)


def divide(x: float) -> float:
    """Half the width of the capture zone so far upstream: y = x0 (pi - theta)."""
    return float(brentq(lambda y: y - X0 * (pi - theta(x, y)), 1e-6, pi * X0))


@pytest.fixture(scope="module")
def uniform(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Water flows west past a well at (0, 0)."""
    places = {f"up {x:g}": (x, 0.0) for x in UPSTREAM}
    places |= {f"lee {share:g}": (-share * X0, 0.0) for share in (0.95, 1.05)}
    places |= {f"side {x:g} {share:g}": (x, share * divide(x)) for x in (0.0, 1000.0) for share in (0.95, 1.05)}
    asked = [point(id.replace(" ", "-"), *place) for id, place in places.items()]
    scenario = confined(well=[well("W", 0, 0)], point=asked, gradient=WEST)
    return tracked(scenario, tmp_path_factory.mktemp("uniform"))


def to_well(paths: list[Path], id: str) -> bool:
    (one,) = [one for one in paths if one.start.of == id]
    return one.end == End("well", "W")


def test_every_backward_path_is_a_streamline(uniform: list[Path]) -> None:
    """y + x0 theta keeps its value x0 theta0 from five cells off the well on: to 3 % of the half width.

    Nearer, a square of cells stands for a circle; what that turns a path by stays with it, whatever the cells' width.
    """
    backward = [one for one in uniform if one.start.way == "backward"]
    assert len(backward) == 32
    for number, one in enumerate(backward):
        angle = (number + 0.5) * 2 * pi / 32
        off = np.abs(one.y) + X0 * theta(one.x, one.y) - X0 * min(angle, 2 * pi - angle)
        told = np.abs(np.hypot(one.x, one.y) - 1_255) < 1_245
        assert np.abs(off[told]).max() < 0.03 * pi * X0


def test_far_upstream_the_capture_zone_is_as_wide_as_the_flow_that_makes_up_the_rate(uniform: list[Path]) -> None:
    """The outermost of 32 paths stand for all but half a share on each side of Q / (2 T i)."""
    ends = [float(one.y[-1] + X0 * theta(one.x[-1], one.y[-1])) for one in uniform if one.start.way == "backward"]
    assert max(ends) == pytest.approx(RATE / (2 * T * SLOPE) * (1 - 1 / 32), rel=0.015)


@pytest.mark.parametrize("x", UPSTREAM)
def test_travel_time_along_the_axis(uniform: list[Path], x: float) -> None:
    """t = n / (K i) (x - x0 ln(1 + x / x0))."""
    (one,) = [one for one in uniform if one.start.of == f"up-{x:g}"]
    closed = N / (K * SLOPE) * (x - X0 * log(1 + x / X0))
    assert one.end == End("well", "W")
    assert one.day[-1] == pytest.approx(closed, rel=0.02)


def test_the_stagnation_point(uniform: list[Path]) -> None:
    """Within 5 %: on one side of it water turns back to the well, on the other it goes on."""
    assert to_well(uniform, "lee-0.95")
    assert not to_well(uniform, "lee-1.05")


@pytest.mark.parametrize("x", [0.0, 1000.0])
def test_the_dividing_streamline(uniform: list[Path], x: float) -> None:
    """Within 5 %, beside the well where it is Q / (4 T i) off, and upstream."""
    assert divide(0.0) == pytest.approx(RATE / (4 * T * SLOPE))
    assert to_well(uniform, f"side-{x:g}-0.95")
    assert not to_well(uniform, f"side-{x:g}-1.05")


# A well alone ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Pair, list[Path], Folder]:
    scenario = confined(well=[well("W", 0, 0)])
    folder = tmp_path_factory.mktemp("alone")
    return pair_of(scenario, ONE), tracked(scenario, folder), folder


@pytest.mark.parametrize("years", [1.0, 5.0, 10.0])
def test_without_a_gradient_it_takes_a_circle(alone: tuple[Pair, list[Path], Folder], years: float) -> None:
    """pi n b r^2 = Q t: 1 % on the mean of all directions, 3 % in each."""
    radius = sqrt(RATE * years * YEAR / (pi * N * THICK))
    places = np.array([one.at(years * YEAR) for one in alone[1]])
    away = np.hypot(*places.T)
    assert away.mean() == pytest.approx(radius, rel=0.01)
    assert np.abs(away / radius - 1).max() < 0.03


def test_times_are_in_proportion_to_porosity(alone: tuple[Pair, list[Path], Folder], tmp_path: Folder) -> None:
    """What is told of a range without following again is what mp7 says at its end."""
    pair, paths, _ = alone
    steady = steady_of(pair.stressed)
    range_ = read_quantity("0.1..0.2..0.3", POROSITY)
    (told,) = Particles(steady, range_, tuple(paths), (), "").groups
    low, best, high = told.reach(5.0)
    slow = followed(steady, tuple(one.start for one in paths), tmp_path, read_quantity("0.3", POROSITY))
    (again,) = Particles(steady, PLAIN, tuple(slow), (), "").groups
    assert high == pytest.approx(again.reach(5.0)[1], rel=1e-3)
    assert low > best > high


def test_the_closed_form_of_the_gate_sees_a_wrong_time(alone: tuple[Pair, list[Path], Folder]) -> None:
    pair, paths, _ = alone
    lone = lone_well(pair.strata, steady_of(pair.stressed))
    assert closed_form(lone, paths, N).passed
    wrong = closed_form(lone, paths, 1.15 * N)
    assert not wrong.passed
    assert wrong.measured == pytest.approx(100 * (sqrt(1.15) - 1), rel=0.1)
    assert not closed_form(None, (), N).applies


def test_without_paths_no_cell_budget_is_written(alone: tuple[Pair, list[Path], Folder], tmp_path: Folder) -> None:
    pair, _, folder = alone
    assert not pair.stressed.keep_flows
    run(replace(steady_of(pair.stressed), keep_flows=False), tmp_path, mf6())
    assert list(folder.glob("flows.cbc"))
    assert not list(tmp_path.glob("*.cbc"))


# Streams, edges, layers, a pit ----------------------------------------------------------------------------------------


def beside_stream(turn: float) -> Scenario:
    """A well 200 m from a stream that gives all it asks for, the whole map turned about the well."""

    def at(x: float, y: float) -> tuple[float, float]:
        c, s = cos(radians(turn)), sin(radians(turn))
        return c * x - s * y, s * x + c * y

    stream = {"id": "creek", "line": [at(-200, -30_000), at(-200, 30_000)], "conductance": "5000 m/d"}
    return confined(well=[well("W", 0, 0)], point=[point("P", *at(-100, 40))], stream=[stream])


@pytest.fixture(scope="module")
def stream_side(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return tracked(beside_stream(0.0), tmp_path_factory.mktemp("stream"))


def test_beside_a_stream_of_constant_level_the_straight_way_takes_what_the_image_well_says(
    stream_side: list[Path],
) -> None:
    """Along the shortest way from stream to well v = Q / (2 pi n b) (1/r + 1/(2 a - r)): t = 2 pi n b a^2 / (3 Q)."""
    starts = [one for one in stream_side if one.start.way == "backward"]
    toward = min(starts, key=lambda one: float(one.day[-1]))
    assert toward.end == End("stream", "creek")
    assert toward.day[-1] == pytest.approx(2 * pi * N * THICK * 200.0**2 / (3 * RATE), rel=0.05)
    assert {one.end.kind for one in starts} <= {"stream", "still on its way"}


def test_a_turned_map_gives_the_same_paths_turned(stream_side: list[Path], tmp_path: Folder) -> None:
    turned = tracked(beside_stream(37.0), tmp_path)
    straight = {id: [one for one in paths if one.start.of == "P"] for id, paths in (("s", stream_side), ("t", turned))}
    (one,), (other,) = straight["s"], straight["t"]
    assert other.end == one.end == End("well", "W")
    assert other.day[-1] == pytest.approx(one.day[-1], rel=0.02)
    c, s = cos(radians(37.0)), sin(radians(37.0))
    assert (other.x[0], other.y[0]) == pytest.approx((-100 * c - 40 * s, -100 * s + 40 * c), abs=0.01)
    (x, y), (u, v) = one.at(YEAR) or (0, 0), other.at(YEAR) or (0, 0)
    assert (u, v) == pytest.approx((c * x - s * y, s * x + c * y), abs=1.0)


def test_each_layer_has_its_own_time_and_a_screen_its_own_layers(tmp_path: Folder) -> None:
    """Two confined layers, K 2 and 10 m/d: Q_k = Q T_k / T, r_k^2 = Q_k t / (pi n b_k); the third is not open."""
    layers = [
        {"id": "upper", "bottom": "20 m", "conductivity": "2 m/d", "vertical_conductivity": "1e-7 m/d"},
        {"id": "lower", "bottom": "50 m", "conductivity": "10 m/d", "vertical_conductivity": "1e-7 m/d"},
        {"id": "deep", "bottom": "60 m", "conductivity": "5 m/d", "vertical_conductivity": "1e-7 m/d"},
    ]
    screened = well("W", 0, 0) | {
        "radius": "0.15 m", "water_depth": "5 m", "screen_top": "5 m", "screen_bottom": "55 m",
    }  # fmt: skip
    scenario = confined(well=[screened], layer=layers, point=[point("P", 60, 10)])
    paths = tracked(scenario, tmp_path, choices=replace(ONE, growth=1.4))
    backward = [one for one in paths if one.start.way == "backward"]
    assert {one.start.cell[0] for one in backward} == {0, 1}
    assert sorted(one.start.cell[0] for one in paths if one.start.way == "forward") == [0, 1, 2]
    shares = np.array([40.0, 300.0])
    for layer, (share, thick) in enumerate(zip(RATE * shares / shares.sum(), (20.0, 30.0), strict=True)):
        places = np.array([one.at(YEAR) for one in backward if one.start.cell[0] == layer])
        assert np.hypot(*places.T).mean() == pytest.approx(sqrt(share * YEAR / (pi * N * thick)), rel=0.03)


def test_to_the_pit_from_its_sides_and_an_edge_ends_a_path(tmp_path: Folder) -> None:
    pit = {"polygon": [(-50, -50), (50, -50), (50, 50), (-50, 50)], "lowered": "3 m", "since": "2025-01-01"}
    edge = {"id": "lake", "kind": "constant_head", "line": [(400.0, -900.0), (400.0, 900.0)]}
    scenario = confined(pit=pit, edge=[edge], point=[point("P", 150, 3)])
    paths = tracked(scenario, tmp_path)
    backward = [one for one in paths if one.start.of == "pit"]
    assert 40 <= len(backward) <= 64
    assert all(max(abs(one.x[0]), abs(one.y[0])) == pytest.approx(50, abs=6) for one in backward)
    straight = min(backward, key=lambda one: float(one.day[-1]))
    assert straight.end == End("edge", "lake")
    assert straight.x[-1] == pytest.approx(400, abs=60)
    (onward,) = [one for one in paths if one.start.of == "P"]
    assert onward.end == End("pit", "pit")


# Without mf6 ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small() -> NumericalModel:
    scenario = confined(well=[well("W", 0, 0)], point=[point("P", 30, 4)])
    return steady_of(pair_of(scenario, Choices(ENDS, "one", fine_m=50.0, growth=2.0)).stressed)


def made(small: NumericalModel, *status: int, last: tuple[int, int, int] | None = None) -> tuple[Path, ...]:
    """Paths of two points each, ended as said."""
    count = len(status)
    starts = [Start("W", "backward", small.wells[0].cells[0][0], (0.5, 0.5, 0.5))] * count
    node = int(np.ravel_multi_index(last or (0, 3, 3), small.grid.shape))
    line = np.tile([0.0, 3.0], count)
    tracks = Tracks(
        np.full(count, 2), line, line, line, line, np.full(2 * count, node), np.array(status), np.full(count, node)
    )  # fmt: skip
    return paths_of(small, starts, tracks)


def test_why_a_path_ends(small: NumericalModel) -> None:
    kinds = [one.end.kind for one in made(small, 1, 5, 7, 8)]
    assert kinds == ["still on its way", "no way on", "dry", "dry"]
    assert made(small, 6, last=(0, 0, 0))[0].end == End("far end")
    assert made(small, 5, last=small.wells[0].cells[0][0])[0].end == End("well", "W")


def test_paths_are_followed_as_far_as_water_goes_at_the_low_porosity(tmp_path: Folder) -> None:
    """1,400 m up a gentle slope: 167 years at the best porosity and 8 at the low one, by t of the axis."""
    slope, wide = 0.0005, read_quantity("0.01..0.2..0.3", POROSITY)
    scenario = confined(
        well=[well("W", 0, 0)], point=[point("U", 1400, 0)], gradient={"slope": f"{slope}", "toward_degrees": 270}
    )
    pair = pair_of(scenario, ONE)
    steady = steady_of(pair.stressed)
    starts = starts_of(scenario, steady)
    found = Particles(steady, wide, tuple(followed(steady, starts, tmp_path, wide)), (), "")
    (up,) = [one for one in found.groups if one.of == "U"]
    x0 = RATE / (2 * pi * T * slope)

    def years(x: float, n: float) -> float:
        return n / (K * slope) * (x - x0 * log(1 + x / x0)) / YEAR

    soonest = up.soonest()
    assert soonest is not None
    assert soonest[0] == End("well", "W")
    assert soonest[1] == pytest.approx([years(1400, n) for n in (0.01, 0.2, 0.3)], rel=0.02)
    assert soonest[1][1] > 100
    gone = brentq(lambda left: years(1400, 0.01) - years(left, 0.01) - 5, 1, 1399)
    assert up.reach(5.0)[0] == pytest.approx(1400 - gone, rel=0.02)
    assert up.reach(10.0)[0] == pytest.approx(1400, rel=0.01)


def test_a_path_that_goes_on_says_for_how_many_years_it_was_followed_at_each_porosity(small: NumericalModel) -> None:
    (path,) = made(small, 1)
    told = {}
    for text in ("0.2", "0.01..0.2..0.3"):
        found = Particles(small, read_quantity(text, POROSITY), (path,), (), "MODPATH")
        (row,) = path_rows(found, {}, shown(metric=True))
        told[text] = row["come_from_or_go_to"]
        (line,) = path_layers(found, confined(well=[well("W", 0, 0)]))[0].features
        assert line.says["end"] == row["come_from_or_go_to"].removeprefix("1 ")
    assert told["0.2"] == "1 still on the way after 100 years"
    assert told["0.01..0.2..0.3"] == "1 still on the way after 2,000 years (100 to 3,000)"


def test_a_particle_that_never_began_is_a_point_where_it_stands(small: NumericalModel) -> None:
    line = np.empty(0)
    none = Tracks(np.array([0]), line, line, line, line, np.empty(0, np.int64), np.array([7]), np.array([0]))
    (start,) = [one for one in starts_of(confined(point=[point("P", 30, 4)]), small) if one.way == "forward"]
    (one,) = paths_of(small, [start], none)
    assert (one.x[0], one.y[0], one.day[-1], one.end.kind) == (pytest.approx(30), pytest.approx(4), 0.0, "dry")
    with pytest.raises(ValueError, match="1 tracks of 2 particles"):
        paths_of(small, [start, start], none)


def test_rates_are_the_mean_of_the_last_year(small: NumericalModel) -> None:
    """600 days: 300 m3/d for 300 days, none for 200, 730 for 100: of the last 365, (65 * 300 + 100 * 730) / 365."""
    lengths, rates = [1.0, 300.0, 200.0, 100.0], np.array([0.0, 300.0, 0.0, 730.0])
    starts = [-1.0, 0.0, 300.0, 500.0]
    periods = tuple(
        Period(begins, length, 1, 1.0, steady=begins < 0) for begins, length in zip(starts, lengths, strict=True)
    )
    one = WellStress("W", small.wells[0].cells, rates)
    steady = steady_of(replace(small, periods=periods, wells=(one,)))
    assert steady.wells[0].rates == pytest.approx([(65 * 300 + 100 * 730) / 365])
    assert [one.steady for one in steady.periods] == [True]
    brief = replace(small, periods=periods[:2], wells=(replace(one, rates=rates[:2]),))
    assert steady_of(brief).wells[0].rates == pytest.approx([300.0]), "less than a year of pumping: since it began"


def test_private_wells_and_wells_at_rest_are_no_start(small: NumericalModel) -> None:
    private = point("H", 20, 3) | {"kind": "private"}
    of = {one.of for one in starts_of(confined(point=[private, point("P", 30, 4)]), small)}
    assert of == {"W", "P"}
    resting = replace(small, wells=(replace(small.wells[0], rates=np.zeros(1)),))
    assert {one.of for one in starts_of(confined(point=[point("P", 30, 4)]), resting)} == {"P"}


@given(st.integers(1, 200))
def test_a_ring_stands_in_its_cell_all_around(count: int) -> None:
    one = WellStress("W", (((0, 2, 2), 1.0),), np.array([5.0]))
    places = np.array([start.local for start in around(one, count)])
    assert len(places) == count
    assert ((places > 0) & (places < 1)).all()
    if count > 1:
        assert places[:, :2].mean(axis=0) == pytest.approx([0.5, 0.5], abs=1e-9)


def test_no_porosity_names_the_key() -> None:
    with pytest.raises(BadQuestion, match=r"aquifer\.porosity"):
        porosity_of(confined())


@pytest.mark.parametrize(("text", "possible"), [("0.0001", True), ("0.00009", False), ("0.000001..0.2..0.3", False)])
def test_a_porosity_no_aquifer_has_is_refused(text: str, possible: bool) -> None:
    if possible:
        assert read_quantity(text, POROSITY).value == float(text)
        return
    with pytest.raises(BadQuestion, match=r"0\.0001 or above and at most 0\.6"):
        read_quantity(text, POROSITY)


# A cell that takes a part ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "way", "ends"),
    [(-4.9, "forward", False), (-5.1, "forward", True), (9.9, "backward", False), (10.1, "backward", True)],
)
def test_a_path_ends_where_more_than_half_of_the_water_goes_or_comes_from(
    small: NumericalModel, given: float, way: Way, ends: bool
) -> None:
    """10 m3/d run east into a cell that something takes from, or adds to: half of it, and half of all that leaves."""
    east, none, stress = (np.zeros(small.grid.shape) for _ in range(3))
    cell = (0, 5, 6)
    east[0, 5, :6], east[0, 5, 6:] = 10.0, 10.0 + given
    stress[cell] = given
    found = ending(small, (east, none, none), stress)
    assert found[way][cell] == ends
    assert not found["backward" if way == "forward" else "forward"][cell]
    assert found["backward"][0, 0].all(), "fixed heads end every path"


# The command ----------------------------------------------------------------------------------------------------------

SCENARIO = """
name = "Made-up"
crs = "EPSG:32615"
unit = "m"
[aquifer]
kind = "confined"
transmissivity = "400 m2/d"
storativity = "0.1"
thickness = "40 m"
{porosity}
[[well]]
id = "PW-1"
position = [1000.0, 2000.0]
rate = "1000 m3/d"
since = 2025-06-01
[[point]]
id = "H-SECRET"
kind = "private"
position = [1123.25, 2071.75]
[[point]]
id = "MW-9"
kind = "monitoring"
position = [1050.0, 2000.0]
"""
POROUS = 'porosity = "0.15..0.20..0.25"'
QUICK = (
    "--on",
    "2025-06-30",
    "--periods",
    "one",
    "--first-step",
    "1 h",
    "--step-growth",
    "1.1",
    "--growth",
    "1.4",
    "--paths",
)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], home: Folder, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(home)

    def ask(*arguments: object, porosity: str = POROUS) -> tuple[int, str, str]:
        path = home / "summer.toml"
        path.write_text(SCENARIO.format(porosity=porosity), encoding="utf-8")
        code = cli.run(["modflow", "run", str(path), *QUICK, *map(str, arguments)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return ask


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return tmp_path_factory.mktemp("paths")


def data_of(command: Run, *arguments: object) -> dict[str, Any]:
    code, out, err = command(*arguments, "--json")
    assert code == 0, err
    found: dict[str, Any] = json.loads(out)
    return found


def test_without_porosity_nothing_is_run_and_the_key_is_named(command: Run, home: Folder) -> None:
    code, out, err = command(porosity="")
    assert (code, out) == (2, "")
    assert "aquifer.porosity" in err
    assert len(err.strip().splitlines()) == 1
    assert not (home / ".modflow").exists()


def test_the_answer_is_kept_and_not_followed_twice(command: Run, home: Folder) -> None:
    data = data_of(command)
    told = {one["id"]: one for one in data["paths"]["from"]}
    radius = sqrt(1000 * 5 * YEAR / (pi * 0.2 * 40))
    farthest = told["PW-1"]["farthest"][1]
    assert farthest["best"] == pytest.approx(radius, rel=0.03)
    assert farthest["low"] == pytest.approx(radius / sqrt(0.75), rel=0.03), "the less pores the farther"
    assert told["MW-9"]["ends"] == [{"kind": "well", "at": "PW-1", "says": "well PW-1", "paths": 1}]
    arrives = told["MW-9"]["soonest"]["years"]
    assert arrives["best"] == pytest.approx(pi * 0.2 * 40 * 50**2 / 1000 / YEAR, rel=0.03)
    assert arrives["high"] == pytest.approx(1.25 * arrives["best"])
    assert set(told) == {"PW-1", "MW-9"}
    assert all(one["passed"] for one in data["paths"]["checks"])
    again = data_of(command)
    assert again["paths"] == data["paths"]
    assert again["runs"]["done"] == 0
    kept = list((home / ".modflow").glob(f"*/{NUMBERS}"))
    assert len(kept) == 1
    assert not list((home / ".modflow").rglob("*.cbc")), "no cell budget stays"


def test_what_is_kept_and_was_changed_is_refused_and_made_anew_when_asked(
    alone: tuple[Pair, list[Path], Folder], tmp_path: Folder
) -> None:
    answer: Any = SimpleNamespace(pair=alone[0])
    scenario = confined(well=[well("W", 0, 0)])
    asked = scenario.model_copy(update={"aquifer": scenario.aquifer.model_copy(update={"porosity": PLAIN})})

    def ask(*, again: bool) -> Particles:
        return particles_of(answer, asked, Runs(tmp_path, mf6(), {}, again=again), particle_program(mf6()))

    first = ask(again=False)
    (kept,) = tmp_path.glob(f"*/{NUMBERS}")
    content = kept.read_bytes()
    kept.write_bytes(b"changed")
    with pytest.raises(EnvironmentFailed, match="its numbers are not those that were kept"):
        ask(again=False)
    assert ask(again=True).paths[0].x == pytest.approx(first.paths[0].x, abs=0)
    assert kept.read_bytes() == content
    other = np.load(kept)
    arrays = {name: other[name] for name in other.files} | {"backward/x": other["backward/x"] + 1.0}
    np.savez_compressed(kept, **arrays)
    record = json.loads((kept.parent / RECORD).read_text(encoding="utf-8"))
    record["numbers_sha256"] = sha256_of(kept)
    (kept.parent / RECORD).write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(EnvironmentFailed, match="took other paths"):
        ask(again=True)


@pytest.mark.parametrize("module", [particle_files, particle_run, path_ends, path_forms, turned])
def test_paths_kept_by_other_code_are_not_taken(
    small: NumericalModel, module: ModuleType, tmp_path: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work(small, (), None, PLAIN, particle_program(mf6()))
    before = work.digest(Runs(tmp_path, mf6(), {}))
    (tmp_path / "other.py").write_bytes(Folder(str(module.__file__)).read_bytes() + b"#")
    monkeypatch.setattr(module, "__file__", str(tmp_path / "other.py"))
    assert work.digest(Runs(tmp_path, mf6(), {})) != before


def test_table_page_and_files_tell_paths_and_no_private_well(command: Run, home: Folder) -> None:
    code, out, err = command("--out", home / "out")
    assert code == 0, err
    assert "1 well PW-1" in out
    assert "dispersion" in out
    assert "for ever" in out
    page = (home / "out" / "modflow.html").read_text(encoding="utf-8")
    assert "Particle paths" in page
    rows = list(csv.DictReader(io.StringIO((home / "out" / "paths.csv").read_text(encoding="utf-8"))))
    assert {row["from"] for row in rows} == {"PW-1", "MW-9"}
    (start,) = [row for row in rows if row["from"] == "MW-9" and row["what"] == "start"]
    assert (float(start["x"]), float(start["y"])) == (1050.0, 2000.0)
    ends = [row for row in rows if row["from"] == "MW-9" and row["what"] == "end"]
    assert [row["says"] for row in ends] == ["well PW-1"]
    layers = json.loads((home / "out" / "modflow.geojson").read_text(encoding="utf-8"))["features"]
    lines = [one["properties"] for one in layers if one["properties"]["layer"] == "paths"]
    assert len(lines) == 33
    assert {one["properties"]["years"] for one in layers if one["properties"]["layer"] == "path_marks"} >= {1.0, 5.0}
    for file in (home / "out").iterdir():
        content = file.read_bytes()
        assert b"H-SECRET" not in content, file.name
        assert b"1123.25" not in content, file.name


def beside(folder: Folder, script: str | None) -> Folder:
    """A folder with mf6, and with what stands for mp7."""
    folder.mkdir()
    (folder / "mf6").symlink_to(mf6().path)
    if script is not None:
        (folder / "mp7").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / "mp7").chmod(stat.S_IRWXU)
    return folder / "mf6"


VERSION = 'if [ "$1" = -v ]; then echo "MODPATH Version 7.2.001"; exit 0; fi'


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (None, "no mp7, which particle paths need"),
        ("echo MODPATH Version 6.0.01", "does not answer as MODPATH 7"),
        (f"{VERSION}; echo; echo A cell is nowhere.; echo Press enter; exit 24", "says: A cell is nowhere."),
        (f"{VERSION}; kill -9 $$", "mp7 was stopped by SIGKILL"),
        (f"{VERSION}; echo Normal termination.", "No such file or directory"),
        (f"{VERSION}; echo {NORMAL}.; for f in mpend mppth; do echo x > backward.$f; done", "what mp7 wrote is cut"),
    ],
)  # fmt: skip
def test_mp7_missing_or_failing_is_one_line(
    command: Run, home: Folder, tmp_path: Folder, monkeypatch: pytest.MonkeyPatch, script: str | None, words: str
) -> None:
    monkeypatch.setenv("HEADWATER_MF6", str(beside(tmp_path / "bin", script)))
    code, out, err = command()
    assert (code, out) == (4, "")
    line = err.strip().splitlines()[-1]
    assert words in line
    assert "Traceback" not in err
    if "kept for inspection in" in line:
        assert Folder(line.partition("inspection in ")[2].strip()).is_dir()


def test_a_full_disk_is_one_line(command: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("pipelines.modflow.paths.np.savez_compressed", full)
    code, out, err = command(porosity='porosity = "0.3"')
    assert (code, out) == (4, "")
    assert "No space left on device" in err.strip().splitlines()[-1]


def test_check_states_mp7(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["modflow", "check", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["mp7"].startswith("7.")
    assert len(data["mp7_sha256"]) == 64
