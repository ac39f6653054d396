"""A rating of a town's own stage recorder, Q = a (h - h0)^b, from field measurements, with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from scipy.special import stdtrit

from models.errors import BadQuestion
from models.streamflow.daily_record import Marks, Numbers
from models.streamflow.rating import RatedFlow, Reasons, why_not_rated

FEWEST = 5
"""Measurements a fit with three unknowns needs to have an error at all."""
FEW = 12
"""Below this many measurements a rating is weak (ISO 18320 asks for 12 to 15)."""
NEAREST, FARTHEST = 1e-3, 10.0
"""h0 is sought below the lowest measured stage by this share of the measured range [-]."""
TRIALS = 200


@dataclass(frozen=True, eq=False)
class PowerRating:
    """A fitted rating; ln Q = ln a + b ln(h - h0) + e.

    Parameters
    ----------
    a, b, h0 : coefficient [cfs / ft^b], exponent [-], stage of zero flow [ft].
    standard_error : of e, by the degrees of freedom [ln units].
    n, without_flow : measurements used, and those of no flow that were left out.
    lowest, highest : range of the measured stages [ft]: the rating ends there.
    covariance : float64[p, p] of (ln a, b) or (ln a, b, h0) over standard_error^2.
    h0_given : h0 was surveyed and not fitted.
    warnings : what a reader must know.
    """

    a: float
    b: float
    h0: float
    standard_error: float
    n: int
    without_flow: int
    lowest: float
    highest: float
    covariance: Numbers
    h0_given: bool
    warnings: tuple[str, ...]

    @property
    def standard_error_percent(self) -> float:
        """Standard error of one measurement about the rating [%], 100 sqrt(exp(s^2) - 1)."""
        return float(100 * np.sqrt(np.expm1(self.standard_error**2)))


@dataclass(frozen=True, eq=False)
class PredictedFlow:
    """Rated flow with the interval in which a new measurement would lie: float64[n] [cfs], NaN where no rating."""

    flow: Numbers
    low: Numbers
    high: Numbers
    level: float
    reason: Reasons


@dataclass(frozen=True)
class _Line:
    ln_a: float
    b: float
    squares: float


def fit_power_rating(stage: ArrayLike, discharge: ArrayLike, *, h0: float | None = None) -> PowerRating:
    """Least squares in logarithms, h0 searched for the smallest sum of squares.

    Parameters
    ----------
    stage : float64[n], gauge height at each measurement [ft].
    discharge : float64[n], measured discharge [cfs]; pairs with an unknown number are left out, and so are those
        without flow (counted).
    h0 : surveyed stage of zero flow [ft]; None searches for it.

    Raises
    ------
    BadQuestion : unequal lengths, negative discharge, fewer than five measurements with flow or than three stages
        among them, h0 not below the lowest stage, discharge that does not rise with stage.

    References
    ----------
    Venetis (1970), Bull. IAHS 15(1), 105-111; Rantz et al. (1982), USGS Water-Supply Paper 2175, chapter 10.
    """
    h, q, dry = _measurements(stage, discharge)
    lowest, span = float(h.min()), float(np.ptp(h))
    if h0 is not None and not h0 < lowest:
        raise BadQuestion("flow at or below the stage of zero flow", key="h0", found=h0, allowed=[f"< {lowest:g}"])
    zero = _search(h, q, lowest, span) if h0 is None else h0
    line = _line(h, q, zero)
    if line.b <= 0:
        raise BadQuestion("discharge does not rise with stage", key="discharge", found=round(line.b, 3))
    jacobian = _gradient(h, zero, line.b, h0 is not None)
    freedom = h.size - jacobian.shape[1]
    return PowerRating(
        a=float(np.exp(line.ln_a)),
        b=line.b,
        h0=zero,
        standard_error=float(np.sqrt(line.squares / freedom)),
        n=h.size,
        without_flow=dry,
        lowest=lowest,
        highest=float(h.max()),
        covariance=np.asarray(np.linalg.pinv(jacobian.T @ jacobian, hermitian=True), np.float64),
        h0_given=h0 is not None,
        warnings=_warnings(h.size, dry, None if h0 is not None else (lowest - zero) / span),
    )


def predict(rating: PowerRating, stage: ArrayLike, level: float = 0.95) -> PredictedFlow:
    """Flow at each stage and the interval of one new measurement there.

    exp(ln Q -+ t s sqrt(1 + g C g')), with g the gradient of ln Q in the fitted numbers, h0 among them: the interval
    widens toward zero flow. The flow is the median; no correction of the mean of a lognormal is made.

    Parameters
    ----------
    rating : a fitted rating.
    stage : float64[n] [ft], NaN where unknown.
    level : of the interval [-].

    Returns
    -------
    PredictedFlow
        No value beyond the measured stages. Errors of successive days are not independent: do not average them away.

    Raises
    ------
    BadQuestion : a level outside 0..1.
    """
    if not 0 < level < 1:
        raise BadQuestion("not a level", key="level", found=level, allowed=["0 to 1"])
    h = np.atleast_1d(np.asarray(stage, np.float64))
    reason = why_not_rated(h, rating.lowest, rating.highest)
    inside = np.where(reason == "", h, np.nan)
    logs = np.log(rating.a) + rating.b * np.log(inside - rating.h0)
    gradient = _gradient(inside, rating.h0, rating.b, rating.h0_given)
    spread = rating.standard_error * np.sqrt(1 + ((gradient @ rating.covariance) * gradient).sum(axis=1))
    reach = float(stdtrit(rating.n - gradient.shape[1], (1 + level) / 2)) * spread
    return PredictedFlow(np.exp(logs), np.exp(logs - reach), np.exp(logs + reach), level, reason)


def rate_power(rating: PowerRating, stage: ArrayLike) -> RatedFlow:
    """Flow at each stage, without its interval; as `models.streamflow.rating.rate`."""
    found = predict(rating, stage)
    return RatedFlow(found.flow, found.reason)


def _measurements(stage: ArrayLike, discharge: ArrayLike) -> tuple[Numbers, Numbers, int]:
    h, q = np.asarray(stage, np.float64), np.asarray(discharge, np.float64)
    if h.ndim != 1 or h.shape != q.shape:
        raise BadQuestion("stage and discharge differ in length", key="discharge", found=q.shape, allowed=[h.shape])
    known: Marks = np.isfinite(h) & np.isfinite(q)
    h, q = h[known], q[known]
    if (q < 0).any():
        raise BadQuestion(
            "a measured discharge is negative", key="discharge", found=float(q.min()), allowed=["0 or above"]
        )
    flowing = q > 0
    if flowing.sum() < FEWEST or np.unique(h[flowing]).size < 3:
        allowed = [f"{FEWEST} or more, at 3 stages or more"]
        raise BadQuestion("too few measurements with flow", key="discharge", found=int(flowing.sum()), allowed=allowed)
    return h[flowing], q[flowing], int((~flowing).sum())


def _search(h: Numbers, q: Numbers, lowest: float, span: float) -> float:
    """h0 of the smallest sum of squares: a trial of depths in equal ratios, then Brent's method about the best."""

    def squares(ln_depth: float) -> float:
        return _line(h, q, lowest - span * float(np.exp(ln_depth))).squares

    trials = np.linspace(np.log(NEAREST), np.log(FARTHEST), TRIALS)
    best = int(np.argmin([squares(float(one)) for one in trials]))
    bounds = float(trials[max(best - 1, 0)]), float(trials[min(best + 1, TRIALS - 1)])
    found = minimize_scalar(squares, bounds=bounds, method="bounded", options={"xatol": 1e-10})
    return lowest - span * float(np.exp(found.x))


def _line(h: Numbers, q: Numbers, h0: float) -> _Line:
    x, y = np.log(h - h0), np.log(q)
    about = x - x.mean()
    b = float((about * y).sum() / (about**2).sum())
    ln_a = float(y.mean() - b * x.mean())
    return _Line(ln_a, b, float(((y - ln_a - b * x) ** 2).sum()))


def _gradient(h: Numbers, h0: float, b: float, h0_given: bool) -> Numbers:
    """Of ln Q in ln a, b and (if fitted) h0: 1, ln(h - h0), -b / (h - h0); float64[n, 2 or 3]."""
    columns = [np.ones(h.shape), np.log(h - h0)] + ([] if h0_given else [-b / (h - h0)])
    return np.column_stack(columns)


def _warnings(n: int, dry: int, depth_share: float | None) -> tuple[str, ...]:
    at_edge = depth_share is not None and not NEAREST * 1.01 < depth_share < FARTHEST * 0.99
    said = [
        f"{n} measurements; fewer than {FEW} make a weak rating" if n < FEW else "",
        "the measurements do not tell the stage of zero flow: survey it" if at_edge else "",
        f"measurements of no flow, left out: {dry}" if dry else "",
    ]
    return tuple(one for one in said if one)
