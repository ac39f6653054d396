"""One well's depletion shared over a stream network: closed forms of the rules, and nothing shared twice."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.aquifer.depletion import glover_depletion_fraction
from models.aquifer.network import (
    inverse_distance_shares,
    network_depletion_fractions,
    reach_distances_m,
    reached,
    shares_among,
    thiessen_shares,
    web_shares,
)
from models.errors import BadQuestion

T, S = 172.8, 0.1
WELL = (0.0, 0.0)
NEAR = [(100.0, -50.0), (100.0, 50.0)]
FAR = [(-300.0, -900.0), (-300.0, 0.0), (-300.0, 900.0)]
REACHES = [NEAR, FAR]
BOX = [(-1000.0, -1000.0), (1000.0, -1000.0), (1000.0, 1000.0), (-1000.0, 1000.0)]


def test_distances_are_to_the_line_and_not_to_its_vertices() -> None:
    assert reach_distances_m(WELL, REACHES).tolist() == [100.0, 300.0]


def test_inverse_distance_by_hand() -> None:
    assert inverse_distance_shares(WELL, REACHES) == pytest.approx([0.75, 0.25])
    assert inverse_distance_shares(WELL, REACHES, 2.0) == pytest.approx([0.9, 0.1])


def test_web_squared_is_the_angle_a_reach_is_seen_under_over_its_distance() -> None:
    # int dy / (d^2 + y^2) over a straight reach: the angle at the well over d.
    weights = [2 * np.arctan(0.5) / 100, 2 * np.arctan(3) / 300]
    found = web_shares(WELL, REACHES, 0.5)
    np.testing.assert_allclose(found, np.array(weights) / sum(weights), rtol=1e-5)
    # And to the first power: asinh(half length / d), twice.
    weights = [2 * np.arcsinh(0.5), 2 * np.arcsinh(3.0)]
    np.testing.assert_allclose(web_shares(WELL, REACHES, 0.5, 1.0), np.array(weights) / sum(weights), rtol=1e-5)


@given(st.floats(-800, 800))
def test_a_reach_cut_in_two_has_the_same_share(cut: float) -> None:
    parts = [[(-300.0, -900.0), (-300.0, cut)], [(-300.0, cut), (-300.0, 900.0)]]
    whole, cut_up = web_shares(WELL, [NEAR, FAR], 2.0), web_shares(WELL, [NEAR, *parts], 2.0)
    assert cut_up[0] == pytest.approx(whole[0], rel=1e-4)
    assert cut_up[1:].sum() == pytest.approx(whole[1], rel=1e-4)


def test_thiessen_is_the_land_nearer_to_the_well() -> None:
    """Counted on a fine grid of land instead of cut out of polygons."""
    reaches = [NEAR, FAR, [(-900.0, 350.0), (900.0, 50.0)]]
    found = thiessen_shares(WELL, reaches, 5.0, BOX)
    axis = np.arange(-1000, 1000, 2.5) + 1.25
    x, y = (grid.ravel() for grid in np.meshgrid(axis, axis))
    to_reaches = np.array([_grid_distance(line, x, y) for line in reaches])
    own = np.hypot(x, y) < to_reaches.min(axis=0)
    counted = np.bincount(to_reaches.argmin(axis=0)[own], minlength=3)
    assert (counted > 500).all()
    np.testing.assert_allclose(found, counted / counted.sum(), atol=4e-3)


def _grid_distance(line: list[tuple[float, float]], x: np.ndarray, y: np.ndarray) -> np.ndarray:
    best = np.full(x.shape, np.inf)
    for (ax, ay), (bx, by) in itertools.pairwise(line):
        along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)
        part = np.clip(along, 0, 1)
        best = np.minimum(best, np.hypot(x - ax - part * (bx - ax), y - ay - part * (by - ay)))
    return best


def test_halfway_between_two_equal_streams_each_gives_half() -> None:
    twins = [[(-200.0, -700.0), (-200.0, 700.0)], [(200.0, -700.0), (200.0, 700.0)]]
    for shares in (
        inverse_distance_shares(WELL, twins),
        web_shares(WELL, twins, 10.0),
        thiessen_shares(WELL, twins, 10.0, BOX),
    ):
        assert shares == pytest.approx([0.5, 0.5], rel=1e-9)


@pytest.mark.parametrize("rule", [
    lambda well: inverse_distance_shares(well, REACHES),
    lambda well: web_shares(well, REACHES, 100.0),
    lambda well: thiessen_shares(well, REACHES, 100.0, BOX),
])  # fmt: skip
def test_a_well_in_a_stream_takes_it_all_from_there(rule) -> None:  # type: ignore[no-untyped-def]
    assert rule((100.0, 0.0)).tolist() == [1.0, 0.0]


def test_the_set_of_reaches_grows_with_the_cone() -> None:
    distances = [100.0, 300.0, 5000.0]
    counts = [int(reached(T, S, distances, t).sum()) for t in (0.0, 1.0, 10.0, 1e5)]
    assert counts == [1, 1, 2, 3]
    # The edge is Glover's: just before and after 1 %.
    edge = 300.0**2 * S / T / (4 * 1.8213863677) / 1.8213863677  # erfc^-1(0.01) = 1.8213863677
    assert reached(T, S, distances, edge * 0.999).tolist() == [True, False, False]
    assert reached(T, S, distances, edge * 1.001).tolist() == [True, True, False]


def test_shares_go_to_those_that_take_part() -> None:
    assert shares_among([True, False, True], [0.6, 0.3, 0.1]) == pytest.approx([6 / 7, 0.0, 1 / 7])
    rows = shares_among([[True, False, False], [True, True, True]], [0.6, 0.3, 0.1])
    assert rows.tolist() == [[1.0, 0.0, 0.0], pytest.approx([0.6, 0.3, 0.1])]


@given(st.floats(-900, 900), st.floats(-900, 900), st.floats(-1, 5))
def test_the_network_never_gives_more_than_is_pumped(x: float, y: float, log_t: float) -> None:
    distances = reach_distances_m((x, y), REACHES)
    shares = shares_among(reached(T, S, distances, 10**log_t), web_shares((x, y), REACHES, 10.0))
    given_ = network_depletion_fractions(shares, distances, lambda d: glover_depletion_fraction(T, S, d, 10**log_t))
    assert shares.sum() == pytest.approx(1.0)
    assert 0 <= given_.sum() <= 1 + 1e-12
    assert given_.sum() <= float(glover_depletion_fraction(T, S, distances.min(), 10**log_t)) + 1e-12


@pytest.mark.parametrize(
    ("key", "call"),
    [
        ("reaches", lambda: reach_distances_m(WELL, [])),
        ("reaches", lambda: web_shares(WELL, [[(1.0, 1.0)]], 1.0)),
        ("reaches", lambda: web_shares(WELL, [[(1.0, 1.0), (1.0, 1.0)]], 1.0)),
        ("reaches", lambda: inverse_distance_shares(WELL, [[(1.0, np.nan), (1.0, 1.0)]])),
        ("spacing_m", lambda: web_shares(WELL, REACHES, 0.0)),
        ("exponent", lambda: web_shares(WELL, REACHES, 1.0, 0.0)),
        ("region_m", lambda: thiessen_shares((2000.0, 0.0), REACHES, 10.0, BOX)),
        ("well_m", lambda: reach_distances_m((np.inf, 0.0), REACHES)),
        ("least_fraction", lambda: reached(T, S, [1.0], 1.0, 1.5)),
        ("taking_part", lambda: shares_among([False, False], [0.5, 0.5])),
        ("shares", lambda: network_depletion_fractions([2.0], [1.0], np.ones_like)),
    ],
)
def test_a_refusal_names_the_key_and_what_is_allowed(key, call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadQuestion) as refusal:
        call()
    assert refusal.value.key == key
