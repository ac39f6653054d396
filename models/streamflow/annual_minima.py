"""Annual minima of the n-day mean discharge, by climatic year."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.daily_record import Counts, DailyRecord, Days, Numbers, year_ending, year_span

APRIL = 4
"""Climatic year 1 April to 31 March: it begins in high water and does not cut a low-flow season (Riggs 1972)."""


@dataclass(frozen=True)
class ExcludedYear:
    """A year without a minimum, and why."""

    year: int
    reason: str


@dataclass(frozen=True, eq=False)
class AnnualMinima:
    """Annual n-day low flows.

    Parameters
    ----------
    n_days : length of the mean [d].
    start_month : month in which the year begins.
    year : int64[k], named by the calendar year it ends in.
    flow : float64[k], lowest n-day mean [cfs].
    first_day : datetime64[D][k], first day of the (first) lowest window.
    excluded : the years of the record that gave none.
    """

    n_days: int
    start_month: int
    year: Counts
    flow: Numbers
    first_day: Days
    excluded: tuple[ExcludedYear, ...]


def n_day_means(flow: ArrayLike, n_days: int) -> Numbers:
    """Means of every n consecutive days, float64[max(n - n_days + 1, 0)]; NaN where one of them is unknown."""
    values = np.asarray(flow, np.float64)
    if values.size < n_days:
        return np.empty(0)
    return np.asarray(sliding_window_view(values, n_days).mean(axis=1))


def annual_minima(
    record: DailyRecord, n_days: int = 7, *, start_month: int = APRIL, required_days: int | None = None
) -> AnnualMinima:
    """Lowest n-day mean of each year; windows lie within the year.

    Parameters
    ----------
    record : daily flow; reverse flow is unknown.
    n_days : length of the mean [d].
    start_month : 4 for climatic, 10 for water, 1 for calendar years.
    required_days : known days a year needs [d]. None asks for every day, the rule for Q7,10; with fewer the lowest
        days may be the missing ones, and the minimum is only an upper bound.

    Raises
    ------
    BadQuestion : no such month, a window outside 1..365 days, a requirement below the window.

    References
    ----------
    Riggs (1972), Low-flow investigations, USGS TWRI book 4, chapter B1.
    """
    _check(n_days, required_days)
    years = year_ending(record.days, start_month)
    labels, starts = np.unique(years, return_index=True)
    flows = np.split(record.usable, starts[1:])
    why = [_why_excluded(int(y), f, start_month, n_days, required_days) for y, f in zip(labels, flows, strict=True)]
    kept = [k for k, reason in enumerate(why) if not reason]
    means = [n_day_means(flows[k], n_days) for k in kept]
    lowest = [int(np.nanargmin(one)) for one in means]
    return AnnualMinima(
        n_days=n_days,
        start_month=start_month,
        year=labels[kept],
        flow=np.array([one[at] for one, at in zip(means, lowest, strict=True)], np.float64),
        first_day=record.days[starts[kept] + np.array(lowest, np.int64)],
        excluded=tuple(ExcludedYear(int(y), reason) for y, reason in zip(labels, why, strict=True) if reason),
    )


def _why_excluded(year: int, flow: Numbers, start_month: int, n_days: int, required_days: int | None) -> str:
    first, after = year_span(year, start_month)
    length = int((after - first).astype(np.int64))
    known = int(np.isfinite(flow).sum())
    if known < (length if required_days is None else required_days):
        return f"{known} of {length} days known"
    return "" if np.isfinite(n_day_means(flow, n_days)).any() else f"no {n_days} consecutive days known"


def _check(n_days: int, required_days: int | None) -> None:
    if not 1 <= n_days <= 365:
        raise BadQuestion("not a window", key="n_days", found=n_days, allowed=["1 to 365 days"])
    if required_days is not None and not n_days <= required_days <= 365:
        raise BadQuestion("not enough days", key="required_days", found=required_days, allowed=[f"{n_days} to 365"])
