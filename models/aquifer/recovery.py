"""After the pump stops: the drawdown that is left (Theis 1935).

s' = Q / (4 pi T) [W(u) - W(u')], pumping on superposed by as much injection from the stop on. The residual lives for
long: a time t' after a pumping of length t_p about Q / (4 pi T) t_p / t' of it is left.

References
----------
Theis (1935), Trans. AGU 16, 519-524; Kruseman & de Ridder (1990), ILRI Publication 47, chapter 13.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exp1

from models.aquifer.admissible import Numbers, finite, not_negative, positive
from models.aquifer.elapsed import since_start
from models.aquifer.quadrature import integrate


def residual_drawdown(
    rate_m3_per_d: ArrayLike,
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    distance_m: ArrayLike,
    pumped_d: ArrayLike,
    since_stop_d: ArrayLike,
) -> Numbers:
    """Drawdown after a pumping of constant rate has stopped [m].

    Parameters
    ----------
    rate_m3_per_d : Q while it pumped, abstraction above 0 [m3/d].
    transmissivity_m2_per_d, storativity : T [m2/d], S [-], above 0.
    distance_m : r [m], above 0.
    pumped_d : how long it pumped [d], 0 or above; 0 leaves nothing.
    since_stop_d : t' since it stopped [d], 0 or above; 0 is the drawdown at the stop.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    Notes
    -----
    W(u) - W(u') = int exp(-e^x) dx from ln u to ln u', with u' / u = 1 + t_p / t'. Late the two are nearly equal, and
    the integral is taken itself.
    """
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity_m2_per_d), positive("storativity", storativity)
    quarter = positive("distance_m", distance_m) ** 2 * s_ / (4 * t_l2)
    after = not_negative("since_stop_d", since_stop_d)
    scale = finite("rate_m3_per_d", rate_m3_per_d) / (4 * np.pi * t_l2)

    def response(pumped: Numbers, after: Numbers, quarter: Numbers, scale: Numbers) -> Numbers:
        with np.errstate(divide="ignore", over="ignore"):
            width = np.log1p(pumped / after)
        u = quarter / (pumped + after)
        late = width * np.maximum(u, 1.0) < 1
        narrow = integrate(lambda x: np.exp(-u * np.exp(x)), np.where(late, width, 0.0), 1)
        return scale * np.where(late, narrow, exp1(u) - exp1(u * np.exp(np.where(late, 0.0, width))))

    return since_start(not_negative("pumped_d", pumped_d), response, after, quarter, scale, key="pumped_d")


def cooper_jacob_recovery(
    rate_m3_per_d: ArrayLike, transmissivity_m2_per_d: ArrayLike, pumped_d: ArrayLike, since_stop_d: ArrayLike
) -> Numbers:
    """s' = Q / (4 pi T) ln((t_p + t') / t') [m], the straight line of a recovery test: late, and without storage.

    Parameters as in `residual_drawdown`, with both times above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2 = positive("transmissivity_m2_per_d", transmissivity_m2_per_d)
    width = np.log1p(positive("pumped_d", pumped_d) / positive("since_stop_d", since_stop_d))
    return np.asarray(finite("rate_m3_per_d", rate_m3_per_d) / (4 * np.pi * t_l2) * width)
