"""Results that stand apart from their sample: shown with the test that says so, never dropped.

Tukey's fences (Tukey, 1977; EPA, 2009, *Unified Guidance*, ch. 12) serve samples of any size and, through Kaplan-Meier
quartiles, non-detects. Rosner's test (Rosner, 1983, Technometrics 25(2), 165-172; *Unified Guidance*, ch. 12) serves
normal samples of 20 or more without non-detects; it is not fooled by two outliers that hide each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import t

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Floats, Insufficient
from models.statistics.kaplan_meier import KaplanMeier, kaplan_meier

FENCE = 1.5
FAR_FENCE = 3.0
FEWEST_ROSNER = 20


@dataclass(frozen=True)
class Outlier:
    """One result: its row in the sample, its value, and the test with its statistic and critical value."""

    row: int
    value: float
    test: str
    statistic: float
    critical: float


def tukey(sample: CensoredSample, *, fence: float = FENCE) -> tuple[Outlier, ...] | Insufficient:
    """Detects further than ``fence`` interquartile ranges outside the quartiles.

    The statistic is the distance from the nearer quartile in interquartile ranges (infinite where they coincide).
    A quartile among the non-detects is taken at its upper bound, which narrows the range: more is shown, not less.
    """
    estimate = kaplan_meier(sample)
    if not isinstance(estimate, KaplanMeier):
        return estimate
    lower, upper = estimate.quantile(0.25).value, estimate.quantile(0.75).value
    found = [(row, _beyond(sample.values[row], lower, upper)) for row in np.flatnonzero(~sample.censored).tolist()]
    name = f"Tukey fence, {fence:g} interquartile ranges, Kaplan-Meier quartiles"
    return tuple(Outlier(row, float(sample.values[row]), name, far, fence) for row, far in found if far > fence)


def rosner(sample: CensoredSample, *, suspected: int, alpha: float = 0.05) -> tuple[Outlier, ...] | Insufficient:
    """The generalized extreme studentized deviate test for up to ``suspected`` outliers on either side.

    Take out the value furthest from the mean of what is left, one after the other (i = 1, 2, ...)::

        R_i = max |x - mean_i| / sd_i
        lambda_i = t (n - i) / sqrt((n - i - 1 + t^2)(n - i + 1))
        t : Student's t of n - i - 1 degrees of freedom at 1 - alpha / (2 (n - i + 1))

    The outliers are the first k, for the largest k with R_k > lambda_k.

    Raises
    ------
    BadQuestion : non-detects (the test knows none), or not 1 <= suspected <= n / 2.
    """
    if sample.n_censored:
        raise BadQuestion("Rosner's test takes no non-detects", found=sample.n_censored)
    if sample.n < FEWEST_ROSNER:
        return Insufficient("results", sample.n, FEWEST_ROSNER, "for Rosner's test")
    if not 1 <= suspected <= sample.n // 2:
        raise BadQuestion("suspected outliers", found=suspected, allowed=[f"1 to {sample.n // 2}"])
    steps = _extremes(sample.values, suspected, alpha)
    beyond = [number for number, step in enumerate(steps, start=1) if step.statistic > step.critical]
    return tuple(steps[: max(beyond, default=0)])


def _beyond(value: float, lower: float, upper: float) -> float:
    """Interquartile ranges outside the nearer quartile; 0 within."""
    outside = max(lower - value, value - upper, 0.0)
    if upper > lower:
        return float(outside / (upper - lower))
    return math.inf if outside > 0.0 else 0.0


def _extremes(values: Floats, suspected: int, alpha: float) -> list[Outlier]:
    rows = np.arange(len(values))
    found: list[Outlier] = []
    for _ in range(suspected):
        left = values[rows]
        spread = float(left.std(ddof=1))
        far = int(np.argmax(np.abs(left - left.mean())))
        statistic = float(abs(left[far] - left.mean())) / spread if spread > 0.0 else 0.0
        name = f"Rosner, up to {suspected} outliers, alpha {alpha:g}"
        found.append(Outlier(int(rows[far]), float(left[far]), name, statistic, _critical(len(left), alpha)))
        rows = np.delete(rows, far)
    return found


def _critical(n: int, alpha: float) -> float:
    """lambda with n values left before this step."""
    quantile = float(t.ppf(1.0 - alpha / (2 * n), n - 2))
    return quantile * (n - 1) / math.sqrt((n - 2 + quantile**2) * n)
