"""HYSEP, PART and smoothed minima against hand-worked days and the methods as their reports word them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from models.streamflow.separation.hysep import hysep_fixed, hysep_interval, hysep_local_minimum, hysep_sliding
from models.streamflow.separation.part import part
from models.streamflow.separation.ukih import ukih, ukih_averaged, wahl, wahl_modified

NAN = math.nan
RECESSION = [90, 50, 40, 36, 33, 31, 30, 29, 28, 27.5, 27, 60, 120, 80, 55, 42, 37, 34, 32, 30, 29, 28.5, 28, 27.6]
flows = st.one_of(st.floats(0.01, 100), st.integers(1, 12).map(float), st.just(0.0))
records = st.integers(3, 90).flatmap(lambda n: arrays(np.float64, n, elements=flows))
areas = st.one_of(st.floats(0.1, 10000), st.sampled_from([1.0, 32.0, 243.0, 1024.0, 3125.0]))


# HYSEP ----------------------------------------------------------------------------------------------------------------


def test_the_interval_is_odd_and_ties_go_down() -> None:
    """Ties of the nearest odd integer lie at 2N = 4, 6, 8 and 10."""
    area = [0.1, 31.9, 32, 32.1, 243, 243.1, 1024, 1024.1, 3125, 3125.1, 7776, 40000]
    assert hysep_interval(area).tolist() == [3, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 11]


def test_fixed_interval_by_hand() -> None:
    """18 mi2: blocks of three days from the first, a short one last."""
    assert hysep_fixed([5, 4, 6, 9, 8, 7, 3, 10], 18).tolist() == [4, 4, 4, 7, 7, 7, 3, 3]


def test_sliding_interval_by_hand() -> None:
    """100 mi2: five days, cut off at both ends."""
    assert hysep_sliding([5, 4, 6, 9, 8, 7, 3, 10], 100).tolist() == [4, 4, 4, 4, 3, 3, 3, 3]


def test_local_minimum_by_hand() -> None:
    """18 mi2: days 2 and 6 are no higher than their neighbours; between 1 and 16 the log line runs 1, 2, 4, 8, 16."""
    flow = [5, 3, 1, 1.5, 3, 20, 16, 30, 17]
    assert hysep_local_minimum(flow, 18) == pytest.approx([1, 1, 1, 1.5, 3, 8, 16, 16, 16])


def test_local_minimum_needs_days_on_both_sides() -> None:
    assert hysep_local_minimum([1, 2, 3, 2.5, 4, 2], 18) == pytest.approx([1, 2, 2.5, 2.5, 2.5, 2])
    assert np.isnan(hysep_local_minimum([1, 2, 3, 4], 18)).all()


def test_local_minimum_takes_a_dry_day_as_a_hundredth() -> None:
    """Between a dry day and 1 cfs two days on, the line passes the root of 0.01."""
    assert hysep_local_minimum([2, 0, 9, 1, 3], 18) == pytest.approx([0.01, 0, 0.1, 1, 1])


@settings(max_examples=150, deadline=None)
@given(flow=records, area=areas)
def test_hysep_as_the_report_words_it(flow: np.ndarray, area: float) -> None:
    width = int(hysep_interval(area))
    half = width // 2
    fixed = [flow[i // width * width : i // width * width + width].min() for i in range(flow.size)]
    sliding = [flow[max(0, i - half) : i + half + 1].min() for i in range(flow.size)]
    np.testing.assert_array_equal(hysep_fixed(flow, area), fixed)
    np.testing.assert_array_equal(hysep_sliding(flow, area), sliding)
    inner = range(half, flow.size - half)
    turning = [i for i in inner if all(flow[i] <= flow[j] for j in range(i - half, i + half + 1))]
    found = hysep_local_minimum(flow, area)
    if not turning:
        assert np.isnan(found).all()
        return
    logs = np.log10([flow[i] or 0.01 for i in turning])
    np.testing.assert_allclose(found, np.minimum(10 ** np.interp(range(flow.size), turning, logs), flow), rtol=1e-9)


# PART -----------------------------------------------------------------------------------------------------------------


def literal_part(flow: np.ndarray, days: int) -> np.ndarray | None:
    """Rutledge's steps one after the other over the whole record; None without a day of recession."""
    logs = np.log10(np.maximum(flow, 1e-99))
    qualifies = {
        i
        for i in range(days, flow.size)
        if all(flow[j] <= flow[j - 1] for j in range(i - days + 1, i + 1))
        and not (i + 1 < flow.size and logs[i] - logs[i + 1] > 0.1)
    }
    if not qualifies:
        return None
    while True:
        at = sorted(qualifies)
        excess = np.interp(range(flow.size), at, logs[at]) - logs
        edges = [-1, *at, flow.size]
        blocks = [range(a + 1, b) for a, b in pairwise(edges) if b > a + 1]
        worst = [max(block, key=lambda i: excess[i]) for block in blocks]
        more = {i for i in worst if excess[i] > 1e-12}
        if not more:
            line = np.minimum(10 ** (excess + logs), flow)
            return np.where(line < 1e-6, 0, line)
        qualifies |= more


@settings(max_examples=150, deadline=None)
@given(flow=records, area=areas)
def test_part_as_the_report_words_it(flow: np.ndarray, area: float) -> None:
    exponent = max(area**0.2, 1.0)
    fewer = int(exponent + 1e-9)
    low, high = literal_part(flow, fewer), literal_part(flow, fewer + 1)
    found = part(flow, area)
    share = max(exponent - fewer, 0.0)
    if low is None or (high is None and share > 1e-9):
        assert np.isnan(found).all()
        return
    expected = low if high is None else (1 - share) * low + share * high
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1.1e-6)


def test_part_by_hand() -> None:
    """1 mi2, one day of recession. Days 1, 2 and 5 qualify; day 4 falls too steeply to day 5.

    Between days 2 and 5 the log line from 8 to 1 passes 4 and 2.
    """
    assert part([9, 8.5, 8, 40, 3, 1, 1.5], 1) == pytest.approx([8.5, 8.5, 8, 4, 2, 1, 1])


def test_part_anchors_the_day_most_exceeded() -> None:
    """Rising days never qualify: the line held from day 3 back exceeds days 0 and 1, and day 0 exceeds it most."""
    assert part([2, 4, 8, 8, 8], 1) == pytest.approx(
        [2, 8 ** (1 / 3) * 2 ** (2 / 3), 2 ** (1 / 3) * 8 ** (2 / 3), 8, 8]
    )


def test_part_below_one_square_mile_stays_within_flow() -> None:
    """N is 1 and no less: nothing is extrapolated."""
    np.testing.assert_array_equal(part(RECESSION, 0.05), part(RECESSION, 1))
    assert (part(RECESSION, 0.05) <= RECESSION).all()


def test_part_without_recession_is_undefined() -> None:
    assert np.isnan(part([1, 2, 3, 4], 1)).all()


def test_part_at_a_whole_number_of_days_needs_no_more() -> None:
    """7776 mi2 is N = 6 though 7776**0.2 is not; six days of recession are there, seven are not."""
    flow = [5, 4.9, 4.8, 4.7, 4.6, 4.5, 4.4, 4.6]
    assert np.isfinite(part(flow, 7776)).all()
    assert np.isnan(part(flow, 7800)).all()


def test_part_takes_no_day_before_a_steep_fall() -> None:
    """10/8 is 0.097 log cycles, 10/7.9 is 0.102: the third day is then on the line between its neighbours."""
    assert part([20, 10, 10, 8, 9], 1) == pytest.approx([10, 10, 10, 8, 8])
    assert part([20, 10, 10, 7.9, 9], 1) == pytest.approx([10, 10, math.sqrt(79), 7.9, 7.9])


def test_part_does_not_look_across_a_gap() -> None:
    """The fall from 10 to 0.8 over the gap is none, so 10 is recession; that to 0.7 is none, so 0.7 is not."""
    base = part([6, 5, 20, 10, NAN, 0.8, NAN, 0.7, 0.65, 0.64], 1)
    assert base == pytest.approx([5, 5, math.sqrt(50), 10, NAN, NAN, NAN, 0.65, 0.65, 0.64], nan_ok=True)


def test_part_of_a_dry_stream_is_zero() -> None:
    assert part([0, 0, 0, 0], 1).tolist() == [0, 0, 0, 0]
    assert part([4e-7, 4e-7, 4e-7], 1).tolist() == [0, 0, 0]


# Smoothed minima ------------------------------------------------------------------------------------------------------


def blocks(*minima: float) -> np.ndarray:
    """Five-day blocks with their minimum on the third day and 100 elsewhere."""
    return np.array([100.0 if day != 2 else low for low in minima for day in range(5)])


def test_ukih_by_hand() -> None:
    """0.9 x 10 = 9 does not exceed 9; 0.9 x 12 exceeds 10; between turning points on days 7 and 17 it runs straight."""
    base = ukih(blocks(9, 10, 12, 6, 20))
    assert np.isnan(base[:7]).all()
    assert base[7:18] == pytest.approx([10 - 0.4 * day for day in range(11)])
    assert np.isnan(base[18:]).all()


def test_ukih_ties_take_the_first_day() -> None:
    """Minima 4 on days 5 and 9: the turning point is day 5."""
    flow = [9] * 5 + [4, 9, 9, 9, 4] + [9] * 5
    assert np.flatnonzero(np.isfinite(ukih(flow))).tolist() == [5]


def test_ukih_knows_a_dry_spell() -> None:
    """A dry block is a turning point, for 0.9 x 0 does not exceed 0; the last of four begins on day 25."""
    flow = np.concatenate([blocks(5, 4), np.zeros(20), blocks(3, 5)])
    base = ukih(flow)
    assert np.flatnonzero(np.isfinite(base)).tolist() == list(range(10, 26))
    assert (base[10:26] == 0).all()


def test_ukih_leaves_an_unfinished_block_out() -> None:
    """The low 14th day is in no block."""
    flow = np.append(blocks(9, 8, 9), [100, 1])
    assert np.flatnonzero(np.isfinite(ukih(flow))).tolist() == [7]


def test_ukih_from_another_origin() -> None:
    flow = np.random.default_rng(5).lognormal(size=300)
    np.testing.assert_array_equal(ukih(flow, origin_days=3)[3:], ukih(flow[3:]))
    five = np.array([ukih(flow, origin_days=origin) for origin in range(5)])
    np.testing.assert_allclose(ukih_averaged(flow), five.mean(axis=0), rtol=1e-12)


def test_ukih_with_other_blocks_and_factor() -> None:
    """Three-day blocks with minima 4, 3, 4 and f = 1; 1 x 3 exceeds neither, 1 x 4 exceeds 3."""
    flow = [9, 4, 9, 9, 3, 9, 9, 4, 9, 9, 5, 9]
    assert np.flatnonzero(np.isfinite(ukih(flow, block_days=3, factor=1.0))).tolist() == [4]


def test_wahl_joins_logarithms() -> None:
    """From 10 to 6 in ten days: the geometric mean after five; a dry turning point counts as 0.01."""
    base = wahl(blocks(9, 10, 12, 6, 20))
    assert base[12] == pytest.approx(math.sqrt(60))
    assert wahl(blocks(9, 1, 12, 0, 20))[12] == pytest.approx(0.1)
    np.testing.assert_array_equal(np.isfinite(base), np.isfinite(ukih(blocks(9, 10, 12, 6, 20))))


def test_wahl_modified_counts_the_days_between_minima() -> None:
    """Minima 9.3 and 10 nine days apart: 0.97915**9 x 10 = 8.27 passes; one day apart 9.79 does not, 9 would."""
    apart = [9.3, 99, 99, 99, 99, 99, 99, 99, 99, 10.0, 99, 99, 99, 99, 11]
    beside = [99, 99, 99, 99, 9.3, 10.0, 99, 99, 99, 99, 99, 99, 99, 99, 11]
    assert np.flatnonzero(np.isfinite(wahl_modified(apart))).tolist() == [9]
    assert np.isnan(wahl_modified(beside)).all()
    assert np.isfinite(wahl(beside)[5])
    # After the middle minimum as before it: 11 one day later, 0.97915 x 11.5 exceeds it.
    assert np.isnan(wahl_modified([99, 99, 30, 99, 99, 99, 99, 99, 99, 11.5, 11, 99, 99, 99, 99])).all()


@settings(max_examples=60, deadline=None)
@given(minima=st.lists(st.integers(0, 12).map(float), min_size=3, max_size=14))
def test_modified_is_standard_at_five_days(minima: list[float]) -> None:
    """K' is the fifth root of 0.9: no tie is decided otherwise."""
    np.testing.assert_array_equal(wahl_modified(blocks(*minima)), wahl(blocks(*minima)))


@settings(max_examples=150, deadline=None)
@given(flow=records)
def test_smoothed_minima_as_the_report_words_them(flow: np.ndarray) -> None:
    lows = [i + int(np.argmin(flow[i : i + 5])) for i in range(0, flow.size - 4, 5)]
    turning = [
        b for a, b, c in zip(lows, lows[1:], lows[2:], strict=False) if 0.9 * flow[b] <= min(flow[a], flow[c])
    ]  # fmt: skip
    found, in_logs = ukih(flow), wahl(flow)
    if not turning:
        assert np.isnan(found).all()
        return
    day = range(flow.size)
    line = np.interp(day, turning, flow[turning], left=NAN, right=NAN)
    np.testing.assert_allclose(found, np.minimum(line, flow), rtol=1e-9)
    logs = np.interp(day, turning, np.log10([flow[i] or 0.01 for i in turning]), left=NAN, right=NAN)
    np.testing.assert_allclose(in_logs, np.minimum(10**logs, flow), rtol=1e-9)
