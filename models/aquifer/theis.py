"""Drawdown around a fully penetrating line well in an infinite confined aquifer (Theis 1935)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite, not_negative, off_the_well, positive
from models.aquifer.theis_table import well_function_by_table


def well_function(u: ArrayLike) -> Numbers:
    """W(u), the exponential integral E1 [-]; infinite at u = 0, exactly 0 where it is below the smallest double.

    Parameters
    ----------
    u : r^2 S / (4 T t) [-], any shape, 0 or above.

    References
    ----------
    Theis (1935), Trans. AGU 16, 519-524; Wenzel (1942), USGS Water-Supply Paper 887.
    """
    return well_function_by_table(not_negative("u", u))


def theis_drawdown(
    rate: ArrayLike, transmissivity: ArrayLike, storativity: ArrayLike, distance: ArrayLike, time: ArrayLike
) -> Numbers:
    """s = Q / (4 pi T) W(r^2 S / (4 T t)), in any one set of units [L, T].

    Parameters
    ----------
    rate : Q, abstraction above 0, injection below [L^3/T].
    transmissivity : T [L^2/T], above 0.
    storativity : S [-], above 0 (specific yield where unconfined).
    distance : r from the well [L], above 0; 0 only where ``time`` is not above 0.
    time : t since pumping began [T]; the drawdown is 0 where it is not above 0.

    Returns
    -------
    float64 array, broadcast of all arguments
        Drawdown s, lowering above 0 [L].

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    References
    ----------
    Theis (1935), Trans. AGU 16, 519-524.
    """
    t_l2, s_, t = positive("transmissivity", transmissivity), positive("storativity", storativity), finite("time", time)
    r = off_the_well("distance", distance, time)
    pumped, q = t > 0, finite("rate", rate)
    with np.errstate(over="ignore"):  # an infinite u is no drawdown
        u = r**2 * (s_ / (4 * t_l2)) / np.where(pumped, t, 1.0)
    drawdown = q / (4 * np.pi * t_l2) * well_function_by_table(np.where(pumped, u, 1.0))
    return np.where(pumped, drawdown, 0.0)


def theis_drawdown_ft(
    rate_ft3_per_d: ArrayLike,
    transmissivity_ft2_per_d: ArrayLike,
    storativity: ArrayLike,
    distance_ft: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """`theis_drawdown` in feet and days: the drawdown [ft]."""
    return theis_drawdown(rate_ft3_per_d, transmissivity_ft2_per_d, storativity, distance_ft, time_d)
