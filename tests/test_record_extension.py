"""MOVE.1: its closed form, what it keeps, what it refuses, and the extended record."""

import math
import statistics

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.streamflow.daily_record import daily_record
from models.streamflow.low_flow import low_flow
from models.streamflow.monthly_low_flow import monthly_statistics
from models.streamflow.record_extension import extend, fit_move1

SITE = [5.0, 6.2, 4.1, 8.8, 12.0, 3.3, 2.9, 7.5, 6.0, 4.4, 5.1]
INDEX = [21.0, 30.0, 18.0, 29.0, 66.0, 15.0, 11.0, 40.0, 22.0, 20.0, 19.0]


def gauge(shared, name):
    frame = pd.read_csv(shared / "baseflow" / "data" / name, parse_dates=["date"])
    return daily_record(frame["date"].to_numpy(), frame["q"].to_numpy())


def test_the_closed_form():
    """ln y = my + (sy / sx)(ln x - mx), by the standard library."""
    ln_y, ln_x = [math.log(y) for y in SITE], [math.log(x) for x in INDEX]
    slope = statistics.stdev(ln_y) / statistics.stdev(ln_x)
    expected = math.exp(statistics.mean(ln_y) + slope * (math.log(25.0) - statistics.mean(ln_x)))
    line = fit_move1(SITE, INDEX)
    assert float(line.estimate(25.0)) == pytest.approx(expected, rel=1e-12)
    assert line.correlation == pytest.approx(statistics.correlation(ln_y, ln_x), rel=1e-12)
    assert (line.n, line.index_low, line.index_high) == (11, 11, 66)


def test_mean_and_variance_are_kept_where_a_regression_would_shrink_them():
    line = fit_move1(SITE, INDEX)
    found = np.log(line.estimate(INDEX))
    assert found.mean() == pytest.approx(np.log(SITE).mean(), rel=1e-12)
    assert found.std(ddof=1) == pytest.approx(np.log(SITE).std(ddof=1), rel=1e-12)
    residual = np.log(SITE) - found
    assert line.standard_error == pytest.approx(residual.std(ddof=1), rel=1e-9)


def test_the_line_is_the_same_both_ways():
    there, back = fit_move1(SITE, INDEX), fit_move1(INDEX, SITE)
    assert back.estimate(there.estimate([12.0, 33.0])) == pytest.approx([12.0, 33.0], rel=1e-12)


@settings(deadline=None)
@given(st.floats(0.2, 3), st.floats(0.01, 10))
def test_a_power_law_is_found_exactly(power, factor):
    index = np.geomspace(2, 80, 25)
    line = fit_move1(factor * index**power, index)
    assert line.estimate([1.0, 40.0]) == pytest.approx([factor, factor * 40**power], rel=1e-9)
    assert line.correlation == pytest.approx(1.0)
    assert line.standard_error < 1e-6


@settings(deadline=None)
@given(st.permutations(range(11)))
def test_the_order_of_the_days_does_not_matter(order):
    mixed = fit_move1([SITE[k] for k in order], [INDEX[k] for k in order])
    assert float(mixed.estimate(20.0)) == pytest.approx(float(fit_move1(SITE, INDEX).estimate(20.0)), rel=1e-12)


def test_days_without_flow_are_left_out_and_counted():
    line = fit_move1([*SITE, 0.0, np.nan, 3.0, -2.0], [*INDEX, 12.0, 12.0, 0.0, 12.0])
    assert (line.n, line.without_flow) == (11, 2)
    assert float(line.estimate(25.0)) == float(fit_move1(SITE, INDEX).estimate(25.0))
    assert np.isnan(line.estimate([0.0, -1.0, np.nan])).all()
    assert any("without flow" in one for one in line.warnings)


@pytest.mark.parametrize(
    ("site", "index", "words"),
    [
        (SITE[:9], INDEX[:9], "too few concurrent days"),
        (SITE, INDEX[:10], "differ in length"),
        ([5.0] * 11, INDEX, "does not vary"),
        (SITE, [1 / x for x in INDEX], "rise and fall together"),
    ],
)
def test_a_gauge_that_cannot_serve_is_refused(site, index, words):
    with pytest.raises(BadQuestion, match=words):
        fit_move1(site, index)


def test_a_poor_index_gauge_is_told():
    rng = np.random.default_rng(4)
    x, other = rng.normal(0, 1, (2, 800))
    poor = fit_move1(np.exp(0.5 * x + 0.9 * other), np.exp(x))
    assert poor.correlation < 0.8
    assert any("below 0.80" in one for one in poor.warnings)
    good = fit_move1(np.exp(x + 0.1 * other), np.exp(x))
    assert good.warnings == ()
    assert any("less than a year" in one for one in fit_move1(SITE, INDEX).warnings)


# ---- the extended record ----


def test_a_record_is_filled_and_carried_back():
    """Index 20 days, site the last 12 of them with a hole; measured days stay as measured."""
    index = daily_record(np.arange(100, 120), np.r_[500.0, 0.0, np.linspace(10, 40, 18)])
    flow = 0.5 * index.flow[8:]
    flow[3] = np.nan
    found = extend(daily_record(np.arange(108, 120), flow), index)
    assert (found.record.days[0], found.record.days.size) == (np.datetime64(100, "D"), 20)
    assert found.estimated.tolist() == [True, False, *[True] * 6, *[False] * 3, True, *[False] * 8]
    assert found.record.flow[found.estimated] == pytest.approx(0.5 * index.flow[found.estimated], rel=1e-9)
    assert np.isnan(found.known.flow[1]), "the index gauge was dry"
    assert found.dry.tolist() == [False, True, *[False] * 18]
    kept = ~found.estimated & np.isfinite(found.known.flow)
    assert found.record.flow[kept].tolist() == flow[np.isfinite(flow)].tolist()
    # The concurrent index ran from 20.6 to 40: the flood and the days before the study lie beyond it.
    assert found.outside.sum() == 7
    assert "7 of 8 estimated days extrapolate the line" in found.warnings
    # Half of the least index flow, 10; the dry day is at or below that.
    assert found.record.limit == pytest.approx(5.0)
    assert any(
        "no flow on 1 days to be estimated: they are only known to be at or below 5 cfs" in w for w in found.warnings
    )


def test_reverse_flow_at_the_site_is_known_and_stays():
    index = daily_record(np.arange(15), np.linspace(10, 40, 15))
    flow = 2 * index.flow
    flow[4] = -1.0
    found = extend(daily_record(np.arange(15), flow), index)
    assert found.record.flow[4] == -1.0
    assert not found.estimated.any()


def test_an_index_record_may_lie_inside_the_sites():
    index = daily_record(np.arange(10, 30), np.linspace(10, 40, 20))
    site = daily_record(np.arange(0, 40), np.linspace(1, 9, 40))
    found = extend(site, index)
    assert found.record.flow.tolist() == site.flow.tolist()


def test_dorn_creek_from_windsor_in_the_years_it_was_not_fitted_to(shared):
    """Extended from four years only, the seven others come out with the right spread, if not day by day."""
    site, index = gauge(shared, "wi_05427930_dorn_creek.csv"), gauge(shared, "wi_05427718_yahara_windsor.csv")
    late = site.days >= np.datetime64("2019-07-25")
    found = extend(daily_record(site.days[late], site.flow[late]), index)
    early = np.isin(found.record.days, site.days[~late])
    estimated, measured = found.record.flow[early], site.flow[~late]
    assert found.estimated[early].all()
    assert 0.6 < found.line.correlation < 0.95
    spread = np.nanstd(np.log(estimated)) / np.nanstd(np.log(measured))
    assert spread == pytest.approx(1, abs=0.25)


# ---- an index gauge that runs dry ----


def years_with_a_dry_index(dry_days):
    """Twelve years of an index flow from 10 down to 1 each, then dry; the site, half of it, is measured in the last."""
    year = np.r_[np.linspace(10, 1, 365 - dry_days), np.zeros(dry_days)]
    index = daily_record(
        np.arange(np.datetime64("2005-04-01"), np.datetime64("2005-04-01") + 365 * 12), np.tile(year, 12)
    )
    site = daily_record(index.days[-365:], np.where(year > 0, 0.5 * year, 0.2))
    return site, index


@pytest.mark.parametrize("dry_days", [20, 73])
def test_dry_days_of_the_index_keep_their_rank_and_a_low_flow_among_them_is_not_given(dry_days):
    """Dry on 5 or 20 percent of days: of the days with flow alone Q90 would be too high, and here none is lower."""
    site, index = years_with_a_dry_index(dry_days)
    found = low_flow(site, np.random.default_rng(1), index=index, replicates=20)
    assert int(found.extension.dry.sum()) == 11 * dry_days
    assert found.extension.record.limit == pytest.approx(0.5, rel=0.01)
    days = np.sort(np.tile(np.r_[0.5 * np.linspace(10, 1, 365 - dry_days), np.zeros(dry_days)], 12))
    assert found.q50.value == pytest.approx(float(np.quantile(days, 0.5)), rel=0.01)
    assert (found.q7_10.value, found.q7_2.value, found.fit) == (None, None, None)
    assert "dry" in found.q7_10.reason
    if dry_days == 20:
        assert found.q90.value == pytest.approx(float(np.quantile(days, 0.1)), rel=0.02)
    else:
        assert found.q90.value is None
        assert "only known to be at or below 0.5 cfs" in found.q90.reason
    n = 11 * dry_days
    said = f"unknown days: 0 of the gauge's own record, {n} after extension, {n} of them with a dry"
    assert any(said in one for one in found.warnings)


def test_a_monthly_low_flow_among_dry_days_of_the_index_is_not_given():
    site, index = years_with_a_dry_index(73)
    whole = extend(site, index).record
    months = monthly_statistics(whole, 0.9, np.random.default_rng(1), replicates=20)
    assert [one.value is None for one in months] == [month in (1, 2, 3) for month in range(1, 13)]
    assert "dry" in months[1].reason


def test_what_was_measured_while_the_index_was_dry_bounds_those_days():
    site, index = years_with_a_dry_index(20)
    high = daily_record(site.days, np.where(site.flow == 0.2, 0.9, site.flow))
    assert extend(high, index).record.limit == 0.9


def test_one_dry_day_of_the_index_leaves_its_year_without_a_lowest_week():
    """The day stands at 0 for its rank only: a mean over it would be a made-up number, above the limit or not."""
    site, index = years_with_a_dry_index(0)
    flow = index.flow.copy()
    flow[360] = 0.0
    found = low_flow(site, np.random.default_rng(1), index=daily_record(index.days, flow), replicates=20)
    assert (found.q7_10.value, found.q7_2.value, found.fit) == (None, None, None)
    assert "the index gauge was dry" in found.q7_2.reason
    assert found.q95.value is not None
