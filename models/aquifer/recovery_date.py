"""When what a pumping leaves behind is over, with its range: below a share of the peak, and below a stated amount.

Drawdown and depletion never end, so that "recovered" needs an amount (`models.aquifer.shut_off`). The peak may lie
before the stop or, at a distance, long after it. Every corner of the parameters' ranges has its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.band import Curve, Values
from models.aquifer.shut_off import Residual, fade

PUMPED_POINTS = 65
"""Instants of the pumping at which its peak is looked for."""

DRY = 1e12
"""Stands for the drawdown of a dry well: above any amount."""

SMALLEST = 1e-300
"""An amount for what never was."""

Falls = tuple[float | None, ...]
"""Days since the stop after which each rule holds for good; None is not within the time looked at."""


@dataclass(frozen=True)
class Recovered:
    """When recovered, from the corners of the parameters' ranges.

    Parameters
    ----------
    what : the rule: ``share`` of the peak, or an ``amount``.
    threshold : by the best estimates; the rule of a share has another at every corner.
    after_d, earliest_d, latest_d : days since the stop by the best estimates, and the extremes; None is not within the
        time that `models.aquifer.shut_off` looks at.
    """

    what: str
    threshold: float
    after_d: float | None
    earliest_d: float | None
    latest_d: float | None


@dataclass(frozen=True)
class Recovery:
    """Peak by best, low and high, and when each rule says it is over."""

    peak: tuple[float, float, float]
    falls: tuple[Recovered, ...]


def recovery(
    curve: Curve, every: Sequence[Values], began_d: float, stop_d: float, amount: float, share: float = 0.1
) -> Recovery:
    """When what the pumping leaves falls below a share of its peak, and below an amount, by every corner.

    Parameters
    ----------
    curve : the effect at times [d] under pumping that has stopped.
    every : corners, best first (`models.aquifer.band.corners`).
    began_d, stop_d : first pumping and the stop [d].
    amount : above 0, in the unit of the curve.
    share : of the peak, 0 to 1; the peak may come after the stop.
    """
    while_pumped = began_d + (stop_d - began_d) * np.linspace(0, 1, PUMPED_POINTS)[1:]
    found = [_one(partial(curve, values), while_pumped, stop_d, (share, amount)) for values in every]
    peaks, thresholds = [one.peak for one in found], (found[0].share, amount)
    falls = tuple(
        _over_corners(name, thresholds[k], [one.below_d[k] for one in found])
        for k, name in enumerate(("share of the peak", "amount"))
    )
    return Recovery((peaks[0], min(peaks), max(peaks)), falls)


def _one(residual_at: Residual, while_pumped: Numbers, stop_d: float, rules: tuple[float, float]) -> _Corner:
    """Peak, the amounts of both rules, and when each holds; dry is above any amount."""

    def residual(after: Numbers) -> Numbers:
        return np.nan_to_num(residual_at(stop_d + after), nan=DRY)

    before = float(np.nan_to_num(residual_at(while_pumped)).max())
    share, amount = rules
    reached: list[float] = []

    def amounts(after_stop: float) -> tuple[float, ...]:
        reached.append(max(before, 0.0 if after_stop >= DRY else after_stop))
        return (max(share * reached[0], SMALLEST), amount)

    found = fade(residual, amounts)
    return _Corner(reached[0], share * reached[0], found.below_d)


def _over_corners(what: str, threshold: float, falls: Sequence[float | None]) -> Recovered:
    known = [one for one in falls if one is not None]
    latest = max(known) if len(known) == len(falls) else None
    return Recovered(what, threshold, falls[0], min(known, default=None), latest)


@dataclass(frozen=True)
class _Corner:
    peak: float
    share: float
    below_d: Falls
