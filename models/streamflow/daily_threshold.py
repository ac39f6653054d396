"""A threshold that changes from day to day of the year, without a step at a month's end (decision 18)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.daily_record import Counts, DailyRecord, Days, Numbers
from models.streamflow.duration import exceedance_quantile

CALENDAR = np.arange("2000-01-01", "2001-01-01", dtype="datetime64[D]")
"""A leap year: slot 0 is 1 January, 59 is 29 February, 365 is 31 December."""
SLOTS = CALENDAR.size


def calendar_slot(days: Days) -> Counts:
    """Slot 0..365 of each day in a leap year, so that a date has the same slot in every year."""
    first_of_month = days.astype("datetime64[M]")
    month = first_of_month.astype(np.int64) % 12
    starts = np.searchsorted(CALENDAR.astype("datetime64[M]").astype(np.int64) % 12, np.arange(12))
    into = (days - first_of_month.astype("datetime64[D]")).astype(np.int64)
    return np.asarray(starts[month] + into, np.int64)


def interpolated_months(monthly: ArrayLike) -> Numbers:
    """Twelve monthly values as 366 daily ones: linear between the middles of the months, round the year's end.

    Parameters
    ----------
    monthly : float64[12] [cfs], January first; NaN spreads to the half months beside it.

    Returns
    -------
    float64[366] [cfs]
        By `calendar_slot`. The value in the middle of a month is that month's; its mean is not kept.
    """
    values = np.asarray(monthly, np.float64)
    if values.shape != (12,):
        raise BadQuestion("not twelve months", key="monthly", found=values.shape, allowed=["12 values"])
    bounds = np.append(np.searchsorted(CALENDAR.astype("datetime64[M]").astype(np.int64) % 12, np.arange(12)), SLOTS)
    middle = (bounds[:-1] + bounds[1:]) / 2
    around = np.concatenate([middle[-1:] - SLOTS, middle, middle[:1] + SLOTS])
    return np.asarray(np.interp(np.arange(SLOTS) + 0.5, around, np.concatenate([values[-1:], values, values[:1]])))


def moving_window_quantile(
    record: DailyRecord, exceedance: float, *, window_days: int = 31, smoothing_days: int = 31
) -> Numbers:
    """Exceedance quantile of a moving window of the calendar, then smoothed by a moving mean.

    Parameters
    ----------
    record : all its years are pooled.
    exceedance : p [-].
    window_days, smoothing_days : odd [d]; a smoothing of 1 day leaves the quantiles as they are.

    Returns
    -------
    float64[366] [cfs]
        By `calendar_slot`; NaN where a window has too few days for p.

    References
    ----------
    Van Loon (2015), WIREs Water 2, 359-392; Beyene et al. (2014), HESS Discuss. 11, 12765-12797.
    """
    _check_odd("window_days", window_days)
    _check_odd("smoothing_days", smoothing_days)
    by_slot, flow = calendar_slot(record.days), record.usable
    of_slot = [flow[by_slot == slot] for slot in range(SLOTS)]
    half = window_days // 2
    pools = (np.concatenate([of_slot[k % SLOTS] for k in range(s - half, s + half + 1)]) for s in range(SLOTS))
    return _circular_mean(np.concatenate([exceedance_quantile(pool, exceedance) for pool in pools]), smoothing_days)


def on_days(threshold: ArrayLike, days: Days) -> Numbers:
    """The 366 values of a threshold [cfs] laid on calendar days."""
    return np.asarray(threshold, np.float64)[calendar_slot(days)]


def _circular_mean(values: Numbers, width: int) -> Numbers:
    half = width // 2
    padded = np.concatenate([values[SLOTS - half :], values, values[:half]])
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, width).mean(axis=1))


def _check_odd(key: str, width: int) -> None:
    if width % 2 == 0 or not 1 <= width < SLOTS:
        raise BadQuestion("not a window", key=key, found=width, allowed=["an odd number of days, 1 to 365"])
