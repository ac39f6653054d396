"""A long straight ditch, trench or pit wall in an infinite aquifer, seen from one side (Edelman 1947).

Either the level in the ditch drops at once and is held, or water is drawn from each metre of it at a constant rate.
Flow is in one dimension, at right angles to the ditch; a ditch drawn from both sides gives twice the flux.

References
----------
Edelman (1947), Over de berekening van grondwaterstromingen; Ferris et al. (1962), USGS Water-Supply Paper 1536-E,
122-132; Carslaw & Jaeger (1959), sections 2.5 and 2.9.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfc

from models.aquifer.admissible import Numbers, finite, not_negative, positive
from models.aquifer.elapsed import since_start


def edelman_drawdown(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    ditch_drawdown_m: ArrayLike,
    distance_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """s = s0 erfc(x sqrt(S / 4 T t)) after the level in the ditch has dropped by s0 [m].

    Parameters
    ----------
    transmissivity_m2_per_d, storativity : T [m2/d], S [-], above 0.
    ditch_drawdown_m : s0 [m].
    distance_m : x from the ditch [m], 0 or above.
    time_d : t since the drop [d]; the drawdown is 0 where it is not above 0, in the ditch too.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    diffusivity, x = _diffusivity(transmissivity_m2_per_d, storativity), not_negative("distance_m", distance_m)
    s0 = finite("ditch_drawdown_m", ditch_drawdown_m)
    return since_start(time_d, lambda t, d, s0, x: s0 * erfc(x / np.sqrt(4 * d * t)), diffusivity, s0, x)


def edelman_flux_m2_per_d(
    transmissivity_m2_per_d: ArrayLike, storativity: ArrayLike, ditch_drawdown_m: ArrayLike, time_d: ArrayLike
) -> Numbers:
    """q = s0 sqrt(T S / (pi t)), what one side gives to a metre of ditch held s0 lower [m2/d].

    Parameters as in `edelman_drawdown`; 0 before the drop, without bound just after it.
    """
    product = positive("transmissivity_m2_per_d", transmissivity_m2_per_d) * positive("storativity", storativity)
    s0 = finite("ditch_drawdown_m", ditch_drawdown_m)
    return since_start(time_d, lambda t, product, s0: s0 * np.sqrt(product / (np.pi * t)), product, s0)


def edelman_volume_m2(
    transmissivity_m2_per_d: ArrayLike, storativity: ArrayLike, ditch_drawdown_m: ArrayLike, time_d: ArrayLike
) -> Numbers:
    """V = 2 s0 sqrt(T S t / pi), what one side has given to a metre of ditch so far [m3/m].

    Parameters as in `edelman_drawdown`.
    """
    product = positive("transmissivity_m2_per_d", transmissivity_m2_per_d) * positive("storativity", storativity)
    s0 = finite("ditch_drawdown_m", ditch_drawdown_m)
    return since_start(time_d, lambda t, product, s0: 2 * s0 * np.sqrt(product * t / np.pi), product, s0)


def edelman_drawn_drawdown(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    flux_m2_per_d: ArrayLike,
    distance_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """s = (q/T) sqrt(4 T t / S) ierfc(x sqrt(S / 4 T t)) where each metre of ditch draws q from this side [m].

    Parameters
    ----------
    flux_m2_per_d : q from one side, abstraction above 0 [m2/d].
    others : as in `edelman_drawdown`.

    Notes
    -----
    ierfc(a) = exp(-a^2) / sqrt(pi) - a erfc(a).
    """
    t_l2 = positive("transmissivity_m2_per_d", transmissivity_m2_per_d)
    diffusivity = _diffusivity(t_l2, storativity)
    q, x = finite("flux_m2_per_d", flux_m2_per_d), not_negative("distance_m", distance_m)

    def response(t: Numbers, t_l2: Numbers, diffusivity: Numbers, q: Numbers, x: Numbers) -> Numbers:
        reach = np.sqrt(4 * diffusivity * t)
        a = x / reach
        return np.asarray(q / t_l2 * reach * (np.exp(-(a**2)) / np.sqrt(np.pi) - a * erfc(a)))

    return since_start(time_d, response, t_l2, diffusivity, q, x)


def _diffusivity(transmissivity_m2_per_d: ArrayLike, storativity: ArrayLike) -> Numbers:
    """T / S [m2/d]."""
    return positive("transmissivity_m2_per_d", transmissivity_m2_per_d) / positive("storativity", storativity)
