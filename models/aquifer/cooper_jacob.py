"""The straight line that Theis's solution becomes late, how wrong it is, and from when it holds (Cooper & Jacob 1946).

s = Q / (4 pi T) (-gamma - ln u) is the first two terms of W(u). It is always too small, by 1.0 % of s at u = 0.03,
5.4 % at 0.1, and negative above u = 0.56: `cooper_jacob_error` says by how much, nothing is cut off.

References
----------
Cooper & Jacob (1946), Trans. AGU 27(4), 526-534; Kruseman & de Ridder (1990), ILRI Publication 47, section 3.2.2.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from models.aquifer.admissible import Numbers, finite, positive
from models.aquifer.theis import well_function
from models.errors import BadQuestion


def cooper_jacob_drawdown(
    rate_m3_per_d: ArrayLike,
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    distance_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """s = Q / (4 pi T) (-gamma - ln(r^2 S / 4 T t)) [m].

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    transmissivity_m2_per_d : T [m2/d], above 0.
    storativity : S [-], above 0.
    distance_m, time_d : r [m] and t [d], above 0: the straight line has no limit at either end.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity_m2_per_d), positive("storativity", storativity)
    r, t = positive("distance_m", distance_m), positive("time_d", time_d)
    line = -np.euler_gamma - np.log(r**2 * s_ / (4 * t_l2 * t))
    return np.asarray(finite("rate_m3_per_d", rate_m3_per_d) / (4 * np.pi * t_l2) * line)


def cooper_jacob_error(u: ArrayLike) -> Numbers:
    """(Cooper-Jacob - Theis) / Theis at u = r^2 S / (4 T t) above 0 [-]: 0 or below.

    Raises
    ------
    BadQuestion : u not above 0, or so large that Theis's drawdown is below the smallest number.
    """
    u_ = positive("u", u)
    theis = well_function(u_)
    if (theis == 0).any():
        raise BadQuestion("there is no drawdown to compare with", key="u", found=float(u_.max()), allowed=["below 700"])
    return np.asarray((-np.euler_gamma - np.log(u_)) / theis - 1)


def cooper_jacob_valid_from_d(
    transmissivity_m2_per_d: ArrayLike, storativity: ArrayLike, distance_m: ArrayLike, error: float = 0.01
) -> Numbers:
    """The time [d] from which the straight line is within ``error`` of Theis.

    Parameters
    ----------
    error : share of the drawdown, above 1e-6 and below 1; 0.01 is u below 0.0298.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    if not 1e-6 < error < 1:
        raise BadQuestion("outside its range", key="error", found=error, allowed=["above 1e-6 and below 1"])
    u = exp(brentq(lambda log_u: float(cooper_jacob_error(np.exp(log_u))) + error, log(1e-9), log(0.5614)))
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity_m2_per_d), positive("storativity", storativity)
    return np.asarray(positive("distance_m", distance_m) ** 2 * s_ / (4 * t_l2 * u))
