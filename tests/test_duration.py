"""Flow duration, monthly and seasonal quantiles, thresholds by day of the year, and plain moments of a record."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from models.errors import BadQuestion
from models.streamflow.daily_record import daily_record, year_ending, year_span
from models.streamflow.daily_threshold import (
    calendar_slot,
    interpolated_months,
    moving_window_quantile,
    on_days,
)
from models.streamflow.duration import (
    SUMMER,
    WINTER,
    exceedance_quantile,
    flow_duration,
    monthly_quantiles,
    seasonal_quantile,
)
from models.streamflow.flow_summary import flow_summary

FLOWS = st.floats(0, 1e5, allow_subnormal=False)


def days(first, last):
    return np.arange(first, np.datetime64(last) + 1, dtype="datetime64[D]")


def gauge(shared, name):
    frame = pd.read_csv(shared / "baseflow" / "data" / name, parse_dates=["date"])
    return daily_record(frame["date"].to_numpy(), frame["q"].to_numpy())


# ---- duration ----


def test_weibull_positions_by_hand():
    """Nine flows: rank m has m / 10, so Q90 is the lowest, Q50 the fifth, and Q25 half way between 8 and 7."""
    curve = flow_duration([3, 1, 2, 9, 8, 7, 6, 5, 4])
    assert curve.exceedance.tolist() == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
    assert curve.flow.tolist() == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert exceedance_quantile(curve.flow, [0.1, 0.25, 0.5, 0.9]) == pytest.approx([9, 7.5, 5, 1])


def test_nothing_is_said_beyond_the_extremes_of_a_record():
    assert np.isnan(exceedance_quantile(np.arange(1.0, 10.0), [0.09, 0.91])).all()
    assert np.isnan(exceedance_quantile([], [0.5])).all()
    assert np.isnan(exceedance_quantile([np.nan, -3.0], [0.5])).all()


def test_unknown_days_and_reverse_flow_are_left_out():
    with_holes = [np.nan, 5, 4, -40.7, 3, 2, np.nan, 1]
    assert exceedance_quantile(with_holes, 0.5)[0] == 3
    assert flow_duration(with_holes).flow.size == 5


@pytest.mark.parametrize("wrong", [0.0, 1.0, -0.1, 90.0, np.nan])
def test_an_exceedance_is_a_probability(wrong):
    with pytest.raises(BadQuestion, match="exceedance"):
        exceedance_quantile([1.0, 2.0], wrong)


@settings(deadline=None)
@given(arrays(np.float64, st.integers(40, 120), elements=FLOWS), st.randoms(use_true_random=False))
def test_quantiles_are_ordered_lie_in_the_record_and_know_no_order(flow, random):
    p = [0.05, 0.2, 0.5, 0.8, 0.9, 0.95]
    found = exceedance_quantile(flow, p)
    assert (np.diff(found) <= 1e-9).all()
    assert flow.min() <= found.min()
    assert found.max() <= flow.max()
    mixed = flow.tolist()
    random.shuffle(mixed)
    assert exceedance_quantile(mixed, p).tolist() == found.tolist()


def test_each_flow_has_its_own_plotting_position_back():
    flow = np.random.default_rng(7).lognormal(2, 1, 101)
    curve = flow_duration(flow)
    assert exceedance_quantile(flow, curve.exceedance) == pytest.approx(curve.flow, rel=1e-12)


def test_windsor_before_the_middle_of_its_record(shared):
    """Q80, Q90 and Q95 of the Yahara River at Windsor, first half of 1995-2023, as in the project's methods."""
    record = gauge(shared, "wi_05427718_yahara_windsor.csv")
    half = record.flow[: record.flow.size // 2]
    assert exceedance_quantile(half, [0.8, 0.9, 0.95]).round(1).tolist() == [15.0, 12.3, 10.8]


# ---- months and seasons ----


def test_monthly_and_seasonal_quantiles_pool_all_years():
    span = days("2021-01-01", "2022-12-31")
    month = span.astype("datetime64[M]").astype(int) % 12 + 1
    flow = month + np.where(span < np.datetime64("2022-01-01"), 0.0, 100.0)
    flow[month == 6] = np.nan
    record = daily_record(span, flow)
    found = monthly_quantiles(record, 0.9)
    assert [found.flow[k] for k in (0, 1, 11)] == [1, 2, 12]
    assert np.isnan(found.flow[5])
    assert found.n[[0, 1, 5]].tolist() == [62, 56, 0]
    assert found.years[[0, 5]].tolist() == [2, 0]
    # December to February of two years: 59 days at 1 and 2, 31 at 12, and the same plus 100.
    assert seasonal_quantile(record, 0.5, WINTER) == (12 + 101) / 2
    assert seasonal_quantile(record, 0.9, SUMMER) == 7
    with pytest.raises(BadQuestion, match="months"):
        seasonal_quantile(record, 0.5, [0, 13])


# ---- days of the year ----


def test_a_date_has_the_same_slot_in_every_year():
    dates = np.array(
        ["2023-01-01", "2023-02-28", "2024-02-29", "2023-03-01", "2024-03-01", "2023-12-31"], "datetime64[D]"
    )
    assert calendar_slot(dates).tolist() == [0, 58, 59, 60, 60, 365]


def test_months_are_joined_middle_to_middle():
    """31 days of January have their middle at 15.5, 29 of February at 45.5; noon of 31 January is 30.5: half way."""
    monthly = [10.0, 20.0, *[20.0] * 9, 30.0]
    daily = interpolated_months(monthly)
    assert daily[15] == pytest.approx(10.0)
    assert daily[30] == pytest.approx(15.0)
    # Over the year's end: middle of December at 350.5, of January 31 days later.
    assert daily[365] == pytest.approx(30 - 20 * 15 / 31)
    assert daily[0] == pytest.approx(30 - 20 * 16 / 31)
    assert interpolated_months([7.0] * 12).tolist() == [7.0] * 366
    with pytest.raises(BadQuestion, match="monthly"):
        interpolated_months([1.0] * 11)


def test_an_interpolated_threshold_has_no_step_at_a_months_end():
    monthly = np.array([5.0, 6, 9, 12, 9, 6, 4, 3, 3, 4, 5, 5])
    laid = on_days(interpolated_months(monthly), days("2023-01-01", "2024-12-31"))
    # A month's step is spread over 30 days or more; from 28 February to 1 March of a common year two are taken at once.
    assert np.abs(np.diff(laid)).max() <= 2 * np.abs(np.diff([*monthly, monthly[0]])).max() / 29.5
    assert laid.size == 731


def test_a_moving_window_reaches_over_the_year_and_over_years():
    span = days("2021-01-01", "2023-12-31")
    slot = calendar_slot(span)
    record = daily_record(span, slot.astype(float))
    found = moving_window_quantile(record, 0.5, window_days=3, smoothing_days=1)
    assert found[100] == 100
    # Around 1 January: 365, 0 and 1 of three years; the middle one is 1.
    assert found[0] == 1
    smooth = moving_window_quantile(record, 0.5, window_days=3, smoothing_days=3)
    assert smooth[200] == pytest.approx(200)
    assert smooth[1] == pytest.approx((found[0] + found[1] + found[2]) / 3)
    assert np.isnan(moving_window_quantile(record, 0.99, window_days=3, smoothing_days=1)).all()


@pytest.mark.parametrize("wrong", [0, 30, -1, 367])
def test_a_window_is_odd(wrong):
    record = daily_record(days("2021-01-01", "2021-12-31"), np.ones(365))
    with pytest.raises(BadQuestion, match="window_days"):
        moving_window_quantile(record, 0.5, window_days=wrong)


# ---- the record ----


def test_days_without_a_row_are_unknown():
    record = daily_record(np.array(["2024-02-27", "2024-03-02"], "datetime64[D]"), [1.0, 2.0])
    assert record.days.size == 5
    assert np.isnan(record.flow).tolist() == [False, True, True, True, False]
    assert daily_record([0, 2], [1.0, 2.0]).days[0] == np.datetime64("1970-01-01")


@pytest.mark.parametrize(
    ("when", "flow", "key"),
    [
        ([], [], "days"),
        ([0, 0], [1.0, 2.0], "days"),
        ([1, 0], [1.0, 2.0], "days"),
        ([0, 1], [1.0], "flow"),
        ([0, 1], [1.0, np.inf], "flow"),
        (np.array(["2024-01-01", "NaT"], "datetime64[D]"), [1.0, 2.0], "days"),
        ([0.5, 1.5], [1.0, 2.0], "days"),
    ],
)
def test_a_bad_record_is_refused(when, flow, key):
    with pytest.raises(BadQuestion, match=key):
        daily_record(np.asarray(when, int) if len(when) == 0 else when, flow)


def test_a_year_is_named_by_the_day_it_ends():
    when = np.array(["2019-03-31", "2019-04-01", "2019-12-31", "2020-03-31", "2020-04-01"], "datetime64[D]")
    assert year_ending(when, 4).tolist() == [2019, 2020, 2020, 2020, 2021]
    assert year_ending(when, 1).tolist() == [2019, 2019, 2019, 2020, 2020]
    assert [str(day) for day in year_span(2020, 4)] == ["2019-04-01", "2020-04-01"]
    assert [str(day) for day in year_span(2020, 1)] == ["2020-01-01", "2021-01-01"]
    with pytest.raises(BadQuestion, match="start_month"):
        year_ending(when, 13)


# ---- moments ----


def test_reverse_flow_keeps_its_sign():
    """Two days of reverse flow in five: not made positive, not dropped, not cut off at zero (case FLOW-03)."""
    found = flow_summary([12.0, 8.0, -3.0, -1.0, 5.0])
    assert found.mean == pytest.approx(4.2, abs=1e-9)
    assert (found.minimum, found.reverse_days, found.volume_ft3, found.highest_daily_mean) == (-3, 2, 1_814_400, 12)


def test_a_gap_is_no_zero_in_the_harmonic_mean():
    """Case FLOW-09: three positive days, one dry, one unknown."""
    found = flow_summary([10, 5, 0, np.nan, 20])
    assert found.harmonic_mean_of_positive == pytest.approx(8.571429, abs=1e-6)
    assert found.harmonic_mean_adjusted == pytest.approx(6.428571, abs=1e-6)
    assert (found.n, found.missing, found.zero_days) == (4, 1, 1)


def test_a_record_without_a_known_day_has_no_moments():
    found = flow_summary([np.nan, np.nan])
    assert (found.n, found.missing, found.mean, found.harmonic_mean_adjusted) == (0, 2, None, None)
    assert flow_summary([0.0, 0.0]).harmonic_mean_of_positive is None
