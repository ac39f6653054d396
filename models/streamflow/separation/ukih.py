"""Smoothed minima: the Institute of Hydrology's base flow, and the BFI program's variants of it.

Non-overlapping blocks of N days from the first day of a run, minima m[k] (the first day if tied). The middle of three
is a turning point if f m[k] <= m[k-1] and f m[k] <= m[k+1]. Base flow is the line through the turning points, never
above flow, and undefined before the first and after the last. The report prints "<"; only "<=" reproduces the
published River Ray, for a dry block can never satisfy 0 < 0.

References
----------
Institute of Hydrology (1980), Low Flow Studies Report 3. Gustard et al. (1992), IH Report 108. WMO-No. 1029.
Wahl & Wahl (1988, 1995), the BFI program (USBR). Piggott, Moin & Southam (2005), Hydrol. Sci. J. 50(5).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.separation.parameters import Number, Whole
from models.streamflow.separation.runs import Floats, Ints
from models.streamflow.separation.stack import Stack, separate_stacked
from models.streamflow.separation.turning_points import join, join_logs

BLOCK = Whole("block_days", "length N of a block", "d", 1, 365, default=5)
FACTOR = Number(
    "factor", "f: a minimum times f must not exceed its neighbours", "-", 0, 1, includes_high=True, default=0.9
)
ORIGIN = Whole("origin_days", "days left out before the first block", "d", 0, 364, default=0)
DAILY_FACTOR = Number(
    "daily_factor",
    "K': f is K' to the power of the days between the minima",
    "-",
    0,
    1,
    includes_high=True,
    default=0.9**0.2,
)
"""Printed as 0.97915, meant as the fifth root of 0.9: flow is rounded, so minima 5 days apart tie at exactly 0.9."""

Line = Callable[..., Floats]


def ukih(flow: ArrayLike, block_days: int = 5, factor: ArrayLike = 0.9, origin_days: int = 0) -> Floats:
    """Smoothed minima with straight lines.

    Parameters
    ----------
    flow : float64[day] or [day, station], any unit, NaN where unknown.
    block_days : N [d].
    factor : f [-], one or per station.
    origin_days : days left out before the first block of each run, below N [d].

    Returns
    -------
    float64, shape and unit of ``flow``; undefined days are NaN.

    Raises
    ------
    BadQuestion : a parameter out of range, or a wrong shape.
    """
    factors = FACTOR.each(factor, flow)
    blocks = _Blocks(BLOCK.check(block_days), _origin(origin_days, block_days))
    return separate_stacked(flow, partial(_smoothed_minima, blocks=blocks, factor=factors, line=join))


def ukih_averaged(flow: ArrayLike, block_days: int = 5, factor: ArrayLike = 0.9) -> Floats:
    """Mean of `ukih` over all N origins (Piggott et al. 2005), defined where all of them are."""
    origins = range(BLOCK.check(block_days))
    total = ukih(flow, block_days, factor, 0)
    for origin in origins[1:]:
        total += ukih(flow, block_days, factor, origin)
    return total / len(origins)


def wahl(flow: ArrayLike, block_days: int = 5, factor: ArrayLike = 0.9) -> Floats:
    """The BFI program's standard method: as `ukih`, with lines in log10 of flow.

    Zeros count as 0.01 in the logarithm, so with zero flow the unit matters: cfs. The whole run is taken at once,
    without the program's artificial turning points at the ends of water years.
    """
    factors = FACTOR.each(factor, flow)
    blocks = _Blocks(BLOCK.check(block_days), 0)
    return separate_stacked(flow, partial(_smoothed_minima, blocks=blocks, factor=factors, line=join_logs))


def wahl_modified(flow: ArrayLike, block_days: int = 5, daily_factor: ArrayLike = 0.9**0.2) -> Floats:
    """The BFI program's modified method: as `wahl`, with f = K'**d for minima d days apart."""
    daily = DAILY_FACTOR.each(daily_factor, flow)
    blocks = _Blocks(BLOCK.check(block_days), 0)
    return separate_stacked(flow, partial(_modified, blocks=blocks, daily_factor=daily))


class _Blocks(NamedTuple):
    days: int
    origin: int


class _Minima(NamedTuple):
    """Block minima in order: cell, flow, run."""

    at: Ints
    value: Floats
    run: Ints


def _origin(origin_days: int, block_days: int) -> int:
    return Whole(ORIGIN.key, ORIGIN.meaning, ORIGIN.unit, 0, block_days - 1, 0).check(origin_days)


def _smoothed_minima(stack: Stack, blocks: _Blocks, factor: Floats, line: Line) -> Floats:
    minima = _minima(stack, blocks)
    own = factor[stack.station[minima.run]]
    at = _turning_points(minima, own[1:-1], own[1:-1])
    return np.minimum(line(stack, at, stack.flow[at], hold_ends=False), stack.flow)


def _modified(stack: Stack, blocks: _Blocks, daily_factor: Floats) -> Floats:
    minima = _minima(stack, blocks)
    between = daily_factor[stack.station[minima.run[1:]]] ** np.diff(minima.at)
    at = _turning_points(minima, between[:-1], between[1:])
    return np.minimum(join_logs(stack, at, stack.flow[at], hold_ends=False), stack.flow)


def _minima(stack: Stack, blocks: _Blocks) -> _Minima:
    """Left-over days at the end of a run are in no block."""
    counts = np.maximum(stack.length - blocks.origin, 0) // blocks.days
    run = np.repeat(np.arange(counts.size), counts)
    number = np.arange(run.size) - np.repeat(np.cumsum(counts) - counts, counts)
    begins = stack.first[run] + blocks.origin + number * blocks.days
    at = begins + np.argmin(stack.flow[begins[:, np.newaxis] + np.arange(blocks.days)], axis=1)
    return _Minima(at, stack.flow[at], run)


def _turning_points(minima: _Minima, before: Floats, after: Floats) -> Ints:
    """Cells of the minima that, times the factor towards either neighbour, exceed neither."""
    at, value, run = minima
    low = (before * value[1:-1] <= value[:-2]) & (after * value[1:-1] <= value[2:])
    turning: Ints = at[1:-1][low & (run[:-2] == run[2:])]
    return turning
