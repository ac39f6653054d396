"""What if the pumps stop: when the residual of all wells is largest, and from when on it stays below an amount.

The same search as `models.aquifer.residual` for one schedule, for any sum of many: it never reaches zero, so that the
amount is the caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from models.aquifer.admissible import Numbers

LOOKED_AT_D = np.concatenate([[0.0], np.geomspace(1e-2, 1e6, 401)])
"""Days after the stop, 5 % apart; a residual is smooth in their logarithm."""

Residual = Callable[[Numbers], Numbers]
"""Days since the stop, float64[k] -> drawdown or depletion then, float64[k]."""


@dataclass(frozen=True)
class Fade:
    """How a residual dies away.

    Parameters
    ----------
    at_stop : when the pumps stop.
    peak, peak_d : the largest from then on, and how many days after the stop (0: it only falls).
    below_d : days after the stop from which on it stays at or below each amount; None: not within 2,700 years.
    """

    at_stop: float
    peak: float
    peak_d: float
    below_d: tuple[float | None, ...]


def fade(residual: Residual, amounts: Callable[[float], tuple[float, ...]]) -> Fade:
    """Peak and dates of one residual.

    Parameters
    ----------
    amounts : from the peak, the amounts above 0 that count as gone.
    """
    found = residual(LOOKED_AT_D)
    worst = int(np.argmax(found))
    peak = float(found[worst])
    below = tuple(_last_above(residual, found, amount) for amount in amounts(peak))
    return Fade(float(found[0]), peak, float(LOOKED_AT_D[worst]), below)


def _last_above(residual: Residual, found: Numbers, amount: float) -> float | None:
    above = np.flatnonzero(found > amount)
    if above.size == 0:
        return 0.0
    last = int(above[-1])
    if last == found.size - 1:
        return None

    def excess(after: float) -> float:
        return float(residual(np.array([after]))[0]) - amount

    return float(brentq(excess, LOOKED_AT_D[last], LOOKED_AT_D[last + 1], xtol=1e-6))
