"""Daily means of a logger's values over civil days of 23, 24 or 25 hours (shortfall semantics, decisions 6 and 7).

What a day is depends on the readings of that day and its two neighbours, and on nothing else: not on the deliveries
they came in, nor on what the logger did in another month. The values expected of a day are those of its own step.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.errors import BadQuestion
from models.observation import DAY_MS
from models.streamflow.day_states import Quantity
from models.streamflow.practice import PRACTICE, Practice

Instants = NDArray[np.int64]
Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]

# Binary sums miss a decimal tie (4.995) by 1e-15; nine places bring it back before it is rounded half up.
MEAN_PLACES = 9

FINEST_SHARE = 0.10
"""The finest gap that makes up this share of the recorded time is the day's step. Of readings lost at random down to a
share p, neighbours keep p^2 of the time: where under a third is left, no coarser step brings the day to four fifths."""
EVEN_GAPS, EVEN_WITHIN = 6, 0.10
"""So many gaps on end, each like the one before [fraction], are a step of their own: a logger that was set anew."""
NO_TIME_MS = 1
"""How long a reading stands that keeps no step: it has a value and no coverage to speak of."""


@dataclass(frozen=True)
class DailyMean:
    """One civil day.

    Parameters
    ----------
    day : local calendar day.
    mean : time-weighted mean of the values present [unit of the values]; None where there is none.
    coverage : time the values stand for over the actual length of the day [fraction 0..1]; for a regular logger
        values present over values expected (92, 96 or 100 at 15 minutes).
    hole_too_long : one hole in the day lasts over 4 h and its edges differ by more than 10 % (a stage: 0.02 ft), or lie
        further off than the day before and the day after.
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
    quantity: Quantity = "discharge",
    practice: Practice = PRACTICE,
) -> list[DailyMean]:
    """Daily means of one series, one per civil day from its first to its last instant, empty days included.

    Parameters
    ----------
    time_ms : int64[n], UTC epoch [ms], strictly increasing.
    value : float64[n], NaN where missing.
    zone : the zone whose civil days are meant.
    interval_ms : recording interval [ms], at most a day. None takes each day's own step (see Notes).
    quantity : the values are discharge [cfs] or stage [ft]; a stage has an arbitrary zero, and no share of it is small.
    practice : the hole rule, and the longest gap that is a recording step.

    Returns
    -------
    list of DailyMean
        Each value stands from its instant until the next, for one step at most.

    Raises
    ------
    BadQuestion : arrays of unequal length, instants not strictly increasing, an interval outside 1 ms to a day.

    Notes
    -----
    Steps are read from the gaps between the instants of one civil day, missing values included, as far as they are no
    longer than ``practice.longest_step_ms``: readings every four hours, or weekly, are no daily record (decision 24).
    Six even gaps on end are a step of their own, so a day recorded regularly throughout is whole at any such step, and
    a logger set anew at noon loses nothing. All other readings of the day stand for its finest usual step.
    """
    times, values = np.asarray(time_ms, np.int64), np.asarray(value, np.float64)
    _check(times, values, interval_ms)
    if not times.size:
        return []
    days, midnights = _civil_days(int(times[0]), int(times[-1]), zone)
    steps = _steps(times, midnights, practice) if interval_ms is None else np.full(times.size, interval_ms)
    present = np.isfinite(values)
    times, values, step = times[present], values[present], steps[present]
    weight, volume = _integrate(times, values, midnights, step)
    agree = _edges_agree(values, quantity, practice)
    holed = _hole_too_long(times, agree, midnights, step, practice)
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


def _steps(times: Instants, midnights: Instants, practice: Practice) -> Instants:
    """How long each reading stands at most [ms]."""
    day, gap = _day_of(times, midnights), np.diff(times)
    usable = (np.diff(day) == 0) & (gap <= practice.longest_step_ms)
    steps = _finest(gap[usable], day[1:][usable], len(midnights) - 1)[day]
    even = np.flatnonzero(_is_even(gap, usable))
    # The reading that ends an even stretch keeps its step, unless another stretch begins with it.
    steps[even + 1] = gap[even]
    steps[even] = gap[even]
    return steps


def _finest(gap: Instants, day: NDArray[np.intp], days: int) -> Instants:
    """Per day the shortest gap such that it and shorter ones make up their share of the recorded time [ms]."""
    order = np.lexsort((gap, day))
    gap, day = gap[order], day[order]
    recorded = np.bincount(day, gap, days)
    before_day = np.cumsum(recorded) - recorded
    usual = np.flatnonzero(np.cumsum(gap) - before_day[day] >= FINEST_SHARE * recorded[day])
    which, first = np.unique(day[usual], return_index=True)
    steps = np.full(days, NO_TIME_MS, np.int64)
    steps[which] = gap[usual[first]]
    return steps


def _is_even(gap: Instants, usable: Marks) -> Marks:
    """Gaps that belong to a stretch of even ones."""
    if not gap.size:
        return usable
    like = np.abs(np.diff(gap)) <= EVEN_WITHIN * np.maximum(gap[1:], gap[:-1])
    stretch = np.cumsum(np.concatenate([[True], ~(like & usable[1:] & usable[:-1])])) - 1
    long: Marks = np.bincount(stretch)[stretch] >= EVEN_GAPS
    return usable & long


def _civil_days(first_ms: int, last_ms: int, zone: tzinfo) -> tuple[list[date], Instants]:
    """The local days, and their midnights with the one after the last [UTC epoch ms]."""
    first, last = (datetime.fromtimestamp(ms // 1000, zone).toordinal() for ms in (first_ms, last_ms))
    days = [date.fromordinal(ordinal) for ordinal in range(first, last + 2)]
    midnights = [datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC).timestamp() for day in days]
    return days[:-1], np.array([round(second * 1000) for second in midnights], np.int64)


def _day_of(times: Instants, midnights: Instants) -> NDArray[np.intp]:
    return np.searchsorted(midnights, times, side="right") - 1


def _integrate(times: Instants, values: Numbers, midnights: Instants, step: Instants) -> tuple[Numbers, Numbers]:
    """Per day: the time covered [ms], and the integral of the value over it [unit x ms]."""
    edges = np.union1d(times, midnights)
    holder = np.searchsorted(times, edges[:-1], side="right") - 1
    held = holder >= 0
    edge, until, holder = edges[:-1][held], edges[1:][held], holder[held]
    width = np.clip(np.minimum(until, (times + step)[holder]) - edge, 0, None)
    day, days = _day_of(edge, midnights), len(midnights) - 1
    weight = np.bincount(day, width, days).astype(np.float64)
    return weight, np.bincount(day, width * values[holder], days).astype(np.float64)


def _hole_too_long(times: Instants, agree: Marks, midnights: Instants, step: Instants, practice: Practice) -> Marks:
    """Days in which one hole lasts too long; a hole at the rim of the record has only one edge and agrees with none."""
    starts = np.concatenate([midnights[:1], times + step])
    ends = np.concatenate([times, midnights[-1:]])
    holed = np.zeros(len(midnights) - 1, np.bool_)
    for k in np.flatnonzero(ends - starts > practice.longest_hole_ms):
        edge = times[k - 1] if k else starts[0]
        before, first, last = _day_of(np.array([edge, starts[k], ends[k]]), midnights)
        touched = np.arange(first, min(last, holed.size - 1) + 1)
        inside = np.minimum(midnights[touched + 1], ends[k]) - np.maximum(midnights[touched], starts[k])
        # An edge further off than the next day says nothing of this one, and would be known in one delivery only.
        near = (touched - before <= 1) & (last - touched <= 1)
        holed[touched] |= (inside > practice.longest_hole_ms) & ~(agree[k] & near)
    return holed


def _edges_agree(values: Numbers, quantity: Quantity, practice: Practice) -> Marks:
    """Whether the values before and after each gap differ by no more than a share of a flow, or the error of a stage.

    Binary differences miss a decimal tie (4.12 - 4.10); nine places bring it back.
    """
    before, after = np.concatenate([[np.nan], values]), np.concatenate([values, [np.nan]])
    if quantity == "stage":
        within: Marks = np.round(np.abs(before - after), MEAN_PLACES) <= float(practice.stage_uncertainty_ft)
        return within
    agree: Marks = np.abs(before - after) <= practice.edges_agree * np.fmax(np.abs(before), np.abs(after))
    return agree
