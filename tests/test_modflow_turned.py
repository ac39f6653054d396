"""A question turned against the map has the same answer, turned: the grid follows its stream, edge or pit."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from math import cos, hypot, radians, sin
from typing import Any

import numpy as np
import pytest
import shapely
from scipy.special import exp1

from models.errors import BadQuestion
from models.modflow.build import Choices, Pair, pair_of
from models.modflow.calendar import depletion_stepping
from models.modflow.contoured import DrawdownPlan, drawdown_plan
from models.modflow.fine_places import fine_places
from models.modflow.numerical import Grid, NumericalModel
from models.modflow.quantities import Quantities, quantities
from models.modflow.reaching import holding, wider
from models.modflow.through_cells import along, cell_at, covered
from models.modflow.turned import inward, outward, turn_of
from models.modflow.vectors import crossed, side_flow
from models.scenario.noun import Scenario, day_number
from tests.mf6_runs import confined, outcome, point, well
from tests.test_modflow_hunt import S, T, depletion, hunt

ENDS = day_number(date(2025, 12, 31))
YEAR = np.array([365.0])
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
    steps = depletion_stepping(300.0, T, S)
    choices = Choices(day_number(date(2028, 1, 1)), "one", stepping=steps, growth=1.3)
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
    aside = [{**wall, "line": turned([(300.0, 1e3), (300.0, 2e3)], degrees)}]
    for asked in (
        {"well": wells, "stream": streams}, {"well": wells, "edge": [wall]}, {"well": wells, "edge": aside},
        {"pit": pit},
    ):  # fmt: skip
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


# Edges aslant ---------------------------------------------------------------------------------------------------------

WELL = (700.0, -400.0)
"""Beside an edge 300 m off, turned about it: (x, y) below are from the well, x square to the edge."""


def walled(kind: str, degrees: float, *, back: bool = False) -> Scenario:
    """An edge through two points, none of them beside the well; ``back``: in the other order."""
    ends = [(300.0, 250.0), (300.0, 700.0)][:: -1 if back else 1]
    edge = {"id": "edge", "kind": kind, "line": moved(ends, degrees)}
    places = zip(PLACES, moved(PLACES.values(), degrees), strict=True)
    return confined(well=[well("W", *WELL)], edge=[edge], point=[point(id, *at) for id, at in places])


PLACES = {"toward": (150.0, 10.0), "along": (80.0, 400.0), "away": (-350.0, 0.0), "at-it": (290.0, -120.0)}


def moved(places: Any, degrees: float) -> list[tuple[float, float]]:
    return [(WELL[0] + x, WELL[1] + y) for x, y in turned(places, degrees)]


@pytest.mark.parametrize(("kind", "sign"), [("no_flow", 1), ("constant_head", -1)])
@pytest.mark.parametrize(("degrees", "back"), [(37.0, False), (-152.0, True)])
def test_an_edge_aslant_is_an_image_well(kind: str, sign: int, degrees: float, back: bool) -> None:
    """An image 600 m off across the edge, pumping behind a wall, returning water behind a lake."""
    found = outcome(pair_of(walled(kind, degrees, back=back), Choices(day_number(date(2026, 1, 1)), "one")).stressed)
    days = found.time - found.model.periods[0].length
    for id, (x, y) in PLACES.items():
        closed = theis(hypot(x, y), days) + sign * theis(hypot(x - 600, y), days)
        told = (days >= 1) & (closed > 0.01)
        assert -found.hydrographs[id][told] == pytest.approx(closed[told], rel=0.05, abs=0.003)
        assert -found.hydrographs[id][-1] == pytest.approx(closed[-1], rel=0.02)


def theis(away: float, days: np.ndarray) -> np.ndarray:
    """Drawdown of a well that pumps 864 m3/d [m]."""
    lasts = np.maximum(days, 1e-9)
    return np.asarray(864 / (4 * np.pi * T) * exp1(np.minimum(away**2 * S / (4 * T * lasts), 700.0)))


TWO = {(0.0, 0.0): 864.0, (350.0, -220.0): 432.0}
NORTH_OF_TWO = [(-6e4, 250.0), (6e4, 250.0)]
NEAR_TWO = {"A": (60.0, 40.0), "B": (-150.0, 90.0), "C": (300.0, 100.0)}


def shifted(places: Any, degrees: float, away: float) -> list[tuple[float, float]]:
    return [(x + away, y - away) for x, y in turned(places, degrees)]


def two_wells(degrees: float, away: float, **line: Any) -> Scenario:
    """Wells 250 and 470 m from one straight line north of them; all of it turned and moved."""
    wells, ends, places = (shifted(some, degrees, away) for some in (TWO, NORTH_OF_TWO, NEAR_TWO.values()))
    rates = (f"{rate} m3/d" for rate in TWO.values())
    pumped = [well(id, *at, rate) for id, at, rate in zip("WV", wells, rates, strict=True)]
    told = {kind: [{"line": ends} | one] for kind, one in line.items()}
    return confined(well=pumped, point=[point(id, *at) for id, at in zip("ABC", places, strict=True)], **told)


@pytest.mark.parametrize(("degrees", "away"), [(0.0, 0.0), (33.0, 600_000.0)])
def test_two_wells_beside_one_level_are_their_image_wells_however_the_map_lies(degrees: float, away: float) -> None:
    """The line lies in the middle of cells for both wells: on their edge, rounding would say on which side it is."""
    edge = {"id": "lake", "kind": "constant_head"}
    found = outcome(pair_of(two_wells(degrees, away, edge=edge), Choices(day_number(date(2026, 1, 1)), "one")).stressed)
    for id, (x, y) in NEAR_TWO.items():
        parts = [
            rate / 864 * (theis(hypot(x - wx, y - wy), YEAR)[0] - theis(hypot(x - wx, 500 - y - wy), YEAR)[0])
            for (wx, wy), rate in TWO.items()
        ]
        assert -found.hydrographs[id][-1] == pytest.approx(sum(parts), rel=0.01)


@pytest.mark.parametrize("width", [2.0, 20.0])
def test_a_straight_stream_lies_in_the_middle_of_its_row_for_every_well(width: float) -> None:
    stream = {"id": "creek", "conductance": "5 m/d"}
    for degrees, away in [(0.0, 0.0), (33.0, 0.0), (33.0, 600_000.0), (17.0, 5e6), (61.0, 310_000.0), (-140.0, 7.0)]:
        pair = pair_of(two_wells(degrees, away, stream=stream), Choices(ENDS, "one", fine_m=width))
        grid, (creek,) = pair.stressed.grid, pair.stressed.rivers
        line = inward(np.array(shifted(NORTH_OF_TWO, degrees, away)), grid.turn)
        across = int(np.argmin(np.ptp(line, axis=0)))
        middles = (grid.x, grid.y)[across]
        (taken,) = {cell[2 - across] for cell in creek.cells}
        assert middles[taken] == pytest.approx(line[0, across], abs=1e-3)


@pytest.mark.parametrize("turning", [True, False])
@pytest.mark.parametrize(("kind", "back"), [("no_flow", False), ("no_flow", True), ("constant_head", False)])
def test_what_lies_beyond_an_edge_aslant_is_no_aquifer(kind: str, back: bool, turning: bool) -> None:
    """By the distance of each cell's centre from the well, square to the edge; only a lake's own cells lie astride."""
    model = pair_of(walled(kind, 37.0, back=back), replace(QUICK, turned=turning)).stressed
    x, y = model.grid.centres
    c, s = cos(radians(37.0)), sin(radians(37.0))
    off = c * (x - WELL[0]) + s * (y - WELL[1])
    active = model.active[0] == 1
    assert active[off < 299.99].all()
    assert (off < 300).sum() > 500
    astride = active & (off > 300.01)
    assert astride.any() == (kind == "constant_head" and not turning)
    assert set(zip(*np.nonzero(astride), strict=True)) <= kept_level(model)
    half = np.hypot(*np.meshgrid(model.grid.widths, model.grid.heights)) / 2
    assert (off - 300 <= half)[astride].all()


def kept_level(model: NumericalModel) -> set[tuple[int, int]]:
    """The edge's cells, and those of the grid's ends."""
    return {(row, column) for one in model.fixed for _, row, column in one.cells}


def test_of_a_pit_without_wells_the_aquifer_is_on_its_side() -> None:
    pit = {"polygon": moved(PIT, 20.0), "lowered": "3 m", "since": "2025-01-08"}
    edge = {"id": "edge", "kind": "no_flow", "line": moved([(-400.0, -9.0), (-400.0, 9.0)], 20.0)}
    model = pair_of(confined(pit=pit, edge=[edge]), QUICK).stressed
    for at, inside in (((-390.0, 55.0), 1), ((-430.0, 55.0), 0), ((400.0, 0.0), 1)):
        row, column = cell_at(model.grid, moved([at], 20.0)[0], "x")
        assert model.active[0, row, column] == inside


def test_cells_are_fine_where_an_edge_comes_nearest_wherever_its_points_are() -> None:
    """Beside the well, 300 m east of it, and not at the end of what is stated, 250 m further north."""
    x, y = fine_places(walled("no_flow", 0.0), 2.0, 0.0)
    assert (WELL[0] + 300, WELL[1]) in [(a.low, b.low) for a, b in zip(x, y, strict=True)]


def test_between_two_edges_aslant_only_the_strip_is_aquifer() -> None:
    """One 300 m to one side of the well, one 200 m to the other, 25 degrees aslant to each other."""
    places = {
        "between": (0.0, 40.0),
        "beyond-both": (900.0, 4_000.0),
        "beyond-one": (310.0, 0.0),
        "other": (-210.0, 0.0),
    }
    lines = [moved([(300.0, -99.0), (300.0, 99.0)], 37.0), moved([(-200.0, -99.0), (-200.0, 99.0)], 12.0)]
    edges = [{"id": f"E{k}", "kind": "no_flow", "line": line} for k, line in enumerate(lines)]
    model = pair_of(confined(well=[well("W", *WELL)], edge=edges), QUICK).stressed
    turns = {"other": 12.0}
    cells = {id: cell_at(model.grid, moved([at], turns.get(id, 37.0))[0], id) for id, at in places.items()}
    assert {id: int(model.active[0][cell]) for id, cell in cells.items()} == {
        "between": 1, "beyond-both": 0, "beyond-one": 0, "other": 0,
    }  # fmt: skip


# How far a grid reaches -----------------------------------------------------------------------------------------------

SPREAD = (432.0 * 364 / 0.1) ** 0.5
"""sqrt(T t / S) on 31 December [m]: 1254 m. The grid reaches 6 of them, 7524 m, and has to hold 1.25 times a place."""


def asked_at(*places: tuple[float, float], degrees: float = 0.0, **more: Any) -> Scenario:
    scenario = confined(well=[well("W", *WELL)], **more)
    points = [point(f"F{k}", *at) for k, at in enumerate(moved(places, degrees))]
    return Scenario.model_validate({**scenario.model_dump(), "aquifer": scenario.aquifer, "well": scenario.well,
                                    "edge": scenario.edge, "pit": scenario.pit, "point": points})  # fmt: skip


EDGE = {"id": "E", "kind": "no_flow", "line": moved([(300.0, -1e3), (300.0, 1e3)], 37.0)}


@pytest.mark.parametrize(
    ("away", "doubled"),
    [(0.0, 1), (6_000.0, 1), (6_040.0, 2), (12_000.0, 2), (12_080.0, 4), (24_000.0, 4), (24_160.0, 8)],
)
@pytest.mark.parametrize(("east", "north"), [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 0.9), (-0.9, -1)])
def test_a_grid_doubles_its_reach_until_a_place_lies_a_fifth_inside(
    away: float, doubled: int, east: float, north: float
) -> None:
    """5/4 of 6,000 m is below 6 times 1,254 m and of 6,040 m above: by the farther of both axes, from the well."""
    near = (200.0, 100.0)
    assert holding(asked_at(near, (away * east, away * north)), QUICK).reach == 6.0 * doubled
    assert holding(asked_at((away * east, away * north), near), QUICK).reach == 6.0 * doubled


def test_how_far_a_place_lies_is_along_the_axes_of_the_turned_grid() -> None:
    """7,000 m off along its rows, but 5,590 m east and 4,213 m north; 5,000 along both, but 7,002 m north."""
    far = asked_at((7_000.0, 0.0), degrees=37.0, edge=[{**EDGE, "line": moved([(8e3, -1e3), (8e3, 1e3)], 37.0)}])
    assert holding(far, QUICK).reach == 12
    assert holding(far, replace(QUICK, turned=False)).reach == 6
    corner = asked_at((5_000.0, 5_000.0), degrees=37.0, edge=[EDGE])
    assert holding(corner, QUICK).reach == 6
    assert holding(corner, replace(QUICK, turned=False)).reach == 12
    pair = pair_of(far, holding(far, QUICK))
    assert [one.id for one in pair.stressed.observed] == ["F0"]


@pytest.mark.parametrize("side", [1, -1])
def test_a_place_is_reached_from_the_well_that_stands_nearest(side: int) -> None:
    """2 km on, a second well: 6,000 m from it and 8,000 m from the first one."""
    second = well("V", *moved([(side * 2_000.0, 0.0)], 0.0)[0])
    for away, reach in ((7_950.0, 6), (8_050.0, 12)):
        alone = asked_at((side * away, 0.0))
        both = alone.model_copy(update={"well": (*alone.well, *confined(well=[second]).well)})
        assert (holding(both, QUICK).reach, holding(alone, QUICK).reach) == (reach, 12)


def test_a_pit_is_reached_from_like_a_well() -> None:
    pit = {"polygon": moved([(4e3, 0.0), (4.2e3, 0.0), (4.2e3, 90.0), (4e3, 90.0)], 0.0), "lowered": "3 m",
           "since": "2025-01-01"}  # fmt: skip
    assert holding(asked_at((10_200.0, 45.0), pit=pit), QUICK).reach == 6
    assert holding(asked_at((10_300.0, 45.0), pit=pit), QUICK).reach == 12
    assert holding(asked_at((10_200.0, 45.0)), QUICK).reach == 12


@pytest.mark.parametrize(("years", "most_km"), [(0.5, 100.0), (90.0, 571.9)])
def test_a_place_where_nothing_is_ever_felt_is_refused(years: float, most_km: float) -> None:
    """Beyond 48 times sqrt(T t / S), but never within 100 km: 48 x sqrt(432 x 32,850 / 0.1) m is 571.8 km."""
    choices = replace(QUICK, ends=day_number(date(2025, 1, 1)) + 365 * years)
    assert holding(asked_at((0.0, 1e3 * (most_km - 0.3))), choices).reach >= 48
    with pytest.raises(BadQuestion, match=rf"point\[F1\].*up to {most_km - 0.1 if years > 1 else most_km:g} km"):
        holding(asked_at((50.0, 0.0), (0.0, 1e3 * (most_km + 0.3))), choices)


def test_a_well_that_no_other_feels_is_refused_and_not_a_chain_of_them() -> None:
    """A slip of the pen in a coordinate would ask for a grid across a continent."""

    def beside(*east_km: float) -> Scenario:
        return confined(well=[well(f"W{k}", 1e3 * at, 0) for k, at in enumerate((0.0, *east_km))])

    with pytest.raises(BadQuestion, match=r"well\[W2\].*outside any grid.*9000 km from the other wells.*up to 100 km"):
        holding(beside(50, 9_050), QUICK)
    assert holding(beside(90, 180), QUICK).reach == QUICK.reach
    alone = confined(well=[well("W", 9e6, 0)])
    assert holding(alone, QUICK).reach == QUICK.reach
    pit = {"polygon": [(9e4 + x, y) for x, y in PIT], "lowered": "3 m", "since": "2025-01-08"}
    between = confined(well=[well("W", 0, 0), well("V", 1.8e5, 0)], pit=pit)
    assert holding(between, QUICK).reach == QUICK.reach


@pytest.mark.parametrize(("day", "half"), [(365, 6 * 1_255.7), (2, 2_000.0)])
def test_twice_as_far_is_twice_as_far_also_where_the_least_reach_rules(day: int, half: float) -> None:
    choices = replace(QUICK, ends=day_number(date(2025, 1, 1)) + day)
    scenario = asked_at((50.0, 0.0))
    pair = pair_of(scenario, choices)
    twice = pair_of(scenario, wider(choices, pair))
    ends = [float(one.stressed.grid.x_edges[-1]) - WELL[0] for one in (pair, twice)]
    assert ends == pytest.approx([half, 2 * half], abs=30.0)


def test_before_the_first_pumping_no_grid_reaches_anywhere() -> None:
    with pytest.raises(BadQuestion, match="nothing is pumped or drained before that day"):
        holding(asked_at((50.0, 0.0)), replace(QUICK, ends=day_number(date(2025, 1, 1))))
