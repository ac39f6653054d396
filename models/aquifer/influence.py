"""How far a cone of depression reaches, by three rules that do not agree.

Sichardt and Kusakin are fits without dimensions that hang together: they know neither time nor storage. Only the
Cooper-Jacob radius grows as the cone does. For K = 1e-4 m/s, b = 20 m, S = 0.1, s = 8 m after a year they say 240,
206 and 1,190 m. Show all, rely on none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, not_negative, positive

SECONDS_PER_DAY = 86_400.0


def sichardt_radius_m(drawdown_m: ArrayLike, conductivity_m_per_d: ArrayLike) -> Numbers:
    """R = 3000 s sqrt(K) with K in m/s [m]; drawdown s 0 or above [m], conductivity K above 0 [m/d].

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    References
    ----------
    Sichardt (1928), Das Fassungsvermögen von Rohrbrunnen.
    """
    root = np.sqrt(positive("conductivity_m_per_d", conductivity_m_per_d) / SECONDS_PER_DAY)
    return np.asarray(3000 * not_negative("drawdown_m", drawdown_m) * root)


def kusakin_radius_m(drawdown_m: ArrayLike, thickness_m: ArrayLike, conductivity_m_per_d: ArrayLike) -> Numbers:
    """R = 575 s sqrt(H K) with K in m/s [m]; saturated thickness H above 0 [m], else as `sichardt_radius_m`.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    References
    ----------
    Kusakin (1953); Weber (1928).
    """
    product = positive("thickness_m", thickness_m) * positive("conductivity_m_per_d", conductivity_m_per_d)
    return np.asarray(575 * not_negative("drawdown_m", drawdown_m) * np.sqrt(product / SECONDS_PER_DAY))


def cooper_jacob_radius_m(transmissivity_m2_per_d: ArrayLike, storativity: ArrayLike, time_d: ArrayLike) -> Numbers:
    """R = sqrt(2.25 T t / S), where the straight line of Cooper & Jacob (1946) meets zero [m]; time 0 or above [d].

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity_m2_per_d), positive("storativity", storativity)
    return np.asarray(np.sqrt(2.25 * t_l2 * not_negative("time_d", time_d) / s_))
