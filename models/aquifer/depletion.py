"""Depletion of a stream that cuts the aquifer: with a clean bed (Glover & Balmer 1954), with a clogged (Hantush 1965).

Both streams fully penetrate the aquifer and keep their level; the aquifer ends at them. A clogged bed that does not
cut the aquifer is `models.aquifer.hunt`, whose share is the same as Hantush's with lambda = 2 T / L.

References
----------
Glover & Balmer (1954), River depletion resulting from pumping a well near a river, Trans. AGU 35(3), 468-470.
Hantush (1965), Wells near streams with semipervious beds, J. Geophys. Res. 70(12), 2829-2838.
Jenkins (1968), Computation of rate and volume of stream depletion by wells, USGS TWRI 4-D1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfc, erfcx

from models.aquifer.admissible import Numbers, not_negative, positive
from models.aquifer.elapsed import since_start
from models.aquifer.hunt import hunt_depletion_fraction, hunt_volume_fraction


def stream_depletion_factor_d(
    transmissivity_m2_per_d: ArrayLike, storativity: ArrayLike, distance_m: ArrayLike
) -> Numbers:
    """sdf = d^2 S / T [d]: after this time a stream without a clogged bed gives 48 % of the rate (Jenkins 1968).

    Parameters
    ----------
    transmissivity_m2_per_d, storativity : T [m2/d], S [-], above 0.
    distance_m : d from well to stream [m], 0 or above.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity_m2_per_d), positive("storativity", storativity)
    return np.asarray(not_negative("distance_m", distance_m) ** 2 * s_ / t_l2)


def glover_depletion_fraction(
    transmissivity_m2_per_d: ArrayLike, storativity: ArrayLike, distance_m: ArrayLike, time_d: ArrayLike
) -> Numbers:
    """q/Q = erfc(sqrt(sdf / 4t)) [-].

    Parameters
    ----------
    transmissivity_m2_per_d, storativity, distance_m : as in `stream_depletion_factor_d`; 1 at a distance of 0.
    time_d : t since pumping began [d]; the share is 0 where it is not above 0.

    Returns
    -------
    float64 array, broadcast of all arguments, 0 to 1

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    sdf = stream_depletion_factor_d(transmissivity_m2_per_d, storativity, distance_m)
    return since_start(time_d, lambda t, sdf: np.asarray(erfc(np.sqrt(sdf / (4 * t)))), sdf)


def glover_volume_fraction(
    transmissivity_m2_per_d: ArrayLike, storativity: ArrayLike, distance_m: ArrayLike, time_d: ArrayLike
) -> Numbers:
    """v/(Q t), the stream's share of the volume pumped so far [-] (Jenkins 1968).

    Parameters and errors as in `glover_depletion_fraction`.

    Notes
    -----
    (1 + 2 a^2) erfc(a) - 2 a exp(-a^2) / sqrt(pi) with a^2 = sdf / 4t, written with erfcx. Far from the stream the
    two terms cancel: the relative error is about 1e-16 a^4.
    """
    sdf = stream_depletion_factor_d(transmissivity_m2_per_d, storativity, distance_m)

    def share(t: Numbers, sdf: Numbers) -> Numbers:
        a = np.sqrt(sdf / (4 * t))
        return np.asarray(np.exp(-(a**2)) * ((1 + 2 * a**2) * erfcx(a) - 2 * a / np.sqrt(np.pi)))

    return since_start(time_d, share, sdf)


def hantush_depletion_fraction(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    distance_m: ArrayLike,
    retardation_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """q/Q of a stream behind a semipervious bed that cuts the aquifer [-].

    Parameters
    ----------
    retardation_m : L = K b'/K' [m], aquifer conductivity times bed thickness over bed conductivity, 0 or above; 0 is
        Glover & Balmer's stream.
    others : as in `glover_depletion_fraction`.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    clean = glover_depletion_fraction(transmissivity_m2_per_d, storativity, distance_m, time_d)
    length, conductance = _conductance(transmissivity_m2_per_d, retardation_m)
    bedded = hunt_depletion_fraction(transmissivity_m2_per_d, storativity, distance_m, conductance, time_d)
    return np.where(length > 0, bedded, clean)


def hantush_volume_fraction(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    distance_m: ArrayLike,
    retardation_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """v/(Q t), the stream's share of the volume so far [-]; parameters as in `hantush_depletion_fraction`."""
    clean = glover_volume_fraction(transmissivity_m2_per_d, storativity, distance_m, time_d)
    length, conductance = _conductance(transmissivity_m2_per_d, retardation_m)
    bedded = hunt_volume_fraction(transmissivity_m2_per_d, storativity, distance_m, conductance, time_d)
    return np.where(length > 0, bedded, clean)


def _conductance(transmissivity: ArrayLike, retardation: ArrayLike) -> tuple[Numbers, Numbers]:
    """L [m] and Hunt's lambda = 2 T / L [m/d]; any number where L = 0."""
    length = not_negative("retardation_m", retardation)
    return length, 2 * positive("transmissivity_m2_per_d", transmissivity) / np.where(length > 0, length, 1.0)
