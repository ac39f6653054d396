"""Daily means over civil days: clock changes, coverage, the hole rule, weights in time."""

from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from models.errors import BadQuestion
from models.streamflow.daily_mean import daily_means
from models.streamflow.practice import Practice

CHICAGO = ZoneInfo("America/Chicago")
QUARTER = 15 * 60_000
HOUR = 3_600_000


def midnight(year, month, day, zone=CHICAGO):
    return int(datetime(year, month, day, tzinfo=zone).timestamp() * 1000)


def quarters(start, stop):
    times = np.arange(start, stop, QUARTER)
    return times, np.full(times.size, 5.0)


@pytest.mark.parametrize(
    ("day", "after", "expected"),
    [((2025, 3, 9), (2025, 3, 10), 92), ((2025, 7, 1), (2025, 7, 2), 96), ((2025, 11, 2), (2025, 11, 3), 100)],
)
def test_a_civil_day_has_its_actual_length(day, after, expected):
    times, values = quarters(midnight(*day), midnight(*after))
    (found,) = daily_means(times, values, CHICAGO)
    assert (found.day, found.n, found.coverage, found.mean) == (date(*day), expected, 1, 5.0)
    assert not found.hole_too_long


def test_coverage_of_a_short_day_counts_against_its_92_values():
    times, values = quarters(midnight(2025, 3, 9), midnight(2025, 3, 10))
    keep = np.arange(92) % 5 != 4
    keep[-1] = False
    values[~keep] = np.nan
    (found,) = daily_means(times, values, CHICAGO)
    assert found.n == keep.sum() == 73
    assert found.coverage == Decimal(73) / Decimal(92)


def test_the_mean_weighs_time_and_not_readings():
    start = midnight(2025, 7, 1)
    times = start + np.array([*range(12), *np.arange(12, 24, 0.25)]) * HOUR
    values = np.where(times < start + 12 * HOUR, 4.0, 8.0)
    (found,) = daily_means(times, values, CHICAGO, interval_ms=HOUR)
    assert (found.mean, found.coverage, found.n) == (6.0, 1, 60)


def test_a_value_stands_for_one_interval_at_most_and_passes_midnight():
    start = midnight(2025, 7, 1)
    times = start + np.array([23.5, 25.5]) * HOUR
    first, second = daily_means(times.astype(int), [3.0, 6.0], CHICAGO, interval_ms=HOUR)
    assert (first.mean, second.mean) == (3.0, 5.0)
    assert second.coverage == Decimal("1.5") / 24


@pytest.mark.parametrize(
    ("hours", "after", "too_long"),
    [(4.0, 9.0, False), (4.25, 9.0, True), (4.25, 5.5, False), (4.25, 5.6, True), (4.25, 4.5, False)],
)
def test_a_hole_over_four_hours_needs_edges_that_agree(hours, after, too_long):
    times, values = quarters(midnight(2025, 7, 1), midnight(2025, 7, 2))
    values[times >= times[0] + 8 * HOUR] = after
    hole = (times >= times[0] + 8 * HOUR) & (times < times[0] + (8 + hours) * HOUR)
    (found,) = daily_means(times[~hole], values[~hole], CHICAGO)
    assert found.hole_too_long is too_long


def test_a_hole_counts_for_the_part_inside_the_day():
    times, values = quarters(midnight(2025, 7, 1), midnight(2025, 7, 3))
    values[96:] = 9.0
    hole = (times >= times[0] + 19 * HOUR) & (times < times[0] + 27 * HOUR)
    first, second = daily_means(times[~hole], values[~hole], CHICAGO)
    assert (first.hole_too_long, second.hole_too_long) == (True, False)
    assert second.coverage == Decimal(21) / 24


def test_the_rim_of_a_record_is_a_hole_with_one_edge():
    times, values = quarters(midnight(2025, 7, 1) + 5 * HOUR, midnight(2025, 7, 2))
    (found,) = daily_means(times, values, CHICAGO)
    assert found.hole_too_long


def test_a_day_without_values_is_there_and_empty():
    times, values = quarters(midnight(2025, 7, 1), midnight(2025, 7, 4))
    values[96:192] = np.nan
    empty = daily_means(times, values, CHICAGO)[1]
    assert (empty.mean, empty.coverage, empty.n) == (None, 0, 0)


def test_all_values_missing():
    times, values = quarters(midnight(2025, 7, 1), midnight(2025, 7, 2))
    (found,) = daily_means(times, values * np.nan, CHICAGO)
    assert (found.mean, found.coverage, found.hole_too_long) == (None, 0, True)


def test_weekly_readings_never_pass_for_a_daily_mean():
    times = midnight(2025, 7, 1) + np.arange(4) * 7 * 24 * HOUR
    assert all(one.coverage < Decimal("0.2") for one in daily_means(times, [4.8] * 4, CHICAGO))


def test_a_lone_reading_has_a_mean_and_no_coverage_to_speak_of():
    (found,) = daily_means([midnight(2025, 7, 1)], [4.8], CHICAGO)
    assert (found.mean, found.n) == (4.8, 1)
    assert found.coverage < Decimal("0.001")


def test_a_decimal_tie_survives_binary_sums():
    times, values = quarters(midnight(2025, 7, 1), midnight(2025, 7, 2))
    values[::2], values[1::2] = 4.99, 5.00
    assert daily_means(times, values, CHICAGO)[0].mean == 4.995


# The step of a day ---------------------------------------------------------------------------------------------------


def every(minutes, start, stop):
    return np.arange(start, stop, minutes * 60_000)


@pytest.mark.parametrize("minutes", [1, 5, 15, 30, 60])
def test_a_day_recorded_regularly_up_to_an_hour_is_whole_whatever_came_before(minutes):
    before = every(15, midnight(2025, 6, 1), midnight(2025, 7, 1))
    times = np.concatenate([before, every(minutes, midnight(2025, 7, 1), midnight(2025, 7, 4))])
    assert {one.coverage for one in daily_means(times, np.full(times.size, 4.8), CHICAGO)} == {1}


@pytest.mark.parametrize("minutes", [61, 90, 120, 240])
def test_readings_over_an_hour_apart_are_visits(minutes):
    times = every(minutes, midnight(2025, 7, 1), midnight(2025, 7, 8))
    found = daily_means(times, np.full(times.size, 4.8), CHICAGO)
    assert all(one.mean == 4.8 and one.coverage < Decimal("0.001") for one in found)


def test_a_town_may_take_two_hours_for_a_step():
    times = every(120, midnight(2025, 7, 1), midnight(2025, 7, 2))
    (found,) = daily_means(times, np.full(12, 4.8), CHICAGO, practice=Practice(longest_step_ms=2 * HOUR))
    assert found.coverage == 1


@pytest.mark.parametrize("hour", [7, 12, 17])
@pytest.mark.parametrize(("first", "then"), [(5, 15), (15, 60), (60, 15)])
def test_a_logger_set_anew_within_a_day_loses_nothing(hour, first, then):
    start, turn = midnight(2025, 7, 1), midnight(2025, 7, 1) + hour * HOUR
    times = np.concatenate([every(first, start, turn), every(then, turn, midnight(2025, 7, 2))])
    (found,) = daily_means(times, np.full(times.size, 4.8), CHICAGO)
    assert found.coverage == 1


def test_a_burst_of_readings_takes_nothing_from_a_day():
    start = midnight(2025, 7, 1)
    times = np.union1d(every(15, start, midnight(2025, 7, 2)), every(1, start + 9 * HOUR, start + 12 * HOUR))
    (found,) = daily_means(times, np.full(times.size, 4.8), CHICAGO)
    assert (found.coverage, found.n) == (1, 96 + 3 * 56)


@given(st.sets(st.integers(0, 95), min_size=50, max_size=76), st.sampled_from([4.8, 6.0]))
@settings(max_examples=300)
def test_losses_never_pass_for_a_coarser_step(slots, value):
    """Of 96 expected values 80 % are 76.8: what is lost here and there leaves a day unknown, and its count right."""
    chosen = np.array(sorted(slots))
    gaps = np.diff(chosen)
    runs = "".join(chr(64 + min(gap, 5)) for gap in gaps)
    assume(not any(letter * 6 in runs for letter in "BCDE"))
    assume((gaps == 1).sum() >= 0.10 * gaps[gaps <= 4].sum())
    (found,) = daily_means(midnight(2025, 7, 1) + chosen * QUARTER, np.full(chosen.size, value), CHICAGO)
    assert found.coverage == Decimal(chosen.size) / 96


@pytest.mark.parametrize("share", [0.15, 0.3, 0.45, 0.6, 0.7])
def test_readings_lost_at_random_never_make_a_whole_day(share):
    rng = np.random.default_rng(7)
    for _ in range(300):
        chosen = np.flatnonzero(rng.random(96) < share)[:76]
        (found,) = daily_means(midnight(2025, 7, 1) + chosen * QUARTER, np.full(chosen.size, 4.8), CHICAGO)
        assert found.coverage < Decimal("0.80")


WEEK = 7 * 96
SPANS = st.lists(
    st.tuples(st.integers(0, WEEK - 1), st.integers(1, 200), st.sampled_from([0, 1, 2, 4, 16])), max_size=4
)


@given(SPANS, st.integers(0, 5))
@settings(max_examples=200)
def test_a_day_is_what_it_and_its_neighbours_hold_however_much_else_is_known(spans, seed):
    """Stretches silent (0) or thinned to every second, fourth, sixteenth quarter: three days give what seven give."""
    keep = np.ones(WEEK, bool)
    for first, length, every_ in spans:
        inside = np.arange(first, min(first + length, WEEK))
        keep[inside] = False if not every_ else (inside - first) % every_ == 0
    slots = np.flatnonzero(keep)
    times = midnight(2025, 7, 1) + slots * QUARTER
    values = np.random.default_rng(seed).choice([4.8, 5.0, 9.0, np.nan], WEEK, p=[0.5, 0.3, 0.1, 0.1])[slots]
    assume(times.size > 1)
    for whole in daily_means(times, values, CHICAGO):
        lo, hi = (midnight(2025, 7, 1) + (whole.day.day - 1 + k) * 24 * HOUR for k in (-1, 2))
        near = (times >= lo) & (times < hi)
        again = [one for one in daily_means(times[near], values[near], CHICAGO) if one.day == whole.day]
        if whole.n:
            assert again == [whole]


def test_edges_further_off_than_a_neighbour_agree_with_none():
    start = midnight(2025, 7, 1)
    times, values = quarters(start, midnight(2025, 7, 5))
    hole = (times >= start + 24 * HOUR) & (times < start + 52.5 * HOUR)  # 2 July, and 3 July until 04:30
    first, second, third, fourth = daily_means(times[~hole], values[~hole], CHICAGO)
    assert (first.hole_too_long, third.hole_too_long, fourth.hole_too_long) == (False, True, False)
    assert (second.n, third.coverage) == (0, Decimal("19.5") / 24)


def test_no_values_no_days():
    assert daily_means([], [], CHICAGO) == []


@pytest.mark.parametrize(
    ("times", "values", "interval"),
    [([1, 1], [1.0, 2.0], None), ([2, 1], [1.0, 2.0], None), ([1, 2], [1.0], None), ([1, 2], [1.0, 2.0], 0)],
)
def test_a_series_out_of_order_is_refused(times, values, interval):
    with pytest.raises(BadQuestion):
        daily_means(times, values, UTC, interval_ms=interval)


@given(st.sets(st.integers(0, 4 * 96 - 1), min_size=2), st.integers(0, 3))
def test_agrees_with_counting_the_quarters(slots, seed):
    """A regular logger with holes: coverage and mean by plain counting, over a spring clock change."""
    start = midnight(2025, 3, 8)
    chosen = np.array(sorted(slots))
    values = np.random.default_rng(seed).uniform(1, 9, chosen.size)
    found = {one.day: one for one in daily_means(start + chosen * QUARTER, values, CHICAGO, interval_ms=QUARTER)}
    days = [datetime.fromtimestamp((start + int(k) * QUARTER) / 1000, CHICAGO).date() for k in chosen]
    for day, one in found.items():
        inside = values[[other == day for other in days]]
        expected = 92 if day == date(2025, 3, 9) else 96
        assert one.n == inside.size
        assert one.coverage == Decimal(inside.size) / Decimal(expected)
        assert (one.mean is None) if not inside.size else one.mean == pytest.approx(inside.mean(), abs=1e-8)
