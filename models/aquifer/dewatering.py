"""How much must be pumped so that the water table stands at a target (superposition, linear).

Confined, or unconfined after Jacob's correction of the target (`models.aquifer.unconfined.jacob_correction_m`): both
are linear in the rates. One well is a division; several wells and several points are the linear programme
min sum Q subject to A Q >= target, 0 <= Q <= capacity.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linprog

from models.aquifer.admissible import Numbers, finite, not_negative, positive
from models.errors import BadQuestion


def required_rate_m3_per_d(target_drawdown_m: ArrayLike, unit_drawdown_d_per_m2: ArrayLike) -> Numbers:
    """The rate that lowers a point by the target [m3/d].

    Parameters
    ----------
    target_drawdown_m : wanted [m], 0 or above; already lower is 0.
    unit_drawdown_d_per_m2 : drawdown at the point for a rate of 1 m3/d, above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    target = not_negative("target_drawdown_m", target_drawdown_m)
    return target / positive("unit_drawdown_d_per_m2", unit_drawdown_d_per_m2)


def least_pumping_m3_per_d(
    unit_drawdown_d_per_m2: ArrayLike, target_drawdown_m: ArrayLike, capacity_m3_per_d: ArrayLike
) -> Numbers:
    """The rates of several wells with the least sum that lower every point by at least its target.

    Parameters
    ----------
    unit_drawdown_d_per_m2 : drawdown at point i for 1 m3/d from well j, float64[points, wells], 0 or above.
    target_drawdown_m : float64[points] [m].
    capacity_m3_per_d : the most each well gives, float64[wells] or one number, 0 or above.

    Returns
    -------
    float64[wells]
        Rates [m3/d].

    Raises
    ------
    BadQuestion : an argument outside its range; a point whose target all wells at capacity do not reach, by number.
    """
    matrix = np.atleast_2d(not_negative("unit_drawdown_d_per_m2", unit_drawdown_d_per_m2))
    target = np.atleast_1d(finite("target_drawdown_m", target_drawdown_m))
    if target.shape != matrix.shape[:1]:
        raise BadQuestion(
            "one target for each point", key="target_drawdown_m", found=target.shape, allowed=matrix.shape
        )
    capacity = np.broadcast_to(not_negative("capacity_m3_per_d", capacity_m3_per_d), matrix.shape[1])
    _check_reach(matrix @ capacity, target)
    bounds = [(0.0, float(most)) for most in capacity]
    found = linprog(np.ones(capacity.size), -matrix, -target, bounds=bounds)
    if not found.success:
        raise BadQuestion(f"no rates found: {found.message}", key="target_drawdown_m")
    return np.asarray(found.x, np.float64)


def _check_reach(most: Numbers, target: Numbers) -> None:
    short = np.flatnonzero(most < target)
    if short.size:
        point = int(short[0])
        reason = f"all wells at capacity do not lower point {point + 1} by its target"
        raise BadQuestion(
            reason, key="target_drawdown_m", found=float(target[point]), allowed=[f"at most {most[point]:.4g}"]
        )
