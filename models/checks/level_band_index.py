"""What an index well says of a level on one day: the prediction, and the interval it is expected in.

MOVE.1 keeps the spread of a record, which is what a percentile needs; of one day it is not the best estimate. That is
the regression on the index well (Helsel and others 2020, USGS TM 4-A3, sections 9.5 and 10.4):

    y = my + r (sy / sx)(x - mx)
    half width = t s (1 + 1/ne + (x - mx)^2 / (ne sx^2))^(1/2)
    s^2 = (SSE / n) ne / (ne - 2)
    ne = n (1 - p) / (1 + p)

with p the correlation of each residual with the one before: levels that follow one another are fewer than they look,
and t has ne - 2 degrees of freedom. Depths below land [ft].
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.stats import t as student

from models.aquifer.admissible import Numbers
from models.streamflow.record_extension import LinearMove1, fit_linear_move1

FEWEST_EFFECTIVE = 3.0
"""One degree of freedom is left: fewer give no interval at all."""
ROUNDING_FT = 1e-6


@dataclass(frozen=True)
class Predicted:
    """A depth to water below land [ft] and the interval it is expected in; ``beyond``: the line is extrapolated."""

    best_ft: float
    low_ft: float
    high_ft: float
    beyond: bool


@dataclass(frozen=True)
class IndexLine:
    """The relation of a well and its index well before mining.

    Parameters
    ----------
    move : MOVE.1, for the extended record.
    residual_sd : s about the regression [ft]; ``effective`` the number of independent days ne.
    span_days : from the first concurrent day to the last [d].
    least_half_ft : no interval is narrower than the error of a level on either side [ft].
    """

    move: LinearMove1
    residual_sd: float
    effective: float
    span_days: int
    least_half_ft: float

    def predict(self, index_ft: float, share: float) -> Predicted:
        """The well's depth where the index well stands at ``index_ft`` [ft], with its interval of ``share``."""
        one = self.move
        off = (index_ft - one.index_mean) / one.index_sd
        best = one.site_mean + one.correlation * one.site_sd * off
        spread = _student(share, self.effective - 2) * self.residual_sd
        half = max(spread * float(np.sqrt(1 + (1 + off**2) / self.effective)), self.least_half_ft)
        return Predicted(best, best - half, best + half, not one.index_low <= index_ft <= one.index_high)


@lru_cache(maxsize=1024)
def _student(share: float, freedom: float) -> float:
    return float(student.ppf((1 + share) / 2, freedom))


def fit_index_line(days: Numbers, site_ft: Numbers, index_ft: Numbers, error_ft: float) -> IndexLine:
    """The relation of concurrent levels.

    Parameters
    ----------
    days, site_ft, index_ft : float64[n], days since 1970 in order, depths [ft], all known.
    error_ft : of one level [ft].

    Raises
    ------
    BadQuestion : as in `fit_linear_move1`.
    """
    move = fit_linear_move1(site_ft, index_ft)
    slope = move.correlation * move.site_sd / move.index_sd
    residual = site_ft - move.site_mean - slope * (index_ft - move.index_mean)
    effective = _effective(residual)
    variance = float(residual @ residual) / move.n * effective / (effective - 2)
    return IndexLine(move, float(np.sqrt(variance)), effective, round(float(days[-1] - days[0])), error_ft)


def _effective(residual: Numbers) -> float:
    """Independent days among residuals in order; what is left of an exact line is rounding, and follows nothing."""
    square = float(residual @ residual)
    follows = 0.0 if np.abs(residual).max() < ROUNDING_FT else float(residual[1:] @ residual[:-1]) / square
    serial = min(max(follows, 0.0), 1.0)
    return max(residual.size * (1 - serial) / (1 + serial), FEWEST_EFFECTIVE)
