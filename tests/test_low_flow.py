"""Annual low flows, log-Pearson III, August medians, intervals, the summary of a gauge and its natural trigger rate."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearson3

from models.errors import BadQuestion
from models.streamflow.annual_minima import annual_minima, n_day_means
from models.streamflow.august_median import august_median
from models.streamflow.baseline_rate import baseline_rate
from models.streamflow.daily_record import daily_record
from models.streamflow.intervals import bootstrap, bootstrap_interval, percentile_interval, period_range, resample
from models.streamflow.log_pearson import annual_quantile, fit_log_pearson, frequency_factor
from models.streamflow.low_flow import low_flow
from models.streamflow.low_flow_sample import NAMES
from models.streamflow.monthly_low_flow import monthly_statistics
from models.streamflow.threshold import Threshold


def days(first, last):
    return np.arange(first, np.datetime64(last) + 1, dtype="datetime64[D]")


def gauge(shared, name, before="2100-01-01"):
    frame = pd.read_csv(shared / "baseflow" / "data" / name, parse_dates=["date"])
    frame = frame[frame["date"] < before]
    return daily_record(frame["date"].to_numpy(), frame["q"].to_numpy())


def raccoon(shared):
    """Published annual 7-day minima by ending year."""
    return pd.read_csv(shared / "baseflow" / "data" / "ia_05484500_raccoon_annual_q7_published.csv")


def years_of(lows, first=2001):
    """Climatic years of 10 cfs, each with 20 days in September at one of ``lows`` [cfs]."""
    span = days(f"{first}-04-01", f"{first + len(lows)}-03-31")
    flow = np.full(span.size, 10.0)
    for k, low in enumerate(lows):
        flow[np.isin(span, days(f"{first + k}-09-05", f"{first + k}-09-24"))] = low
    return daily_record(span, flow)


def ten_q7(blocks):
    return annual_quantile(blocks, 0.1)


# ---- annual minima ----


def flow_05():
    flow = [40.0] * 180 + [12.0] * 7 + [35.0] * 179
    return daily_record(days("2019-04-01", "2020-03-31"), flow)


def test_a_climatic_year_does_not_cut_the_low_flow_season():
    """Case FLOW-05: 12 cfs from 28 September to 4 October; a water year sees 28.0 and 21.857 instead."""
    found = annual_minima(flow_05())
    assert (found.year.tolist(), found.flow.tolist(), str(found.first_day[0])) == ([2020], [12.0], "2019-09-28")
    split = annual_minima(flow_05(), start_month=10, required_days=180)
    assert split.flow == pytest.approx([28.0, 21.8571], abs=1e-4)


def test_no_window_crosses_the_years_end():
    """Four low days each side of 1 April: in each year (4 x 2 + 3 x 9) / 7 = 5, across it 2."""
    span = days("2020-04-01", "2022-03-31")
    flow = np.where(np.isin(span, days("2021-03-28", "2021-04-04")), 2.0, 9.0)
    assert annual_minima(daily_record(span, flow)).flow.tolist() == [5.0, 5.0]


def test_a_year_with_a_gap_is_left_out_and_named():
    record = years_of([3.0, 4.0, 5.0])
    flow = record.flow.copy()
    flow[400] = np.nan
    found = annual_minima(daily_record(record.days[:-10], flow[:-10]))
    assert (found.year.tolist(), found.flow.tolist()) == ([2002], [3.0])
    assert [(one.year, one.reason) for one in found.excluded] == [
        (2003, "364 of 365 days known"),
        (2004, "356 of 366 days known"),
    ]
    lenient = annual_minima(daily_record(record.days, flow), required_days=250)
    assert (lenient.flow.tolist(), lenient.excluded) == ([3, 4, 5], ())


def test_a_window_with_an_unknown_day_has_no_mean():
    assert n_day_means([1, 2, 3, np.nan, 5, 6, 7], 3).tolist()[:1] == [2]
    assert np.isnan(n_day_means([1, 2, 3, np.nan, 5, 6, 7], 3)).tolist() == [False, True, True, True, False]
    assert n_day_means([1.0, 2.0], 7).size == 0


def test_reverse_flow_is_no_low_flow():
    record = years_of([3.0, 3.0])
    flow = record.flow.copy()
    flow[100] = -40.7
    found = annual_minima(daily_record(record.days, flow))
    assert found.year.tolist() == [2003]


@pytest.mark.parametrize("wrong", [{"n_days": 0}, {"n_days": 400}, {"required_days": 3}, {"start_month": 0}])
def test_a_minimum_that_cannot_be_asked_for(wrong):
    with pytest.raises(BadQuestion):
        annual_minima(flow_05(), **wrong)


def test_windsor_agrees_with_a_rolling_mean(shared):
    record = gauge(shared, "wi_05427718_yahara_windsor.csv")
    series = pd.Series(record.flow, pd.DatetimeIndex(record.days))
    expected = {y: series[f"{y - 1}-04-01" : f"{y}-03-31"].rolling(7).mean().min() for y in range(1996, 2024)}
    found = annual_minima(record)
    assert found.year.tolist() == list(expected)
    assert found.flow.tolist() == pytest.approx(list(expected.values()), rel=1e-9)


# ---- log-Pearson III ----

NONEXCEEDANCE = [0.01, 0.05, 0.10, 0.20, 0.50, 0.80, 0.90, 0.98, 0.99]
PRINTED = {
    3.0: [-0.66663, -0.66532, -0.66023, -0.63569, -0.39554, 0.42040, 1.18006, 3.15193, 4.05138],
    2.0: [-0.98995, -0.94871, -0.89464, -0.77686, -0.30685, 0.60944, 1.30259, 2.91202, 3.60517],
    1.0: [-1.58838, -1.31684, -1.12762, -0.85161, -0.16397, 0.75752, 1.34039, 2.54206, 3.02256],
    0.0: [-2.32635, -1.64485, -1.28155, -0.84162, 0.0, 0.84162, 1.28155, 2.05375, 2.32635],
    -1.0: [-3.02256, -1.87683, -1.34039, -0.75752, 0.16397, 0.85161, 1.12762, 1.49188, 1.58838],
}
"""Frequency factors as printed in Bulletin 17B, appendix 3."""


@pytest.mark.parametrize("skew", PRINTED)
def test_frequency_factors_as_printed(skew):
    assert frequency_factor(NONEXCEEDANCE, skew) == pytest.approx(PRINTED[skew], abs=0.6e-5)


@settings(deadline=None)
@given(st.floats(0.002, 0.998), st.floats(-4, 4))
def test_frequency_factors_by_another_library(p, skew):
    expected = pearson3.ppf(p, skew) if abs(skew) > 2e-5 else pearson3.ppf(p, 0.0)
    assert float(frequency_factor(p, skew)) == pytest.approx(expected, abs=2e-5)


@settings(deadline=None)
@given(st.floats(0.001, 0.999), st.floats(0, 5))
def test_the_factor_is_mirrored_and_does_not_jump_at_small_skew(p, skew):
    assert float(frequency_factor(p, -skew)) == pytest.approx(-float(frequency_factor(1 - p, skew)), abs=1e-7)
    just_below, just_above = (float(frequency_factor(p, g)) for g in (0.9999e-4, 1.0001e-4))
    assert just_below == pytest.approx(just_above, abs=1e-7)


def test_the_raccoon_river_as_published(shared):
    """Moments and all quantiles of 96 annual 7-day minima at Van Meter, to a hundredth of a percent."""
    published = pd.read_csv(shared / "baseflow" / "data" / "ia_05484500_raccoon_lp3_published.csv")
    fit = fit_log_pearson(raccoon(shared)["q7_cfs"])
    first = published.iloc[0]
    assert (fit.n, fit.zeros) == (first["n"], 0)
    assert round(fit.mean, 3) == first["mean_log10"]
    assert round(fit.sd, 4) == first["sd_log10"]
    assert fit.skew == pytest.approx(first["skew_log10"], abs=2e-5)
    found = [fit.quantile(p) for p in published["nonexceedance"]]
    assert found == pytest.approx(published["q7_cfs"].tolist(), rel=1e-4)
    assert fit.quantile(0.1) == pytest.approx(41.71026, rel=1e-4)


def test_three_minima_by_hand():
    """1, 10 and 1000: logs 0, 1, 3; mean 4/3, variance 7/3, G = 3/2 sum z^3 = 0.93522; no sample gives more exactly."""
    fit = fit_log_pearson([10.0, 1000.0, 1.0])
    assert (fit.mean, fit.sd) == pytest.approx((4 / 3, (7 / 3) ** 0.5))
    z = np.array([-4 / 3, -1 / 3, 5 / 3]) / (7 / 3) ** 0.5
    assert fit.skew == pytest.approx(1.5 * (z**3).sum())
    assert fit.skew == pytest.approx(0.93522, abs=1e-5)
    assert fit.lower_bound == pytest.approx(10 ** (4 / 3 - 2 * (7 / 3) ** 0.5 / 0.93522), rel=1e-4)
    assert fit_log_pearson([1.0, 100.0, 1000.0]).lower_bound is None


def test_years_without_flow_by_conditional_probability():
    """Two dry years in twelve: p0 = 1/6. Q7,10 is 0; Q7,2 is the fit of the other ten at (1/2 - 1/6) / (5/6) = 0.4."""
    flowing = [3.0, 4.1, 2.2, 5.6, 3.9, 2.8, 4.4, 1.9, 3.3, 6.0]
    fit = fit_log_pearson([*flowing, 0.0, 0.0])
    assert (fit.n, fit.zeros) == (12, 2)
    assert fit.quantile(0.1) == fit.quantile(1 / 6) == 0.0
    logs = np.log10(flowing)
    expected = 10 ** pearson3.ppf(0.4, fit.skew, loc=logs.mean(), scale=logs.std(ddof=1))
    assert fit.quantile(0.5) == pytest.approx(expected, rel=1e-9)
    assert annual_quantile([*flowing, 0.0, 0.0], 0.5) == fit.quantile(0.5)


def test_at_the_share_of_dry_years_the_low_flow_is_zero_and_not_the_lower_bound():
    fit = fit_log_pearson([1.0, 1.1, 1.2, 1.3, 9.0, 0.0])
    assert fit.lower_bound > 0.5
    assert fit.quantile(1 / 6) == 0.0
    assert fit.quantile(1 / 6 + 1e-6) > 0.5


def test_a_stream_that_is_dry_every_year_has_a_low_flow_of_zero():
    assert annual_quantile([0.0] * 12, 0.5) == 0.0
    assert annual_quantile([0.0] * 9 + [5.0], 0.1) == 0.0
    assert np.isnan(annual_quantile([0.0, 5.0, 4.0], 0.5))
    assert np.isnan(annual_quantile([], 0.5))


def test_equal_minima_are_their_own_quantile():
    fit = fit_log_pearson([4.9] * 12)
    assert (fit.sd, fit.skew) == (0, 0)
    assert fit.quantile(0.1) == pytest.approx(4.9)


@settings(deadline=None)
@given(st.lists(st.floats(0.01, 1e4), min_size=10, max_size=40))
def test_quantiles_rise_with_their_probability_and_respect_the_bound(minima):
    fit = fit_log_pearson(minima)
    found = np.array([fit.quantile(p) for p in (0.02, 0.1, 0.5, 0.9)])
    assert (np.diff(found) >= -1e-9 * found[1:]).all()
    assert fit.lower_bound is None or fit.lower_bound <= found[0] * (1 + 1e-9)


@settings(deadline=None)
@given(st.lists(st.floats(0.1, 1e3), min_size=10, max_size=20), st.floats(0.01, 100))
def test_a_change_of_unit_changes_nothing_else(minima, factor):
    scaled = fit_log_pearson([factor * one for one in minima]).quantile(0.1)
    assert scaled == pytest.approx(factor * fit_log_pearson(minima).quantile(0.1), rel=1e-5)


@pytest.mark.parametrize("minima", [[1.0, 2.0], [0.0, 0.0, 1.0, 2.0], [1.0, 2.0, np.nan, 3.0], [1.0, -2.0, 3.0, 4.0]])
def test_minima_that_cannot_be_fitted(minima):
    with pytest.raises(BadQuestion, match="minima"):
        fit_log_pearson(minima)
    with pytest.raises(BadQuestion, match="nonexceedance"):
        fit_log_pearson([1.0, 2.0, 4.0]).quantile(1.0)


# ---- intervals ----


def test_the_interval_of_the_raccoon_river(shared):
    """The project's own study found 34 to 52 cfs (90 %, bootstrap of 96 years)."""
    minima = raccoon(shared)["q7_cfs"].tolist()
    found = bootstrap_interval(minima, ten_q7, np.random.default_rng(1), replicates=2000)
    assert found.low == pytest.approx(34, abs=1.5)
    assert found.high == pytest.approx(52, abs=1.5)
    again = bootstrap_interval(minima, ten_q7, np.random.default_rng(1), replicates=2000)
    assert again == found


@pytest.mark.parametrize(("first", "last", "cfs"), [(1917, 1946, 26.7), (1947, 1976, 46.3), (1993, 2012, 125.5)])
def test_what_the_choice_of_period_does_to_the_raccoon_river(shared, first, last, cfs):
    table = raccoon(shared)
    length = last - first + 1
    some = table[table["climate_year_ending"].between(first, last)]
    assert annual_quantile(some["q7_cfs"], 0.1) == pytest.approx(cfs, abs=0.05)
    found = period_range(table["climate_year_ending"].tolist(), table["q7_cfs"].tolist(), ten_q7, length)
    assert found.low <= cfs + 0.05
    assert found.high >= cfs - 0.05
    assert found.periods == 96 - length + 1


@pytest.mark.parametrize(
    ("name", "ratios"),
    [
        ("wi_05427948_pheasant_branch.csv", [7.0, 6.6, 5.1, 3.6]),
        ("wi_05427930_dorn_creek.csv", [3.2, 2.9, 2.0, 1.6]),
    ],
)
def test_a_short_baseline_gives_any_q90(shared, name, ratios):
    """Highest over lowest Q90 of all periods of 1, 2, 3 and 5 calendar years, as in the project's methods."""
    record = gauge(shared, name)
    flow = pd.Series(record.flow, pd.DatetimeIndex(record.days)).groupby(record.days.astype("datetime64[Y]"))
    whole = {int(str(year)[:4]): group.to_numpy() for year, group in flow if len(group) >= 365}
    for length, ratio in zip((1, 2, 3, 5), ratios, strict=True):

        def q90(years):
            joined = np.concatenate(years)
            return np.nanquantile(joined, 0.1, method="weibull")

        found = period_range(list(whole), list(whole.values()), q90, length)
        assert found.high / found.low == pytest.approx(ratio, abs=0.11)


def test_a_period_does_not_span_a_lost_year():
    found = period_range([2001, 2002, 2004, 2005, 2006], [5.0, 7.0, 1.0, 3.0, 5.0], np.mean, 2)
    assert (found.low, found.high, found.periods) == (2, 6, 3)
    assert (found.lowest_from, found.highest_from) == (2004, 2001)
    assert period_range([2001, 2002], [5.0, 7.0], np.mean, 2) is None


def test_the_bootstrap_has_the_standard_error_of_a_mean():
    values = np.random.default_rng(3).normal(10, 2, 200)
    found = bootstrap(lambda rng: resample(values.tolist(), rng), np.mean, np.random.default_rng(4), 3000)
    assert found.shape == (3000, 1)
    assert found.std() == pytest.approx(values.std() / np.sqrt(200), rel=0.05)


def test_an_interval_is_made_of_its_quantiles_or_not_at_all():
    found = percentile_interval(np.arange(101.0), 0.9)
    assert (found.low, found.high, found.level, found.replicates) == (pytest.approx(5), pytest.approx(95), 0.9, 101)
    holes = np.arange(101.0)
    holes[:5] = np.nan
    assert percentile_interval(holes, 0.9).replicates == 96
    holes[:7] = np.nan
    assert percentile_interval(holes, 0.9) is None
    assert bootstrap_interval([1.0], np.mean, np.random.default_rng(1)) is None


def test_a_level_is_a_probability_and_one_replicate_is_none():
    with pytest.raises(BadQuestion, match="level"):
        percentile_interval([1.0, 2.0], 90)
    with pytest.raises(BadQuestion, match="replicates"):
        bootstrap(lambda rng: 1.0, lambda one: one, np.random.default_rng(1), 1)


# ---- August ----


def test_the_two_august_medians_of_two_creeks(shared):
    dorn = august_median(gauge(shared, "wi_05427930_dorn_creek.csv"))
    pheasant = august_median(gauge(shared, "wi_05427948_pheasant_branch.csv"))
    assert (dorn.pooled, dorn.of_years, dorn.years) == (6.36, 5.30, 11)
    assert (round(pheasant.pooled, 3), pheasant.of_years) == (3.325, 3.09)


def test_august_medians_by_hand():
    """31 days at 4, 31 at 6, and 10 known days at 1: the pool's middle of 72 is 4, that of the complete years 5."""
    span = days("2021-01-01", "2023-12-31")
    year = span.astype("datetime64[Y]").astype(int) + 1970
    flow = np.select([year == 2021, year == 2022, span <= np.datetime64("2023-08-10")], [4.0, 6.0, 1.0], np.nan)
    found = august_median(daily_record(span, flow))
    assert (found.pooled, found.of_years, found.days, found.years, found.incomplete) == (4, 5, 72, 2, (2023,))
    none = august_median(daily_record(days("2021-01-01", "2021-02-01"), np.ones(32)))
    assert (none.pooled, none.of_years, none.days) == (None, None, 0)


# ---- the summary of a gauge ----


def test_windsor_before_the_middle_of_its_record(shared):
    """7Q10 8.0, Q95 10.8, Q90 12.3, Q80 15.0 cfs, as in the project's methods."""
    record = gauge(shared, "wi_05427718_yahara_windsor.csv", before="2009-04-14")
    found = low_flow(record, np.random.default_rng(1), replicates=100)
    values = [round(getattr(found, name).value, 1) for name in ("q7_10", "q95", "q90", "q80")]
    assert values == [8.0, 10.8, 12.3, 15.0]
    for name in NAMES:
        one = getattr(found, name)
        assert one.interval.low <= one.value <= one.interval.high
        assert one.periods.low <= one.periods.high
        assert one.reason == ""
    assert found.q7_10.n == found.fit.n == 14
    assert any("14 complete years" in one for one in found.warnings)


def test_the_same_seed_gives_the_same_intervals():
    lows = [3.0, 4.0, 2.5, 5.0, 3.5, 4.5, 2.2, 3.8, 4.1, 2.9, 3.3]
    first, again = (low_flow(years_of(lows), np.random.default_rng(9), replicates=50) for _ in range(2))
    other = low_flow(years_of(lows), np.random.default_rng(10), replicates=50)
    assert first.q7_10 == again.q7_10
    assert first.q7_10.interval != other.q7_10.interval
    assert first.q7_10.value == pytest.approx(annual_quantile(lows, 0.1))
    assert first.q7_2.value == pytest.approx(annual_quantile(lows, 0.5))


def test_a_short_record_says_what_it_cannot_give():
    found = low_flow(years_of([3.0, 4.0]), np.random.default_rng(1), replicates=20)
    assert (found.q7_10.value, found.q7_10.n) == (None, 2)
    assert found.q7_10.reason == "2 complete climatic years; at least 10 are needed"
    # 40 of 730 days are low, 5.5 percent: Q90 is not among them.
    assert (found.q90.value, found.q90.interval) == (10.0, None)
    assert found.q90.reason == "no interval: 2 climatic years; at least 5 are needed"
    assert found.fit is None
    assert any("every verdict on this base flow is indeterminate" in one for one in found.warnings)


def test_a_broken_year_is_no_year_of_a_ten_year_period():
    """Forty days before eleven whole years: two periods of ten years, not three."""
    whole = years_of([3.0, 4.0, 2.5, 5.0, 3.5, 4.5, 2.2, 3.8, 4.1, 2.9, 3.3])
    before = np.arange(whole.days[0] - 40, whole.days[0])
    record = daily_record(np.concatenate([before, whole.days]), np.concatenate([np.full(40, 0.1), whole.flow]))
    found = low_flow(record, np.random.default_rng(1), replicates=20)
    assert (found.q90.periods.periods, found.q7_10.periods.periods) == (2, 2)
    assert found.q90.n == whole.flow.size + 40


def test_a_record_without_a_known_day_gives_nothing():
    found = low_flow(daily_record(days("2020-04-01", "2021-03-31"), np.full(365, np.nan)), np.random.default_rng(1))
    assert {getattr(found, name).value for name in NAMES} == {None}
    assert found.q50.reason == "too few known days"


def test_a_stream_that_runs_dry():
    lows = [0.0, 0.0, 3.0, 2.5, 5.0, 3.5, 4.5, 2.2, 3.8, 4.1, 2.9, 3.3]
    found = low_flow(years_of(lows), np.random.default_rng(1), replicates=50)
    assert found.q7_10.value == 0.0
    assert found.q7_2.value == pytest.approx(annual_quantile(lows, 0.5))
    assert found.q7_2.value > 2
    assert any("years with 7 days without flow: 2" in one for one in found.warnings)
    assert found.summary.zero_days == 40


def test_backwater_is_counted_and_takes_its_year_out(shared):
    found = low_flow(gauge(shared, "wi_05427850_yahara_hwy113.csv"), np.random.default_rng(1), replicates=20)
    assert (found.summary.reverse_days, found.summary.minimum) == (10, -40.7)
    assert any("reverse flow, taken as unknown: 10" in one for one in found.warnings)
    assert 2013 in {one.year for one in found.minima.excluded}
    assert found.q95.value > 0
    # Fewer than ten complete years in a row: no ten-year period of Q7,10 to compare.
    assert found.q7_10.periods is None
    assert found.q90.periods is not None


def test_an_extended_record_brings_in_dry_years(shared):
    """Dorn Creek, 11 years, from Windsor's 28: the low flows of 2003-2012 come in."""
    site, index = gauge(shared, "wi_05427930_dorn_creek.csv"), gauge(shared, "wi_05427718_yahara_windsor.csv")
    alone = low_flow(site, np.random.default_rng(1), replicates=60)
    found = low_flow(site, np.random.default_rng(1), index=index, replicates=60)
    assert found.estimated_days == int(found.extension.estimated.sum()) > 6000
    assert (str(found.first_day), found.q7_10.n, alone.q7_10.n) == ("1995-01-01", 28, 10)
    assert found.q7_10.value < alone.q7_10.value
    assert found.q7_10.interval.low < found.q7_10.value < found.q7_10.interval.high
    assert any("extrapolate the line" in one for one in found.warnings)


def test_a_one_year_study_is_extended_with_its_doubt():
    """Site and index agree but for noise that lasts a month; one year of study still has an interval."""
    rng = np.random.default_rng(6)
    span = days("2000-04-01", "2012-03-31")
    season = np.cos(2 * np.pi * np.arange(span.size) / 365.25)
    index = daily_record(
        span, 20 * np.exp(0.6 * season + 0.1 * np.repeat(rng.normal(size=span.size // 30 + 1), 30)[: span.size])
    )
    noise = np.repeat(rng.normal(0, 0.2, span.size // 30 + 1), 30)[: span.size]
    study = span >= np.datetime64("2011-04-01")
    site = daily_record(span[study], (0.3 * index.flow * np.exp(noise))[study])
    found = low_flow(site, np.random.default_rng(1), index=index, replicates=60)
    assert found.q7_10.n == 12
    assert found.q90.value == pytest.approx(0.3 * np.quantile(index.flow, 0.1), rel=0.2)
    certain = low_flow(found.extension.record, np.random.default_rng(1), replicates=60)
    # Drawing years of the extended record alone takes the line for certain.
    wide, narrow = (np.log(one.q90.interval.high / one.q90.interval.low) for one in (found, certain))
    assert wide > 1.5 * narrow


@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(0, 9), min_size=10, max_size=14))
def test_the_statistics_are_ordered(lows):
    found = low_flow(years_of(lows), np.random.default_rng(1), replicates=5)
    assert found.q95.value <= found.q90.value <= found.q80.value <= found.q50.value
    assert found.q7_10.value is None or found.q7_10.value <= found.q7_2.value * (1 + 1e-9)


# ---- by month ----


def test_monthly_statistics_have_a_value_and_an_interval_each():
    lows = [3.0, 4.0, 2.5, 5.0, 3.5, 4.5]
    found = monthly_statistics(years_of(lows), 0.5, np.random.default_rng(1), replicates=100)
    assert len(found) == 12
    # September has 20 low days of 30: its median lies among the lows, with all other months at 10.
    assert [one.value for one in found[:8]] == [10.0] * 8
    assert 2.5 <= found[8].interval.low <= found[8].value <= found[8].interval.high <= 5
    assert (found[8].n, found[8].counted, found[8].reason) == (180, "days", "")
    few = monthly_statistics(years_of(lows[:2]), 0.5, np.random.default_rng(1), replicates=10)
    assert (few[0].value, few[0].interval) == (10.0, None)
    assert few[0].reason == "no interval: 2 years; at least 5 are needed"
    nothing = daily_record(days("2020-04-01", "2020-06-30"), np.full(91, np.nan))
    assert {one.reason for one in monthly_statistics(nothing, 0.5, np.random.default_rng(1))} == {"too few known days"}


# ---- the natural trigger rate ----


def test_the_rate_of_a_record_made_by_hand():
    """Six years; in three of them 20 days at 3 cfs, below 5: three triggers in 2191 known days."""
    record = years_of([3.0, 6.0, 3.0, 6.0, 3.0, 6.0])
    found = baseline_rate(record, Threshold.constant(Decimal(5)), np.random.default_rng(1), replicates=200)
    assert (found.rate.triggers, found.rate.years) == (3, Decimal("6.00"))
    assert found.rate.per_year == pytest.approx(3 * 365.25 / 2191)
    assert (found.years_with_trigger, found.climatic_years, found.estimated_days) == (3, 6, 0)
    assert 0 <= found.interval.low < found.rate.per_year < found.interval.high <= 1.01


def test_a_rate_from_few_years_has_no_interval():
    found = baseline_rate(years_of([3.0, 3.0]), Threshold.constant(Decimal(5)), np.random.default_rng(1))
    assert (found.rate.triggers, found.interval) == (2, None)


def test_estimates_are_judged_at_the_precision_of_a_record():
    """4.996 cfs: as measured it is below 5.00, as an estimate it prints as 5.00 and is not."""
    record = years_of([4.996, 6.0])
    threshold = Threshold.constant(Decimal("5.00"))
    measured = baseline_rate(record, threshold, np.random.default_rng(1))
    estimated = baseline_rate(record, threshold, np.random.default_rng(1), estimated=np.ones(record.flow.size, bool))
    assert (measured.rate.triggers, estimated.rate.triggers) == (1, 0)
    assert estimated.estimated_days == record.flow.size
    with pytest.raises(BadQuestion, match="estimated"):
        baseline_rate(record, threshold, np.random.default_rng(1), estimated=[True])


def test_windsor_meets_the_rule_at_q90_twice_a_year(shared):
    """The project's study: 1.3 to 2.2 triggers a year at Q90, in 40 to 57 % of years, over the four gauges."""
    record = gauge(shared, "wi_05427718_yahara_windsor.csv", before="2009-04-14")
    found = baseline_rate(record, Threshold.constant(Decimal("12.3")), np.random.default_rng(1))
    assert 1.3 <= found.rate.per_year <= 2.25
    assert 0.35 <= found.years_with_trigger / found.climatic_years <= 0.57
    assert found.interval.low < found.rate.per_year < found.interval.high
