"""Aquifers with edges: the sums of image wells, what an edge must do, and closed forms."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.aquifer.bounded import half_plane_drawdown, quarter_plane_drawdown
from models.aquifer.strip import strip_drawdown
from models.aquifer.theis import theis_drawdown
from models.aquifer.trench import edelman_drawn_drawdown
from models.errors import BadQuestion

Q, T, S, W = 800.0, 432.0, 2e-4, 400.0
STREAM, WALL = "constant_head", "no_flow"
SIGN = {STREAM: -1, WALL: 1}


def _many_images(edges, x: float, y: float, t: float, across=None) -> float:  # type: ignore[no-untyped-def]
    """The plain sum, image after image, of 4,000 widths to each side."""
    left, right = (SIGN[edge] for edge in edges)
    k = np.arange(-4000, 4001)
    turned = (left * right) ** np.abs(k)
    total = 0.0
    for factor, well_y in ((1, 30.0), (SIGN[across], -30.0)) if across else ((1, 30.0),):
        direct = theis_drawdown(Q, T, S, np.hypot(x - 2 * k * W - 100, y - well_y), t)
        mirrored = theis_drawdown(Q, T, S, np.hypot(x - 2 * k * W + 100, y - well_y), t)
        total += factor * float(np.sum(turned * (direct + left * mirrored)))
    return total


@pytest.mark.parametrize("edges", list(product((STREAM, WALL), repeat=2)))
@pytest.mark.parametrize("across", [None, STREAM, WALL])
def test_a_strip_is_the_sum_of_its_images(edges, across) -> None:  # type: ignore[no-untyped-def]
    for (x, y), t in product(
        [(200.0, 30.0), (100.0, 30.001), (399.0, 90.0), (0.0, 5.0)], [1e-4, 0.05, 0.2, 3.0, 100.0]
    ):
        found = float(strip_drawdown(Q, T, S, W, edges, (100.0, 30.0), x, y, t, across=across))
        assert found == pytest.approx(_many_images(edges, x, y, t, across), rel=1e-11, abs=1e-13)


def test_between_two_streams_it_grows_steady() -> None:
    # The image sum in closed form: s = Q/4 pi T ln [(cosh v - cos u+) / (cosh v - cos u-)].
    x, y = np.array([50.0, 200.0, 399.0]), np.array([0.0, 40.0, 300.0])
    v, plus, minus = np.pi * y / W, np.pi * (x + 100) / W, np.pi * (x - 100) / W
    wanted = Q / (4 * np.pi * T) * np.log((np.cosh(v) - np.cos(plus)) / (np.cosh(v) - np.cos(minus)))
    found = strip_drawdown(Q, T, S, W, (STREAM, STREAM), (100.0, 0.0), x, y, 1e6)
    np.testing.assert_allclose(found, wanted, rtol=1e-11)


def test_between_two_walls_it_grows_into_the_flow_to_a_ditch() -> None:
    # Far along the strip a well is a ditch that draws Q / (2 W) from either side.
    for y, t in ((2000.0, 1.0), (5000.0, 20.0)):
        found = strip_drawdown(Q, T, S, W, (WALL, WALL), (100.0, 0.0), 250.0, y, t)
        assert float(found) == pytest.approx(float(edelman_drawn_drawdown(T, S, Q / (2 * W), y, t)), rel=1e-7)


@settings(max_examples=25)
@given(st.floats(0, 4), st.floats(-300, 300))
def test_a_stream_edge_keeps_its_level_and_a_wall_lets_nothing_through(log_t: float, y: float) -> None:
    t, h = 10 ** (log_t - 3), 1e-3
    stream = half_plane_drawdown(Q, T, S, 100.0, STREAM, 0.0, y, t)
    wall = half_plane_drawdown(Q, T, S, 100.0, WALL, [0.0, h], y, t)
    assert float(stream) == 0.0
    assert abs(wall[1] - wall[0]) / h < 1e-6
    assert float(strip_drawdown(Q, T, S, W, (WALL, STREAM), (100.0, 0.0), W, y, t)) == pytest.approx(0, abs=1e-13)
    across = quarter_plane_drawdown(Q, T, S, (50.0, 80.0), (STREAM, WALL), 0.0, abs(y), t)
    assert float(across) == 0.0


def test_a_wall_doubles_and_a_corner_quadruples() -> None:
    alone = float(theis_drawdown(Q, T, S, 100.0, 0.1))
    assert float(half_plane_drawdown(Q, T, S, 100.0, WALL, 0.0, 0.0, 0.1)) == pytest.approx(2 * alone, rel=1e-14)
    corner = quarter_plane_drawdown(Q, T, S, (60.0, 80.0), (WALL, WALL), 0.0, 0.0, 0.1)
    assert float(corner) == pytest.approx(4 * alone, rel=1e-14)


def test_without_edges_it_is_theis() -> None:
    found = quarter_plane_drawdown(Q, T, S, (-60.0, -80.0), (None, None), 0.0, 0.0, 0.1)
    assert float(found) == float(theis_drawdown(Q, T, S, 100.0, 0.1))


def test_a_wide_strip_is_a_half_plane() -> None:
    found = strip_drawdown(Q, T, S, 1e7, (STREAM, WALL), (100.0, 0.0), 50.0, 7.0, 1.0)
    assert float(found) == pytest.approx(float(half_plane_drawdown(Q, T, S, 100.0, STREAM, 50.0, 7.0, 1.0)), rel=1e-11)


def test_either_edge_may_be_the_first() -> None:
    there = strip_drawdown(Q, T, S, W, (STREAM, WALL), (100.0, 0.0), 250.0, 7.0, 2.0)
    back = strip_drawdown(Q, T, S, W, (WALL, STREAM), (300.0, 0.0), 150.0, 7.0, 2.0)
    assert float(there) == pytest.approx(float(back), rel=1e-12)


def test_well_and_piezometer_may_change_places() -> None:
    there = strip_drawdown(Q, T, S, W, (STREAM, WALL), (100.0, 4.0), 250.0, 7.0, 2.0, across=STREAM)
    back = strip_drawdown(Q, T, S, W, (STREAM, WALL), (250.0, 7.0), 100.0, 4.0, 2.0, across=STREAM)
    assert float(there) == pytest.approx(float(back), rel=1e-12)


def test_nothing_before_pumping() -> None:
    assert strip_drawdown(Q, T, S, W, (WALL, WALL), (1.0, 0.0), 1.0, 0.0, [-1.0, 0.0]).tolist() == [0.0, 0.0]
    assert half_plane_drawdown(Q, T, S, 1.0, WALL, 1.0, 0.0, [-1.0, 0.0]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("edges", lambda: half_plane_drawdown(Q, T, S, 1.0, "river", 2.0, 0.0, 1.0)),  # type: ignore[arg-type]
        ("x_m", lambda: half_plane_drawdown(Q, T, S, 1.0, WALL, -2.0, 0.0, 1.0)),
        ("well_x_m", lambda: half_plane_drawdown(Q, T, S, -1.0, WALL, 2.0, 0.0, 1.0)),
        ("y_m", lambda: quarter_plane_drawdown(Q, T, S, (1.0, 1.0), (None, WALL), -5.0, -1.0, 1.0)),
        ("x_m", lambda: strip_drawdown(Q, T, S, W, (WALL, WALL), (1.0, 0.0), 401.0, 0.0, 1.0)),
        ("well_x_m", lambda: strip_drawdown(Q, T, S, W, (WALL, WALL), (401.0, 0.0), 1.0, 0.0, 1.0)),
        ("width_m", lambda: strip_drawdown(Q, T, S, 0.0, (WALL, WALL), (0.0, 0.0), 0.0, 0.0, 1.0)),
        ("well_y_m", lambda: strip_drawdown(Q, T, S, W, (WALL, WALL), (1.0, -1.0), 1.0, 0.0, 1.0, across=WALL)),
        ("x_m, y_m", lambda: strip_drawdown(Q, T, S, W, (WALL, WALL), (1.0, 1.0), 1.0, 1.0, 1.0)),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key, call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
    assert refusal.value.allowed
