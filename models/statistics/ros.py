"""Regression on order statistics: the mean and standard deviation of a lognormal left-censored sample.

Helsel and Cohn (1988), Water Resources Research 24(12), 1997-2004; EPA (2009), *Unified Guidance*, ch. 15 (robust ROS).
The logarithms of the detects are regressed on the normal scores of their plotting positions; the line fills in the
non-detects, for the summary alone: no single filled-in value is an estimate of that sample.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import linregress, rankdata

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Floats, Insufficient, too_few_detects
from models.statistics.kaplan_meier import LARGEST_CENSORED_SHARE

METHOD = "regression on order statistics, lognormal, Helsel and Cohn plotting positions"


@dataclass(frozen=True, eq=False)
class Ros:
    """The fitted sample.

    Parameters
    ----------
    values : array (n - excluded,). Detects and filled-in non-detects, in the order given.
    excluded : non-detects whose limit lies above the largest detect: they say nothing here and are left out.
    above_limit : filled-in values above their own limit, which the method allows; many say that the line fits badly.
    """

    n: int
    n_censored: int
    excluded: int
    above_limit: int
    values: Floats
    method: str = METHOD

    @property
    def mean(self) -> float:
        return float(self.values.mean())

    @property
    def sd(self) -> float:
        """Divisor n - 1."""
        return float(self.values.std(ddof=1))

    @property
    def population_sd(self) -> float:
        """Divisor n."""
        return float(self.values.std())


def ros(
    sample: CensoredSample, *, minimum_detects: int = 3, largest_censored_share: float = LARGEST_CENSORED_SHARE
) -> Ros | Insufficient:
    """Fit the lognormal line, or say how many detects are missing.

    Raises
    ------
    BadQuestion : a detect that is not positive has no logarithm.
    """
    short = too_few_detects(sample, minimum_detects, largest_censored_share)
    if short is not None:
        return short
    if (sample.detects <= 0.0).any():
        raise BadQuestion("a lognormal sample cannot hold this detect", found=float(sample.detects.min()))
    kept = ~sample.censored | (sample.values <= sample.detects.max())
    used = CensoredSample(sample.values[kept], sample.censored[kept])
    values = _filled(used)
    return Ros(
        sample.n, sample.n_censored, int((~kept).sum()), int((values > used.values * (1.0 + 1e-9)).sum()), values
    )


def plotting_positions(sample: CensoredSample) -> Floats:
    """Helsel and Cohn (1988): a position in (0, 1) for every result, detect or not.

    With the distinct limits of the non-detects DL_1 < DL_2 < ..., A_j detects in [DL_j, DL_j+1), B_j results below DL_j
    (its own non-detects included), and C_j non-detects at DL_j::

        pe_j = pe_j+1 + A_j / (A_j + B_j) (1 - pe_j+1),      pe_0 = 1, pe of the last + 1 = 0
        detect r of A_j:      1 - pe_j + (pe_j - pe_j+1) r / (A_j + 1)
        non-detect r of C_j:  (1 - pe_j) r / (C_j + 1)
    """
    limits = np.append(-np.inf, np.unique(sample.limits))
    group = np.searchsorted(limits, sample.values, side="right") - 1
    exceed = _exceedance(sample, limits)
    return np.asarray([
        _position(sample, group, exceed, index, int(group[index])) for index in range(sample.n)
    ])  # fmt: skip


def _exceedance(sample: CensoredSample, limits: Floats) -> Floats:
    """pe_0, pe_1, ..., 0; nothing lies below the group without a limit, so the formula itself gives pe_0 = 1."""
    exceed = np.zeros(len(limits) + 1)
    edges = np.append(limits, np.inf)
    for j in range(len(limits) - 1, -1, -1):
        a = int(((sample.detects >= edges[j]) & (sample.detects < edges[j + 1])).sum())
        b = int((sample.detects < edges[j]).sum() + (sample.limits <= edges[j]).sum())
        exceed[j] = exceed[j + 1] + (a / (a + b) if a else 0.0) * (1.0 - exceed[j + 1])
    return exceed


def _position(sample: CensoredSample, group: NDArray[np.intp], exceed: Floats, index: int, j: int) -> float:
    same = (group == j) & (sample.censored == sample.censored[index])
    rank = rankdata(sample.values[same], method="ordinal")[int(same[:index].sum())]
    share = float(rank) / (int(same.sum()) + 1)
    low = 1.0 - exceed[j]
    return float(low * share if sample.censored[index] else low + (exceed[j] - exceed[j + 1]) * share)


def _filled(sample: CensoredSample) -> Floats:
    scores = ndtri(plotting_positions(sample))
    found = ~sample.censored
    line = linregress(scores[found], np.log(sample.values[found]))
    return np.where(found, sample.values, np.exp(line.intercept + line.slope * scores))
