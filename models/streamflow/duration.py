"""Flow duration: the share of days on which a discharge is equalled or exceeded, for the year, months and seasons."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.daily_record import Counts, DailyRecord, Numbers, month_of

SUMMER = (6, 7, 8, 9)
WINTER = (12, 1, 2)

# p (n + 1) is a whole number at the ends; a binary fraction may miss it by this much.
RANK_SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class FlowDuration:
    """A flow-duration curve.

    Parameters
    ----------
    exceedance : float64[n], m / (n + 1) for rank m of the flows in falling order [-] (Weibull 1939).
    flow : float64[n], falling [cfs].
    """

    exceedance: Numbers
    flow: Numbers


@dataclass(frozen=True, eq=False)
class MonthlyQuantiles:
    """One exceedance quantile per calendar month, January first.

    Parameters
    ----------
    exceedance : [-].
    flow : float64[12] [cfs], NaN where the month has too few days for the quantile.
    n, years : int64[12], known days in the month, and calendar years that have any.
    """

    exceedance: float
    flow: Numbers
    n: Counts
    years: Counts


def flow_duration(flow: ArrayLike) -> FlowDuration:
    """Flow-duration curve of the known values of ``flow``, float64[n] [cfs]; reverse flow is unknown."""
    falling = np.sort(_known(flow))[::-1]
    return FlowDuration(np.arange(1, falling.size + 1) / (falling.size + 1), falling)


def exceedance_quantile(flow: ArrayLike, exceedance: ArrayLike) -> Numbers:
    """The flow equalled or exceeded with a probability: Q90 is ``exceedance`` 0.90.

    Rank m = p (n + 1) counted from the highest; between ranks linear.

    Parameters
    ----------
    flow : float64[n] [cfs]; NaN and reverse flow are left out.
    exceedance : p, float64[k] [-], in 0..1.

    Returns
    -------
    float64[k]
        [cfs]; NaN where p lies outside 1/(n+1) .. n/(n+1): a record says nothing beyond its extremes.

    Raises
    ------
    BadQuestion : a probability outside 0..1.

    References
    ----------
    Weibull plotting position; Searcy (1959), USGS Water-Supply Paper 1542-A.
    """
    p = np.atleast_1d(np.asarray(exceedance, np.float64))
    if not ((p > 0) & (p < 1)).all():
        raise BadQuestion("not an exceedance probability", key="exceedance", found=p.tolist(), allowed=["0 to 1"])
    known = _known(flow)
    if not known.size:
        return np.full(p.size, np.nan)
    rank = p * (known.size + 1)
    inside = (rank >= 1 - RANK_SLACK) & (rank <= known.size + RANK_SLACK)
    return np.where(inside, np.quantile(known, 1 - p, method="weibull"), np.nan)


def monthly_quantiles(record: DailyRecord, exceedance: float) -> MonthlyQuantiles:
    """The exceedance quantile of each calendar month over all years of the record; p and errors as above."""
    flow, month = record.usable, month_of(record.days)
    year = record.days.astype("datetime64[Y]")
    known = np.isfinite(flow)
    chosen = [known & (month == one) for one in range(1, 13)]
    return MonthlyQuantiles(
        exceedance=exceedance,
        flow=np.concatenate([exceedance_quantile(flow[mask], exceedance) for mask in chosen]),
        n=np.array([mask.sum() for mask in chosen], np.int64),
        years=np.array([np.unique(year[mask]).size for mask in chosen], np.int64),
    )


def seasonal_quantile(record: DailyRecord, exceedance: float, months: Collection[int]) -> float:
    """The exceedance quantile [cfs] of all days in the given calendar months, as `SUMMER` or `WINTER`.

    Raises
    ------
    BadQuestion : no month, a month outside 1..12, a probability outside 0..1.
    """
    if not months or not set(months) <= set(range(1, 13)):
        raise BadQuestion("no such season", key="months", found=list(months), allowed=["1 to 12"])
    chosen = np.isin(month_of(record.days), list(months))
    return float(exceedance_quantile(record.usable[chosen], exceedance)[0])


def _known(flow: ArrayLike) -> Numbers:
    values = np.asarray(flow, np.float64)
    return values[values >= 0]
