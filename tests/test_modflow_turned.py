"""A question turned against the map has the same answer, turned: the grid follows its stream, edge or pit."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import cos, radians, sin
from typing import Any

import numpy as np
import pytest
import shapely

from models.errors import BadQuestion
from models.modflow.build import Choices, Pair, pair_of
from models.modflow.calendar import depletion_stepping
from models.modflow.contoured import DrawdownPlan, drawdown_plan
from models.modflow.numerical import Grid
from models.modflow.quantities import Quantities, quantities
from models.modflow.reaching import holding
from models.modflow.through_cells import along, cell_at, covered
from models.modflow.turned import inward, outward, turn_of
from models.modflow.vectors import crossed, side_flow
from models.scenario.noun import Scenario, day_number
from tests.mf6_runs import confined, outcome, point, well
from tests.test_modflow_hunt import S, T, depletion, hunt

ENDS = day_number(date(2025, 12, 31))
QUICK = Choices(ENDS, "one", fine_m=20.0, growth=1.5)
PIT = [(-60.0, -40.0), (60.0, -40.0), (60.0, 40.0), (-60.0, 40.0)]


def turned(places: Any, degrees: float) -> list[tuple[float, float]]:
    """Anticlockwise about 0, written out apart from the program's."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    return [(c * x - s * y, s * x + c * y) for x, y in places]


def question(degrees: float, **more: Any) -> Scenario:
    """A well 300 m west of a straight creek on a slope along it, with three places; all of it turned."""
    (px, py), (rx, ry), (sx, sy) = turned([(120.0, 90.0), (-200.0, 50.0), (600.0, -400.0)], degrees)
    creek = {"id": "creek", "line": turned([(300.0, -4e4), (300.0, 4e4)], degrees), "conductance": "2 m/d"}
    slope = {"slope": "0.002", "toward_degrees": (180.0 - degrees) % 360}
    return confined(
        well=[well("W", 0, 0)], stream=[creek], gradient=slope,
        point=[point("P", px, py), point("R", rx, ry), point("S", sx, sy)], **more,
    )  # fmt: skip


def told(scenario: Scenario, choices: Choices = QUICK) -> tuple[Pair, Quantities]:
    pair = pair_of(scenario, choices)
    return pair, quantities(pair, outcome(pair.baseline), outcome(pair.stressed))


@pytest.fixture(scope="module")
def straight() -> tuple[Pair, Quantities]:
    return told(question(0.0))


@pytest.mark.parametrize("degrees", [37.0, -140.0])
def test_the_same_question_turned_has_the_same_answer(straight: tuple[Pair, Quantities], degrees: float) -> None:
    _, other = straight
    pair, found = told(question(degrees))
    assert pair.stressed.grid.turn == pytest.approx(37.0 if degrees == 37 else 40.0)
    assert found.depletion["creek"] == pytest.approx(other.depletion["creek"], rel=1e-4)
    for id, drawdown in other.drawdown.items():
        assert found.drawdown[id] == pytest.approx(drawdown, abs=1e-4)
    assert other.drawdown["P"][-1] > 0.1


def test_contours_lie_where_they_lie_turned(straight: tuple[Pair, Quantities]) -> None:
    plans = [_plan(*straight), _plan(*told(question(37.0)))]
    first, second = (one.contours([0.2])[0] for one in plans)
    back = shapely.Polygon(turned(second.area.geoms[0].exterior.coords, -37.0))
    assert first.area.area > 1e4
    assert back.symmetric_difference(first.area).area < 0.01 * first.area.area
    lines = shapely.MultiLineString([turned(one.coords, -37.0) for one in second.lines.geoms])
    assert shapely.hausdorff_distance(lines, first.lines) < 5.0
    places = [(100.0, -30.0), (-250.0, 400.0)]
    assert plans[1].at(turned(places, 37.0)) == pytest.approx(plans[0].at(places), abs=1e-3)


def _plan(pair: Pair, found: Quantities) -> DrawdownPlan:
    return drawdown_plan(pair.stressed.grid, found.field[-1], [cell[1:] for cell, _ in pair.stressed.wells[0].cells])


def test_groundwater_flows_down_the_slope_wherever_the_grid_points() -> None:
    """i T = 0.002 * 432 m2/d toward south, turned with the question; no well's flow in it."""
    pair = pair_of(question(37.0), QUICK)
    run = outcome(pair.baseline)
    flow = side_flow(pair.stressed, run.heads[-1])
    found = flow.at(turned([(-500.0, 300.0)], 37.0))
    ((east, north),) = turned([(0.0, -0.002 * T)], 37.0)
    assert (found.qx[0], found.qy[0]) == pytest.approx((east, north), rel=0.02)
    through = crossed(flow, turned([(-700.0, 0.0), (-500.0, 0.0), (-500.0, 200.0), (-700.0, 200.0)], 37.0))
    assert through.inflow == pytest.approx(0.002 * T * 200, rel=0.02)


def test_depletion_of_a_stream_aslant_is_hunt_s_to_a_thousandth() -> None:
    creek = {"id": "creek", "line": turned([(300.0, -6e4), (300.0, 6e4)], 37.0), "conductance": "8 m/d"}
    asked = confined(well=[well("W", 0, 0)], stream=[creek])
    choices = Choices(
        day_number(date(2028, 1, 1)), "one", stepping=depletion_stepping(300.0, T, S), growth=1.3, fine_m=6.0
    )
    days, found = depletion(asked, choices)
    assert found == pytest.approx(hunt(300.0, 8.0, days), abs=0.001)
    _, aslant = depletion(asked, replace(choices, turned=False, stepping=None))
    assert np.abs(aslant[-1] - hunt(300.0, 8.0, days[-1:])[0]) > 0.002


@pytest.mark.parametrize("degrees", [30.0, -12.5, 44.9, 0.0])
def test_the_grid_follows_what_decides_the_answer(degrees: float) -> None:
    near, far = turned([(300.0, -1e3), (300.0, 1e3)], degrees), [(900.0, 900.0), (1_500.0, 0.0)]
    wall = {"id": "E", "kind": "no_flow", "line": near}
    pit = {"polygon": turned(PIT, degrees), "lowered": "3 m", "since": "2025-01-08"}
    streams = [{"id": "far", "line": far, "conductance": "1 m/d"}, {"id": "near", "line": near, "conductance": "1 m/d"}]
    wells = [well("small", 880.0, 880.0, "1 m3/d"), well("W", 0, 0)]
    for asked in ({"well": wells, "stream": streams}, {"well": wells, "edge": [wall]}, {"pit": pit}):
        assert turn_of(confined(**asked)) == pytest.approx(degrees, abs=1e-6)


def test_what_stands_square_on_the_map_is_not_turned() -> None:
    assert turn_of(confined(well=[well("W", 0, 0)])) == 0.0
    assert turn_of(confined(pit={"polygon": PIT, "lowered": "3 m", "since": "2025-01-08"})) == 0.0
    line = [(-1e3, 1e6), (1e3, 1e6 + 1e-9)]
    north = confined(well=[well("W", 0, 0)], stream=[{"id": "N", "line": line, "conductance": "1 m/d"}])
    assert turn_of(north) == 0.0
    in_it = confined(well=[well("W", 0, 0)], stream=[{"id": "N", "line": [(-9.0, -9.0), (9.0, 9.0)]}])
    assert turn_of(in_it) == 0.0


def test_there_and_back_and_unturned_to_the_last_digit() -> None:
    places = np.array([[1.5, -2.5], [157_400.1, 88_123.7]])
    assert inward(outward(places, 33.0), 33.0) == pytest.approx(places, rel=1e-14)
    assert outward(np.array([[1.0, 0.0]]), 90.0) == pytest.approx(np.array([[0.0, 1.0]]))
    assert inward(places, 0.0) is places


def test_cells_lengths_and_areas_are_those_of_the_turned_grid() -> None:
    flat = np.zeros((2, 2))
    grid = Grid(np.array([0.0, 10, 30]), np.array([0.0, 10, 20]), flat, flat[None] - 1, 90.0)
    assert cell_at(grid, (-15.0, 25.0), "x") == (0, 1)
    assert [cell for cell, _, _ in along(grid, [(-5.0, 0.0), (-5.0, 30.0)])] == [(1, 0), (1, 1)]
    (_, length, middle), _ = along(grid, [(-5.0, 0.0), (-5.0, 30.0)])
    assert (length, *middle) == pytest.approx((10.0, -5.0, 5.0))
    ((cell, area),) = covered(grid, [(0.0, 10.0), (0.0, 30.0), (-10.0, 30.0), (-10.0, 10.0)])
    assert cell == (1, 1)
    assert area == pytest.approx(200.0)
    with pytest.raises(BadQuestion, match="turned by 90 degrees"):
        cell_at(grid, (15.0, 25.0), "x")


def test_a_turned_grid_holds_every_place_asked_about() -> None:
    scenario = question(37.0)
    (far,) = turned([(9_000.0, 0.0)], 37.0)
    asked = scenario.model_copy(update={"point": [*scenario.point, Scenario.model_validate(
        {"unit": "m", "aquifer": scenario.aquifer, "point": [point("F", *far)]}).point[0]]})  # fmt: skip
    choices = holding(asked, QUICK)
    assert choices.reach > QUICK.reach
    assert [one.id for one in pair_of(asked, choices).stressed.observed] == ["P", "R", "S", "F"]
