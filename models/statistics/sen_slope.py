"""Sen's slope: the median of the slopes between all pairs of results, and its confidence interval.

Theil (1950); Sen (1968); interval after Gilbert (1987, 16.5) and EPA (2009) *Unified Guidance*, ch. 17. With
non-detects it is the Akritas-Theil-Sen slope (Akritas, Murphy and LaValley, 1995): the b that brings the Kendall S of
the residuals x - b t to zero, a non-detect staying "less than" along the shifted line. As b grows, S(b) falls by 2 at
the slope of two detects and by 1 at that of a detect and a limit: the root is a weighted median, and Sen's own where
nothing is censored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Floats, Insufficient
from models.statistics.mann_kendall import checked_times
from models.statistics.pairs import later_pairs, permutation_covariance, signs, time_signs


@dataclass(frozen=True)
class SenSlope:
    """Slope [unit of the results / unit of time] with its interval; a None end is unbounded: too few pairs to close it.

    ``n_pairs`` are the pairs of different time of which at least one is a detect.
    """

    slope: float
    low: float | None
    high: float | None
    confidence: float
    n_pairs: int
    method: str


@dataclass(frozen=True, eq=False)
class Steps:
    """S(b) as steps: ``at`` slopes (k,) ascending where it falls, by 2 x ``drop``; ``start`` is S before the first."""

    at: Floats
    drop: Floats
    start: float


def sen_slope(
    times: Sequence[float] | Floats, sample: CensoredSample, *, confidence: float = 0.95
) -> SenSlope | Insufficient:
    """The slope of one series, or the pairs it lacks.

    Raises
    ------
    BadQuestion : times and results differ in number, or the confidence is not within (0, 1).
    """
    moments = checked_times(times, sample.n)
    ranks = signs(sample)
    variance = permutation_covariance(time_signs(moments), ranks, ranks) if sample.n > 1 else 0.0
    return slope_of([steps(moments, sample)], variance, confidence, sample.n_censored > 0)


def steps(times: Floats, sample: CensoredSample) -> Steps:
    """The slopes of all pairs at different times, both-non-detect pairs aside (they tie at every b)."""
    first, later = later_pairs(times)
    both = sample.censored[first] & sample.censored[later]
    first, later = first[~both], later[~both]
    at = (sample.values[later] - sample.values[first]) / (times[later] - times[first])
    one = sample.censored[first] | sample.censored[later]
    order = np.argsort(at, kind="stable")
    return Steps(at[order], np.where(one, 0.5, 1.0)[order], float((~sample.censored[later]).sum()))


def slope_of(parts: Iterable[Steps], variance: float, confidence: float, censored: bool) -> SenSlope | Insufficient:
    """The slope that brings the sum of S(b) over the parts (seasons) to zero, with Gilbert's interval."""
    if not 0.0 < confidence < 1.0:
        raise BadQuestion("not a confidence", key="confidence", found=confidence, allowed=["between 0 and 1"])
    whole = _joined(parts)
    middle = whole.start / 2
    reached = np.cumsum(whole.drop)
    if not len(reached) or not 0.0 < middle < reached[-1]:
        return Insufficient("pairs that bound the slope from both sides", 0, 1, f"{len(reached)} comparable pairs")
    ends = whole.at[[np.searchsorted(reached, middle), np.searchsorted(reached, middle, "right")]]
    low, high = _interval(whole, ndtri((1.0 + confidence) / 2) * math.sqrt(variance))
    name = "Akritas-Theil-Sen" if censored else "Sen"
    return SenSlope(float(ends.mean()), low, high, confidence, len(reached), f"{name} slope, Gilbert's interval")


def _joined(parts: Iterable[Steps]) -> Steps:
    found = list(parts)
    at, drop = np.concatenate([one.at for one in found]), np.concatenate([one.drop for one in found])
    order = np.argsort(at, kind="stable")
    return Steps(at[order], drop[order], sum(one.start for one in found))


def _interval(whole: Steps, c: float) -> tuple[float | None, float | None]:
    """Gilbert (1987, 16.5): the M1-th slope and the (M2 + 1)-th, M1 = (N - c)/2 and M2 = (N + c)/2, interpolated.

    Where pairs weigh one half, positions are sums of the weights from the near end.
    """
    total = float(whole.drop.sum())
    low = _at_position(whole.at, np.cumsum(whole.drop), (whole.start - c) / 2)
    high = _at_position(whole.at[::-1], np.cumsum(whole.drop[::-1]), total - (whole.start + c) / 2)
    return low, high


def _at_position(slopes: Floats, reached: Floats, position: float) -> float | None:
    return None if position < reached[0] else float(np.interp(position, reached, slopes))
