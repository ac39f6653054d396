"""A mine pit kept dry: how far it draws the water table down, and how much water comes in (Marinelli & Niccoli 2000).

Steady state. Zone 1 is the aquifer above the pit's floor: flow through the wall, horizontal (Dupuit), to a circular
pit, fed by recharge alone inside the radius of influence, beyond which the water table stands as before. Zone 2 is
below the floor: flow up through the floor from a half space at the undisturbed head, a disc of constant head; its
conductivities may differ from each other. Nothing passes between the zones. No stream, no other edge, no slope of the
water table, no seepage face. Recharge of 0 has no steady state and is refused; for the years before it is reached see
`models.aquifer.jacob_lohman`.

References
----------
Marinelli & Niccoli (2000), Simple analytical equations for estimating ground water inflow to a mine pit, Ground Water
38(2), 311-314: eq. 1-3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import lambertw

from models.aquifer.admissible import Numbers, at_least, at_most, finite, not_negative, positive
from models.errors import BadQuestion


def equivalent_radius_m(area_m2: ArrayLike) -> Numbers:
    """sqrt(A / pi): the radius of the circle as large as the pit's plan [m]; area above 0 [m2]."""
    return np.sqrt(positive("area_m2", area_m2) / np.pi)


def influence_radius_m(
    recharge_m_per_d: ArrayLike,
    conductivity_m_per_d: ArrayLike,
    pit_head_m: ArrayLike,
    pit_radius_m: ArrayLike,
    undisturbed_head_m: ArrayLike,
) -> Numbers:
    """r0, where the drawdown of zone 1 ends (eq. 1) [m].

    Parameters
    ----------
    recharge_m_per_d : W [m/d], above 0.
    conductivity_m_per_d : Kh1, horizontal, of zone 1 [m/d], above 0.
    pit_head_m : hp, saturated thickness at the pit wall above the floor [m], 0 or above.
    pit_radius_m : rp [m], above 0.
    undisturbed_head_m : h0, saturated thickness above the floor before the pit [m], at least hp.

    Returns
    -------
    float64 array, broadcast of all
        rp where h0 = hp.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    Notes
    -----
    h0^2 = hp^2 + (W/Kh1) [r0^2 ln(r0/rp) - (r0^2 - rp^2)/2]. With y = 2 ln(r0/rp) and c = (h0^2 - hp^2) Kh1 / (W rp^2)
    it reads (y - 1) e^y = 2c - 1, so that y = 1 + W0((2c - 1)/e), Lambert's function.
    """
    w, k = _recharge(recharge_m_per_d), positive("conductivity_m_per_d", conductivity_m_per_d)
    rp, hp = positive("pit_radius_m", pit_radius_m), not_negative("pit_head_m", pit_head_m)
    h0 = at_least("undisturbed_head_m", undisturbed_head_m, hp, "at least pit_head_m")
    c = (h0 - hp) * (h0 + hp) * k / (w * rp**2)
    return np.asarray(rp * np.exp(_twice_log_radius(c) / 2))


def _twice_log_radius(c: Numbers) -> Numbers:
    """y of (y - 1) e^y = 2c - 1; near 0 by the series of W0 at its branch point, where (2c - 1)/e has no digits."""
    near = c < 1e-6
    s = 2 * np.sqrt(np.where(near, c, 0.0))
    series = s * (1 - s / 3 + 11 / 72 * s**2 - 43 / 540 * s**3)
    return np.where(near, series, 1 + lambertw((2 * np.where(near, 1.0, c) - 1) / np.e, 0).real)


def wall_inflow_m3_per_d(
    recharge_m_per_d: ArrayLike, pit_radius_m: ArrayLike, influence_radius_m: ArrayLike
) -> Numbers:
    """Q1 = W pi (r0^2 - rp^2), the recharge inside the radius of influence (eq. 2) [m3/d].

    Parameters
    ----------
    recharge_m_per_d : W [m/d], above 0.
    pit_radius_m : rp [m], above 0.
    influence_radius_m : r0 from `influence_radius_m` [m], at least rp.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    rp = positive("pit_radius_m", pit_radius_m)
    r0 = at_least("influence_radius_m", influence_radius_m, rp, "at least pit_radius_m")
    return np.asarray(_recharge(recharge_m_per_d) * np.pi * (r0 - rp) * (r0 + rp))


def floor_inflow_m3_per_d(
    horizontal_conductivity_m_per_d: ArrayLike,
    vertical_conductivity_m_per_d: ArrayLike,
    pit_radius_m: ArrayLike,
    undisturbed_head_m: ArrayLike,
    lake_depth_m: ArrayLike = 0.0,
) -> Numbers:
    """Q2 = 4 rp (Kh2/m2) (h0 - d) with m2 = sqrt(Kh2/Kv2) (eq. 3) [m3/d].

    Parameters
    ----------
    horizontal_conductivity_m_per_d, vertical_conductivity_m_per_d : Kh2, Kv2 of zone 2 [m/d], above 0.
    pit_radius_m : rp [m], above 0.
    undisturbed_head_m : h0 above the floor [m], 0 or above.
    lake_depth_m : d, water standing in the pit [m], 0 to h0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    across = positive("horizontal_conductivity_m_per_d", horizontal_conductivity_m_per_d)
    mean = np.sqrt(across * positive("vertical_conductivity_m_per_d", vertical_conductivity_m_per_d))
    h0 = not_negative("undisturbed_head_m", undisturbed_head_m)
    depth = at_most("lake_depth_m", not_negative("lake_depth_m", lake_depth_m), h0, "at most undisturbed_head_m")
    return np.asarray(4 * positive("pit_radius_m", pit_radius_m) * mean * (h0 - depth))


def head_m(
    recharge_m_per_d: ArrayLike,
    conductivity_m_per_d: ArrayLike,
    pit_head_m: ArrayLike,
    pit_radius_m: ArrayLike,
    undisturbed_head_m: ArrayLike,
    distance_m: ArrayLike,
) -> Numbers:
    """Saturated thickness of zone 1 at the distance r from the pit's middle [m]; h0 beyond the radius of influence.

    Parameters
    ----------
    distance_m : r [m], at least rp.
    others : as in `influence_radius_m`.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    Notes
    -----
    h^2 = hp^2 + (W/Kh1) [r0^2 ln(r/rp) - (r^2 - rp^2)/2].
    """
    pit = recharge_m_per_d, conductivity_m_per_d, pit_head_m, pit_radius_m, undisturbed_head_m
    r0, rp = influence_radius_m(*pit), np.asarray(pit_radius_m, np.float64)
    r = np.minimum(at_least("distance_m", distance_m, rp, "at least pit_radius_m"), r0)
    rise = r0**2 * np.log(r / rp) - (r - rp) * (r + rp) / 2
    return np.sqrt(
        np.square(finite("pit_head_m", pit_head_m)) + np.divide(recharge_m_per_d, conductivity_m_per_d) * rise
    )


def _recharge(recharge_m_per_d: ArrayLike) -> Numbers:
    w = not_negative("recharge_m_per_d", recharge_m_per_d)
    if (w == 0).any():
        reason = "without recharge the cone never stops growing: there is no steady inflow"
        raise BadQuestion(reason, key="recharge_m_per_d", found=0.0, allowed=["above 0"])
    return w
