"""Contours, measures, the grid that grows, the fast tables, flow and fading, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.special import exp1

from models.aquifer.cone import PumpedWell, stream_coordinates
from models.aquifer.cone_measures import measures, whole_volume
from models.aquifer.cone_tables import AquiferValues, WellTable, drawdown_at
from models.aquifer.cone_windows import Sampled, Search, fit_windows, resolved
from models.aquifer.contours import Field, Window, contour, fit_window
from models.aquifer.flow_field import Slope, azimuth, crossing, fitted_slope, flow_at
from models.aquifer.hunt import hunt_drawdown
from models.aquifer.recovery_date import SINCE_STOP_D, falls_below_d, peak_of
from models.aquifer.superposition_spread import Spread
from models.errors import BadQuestion
from models.place import stream_frame

T, S, Q, DAYS = 500.0, 0.15, 2000.0, 200.0
PLACE = (1000.0, 2000.0)
LEVELS = (0.05, 0.3, 1.0, 2.0)
STREAM = [(-50_000.0, 2600.0), (50_000.0, 2600.0)]


def _alone(rate: float = Q, place: tuple[float, float] = PLACE) -> PumpedWell:
    return PumpedWell(place, 1e7, (place[0] - 1e7, place[1]), (1.0, 0.0), np.array([0.0]), np.array([rate]))


def _field(*wells: PumpedWell, conductance: float = 0.0, day: float = DAYS) -> Field:
    tables = [WellTable.at(well, day) for well in wells]
    values = AquiferValues(T, S, (conductance,) * len(wells))
    return lambda x, y: drawdown_at(tables, values, x, y, nearest=0.15)


def _theis_radius(level: float) -> float:
    """The closed form turned round: where Q/(4 pi T) E1(u) is the level."""
    return float(brentq(lambda r: Q / (4 * np.pi * T) * exp1(r * r * S / (4 * T * DAYS)) - level, 1e-3, 1e5))


@pytest.mark.parametrize("level", LEVELS)
def test_width_area_and_volume_are_those_of_theis(level: float) -> None:
    field = _field(_alone())
    fitted = fit_window(field, level, Window(1300.0, 1800.0, 40.0), 1e6)
    grid = fitted.window.sampled(field, 501)
    found, radius = measures(grid, contour(grid, level)), _theis_radius(level)
    u = radius**2 * S / (4 * T * DAYS)
    # int_0^R s 2 pi r dr with s = Q/(4 pi T) E1(u) is (Q t / S) (u E1(u) + 1 - exp(-u)).
    volume = Q * DAYS / S * (u * exp1(u) + 1 - np.exp(-u))
    assert (fitted.closed, found.closed, found.parts) == (True, True, 1)
    assert found.width == pytest.approx(2 * radius, rel=1e-4)
    assert found.across == pytest.approx(2 * radius, rel=1e-4)
    assert found.area == pytest.approx(np.pi * radius**2, rel=1e-4)
    assert found.volume == pytest.approx(volume, rel=2e-4)


def test_every_point_of_a_contour_is_at_its_radius() -> None:
    field, level = _field(_alone()), 0.3
    grid = fit_window(field, level, Window(*PLACE, 100.0), 1e6).window.sampled(field, 501)
    at = shapely.get_coordinates(contour(grid, level).lines)
    np.testing.assert_allclose(np.hypot(at[:, 0] - PLACE[0], at[:, 1] - PLACE[1]), _theis_radius(level), rtol=1e-4)


def test_a_level_nothing_reaches_is_an_empty_cone() -> None:
    field = _field(_alone())
    fitted = fit_window(field, 50.0, Window(*PLACE, 500.0), 1e6)
    grid = fitted.window.sampled(field, 101)
    found = measures(grid, contour(grid, 50.0))
    assert (fitted.reached, found.width, found.area, found.volume, found.parts) == (False, 0.0, 0.0, 0.0, 0)


def test_a_contour_beyond_the_largest_grid_is_said_to_be_open() -> None:
    field = _field(_alone())
    fitted = fit_window(field, 0.05, Window(*PLACE, 100.0), 400.0)
    assert not fitted.closed
    assert fitted.window.half == 400.0
    assert not contour(fitted.window.sampled(field, 81), 2.0).lines.is_empty


def test_a_tiny_cone_in_a_large_window_is_found() -> None:
    field, level = _field(_alone()), 2.0  # 53 m wide, in a window of 100 km
    fitted = fit_window(field, level, Window(1500.0, 2100.0, 50_000.0), 1e6)
    assert fitted.reached
    assert fitted.window.half < 200


def test_small_cones_far_apart_are_all_in_the_window() -> None:
    places = [(0.0, 0.0), (9000.0, 0.0), (4000.0, 7000.0)]
    field, level = _field(*(_alone(Q, place) for place in places)), 2.0
    fitted = fit_window(field, level, Window(4500.0, 3000.0, 8000.0), 1e6, None, places)
    grid = fitted.window.sampled(field, 801)
    assert measures(grid, contour(grid, level)).parts == 3


def test_an_edge_of_the_aquifer_cuts_a_contour_open() -> None:
    field, level = _field(_alone()), 0.3
    half = shapely.box(-1e5, -1e5, PLACE[0] + 100.0, 1e5)
    grid = fit_window(field, level, Window(*PLACE, 100.0), 1e6, half).window.sampled(field, 501)
    found = contour(grid, level, half)
    radius, cut = _theis_radius(level), 100.0
    segment = radius**2 * np.arccos(cut / radius) - cut * np.sqrt(radius**2 - cut**2)
    assert not found.closed
    assert found.area.area == pytest.approx(np.pi * radius**2 - segment, rel=1e-3)
    assert found.area.bounds[2] == pytest.approx(PLACE[0] + 100.0)


def test_two_wells_of_half_the_rate_are_one() -> None:
    x, y = np.meshgrid(np.linspace(0, 3000, 41), np.linspace(500, 3500, 37))
    halves = _field(_alone(Q / 2), _alone(Q / 2))(x, y)
    np.testing.assert_allclose(halves, _field(_alone())(x, y), rtol=0, atol=1e-12)


def test_all_of_the_cone_is_what_was_pumped() -> None:
    spread = (np.array([0.0, 30.0, 90.0]), np.array([Q, 0.0, 2 * Q]))
    well = PumpedWell(PLACE, 1e7, (PLACE[0] - 1e7, PLACE[1]), (1.0, 0.0), *spread)
    found = whole_volume(_field(well), PLACE, 50.0, 9 * np.sqrt(T * DAYS / S))
    assert S * found == pytest.approx(Q * 30 + 2 * Q * (DAYS - 90), rel=1e-5)


def _record(days: int) -> tuple[np.ndarray, np.ndarray]:
    day = np.arange(days, dtype=np.float64)
    return day, np.where(day % 365 < 250, Q * (1 + 0.3 * np.sin(day / 5)), 0.0)


@pytest.mark.parametrize("conductance", [0.0, 0.05, 2.0, 1e3, 1e9])
@pytest.mark.parametrize("days", [3, 900])
def test_the_tables_are_hunt_summed_step_by_step(conductance: float, days: int) -> None:
    schedule, at = _record(days), days + 0.5
    well = PumpedWell(PLACE, *stream_frame(STREAM, PLACE), *schedule)
    rng = np.random.default_rng(3)
    x, y = rng.uniform(-3000, 5000, 150), rng.uniform(-1500, 5500, 150)
    x[:3], y[:3] = PLACE[0] + np.array([0.15, 1.0, 20.0]), PLACE[1]
    across, along = stream_coordinates(well, x, y, 0.15)
    changes = np.diff(schedule[1], prepend=0.0)
    wanted = sum(
        change * hunt_drawdown(1.0, T, S, well.distance, conductance, across, along, at - start)
        for start, change in zip(schedule[0], changes, strict=True)
    )
    found = drawdown_at([WellTable.at(well, at)], AquiferValues(T, S, (conductance,)), x, y, nearest=0.15)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-6 * np.abs(changes).sum() / (4 * np.pi * T))


def test_a_well_that_has_not_begun_does_nothing() -> None:
    assert (_field(_alone(), day=0.0)(np.array([1000.0]), np.array([2100.0])) == 0).all()


def test_a_stream_through_the_well_is_refused() -> None:
    well = PumpedWell(PLACE, 0.0, PLACE, (1.0, 0.0), np.array([0.0]), np.array([Q]))
    with pytest.raises(BadQuestion, match="stream runs through the pumping well"):
        _field(well, conductance=1.0)(np.array([0.0]), np.array([0.0]))


def test_flow_toward_a_well_is_that_of_theis() -> None:
    x, y = PLACE[0] + np.array([30.0, 0.0, -200.0]), PLACE[1] + np.array([0.0, 30.0, 0.0])
    found = flow_at(_field(_alone()), Slope(0.0, 0.0), T, x, y, 0.5)
    r = np.array([30.0, 30.0, 200.0])
    # T ds/dr = Q / (2 pi r) exp(-u), all of it inward.
    np.testing.assert_allclose(found.rate, Q / (2 * np.pi * r) * np.exp(-(r**2) * S / (4 * T * DAYS)), rtol=1e-3)
    np.testing.assert_allclose(found.toward, [270.0, 180.0, 90.0], atol=1e-6)


def test_flow_on_the_regional_slope_alone_goes_down_it() -> None:
    at = np.array([0.0]), np.array([0.0])
    found = flow_at(lambda x, y: np.zeros(x.shape), Slope(0.004, 135.0), T, *at, 1.0)
    assert (found.toward[0], found.rate[0]) == (pytest.approx(135.0), pytest.approx(0.004 * T))


@pytest.mark.parametrize(("east", "north", "degrees"), [(0, 1, 0), (1, 0, 90), (0, -1, 180), (-1, 0, 270), (1, 1, 45)])
def test_azimuth_is_clockwise_from_north(east: float, north: float, degrees: float) -> None:
    assert float(azimuth(east, north)) == pytest.approx(degrees)


def test_what_crosses_a_ring_around_a_well_is_pumped_less_what_its_inside_stored() -> None:
    ring = [(500.0, 1500.0), (1500.0, 1500.0), (1500.0, 2500.0), (500.0, 2500.0)]
    box, step = shapely.Polygon(ring), 1.0
    found = crossing(_field(_alone()), Slope(0.0, 0.0), T, ring)
    axes = np.meshgrid(np.arange(500.5, 1500), np.arange(1500.5, 2500))
    before, after = (_field(_alone(), day=DAYS + d)(*axes) for d in (-step, step))
    stored = S * (after - before).sum() / (2 * step)
    assert box.area == axes[0].size
    assert found.outflow == 0.0
    assert found.inflow == pytest.approx(Q - stored, rel=5e-3)


def test_a_uniform_flow_leaves_as_it_came_whichever_way_the_ring_runs() -> None:
    ring = [(0.0, 0.0), (100.0, 0.0), (100.0, 300.0), (0.0, 300.0)]
    for way in (ring, ring[::-1]):
        found = crossing(lambda x, y: np.zeros(x.shape), Slope(0.01, 90.0), T, way)
        assert found.inflow == pytest.approx(0.01 * T * 300, rel=1e-2)
        assert found.outflow == pytest.approx(found.inflow, rel=1e-9)


@given(st.floats(0.0005, 0.05), st.floats(0, 359.9))
@settings(max_examples=50)
def test_a_plane_is_found_again(slope: float, toward: float) -> None:
    gx, gy = Slope(slope, toward).gradient
    places = np.array([(0.0, 0.0), (900.0, 100.0), (300.0, 800.0), (-200.0, 400.0)])
    found = fitted_slope(places, 280.0 + places @ [gx, gy])
    assert found.slope.slope == pytest.approx(slope, rel=1e-6)
    assert abs((found.slope.toward - toward + 180) % 360 - 180) < 1e-4
    assert found.rmse == pytest.approx(0.0, abs=1e-9)


def test_wells_on_one_line_or_two_wells_make_no_slope() -> None:
    with pytest.raises(BadQuestion, match="one line"):
        fitted_slope([(0, 0), (100, 100), (200, 201)], [1, 2, 3])
    with pytest.raises(BadQuestion, match="three wells"):
        fitted_slope([(0, 0), (100, 0)], [1, 2])


@pytest.mark.parametrize("steps", [3, 400])
def test_a_spread_schedule_is_the_sum_of_its_steps(steps: int) -> None:
    days, rates = _record(steps)
    at = np.concatenate([[0.0, 0.5], np.linspace(1.25, steps + 0.5, 17), steps + np.geomspace(1, 1e6, 9)])
    found = Spread.of(days, rates, at)
    radii = np.array([20.0, 300.0, 2500.0])[:, np.newaxis]

    def theis(tau: np.ndarray) -> np.ndarray:
        return np.asarray(exp1(radii**2 * S / (4 * T * tau)) / (4 * np.pi * T))

    wanted = np.zeros((3, at.size))
    for start, change in zip(days, np.diff(rates, prepend=0.0), strict=True):
        later = at > start
        wanted[:, later] += change * theis(at[later] - start)
    np.testing.assert_allclose(found.of_responses(theis(found.elapsed)), wanted, atol=1e-11)


def test_the_grid_says_when_it_does_not_resolve_a_contour() -> None:
    places = [(0.0, 0.0), (9000.0, 0.0), (4000.0, 7000.0)]
    field = _field(*(_alone(Q, place) for place in places))
    whole = [Window(4500.0, 3000.0, 8000.0)]
    assert not Sampled.of(field, whole, 61, None).resolves(2.0)
    starts = [Search(Window(*place, 6000.0), (place,)) for place in places]
    fitted = fit_windows(field, 2.0, starts, 1e6)
    assert len(fitted.windows) == 3
    sampled = resolved(field, fitted.windows, 301, 2.0, None)
    assert sampled.resolves(2.0)
    assert sampled.measures(2.0).area == pytest.approx(3 * np.pi * _theis_radius(2.0) ** 2, rel=0.02)


def test_a_residual_falls_when_its_closed_form_says() -> None:
    left = (5.0 / (1 + SINCE_STOP_D))[np.newaxis]
    assert falls_below_d(SINCE_STOP_D, left, 0.5)[0] == pytest.approx(9.0)
    assert falls_below_d(SINCE_STOP_D, left, 0.01)[0] == pytest.approx(499.0)
    assert falls_below_d(SINCE_STOP_D, -left, 0.5)[0] == pytest.approx(9.0)  # a mound


def test_a_residual_that_still_grows_has_a_later_peak_and_may_outlast_the_calendar() -> None:
    grows = (SINCE_STOP_D * np.exp(1 - SINCE_STOP_D / 30.0) / 30.0)[np.newaxis]
    assert peak_of(grows)[0] == pytest.approx(1.0, rel=2e-3)
    assert falls_below_d(SINCE_STOP_D, grows, 2.0)[0] == 0.0
    assert falls_below_d(SINCE_STOP_D, np.ones((1, SINCE_STOP_D.size)), 0.5)[0] == np.inf
