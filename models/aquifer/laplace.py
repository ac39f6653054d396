"""Numerical inversion of the Laplace transform, two ways.

`talbot` deforms the Bromwich contour into the left half plane; the transform is asked at complex p and may have
singularities on the negative real axis only (all diffusion solutions here). Its 14 points reach 1e-13 of the largest
value of f so far; a much smaller early value carries that error and no better. `stehfest` samples real p only, for
transforms whose terms are known for real p (the vertical modes of an unconfined aquifer); 16 terms reach 3e-6 of the
largest value of a drawdown so far, which is smooth in ln t.

References
----------
Talbot (1979), The accurate numerical inversion of Laplace transforms, J. Inst. Maths Applics 23, 97-120.
Weideman (2006), Optimizing Talbot's contours for the inversion of the Laplace transform, SIAM J. Numer. Anal. 44(6),
2342-2362 (the constants of the contour).
Stehfest (1970), Algorithm 368, Communications of the ACM 13(1), 47-49.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, factorial, log

import numpy as np
from numpy.typing import NDArray

from models.aquifer.admissible import Numbers

Complex = NDArray[np.complex128]

TALBOT_NODES = 28
"""On the whole contour; f is real, so that one half of them is asked."""

STEHFEST_TERMS = 16
"""12 reach 5e-5; 18 lose more to round-off than they gain."""


def _talbot_contour(nodes: int) -> tuple[Complex, Complex]:
    """The points p t of the upper half, and the weights of F(p) / t whose imaginary part counts."""
    theta = (2 * np.arange(nodes // 2) + 1) * np.pi / nodes
    bend = 0.6407 * theta
    points = nodes * (-0.6122 + 0.5017 * theta / np.tan(bend) + 0.2645j * theta)
    slope = 0.5017 / np.tan(bend) - 0.5017 * bend / np.sin(bend) ** 2 + 0.2645j
    return points, np.asarray(2 * np.exp(points) * slope, np.complex128)


_POINTS, _TALBOT_WEIGHTS = _talbot_contour(TALBOT_NODES)


def talbot(transform: Callable[[Complex], Complex], time: Numbers) -> Numbers:
    """f(t) from F(p) on Talbot's contour.

    Parameters
    ----------
    transform : F; takes complex p [1/T] shaped (14, n) for n times, so that parameters of shape (n,) broadcast.
    time : t above 0 [T], float64[n].

    Returns
    -------
    float64[n]
    """
    values = transform(_POINTS[:, np.newaxis] / time)
    return np.asarray(np.sum((_TALBOT_WEIGHTS[:, np.newaxis] * values).imag, axis=0) / time)


def _stehfest_weights(terms: int) -> Numbers:
    half = terms // 2

    def weight(i: int) -> float:
        # Exact in integers: the terms alternate and grow to 1e9.
        total = sum(
            k ** (half + 1) * comb(half, k) * comb(2 * k, k) * comb(k, i - k)
            for k in range((i + 1) // 2, min(i, half) + 1)
        )
        return float((-1 if (half + i) % 2 else 1) * total / factorial(half))

    return np.array([weight(i) for i in range(1, terms + 1)])


_STEHFEST_WEIGHTS = _stehfest_weights(STEHFEST_TERMS)


def stehfest(transform: Callable[[Numbers], Numbers], time: Numbers) -> Numbers:
    """f(t) from F(p) at the real points p = i ln 2 / t.

    Parameters
    ----------
    transform : F; takes real p [1/T] shaped (n,), once for each of the 16 terms.
    time : t above 0 [T], float64[n].

    Returns
    -------
    float64[n]
    """
    unit = log(2) / time
    total = sum((weight * transform(i * unit) for i, weight in enumerate(_STEHFEST_WEIGHTS, 1)), np.zeros(time.shape))
    return np.asarray(total * unit)
