"""Log-Pearson type III frequency of annual minima, by moments, with years of no flow by conditional probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainccinv, gammaincinv, ndtri

from models.errors import BadQuestion
from models.streamflow.daily_record import Numbers

# Below this skew the gamma shape 4 / G^2 passes 4e8 and its quantile loses digits; the series is good to 1e-8 there.
SMALL_SKEW = 1e-4
FEWEST = 3


@dataclass(frozen=True)
class LogPearson:
    """A fitted distribution of annual minima.

    Parameters
    ----------
    mean, sd, skew : of log10 of the positive minima [log10 cfs, log10 cfs, -]; sd by n - 1, skew G by
        n / ((n - 1)(n - 2)) sum z^3, as the USGS fits low flow (no regional skew, no outlier test).
    n : years, those without flow included.
    zeros : years without flow.
    """

    mean: float
    sd: float
    skew: float
    n: int
    zeros: int

    def quantile(self, nonexceedance: float) -> float:
        """The flow [cfs] not exceeded with probability p: 10^(m + K(p', G) s).

        p' = (p - p0) / (1 - p0) with p0 the share of years without flow; 0 where p <= p0.

        Raises
        ------
        BadQuestion : a probability outside 0..1.
        """
        if not 0 < nonexceedance < 1:
            raise BadQuestion("not a probability", key="nonexceedance", found=nonexceedance, allowed=["0 to 1"])
        no_flow = self.zeros / self.n
        if nonexceedance <= no_flow:
            return 0.0
        conditional = (nonexceedance - no_flow) / (1 - no_flow)
        return float(10 ** (self.mean + frequency_factor(conditional, self.skew) * self.sd))

    @property
    def lower_bound(self) -> float | None:
        """The flow [cfs] no fitted minimum falls below, 10^(m - 2 s / G); None without positive skew."""
        return float(10 ** (self.mean - 2 * self.sd / self.skew)) if self.skew > 0 else None


def frequency_factor(nonexceedance: ArrayLike, skew: float) -> Numbers:
    """K(p, G), the standard Pearson III deviate; by the gamma quantile, not by Wilson-Hilferty.

    K = (x - a) / sqrt(a) with a = 4 / G^2 and x the gamma(a) quantile; mirrored for G < 0.

    Parameters
    ----------
    nonexceedance : p, any shape, in 0..1 [-].
    skew : G [-].

    References
    ----------
    Interagency Advisory Committee on Water Data (1982), Bulletin 17B, appendix 3.
    """
    p = np.asarray(nonexceedance, np.float64)
    if abs(skew) < SMALL_SKEW:
        z = ndtri(p)
        return np.asarray(z + (z**2 - 1) * skew / 6)
    shape = 4 / skew**2
    gamma = gammaincinv(shape, p) if skew > 0 else gammainccinv(shape, p)
    return np.asarray(np.sign(skew) * (gamma - shape) / np.sqrt(shape))


def fit_log_pearson(minima: ArrayLike) -> LogPearson:
    """Fit annual minima by the moments of their logarithms.

    Parameters
    ----------
    minima : float64[n] [cfs], 0 or above, all finite.

    Raises
    ------
    BadQuestion : a negative or unknown minimum, fewer than three years with flow.
    """
    values = np.asarray(minima, np.float64)
    if not (np.isfinite(values) & (values >= 0)).all():
        raise BadQuestion("an annual minimum is unknown or negative", key="minima", allowed=["0 or above"])
    x = np.log10(values[values > 0])
    if x.size < FEWEST:
        raise BadQuestion("too few years with flow", key="minima", found=x.size, allowed=[f"{FEWEST} or more"])
    # Equal minima leave a spread of rounding only, and no skew.
    sd = 0.0 if np.ptp(x) == 0 else float(x.std(ddof=1))
    skew = _skew((x - x.mean()) / sd) if sd else 0.0
    return LogPearson(float(x.mean()), sd, skew, values.size, values.size - x.size)


def annual_quantile(minima: ArrayLike, nonexceedance: float) -> float:
    """The annual low flow [cfs] not exceeded with probability p (0.1: once in ten years on average), by `LogPearson`.

    0 where the years without flow reach p; NaN without a year, or with fewer than three years with flow.
    """
    values = np.asarray(minima, np.float64)
    if values.size and nonexceedance <= (values == 0).sum() / values.size:
        return 0.0
    return fit_log_pearson(values).quantile(nonexceedance) if (values > 0).sum() >= FEWEST else float("nan")


def _skew(z: Numbers) -> float:
    n = z.size
    return float(n / ((n - 1) * (n - 2)) * (z**3).sum())
