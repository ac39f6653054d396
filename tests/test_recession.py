"""The recession constant in seven ways: closed forms for each, and which days are a recession."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.streamflow.daily_record import daily_record
from models.streamflow.recession import (
    WAYS,
    brutsaert_nieber,
    matching_strips,
    median_slope,
    recession_constants,
    rorabaugh,
    through_origin,
    upper_envelope,
    vogel_kroll,
)
from models.streamflow.recession_segments import RecessionRule, Recessions, recessions

ALL_FALLING = RecessionRule(drop_days=0, shortest_days=3)


def strip(start, k, n):
    return start * k ** np.arange(n)


def gauge(shared, name):
    frame = pd.read_csv(shared / "baseflow" / "data" / name, parse_dates=["date"])
    return daily_record(frame["date"].to_numpy(), frame["q"].to_numpy())


# ---- which days ----


def test_a_recession_loses_its_peak_and_the_days_after_it():
    record = daily_record(np.arange(12), [3, 100, 60, 40, 30, 25, 21, 18, 16, 16, 15, 14])
    (found,) = recessions(record, RecessionRule(drop_days=2, shortest_days=5)).strips
    assert found.tolist() == [30, 25, 21, 18, 16]
    assert recessions(record, RecessionRule(drop_days=2, shortest_days=6)).strips == ()
    (low,) = recessions(record, RecessionRule(drop_days=2, shortest_days=3, ceiling_cfs=21)).strips
    assert low.tolist() == [21, 18, 16]


def test_unknown_dry_and_marked_days_end_a_recession():
    falling = [50.0, 40, 32, 26, 21, 17, 14, 11, 9, 7]
    for broken in (np.nan, 0.0, -1.0):
        flow = falling.copy()
        flow[5] = broken
        strips = recessions(daily_record(np.arange(10), flow), ALL_FALLING).strips
        assert [one.tolist() for one in strips] == [[40, 32, 26, 21], [11, 9, 7]]
    usable = np.arange(10) != 5
    strips = recessions(daily_record(np.arange(10), falling), ALL_FALLING, usable=usable).strips
    assert [one.tolist() for one in strips] == [[40, 32, 26, 21], [11, 9, 7]]


def test_equal_flow_is_no_fall():
    record = daily_record(np.arange(8), [9.0, 8, 7, 6, 6, 5, 4, 3])
    assert [one.tolist() for one in recessions(record, ALL_FALLING).strips] == [[8, 7, 6], [5, 4, 3]]


@pytest.mark.parametrize("rule", [RecessionRule(drop_days=-1), RecessionRule(shortest_days=1)])
def test_a_rule_that_makes_no_recession_is_refused(rule):
    with pytest.raises(BadQuestion, match="rule"):
        recessions(daily_record([0, 1], [2.0, 1.0]), rule)


def test_marks_fit_the_record():
    with pytest.raises(BadQuestion, match="usable"):
        recessions(daily_record([0, 1], [2.0, 1.0]), usable=[True])


# ---- each way by its closed form ----

EXACT = Recessions((strip(50, np.exp(-0.1), 3), strip(20, np.exp(-0.2), 5), strip(90, np.exp(-0.4), 3)))
"""Three recessions, each straight in ln Q, with slopes 0.1, 0.2 and 0.4 a day."""


def test_through_origin_is_the_ratio_of_sums():
    found = Recessions((np.array([10.0, 8, 4]), np.array([6.0, 3])))
    assert through_origin(found) == pytest.approx((80 + 32 + 18) / (100 + 64 + 36))


def test_the_envelope_is_the_95th_percentile_of_the_ratios():
    """Twenty-one ratios 0.70, 0.71 ... 0.90: the 95th percentile is the twentieth of them."""
    ratios = 0.70 + 0.01 * np.arange(21)
    found = Recessions(tuple(np.array([10.0, 10 * ratio]) for ratio in ratios))
    assert upper_envelope(found) == pytest.approx(0.89)


def test_slopes_weigh_recessions_and_strips_weigh_days():
    """The median of three slopes is the middle one; sliding strips weighs each by sum (t - tm)^2: 2, 10 and 2."""
    assert median_slope(EXACT) == pytest.approx(np.exp(-0.2))
    assert matching_strips(EXACT) == pytest.approx(np.exp(-(0.1 * 2 + 0.2 * 10 + 0.4 * 2) / 14))


def test_vogel_kroll_takes_the_mean_step_and_its_bias():
    """Steps -0.1 twice, -0.2 four times, -0.4 twice: mean -0.225, variance 0.095 / 7."""
    assert vogel_kroll(EXACT) == pytest.approx(np.exp(-0.225 - 0.095 / 7 / 16))


def test_rorabaugh_is_days_per_log_cycle():
    assert rorabaugh(EXACT) == pytest.approx(np.exp(-0.2))
    # Flows 100, 50, 10: log10 less its mean is 0.4337, 0.1327, -0.5663; t is -1, 0, 1. sum x t = -1, sum x x = 0.5264.
    bent = Recessions((np.array([100.0, 50, 10]),) * 2)
    assert rorabaugh(bent) == pytest.approx(10 ** (-0.5264), rel=2e-4)
    assert rorabaugh(bent) < median_slope(bent)


def test_brutsaert_nieber_gives_low_flow_the_weight_of_high():
    """Two bins of twenty equal pairs: a is the geometric mean of the two rates of fall, not that of the many."""
    slow, fast = 0.98, 0.90
    pairs = [np.array([low, low * slow]) for low in np.linspace(1, 2, 20)]
    pairs += [np.array([high, high * fast]) for high in np.linspace(50, 90, 20)]
    rate = np.sqrt(2 * (1 - slow) / (1 + slow) * 2 * (1 - fast) / (1 + fast))
    assert brutsaert_nieber(Recessions(tuple(pairs))) == pytest.approx((1 - rate / 2) / (1 + rate / 2))


@settings(deadline=None)
@given(st.floats(0.5, 0.995), st.integers(0, 2**32 - 1))
def test_all_ways_agree_on_a_linear_reservoir(k, seed):
    starts = np.random.default_rng(seed).uniform(1, 100, 12)
    flow = np.concatenate([[1e4, *strip(start, k, 14)] for start in starts])
    found = recession_constants(daily_record(np.arange(flow.size), flow))
    assert [one.way for one in found] == list(WAYS)
    assert [one.k for one in found] == pytest.approx([k] * 7, rel=1e-9)
    # The drop from the surge to the first day of each strip falls too, and is dropped with the two days after it.
    assert [(one.n, one.strips, one.reason) for one in found] == [(12 * 10, 12, "")] * 7
    assert found[0].days_per_log_cycle == pytest.approx(-1 / np.log10(k))


# ---- when there is none ----


def test_a_record_without_recessions_says_so():
    found = recession_constants(daily_record(np.arange(30), np.arange(30.0)))
    assert len(found) == 7
    assert all(one.k is None and one.days_per_log_cycle is None for one in found)
    assert {one.reason for one in found} == {"0 recessions; at least 2 needed"}


def test_an_envelope_needs_more_pairs_than_a_mean():
    flow = np.concatenate([[99.0, *strip(20, 0.9, 8)], [99.0, *strip(30, 0.9, 8)]])
    found = {one.way: one for one in recession_constants(daily_record(np.arange(flow.size), flow))}
    assert found["through_origin"].k == pytest.approx(0.9)
    assert found["upper_envelope"].k is None
    assert found["brutsaert_nieber"].reason == "8 pairs of days; at least 40 needed"


# ---- a real stream ----


def test_the_ways_disagree_at_windsor(shared):
    """The project's methods found 0.992 for the envelope and 0.961 for the median slope there."""
    found = recession_constants(gauge(shared, "wi_05427718_yahara_windsor.csv"), RecessionRule(drop_days=2))
    k = {one.way: one.k for one in found}
    assert k["upper_envelope"] == pytest.approx(0.992, abs=0.002)
    assert k["median_slope"] == pytest.approx(0.961, abs=0.002)
    assert k["through_origin"] < k["vogel_kroll"] < k["median_slope"] < k["brutsaert_nieber"] < k["upper_envelope"]


def test_an_interval_is_repeatable_and_holds_its_estimate():
    rng = np.random.default_rng(11)
    strips = [strip(rng.uniform(5, 50), rng.uniform(0.85, 0.97), 12) for _ in range(30)]
    record = daily_record(np.arange(30 * 13), np.concatenate([[999.0, *one] for one in strips]))
    first, again = (recession_constants(record, rng=np.random.default_rng(5)) for _ in range(2))
    assert [one.interval for one in first] == [one.interval for one in again]
    assert all(one.interval.low < one.k < one.interval.high for one in first)
    assert first[2].interval.high - first[2].interval.low < 0.05
