"""An unconfined anisotropic aquifer whose pores drain with a delay of their own (Moench 1995).

Neuman's aquifer (see `models.aquifer.neuman`) with Boulton's water table: a fall of the table by ds at t' has yielded
Sy ds (1 - exp(-alpha (t - t'))) by t, not all at once. Vertical flow and drainage then both hold the water back. With
several alpha each drains an equal share of the pores (Moench, Garabedian & LeBlanc 2001).

Without vertical resistance it is Boulton (1954, 1963); alpha without bound is Neuman; alpha of 0 is Theis with Ss b.

References
----------
Moench (1995), Combining the Neuman and Boulton models for flow to a well in an unconfined aquifer, Ground Water 33(3),
378-384.
Boulton (1954), The drawdown of the water-table under non-steady conditions near a pumped well in an unconfined
formation, Proc. Inst. Civil Engrs 3(3), 564-579.
Moench, Garabedian & LeBlanc (2001), Estimation of hydraulic parameters from an unconfined aquifer test conducted in a
glacial outwash deposit, Cape Cod, Massachusetts, USGS Prof. Paper 1629.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, positive
from models.aquifer.neuman import WaterTableAquifer, water_table_drawdown
from models.aquifer.screen import Screen
from models.errors import BadQuestion


def moench_drawdown(
    rate_m3_per_d: float,
    aquifer: WaterTableAquifer,
    drainage_per_d: float | Sequence[float],
    distance_m: float,
    observed: Screen | float,
    time_d: ArrayLike,
    *,
    pumped: Screen | None = None,
) -> Numbers:
    """Drawdown at a height, or the mean over an interval of heights [m].

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    drainage_per_d : alpha, or one for each equal share of the pores [1/d], above 0.
    distance_m : r [m], above 0.
    observed : height of the point above the base [m], or an interval.
    time_d : t since pumping began [d], any shape; the drawdown is 0 where it is not above 0.
    pumped : the well's screen; the whole thickness by default.

    Returns
    -------
    float64 array shaped as the time
        Within 3e-6 of Q / 4 pi T (some 1e-5 of the drawdown, more where that is itself small) (Stehfest's inversion).

    Raises
    ------
    BadQuestion : an argument outside its range, by name; a point too near for 2,000 modes.

    Notes
    -----
    As `models.aquifer.neuman.neuman_drawdown` with eps_n tan eps_n = D(p) b / Kz, where
    D(p) = Sy p mean_m(alpha_m / (p + alpha_m)).
    """
    alpha = np.atleast_1d(positive("drainage_per_d", drainage_per_d))
    if alpha.ndim != 1 or not alpha.size:
        raise BadQuestion("one alpha, or a list of them", key="drainage_per_d", found=alpha.shape, allowed=["(n,)"])

    def drained(p: Numbers) -> Numbers:
        share = 1 / (1 + p[..., np.newaxis] / alpha)
        return np.asarray(aquifer.specific_yield * p * share.mean(axis=-1))

    return water_table_drawdown(rate_m3_per_d, aquifer, distance_m, observed, time_d, drained, pumped)
