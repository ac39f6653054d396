"""Drawdown of the numerical model against Theis (1935), with images, superposed, and of a water table that falls."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import hypot, pi

import numpy as np
import pytest
from scipy.special import exp1

from models.modflow.build import Choices, Pair, pair_of
from models.modflow.calendar import Stepping
from models.modflow.outcome import Outcome
from models.scenario.noun import Scenario, day_number
from tests.mf6_runs import confined, outcome, point, well

T, S, Q = 432.0, 0.1, 864.0
YEAR = Choices(ends=day_number(date(2026, 1, 1)), rhythm="one")
COARSE = Choices(ends=day_number(date(2025, 8, 1)), rhythm="monthly", fine_m=6.0, growth=1.3)
MILE = 1_609.344
AWAY = (10.0, 30.0, 100.0, 300.0, 1_000.0, MILE)
Numbers = np.ndarray


def theis(distance: float, days: Numbers, t: float = T, s: float = S) -> Numbers:
    """Drawdown for a rate of 1 [m]."""
    elapsed = np.maximum(days, 1e-12)
    return np.asarray(np.where(days > 0, exp1(np.minimum(distance**2 * s / (4 * t * elapsed), 700)) / (4 * pi * t), 0))


def elapsed(run: Outcome) -> Numbers:
    """Days since the steady period ended."""
    return np.asarray(run.time - run.model.periods[0].length)


def pumped(scenario: Scenario, choices: Choices = YEAR) -> Outcome:
    """With pumping alone: the water table is level and at 0 without it, which `test_nothing_moves` holds."""
    return outcome(pair_of(scenario, choices).stressed)


# One well -------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def one() -> tuple[Pair, Outcome]:
    """Points in a direction that lies on no row or column of cells."""
    pair = pair_of(confined(well=[well("W", 0, 0)], point=[point(f"{r:g}", 0.8 * r, -0.6 * r) for r in AWAY]), YEAR)
    return pair, outcome(pair.stressed)


@pytest.mark.parametrize("away", AWAY)
def test_one_well_is_theis(one: tuple[Pair, Outcome], away: float) -> None:
    """Within 1.5 % after a year, and within 5 % from day 1 wherever the closed form is above 0.01 m."""
    drawdown, days = -one[1].hydrographs[f"{away:g}"], elapsed(one[1])
    closed = Q * theis(away, days)
    assert drawdown[-1] == pytest.approx(closed[-1], rel=0.015)
    told = (days >= 1) & (closed > 0.01)
    assert told.sum() > 5
    assert drawdown[told] == pytest.approx(closed[told], rel=0.05)


def test_nothing_moves_without_pumping(one: tuple[Pair, Outcome]) -> None:
    still = outcome(one[0].baseline)
    assert np.abs(still.heads).max() == 0
    assert max(np.abs(flow).max() for flow in still.budget.values()) < 1e-6


def test_what_is_told_is_pumped_and_the_budget_closes(one: tuple[Pair, Outcome]) -> None:
    run = one[1]
    assert run.well_rates["W"][1:] == pytest.approx(np.full(run.time.size - 1, Q), rel=1e-6)
    assert np.abs(run.discrepancy).max() < 0.1
    assert np.abs(run.cumulative).max() < 0.1
    assert run.budget["storage"][-1] == pytest.approx(Q, rel=0.01)
    assert abs(run.budget["far"][-1]) < 0.01 * Q


# Two wells ------------------------------------------------------------------------------------------------------------


def test_two_wells_superpose() -> None:
    """One begins a hundred days after the other: alone and together on one grid and the same steps."""
    wells = [well("A", -120, 0), well("B", 150, 60, "500 m3/d", "2025-04-11")]
    places = [point("near", -90, 40), point("between", 10, 30), point("off", 400, -300)]
    both = pair_of(confined(well=wells, point=places), COARSE).stressed
    together, *alone = (outcome(replace(both, wells=some)) for some in (both.wells, both.wells[:1], both.wells[1:]))
    days = elapsed(together)
    for place in both.observed:
        summed = sum(run.hydrographs[place.id] for run in alone)
        assert together.hydrographs[place.id] == pytest.approx(summed, abs=1e-4)
        a, b = (hypot(place.position[0] - x, place.position[1] - y) for x, y in ((-120, 0), (150, 60)))
        begun = [Q * theis(a, days), 500 * (20 * theis(b, days - 90) + 10 * theis(b, days - 100)) / 30]
        assert -together.hydrographs[place.id][-1] == pytest.approx(sum(begun)[-1], rel=0.015)


# Edges ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "sign"), [("no_flow", 1), ("constant_head", -1)])
def test_an_edge_is_an_image_well(kind: str, sign: int) -> None:
    """The edge at x = 300: an image at x = 600, pumping behind a wall, returning water behind a lake."""
    places = {"toward": (150.0, 10.0), "along": (80.0, 400.0), "away": (-350.0, 0.0)}
    edge = {"id": "edge", "kind": kind, "line": [(300.0, -100.0), (300.0, 900.0)]}
    run = pumped(confined(well=[well("W", 0, 0)], edge=[edge], point=[point(id, *at) for id, at in places.items()]))
    days = elapsed(run)
    for id, (x, y) in places.items():
        closed = Q * (theis(hypot(x, y), days) + sign * theis(hypot(x - 600, y), days))
        told = (days >= 1) & (closed > 0.01)
        assert -run.hydrographs[id][told] == pytest.approx(closed[told], rel=0.05)
        assert -run.hydrographs[id][-1] == pytest.approx(closed[-1], rel=0.02)


# A water table that falls ---------------------------------------------------------------------------------------------


def test_a_falling_water_table_is_theis_corrected_by_jacob() -> None:
    """s = b - sqrt(b^2 - 2 b s'): within 2.1 % wherever s is above 0.3 m, from ten days on, up to s/b = 0.3."""
    b, k, sy, rate, t = 20.0, 21.6, 0.1, 2_600.0, 432.0
    scenario = Scenario.model_validate(
        {
            "unit": "m", "aquifer": {"transmissivity": f"{t} m2/d", "storativity": f"{sy}", "thickness": f"{b} m"},
            "layer": [{"id": "sand", "bottom": f"{b} m", "conductivity": f"{k} m/d", "specific_storage": "1e-7 1/m"}],
            "well": [well("W", 0, 0, f"{rate} m3/d")],
            "point": [point(f"{r}", 0.8 * r, -0.6 * r) for r in (5, 10, 30, 100, 300)],
        }
    )  # fmt: skip
    run = pumped(scenario, replace(YEAR, stepping=Stepping(1 / 240, 1.03)))
    days, deepest = elapsed(run), 0.0
    for r in (5, 10, 30, 100, 300):
        uncorrected = rate * theis(r, days, t, sy)
        closed = b - np.sqrt(b**2 - 2 * b * uncorrected)
        told = (days >= 10) & (closed > 0.3)
        deepest = max(deepest, float((closed[told] / b).max(initial=0)))
        assert told.any()
        assert -run.hydrographs[f"{r}"][told] == pytest.approx(closed[told], rel=0.021)
    assert deepest > 0.2
