"""When a residual has fallen below an amount for good: the recovery of a level or a stream after the pumps stop.

A residual grows for a while at a distance, then dies as a power of time and never ends, so that "recovered" means
below an amount that somebody states. One table of times serves every amount and every corner of a range.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite, positive
from models.errors import BadQuestion

LAST_D = 36_525.0
"""A hundred years; a later recovery is told as none."""

SINCE_STOP_D = np.concatenate([[0.0], np.geomspace(0.1, LAST_D, 257)])
"""Days after the stop at which a residual is looked at, 5 % apart: the date is good to 0.1 % of the time since."""


def falls_below_d(since_stop_d: ArrayLike, residual: ArrayLike, amount: ArrayLike) -> Numbers:
    """Days since the stop after which a residual stays at or below an amount.

    Parameters
    ----------
    since_stop_d : float64[k], rising from 0 [d].
    residual : float64[row, k], what is left at those times.
    amount : what counts as recovered, above 0, one or one per row, in the unit of the residual.

    Returns
    -------
    float64[row]
        0 where it is nowhere above the amount; infinite where it still is at the last time.

    Raises
    ------
    BadQuestion : an amount not above 0; shapes that do not fit; a number that is not finite.

    Notes
    -----
    Between two times ln(residual) is straight in ln(1 + t), as a power law is.
    """
    times, left = finite("since_stop_d", since_stop_d), finite("residual", residual)
    if left.ndim != 2 or left.shape[1:] != times.shape:
        raise BadQuestion("one time a column", key="residual", found=left.shape, allowed=[f"(row, {times.size})"])
    enough = np.broadcast_to(positive("amount", amount), left.shape[:1])
    return np.array([_falls(times, row, float(one)) for row, one in zip(left, enough, strict=True)])


def _falls(times: Numbers, left: Numbers, amount: float) -> float:
    above = np.flatnonzero(left > amount)
    if above.size == 0:
        return 0.0
    last = int(above[-1])
    if last == times.size - 1:
        return float("inf")
    x = np.log1p(times[last : last + 2])
    ends = np.log(np.maximum(left[last : last + 2], np.finfo(np.float64).tiny))
    return float(np.expm1(x[0] + (x[1] - x[0]) * (ends[0] - np.log(amount)) / (ends[0] - ends[1])))
