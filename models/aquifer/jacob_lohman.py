"""A circular well or pit whose level drops at once and is held (Jacob & Lohman 1952).

The inflow falls for ever, ever slower. Inverted numerically from the Laplace plane
(`models.aquifer.laplace.talbot`); with z = sqrt p the inflow is K1(z) / (z K0(z)).

References
----------
Jacob & Lohman (1952), Nonsteady flow to a well of constant drawdown in an extensive aquifer, Trans. AGU 33(4), 559-569.
Smith (1937), Some problems in the conduction of heat, Proc. Phys. Soc. London 49 (the same integral).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, at_least, finite, positive
from models.aquifer.bessel import scaled_k0, scaled_k1
from models.aquifer.elapsed import since_start
from models.aquifer.laplace import Complex, talbot


def constant_drawdown_function(alpha: ArrayLike) -> Numbers:
    """G(alpha) = Q / (2 pi T s_w) [-] at alpha = T t / (S r_w^2) above 0.

    1/sqrt(pi alpha) + 1/2 early, about 2/ln(2.25 alpha) late.

    Raises
    ------
    BadQuestion : alpha not above 0.
    """
    a = positive("alpha", alpha)
    return talbot(_inflow, a.ravel()).reshape(a.shape)


def constant_drawdown_inflow_m3_per_d(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    radius_m: ArrayLike,
    drawdown_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """Q = 2 pi T s_w G(T t / (S r_w^2)) [m3/d].

    Parameters
    ----------
    transmissivity_m2_per_d, storativity : T [m2/d], S [-] (specific yield where unconfined), above 0.
    radius_m : r_w, of the well or pit [m], above 0.
    drawdown_m : s_w, by which its level is lowered and held [m].
    time_d : t since the drop [d]; 0 where it is not above 0, without bound just after.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2, pace = _pace(transmissivity_m2_per_d, storativity, radius_m)
    scale = 2 * np.pi * t_l2 * finite("drawdown_m", drawdown_m)
    return since_start(time_d, lambda t, pace, scale: scale * talbot(_inflow, pace * t), pace, scale)


def constant_drawdown_volume_m3(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    radius_m: ArrayLike,
    drawdown_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """The inflow so far: the integral of `constant_drawdown_inflow_m3_per_d` [m3], 0 where the time is not above 0.

    Parameters and errors as there.
    """
    t_l2, pace = _pace(transmissivity_m2_per_d, storativity, radius_m)
    scale = 2 * np.pi * t_l2 * finite("drawdown_m", drawdown_m) / pace
    return since_start(time_d, lambda t, pace, scale: scale * talbot(_volume, pace * t), pace, scale)


def constant_drawdown_cone_m(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    radius_m: ArrayLike,
    drawdown_m: ArrayLike,
    distance_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """Drawdown at the distance r outside: the inverse of s_w K0(z r/r_w) / (p K0(z)) [m].

    Parameters
    ----------
    distance_m : r from the middle [m], at least the radius.
    others : as in `constant_drawdown_inflow_m3_per_d`.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    _, pace = _pace(transmissivity_m2_per_d, storativity, radius_m)
    r = at_least("distance_m", distance_m, positive("radius_m", radius_m), "at least the radius")

    def response(t: Numbers, pace: Numbers, s_w: Numbers, rho: Numbers) -> Numbers:
        return s_w * talbot(lambda p: _cone(p, rho), pace * t)

    return since_start(time_d, response, pace, finite("drawdown_m", drawdown_m), r / np.asarray(radius_m))


def _inflow(p: Complex) -> Complex:
    z = np.sqrt(p)
    return np.asarray(scaled_k1(z) / (z * scaled_k0(z)))


def _volume(p: Complex) -> Complex:
    return np.asarray(_inflow(p) / p)


def _cone(p: Complex, rho: Numbers) -> Complex:
    z = np.sqrt(p)
    return np.asarray(scaled_k0(np.asarray(z * rho)) / scaled_k0(z) * np.exp(-z * (rho - 1)) / p)


def _pace(transmissivity: ArrayLike, storativity: ArrayLike, radius: ArrayLike) -> tuple[Numbers, Numbers]:
    """T [m2/d], and T / (S r_w^2) [1/d]."""
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity), positive("storativity", storativity)
    t_l2, pace = np.broadcast_arrays(t_l2, t_l2 / (s_ * positive("radius_m", radius) ** 2))
    return t_l2, pace
