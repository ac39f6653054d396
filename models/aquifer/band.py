"""Low, best and high of a modelled curve: the extremes over the whole of its parameters' ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.aquifer.admissible import Numbers
from models.aquifer.extremes import Ranges, Values, extremes
from models.errors import BadQuestion

DRY = "more drawdown than the aquifer is thick: the well is dry"
HOW = "extremes over the whole of the ranges: every combination of their ends, and a search between them"
SEARCHED = 48
"""Times at which the search is made, the last of them always: at those between, its points are taken over."""

Curve = Callable[[Values, Numbers], Numbers]
"""Values and times [d] -> the answer, NaN where the values leave no aquifer (the well is dry)."""
Curves = Callable[[Sequence[Values], Numbers], Numbers]
"""Sets of values and times [d] -> float64[set, time]."""


@dataclass(frozen=True)
class Band:
    """A curve with its range, float64[time] each; ``dry`` marks times at which some values dry the well.

    ``worked`` counts the sets of values worked out, the best estimate among them.
    """

    best: Numbers
    low: Numbers
    high: Numbers
    dry: NDArray[np.bool_]
    worked: int

    @property
    def ranged(self) -> bool:
        return self.worked > 1


def each(curve: Curve) -> Curves:
    """A curve that takes one set of values at a time, asked for many."""
    return lambda every, times_d: np.array([curve(one, times_d) for one in every])


def band(curves: Curves, ranges: Ranges, times_d: Numbers) -> Band:
    """The curve by the best estimates, and its extremes over the ranges.

    Raises
    ------
    BadQuestion : the best estimates leave no aquifer; an answer without end.
    """
    searched = np.unique(np.linspace(0, times_d.size - 1, min(times_d.size, SEARCHED)).round().astype(int))
    found = extremes(lambda every: _finite(curves(every, times_d[searched])), ranges)
    if searched.size == times_d.size:
        return _checked(Band(found.best, found.low, found.high, np.isnan(found.high), found.worked))
    every = _finite(curves([*ranges.corners(), *found.where], times_d))
    dry = np.asarray(np.isnan(every).any(axis=0))
    return _checked(Band(every[0], _lowest(every), np.asarray(every.max(axis=0)), dry, found.worked))


def _lowest(every: Numbers) -> Numbers:
    """Dry is more than any number."""
    return np.asarray(np.where(np.isnan(every), np.inf, every).min(axis=0))


def _finite(found: Numbers) -> Numbers:
    if np.isinf(found).any():
        raise BadQuestion("the answer is too large for any number", key="distance", allowed=["a larger distance"])
    return found


def _checked(found: Band) -> Band:
    if np.isnan(found.best).any():
        raise BadQuestion(DRY, allowed=["a smaller rate, or a thicker aquifer"])
    return found
