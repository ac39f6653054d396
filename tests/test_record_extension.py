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
    assert np.isnan(found.record.flow[1])
    kept = ~found.estimated & np.isfinite(found.record.flow)
    assert found.record.flow[kept].tolist() == flow[np.isfinite(flow)].tolist()
    # The concurrent index ran from 20.6 to 40: the flood and the days before the study lie beyond it.
    assert found.outside.sum() == 7
    assert "7 of 8 estimated days extrapolate the line" in found.warnings


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
