"""When what a pumping leaves behind is over: below a share of its peak, and below a stated amount.

Drawdown and depletion grow for a while at a distance, then die as a power of time and never end, so that "recovered"
needs an amount that somebody states. The peak is the largest of all times: it may lie long before the stop or, at a
distance, long after it. Water that was returned leaves a mound, which is over as a drawdown is: sizes count, not signs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite, positive
from models.aquifer.band import Curves
from models.aquifer.extremes import Ranges, Values, extremes
from models.errors import BadQuestion

SHARE_OF_PEAK = 0.1
LAST_D = 1e6
"""2,700 years; a later recovery is told as none."""

SINCE_STOP_D = np.concatenate([[0.0], np.geomspace(1e-2, LAST_D, 401)])
"""Days after the stop at which a residual is looked at, 5 % apart: a date is good to 0.1 % of the time since."""
CLOSER = 33
"""Instants looked at once more between the two on either side of the date."""
PUMPED_POINTS, MOST_CHANGES = 65, 512
"""Instants of the pumping at which its peak is looked for: evenly, and at its largest changes of rate."""

DRY = 1e12
"""Stands for the drawdown of a dry well: above any amount."""
SMALLEST = 1e-300
"""An amount for what never was."""


def while_pumped_d(days: ArrayLike, rates: ArrayLike, stop_d: float) -> Numbers:
    """Instants up to the stop [d] at which the peak of a pumping's effect is looked for.

    Parameters
    ----------
    days, rates : the rate held from each instant until the next.
    """
    starts, held = np.asarray(days, np.float64), np.asarray(rates, np.float64)
    sizes = np.abs(np.diff(held, prepend=0.0))
    largest = starts[np.argsort(-sizes, kind="stable")[:MOST_CHANGES]]
    even = starts.min() + (stop_d - starts.min()) * np.linspace(0, 1, PUMPED_POINTS)[1:]
    return np.unique(np.concatenate([largest[largest <= stop_d], even]))


def peak_of(effect: ArrayLike) -> Numbers:
    """The largest of every row in size, with its sign; NaN, where the well is dry, is passed over.

    Parameters
    ----------
    effect : float64[row, time].
    """
    known = np.nan_to_num(np.asarray(effect, np.float64))
    return np.asarray(np.take_along_axis(known, np.abs(known).argmax(axis=1)[:, np.newaxis], axis=1)[:, 0])


def falls_below_d(since_stop_d: ArrayLike, residual: ArrayLike, amount: ArrayLike) -> Numbers:
    """Days since the stop after which the size of a residual stays at or below an amount.

    Parameters
    ----------
    since_stop_d : float64[k], rising from 0 [d].
    residual : float64[row, k], what is left at those times; below 0 where water was returned.
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
    times, left = finite("since_stop_d", since_stop_d), np.abs(finite("residual", residual))
    if left.ndim != 2 or left.shape[1:] != times.shape:
        raise BadQuestion("one time a column", key="residual", found=left.shape, allowed=[f"(row, {times.size})"])
    enough = np.broadcast_to(positive("amount", amount), left.shape[:1])
    return np.array([_falls(times, row, float(one)) for row, one in zip(left, enough, strict=True)])


def _falls(times: Numbers, left: Numbers, amount: float) -> float:
    last = _last_above(left, amount)
    if last is None:
        return 0.0
    if last == times.size - 1:
        return float("inf")
    x = np.log1p(times[last : last + 2])
    ends = np.log(np.maximum(left[last : last + 2], SMALLEST))
    return float(np.expm1(x[0] + (x[1] - x[0]) * (ends[0] - np.log(amount)) / (ends[0] - ends[1])))


def _last_above(left: Numbers, amount: float) -> int | None:
    above = np.flatnonzero(left > amount)
    return int(above[-1]) if above.size else None


@dataclass(frozen=True)
class Recovered:
    """When recovered, over the parameters' ranges.

    Parameters
    ----------
    what : the rule: ``share`` of the peak, or an ``amount``.
    threshold : by the best estimates; the rule of a share has another for all other values.
    after_d, earliest_d, latest_d : days since the stop by the best estimates, and the extremes; None is not within
        `LAST_D`.
    """

    what: str
    threshold: float
    after_d: float | None
    earliest_d: float | None
    latest_d: float | None


@dataclass(frozen=True)
class Recovery:
    """Peak by best, low and high (below 0: a mound), and when each rule says it is over."""

    peak: tuple[float, float, float]
    falls: tuple[Recovered, ...]


def recovery(
    curves: Curves, ranges: Ranges, while_pumped: Numbers, stop_d: float, amount: float, share: float = SHARE_OF_PEAK
) -> Recovery:
    """When what the pumping leaves falls below a share of its peak, and below an amount, over the ranges.

    Parameters
    ----------
    curves : the effect at times [d] under pumping that has stopped.
    while_pumped : instants before the stop at which the peak is looked for [d] (`while_pumped_d`).
    stop_d : the stop [d].
    amount : above 0, in the unit of the curve.
    share : of the peak, 0 to 1; every set of values has its own peak.
    """

    at, rules = np.concatenate([while_pumped, stop_d + SINCE_STOP_D]), (share, amount)

    def told(every: Sequence[Values]) -> Numbers:
        effects = curves(every, at)
        left = effects[:, while_pumped.size :]
        peaks = peak_of(effects)
        return np.array([_one(curves, *one, stop_d, rules) for one in zip(every, peaks, left, strict=True)])

    found = extremes(told, ranges)
    best, low, high = (np.nan_to_num(one, nan=np.inf) for one in (found.best, found.low, found.high))
    thresholds = (share * abs(float(best[0])), amount)
    falls = tuple(
        Recovered(name, thresholds[k], *(_known(float(one[1 + k])) for one in (best, low, high)))
        for k, name in enumerate(("share of the peak", "amount"))
    )
    return Recovery((float(best[0]), float(low[0]), float(high[0])), falls)


def _known(after_d: float) -> float | None:
    return after_d if np.isfinite(after_d) else None


def _one(
    curves: Curves, values: Values, peak: float, left: Numbers, stop_d: float, rules: tuple[float, float]
) -> Sequence[float]:
    """Peak, and days since the stop by both rules; dry is above any amount."""
    amounts = (max(rules[0] * abs(peak), SMALLEST), rules[1])
    return (peak, *_refined(curves, values, stop_d, np.abs(np.nan_to_num(left, nan=DRY)), amounts))


def _refined(curves: Curves, values: Values, stop_d: float, left: Numbers, amounts: Sequence[float]) -> list[float]:
    """Each date once more, between the two instants on either side of it."""
    spans = [_span(left, one) for one in amounts]
    closer = np.concatenate([np.linspace(*span, CLOSER) for span in spans])
    again = np.nan_to_num(curves([values], stop_d + closer)[0], nan=DRY).reshape(len(spans), CLOSER)
    return [_within(span, row, one) for span, row, one in zip(spans, again, amounts, strict=True)]


def _span(left: Numbers, amount: float) -> tuple[float, float]:
    """The two instants on either side of the last crossing; both 0 where there is none, both the last where it lies
    after it."""
    last = _last_above(left, amount)
    if last is None:
        return 0.0, 0.0
    return float(SINCE_STOP_D[last]), float(SINCE_STOP_D[min(last + 1, left.size - 1)])


def _within(span: tuple[float, float], row: Numbers, amount: float) -> float:
    first, last = span
    if first == last:
        return float("inf") if first else 0.0
    return first + float(falls_below_d(np.linspace(0, last - first, CLOSER), row[np.newaxis], amount)[0])
