"""Meters that follow each other on one well, and meters side by side: what the year of the report says of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.checks.withdrawal_form import SourceYear, form_of
from models.checks.withdrawal_sources import sources_of
from models.meter_sequence import filled, in_sequence
from models.metered_volumes import Interval
from tests.record_in_memory import CHICAGO, Record, ask, site, well

DAILY = 120_000


def read(record: Record, meter: str, first: date, last: date, each: int = DAILY) -> Record:
    """Readings at the midnights of days from one to another, so many gallons a day."""
    for k in range((last - first).days + 1):
        day = first + timedelta(days=k)
        record.meter(meter, datetime(day.year, day.month, day.day, tzinfo=CHICAGO), str(each * k))
    return record


def year(record: Record, *meters: str) -> SourceYear:
    parts: dict[str, Any] = {"well": [well("PW", 100.0, use="production")], "stream": [], "gauge": []}
    at = site(meter=[{"id": id, "well": "PW"} for id in meters], **parts)
    (found,) = form_of(CHICAGO, sources_of(ask(record, date(2026, 1, 31), at=at)), 2025)
    return found


def test_a_second_meter_that_took_over_makes_one_year() -> None:
    """120,000 gal a day all of 2025: 365 days are 43,800,000 gal, January and July 3,720,000 each."""
    record = read(Record(), "M-1", date(2025, 1, 1), date(2025, 7, 1))
    found = year(read(record, "M-2", date(2025, 7, 1), date(2026, 1, 1)), "M-1", "M-2")
    assert found.gallons == 43_800_000
    assert (found.months[0].gallons, found.months[6].gallons) == (3_720_000, 3_720_000)
    assert sum(one.not_measured_h for one in found.months) == 0


def test_the_days_between_two_meters_are_not_measured() -> None:
    """Off on 1 July, on on 4 July: 72 hours and 360,000 gal less."""
    record = read(Record(), "M-1", date(2025, 1, 1), date(2025, 7, 1))
    found = year(read(record, "M-2", date(2025, 7, 4), date(2026, 1, 1)), "M-1", "M-2")
    assert found.gallons == 43_440_000
    assert [one.not_measured_h for one in found.months if one.not_measured_h] == [72]


def test_of_meters_side_by_side_what_either_counted_is_never_dropped() -> None:
    """Both until July, then one: the year is at least what was metered, and July on is not measured whole."""
    record = read(Record(), "M-1", date(2025, 1, 1), date(2025, 7, 1))
    found = year(read(record, "M-2", date(2025, 1, 1), date(2026, 1, 1)), "M-1", "M-2")
    assert found.gallons == 43_800_000 + 181 * DAILY
    assert found.months[11].gallons == 31 * DAILY
    assert found.months[11].not_measured_h == 31 * 24


def spans(*edges: int) -> tuple[Interval, ...]:
    return tuple(Interval(one, other, 1.0, "", "") for one, other in pairwise(edges))


@pytest.mark.parametrize(
    ("records", "lines"),
    [
        ([spans(0, 5), spans(5, 9)], [spans(0, 5, 9)]),
        ([spans(5, 9), spans(0, 5)], [spans(0, 5, 9)]),
        ([spans(0, 5), spans(4, 9)], [spans(0, 5), spans(4, 9)]),
        ([spans(0, 3), spans(2, 12), spans(3, 12)], [spans(2, 12), spans(0, 3, 12)]),
    ],
)
def test_by_hand(records: list[tuple[Interval, ...]], lines: list[tuple[Interval, ...]]) -> None:
    assert list(in_sequence(records)) == lines


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)), max_size=8))
def test_nothing_is_lost_and_nothing_lies_over_another(drawn: list[tuple[int, int]]) -> None:
    records = [spans(start, start + length) for start, length in drawn]
    lines = in_sequence(records)
    assert sorted((one.start_ms, one.end_ms) for line in lines for one in line) == sorted(
        (one.start_ms, one.end_ms) for record in records for one in record
    )
    assert all(before.end_ms <= after.start_ms for line in lines for before, after in pairwise(line))


def told(found: Sequence[Interval]) -> list[tuple[int, int, float | None]]:
    return [(one.start_ms, one.end_ms, one.volume_gal) for one in found]


def of(*lines: tuple[int, int, float | None]) -> tuple[Interval, ...]:
    return tuple(Interval(start, end, volume, "", "1:1") for start, end, volume in lines)


def test_another_record_speaks_for_a_period_of_which_the_first_knows_little() -> None:
    """A log of two hours does not speak for a month, nor a month for a log of half of it."""
    log = of((0, 2, 18.0), (2, 100, None), (100, 150, 500.0), (150, 300, None))
    months = of((0, 100, 1000.0), (100, 200, 2000.0), (200, 250, 300.0), (400, 500, 4000.0))
    assert told(filled(log, months)) == [
        (0, 100, 1000.0), (100, 150, 500.0), (150, 200, None), (200, 250, 300.0), (250, 300, None), (400, 500, 4000.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "log",
    [
        of((0, 2, 1001.0), (2, 100, None)),  # two hours with more water than the month tells: a contradiction
        of((-1, 2, 18.0), (2, 100, None)),  # its volume began before the month, and cannot be cut
    ],
)
def test_no_volume_is_cut_or_taken_for_less(log: tuple[Interval, ...]) -> None:
    assert filled(log, of((0, 100, 1000.0))) == log


def test_an_unknown_volume_of_the_other_fills_nothing() -> None:
    log = of((0, 2, 18.0))
    assert filled(log, of((10, 100, None))) == log
