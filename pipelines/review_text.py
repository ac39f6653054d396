"""Days and daily values as a reviewer writes them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from models.errors import BadQuestion
from models.plausible import DAILY_VALUES
from models.site import Gauge
from models.units import convert
from models.written_number import within, written_number

MOST_DAYS = 366


def daily_value(text: str, unit: str, gauge: Gauge) -> str:
    """A daily mean as its record keeps it [cfs or ft]; digits as given where the unit is the record's.

    Raises
    ------
    BadQuestion, BadUnit : no plain number, one that no gauge has shown, or a unit of something else.
    """
    bounds = DAILY_VALUES[gauge.judged]
    value = written_number(text, key="VALUE", what="a daily value")
    converted = convert(value, unit, bounds.unit)
    within(converted, bounds.least, bounds.most, key="VALUE", what="a daily value", unit=bounds.unit)
    return f"{converted:f}"


def days_of(text: str) -> list[date]:
    """The days of ``2025-08-20..2025-08-25``, of a list with commas, or of both.

    Raises
    ------
    BadQuestion : a part is no day or span, or there are more than ``MOST_DAYS``.
    """
    days = sorted({day for part in text.split(",") for day in _span(part.strip(), text)})
    if len(days) > MOST_DAYS:
        raise BadQuestion("too many days in one act", key="--days", found=text, allowed=[f"up to {MOST_DAYS}"])
    return days


def _span(part: str, text: str) -> Iterator[date]:
    first, dots, last = part.partition("..")
    allowed = ["2025-08-20..2025-08-25", "2025-08-20,2025-08-22"]
    try:
        start, end = _day(first.strip()), _day((last if dots else first).strip())
    except ValueError:
        raise BadQuestion("not days", key="--days", found=text, allowed=allowed) from None
    if not start <= end <= start + timedelta(days=MOST_DAYS):
        raise BadQuestion("ends before it begins, or is too long", key="--days", found=part, allowed=allowed)
    return (start + timedelta(days=k) for k in range((end - start).days + 1))


def _day(text: str) -> date:
    """A day in the one form a record shows it: ``2025-08-20``."""
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError(text)
    return day
