"""A grid too coarse for its question: what wider cells tell, cells that become finer, and remedies that help."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import exp1

from models.modflow import gate
from models.modflow.answer import Answer, GateFailed
from models.modflow.build import Choices, instants_of, pair_of
from models.modflow.calendar import Stepping
from models.modflow.fine_places import FINE_M, fine_places
from models.modflow.pumping_changes import spread
from models.modflow.quantities import Quantities
from models.scenario.noun import Scenario, day_number
from pipelines.commands import modflow as command
from pipelines.modflow import answering
from pipelines.modflow.answering import answered, coarser, finer
from pipelines.modflow.program import program
from pipelines.modflow.runs import Runs, runs_in

T, S, RATE, SINCE = 500.0, 0.001, 1_000.0, date(2025, 1, 1)
ON = day_number(date(2025, 6, 1)) + 1
QUICK = Stepping(0.05, 1.08)
APART = 300 / np.sqrt(2)
"""Of the well from an edge at 45 degrees."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    with runs_in(tmp_path_factory.mktemp("runs"), program(), {}, lambda _: None, again=False) as found:
        yield found


@pytest.fixture
def as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing repairs itself."""
    for most in ("MOST_DOUBLINGS", "MOST_HALVINGS", "MOST_REFINEMENTS"):
        monkeypatch.setattr(answering, most, 0)


def beside_an_edge(kind: str = "constant_head", **changes: Any) -> Scenario:
    aquifer = {
        "kind": "confined", "transmissivity": f"{T} m2/d", "storativity": f"{S}", "thickness": "20 m",
    }  # fmt: skip
    well = {"id": "PW", "position": (0.0, 0.0), "rate": f"{RATE} m3/d", "since": str(SINCE)}
    edge = {"id": "ditch", "kind": kind, "line": [(-300.0, 0.0), (0.0, -300.0)]}
    points = [{"id": "A", "position": (50.0, 50.0)}, {"id": "B", "position": (-80.0, -80.0)}]
    points += [{"id": "C", "position": (100.0, -300.0)}]
    whole = {"unit": "m", "aquifer": aquifer, "well": [well], "point": points, "edge": [edge]}
    return Scenario.model_validate(whole | changes)


def a_pit(**changes: Any) -> Scenario:
    """Four times as long as wide, half drained."""
    corners = [(0.0, 0.0), (400.0, 0.0), (400.0, 100.0), (0.0, 100.0)]
    aquifer = {"kind": "unconfined", "transmissivity": "200 m2/d", "storativity": "0.1", "thickness": "20 m"}
    pit = {"polygon": corners, "lowered": "12 m", "since": "2025-03-17"}
    whole = {"unit": "m", "aquifer": aquifer, "pit": pit, "point": [{"id": "A", "position": (600.0, 50.0)}]}
    return Scenario.model_validate(whole | changes)


def failed(scenario: Scenario, choices: Choices, runs: Runs) -> dict[str, str]:
    """What of the gate fails, and the remedy it prints."""
    with pytest.raises(GateFailed) as caught:
        answered(scenario, choices, runs)
    return {one.name: one.remedy for one in caught.value.checks if not one.passed}


def remedied(choices: Choices, remedy: str) -> list[Choices]:
    """The choices with the options that a remedy prints between brackets, one for each, as the command takes them."""
    return [_with(choices, shlex.split(words)) for words in re.findall(r"\((.*?)\)", remedy)]


def _with(choices: Choices, words: list[str]) -> Choices:
    parsed = command.run.make_context("run", ["x.toml", *words]).params
    question = command._question(Path("x.toml"), Path(), parsed)
    told = {
        "fine_m": question.fine_m, "growth": question.growth, "reach": question.reach, "stepping": question.stepping,
        "rhythm": question.periods if "--periods" in words else None,
    }  # fmt: skip
    return replace(choices, **{name: value for name, value in told.items() if value is not None})


# Wider cells ----------------------------------------------------------------------------------------------------------


def test_an_edge_aslant_on_a_grid_that_is_not_turned_is_refused(runs: Runs, as_asked: None) -> None:
    """Its closed form has no edge, and passes; figures are up to 17 % off an image well's."""
    found = failed(beside_an_edge(), Choices(ON, "one", turned=False, stepping=Stepping(0.02, 1.05)), runs)
    assert "grid coarsened" in found
    assert "closed form" not in found


@pytest.mark.parametrize("kind", ["constant_head", "no_flow"])
def test_on_a_grid_that_follows_the_edge_the_figures_are_those_of_an_image_well(
    runs: Runs, as_asked: None, kind: str
) -> None:
    """s = Q / 4 pi T (W(u) -+ W(u of the image)); 1 % or the 3 mm that count as none."""
    found = answered(beside_an_edge(kind), Choices(ON, "one", stepping=QUICK), runs)
    sign = 1 if kind == "no_flow" else -1
    for one in found.scenario.point:
        x, y = one.position
        near, image = np.hypot(x, y), np.hypot(x + 2 * APART / np.sqrt(2), y + 2 * APART / np.sqrt(2))
        days = found.quantities.day[-1] - day_number(SINCE)
        theis = [RATE / (4 * np.pi * T) * exp1(far**2 * S / (4 * T * days)) for far in (near, image)]
        assert found.quantities.drawdown[one.id][-1] == pytest.approx(theis[0] + sign * theis[1], rel=0.01, abs=0.003)


def test_cells_become_finer_where_wider_ones_tell_something_else(runs: Runs) -> None:
    """Growing by a half: too wide beside a wall, not so when they grow by a fifth."""
    rough = Choices(ON, "one", growth=1.6, stepping=QUICK)
    found = answered(beside_an_edge("no_flow"), rough, runs)
    assert found.choices.growth == pytest.approx(1.6**0.5)
    assert any("cells became half as wide" in one for one in found.assumed)
    assert next(one for one in found.checks if one.name == "grid coarsened").passed


def test_coarser_and_finer_undo_each_other_and_keep_the_proportions() -> None:
    choices = Choices(ON, "one")
    back = finer(coarser(choices))
    assert (back.fine_m, back.growth) == pytest.approx((choices.fine_m, choices.growth))
    shapes = [pair_of(beside_an_edge(), one).stressed.grid.shape for one in (coarser(choices), choices)]
    coarse, usual = (rows * columns for _, rows, columns in shapes)
    assert usual / coarse == pytest.approx(4, abs=1.1)


@pytest.fixture(scope="module")
def plain(runs: Runs) -> Answer:
    return answered(beside_an_edge(), Choices(ON, "one", stepping=QUICK), runs)


def with_drawdown(told: Quantities, values: np.ndarray) -> Quantities:
    return replace(told, drawdown={"A": values}, depletion={}, in_well={})


@pytest.mark.parametrize(
    ("factor", "passed"), [(1.0, True), (1.048, True), (0.955, True), (1.06, False), (0.94, False)]
)
def test_five_percent_on_the_day_asked_for(plain: Answer, factor: float, passed: bool) -> None:
    told = with_drawdown(plain.quantities, np.linspace(1.0, 2.0, plain.quantities.day.size))
    other = told.drawdown["A"].copy()
    other[-1] /= factor
    check = gate.grid_coarsened(told, with_drawdown(told, other))
    assert check.passed is passed
    assert check.limit == 5


def test_the_first_trace_of_a_front_counts_by_the_largest_that_is_told(plain: Answer) -> None:
    """Of 2 m in the end 2 cm are a hundredth: less than that is nothing before, and everything on the day itself."""
    told = with_drawdown(plain.quantities, np.linspace(0.01, 2.0, plain.quantities.day.size))
    for number, change, passed in ((0, 0.019, True), (0, 0.021, False)):
        other = told.drawdown["A"].copy()
        other[number] += change
        assert gate.grid_coarsened(told, with_drawdown(told, other)).passed is passed
    resting = with_drawdown(told, told.drawdown["A"][::-1].copy())
    late = resting.drawdown["A"].copy()
    late[-1] += 0.019
    assert not gate.grid_coarsened(resting, with_drawdown(resting, late)).passed


def test_a_place_that_only_the_wider_cell_of_a_well_holds_is_named_and_not_compared(plain: Answer) -> None:
    told = with_drawdown(plain.quantities, np.ones(plain.quantities.day.size))
    there = replace(with_drawdown(told, np.full(told.day.size, np.nan)), in_well={"A": "PW"})
    check = gate.grid_coarsened(told, there)
    assert check.passed
    assert "A lies in the cell of PW there" in check.says


def test_what_counts_as_none_is_said_with_its_bounds(plain: Answer) -> None:
    told = with_drawdown(plain.quantities, np.ones(plain.quantities.day.size))
    other = with_drawdown(told, told.drawdown["A"] + 0.0029)
    for check in (gate.domain_doubled(told, other), gate.steps_halved(told, other)):
        assert "changes by more than 0.003 m or 0.1% of the pumping" in check.says


def test_an_edge_without_flow_is_the_questions_own_and_named() -> None:
    assert "ditch, without flow" in gate.no_flow_ends(beside_an_edge("no_flow")).says
    assert gate.no_flow_ends(beside_an_edge()).says.endswith("none without flow")


# A pit ----------------------------------------------------------------------------------------------------------------


def test_a_pits_cells_follow_its_shorter_side_and_what_is_asked() -> None:
    """A hundred metres by twenty cells; a long pit's ends need no more than its width does."""
    for fine_m, width in ((FINE_M, 5.0), (FINE_M / 2, 2.5), (2 * FINE_M, 10.0), (50.0, 25.0)):
        (x,), (y,) = fine_places(a_pit(), fine_m, 0.0)
        assert (x.width, y.width) == (width, width)
    long = a_pit(pit={"polygon": [(0.0, 0.0), (3_200.0, 0.0), (3_200.0, 40.0), (0.0, 40.0)], "lowered": "2 m",
                      "since": "2025-03-17"})  # fmt: skip
    (x,), (y,) = fine_places(long, FINE_M, 0.0)
    assert (x.width, y.width) == (20.0, 2.0)


def test_an_edges_cells_follow_what_is_asked() -> None:
    """A twentieth of 212 m; half of that; no more than a fifth, or than a well's own."""
    for fine_m, width in ((FINE_M, APART / 20), (1.0, APART / 40), (20.0, APART / 5), (90.0, 90.0)):
        x, _ = fine_places(beside_an_edge(), fine_m, 45.0)
        assert x[-1].width == pytest.approx(width)


def test_a_long_pit_passes_as_it_is(runs: Runs, as_asked: None) -> None:
    found = answered(a_pit(), Choices(day_number(date(2025, 9, 1)) + 1, "one"), runs)
    closed = next(one for one in found.checks if one.name == "closed form")
    assert closed.measured is not None
    assert closed.measured < 3


# Remedies, as they are printed ----------------------------------------------------------------------------------------


def test_finer_cells_mend_cells_too_wide(runs: Runs, as_asked: None) -> None:
    near = beside_an_edge("no_flow", point=[{"id": "A", "position": (12.0, 0.0)}])
    wide = Choices(ON, "one", growth=1.9, fine_m=4.0, stepping=QUICK)
    found = failed(near, wide, runs)
    assert set(found) == {"grid coarsened", "closed form"}
    for remedy in found.values():
        (fine, *_) = remedied(wide, remedy)
        assert (fine.fine_m, fine.growth) == (1.0, 1.1)
        assert answered(near, fine, runs).choices == fine


def test_shorter_steps_mend_steps_too_long(runs: Runs, as_asked: None) -> None:
    long = Choices(ON, "one", stepping=Stepping(20.0, 1.5))
    found = failed(beside_an_edge(edge=[]), long, runs)
    assert set(found) == {"time steps halved", "closed form"}
    for remedy in found.values():
        short = next(one for one in remedied(long, remedy) if one.stepping != long.stepping)
        assert short.stepping == Stepping(pytest.approx(0.1 / 24), 1.02)
        assert answered(beside_an_edge(edge=[]), short, runs).choices == short


def test_shorter_periods_spread_no_reading_of_a_long_record() -> None:
    """Two hundred daily readings: more than begin a period of their own, and what they hide the closed form has."""
    rates = [{"since": str(SINCE + timedelta(days=k)), "rate": f"{500 + k % 7} m3/d"} for k in range(200)]
    scenario = beside_an_edge(well=[{"id": "PW", "position": (0.0, 0.0), "rates": rates}])
    monthly = Choices(day_number(SINCE) + 230, "monthly")
    (daily,) = (one for one in remedied(monthly, gate.closed_forms(()).remedy) if one.rhythm != "monthly")
    assert daily == replace(monthly, rhythm="daily")
    assert len(spread(scenario, instants_of(scenario, monthly))) > 100
    assert spread(scenario, instants_of(scenario, daily)) == []


def test_a_wider_grid_mends_one_whose_ends_are_felt(runs: Runs, as_asked: None) -> None:
    narrow = Choices(ON, "one", reach=1.0, stepping=QUICK)
    found = failed(beside_an_edge(edge=[]), narrow, runs)
    assert set(found) >= {"boundary influence", "domain doubled"}
    for name in ("boundary influence", "domain doubled"):
        (wide,) = remedied(narrow, found[name])
        assert answered(beside_an_edge(edge=[]), wide, runs).choices.reach == 12
