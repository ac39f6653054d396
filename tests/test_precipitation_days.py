"""Precipitation of a gauge, each day once: two makers' files, hours that lack, totals that differ, silent gauges."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from models.checks.precipitation_days import PRECIPITATION, precipitation_days
from tests.record_in_memory import BEGAN, Record, ask, site

DAY = date(2025, 3, 4)
LATER = DAY + timedelta(days=1)


def told(record: Record, *gauges: str) -> dict[date, float]:
    return precipitation_days(ask(record, BEGAN, at=site(rain_gauge=[{"id": one} for one in gauges or ("RG-1",)])))


def rained(
    record: Record, day: date, inches: str, series: str = "", station: str = "RG-1", hour: int | None = None
) -> None:
    when = datetime(day.year, day.month, day.day, hour or 0, tzinfo=UTC)
    record.table.append({
        "station": station, "parameter": PRECIPITATION, "statistic": "sum", "series": series, "unit": "in",
        "clock": "day" if hour is None else "utc", "time_ms": round(when.timestamp() * 1000), "day": day,
        "value": float(inches), "value_text": inches, "flags": "", "row_id": f"1:{len(record.table) + 1}",
    })  # fmt: skip


def test_hours_and_a_total_of_one_rain_are_one_rain() -> None:
    record = Record()
    rained(record, DAY, "0.48")
    for hour in range(24):
        rained(record, DAY, "0.02", "hourly", hour=hour)
    assert told(record) == {DAY: 0.48}


def test_a_day_of_hours_needs_four_fifths_of_them() -> None:
    """0.8 x 24 = 19.2 hours: 20 are a day, 19 are not."""
    record = Record()
    for day, hours in ((DAY, 20), (LATER, 19)):
        for hour in range(hours):
            rained(record, day, "0.10", "hourly", hour=hour)
    assert list(told(record)) == [DAY]
    assert round(told(record)[DAY], 9) == 2.0


def test_two_totals_that_differ_leave_the_day_unknown_and_equal_ones_are_one() -> None:
    record = Record()
    rained(record, DAY, "0.10", "a")
    rained(record, DAY, "0.30", "b")
    rained(record, LATER, "0.20", "a")
    rained(record, LATER, "0.20", "b")
    assert told(record) == {LATER: 0.2}


def test_the_gauge_with_a_record_before_mining_speaks_wherever_it_stands_in_the_file() -> None:
    record = Record()
    rained(record, BEGAN, "9.00", station="RG-0")
    rained(record, DAY, "0.10", station="RG-1")
    assert told(record, "RG-0", "RG-1") == {DAY: 0.1}
    assert told(record, "RG-1", "RG-0") == {DAY: 0.1}


def test_no_gauge_knows_nothing() -> None:
    assert told(Record(), "RG-1") == {}
    assert precipitation_days(ask(Record(), BEGAN, at=site(rain_gauge=[]))) == {}
