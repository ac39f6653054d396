"""Steady flow to a well between its wall and a radius of unchanged head (Thiem 1906, Dupuit 1863).

Heads are above the aquifer's base. No infinite aquifer is ever steady: the radius R is a boundary, or a guess
(`models.aquifer.influence`).

References
----------
Thiem (1906), Hydrologische Methoden; Dupuit (1863), Études théoriques et pratiques sur le mouvement des eaux.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, at_most, finite, not_negative, positive
from models.errors import BadQuestion


def thiem_drawdown(
    rate_m3_per_d: ArrayLike, transmissivity_m2_per_d: ArrayLike, distance_m: ArrayLike, radius_m: ArrayLike
) -> Numbers:
    """s = Q ln(R/r) / (2 pi T) [m], confined.

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    transmissivity_m2_per_d : T [m2/d], above 0.
    distance_m : r [m], above 0 and at most R.
    radius_m : R, where the head does not change [m], above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    t_l2 = positive("transmissivity_m2_per_d", transmissivity_m2_per_d)
    return np.asarray(finite("rate_m3_per_d", rate_m3_per_d) * _log_ratio(distance_m, radius_m) / (2 * np.pi * t_l2))


def dupuit_inflow_m3_per_d(
    conductivity_m_per_d: ArrayLike,
    outer_head_m: ArrayLike,
    inner_head_m: ArrayLike,
    distance_m: ArrayLike,
    radius_m: ArrayLike,
) -> Numbers:
    """Q = pi K (H^2 - h^2) / ln(R/r) [m3/d], unconfined, to a well or a pit taken as one.

    Parameters
    ----------
    conductivity_m_per_d : K [m/d], above 0.
    outer_head_m, inner_head_m : H at R and h at r [m], 0 or above.
    distance_m : r [m], above 0 and below R.
    radius_m : R [m], above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name; r = R, where the inflow has no limit.
    """
    k, high = positive("conductivity_m_per_d", conductivity_m_per_d), not_negative("outer_head_m", outer_head_m)
    ratio = _log_ratio(distance_m, radius_m)
    if (ratio == 0).any():
        raise BadQuestion("the inflow has no limit at the radius", key="distance_m", allowed=["below radius_m"])
    return np.asarray(np.pi * k * (high**2 - not_negative("inner_head_m", inner_head_m) ** 2) / ratio)


def dupuit_head_m(
    rate_m3_per_d: ArrayLike,
    conductivity_m_per_d: ArrayLike,
    outer_head_m: ArrayLike,
    distance_m: ArrayLike,
    radius_m: ArrayLike,
) -> Numbers:
    """h = sqrt(H^2 - Q ln(R/r) / (pi K)) [m], unconfined.

    Parameters as in `dupuit_inflow_m3_per_d`, with Q the rate, abstraction above 0 [m3/d].

    Raises
    ------
    BadQuestion : an argument outside its range, by name; a rate no aquifer of head H gives: the well is dry.
    """
    k, high = positive("conductivity_m_per_d", conductivity_m_per_d), not_negative("outer_head_m", outer_head_m)
    ratio = _log_ratio(distance_m, radius_m)
    square = high**2 - finite("rate_m3_per_d", rate_m3_per_d) * ratio / (np.pi * k)
    if (square < 0).any():
        most = np.min(np.pi * k * high**2 / np.where(ratio > 0, ratio, np.inf), where=square < 0, initial=np.inf)
        raise BadQuestion("the well is dry", key="rate_m3_per_d", allowed=[f"at most {most:.6g}"])
    return np.asarray(np.sqrt(square))


def _log_ratio(distance_m: ArrayLike, radius_m: ArrayLike) -> Numbers:
    radius = positive("radius_m", radius_m)
    return np.log(radius / at_most("distance_m", positive("distance_m", distance_m), radius, "at most radius_m"))
