"""Recharge as its departure from the mean: worked by hand, and what it does to the levels of a model."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.modflow.build import Choices, instants_of, pair_of
from models.modflow.recharge import Precipitation, departures, mean_rate, rates_by_period, recharge_of
from models.scenario.noun import Scenario, day_number
from tests.mf6_runs import confined, outcome, point, well

BEGINS = day_number(date(2025, 1, 1))


def record(amounts: list[float], begins: float = BEGINS) -> Precipitation:
    return Precipitation(begins + np.arange(float(len(amounts))), np.array(amounts), "NOAA")


def test_a_period_s_mean_is_its_depth_over_its_days() -> None:
    """By hand: 3 mm in the first three days; half of the fourth day's 4 mm and the fifth day's 1 mm in the next 1.5."""
    rates = rates_by_period(record([0.001, 0.0, 0.002, 0.004, 0.001]), [BEGINS, BEGINS + 3, BEGINS + 3.5, BEGINS + 5])
    assert rates == pytest.approx([0.001, 0.004, 0.002])


def test_a_day_that_is_not_known_is_no_dry_day() -> None:
    nan = np.nan
    ten = [0.001] * 8 + [nan, nan]
    rates = rates_by_period(record([*ten, *[0.001] * 7, nan, nan, nan]), [BEGINS, BEGINS + 10, BEGINS + 20])
    assert rates[0] == pytest.approx(0.001)
    assert np.isnan(rates[1])
    assert np.isnan(rates_by_period(record([0.001] * 5), [BEGINS + 10, BEGINS + 20])).all()


@given(st.lists(st.floats(0, 0.05), min_size=40, max_size=80), st.lists(st.integers(1, 39), max_size=5, unique=True))
def test_no_depth_is_lost_between_periods(amounts: list[float], cuts: list[int]) -> None:
    edges = [BEGINS, *(BEGINS + one for one in sorted(cuts)), BEGINS + len(amounts)]
    depth = rates_by_period(record(amounts), edges) @ np.diff(edges)
    assert float(depth) == pytest.approx(sum(amounts), rel=1e-9, abs=1e-12)


def test_the_mean_does_not_lean_to_the_season_that_is_known_twice() -> None:
    """A year and a half: 1 mm a day from January to June, 3 mm from July to December, and January to June again."""
    days = [date.fromordinal(date(2025, 1, 1).toordinal() + k) for k in range(546)]
    mean = mean_rate(record([0.001 if day.month <= 6 else 0.003 for day in days]))
    assert mean == pytest.approx(0.002, rel=0.01)


def test_a_mean_needs_a_year_and_some_rain() -> None:
    with pytest.raises(BadQuestion, match="too short a record"):
        mean_rate(record([0.001] * 364))
    with pytest.raises(BadQuestion, match="no precipitation"):
        mean_rate(record([0.0] * 400))


def test_a_departure_is_the_share_of_what_fell_beside_the_mean() -> None:
    """By hand: 200 of 800 mm a year recharge, a quarter; 1 mm a day above the mean is 0.25 mm."""
    mean, recharge = 0.8 / 365.25, 0.2 / 365.25
    found = departures(np.array([mean + 0.001, 0.0, np.nan, mean]), mean, recharge)
    assert found == pytest.approx([0.00025, -recharge, 0.0, 0.0])


def scenario(kind: str = "metered", **recharge: str) -> Scenario:
    aquifer = {"transmissivity": "400 m2/d", "storativity": "0.1", "thickness": "40 m", **recharge}
    places = [point("P", 300, 0)]
    return confined(kind=kind, aquifer=aquifer, well=[well("W", 0, 0, "1 m3/d")], point=places)


MEAN, DRY = {"recharge": "200 mm/yr"}, {"recharge": "200 mm/yr", "dry_year_recharge": "80 mm/yr"}


def test_a_dry_year_lasts_as_long_as_the_maximum_scenario() -> None:
    found, said = recharge_of(scenario("maximum", **DRY), [0.0, 31, 59, 90], None)
    assert found == pytest.approx([-0.12 / 365.2425] * 3, rel=1e-3)
    assert "80 mm/yr" in said[0]


def test_what_is_not_stated_stays_the_mean_and_is_said() -> None:
    for asked, words in (
        (scenario(), "no recharge is stated"),
        (scenario(**MEAN), "no record of precipitation"),
        (scenario("maximum", **MEAN), "no dry year's recharge"),
    ):
        found, said = recharge_of(asked, [0.0, 31.0], None)
        assert found is None
        assert words in said[0]


def test_a_wet_month_raises_the_water_table_by_what_fell_over_the_yield() -> None:
    """Far from every end: dh = departure x days / Sy, the same in both runs, so that no drawdown comes of it."""
    months, asked = Choices(ends=BEGINS + 90, rhythm="monthly", growth=1.4, fine_m=10.0), scenario(**MEAN)
    year = [0.8 / 365.25] * 365
    wet = record([*year, *[0.004] * 31, *[0.0] * 28, *[0.0] * 31], BEGINS - 365)
    edges = instants_of(asked, months)
    found, said = recharge_of(asked, edges, wet)
    assert found is not None
    assert "26%" in said[0]
    pair = pair_of(asked, Choices(BEGINS + 90, "monthly", growth=1.4, fine_m=10.0, recharge=found))
    stressed, baseline = outcome(pair.stressed), outcome(pair.baseline)
    rise = float(np.dot(found, np.diff(edges)) / 0.1)
    assert baseline.hydrographs["P"][-1] == pytest.approx(rise, abs=0.002)
    assert abs(rise) > 0.05
    drawn = baseline.hydrographs["P"] - stressed.hydrographs["P"]
    assert np.abs(drawn).max() < 0.001
