"""Quality tests of levels and their days: reported cases, hand-worked readings, civil days of 23 and 25 hours."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.errors import BadSite
from models.levels import quality
from models.levels.daily import daily_levels
from models.levels.flagged import Flagged, flagged, stale
from models.levels.flags import WORDS, Outcome
from models.levels.record import LevelRecord
from models.quality_setting import QualityTests
from models.site import Well
from models.streamflow.practice import PRACTICE, Practice
from models.toml_file import validate

CASES = Path(__file__).parent / "data" / "cases"
CHICAGO = ZoneInfo("America/Chicago")
HOUR, QUARTER = 3_600_000, 900_000
START = 1_714_521_600_000  # 2024-05-01T00:00Z
GAP = 2 * HOUR
HOURLY = replace(PRACTICE, longest_step_ms=6 * HOUR)


def hours(n: int, step: int = HOUR) -> Any:
    return START + step * np.arange(n)


def words(one: Outcome) -> list[str]:
    return [WORDS[int(flag)] for flag in one.flags]


def a_record(depth: Any, times: Any = None, column: Any = 10.0, **more: Any) -> LevelRecord:
    """A record whose measuring point stands 2 ft above land."""
    values = np.asarray(depth, np.float64)
    when = hours(values.size) if times is None else np.asarray(times, np.int64)
    water = np.broadcast_to(np.asarray(column, np.float64), values.shape).copy()
    well = Well(id="MW-9", use="monitoring", position=(0.0, 0.0), **more)
    return LevelRecord(well, "77", when, values, values, water, values + 2, values, -values)


def settings(since: date = date(2020, 1, 1), **more: Any) -> QualityTests:
    return validate(QualityTests, {"since": since, **more}, file="site.toml", error=BadSite)


def case(name: str) -> tuple[list[str], Any, dict[str, Any]]:
    rows = list(csv.reader((CASES / name / "input.csv").read_text(encoding="utf-8").splitlines()))[1:]
    values = np.array([float(one[1]) if one[1] else np.nan for one in rows])
    checks = json.loads((CASES / name / "expected.json").read_text(encoding="utf-8"))["checks"]
    return [one[0] for one in rows], values, {one["name"]: one["value"] for one in checks}


def ms(texts: Sequence[str]) -> Any:
    return np.array([round(datetime.fromisoformat(one).timestamp() * 1000) for one in texts], np.int64)


# As reported elsewhere.


def test_gw_05_the_configured_limits_are_the_ones_applied() -> None:
    stamps, depth, expected = case("GW-05")
    limits = settings(suspect_outside_ft=[0, 30], fail_outside_ft=[-1, 100])
    record = a_record(depth, ms(stamps), quality_test=(limits,))
    found = flagged(record, CHICAGO)
    (gross,) = [one for one in found.outcomes if one.rule == "gross range"]
    assert [word.replace("good", "ok") for word in words(gross)] == expected["flags"]
    assert found.reasons(1) == ["gross range: 31.5 ft, outside 0 to 30 ft (suspect)"]
    assert found.reasons(3) == ["gross range: 412 ft, outside -1 to 100 ft (fail)"]
    assert [WORDS[int(one)] for one in found.flags] == ["good", "suspect", "suspect", "fail"]


def test_gw_06_flat_only_after_the_whole_duration_of_real_values() -> None:
    stamps, level, expected = case("GW-06")
    found = quality.flat_line(ms(stamps), level, 0.001, 4, GAP)
    flagged = [stamp for stamp, word in zip(stamps, words(found), strict=True) if word == "suspect"]
    assert flagged == [expected["flagged times include"]]
    assert not set(flagged) & set(expected["not flagged"])
    assert found.says(6) == "flat line: 0 ft, no more than 0.001 ft in 4 h (suspect)"


# Each test by hand.


def test_the_ends_of_a_range_are_inside() -> None:
    found = quality.gross_range(np.array([0, 30, 30.0001, -0.0001, np.nan]), (0, 30), None)
    assert words(found) == ["good", "good", "suspect", "suspect", "not evaluated"]


def test_rate_by_hand() -> None:
    """0.5 ft in an hour is allowed at 0.5 ft/h; in half an hour it is 1 ft/h. After a gap there is none before."""
    times = START + HOUR * np.array([0, 1, 1.5, 5])
    found = quality.rate_of_change(times.astype(np.int64), np.array([10, 10.5, 11, 20]), 0.5, GAP)
    assert words(found) == ["not evaluated", "good", "suspect", "not evaluated"]
    assert found.says(2) == "rate of change: 1 ft/h, over 0.5 ft/h (suspect)"


def test_spike_by_hand() -> None:
    """Off the middle of the neighbours: 11 of (10, 10.2) by 0.9, 10.2 of (11, 10.4) by 0.5, 13 of (10.4, 10.4) 2.6."""
    depth = np.array([10, 11, 10.2, 10.4, 13, 10.4])
    found = quality.spike(hours(6), depth, 0.5, 2.0, GAP)
    assert words(found) == ["not evaluated", "suspect", "good", "suspect", "fail", "not evaluated"]
    gone = quality.spike(START + HOUR * np.array([0, 3, 4, 5, 6, 9]), depth, 0.5, 2.0, GAP)
    assert words(gone)[1] == words(gone)[4] == "not evaluated"


def test_a_slow_fall_is_not_flat_and_a_gap_starts_anew() -> None:
    """0.0005 ft an hour is within 0.001 of its neighbour for ever, and 0.002 ft in four hours: no flat line."""
    falling = quality.flat_line(hours(9), 10 + 0.0005 * np.arange(9), 0.001, 4, GAP)
    assert words(falling) == ["not evaluated"] * 4 + ["good"] * 5
    times = START + HOUR * np.array([0, 1, 2, 3, 6, 7, 8, 9, 10])
    stuck = quality.flat_line(times, np.full(9, 10.0), 0.001, 4, GAP)
    assert words(stuck) == ["not evaluated"] * 8 + ["suspect"]
    assert words(quality.flat_line(times, np.full(9, 10.0), 0.001, 4, GAP, fails=True))[-1] == "fail"


@given(st.lists(st.sampled_from([10.0, 10.0, 10.0005, 10.5, np.nan]), max_size=40), st.integers(1, 5))
def test_flat_line_against_a_plain_loop(depth: list[float], duration: int) -> None:
    found = words(quality.flat_line(hours(len(depth)), np.array(depth, np.float64), 0.001, duration, GAP))
    for k, word in enumerate(found):
        span = depth[max(k - duration, 0) : k + 1]
        whole = len(span) == duration + 1 and not any(np.isnan(span))
        wanted = "suspect" if whole and max(span) - min(span) <= 0.001 else "good" if whole else "not evaluated"
        assert word == wanted


def test_where_a_sensor_hangs_and_a_pump_sucks() -> None:
    record = a_record([-2.5, 20, 60, 61], column=[50, 30, 0.2, 0.05], pump_intake_ft=Decimal(60))
    found = flagged(record, CHICAGO)
    assert found.reasons(0) == ["casing top: -0.5 ft below the measuring point, above the casing top (suspect)"]
    assert found.reasons(1) == []
    assert found.reasons(2) == ["pump intake: 60 ft, at or below the pump intake at 60 ft (suspect)"]
    assert found.reasons(3)[-1] == "sensor: 0.05 ft of water, less than 0.1 ft of water over the sensor (fail)"
    assert [int(one) for one in found.flags] == [3, 1, 3, 4]


def test_a_clock_out_of_order_and_two_readings_of_one_instant() -> None:
    record = a_record([10, 11, 12, 13, 14], START + HOUR * np.array([0, 2, 1, 3, 3]))
    found = flagged(record, CHICAGO)
    assert [int(one) for one in found.flags] == [1, 1, 3, 3, 3]
    assert found.reasons(2) == ["order of the clock: 1 h back, stamped before an earlier reading (suspect)"]
    assert found.reasons(3) == ["duplicate clock: 2 readings, of one instant (suspect)"]


def test_a_record_that_stopped_is_stale_where_somebody_set_a_limit() -> None:
    well = a_record([], quality_test=(settings(stale_after_h=48),)).well
    assert stale(well, START, START + 48 * HOUR, CHICAGO) == ""
    assert stale(well, START, START + 49 * HOUR, CHICAGO) == "stale: last reading 49 h ago, over 48 h"
    assert stale(well, None, START, CHICAGO) == "stale: no reading at all, over 48 h"
    assert stale(a_record([]).well, None, START, CHICAGO) == ""


def test_settings_hold_from_their_civil_day() -> None:
    """Two settings change at 05:00 UTC; a test that has no limit is not made, and a missing value is missing."""
    tests = (settings(suspect_outside_ft=[0, 5]), settings(date(2024, 5, 2), suspect_outside_ft=[0, 50]))
    times = START + HOUR * np.array([27, 28, 29, 30])
    found = flagged(a_record([10, 10, 10, np.nan], times, quality_test=tests), CHICAGO)
    assert [int(one) for one in found.flags] == [3, 3, 1, 9]
    assert {one.rule for one in found.outcomes} >= {"gross range", "sensor"}
    assert "spike" not in {one.rule for one in found.outcomes}


@pytest.mark.parametrize(
    "bad",
    [
        {"suspect_outside_ft": [30, 0]},
        {"suspect_outside_ft": [-2, 30], "fail_outside_ft": [-1, 100]},
        {"spike_suspect_ft": 2, "spike_fail_ft": 1},
        {"rate_ft_per_h": 0},
        {"flat_hours": 4},
    ],
)
def test_settings_that_cannot_be_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(BadSite, match=r"site\.toml"):
        settings(**bad)


@given(st.lists(st.floats(0, 60), min_size=1, max_size=20), st.randoms())
def test_a_flag_does_not_depend_on_the_order_of_import(depth: list[float], by: Any) -> None:
    limits = settings(suspect_outside_ft=[5, 50], rate_ft_per_h=3, spike_suspect_ft=2, flat_suspect_h=3)
    record = a_record(depth, quality_test=(limits,))
    order = list(range(len(depth)))
    by.shuffle(order)
    turned = replace(
        record, time_ms=record.time_ms[order], depth_ft=record.depth_ft[order], depth_mp_ft=record.depth_mp_ft[order],
        column_ft=record.column_ft[order],
    )  # fmt: skip

    def of(one: LevelRecord) -> Flagged:
        every = flagged(one, CHICAGO)
        return replace(every, outcomes=tuple(o for o in every.outcomes if o.rule != "order of the clock"))

    for first, second in zip(of(record).outcomes, of(turned).outcomes, strict=True):
        assert second.flags.tolist() == first.flags[order].tolist()


# Days.


def a_day_of(first: datetime, n: int, step: int = QUARTER) -> Any:
    return round(first.timestamp() * 1000) + step * np.arange(n, dtype=np.int64)


@pytest.mark.parametrize(
    ("first", "n"),
    [
        (datetime(2024, 3, 10, 6, tzinfo=UTC), 92),  # clocks go forward: 23 h
        (datetime(2024, 7, 1, 5, tzinfo=UTC), 96),
        (datetime(2024, 11, 3, 5, tzinfo=UTC), 100),  # clocks go back: 25 h
    ],
)
def test_a_civil_day_has_23_24_or_25_hours(first: datetime, n: int) -> None:
    """Half the day at 10 ft and half at 11 ft: 10.5 ft, wholly covered, whatever its length; one less is not whole."""
    times = a_day_of(first, n)
    record = a_record(np.where(np.arange(n) < n // 2, 10.0, 11.0), times)
    (day,) = daily_levels(record, flagged(record, CHICAGO), CHICAGO, PRACTICE)
    found: tuple[Any, ...] = (day.day, day.depth_ft, day.coverage, day.flag, day.n)
    assert found == (
        first.astimezone(CHICAGO).date(), Decimal("10.50"), 1, 1, n,
    )  # fmt: skip
    assert (day.first, day.last) == (0, n - 1)
    short = a_record(record.depth_ft[:-1], times[:-1])
    assert daily_levels(short, flagged(short, CHICAGO), CHICAGO, PRACTICE)[0].coverage < 1


def summer(depth: Any, practice: Practice = PRACTICE, **more: Any) -> Any:
    values = np.asarray(depth, np.float64)
    record = a_record(values, a_day_of(datetime(2024, 7, 1, 5, tzinfo=UTC), values.size), **more)
    return daily_levels(record, flagged(record, CHICAGO), CHICAGO, practice)[0]


def test_readings_that_fail_are_as_good_as_missing() -> None:
    """20 of 96 quarter-hours fail: 79 % is covered, and four fifths are needed. 19 leave 80 % and a day."""
    limits = (settings(fail_outside_ft=[0, 100]),)
    found = summer(np.where(np.arange(96) % 5 == 4, 500.0, 10.0), quality_test=limits)
    assert (found.depth_ft, found.flag, found.n) == (Decimal("10.00"), 1, 77)
    more = summer(np.where((np.arange(96) % 5 == 4) | (np.arange(96) == 0), 500.0, 10.0), quality_test=limits)
    assert (more.depth_ft, more.flag) == (None, 9)
    assert more.reasons == ("readings cover 79% of the day, 80% are needed", "gross range: 20 fail")


def test_suspect_readings_count_and_the_day_they_move_is_suspect() -> None:
    """48 quarters at 40 ft, over a range to 30 ft, beside 48 at 10 ft: the mean is 25 ft, and it is suspect."""
    limits = (settings(suspect_outside_ft=[0, 30]),)
    found = summer(np.where(np.arange(96) < 48, 40.0, 10.0), quality_test=limits)
    assert (found.depth_ft, found.flag, found.reasons) == (Decimal("25.00"), 3, ("gross range: 48 suspect",))
    one = summer(np.where(np.arange(96) == 50, 30.5, 29.9), quality_test=limits)
    assert (one.depth_ft, one.flag) == (Decimal("29.91"), 1)  # a single reading moves the day by 0.00625 ft


def test_a_reading_every_six_hours_makes_a_day_of_a_level() -> None:
    times = START + 5 * HOUR + 6 * HOUR * np.arange(8)
    record = a_record([10.0, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7], times)
    found = daily_levels(record, flagged(record, CHICAGO), CHICAGO, HOURLY)
    assert [(str(one.depth_ft), int(one.coverage)) for one in found] == [("10.15", 1), ("10.55", 1)]


def test_two_readings_of_one_instant_make_no_day_fall_over() -> None:
    times = START + 5 * HOUR + HOUR * np.repeat(np.arange(24), [1] * 23 + [2])
    record = a_record(np.append(np.full(24, 10.0), 12.4), times)
    (day,) = daily_levels(record, flagged(record, CHICAGO), CHICAGO, HOURLY)
    assert (day.depth_ft, day.n) == (Decimal("10.05"), 24)  # (23 x 10 + 11.2) / 24
    assert day.flag == 3


def test_a_day_of_which_no_reading_counts_is_missing_and_says_why() -> None:
    found = summer(np.full(96, 200.0), quality_test=(settings(fail_outside_ft=[0, 100]),))
    assert (found.depth_ft, found.flag, found.n, found.first, found.last) == (None, 9, 0, -1, -1)
    assert found.reasons == ("no reading that counts", "gross range: 96 fail")
    assert summer(np.full(96, np.nan)).reasons == ("no reading that counts",)
    empty = a_record([])
    assert daily_levels(empty, flagged(empty, CHICAGO), CHICAGO, PRACTICE) == []
