"""Kaplan-Meier estimate of a left-censored sample: mean, standard deviation, quantiles.

Left censoring is turned into right censoring by flipping, M - x for any M above the data (Helsel, 2012, ch. 6; EPA,
2009, *Unified Guidance*, ch. 15). Going down the distinct detects x, with d_x detects at x and n_x results at or below
x, where a non-detect <L counts as at or below x when L <= x::

    F(x-) = F(x) (1 - d_x / n_x),        F(largest) = 1,        weight of x = F(x) - F(x-)

What is left below the smallest detect is set at the smallest limit (Efron's convention), so that the mean is an upper
bound where the smallest result is a non-detect.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Floats, Insufficient, too_few_detects

METHOD = "Kaplan-Meier, Efron's convention"
LARGEST_CENSORED_SHARE = 0.8
"""Above it no method gives more than the proportion detected (Helsel, 2012, ch. 6)."""


@dataclass(frozen=True)
class Quantile:
    """A quantile; ``below`` is True where it lies among the non-detects: then only "< value" is known."""

    value: float
    below: bool


@dataclass(frozen=True, eq=False)
class KaplanMeier:
    """The estimated distribution.

    Parameters
    ----------
    values, weights : arrays (k,), ascending; weights sum to 1.
    residual : weight that Efron's convention set at the smallest limit, which is then ``values[0]``; 0 for none.
    """

    sample: CensoredSample
    values: Floats
    weights: Floats
    residual: float
    method: str = METHOD

    @property
    def n(self) -> int:
        return self.sample.n

    @property
    def n_censored(self) -> int:
        return self.sample.n_censored

    @property
    def mean(self) -> float:
        return float(self.weights @ self.values)

    @property
    def population_sd(self) -> float:
        """Divisor n: sqrt(sum of weight (x - mean)^2)."""
        return float(np.sqrt(self.weights @ (self.values - self.mean) ** 2))

    @property
    def sd(self) -> float:
        """Divisor n - 1, so that a sample without non-detects has its ordinary standard deviation."""
        return self.population_sd * float(np.sqrt(self.n / (self.n - 1)))

    def quantile(self, probability: float) -> Quantile:
        """The smallest x with F(x) >= p, halfway to the next where F(x) = p exactly.

        Within the residual the sample with every non-detect at its limit gives the upper bound.

        Raises
        ------
        BadQuestion : the probability is not within (0, 1).
        """
        if not 0.0 < probability < 1.0:
            raise BadQuestion("not a probability", key="probability", found=probability, allowed=["between 0 and 1"])
        if probability <= self.residual + 1e-12:
            return Quantile(float(np.quantile(self.sample.values, probability, method="higher")), below=True)
        return Quantile(_inverse(self.values, np.cumsum(self.weights), probability), below=False)


def kaplan_meier(
    sample: CensoredSample, *, minimum_detects: int = 2, largest_censored_share: float = LARGEST_CENSORED_SHARE
) -> KaplanMeier | Insufficient:
    """The Kaplan-Meier distribution of a sample, or how many detects it lacks."""
    short = too_few_detects(sample, minimum_detects, largest_censored_share)
    if short is not None:
        return short
    values, counts = np.unique(sample.detects, return_counts=True)
    at_or_below = np.searchsorted(np.sort(sample.values), values, side="right")
    below = np.cumprod((1.0 - counts / at_or_below)[::-1])[::-1]
    weights = np.append(below[1:], 1.0) - below
    return _with_residual(sample, values, weights, float(below[0]))


def _with_residual(sample: CensoredSample, values: Floats, weights: Floats, residual: float) -> KaplanMeier:
    if residual <= 0.0:
        return KaplanMeier(sample, values, weights, 0.0)
    floor = float(sample.limits.min())
    return KaplanMeier(sample, np.insert(values, 0, floor), np.insert(weights, 0, residual), residual)


def _inverse(values: Floats, cumulative: Floats, probability: float) -> float:
    place = int(np.searchsorted(cumulative, probability - 1e-12))
    flat = abs(cumulative[place] - probability) <= 1e-12
    return float((values[place] + values[place + 1]) / 2) if flat else float(values[place])
