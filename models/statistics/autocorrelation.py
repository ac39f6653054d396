"""Mann-Kendall test of an evenly sampled series whose results depend on the ones before.

Hamed and Rao (1998), Journal of Hydrology 204, 182-196: dependence widens the spread of S, and the variance grows by::

    V* / V = 1 + 2 / (n (n-1) (n-2)) sum over k of (n-k) (n-k-1) (n-k-2) r_k

r_k is the autocorrelation at lag k of the ranks of the series less its Sen slope; only lags significant at 5 % count
(|r_k| > 1.96 / sqrt(n)). A factor below 1 (negative dependence) is kept at 1: it would claim more than independence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri
from scipy.stats import rankdata

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Floats, Insufficient
from models.statistics.mann_kendall import MannKendall, checked_times, mann_kendall, standardised, two_sided
from models.statistics.sen_slope import sen_slope

FEWEST = 10
"""Below it a lag correlation is noise: its own standard error exceeds 0.3."""
METHOD = "Mann-Kendall with the variance of Hamed and Rao (1998), normal approximation"


@dataclass(frozen=True)
class Corrected:
    """The test with the corrected variance; ``factor`` is V* / V, ``lags`` those that counted."""

    test: MannKendall
    factor: float
    lags: tuple[int, ...]


def hamed_rao(times: Sequence[float] | Floats, sample: CensoredSample) -> Corrected | Insufficient:
    """The corrected test, or what is missing.

    Raises
    ------
    BadQuestion : non-detects (their ranks are not known), or times not evenly spaced (to 1 % of a step).
    """
    moments = checked_times(times, sample.n)
    plain = mann_kendall(moments, sample, minimum_results=FEWEST)
    slope = sen_slope(moments, sample)
    if isinstance(plain, Insufficient):
        return plain
    if isinstance(slope, Insufficient):
        return slope
    order = _even_order(moments, sample)
    lags, factor = _inflation((sample.values - slope.slope * moments)[order])
    variance = plain.variance * factor
    z = standardised(plain.s, variance)
    return Corrected(replace(plain, variance=variance, z=z, p=two_sided(z), method=METHOD), factor, lags)


def _even_order(times: Floats, sample: CensoredSample) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    if sample.n_censored:
        raise BadQuestion("the ranks of non-detects are not known", found=sample.n_censored)
    order = np.argsort(times)
    gaps = np.diff(times[order])
    if np.ptp(gaps) > 0.01 * gaps.mean():
        raise BadQuestion("times are not evenly spaced", key="times", found=(float(gaps.min()), float(gaps.max())))
    return order


def _inflation(residuals: Floats) -> tuple[tuple[int, ...], float]:
    n = len(residuals)
    ranks = rankdata(residuals) - (n + 1) / 2
    correlation = np.correlate(ranks, ranks, "full")[n:] / (ranks @ ranks) if ranks.any() else np.zeros(n - 1)
    k = np.arange(1, n)
    counted = np.abs(correlation) > ndtri(0.975) / np.sqrt(n)
    terms = ((n - k) * (n - k - 1) * (n - k - 2) * correlation)[counted]
    return tuple(k[counted].tolist()), max(1.0, 1.0 + 2.0 * float(terms.sum()) / (n * (n - 1) * (n - 2)))
