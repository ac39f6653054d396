"""Drawdown where the saturated thickness shrinks: Jacob's correction and its inverse.

With Dupuit's assumption h^2 obeys the equation of a confined aquifer: the drawdown s of an aquifer b thick acts like
s' = s - s^2 / 2b of one that keeps its thickness. Theis gives s'; what a household measures is s. At s' = b/2 the
thickness is used up: beyond it there is no drawdown, the well is dry.

References
----------
Jacob (1944), Notes on determining permeability by pumping tests under water-table conditions, USGS open-file report;
Jacob (1963), USGS Water-Supply Paper 1536-I, 245-254.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.aquifer.admissible import Numbers, at_most, finite, positive


def jacob_correction_m(drawdown_m: ArrayLike, thickness_m: ArrayLike) -> Numbers:
    """s' = s - s^2 / 2b [m]: the drawdown a test in an unconfined aquifer would have shown in a confined one.

    Parameters
    ----------
    drawdown_m : s, measured [m], at most the thickness; a rise is below 0.
    thickness_m : b, saturated before pumping [m], above 0.

    Raises
    ------
    BadQuestion : a drawdown above the saturated thickness: the well is dry; a thickness not above 0.
    """
    b = positive("thickness_m", thickness_m)
    s = at_most("drawdown_m", drawdown_m, b, "at most the saturated thickness, beyond which the well is dry")
    return np.asarray(s - s**2 / (2 * b))


def unconfined_drawdown_m(confined_drawdown_m: ArrayLike, thickness_m: ArrayLike) -> Numbers:
    """s = b - sqrt(b^2 - 2 b s') [m], the inverse of `jacob_correction_m`.

    Parameters
    ----------
    confined_drawdown_m : s', as Theis and its kin give it [m], at most half the thickness.
    thickness_m : b, saturated before pumping [m], above 0.

    Raises
    ------
    BadQuestion : s' above b/2: the well is dry (`is_dewatered` tells where); a thickness not above 0.

    Notes
    -----
    Written as 2 s' / (1 + sqrt(1 - 2 s'/b)), which loses no digits where s' is small.
    """
    b = positive("thickness_m", thickness_m)
    words = "at most half the saturated thickness, beyond which the well is dry"
    s = at_most("confined_drawdown_m", confined_drawdown_m, b / 2, words)
    return np.asarray(2 * s / (1 + np.sqrt(1 - 2 * s / b)))


def is_dewatered(confined_drawdown_m: ArrayLike, thickness_m: ArrayLike) -> NDArray[np.bool_]:
    """Where s' asks for more than the saturated thickness, so that `unconfined_drawdown_m` would refuse."""
    return np.asarray(
        finite("confined_drawdown_m", confined_drawdown_m) > positive("thickness_m", thickness_m) / 2, np.bool_
    )


def measured_drawdown(confined_drawdown: ArrayLike, thickness: float) -> Numbers:
    """As a well shows it: `unconfined_drawdown_m`, and all of the thickness where s' asks for more than there is.

    Parameters
    ----------
    confined_drawdown, thickness : in one unit of length.
    """
    dry = is_dewatered(confined_drawdown, thickness)
    return np.where(dry, thickness, unconfined_drawdown_m(np.where(dry, 0.0, confined_drawdown), thickness))
