"""What a water stood at before mining on like days, worked by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadSite
from models.policy import default_policy, read_policy
from models.streamflow.stage_reference import Daily, LikeDays, StageBaseline, anniversary, is_alike
from models.waters import DatumCheck, GaugeZero, datum_doubt

LIKE = default_policy().like_days()
DAY = date(2025, 7, 16)
ONE_DAY = timedelta(days=1)


def season(*years: int, first: int = 1) -> dict[date, float]:
    """July of each year rising by 0.01 ft a day and from year to year: 0.01, 0.02, … ft."""
    days = [date(year, 7, 1) + k * ONE_DAY for year in years for k in range(31)]
    return {day: round(0.01 * (first + k), 2) for k, day in enumerate(days)}


def rained(start: date, days: int, inches: float) -> dict[date, float]:
    return {start + k * ONE_DAY: inches for k in range(days)}


EVEN = rained(date(2020, 1, 1), 2200, 0.1)
LONG = {date(2021, 1, 1): 9.0}
"""A day that makes a record of three Julys one of over three years."""


def baseline(stage: dict[date, float], rain: dict[date, float] | None = None, **other: Any) -> StageBaseline:
    return StageBaseline(Daily.of(stage), Daily.of(EVEN if rain is None else rain), replace(LIKE, **other))


def test_the_band_of_ninety_three_days_at_the_weibull_positions() -> None:
    """Rank 0.1 x 94 = 9.4 of 0.01 to 0.93 ft is 0.094 ft, rank 84.6 is 0.846 ft; to 0.01 ft as a stage is printed."""
    band = baseline(season(2022, 2023, 2024) | LONG).band(DAY)
    assert band is not None
    assert (band.low_ft, band.high_ft, band.n, band.years) == (Decimal("0.09"), Decimal("0.85"), 93, (2022, 2023, 2024))
    assert (band.rain_in, band.lack) == (Decimal("36.50"), "")


def test_a_tie_of_the_last_digit_is_rounded_half_up() -> None:
    """Rank 0.25 x 94 = 23.5: 0.235 ft."""
    band = baseline(season(2022, 2023, 2024), low_share=Decimal("0.25")).band(DAY)
    assert band is not None
    assert band.low_ft == Decimal("0.24")


def test_beyond_the_record_s_extremes_stands_its_extreme() -> None:
    band = baseline(season(2022, 2023, 2024), low_share=Decimal("0.001")).band(DAY)
    assert band is not None
    assert (band.low_ft, band.high_ft) == (Decimal("0.01"), Decimal("0.93"))


@pytest.mark.parametrize(("day", "n"), [(16, 93), (17, 90), (15, 90), (31, 48), (30, 51)])
def test_the_season_is_fifteen_days_on_each_side(day: int, n: int) -> None:
    band = baseline(season(2022, 2023, 2024)).band(date(2025, 7, day))
    assert band is not None
    assert band.n == n


def test_a_year_with_fourteen_days_of_the_season_does_not_count() -> None:
    """On 1 August the window holds 17 to 31 July, fifteen days; on the 2nd fourteen."""
    known = baseline(season(2022, 2023, 2024))
    assert known.band(date(2025, 8, 1)) is not None
    assert known.band(date(2025, 8, 2)) is None


def test_a_season_reaches_over_the_turn_of_the_year() -> None:
    stage = {date(2023, 12, 20) + k * ONE_DAY: 1.0 for k in range(20)}
    years = baseline(stage).years(date(2025, 12, 31))
    assert [(one.year, len(one.levels)) for one in years] == [(2023, 20)]
    assert [(one.year, len(one.levels)) for one in baseline(stage).years(date(2025, 1, 1))] == [(2024, 20)]


@pytest.mark.parametrize(("first", "day", "year"), [((1, 1), (12, 31), 2023), ((12, 17), (1, 1), 2025)])
def test_a_season_reaches_beyond_the_record_s_own_years(
    first: tuple[int, int], day: tuple[int, int], year: int
) -> None:
    stage = {date(2024, *first) + k * ONE_DAY: 1.0 for k in range(15)}
    assert [(one.year, len(one.levels)) for one in baseline(stage).years(date(2026, *day))] == [(year, 15)]


def test_the_29th_of_february_has_the_28th_for_its_anniversary() -> None:
    assert anniversary(date(2024, 2, 29), 2023) == date(2023, 2, 28)
    assert anniversary(date(2024, 2, 29), 2020) == date(2020, 2, 29)


def test_precipitation_is_that_of_the_span_before_the_day_and_not_of_the_day() -> None:
    known = baseline({}, {**rained(DAY - 365 * ONE_DAY, 365, 0.1), DAY - 366 * ONE_DAY: 50.0, DAY: 9.0})
    assert known.rain_before(DAY) == Decimal("36.50")


def test_unknown_days_of_precipitation_are_no_dry_days() -> None:
    """329 of 365 days are 90.1 percent, scaled up; 328 are 89.9 percent and say nothing."""
    known = baseline({}, rained(DAY - 329 * ONE_DAY, 329, 0.1))
    assert known.rain_before(DAY) == Decimal("36.50")
    assert baseline({}, rained(DAY - 328 * ONE_DAY, 328, 0.1)).rain_before(DAY) is None


@pytest.mark.parametrize(
    ("one", "judged", "alike"),
    [("24", "30", True), ("23.99", "30", False), ("36", "30", True), ("36.01", "30", False), ("0", "0", True)],
)
def test_comparable_at_the_limit(one: str, judged: str, alike: bool) -> None:
    assert is_alike(Decimal(one), Decimal(judged), Decimal("0.20")) is alike


def test_what_is_not_known_is_comparable_with_nothing() -> None:
    assert not is_alike(None, Decimal(30), Decimal("0.20"))
    assert not is_alike(Decimal(30), None, Decimal("0.20"))


@pytest.mark.parametrize(
    ("rain", "lack"),
    [
        ({}, "precipitation of the 365 days before 2025-07-16 is not known"),
        (rained(date(2024, 7, 16), 365, 0.1), "no precipitation record before mining"),
        (
            rained(date(2023, 7, 17), 730, 0.1),
            "1 of 3 years before mining had precipitation comparable with the",
        ),
    ],
)
def test_what_a_band_lacks_and_what_would_settle_it(rain: dict[date, float], lack: str) -> None:
    band = baseline(season(2022, 2023, 2024) | LONG, rain).band(DAY)
    assert band is not None
    assert lack in band.lack
    assert "would settle it" in band.lack


def test_a_year_is_judged_by_the_others() -> None:
    band = baseline(season(2022, 2023, 2024)).band(DAY, without=2022)
    assert band is not None
    assert (band.years, band.n) == ((2023, 2024), 62)


@given(st.lists(st.floats(0, 10), min_size=45, max_size=93), st.floats(0.01, 5))
def test_a_higher_record_never_lowers_the_reference(levels: list[float], more: float) -> None:
    days = list(season(2022, 2023, 2024))[: len(levels)]
    low = baseline(dict(zip(days, levels, strict=True))).band(date(2025, 7, 16))
    high = baseline({day: level + more for day, level in zip(days, levels, strict=True)}).band(date(2025, 7, 16))
    assert low is not None
    assert high is not None
    assert low.low_ft <= high.low_ft
    assert low.low_ft <= low.high_ft


def test_the_thresholds_are_the_town_s_to_adopt() -> None:
    text = """
        [stage_antecedent_span]
        value = 90
        unit = "d"
        reason = "the pond answers within a season"
        adopted_by = "Town Board"
        adopted_on = 2025-01-02
        resolution = "2025-3"
    """
    assert read_policy(text, file="policy.toml").like_days() == replace(LIKE, span_days=90)
    with pytest.raises(BadSite):
        read_policy(text.replace('"d"', '"yr"'), file="policy.toml")
    assert LikeDays(15, 15, Decimal(3), Decimal("0.10"), 365, Decimal("0.20"), Decimal("0.90")) == LIKE


# The datum.

FIRST = GaugeZero(since=date(2020, 1, 1), elevation_ft=Decimal(880))
SECOND = GaugeZero(since=date(2025, 1, 1), elevation_ft=Decimal(879))


def survey(on: date, found: str = "0") -> DatumCheck:
    return DatumCheck(on=on, found_ft=Decimal(found), by="S")


@pytest.mark.parametrize(
    ("zeros", "checks", "day", "doubt"),
    [
        ([], [survey(DAY)], DAY, "no gauge_zero states its vertical datum"),
        ([SECOND], [survey(date(2024, 12, 31))], date(2024, 12, 31), "no gauge_zero states its vertical datum"),
        ([SECOND], [], DAY, "no datum check within 366 days"),
        ([SECOND], [survey(DAY)], DAY, ""),
        ([SECOND], [survey(DAY, "-0.02")], DAY, ""),
        ([SECOND], [survey(DAY, "-0.03")], DAY, f"the datum check of {DAY} found the gauge off by -0.03 ft"),
        ([SECOND], [survey(DAY + 366 * ONE_DAY)], DAY, ""),
        ([SECOND], [survey(DAY + 367 * ONE_DAY)], DAY, "no datum check within 366 days"),
        # The nearest on each side: an old fault does not outlive the survey that found it mended.
        ([SECOND], [survey(DAY - 9 * ONE_DAY, "1"), survey(DAY - ONE_DAY)], DAY, ""),
        ([SECOND], [survey(DAY - ONE_DAY), survey(DAY + ONE_DAY, "1")], DAY, "found the gauge off by +1 ft"),
        # A survey speaks of the zero before it; a zero that begins on its day is what it established.
        ([FIRST, SECOND], [survey(SECOND.since, "1")], SECOND.since, ""),
        ([FIRST, SECOND], [survey(SECOND.since, "1")], date(2024, 12, 31), "found the gauge off by +1 ft"),
        ([FIRST, SECOND], [survey(date(2024, 12, 31))], SECOND.since, "no datum check within 366 days"),
        ([FIRST, SECOND], [survey(date(2025, 1, 2))], date(2024, 12, 31), "no datum check within 366 days"),
    ],
)
def test_the_datum_of_a_day(zeros: list[GaugeZero], checks: list[DatumCheck], day: date, doubt: str) -> None:
    said = datum_doubt(zeros, checks, day, Decimal("0.02"), 366)
    assert said == doubt if not doubt else doubt in said
