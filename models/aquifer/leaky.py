"""A confined aquifer under a leaky layer without storage (Hantush & Jacob 1955) and its steady state (de Glee 1930).

The head above the leaky layer does not move; the leakage factor is B = sqrt(T c) with c = b'/K' the layer's
resistance. B without bound is the confined aquifer of Theis.

References
----------
Hantush & Jacob (1955), Non-steady radial flow in an infinite leaky aquifer, Trans. AGU 36(1), 95-100.
Hantush (1956), Analysis of data from pumping tests in leaky aquifers, Trans. AGU 37(6), 702-714.
de Glee (1930), Over grondwaterstromingen bij wateronttrekking door middel van putten.
Jacob (1946), Radial flow in a leaky artesian aquifer, Trans. AGU 27(2), 198-208.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import k0

from models.aquifer.admissible import Numbers, finite, not_negative, off_the_well, positive
from models.aquifer.elapsed import since_start
from models.aquifer.quadrature import integrate

# The integrand is below exp(-40) of its largest beyond the range; panels of this width carry it to 1e-14.
_LOST = 40.0
_WIDTH = 3.2
_PANELS = (0, 2, 4, 8, 12, 250)  # the last reaches as far as doubles do
_UNDERFLOW = 800.0


def leakage_factor_m(transmissivity_m2_per_d: ArrayLike, resistance_d: ArrayLike) -> Numbers:
    """B = sqrt(T c) [m] from the transmissivity [m2/d] and the leaky layer's resistance c = b'/K' [d], both above 0."""
    return np.sqrt(
        positive("transmissivity_m2_per_d", transmissivity_m2_per_d) * positive("resistance_d", resistance_d)
    )


def leaky_well_function(u: ArrayLike, r_over_b: ArrayLike) -> Numbers:
    """W(u, r/B) = int_u^inf exp(-y - (r/B)^2 / 4y) dy/y.

    Parameters
    ----------
    u : r^2 S / (4 T t) [-], 0 or above; 0 is the steady state 2 K0(r/B).
    r_over_b : r/B [-], above 0.

    Returns
    -------
    float64 array, broadcast of both

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    Notes
    -----
    W(u, b) = 2 K0(b) - W(b^2/4u, b) is used below u = b/2, where the integral would be nearly all of 2 K0. Above,
    y = u exp(x) gives exp(-u - w) int_0^inf exp(-u (e^x - 1) + w (1 - e^-x)) dx with w = b^2/4u at most u: a smooth
    integrand of one sign that falls from 1.
    """
    u_, b = np.broadcast_arrays(not_negative("u", u), positive("r_over_b", r_over_b))
    late = u_ < b / 2
    beyond = _beyond(*_larger_first(u_, b))
    return np.where(late, 2 * k0(b) - beyond, beyond)


def _larger_first(u: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """The larger and the smaller of u and b^2/4u; infinity for the larger at u = 0."""
    with np.errstate(divide="ignore", over="ignore"):
        other = b / 2 * np.divide(b / 2, u)
    return np.maximum(u, other), np.minimum(u, other)


def _beyond(v: Numbers, w: Numbers) -> Numbers:
    """int_v^inf exp(-y - v w / y) dy/y for v at least w; 0 where exp(-v) is no double."""
    answer = np.zeros(v.shape)
    inside = v < _UNDERFLOW
    larger, smaller = v[inside], w[inside]
    # e^x where larger (e^x - 1) - smaller (1 - e^-x) = 40: a quadratic.
    half = (larger + smaller + _LOST) / 2
    reach = np.log((half + np.sqrt(half**2 - larger * smaller)) / larger)
    answer[inside] = np.exp(-larger - smaller) * _fall(larger, smaller, reach)
    return answer


def _fall(larger: Numbers, smaller: Numbers, reach: Numbers) -> Numbers:
    """int_0^reach exp(-larger (e^x - 1) - smaller (e^-x - 1)) dx, the short ones in fewer panels."""
    answer = np.zeros(reach.shape)
    for fewer, panels in pairwise(_PANELS):
        here = (reach > fewer * _WIDTH) & (reach <= panels * _WIDTH)
        if here.any():
            a, b = larger[here], smaller[here]
            answer[here] = integrate(_integrand(a, b), reach[here], panels)
    return answer


def _integrand(larger: Numbers, smaller: Numbers) -> Callable[[Numbers], Numbers]:
    return lambda x: np.asarray(np.exp(-larger * np.expm1(x) - smaller * np.expm1(-x)))


def hantush_jacob_drawdown(
    rate_m3_per_d: ArrayLike,
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    leakage_factor_m: ArrayLike,
    distance_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """s = Q / (4 pi T) W(u, r/B), the leaky aquifer.

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    transmissivity_m2_per_d : T [m2/d], above 0.
    storativity : S [-], above 0.
    leakage_factor_m : B = sqrt(T c) [m], above 0; see `leakage_factor_m`.
    distance_m : r [m], above 0; 0 only where the time is not above 0.
    time_d : t since pumping began [d]; the drawdown is 0 where it is not above 0.

    Returns
    -------
    float64 array, broadcast of all arguments
        Drawdown [m].

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity_m2_per_d), positive("storativity", storativity)
    b, r = positive("leakage_factor_m", leakage_factor_m), off_the_well("distance_m", distance_m, time_d)

    def response(t: Numbers, q: Numbers, t_l2: Numbers, s_: Numbers, b: Numbers, r: Numbers) -> Numbers:
        return q / (4 * np.pi * t_l2) * leaky_well_function(r**2 * s_ / (4 * t_l2 * t), r / b)

    return since_start(time_d, response, finite("rate_m3_per_d", rate_m3_per_d), t_l2, s_, b, r)


def de_glee_drawdown(
    rate_m3_per_d: ArrayLike, transmissivity_m2_per_d: ArrayLike, leakage_factor_m: ArrayLike, distance_m: ArrayLike
) -> Numbers:
    """s = Q / (2 pi T) K0(r/B), the steady state of the leaky aquifer [m].

    Parameters as in `hantush_jacob_drawdown`; the distance is above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2, b = (
        positive("transmissivity_m2_per_d", transmissivity_m2_per_d),
        positive("leakage_factor_m", leakage_factor_m),
    )
    r = positive("distance_m", distance_m)
    return np.asarray(finite("rate_m3_per_d", rate_m3_per_d) / (2 * np.pi * t_l2) * k0(r / b))
