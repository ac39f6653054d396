"""The mound under a rectangular basin that infiltrates pit water (Hantush 1967).

Unconfined, horizontal base, Dupuit; the equation is linear in h^2 with a mean thickness b = (h_i + h) / 2, which is
iterated at each point. A rate below 0 is an even withdrawal.

References
----------
Hantush (1967), Growth and decay of groundwater-mounds in response to uniform percolation, Water Resour. Res. 3(1),
227-234.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf

from models.aquifer.admissible import Numbers, finite, positive
from models.aquifer.elapsed import since_start
from models.aquifer.quadrature import integrate
from models.errors import BadQuestion

_LOST = 40.0
_PANELS = 8
_MOST_ROUNDS = 200


def mound_head_m(
    infiltration_m_per_d: ArrayLike,
    conductivity_m_per_d: ArrayLike,
    specific_yield: ArrayLike,
    initial_head_m: ArrayLike,
    half_length_m: ArrayLike,
    half_width_m: ArrayLike,
    x_m: ArrayLike,
    y_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """Head above the base under and beside the basin [m].

    Parameters
    ----------
    infiltration_m_per_d : w, water over the basin's area [m/d].
    conductivity_m_per_d, specific_yield : K [m/d], Sy [-], above 0.
    initial_head_m : h_i above the base [m], above 0.
    half_length_m, half_width_m : half the sides of the basin, along x and y [m], above 0.
    x_m, y_m : from its middle [m].
    time_d : t since it began [d]; the head is h_i where it is not above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name; a withdrawal the aquifer does not hold.

    Notes
    -----
    h^2 = h_i^2 + (w/2K) nu t sum of S*((L +- x)/sqrt(4 nu t), (a +- y)/sqrt(4 nu t)) over the four signs, nu = K b/Sy,
    S*(alpha, beta) = int_0^1 erf(alpha/sqrt tau) erf(beta/sqrt tau) dtau.
    """
    w, k = finite("infiltration_m_per_d", infiltration_m_per_d), positive("conductivity_m_per_d", conductivity_m_per_d)
    yield_, start = positive("specific_yield", specific_yield), positive("initial_head_m", initial_head_m)
    sides = positive("half_length_m", half_length_m), positive("half_width_m", half_width_m)
    place = finite("x_m", x_m), finite("y_m", y_m)
    return start + since_start(time_d, _rise, w, k, yield_, start, *sides, *place)


def _rise(t: Numbers, *given: Numbers) -> Numbers:
    w, k, yield_, start, length, width, x, y = given
    rise = np.zeros_like(t)
    for _ in range(_MOST_ROUNDS):
        nu_t = k * (start + rise / 2) / yield_ * t
        square = start**2 + w / (2 * k) * nu_t * _four(length, width, x, y, np.sqrt(4 * nu_t))
        if (square <= 0).any():
            raise BadQuestion("the aquifer does not hold what is withdrawn", key="infiltration_m_per_d")
        before, rise = rise, np.sqrt(square) - start
        if np.allclose(rise, before, rtol=1e-12, atol=1e-12):
            return rise
    raise BadQuestion("the mound's mean thickness does not settle", key="infiltration_m_per_d")


def _four(length: Numbers, width: Numbers, x: Numbers, y: Numbers, reach: Numbers) -> Numbers:
    return sum(
        (_s_star((length + i * x) / reach, (width + j * y) / reach) for i in (1, -1) for j in (1, -1)),
        np.zeros_like(reach),
    )


def _s_star(alpha: Numbers, beta: Numbers) -> Numbers:
    """S* with tau = exp(-v): the integrand keeps its shape however small the basin."""

    def integrand(v: Numbers) -> Numbers:
        scale = np.exp(v / 2)
        return np.asarray(erf(alpha * scale) * erf(beta * scale) * np.exp(-v))

    return integrate(integrand, np.full(np.shape(alpha), _LOST), _PANELS)
