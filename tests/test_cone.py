"""The cone of depression on a grid equals Hunt's solution at its points, and surrounds its well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from models.aquifer.cone import NODES, PumpedWell, cone, spread_steps, stream_coordinates
from models.aquifer.hunt import hunt_drawdown
from models.aquifer.superposition import superpose
from models.errors import BadQuestion
from models.place import stream_frame

T, S, LAM = 5000.0, 0.15, 20.0
STREAM = [(160_000.0, 170_000.0), (160_000.0, 160_000.0)]
STEADY = (np.array([0.0]), np.array([60_000.0]))


def _well(position: tuple[float, float] = (158_700.0, 165_700.0), schedule=STEADY) -> PumpedWell:  # type: ignore[no-untyped-def]
    return PumpedWell(position, *stream_frame(STREAM, position), *schedule)


def _seasons(days: int) -> tuple[np.ndarray, np.ndarray]:
    """A daily record of a plant that runs from April to October, at a rate that changes from day to day."""
    day = np.arange(days, dtype=np.float64)
    on = (day % 365 > 90) & (day % 365 < 300)
    return day, np.where(on, 50_000 + 15_000 * np.sin(day / 7), 0.0)


def test_constant_rate_is_hunt_at_every_node() -> None:
    well, x, y = _well(), np.linspace(156_000, 162_000, 13), np.linspace(163_000, 168_000, 11)
    found = cone([well], T, S, LAM, x, y, 365.0, nearest=0.5)
    # The stream runs north along x = 160,000: across is how far west of it, and the well stands 1,300 ft west.
    for j, i in [(0, 0), (3, 7), (10, 12), (5, 5)]:
        wanted = hunt_drawdown(60_000.0, T, S, 1300.0, LAM, 160_000.0 - x[i], y[j] - 165_700.0, 365.0)
        assert found[j, i] == pytest.approx(float(wanted), rel=1e-12)


def test_wells_add_up() -> None:
    one, other = _well(), _well((159_200.0, 166_500.0))
    x, y = np.linspace(156_000, 162_000, 9), np.linspace(163_000, 168_000, 9)
    both = cone([one, other], T, S, LAM, x, y, 100.0, nearest=0.5)
    apart = [cone([well], T, S, LAM, x, y, 100.0, nearest=0.5) for well in (one, other)]
    np.testing.assert_allclose(both, apart[0] + apart[1], rtol=1e-12)


@pytest.mark.parametrize("days", [20, 365, 3650])
def test_a_long_record_is_the_exact_sum_of_its_steps(days: int) -> None:
    well = _well(schedule=_seasons(days))
    at = days - 80.0  # in the season, so that recent steps matter most
    x, y = np.array([158_700.0, 158_900.0, 159_900.0, 155_000.0]), np.array([165_600.0, 164_000.0])
    across, along = stream_coordinates(well, *np.meshgrid(x, y), 0.5)

    def response(elapsed: np.ndarray, a: float, b: float) -> np.ndarray:
        return hunt_drawdown(1.0, T, S, well.distance, LAM, a, b, elapsed)

    exact = [
        float(superpose(well.times, well.rates, at, lambda t, a=a, b=b: response(t, a, b)))
        for a, b in zip(across.ravel(), along.ravel(), strict=True)
    ]
    found = cone([well], T, S, LAM, x, y, at, nearest=0.5).ravel()
    np.testing.assert_allclose(found, exact, atol=0.02)  # printed to 0.1 ft


def test_every_contour_surrounds_the_well() -> None:
    well = _well()
    x, y = np.linspace(155_700, 161_700, 61), np.linspace(162_700, 168_700, 61)
    found = cone([well], T, S, LAM, x, y, 365.0, nearest=0.5)
    for level in (0.5, 1.0, 2.0):
        points = np.column_stack([grid[found >= level] for grid in np.meshgrid(x, y)])
        assert len(points) > 3
        assert shapely.MultiPoint(points).convex_hull.contains(shapely.Point(well.position))
    j, i = np.unravel_index(found.argmax(), found.shape)
    assert np.hypot(x[i] - well.position[0], y[j] - well.position[1]) < 150


def test_a_node_on_the_well_is_its_wall() -> None:
    well = _well()
    found = cone([well], T, S, LAM, [158_700.0], [165_700.0], 365.0, nearest=0.5)
    assert found[0, 0] == pytest.approx(float(hunt_drawdown(60_000.0, T, S, 1300.0, LAM, 1300.0, 0.5, 365.0)))


def test_nothing_before_pumping_and_nothing_without_wells() -> None:
    x = y = [158_000.0, 159_000.0]
    assert not cone([], T, S, LAM, x, y, 10.0, nearest=0.5).any()
    assert not cone([_well()], T, S, LAM, x, y, 0.0, nearest=0.5).any()
    assert not cone([_well(schedule=(np.empty(0), np.empty(0)))], T, S, LAM, x, y, 10.0, nearest=0.5).any()


def test_a_short_schedule_is_itself() -> None:
    elapsed, changes = spread_steps(_well(schedule=(np.array([0.0, 10.0]), np.array([5.0, 0.0]))), 30.0)
    assert elapsed.tolist() == [30.0, 20.0]
    assert changes.tolist() == [5.0, -5.0]


@given(st.integers(NODES + 1, 400))
def test_spreading_keeps_the_rate(steps: int) -> None:
    rates = np.where(np.arange(steps) % 2 == 0, 100.0, 40.0)
    _, changes = spread_steps(_well(schedule=(np.arange(steps, dtype=float), rates)), steps + 5.0)
    assert changes.sum() == pytest.approx(rates[-1])


def test_refuses_what_is_no_aquifer() -> None:
    with pytest.raises(BadQuestion, match="transmissivity"):
        cone([_well()], -1.0, S, LAM, [1.0], [1.0], 10.0, nearest=0.5)
    with pytest.raises(BadQuestion, match="days must increase"):
        cone([replace(_well(), times=np.array([1.0, 1.0]), rates=np.ones(2))], T, S, LAM, [1.0], [1.0], 9.0, nearest=1)
