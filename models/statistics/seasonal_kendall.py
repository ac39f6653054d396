"""Seasonal Kendall test and seasonal Sen slope, plain and corrected for correlation between the seasons.

Hirsch, Slack and Smith (1982), Water Resources Research 18(1), 107-121: S and its variance add over the seasons;
results of different seasons are never compared; the slope is the median of the slopes within seasons. Hirsch and Slack
(1984), WRR 20(6), 727-732: the covariances of the seasons' S (Dietz and Killeen, 1981) join the variance, since a wet
year lifts every season. That correction needs some ten years; the slope is the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Floats, Insufficient
from models.statistics.mann_kendall import checked_times, no_pair, standardised, two_sided
from models.statistics.pairs import Signs, kendall_s, permutation_covariance, signs, time_signs
from models.statistics.sen_slope import SenSlope, slope_of, steps

METHOD = "seasonal Kendall, normal approximation"
CORRECTED = "seasonal Kendall with covariances between seasons (Hirsch and Slack, 1984), normal approximation"
FEWEST_YEARS_CORRECTED = 10


@dataclass(frozen=True)
class Season:
    """One season's share: its S and variance."""

    season: int
    n: int
    s: float
    variance: float


@dataclass(frozen=True)
class SeasonalKendall:
    """The sums over the seasons, Z and two-sided p; ``homogeneity_p`` small: the seasons do not share one trend."""

    seasons: tuple[Season, ...]
    n_censored: int
    s: float
    variance: float
    z: float
    p: float
    homogeneity: float
    homogeneity_p: float
    method: str


def seasonal_kendall(
    years: Sequence[int], seasons: Sequence[int], sample: CensoredSample, *, covariance: bool = False
) -> SeasonalKendall | Insufficient:
    """The test over all seasons; ``covariance`` turns the correlation correction on.

    Parameters
    ----------
    years, seasons : (n,) whole numbers. At most one result for each year and season: reduce more to one beforehand.

    Raises
    ------
    BadQuestion : lengths differ, or a year has two results in one season.
    """
    when, which = _checked(years, seasons, sample.n)
    n_years = len(np.unique(when))
    if covariance and n_years < FEWEST_YEARS_CORRECTED:
        return Insufficient("years", n_years, FEWEST_YEARS_CORRECTED, "for the correction of Hirsch and Slack")
    found = tuple(_season(int(name), when[which == name], _part(sample, which == name)) for name in np.unique(which))
    variance = sum(one.variance for one in found) + (_covariances(when, which, sample) if covariance else 0.0)
    if not any(one.variance for one in found):
        return no_pair(sample)
    s = sum(one.s for one in found)
    z = standardised(s, variance)
    method = CORRECTED if covariance else METHOD
    return SeasonalKendall(found, sample.n_censored, s, variance, z, two_sided(z), *_homogeneity(found), method)


def seasonal_sen_slope(
    times: Sequence[float] | Floats, seasons: Sequence[int], sample: CensoredSample, *, confidence: float = 0.95
) -> SenSlope | Insufficient:
    """The slope [unit / unit of time] within seasons, Gilbert's interval with the summed variance (1987, 17.1.2).

    Raises
    ------
    BadQuestion : lengths differ, or the confidence is not within (0, 1).
    """
    moments, which = checked_times(times, sample.n), np.asarray(seasons)
    groups = [which == name for name in np.unique(which)]
    variance = sum(_season(0, moments[one], _part(sample, one)).variance for one in groups)
    parts = [steps(moments[one], _part(sample, one)) for one in groups]
    return slope_of(parts, variance, confidence, sample.n_censored > 0)


def _checked(years: Sequence[int], seasons: Sequence[int], n: int) -> tuple[Floats, NDArray[np.int64]]:
    when, which = checked_times(years, n), np.asarray(seasons, dtype=np.int64)
    if which.shape != (n,):
        raise BadQuestion("every result needs one season", key="seasons", found=which.shape, allowed=[(n,)])
    if len(set(zip(when.tolist(), which.tolist(), strict=True))) < n:
        raise BadQuestion("two results in one season of one year", key="seasons")
    return when, which


def _part(sample: CensoredSample, rows: NDArray[np.bool_]) -> CensoredSample:
    return CensoredSample(sample.values[rows], sample.censored[rows])


def _season(name: int, times: Floats, sample: CensoredSample) -> Season:
    order, ranks = time_signs(times), signs(sample)
    variance = permutation_covariance(order, ranks, ranks) if sample.n > 1 else 0.0
    return Season(name, sample.n, kendall_s(order, ranks), variance)


def _covariances(years: Floats, seasons: NDArray[np.int64], sample: CensoredSample) -> float:
    """Twice the sum over pairs of seasons; a year without a result in a season ties with every other there."""
    calendar = np.unique(years)
    order = time_signs(calendar)
    groups = [seasons == name for name in np.unique(seasons)]
    by_year = [_on_calendar(calendar, years[rows], _part(sample, rows)) for rows in groups]
    return sum(2.0 * permutation_covariance(order, one, other) for one, other in combinations(by_year, 2))


def _on_calendar(calendar: Floats, years: Floats, sample: CensoredSample) -> Signs:
    whole = np.zeros((len(calendar), len(calendar)))
    rows = np.searchsorted(calendar, years)
    whole[np.ix_(rows, rows)] = signs(sample)
    return whole


def _homogeneity(seasons: Sequence[Season]) -> tuple[float, float]:
    """sum Z_g^2 - K (mean Z)^2 and its p, chi-square with K - 1 degrees of freedom (van Belle and Hughes, 1984)."""
    z = np.asarray([one.s / math.sqrt(one.variance) for one in seasons if one.variance > 0.0])
    spread = float((z**2).sum() - len(z) * z.mean() ** 2)
    return (spread, float(chi2.sf(spread, len(z) - 1))) if len(z) > 1 else (0.0, 1.0)
