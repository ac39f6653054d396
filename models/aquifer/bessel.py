"""Modified Bessel functions exp(z) K(z) of complex z that do not give out at either end.

scipy's are exact to |z| = 1e9 and then not a number. From 1e7 on two terms of the asymptotic series are exact to the
last digit (Abramowitz & Stegun 1964, 9.7.2).
"""

from __future__ import annotations

import numpy as np
from scipy.special import kve

from models.aquifer.laplace import Complex

_LARGE = 1e7


def scaled_k0(z: Complex) -> Complex:
    """exp(z) K0(z), z off the negative real axis, any shape."""
    return _scaled(0, z)


def scaled_k1(z: Complex) -> Complex:
    """exp(z) K1(z), z off the negative real axis, any shape."""
    return _scaled(1, z)


def _scaled(order: int, z: Complex) -> Complex:
    large = np.abs(z) > _LARGE
    series = np.sqrt(np.pi / (2 * z)) * (1 + (4 * order**2 - 1) / (8 * z))
    return np.where(large, series, kve(order, np.where(large, 1.0, z)))
