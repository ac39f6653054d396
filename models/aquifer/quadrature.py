"""Composite Gauss-Legendre quadrature of many integrals at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.aquifer.admissible import Numbers

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
"""On -1 to 1, float64[16]."""


def integrate(integrand: Callable[[Numbers], Numbers], high: Numbers, panels: int) -> Numbers:
    """int_0^high integrand(x) dx, in ``panels`` equal parts of 16 nodes each.

    Parameters
    ----------
    integrand : smooth; takes and gives float64 arrays shaped as ``high``.
    high : upper ends, float64, any shape.
    panels : as many as keep one panel narrower than the integrand's sharpest change.

    Returns
    -------
    float64 array shaped as ``high``
        One node is evaluated at a time, for all integrals: the memory does not grow with the nodes.
    """
    width = high / panels
    total = np.zeros(np.shape(high))
    for panel in range(panels):
        for node, weight in zip(NODES, WEIGHTS, strict=True):
            total += weight * integrand(width * (panel + (1 + node) / 2))
    return np.asarray(total * width / 2)
