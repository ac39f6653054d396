"""Daily means of a logger's values over civil days of 23, 24 or 25 hours (shortfall semantics, decisions 6 and 7)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import BadQuestion
from models.observation import DAY_MS
from models.streamflow.practice import PRACTICE, Practice

Instants = NDArray[np.int64]
Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]

# Binary sums miss a decimal tie (4.995) by 1e-15; nine places bring it back before it is rounded half up.
MEAN_PLACES = 9


@dataclass(frozen=True)
class DailyMean:
    """One civil day.

    Parameters
    ----------
    day : local calendar day.
    mean : time-weighted mean of the values present [unit of the values]; None where there is none.
    coverage : time the values stand for over the actual length of the day [fraction 0..1]; for a regular logger
        values present over values expected (92, 96 or 100 at 15 minutes).
    hole_too_long : one hole in the day lasts over 4 h and its edges differ by more than 10 %.
    n : values stamped in the day.
    """

    day: date
    mean: float | None
    coverage: Decimal
    hole_too_long: bool
    n: int


def daily_means(
    time_ms: ArrayLike,
    value: ArrayLike,
    zone: tzinfo,
    *,
    interval_ms: int | None = None,
    practice: Practice = PRACTICE,
) -> list[DailyMean]:
    """Daily means of one series, one per civil day from its first to its last instant, empty days included.

    Parameters
    ----------
    time_ms : int64[n], UTC epoch [ms], strictly increasing.
    value : float64[n], NaN where missing.
    zone : the zone whose civil days are meant.
    interval_ms : recording interval [ms], at most a day. None takes the median step, but no more than the hole rule
        allows, so that weekly readings never pass for a daily mean (decision 24).
    practice : the hole rule.

    Returns
    -------
    list of DailyMean
        Each value stands from its instant until the next, for one interval at most.

    Raises
    ------
    BadQuestion : arrays of unequal length, instants not strictly increasing, an interval outside 1 ms to a day.
    """
    times, values = np.asarray(time_ms, np.int64), np.asarray(value, np.float64)
    _check(times, values, interval_ms)
    if not times.size:
        return []
    step = _interval(times, practice) if interval_ms is None else interval_ms
    days, midnights = _civil_days(int(times[0]), int(times[-1]), zone)
    present = np.isfinite(values)
    times, values = times[present], values[present]
    weight, volume = _integrate(times, values, midnights, step)
    holed = _hole_too_long(times, values, midnights, step, practice)
    counts = np.bincount(_day_of(times, midnights), minlength=len(days))
    return _rows(days, np.diff(midnights), weight, volume, holed, counts)


def _rows(
    days: list[date], lengths: Instants, weight: Numbers, volume: Numbers, holed: Marks, counts: NDArray[np.intp]
) -> list[DailyMean]:
    with np.errstate(invalid="ignore"):
        means = np.round(volume / weight, MEAN_PLACES)
    return [
        DailyMean(
            day=day,
            mean=float(means[k]) if weight[k] else None,
            coverage=Decimal(int(weight[k])) / Decimal(int(lengths[k])),
            hole_too_long=bool(holed[k]),
            n=int(counts[k]),
        )
        for k, day in enumerate(days)
    ]


def _check(times: Instants, values: Numbers, interval_ms: int | None) -> None:
    if times.ndim != 1 or times.shape != values.shape:
        raise BadQuestion("times and values differ in length", key="value", found=values.shape, allowed=[times.shape])
    if (np.diff(times) <= 0).any():
        raise BadQuestion("instants must increase", key="time_ms", allowed=["strictly increasing"])
    if interval_ms is not None and not 0 < interval_ms <= DAY_MS:
        raise BadQuestion("not an interval", key="interval_ms", found=interval_ms, allowed=[f"1 to {DAY_MS}"])


def _interval(times: Instants, practice: Practice) -> int:
    """Median step; a single reading stands for no time at all."""
    return min(int(np.median(np.diff(times))), practice.longest_hole_ms) if times.size > 1 else 1


def _civil_days(first_ms: int, last_ms: int, zone: tzinfo) -> tuple[list[date], Instants]:
    """The local days, and their midnights with the one after the last [UTC epoch ms]."""
    first, last = (datetime.fromtimestamp(ms // 1000, zone).toordinal() for ms in (first_ms, last_ms))
    days = [date.fromordinal(ordinal) for ordinal in range(first, last + 2)]
    midnights = [datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC).timestamp() for day in days]
    return days[:-1], np.array([round(second * 1000) for second in midnights], np.int64)


def _day_of(times: Instants, midnights: Instants) -> NDArray[np.intp]:
    return np.searchsorted(midnights, times, side="right") - 1


def _integrate(times: Instants, values: Numbers, midnights: Instants, step: int) -> tuple[Numbers, Numbers]:
    """Per day: the time covered [ms], and the integral of the value over it [unit x ms]."""
    edges = np.union1d(times, midnights)
    holder = np.searchsorted(times, edges[:-1], side="right") - 1
    held = holder >= 0
    edge, until, holder = edges[:-1][held], edges[1:][held], holder[held]
    width = np.clip(np.minimum(until, times[holder] + step) - edge, 0, None)
    day, days = _day_of(edge, midnights), len(midnights) - 1
    weight = np.bincount(day, width, days).astype(np.float64)
    return weight, np.bincount(day, width * values[holder], days).astype(np.float64)


def _hole_too_long(times: Instants, values: Numbers, midnights: Instants, step: int, practice: Practice) -> Marks:
    """Days in which one hole lasts too long; a hole at the rim of the record has only one edge and agrees with none."""
    starts = np.concatenate([midnights[:1], times + step])
    ends = np.concatenate([times, midnights[-1:]])
    before, after = np.concatenate([[np.nan], values]), np.concatenate([values, [np.nan]])
    agree = np.abs(before - after) <= practice.edges_agree * np.fmax(np.abs(before), np.abs(after))
    holed = np.zeros(len(midnights) - 1, np.bool_)
    for k in np.flatnonzero((ends - starts > practice.longest_hole_ms) & ~agree):
        first, last = _day_of(np.array([starts[k], ends[k]]), midnights)
        touched = slice(first, last + 1)
        inside = np.minimum(midnights[1:], ends[k])[touched] - np.maximum(midnights[:-1], starts[k])[touched]
        holed[touched] |= inside > practice.longest_hole_ms
    return holed
