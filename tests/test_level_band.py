"""The season's band, the extended record and the index well's prediction, against plain numpy and print."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import linregress, t

from ingest.owner_log import EVENTS
from models.checks.level_band import IndexRecord, WaterTable, water_table
from models.checks.level_band_index import fit_index_line
from models.checks.water_level_readings import OWNER_SAYS
from models.errors import BadQuestion
from models.policy import default_policy
from models.streamflow.record_extension import fit_linear_move1
from models.streamflow.stage_reference import Daily

POLICY = default_policy()
FIRST, BEGAN = date(2010, 1, 1), date(2024, 1, 1)


def record(depths: dict[date, float]) -> IndexRecord:
    return IndexRecord("IW", depths, Daily.of({day: one for day, one in depths.items() if day < BEGAN}), POLICY)


def daily(seed: int) -> dict[date, float]:
    """A season of 2 ft, a year's own level, and scatter [ft]."""
    draw = np.random.default_rng(seed)
    years = draw.normal(0, 1, 20)
    days = [FIRST + timedelta(days=k) for k in range((BEGAN - FIRST).days + 200)]
    noise = draw.normal(0, 0.2, len(days))
    return {
        day: 30 + years[day.year - 2010] + 2 * np.cos(day.timetuple().tm_yday / 58.1) + noise[k]
        for k, day in enumerate(days)
    }


def by_season(depths: dict[date, float], month: int, day: int, half: int = 15) -> list[float]:
    """Depths before mining within a half width of a calendar day, each year's own, by counting days."""
    found: list[float] = []
    for year in range(2009, 2026):
        centre = date(year, month, day)
        found += [one for on, one in depths.items() if on < BEGAN and abs((on - centre).days) <= half]
    return found


def weibull(values: list[float], share: float) -> float:
    """Rank share (n + 1) from 1, linear between."""
    ordered, rank = sorted(values), share * (len(values) + 1)
    low = int(rank)
    return ordered[low - 1] + (rank - low) * (ordered[low] - ordered[low - 1])


# MOVE.1 in feet.


def test_move1_by_hand() -> None:
    """x 1, 2, 3, 4, 5 and y 2, 1, 4, 3, 5 twice: equal spread, so that the slope is 1 and the line y = x; r = 0.8."""
    x, y = [1.0, 2, 3, 4, 5] * 2, [2.0, 1, 4, 3, 5] * 2
    line = fit_linear_move1(y, x)
    assert line.correlation == pytest.approx(0.8)
    assert line.estimate([10.0, np.nan])[0] == pytest.approx(10.0)
    assert np.isnan(line.estimate([10.0, np.nan])[1])
    assert line.standard_error**2 == pytest.approx(20 / 9 * 2 * 0.2)
    assert (line.n, line.index_low, line.index_high) == (10, 1.0, 5.0)


def test_it_keeps_mean_and_spread_where_a_regression_flattens() -> None:
    draw = np.random.default_rng(3)
    x = draw.normal(30, 2, 200)
    y = 0.5 * x + draw.normal(0, 0.8, 200)
    guess = fit_linear_move1(y, x).estimate(x)
    assert (guess.mean(), guess.std()) == pytest.approx((y.mean(), y.std()))
    assert np.polyval(np.polyfit(x, y, 1), x).std() < 0.9 * y.std()


def test_unknown_days_are_left_out_and_levels_below_zero_are_levels() -> None:
    x, y = np.arange(-6.0, 7), np.arange(-6.0, 7) * 2
    x[0] = y[1] = np.nan
    assert fit_linear_move1(y, x).n == 11
    assert fit_linear_move1(y, x).estimate(-3.0) == pytest.approx(-6.0)


@pytest.mark.parametrize(
    ("site", "index", "words"),
    [
        ([1.0] * 12, [2.0] * 11, "differ in length"),
        (list(range(9)), list(range(9)), "too few"),
        ([1.0] * 12, list(range(12)), "does not vary"),
        (list(range(12)), list(range(12, 0, -1)), "rise and fall together"),
    ],
)
def test_no_line_of_records_that_do_not_go_together(site: list[float], index: list[float], words: str) -> None:
    with pytest.raises(BadQuestion, match=words):
        fit_linear_move1(site, index)


# The prediction of one day.


def test_the_interval_is_the_regression_s_own_where_days_are_independent() -> None:
    """Residuals that alternate follow no one: the textbook interval with n - 2 degrees of freedom."""
    x = np.arange(20.0)
    y = 5 + 0.7 * x + np.where(np.arange(20) % 2, 0.3, -0.3)
    line = fit_index_line(np.arange(20.0), y, x, 0.02)
    fit = linregress(x, y)
    left = y - fit.intercept - fit.slope * x
    s = np.sqrt((left**2).sum() / 18)
    half = t.ppf(0.975, 18) * s * np.sqrt(1 + 1 / 20 + (12.5 - x.mean()) ** 2 / ((x - x.mean()) ** 2).sum())
    found = line.predict(12.5, 0.95)
    assert line.effective == 20
    assert found.best_ft == pytest.approx(fit.intercept + fit.slope * 12.5)
    assert found.high_ft - found.best_ft == pytest.approx(half, rel=0.003)  # sx by n - 1 here, by n there
    assert found.best_ft - found.low_ft == pytest.approx(half, rel=0.003)
    assert not found.beyond
    assert line.predict(19.01, 0.95).beyond
    assert not line.predict(19.0, 0.95).beyond


def test_days_that_follow_one_another_are_fewer_and_the_interval_wider() -> None:
    """Residuals in blocks of five: about p = 0.8, nine times fewer days."""
    x = np.tile([0.0, 1, 2, 3, 4], 12)
    blocks = np.repeat(np.where(np.arange(12) % 2, 0.3, -0.3), 5)
    line = fit_index_line(np.arange(60.0), 10 + x + blocks, x, 0.02)
    follows = (60 - 1 - 11 * 2) / 60  # 48 pairs alike, 11 unlike
    assert line.effective == pytest.approx(60 * (1 - follows) / (1 + follows))
    assert line.residual_sd**2 == pytest.approx(0.09 * line.effective / (line.effective - 2))


def test_the_interval_holds_the_share_it_states() -> None:
    draw, inside = np.random.default_rng(11), 0
    for _ in range(2000):
        x = draw.normal(30, 1.5, 24)
        y = 12 + 0.8 * (x - 30) + draw.normal(0, 0.3, 24)
        new = draw.normal(30, 1.5)
        found = fit_index_line(np.arange(24.0), y, x, 0.0).predict(new, 0.95)
        inside += found.low_ft <= 12 + 0.8 * (new - 30) + draw.normal(0, 0.3) <= found.high_ft
    assert inside / 2000 == pytest.approx(0.95, abs=0.02)


# The band.


@pytest.mark.parametrize(("month", "day"), [(8, 2), (1, 3), (12, 30), (3, 10)])
def test_the_band_is_that_of_the_extended_record(month: int, day: int) -> None:
    index = daily(1)
    read = {on: 0.8 * one - 12 for on, one in index.items() if on.day == 15 and date(2022, 6, 1) < on < BEGAN}
    draw = np.random.default_rng(5)
    read = {on: one + draw.normal(0, 0.15) for on, one in read.items()}
    x, y = np.array([index[on] for on in read]), np.array(list(read.values()))
    slope = y.std() / x.std()
    extended = {on: y.mean() + slope * (one - x.mean()) for on, one in index.items() if on < BEGAN} | read
    like = by_season(extended, month, day)
    table = water_table("W", list(read.items()), record(index), POLICY)
    found = table.season(date(2024, month, day))
    assert found is not None
    assert found.low_water_ft == pytest.approx(weibull(like, 0.9), abs=0.0051)
    assert found.high_water_ft == pytest.approx(weibull(like, 0.1), abs=0.0051)
    assert found.n == len(like)
    assert table.limit_ft(date(2024, month, day)) == pytest.approx(found.low_water_ft + 0.02)


def test_nothing_of_the_time_since_mining_began_is_in_the_band() -> None:
    index = daily(2)
    read = [(on, one - 20) for on, one in index.items() if on.day == 15 and on < BEGAN]
    drawn = {on: one + 50 * (on >= BEGAN) for on, one in index.items()}
    day = date(2024, 1, 2)
    assert water_table("W", read, record(drawn), POLICY).season(day) == water_table(
        "W", read, record(index), POLICY
    ).season(day)


def test_the_29th_of_february_has_a_season_every_year() -> None:
    index = daily(4)
    read = [(on, one - 20) for on, one in index.items() if on.day == 15 and on < BEGAN]
    found = water_table("W", read, record(index), POLICY).season(date(2024, 2, 29))
    assert found is not None
    assert found.years == 14


def orthogonal(r: float, n: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Two records whose correlation is r."""
    x = np.arange(n) - (n - 1) / 2
    z = np.where(np.arange(n) % 4 < 2, 1.0, -1.0)
    z = z - z.mean() - x * (z @ x) / (x @ x)
    return x, r * x / np.linalg.norm(x) + np.sqrt(1 - r * r) * z / np.linalg.norm(z)


def tied(x: np.ndarray, y: np.ndarray, apart: int = 30) -> WaterTable:
    days = [date(2020, 1, 1) + timedelta(days=apart * k) for k in range(x.size)]
    index = dict(zip(days, (30 + x).tolist(), strict=True))
    return water_table("W", list(zip(days, (10 + y).tolist(), strict=True)), record(index), POLICY)


@pytest.mark.parametrize(("r", "holds"), [(0.80, True), (0.7999, False), (0.8001, True)])
def test_the_correlation_a_line_needs(r: float, holds: bool) -> None:
    table = tied(*orthogonal(r))
    assert (table.line is not None) == holds
    assert holds or "correlation 0.800 with index well IW is under 0.80" in table.lack


@pytest.mark.parametrize(("apart", "holds"), [(25, True), (24, False)])
def test_the_time_concurrent_days_span(apart: int, holds: bool) -> None:
    """Thirteen readings: 300 days, and 288."""
    x = np.arange(13.0)
    table = tied(x, x, apart)
    assert (table.line is not None) == holds
    assert holds or "span 288, needs 300 d" in table.lack


@given(seed=st.integers(0, 1000), month=st.integers(1, 12))
@settings(max_examples=25, deadline=None)
def test_deeper_is_never_less_of_a_drop(seed: int, month: int) -> None:
    index = daily(seed)
    read = [(on, one - 20) for on, one in index.items() if on.day == 15 and on < BEGAN]
    table, day = water_table("W", read, record(index), POLICY), date(2024, month, 5)
    rank = ["none", "unknown", "shared", "shown"]
    told = [rank.index(table.judge(day, depth).status) for depth in np.arange(5, 25, 0.05)]
    assert told == sorted(told)
    assert told[0] == 0
    assert (rank[told[-1]] == "shown") == (month <= 7), "the index record ends in July"


def test_a_record_of_the_well_s_own_has_a_band_and_no_drop_without_an_index_well() -> None:
    """Ten Julys at 11 to 20 ft: rank 0.9 x 11 = 9.9 is 19.90; the deepest and half a foot more 20.50."""
    winters = [(date(2010, 1, 15), 15.0), (date(2019, 12, 15), 15.0)]
    read = [(date(2010 + k, 7, 15), 20.0 - k) for k in range(10)] + winters
    table, day = water_table("W", read, None, POLICY), date(2024, 7, 15)
    found = table.season(day)
    assert found is not None
    assert (found.low_water_ft, found.years, found.measured) == (19.9, 10, 10)
    told = [table.judge(day, depth).status for depth in (19.92, 19.93, 20.50, 20.51)]
    assert told == ["none", "unknown", "unknown", "shown"]
    assert water_table("W", read[1:], None, POLICY).season(day) is None, "nine years"


def test_index_readings_are_joined_over_a_week_and_never_beyond_the_last() -> None:
    index = record({date(2024, 5, 1): 30.0, date(2024, 5, 8): 37.0, date(2024, 5, 16): 45.0})
    asked = [date(2024, 5, day) for day in (1, 4, 8, 9, 16, 17)] + [date(2024, 4, 30)]
    np.testing.assert_allclose(index.on(asked), [30, 33, 37, np.nan, 45, np.nan, np.nan])


def test_two_readings_of_a_day_are_one_level_and_the_deepest_of_all_is_told() -> None:
    day = date(2023, 5, 1)
    table = water_table("W", [(day, 10.0)], None, POLICY, [(day, 10.0), (day, 12.0)])
    assert (dict(table.measured), table.deepest_ft, table.n) == ({day: 10.0}, 12.0, 2)
    assert table.limit_ft(date(2024, 5, 1)) == pytest.approx(12.0 + float(Decimal("0.5")))


def test_an_owner_s_log_knows_the_words_of_a_failing_supply() -> None:
    assert (EVENTS["runs dry"], EVENTS["no water"], EVENTS["water restored"]) == (0.0, 0.0, 1.0)
    assert set(OWNER_SAYS) == set(EVENTS)
