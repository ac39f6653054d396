"""HYSEP: fixed interval, sliding interval and local minimum (Pettyjohn & Henning 1979; Sloto & Crouse 1996).

The interval is the odd number of days, 3 to 11, nearest to twice N = A**0.2 [d], A the drainage area [mi2]; ties go
down, as in the program. 2N <= 4, 6, 8, 10 is A <= 32, 243, 1024, 3125 mi2: compared as areas, no power is rounded.

References
----------
Pettyjohn & Henning (1979), Ohio State Univ. Water Resources Center 552.
Sloto & Crouse (1996), HYSEP, USGS WRIR 96-4040.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.separation.parameters import AREA
from models.streamflow.separation.runs import Floats, Ints
from models.streamflow.separation.stack import Stack, separate_stacked
from models.streamflow.separation.turning_points import join_logs

WIDEST_AREA_MI2 = (32.0, 243.0, 1024.0, 3125.0)
"""Largest drainage areas with an interval of 3, 5, 7 and 9 days [mi2]; above the last it is 11."""


def hysep_interval(area_mi2: ArrayLike) -> Ints:
    """The interval 2N* [d], odd, 3 to 11.

    Parameters
    ----------
    area_mi2 : drainage area A [mi2], above 0.

    Raises
    ------
    BadQuestion : the area is not above 0.
    """
    return 3 + 2 * np.searchsorted(WIDEST_AREA_MI2, AREA.check(area_mi2), side="left")


def hysep_fixed(flow: ArrayLike, area_mi2: ArrayLike) -> Floats:
    """Minimum of consecutive blocks of 2N* days from the first day of each run; left-over days are a short block.

    Parameters
    ----------
    flow : float64[day] or [day, station], any unit, NaN where unknown.
    area_mi2 : drainage area [mi2], one or per station.

    Returns
    -------
    float64, shape and unit of ``flow``. It depends on the first day of the record.

    Raises
    ------
    BadQuestion : the area is not above 0, or a wrong shape.
    """
    return separate_stacked(flow, partial(_fixed, interval=hysep_interval(AREA.each(area_mi2, flow))))


def hysep_sliding(flow: ArrayLike, area_mi2: ArrayLike) -> Floats:
    """Minimum of the 2N* days centred on each day, cut off at the ends of a run; parameters as in `hysep_fixed`."""
    return separate_stacked(flow, partial(_sliding, interval=hysep_interval(AREA.each(area_mi2, flow))))


def hysep_local_minimum(flow: ArrayLike, area_mi2: ArrayLike) -> Floats:
    """Days no higher than the (2N* - 1)/2 days on either side, joined by lines in log10 of flow.

    Parameters as in `hysep_fixed`. The first and last such day of a run are held to its ends; a run without one is
    undefined. Zeros count as 0.01 in the logarithm, so with zero flow the unit matters: cfs. The report speaks of
    straight lines; the program interpolates logarithms, and so does this.
    """
    return separate_stacked(flow, partial(_local_minimum, interval=hysep_interval(AREA.each(area_mi2, flow))))


def _fixed(stack: Stack, interval: Ints) -> Floats:
    begins = np.flatnonzero(stack.day % stack.spread(interval[stack.station]) == 0)
    lowest = np.minimum.reduceat(stack.flow, begins)
    return np.repeat(lowest, np.diff(begins, append=stack.flow.size))


def _sliding(stack: Stack, interval: Ints) -> Floats:
    half = stack.spread(interval[stack.station] // 2)
    lowest, flow = stack.flow.copy(), stack.flow
    back, ahead = np.minimum(stack.day, half), np.minimum(stack.days_left, half)
    for days in range(1, int(half.max()) + 1):
        np.minimum(lowest[days:], flow[:-days], out=lowest[days:], where=back[days:] >= days)
        np.minimum(lowest[:-days], flow[days:], out=lowest[:-days], where=ahead[:-days] >= days)
    return lowest


def _local_minimum(stack: Stack, interval: Ints) -> Floats:
    half = stack.spread(interval[stack.station] // 2)
    whole = (stack.day >= half) & (stack.days_left >= half)
    at = np.flatnonzero(whole & (stack.flow == _sliding(stack, interval)))
    return np.minimum(join_logs(stack, at, stack.flow[at], hold_ends=True), stack.flow)
