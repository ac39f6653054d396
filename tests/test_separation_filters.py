"""The recursive filters against printed values, closed forms, and the recursions as their papers print them."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from models.streamflow.separation import recursive
from models.streamflow.separation.lyne_hollick import lyne_hollick
from models.streamflow.separation.methods import separate

NAN = math.nan
FLOOD = [10.0, 12, 30, 50, 35, 25, 20, 17, 15, 14]
flows = st.one_of(st.floats(0.01, 100), st.integers(1, 12).map(float), st.just(0.0))
records = st.integers(2, 80).flatmap(lambda n: arrays(np.float64, n, elements=flows))
K, C, B, E, S, A, W = 0.95, 0.07, 0.6, 0.2, -0.3, 0.8, 0.3
V = (1 - W) * (1 - K) / (2 * W)

FILTERS: dict[str, tuple[Callable[[np.ndarray], np.ndarray], Callable[[float, float, float], float], float]] = {
    "chapman": (
        lambda q: recursive.chapman(q, K),
        lambda b, q, y: (3 * K - 1) / (3 - K) * b + (1 - K) / (3 - K) * (q + y),
        0.5,
    ),
    "chapman-maxwell": (
        lambda q: recursive.chapman_maxwell(q, K),
        lambda b, q, y: K / (2 - K) * b + (1 - K) / (2 - K) * q,
        0.5,
    ),
    "boughton": (
        lambda q: recursive.boughton(q, K, C),
        lambda b, q, y: K / (1 + C) * b + C / (1 + C) * q,
        C / (1 - K + C),
    ),
    "eckhardt": (
        lambda q: recursive.eckhardt(q, K, B),
        lambda b, q, y: ((1 - B) * K * b + (1 - K) * B * q) / (1 - K * B),
        B,
    ),
    "furey-gupta": (
        lambda q: recursive.furey_gupta(q, K, A),
        lambda b, q, y: K * b + (1 - K) * A * (y - b),
        A / (1 + A),
    ),
    "willems": (
        lambda q: recursive.willems(q, K, W),
        lambda b, q, y: (K - V) / (1 + V) * b + V / (1 + V) * (q + y),
        1 - W,
    ),
    "ewma": (lambda q: recursive.ewma(q, E), lambda b, q, y: (1 - E) * b + E * q, 1.0),
    "ihacres": (
        lambda q: recursive.ihacres(q, K, C, S),
        lambda b, q, y: K / (1 + C) * b + C / (1 + C) * (q + S * y),
        C * (1 + S) / (1 - K + C),
    ),
}
"""The filter, its recursion b(b[i-1], q[i], q[i-1]), and its base flow over a steady flow of 1."""


def one_pass(flow: list[float], alpha: float, *, resets: bool, first: float) -> list[float]:
    quick, base = first, [flow[0] - max(first, 0)]
    for before, q in pairwise(flow):
        quick = alpha * quick + (1 + alpha) / 2 * (q - before)
        quick = max(quick, 0) if resets else quick
        base.append(q - max(quick, 0))
    return base


def literal_lyne_hollick(flow: list[float], passes: int, reflect: int, *, resets: bool, high: bool) -> list[float]:
    """Mirrored by hand, turned round for every second pass."""
    reflect = min(reflect, len(flow) - 1)
    head = [flow[i] for i in range(reflect, 0, -1)]
    tail = [flow[-1 - i] for i in range(1, reflect + 1)]
    base = [*head, *flow, *tail]
    for number in range(passes):
        turned = base[::-1] if number % 2 else base
        done = one_pass(turned, 0.925, resets=resets, first=turned[0] if high else 0.0)
        base = done[::-1] if number % 2 else done
    return base[reflect : len(base) - reflect]


# Lyne-Hollick ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("passes", "bfi", "expected"),
    [
        (1, 0.6076, [10.0, 10.075, 10.8944, 13.0773, 15.284, 16.3877, 16.8461, 16.9702, 15.0, 14.0]),
        (3, 0.4693, [10.0, 10.0028, 10.039, 10.185, 10.4609, 10.7716, 11.0491, 11.2918, 11.5032, 11.6919]),
    ],
)
def test_a_flood_worked_by_hand(passes: int, bfi: float, expected: list[float]) -> None:
    """What comes out is base flow, not quick flow (0.3924), and one pass is not three."""
    found = separate("lyne-hollick", FLOOD, passes=passes, reflect_days=0, variant="nathan-mcmahon", start="zero")
    assert found.base_flow == pytest.approx(expected, abs=1e-4)
    assert float(found.bfi) == pytest.approx(bfi, abs=5e-5)


def test_the_first_day_of_a_pass() -> None:
    """All flow quick, or none, on the first day of a pass without mirrored days."""
    assert lyne_hollick(FLOOD, passes=1, reflect_days=0, start="flow")[0] == 0
    assert lyne_hollick(FLOOD, passes=1, reflect_days=0, start="zero")[0] == 10


def test_negative_quick_flow_runs_on_or_is_reset() -> None:
    """From 10 to 2 quick flow is -7.7: carried on it swallows the rise to 9, reset it leaves 6.7375 quick."""
    ladson = lyne_hollick([10, 2, 9], passes=1, reflect_days=0, start="zero")
    reset = lyne_hollick([10, 2, 9], passes=1, reflect_days=0, start="zero", variant="nathan-mcmahon")
    assert ladson == pytest.approx([10, 2, 9])
    assert reset == pytest.approx([10, 2, 9 - 6.7375])


@settings(max_examples=150, deadline=None)
@given(
    flow=records,
    passes=st.integers(1, 4),
    reflect=st.sampled_from([0, 3, 30]),
    resets=st.booleans(),
    high=st.booleans(),
)
def test_lyne_hollick_as_the_papers_print_it(
    flow: np.ndarray, passes: int, reflect: int, resets: bool, high: bool
) -> None:
    found = lyne_hollick(
        flow, 0.925, passes, reflect, "nathan-mcmahon" if resets else "ladson", "flow" if high else "zero"
    )
    expected = literal_lyne_hollick(flow.tolist(), passes, reflect, resets=resets, high=high)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_thirty_days_are_mirrored_and_the_end_day_is_not_repeated() -> None:
    flow = np.random.default_rng(4).lognormal(size=80)
    mirrored = np.concatenate([flow[30:0:-1], flow, flow[-2:-32:-1]])
    np.testing.assert_allclose(lyne_hollick(flow), lyne_hollick(mirrored, reflect_days=0)[30:110], rtol=1e-12)


# The other filters ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FILTERS)
def test_steady_flow_in_closed_form(name: str) -> None:
    """Lyne-Hollick starts steady flow at 1; from there b falls to its steady share by the weight of b each day.

    Furey and Gupta's weight is k - (1 - k) A; the others are read off the recursion itself.
    """
    found, recursion, steady = FILTERS[name]
    carried = recursion(1.0, 0.0, 0.0)
    expected = steady + (1 - steady) * carried ** np.arange(300)
    np.testing.assert_allclose(found(np.ones(300)), expected, rtol=1e-12)


@pytest.mark.parametrize("name", FILTERS)
@settings(max_examples=100, deadline=None)
@given(flow=records)
def test_recursions_as_the_papers_print_them(name: str, flow: np.ndarray) -> None:
    found, recursion, _ = FILTERS[name]
    base = [literal_lyne_hollick(flow.tolist(), 2, 0, resets=True, high=False)[0]]
    for before, q in pairwise(flow):
        base.append(min(max(recursion(base[-1], float(q), float(before)), 0.0), float(q)))
    np.testing.assert_allclose(found(flow), base, rtol=1e-9, atol=1e-12)


def test_eckhardt_by_hand() -> None:
    """k = 0.5, BFImax = 0.5: b = (0.25 b + 0.25 q)/0.75. Flow only rises, so the start is q."""
    assert recursive.eckhardt([3, 4.5, 8], 0.5, 0.5) == pytest.approx([3, 2.5, 3.5])


@settings(max_examples=50, deadline=None)
@given(flow=records)
def test_boughton_is_eckhardt_with_another_parameter(flow: np.ndarray) -> None:
    """BFImax = C/(1 - k + C); Chapman and Maxwell's is 0.5."""
    k, c = 0.97, 0.04
    np.testing.assert_allclose(recursive.boughton(flow, k, c), recursive.eckhardt(flow, k, c / (1 - k + c)), rtol=1e-9)
    np.testing.assert_allclose(recursive.chapman_maxwell(flow, k), recursive.eckhardt(flow, k, 0.5), rtol=1e-9)
    np.testing.assert_allclose(recursive.ihacres(flow, k, c, 0), recursive.boughton(flow, k, c), rtol=1e-9)


def test_a_filter_starts_again_after_a_gap() -> None:
    """Steady flow starts at all of it: the day after the gap is a first day."""
    base = recursive.chapman([4, 4, 4, NAN, 8, 8], 0.9)
    assert (base[0], base[4]) == (4, 8)
    assert math.isnan(base[3])
    assert base[5] == pytest.approx(2 * base[1])


def test_base_flow_never_goes_below_zero() -> None:
    """IHACRES with yesterday's flood held against today."""
    base = recursive.ihacres([1, 1000, 1, 1], 0.5, 1, -0.9)
    assert base[2] == 0
