"""Low, best and high of a modelled curve: the extremes over the corners of its parameters' ranges.

Every combination of the ends of the ranges is worked out, and the best estimate; low and high are the least and the
greatest of all of them at each time. Where the curve rises or falls steadily with every parameter that is the extreme
of the whole box; where it does not (drawdown far off rises and then falls with T) an inner point may lie outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.quantity import Quantity

MOST_RANGES = 8
DRY = "more drawdown than the aquifer is thick: the well is dry"
HOW = "extremes over every combination of the ends of the ranges, and the best estimates"

Values = dict[str, float]
Curve = Callable[[Values, Numbers], Numbers]
"""Values and times [d] -> the answer, NaN where the values leave no aquifer (the well is dry)."""


@dataclass(frozen=True)
class Band:
    """A curve with its range, float64[time] each; ``dry`` marks times at which some corner dries the well.

    ``corners`` counts the combinations, the best estimate among them.
    """

    best: Numbers
    low: Numbers
    high: Numbers
    dry: Numbers
    corners: int

    @property
    def ranged(self) -> bool:
        return self.corners > 1


def corners(quantities: Mapping[str, Quantity]) -> list[Values]:
    """The best estimates first, then every combination of the ends; one only where nothing has a range.

    Raises
    ------
    BadQuestion : more than eight parameters with a range.
    """
    best = {name: one.value for name, one in quantities.items()}
    ranged = [name for name, one in quantities.items() if one.ranged]
    if len(ranged) > MOST_RANGES:
        raise BadQuestion("too many parameters with a range", found=len(ranged), allowed=[f"at most {MOST_RANGES}"])
    if not ranged:
        return [best]
    ends = product(*(quantities[name].ends for name in ranged))
    return [best, *({**best, **dict(zip(ranged, one, strict=True))} for one in ends)]


def band(curve: Curve, every: Sequence[Values], times_d: Numbers) -> Band:
    """The curve at every corner, and its extremes.

    Raises
    ------
    BadQuestion : the best estimates leave no aquifer.
    """
    found = np.array([curve(one, times_d) for one in every])
    if np.isnan(found[0]).any():
        raise BadQuestion(DRY, allowed=["a smaller rate, or a thicker aquifer"])
    return Band(found[0], np.nanmin(found, axis=0), _highest(found), np.isnan(found).any(axis=0), len(every))


def _highest(found: Numbers) -> Numbers:
    """NaN where a corner is dry: its drawdown has no number."""
    return np.asarray(found.max(axis=0))
