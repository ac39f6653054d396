"""An unconfined anisotropic aquifer with delayed gravity drainage, at a point (Neuman 1972, 1974).

A line well over the whole thickness or part of it; the water table falls by a small part of the thickness and
yields at once (no unsaturated delay); no storage in the well. Early the response is Theis with S = Ss b, late Theis
with Ss b + Sy. Heights are above the base.

References
----------
Neuman (1974), Effect of partial penetration on flow in unconfined aquifers, Water Resour. Res. 10(2), 303-312.
Moench (1993), Computation of type curves for flow to partially penetrating wells in water-table aquifers, Ground
Water 31(6), 966-971 (the solution in the Laplace plane).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import k0

from models.aquifer.admissible import Numbers, finite, positive
from models.aquifer.elapsed import since_start
from models.aquifer.laplace import stehfest
from models.aquifer.screen import Screen, within_thickness
from models.errors import BadQuestion

_LAST = 30.0
_NEWTON_STEPS = 12
MOST_MODES = 2_000
"""More are refused: the point is then nearer to the line well than b sqrt(Kr/Kz) / 210."""


@dataclass(frozen=True)
class WaterTableAquifer:
    """The aquifer of Neuman's solution.

    Parameters
    ----------
    horizontal_conductivity_m_per_d, vertical_conductivity_m_per_d : Kr, Kz [m/d], above 0.
    specific_storage_per_m : Ss [1/m], above 0.
    specific_yield : Sy [-], above 0.
    thickness_m : b, saturated before pumping [m], above 0.

    Raises
    ------
    BadQuestion : a value outside its range, by name.
    """

    horizontal_conductivity_m_per_d: float
    vertical_conductivity_m_per_d: float
    specific_storage_per_m: float
    specific_yield: float
    thickness_m: float

    def __post_init__(self) -> None:
        for key, value in vars(self).items():
            positive(key, value)

    @property
    def transmissivity_m2_per_d(self) -> float:
        return self.horizontal_conductivity_m_per_d * self.thickness_m

    @property
    def root_anisotropy(self) -> float:
        """sqrt(Kz/Kr) [-]."""
        return float(np.sqrt(self.vertical_conductivity_m_per_d / self.horizontal_conductivity_m_per_d))


def neuman_drawdown(
    rate_m3_per_d: float,
    aquifer: WaterTableAquifer,
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
    With eps_n tan eps_n = Sy p b / Kz and q_n^2 = (Kz/Kr) eps_n^2 / b^2 + Ss p / Kr,
    s(p) = Q / (2 pi T p) sum_n c_n o_n K0(q_n r) / N_n, where c_n, o_n are the means of cos(eps_n z / b) over screen
    and observation and N_n = 1/2 + sin(2 eps_n) / (4 eps_n) that of its square.
    """
    return water_table_drawdown(
        rate_m3_per_d, aquifer, distance_m, observed, time_d, lambda p: aquifer.specific_yield * p, pumped
    )


def water_table_drawdown(
    rate_m3_per_d: float,
    aquifer: WaterTableAquifer,
    distance_m: float,
    observed: Screen | float,
    time_d: ArrayLike,
    drained: Callable[[Numbers], Numbers],
    pumped: Screen | None,
) -> Numbers:
    """The same with a water table that yields as ``drained`` says.

    Parameters
    ----------
    drained : of real p [1/d], what the pores give per area and drawdown of the table [1/d]: Sy p where they drain at
        once.
    others : as in `neuman_drawdown`.
    """
    r, b = float(positive("distance_m", distance_m)), aquifer.thickness_m
    seen = within_thickness("observed", observed, b)
    screen = within_thickness("pumped", pumped or Screen(0.0, b), b)
    modes = _count(r, aquifer)
    scale = float(finite("rate_m3_per_d", rate_m3_per_d)) / (2 * np.pi * aquifer.transmissivity_m2_per_d)

    def transform(p: Numbers) -> Numbers:
        epsilon = roots(drained(p) * b / aquifer.vertical_conductivity_m_per_d, modes)
        q = np.sqrt((aquifer.root_anisotropy * epsilon / b) ** 2 + _storage(aquifer) * p)
        norm = 0.5 + np.sin(2 * epsilon) / (4 * epsilon)
        terms = screen.mean_of_mode(epsilon, b) * seen.mean_of_mode(epsilon, b) * k0(q * r) / norm
        return np.asarray(scale / p * terms.sum(axis=0))

    return since_start(time_d, lambda t: stehfest(transform, t))


def roots(constant: Numbers, count: int) -> Numbers:
    """The first ``count`` roots of eps tan eps = c [-], c above 0 shaped (n,): float64[count, n].

    Newton on eps - n pi - arctan(c / eps), which is concave and rising: no step leaves the branch.
    """
    n = np.arange(count, dtype=np.float64)[:, np.newaxis]
    epsilon = n * np.pi + np.minimum(np.sqrt(constant), np.pi / 2)
    for _ in range(_NEWTON_STEPS):
        miss = epsilon - n * np.pi - np.arctan2(constant, epsilon)
        epsilon = epsilon - miss / (1 + constant / (epsilon**2 + constant**2))
    return np.asarray(epsilon)


def _storage(aquifer: WaterTableAquifer) -> float:
    return aquifer.specific_storage_per_m / aquifer.horizontal_conductivity_m_per_d


def _count(r: float, aquifer: WaterTableAquifer) -> int:
    count = int(np.ceil(_LAST * aquifer.thickness_m / (np.pi * r * aquifer.root_anisotropy))) + 2
    if count > MOST_MODES:
        nearest = r * count / MOST_MODES
        raise BadQuestion(
            "too near the well for its series", key="distance_m", found=r, allowed=[f"above {nearest:.3g}"]
        )
    return count
