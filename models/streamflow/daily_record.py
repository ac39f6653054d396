"""A record of daily mean discharge: one value for every calendar day, NaN where none is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import BadQuestion

Days = NDArray[np.datetime64]
Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]
Counts = NDArray[np.int64]

MONTHS_BEFORE_1970 = 1970 * 12


@dataclass(frozen=True, eq=False)
class DailyRecord:
    """Daily mean discharge without holes in its calendar. Build it with `daily_record`.

    Parameters
    ----------
    days : datetime64[D][n], every calendar day from the first to the last.
    flow : float64[n] [cfs], NaN where unknown; reverse flow keeps its sign.
    limit : of an extended record [cfs]: days on which the index gauge was dry stand at 0, and are only known to be at
        or below this. They keep their rank; a statistic below the limit has no value.
    """

    days: Days
    flow: Numbers
    limit: float = 0.0

    @property
    def usable(self) -> Numbers:
        """The flow [cfs] with reverse (negative) flow unknown: backwater says nothing of low flow (decision 21)."""
        return np.where(self.flow >= 0, self.flow, np.nan)

    @property
    def reverse_days(self) -> int:
        """Days of negative flow [d]."""
        return int((self.flow < 0).sum())


def daily_record(days: ArrayLike, flow: ArrayLike) -> DailyRecord:
    """A record from the days that have a row; calendar days between them become unknown.

    Parameters
    ----------
    days : datetime64[n], or whole days since 1970-01-01 as int[n]; strictly increasing.
    flow : float64[n] [cfs], NaN where unknown.

    Raises
    ------
    BadQuestion : no day, unequal lengths, days that are not dates or do not increase, an infinite flow.
    """
    given, values = _as_days(days), np.asarray(flow, np.float64)
    _check(given, values)
    calendar = np.arange(given[0], given[-1] + 1)
    filled = np.full(calendar.size, np.nan)
    filled[(given - given[0]).astype(np.int64)] = values
    return DailyRecord(calendar, filled)


def month_of(days: Days) -> Counts:
    """Calendar month 1..12 of each day."""
    return days.astype("datetime64[M]").astype(np.int64) % 12 + 1


def year_ending(days: Days, start_month: int) -> Counts:
    """The calendar year in which each day's year ends, for years that begin on the first of ``start_month``.

    A climatic year (April to March) is named by the year of its March, as USGS DVstats does; others use its April.
    """
    if start_month not in range(1, 13):
        raise BadQuestion("no such month", key="start_month", found=start_month, allowed=["1 to 12"])
    months = days.astype("datetime64[M]").astype(np.int64) + MONTHS_BEFORE_1970
    return (months - (start_month - 1)) // 12 + (start_month > 1)


def year_span(year: int, start_month: int) -> tuple[np.datetime64, np.datetime64]:
    """First day of the year that ends in ``year``, and the first day after it."""
    after = (year + (start_month == 1)) * 12 + start_month - 1 - MONTHS_BEFORE_1970
    return np.datetime64(after - 12, "M").astype("datetime64[D]"), np.datetime64(after, "M").astype("datetime64[D]")


def _as_days(days: ArrayLike) -> Days:
    raw = np.asarray(days)
    if raw.dtype.kind in "iu":
        raw = raw.astype("datetime64[D]")
    if raw.dtype.kind != "M":
        raise BadQuestion("not dates", key="days", found=str(raw.dtype), allowed=["datetime64", "whole days"])
    return raw.astype("datetime64[D]")


def _check(days: Days, values: Numbers) -> None:
    if days.ndim != 1 or days.shape != values.shape:
        raise BadQuestion("days and flows differ in length", key="flow", found=values.shape, allowed=[days.shape])
    if not days.size:
        raise BadQuestion("the record holds no day", key="days")
    if np.isnat(days).any() or (np.diff(days).astype(np.int64) <= 0).any():
        raise BadQuestion("days must increase", key="days", allowed=["strictly increasing dates"])
    if np.isinf(values).any():
        raise BadQuestion("a flow is infinite", key="flow", allowed=["a number", "NaN where unknown"])
