"""Volumes by civil day: they add up exactly, are never below zero, and lie between bounds that truth obeys."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from models.logged_volumes import as_reported, from_rates, from_run_times
from models.metered_volumes import Interval
from models.pumped_water import RatedFlow
from models.pumping_days import apportioned, daily, midnight_ms, whole_gallons

CHICAGO = ZoneInfo("America/Chicago")
HOUR_MS = 3_600_000


def at(*when: int) -> int:
    return round(datetime(*when, tzinfo=CHICAGO).timestamp() * 1000)  # type: ignore[misc, arg-type]


def exact(volume: float) -> Fraction:
    return Fraction(Decimal(str(volume)))


def test_a_month_with_a_day_of_23_hours() -> None:
    """March 2024 in Chippewa County has 743 hours: 743,000 gallons are 1,000 in each, 23,000 on the tenth."""
    month = Interval(at(2024, 3, 1), at(2024, 4, 1), 743_000.0, "", "1:1")
    found = daily([month], CHICAGO, date(2024, 3, 1), date(2024, 3, 31))
    assert found.volume_gal == tuple(Fraction(23_000 if day == 10 else 24_000) for day in range(1, 32))
    assert found.length_ms[9] == 23 * HOUR_MS
    assert found.rate_gpd == (24_000.0,) * 31
    assert found.low_gal == (0.0,) * 31
    assert found.high_gal == (743_000.0,) * 31


def test_february_of_a_leap_year_and_the_long_day_of_november() -> None:
    february = Interval(at(2024, 2, 1), at(2024, 3, 1), 100.0, "", "1:1")
    found = daily([february], CHICAGO, date(2024, 2, 1), date(2024, 2, 29))
    assert set(found.volume_gal) == {Fraction(100, 29)}
    november = Interval(at(2024, 11, 1), at(2024, 12, 1), 721.0, "", "1:2")
    found = daily([november], CHICAGO, date(2024, 11, 1), date(2024, 11, 30))
    assert (found.days[2], found.volume_gal[2], found.volume_gal[3]) == (date(2024, 11, 3), 25, 24)


def test_a_pump_capacity_bounds_a_day() -> None:
    """100,000 gallons in ten days by a pump of 20,000 a day: at most 20,000 on one day, and nothing at least.

    190,000 leave 10,000 at least on each: the other nine days cannot have held more than 180,000.
    """
    ten = at(2024, 6, 1), at(2024, 6, 11)
    few = daily([Interval(*ten, 100_000.0, "", "1:1")], CHICAGO, date(2024, 6, 1), date(2024, 6, 10), Decimal(20_000))
    assert (set(few.low_gal), set(few.high_gal)) == ({0.0}, {20_000.0})
    much = daily([Interval(*ten, 190_000.0, "", "1:1")], CHICAGO, date(2024, 6, 1), date(2024, 6, 10), Decimal(20_000))
    assert (set(much.low_gal), set(much.high_gal), set(much.volume_gal)) == ({10_000.0}, {20_000.0}, {19_000})


def test_an_unknown_volume_is_not_metered_and_may_be_anything() -> None:
    hidden = Interval(at(2024, 6, 2), at(2024, 6, 3), None, "register fell", "1:2")
    known = Interval(at(2024, 6, 1), at(2024, 6, 2), 5.0, "", "1:1")
    found = daily([known, hidden], CHICAGO, date(2024, 6, 1), date(2024, 6, 2))
    assert found.metered_ms == (24 * HOUR_MS, 0)
    assert found.high_gal == (5.0, float("inf"))
    assert found.rate_gpd == (5.0, None)


def civil_days_of(found: list[Interval], zone: ZoneInfo) -> tuple[date, date]:
    """The first and the last civil day that a record touches."""
    first, last = found[0].start_ms, max(found[-1].end_ms - 1, found[0].start_ms)
    return datetime.fromtimestamp(first / 1000, zone).date(), datetime.fromtimestamp(last / 1000, zone).date()


@st.composite
def records(draw: st.DrawFn) -> list[Interval]:
    """Intervals one after the other, some apart, over clock changes and leap days; some volumes unknown."""
    when, found = at(2023, 1, 1) + draw(st.integers(0, 700 * 24 * 60)) * 60_000, []
    for number in range(draw(st.integers(1, 8))):
        length = draw(st.integers(1, 70 * 24 * 60)) * 60_000
        volume = draw(st.one_of(st.none(), st.decimals(0, 1_000_000, places=4).map(float)))
        found.append(Interval(when, when + length, volume, "", f"1:{number}"))
        when += length + draw(st.sampled_from([0, 0, 0, 86_400_000]))
    return found


@settings(max_examples=100, deadline=None)
@given(records())
def test_the_days_add_up_to_the_volumes_exactly_and_none_is_below_zero(found: list[Interval]) -> None:
    days = daily(found, CHICAGO, *civil_days_of(found, CHICAGO))
    assert sum(days.volume_gal) == sum(exact(one.volume_gal) for one in found if one.volume_gal is not None)
    assert min(days.volume_gal) >= 0
    for low, even, high in zip(days.low_gal, days.volume_gal, days.high_gal, strict=True):
        assert low - 1e-5 <= even <= high + 1e-5
    known = [one for one in found if one.volume_gal is not None]
    assert sum(days.metered_ms) == sum(one.end_ms - one.start_ms for one in known)
    assert all(0 <= metered <= length for metered, length in zip(days.metered_ms, days.length_ms, strict=True))


@settings(max_examples=60, deadline=None)
@given(records(), st.randoms(use_true_random=False))
def test_wherever_the_water_fell_it_lies_within_the_bounds(found: list[Interval], chance: Any) -> None:
    """Truth: the whole volume of each interval in one minute of it."""
    first, last = civil_days_of(found, CHICAGO)
    days, truth = daily(found, CHICAGO, first, last), dict[date, float]()
    for one in found:
        if one.volume_gal is not None:
            when = chance.randrange(one.start_ms, one.end_ms)
            day = datetime.fromtimestamp(when / 1000, CHICAGO).date()
            truth[day] = truth.get(day, 0.0) + one.volume_gal
    for day, low, high in zip(days.days, days.low_gal, days.high_gal, strict=True):
        assert low - 1e-4 <= truth.get(day, 0.0) <= high + 1e-4


@settings(max_examples=60, deadline=None)
@given(records())
def test_whole_gallons_of_months_add_up_to_the_rounded_year(found: list[Interval]) -> None:
    edges = [midnight_ms(CHICAGO, date(2023 + month // 12, month % 12 + 1, 1)) for month in range(49)]
    shares = apportioned(found, edges)
    assert sum(whole_gallons(shares)) == round(sum((one.volume_gal for one in shares), Fraction(0)))


def stored(time_ms: int, value: float, clock: str = "utc", parameter: str = "pumping_rate", id: str = "1:1") -> Any:
    day = datetime.fromtimestamp(time_ms / 1000, CHICAGO).date()
    return SimpleNamespace(time_ms=time_ms, value=value, clock=clock, parameter=parameter, day=day, row_id=id)


def test_rates_are_weighted_by_time_and_a_gap_is_not_metered() -> None:
    """300 gpm for 30 minutes, 300 to 0 over 10 (mean 150), a gap of three hours, 60 gpm for an hour."""
    start = at(2024, 6, 1, 8)
    minutes = [(0, 300.0), (30, 300.0), (40, 0.0), (220, 60.0), (280, 60.0)]
    rows = [stored(start + minute * 60_000, rate) for minute, rate in minutes]
    found = from_rates(rows[::-1], 60 * 60_000)
    assert [one.volume_gal for one in found] == [9000, 1500, None, 3600]
    assert found[2].note == "no rate logged for 3.0 h"
    assert sum(one.volume_gal or 0 for one in found) == 14_100


def test_a_rate_without_a_number_or_below_zero_is_no_volume() -> None:
    start = at(2024, 6, 1)
    rows = [stored(start + k * 60_000, rate) for k, rate in enumerate((1.0, float("nan"), 1.0, -1.0, 1.0))]
    assert [one.volume_gal for one in from_rates(rows, HOUR_MS)] == [None] * 4


def test_run_times_at_the_rated_flow_of_the_day() -> None:
    """6 h at 250 gpm are 90,000 gal; 2 h at 200 gpm 24,000; before any rating nobody knows; a day has no 25 h."""
    rated = [RatedFlow(since=date(2024, 6, 2), gpm=Decimal(250), source="test"),
             RatedFlow(since=date(2024, 6, 4), gpm=Decimal(200), source="test")]  # fmt: skip
    hours = {1: 6.0, 2: 6.0, 3: 25.0, 4: 2.0}
    rows = [stored(at(2024, 6, day), value, "day", "pump_run_time") for day, value in hours.items()]
    found = from_run_times(rows, rated, CHICAGO)
    assert [one.volume_gal for one in found] == [None, 90_000, None, 24_000]
    assert "rated flow" in found[0].note
    (month,) = from_run_times([stored(at(2024, 6, 1), 100.0, "month", "pump_run_time")], rated[1:], CHICAGO)
    assert month.volume_gal is None


def test_reported_rates_are_volumes_of_their_civil_month() -> None:
    """1 gpm over March 2024: 743 hours are 44,580 gal."""
    (found,) = as_reported([stored(at(2024, 3, 1), 1.0, "month")], CHICAGO)
    assert found.volume_gal == 44_580


def test_a_month_and_its_days_are_not_counted_twice() -> None:
    month = stored(at(2024, 6, 1), 3000.0, "month", "withdrawal", "1:1")
    days = [stored(at(2024, 6, day), 90.0, "day", "withdrawal", f"1:{day + 1}") for day in range(1, 31)]
    assert sum(one.volume_gal or 0 for one in as_reported([month, *days], CHICAGO)) == 2700
    (whole,) = as_reported([*days[:10], month], CHICAGO)
    assert whole.volume_gal == 3000
    year = stored(at(2024, 1, 1), 40_000.0, "year", "withdrawal", "1:99")
    assert [one.volume_gal for one in as_reported([month, year], CHICAGO)] == [40_000]


def reports(*lines: tuple[date, float, str]) -> list[Any]:
    return [
        stored(at(day.year, day.month, day.day), gallons, clock, "withdrawal", f"1:{number}")
        for number, (day, gallons, clock) in enumerate(lines)
    ]


JUNE = date(2024, 6, 1)
DAYS = [(date(2024, 6, day), 1000.0, "day") for day in range(1, 31)]


def test_reports_that_contradict_each_other_are_not_chosen_between() -> None:
    """30 days of 1,000 gal are 30,000; the month says 620,000. Within 5 % the days stand for their month."""
    (whole,) = as_reported(reports((JUNE, 620_000, "month"), *DAYS), CHICAGO, 0.05)
    assert (whole.volume_gal, whole.start_ms, whole.end_ms) == (None, at(2024, 6, 1), at(2024, 7, 1))
    assert whole.note == "reports contradict each other: 620,000 gal and 30,000 gal of the same time"
    days = as_reported(reports((JUNE, 31_500, "month"), *DAYS), CHICAGO, 0.05)  # 1,500 of 31,500 is under 5 %
    assert [one.volume_gal for one in days] == [1000.0] * 30
    (over,) = as_reported(reports((JUNE, 31_600, "month"), *DAYS), CHICAGO, 0.05)  # 1,600 of 31,600 is over
    assert over.volume_gal is None


def test_a_few_days_may_hold_less_than_their_month_and_not_more() -> None:
    (less,) = as_reported(reports((JUNE, 30_000, "month"), *DAYS[:3]), CHICAGO, 0.05)
    assert less.volume_gal == 30_000
    (more,) = as_reported(reports((JUNE, 2000, "month"), *DAYS[:3]), CHICAGO, 0.05)
    assert (more.volume_gal, "2,000 gal and 3,000 gal" in more.note) == (None, True)


def test_a_year_against_its_months_and_a_period_told_twice() -> None:
    months = [(date(2024, month, 1), 1000.0, "month") for month in range(1, 13)]
    (year,) = as_reported(reports((date(2024, 1, 1), 24_000, "year"), *months), CHICAGO, 0.05)
    assert (year.volume_gal, "24,000 gal and 12,000 gal" in year.note) == (None, True)
    kept = as_reported(reports((date(2024, 1, 1), 12_000, "year"), *months, (JUNE, 1200, "month")), CHICAGO, 0.05)
    assert [one.volume_gal for one in kept] == [1000.0] * 5 + [None] + [1000.0] * 6
    rate = stored(at(2024, 6, 1), 1.0, "month", "pumping_rate")  # 1 gpm over 30 days: 43,200 gal
    (twice,) = as_reported([rate, *reports((JUNE, 40_000, "month"))], CHICAGO, 0.05)
    assert (twice.volume_gal, "40,000 gal and 43,200 gal" in twice.note) == (None, True)


def test_a_month_whose_days_are_not_all_known_stands_for_them() -> None:
    broken = [*DAYS[:4], (date(2024, 6, 5), -1.0, "day"), *DAYS[5:]]
    (whole,) = as_reported(reports((JUNE, 40_000, "month"), *broken), CHICAGO, 0.05)
    assert whole.volume_gal == 40_000


def test_run_times_of_one_time_that_contradict_each_other_are_no_volume() -> None:
    rated = [RatedFlow(since=date(2024, 1, 1), gpm=Decimal(100), source="test")]
    days = [stored(at(2024, 6, day), 1.0, "day", "pump_run_time") for day in range(1, 31)]
    (whole,) = from_run_times([*days, stored(at(2024, 6, 1), 60.0, "month", "pump_run_time")], rated, CHICAGO, 0.05)
    assert (whole.volume_gal, "360,000 gal and 180,000 gal" in whole.note) == (None, True)


def test_rates_of_one_instant_that_differ_are_no_rate_in_whatever_order() -> None:
    start = at(2024, 6, 1)
    rows = [stored(start + minute * 60_000, rate) for minute, rate in ((0, 10.0), (1, 10.0), (1, 30.0), (2, 30.0))]
    assert [one.volume_gal for one in from_rates(rows, HOUR_MS)] == [None, None]
    assert from_rates(rows[::-1], HOUR_MS)[0].note == "rates logged for one instant differ"
    assert [one.volume_gal for one in from_rates([*rows[:2], *rows[1:2]], HOUR_MS)] == [10]


def test_a_day_after_the_record_holds_nothing() -> None:
    record = [Interval(at(2024, 6, 1), at(2024, 6, 2), 5.0, "", "1:1")]
    found = daily(record, CHICAGO, date(2024, 6, 1), date(2024, 6, 1) + timedelta(days=3))
    assert found.volume_gal == (5, 0, 0, 0)
    assert cast("tuple[int, ...]", found.metered_ms)[1:] == (0, 0, 0)
