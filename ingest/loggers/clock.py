"""Dates and times as loggers write them: one order of day, month and year for a file, AM and PM, two-digit years."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ingest.cells import BadCell, Column, read_column
from ingest.date_order import column_order, day_in_order
from ingest.reading import DateOrder, Source
from ingest.times import HOUR_MS, MINUTE_MS, civil_day, clock_time

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
CENTURY = 2000
"""Two-digit years of loggers are of this century: none of these makers' files is older."""
LONGEST_OFFSET_MS = 14 * HOUR_MS

_MONTH_NAME = re.compile(r"([0-9]{1,2})[-/. ]([A-Za-z]{3})[a-z]*[-/. ]([0-9]{2}|[0-9]{4})")
_SHORT_YEAR = re.compile(r"([0-9]{1,2}([-/.])[0-9]{1,2}\2)([0-9]{2})")
_HALF = re.compile(r"(?:(?P<before>[AP])\.?M\.?\s*)?(?P<clock>[0-9][0-9:.,]*)(?:\s*(?P<after>[AP])\.?M\.?)?", re.I)
_OFFSET = re.compile(r"([-+]?)([0-9]{1,2})(?::?([0-9]{2}))?(?::00)?")


@dataclass(frozen=True)
class Times:
    """When each record was taken [ms], and why some have no time. ``clock`` is ``utc`` or ``naive``."""

    column: str
    raw: Sequence[str]
    read: Column
    clock: str = "naive"


def times(
    column: str, days: Sequence[str], clocks: Sequence[str], order: DateOrder, offset_ms: int | None = None
) -> Times:
    """Days and times of day, column against column; UTC where the file states the offset of its clock."""
    day = read_column(days, lambda text: day_of(text, order), np.int64, 0)
    clock = read_column(clocks, time_of_day, np.int64, 0)
    ms = day.values + clock.values - (offset_ms or 0)
    raw = [f"{one} {other}".strip() for one, other in zip(days, clocks, strict=True)]
    return Times(
        column, raw, Column(ms, np.where(day.bad, day.reasons, clock.reasons)), "naive" if offset_ms is None else "utc"
    )


def parted(moments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Dates and times of day out of one column of both."""
    pairs = [text.partition(" ") for text in moments]
    return [day for day, _, _ in pairs], [clock.strip() for _, _, clock in pairs]


def order_of(source: Source, column: str, rows: Sequence[int], days: Sequence[str], first_ms: int = -1) -> DateOrder:
    """The order of all dates of a file.

    Parameters
    ----------
    first_ms : day of the first record, where the header states it in an order that leaves nothing open; -1 if not.

    Raises
    ------
    BadFile : dates that contradict each other, or that nothing decides.
    """
    texts: dict[str, int] = {}
    for row, day in zip(rows, days, strict=True):
        texts.setdefault(day, row)
    told = source.told.date_order or _by_start(next(iter(texts), ""), first_ms)
    asked = replace(source, told=replace(source.told, date_order=told))
    return column_order(asked, column, ((row, full_date(text)) for text, row in texts.items()))


def _by_start(first: str, start_ms: int) -> DateOrder | None:
    orders: tuple[DateOrder, ...] = ("dmy", "mdy")
    if re.match("[0-9]{4}", full_date(first)):
        return None
    fits = [order for order in orders if start_ms != -1 and _day_or_none(first, order) == start_ms]
    return fits[0] if len(fits) == 1 else None


def _day_or_none(text: str, order: DateOrder) -> int | None:
    try:
        return day_of(text, order)
    except BadCell:
        return None


def day_of(text: str, order: DateOrder) -> int:
    """Midnight that starts a day [ms].

    Raises
    ------
    BadCell : no such day in this order.
    """
    return day_in_order(full_date(text), order)


def full_date(text: str) -> str:
    """A date with four digits for the year and a number for the month, as far as it is one."""
    named = _MONTH_NAME.fullmatch(text)
    if named is not None and named[2].casefold() in MONTHS:
        year = int(named[3]) + (CENTURY if len(named[3]) == 2 else 0)
        return f"{year}-{MONTHS.index(named[2].casefold()) + 1:02}-{int(named[1]):02}"
    short = _SHORT_YEAR.fullmatch(text)
    return text if short is None else f"{short[1]}{int(short[3]) + CENTURY}"


def time_of_day(text: str) -> int:
    """``13:00:00``, ``1:00:00.5 pm`` or ``PM 01:00:00`` after midnight [ms].

    Raises
    ------
    BadCell : no such time.
    """
    match = _HALF.fullmatch(text)
    if match is None or (match["before"] and match["after"]):
        raise BadCell("not a time of day")
    after = clock_time(match["clock"])
    half = match["before"] or match["after"]
    if half is None:
        return after
    if not HOUR_MS <= after < 13 * HOUR_MS:
        raise BadCell("no such time of a 12 hour clock")
    return after % (12 * HOUR_MS) + (12 * HOUR_MS if half.upper() == "P" else 0)


def offset_of(text: str) -> int:
    """``-07:00``, ``+1`` or ``08:00:00`` east of Greenwich [ms].

    Raises
    ------
    BadCell : no such offset.
    """
    match = _OFFSET.fullmatch(text.strip())
    if match is None or int(match[3] or 0) > 59:
        raise BadCell("no such offset from UTC")
    size = int(match[2]) * HOUR_MS + int(match[3] or 0) * MINUTE_MS
    if size > LONGEST_OFFSET_MS:
        raise BadCell("no such offset from UTC")
    return -size if match[1] == "-" else size


def zone_text(offset_ms: int | None) -> str | None:
    """``UTC-06:00``; None where the file states no offset."""
    if offset_ms is None:
        return None
    minutes = abs(offset_ms) // MINUTE_MS
    return f"UTC{'-' if offset_ms < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"


def written_day(text: str) -> int:
    """The day that a header states with its year in front or with nothing left open [ms]; -1 where it does not."""
    match = re.match(r"([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})", text)
    if match is None:
        return -1
    try:
        return civil_day(int(match[1]), int(match[2]), int(match[3]))
    except BadCell:
        return -1
