"""Mann-Kendall test for a monotonic trend, with ties, non-detects and several results of one day.

Mann (1945); Kendall (1975); Gilbert (1987) *Statistical Methods for Environmental Pollution Monitoring*, ch. 16; Helsel
and others (2020) *Statistical Methods in Water Resources*, TM 4-A3, ch. 12::

    S = sum over t_i < t_j of sign(x_j - x_i),    Z = (S - sign S) / sqrt(Var S),    two-sided p

Up to `EXACT_UP_TO` results at distinct times p is the exact permutation probability of an |S| at least as large, ties
and non-detects included; beyond, the normal approximation with the continuity correction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Floats, Insufficient
from models.statistics.pairs import distinct, exact_distribution, kendall_s, permutation_covariance, signs, time_signs

EXACT_UP_TO = 10
"""Gilbert (1987, 16.4): the exact table up to 10 results, the normal approximation beyond."""
FEWEST = 4
"""Three results in order have p = 1/3: no outcome of fewer than four tells anything."""


@dataclass(frozen=True)
class MannKendall:
    """S, its variance under no trend, the standardised Z (continuity corrected) and the two-sided p."""

    n: int
    n_censored: int
    s: float
    variance: float
    z: float
    p: float
    method: str

    @property
    def p_normal(self) -> float:
        """The two-sided p of the normal approximation, whatever ``p`` rests on."""
        return two_sided(self.z)

    @property
    def direction(self) -> str:
        """``up``, ``down`` or ``none``: the sign of S, significant or not."""
        return {1.0: "up", -1.0: "down", 0.0: "none"}[math.copysign(1.0, self.s) if self.s else 0.0]


def mann_kendall(
    times: Sequence[float] | Floats, sample: CensoredSample, *, minimum_results: int = FEWEST
) -> MannKendall | Insufficient:
    """The test, or what is missing: results, or a single pair of which one is known to be larger.

    Parameters
    ----------
    times : (n,), any unit; results of equal time are not compared with each other. The order of the rows is free.

    Raises
    ------
    BadQuestion : times and results differ in number, or a time is not finite.
    """
    moments = checked_times(times, sample.n)
    if sample.n < max(minimum_results, 2):
        return Insufficient("results", sample.n, max(minimum_results, 2))
    order, ranks = time_signs(moments), signs(sample)
    variance = permutation_covariance(order, ranks, ranks)
    if not (np.abs(order) * np.abs(ranks)).any():
        return no_pair(sample)
    s = kendall_s(order, ranks)
    z = standardised(s, variance)
    exact = sample.n <= EXACT_UP_TO and distinct(moments)
    p, method = (_exact_p(ranks, s), "exact permutation") if exact else (two_sided(z), "normal approximation")
    return MannKendall(sample.n, sample.n_censored, s, variance, z, p, f"Mann-Kendall, {method}")


def checked_times(times: Sequence[float] | Floats, n: int) -> Floats:
    """The times as an array of n finite numbers.

    Raises
    ------
    BadQuestion : they are not.
    """
    moments = np.asarray(times, dtype=np.float64)
    if moments.shape != (n,) or not np.isfinite(moments).all():
        raise BadQuestion("every result needs one finite time", key="times", found=moments.shape, allowed=[(n,)])
    return moments


def no_pair(sample: CensoredSample) -> Insufficient:
    """Nothing but ties: constant, or all non-detects."""
    detail = f"{sample.n_censored} of {sample.n} not detected"
    return Insufficient("pairs of which one result is known to be larger", 0, 1, detail)


def standardised(s: float, variance: float) -> float:
    """Z with the continuity correction; 0 for S = 0."""
    if variance <= 0.0:
        return 0.0
    return math.copysign(max(abs(s) - 1.0, 0.0), s) / math.sqrt(variance)


def two_sided(z: float) -> float:
    """P(|N(0,1)| >= |z|)."""
    return float(2.0 * ndtr(-abs(z)))


def _exact_p(ranks: Floats, s: float) -> float:
    possible, probability = exact_distribution(ranks)
    return float(min(1.0, probability[np.abs(possible) >= abs(s) - 0.5].sum()))
