"""The potentiometric surface of one measuring round as a plane: gradient, direction, seepage velocity, and error.

    h(x, y) = h0 + a (x - xm) + b (y - ym)                 i = (a^2 + b^2)^(1/2), flow toward (-a, -b)

By least squares through all wells (Devlin 2003), exactly through three (Heath 1983, USGS WSP 2220, p. 11). With X the
rows (x - xm, y - ym, 1) and s the error of one level, the covariance of (a, b, h0) is C = s^2 (X'X)^-1; the error of
gradient and direction follows by propagation through i and atan2(-a, -b). s is the scatter about the plane with
n - 3 degrees of freedom, or the stated error of a level where that is larger. No error is told of the plane itself:
a water table that is curved between the wells is not in it. One unit of length throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

from models.aquifer.admissible import Numbers, finite
from models.aquifer.flow_field import LEAST_SPREAD, azimuth
from models.errors import BadQuestion

SHARE = 0.95
"""Of the intervals told."""
ENDLESS = 1e9
"""Degrees of freedom of an error that is stated and not estimated."""


@dataclass(frozen=True)
class Estimate:
    """A number and its interval of ``SHARE``."""

    best: float
    low: float
    high: float


@dataclass(frozen=True)
class Plane:
    """A plane through levels.

    Parameters
    ----------
    coefficients : float64[3], a [-], b [-], h0 [L] at ``middle``.
    covariance : float64[3, 3] of them.
    middle : float64[2] [L].
    rmse : root mean square of what it leaves over [L]; 0 by construction through three wells.
    level_error : s [L]; ``freedom`` its degrees of freedom.
    wells : how many.
    """

    coefficients: Numbers
    covariance: Numbers
    middle: Numbers
    rmse: float
    level_error: float
    freedom: float
    wells: int

    @property
    def gradient(self) -> float:
        """i [-]."""
        return float(np.hypot(*self.coefficients[:2]))

    @property
    def toward(self) -> float:
        """Direction of flow, degrees clockwise from grid north."""
        return float(azimuth(-self.coefficients[0], -self.coefficients[1]))

    @property
    def spread(self) -> float:
        """How many standard errors make an interval of ``SHARE``."""
        return float(student.ppf((1 + SHARE) / 2, self.freedom))

    @property
    def gradient_error(self) -> float:
        """Standard error of i [-]."""
        return self._error(self._along())

    @property
    def toward_error(self) -> float:
        """Standard error of the direction [degrees]; meaningless where ``tells_direction`` is false."""
        a, b = self.coefficients[:2]
        across = np.array([-b, a]) / self.gradient**2 if self.gradient else np.zeros(2)
        return float(np.degrees(self._error(across))) if self.gradient else 180.0

    @property
    def tells_direction(self) -> bool:
        """Whether no gradient at all lies outside the joint interval of a and b."""
        ellipse = self.covariance[:2, :2]
        if not ellipse.any():
            return self.gradient > 0
        distance = self.coefficients[:2] @ np.linalg.solve(ellipse, self.coefficients[:2])
        return bool(distance > _joint(self.freedom))

    def told_gradient(self) -> Estimate:
        """i and its interval [-]."""
        half = self.spread * self.gradient_error
        return Estimate(self.gradient, max(0.0, self.gradient - half), self.gradient + half)

    def level(self, x: float, y: float) -> Estimate:
        """The plane at a place and its interval [L]; a place outside the wells is an extrapolation."""
        row = np.array([x - self.middle[0], y - self.middle[1], 1.0])
        best, half = float(row @ self.coefficients), self.spread * float(np.sqrt(row @ self.covariance @ row))
        return Estimate(best, best - half, best + half)

    def _along(self) -> Numbers:
        return self.coefficients[:2] / self.gradient if self.gradient else np.array([1.0, 0.0])

    def _error(self, derivative: Numbers) -> float:
        return float(np.sqrt(derivative @ self.covariance[:2, :2] @ derivative))


def fitted_plane(positions: ArrayLike, levels: ArrayLike, level_error: float) -> Plane:
    """The plane of least squares through the levels of one round; exactly through three.

    Parameters
    ----------
    positions : float64[n, 2] [L].
    levels : float64[n] above one datum [L].
    level_error : standard error of one level [L].

    Raises
    ------
    BadQuestion : fewer than three wells, or wells on one line.
    """
    places, heads = finite("positions", positions), finite("levels", levels)
    if len(places) < 3:
        raise BadQuestion("a gradient needs three wells", key="wells", found=len(places), allowed=["three or more"])
    middle = places.mean(axis=0)
    if not _span_a_plane(places):
        raise BadQuestion("the wells stand on one line: no gradient across it", key="wells")
    matrix = np.column_stack([places - middle, np.ones(len(places))])
    plane = np.linalg.lstsq(matrix, heads)[0]
    left = heads - matrix @ plane
    error, freedom = _level_error(left, level_error)
    covariance = error**2 * np.linalg.inv(matrix.T @ matrix)
    return Plane(plane, covariance, middle, float(np.sqrt(np.mean(left**2))), error, freedom, len(places))


def _span_a_plane(places: Numbers) -> bool:
    """Whether the wells are far enough off one line; on one point they are not."""
    spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    return bool(spread[0] > 0 and spread[1] >= LEAST_SPREAD * spread[0])


def _level_error(left: Numbers, stated: float) -> tuple[float, float]:
    """The larger of the scatter about the plane and the stated error, and its degrees of freedom."""
    freedom = len(left) - 3
    scatter = float(np.sqrt(left @ left / freedom)) if freedom else 0.0
    return (scatter, freedom) if scatter > stated else (stated, ENDLESS)


def _joint(freedom: float) -> float:
    """The squared distance, in standard errors, that holds ``SHARE`` of two coefficients together: 2 F(2, n)."""
    return float(freedom * ((1 - SHARE) ** (-2 / freedom) - 1))


def three_point(positions: ArrayLike, levels: ArrayLike, level_error: float) -> list[tuple[tuple[int, ...], Plane]]:
    """The plane through each three of the wells that do not stand on one line, by their places in the list.

    The best-shaped triangle is first: the one with the largest least height for its longest side.
    """
    places, heads = finite("positions", positions), finite("levels", levels)
    threes = [one for one in combinations(range(len(places)), 3) if _span_a_plane(places[list(one)])]
    threes.sort(key=lambda one: -_shape(places[list(one)]))
    return [(one, fitted_plane(places[list(one)], heads[list(one)], level_error)) for one in threes]


def _shape(corners: Numbers) -> float:
    """Twice the area by the square of the longest side: 0.87 for three equal sides, 0 for a line."""
    sides = corners - np.roll(corners, 1, axis=0)
    (ax, ay), (bx, by) = sides[0], sides[1]
    return float(abs(ax * by - ay * bx) / (sides**2).sum(axis=1).max())


def seepage_velocity(gradient: Estimate, conductivity: Sequence[float], porosity: Sequence[float]) -> Estimate:
    """Average linear velocity v = K i / n (Freeze & Cherry 1979, eq. 2.82) and its extremes over the ranges [L/T].

    Parameters
    ----------
    conductivity : low, best, high of K [L/T].
    porosity : low, best, high of the effective porosity n [-].
    """
    (k_low, k, k_high), (n_low, n, n_high) = conductivity, porosity
    return Estimate(k * gradient.best / n, k_low * gradient.low / n_high, k_high * gradient.high / n_low)
