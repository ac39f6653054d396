"""A well screened over part of a confined anisotropic aquifer (Hantush 1961, 1964).

Depths are from the top of the aquifer down. To Theis's drawdown comes a sum over the vertical modes n, which an
observation well screened over the whole thickness does not feel, nor any well beyond r = 1.5 b sqrt(Kr/Kz).

References
----------
Hantush (1961), Drawdown around a partially penetrating well, J. Hydraulics Div. ASCE 87(HY4), 83-98.
Hantush (1964), Hydraulics of wells, Advances in Hydroscience 1, 281-432; Kruseman & de Ridder (1990), section 10.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite, positive
from models.aquifer.elapsed import since_start
from models.aquifer.leaky import leaky_well_function
from models.aquifer.screen import Screen, within_thickness
from models.aquifer.theis import well_function
from models.errors import BadQuestion

# Mode n is at most 2 K0(n pi r sqrt(Kz/Kr) / b), below 1e-13 past 30.
_LAST = 30.0
MOST_MODES = 20_000
"""More are refused: the point is then nearer to the line well than b sqrt(Kr/Kz) / 2100."""


def partial_penetration_drawdown(
    rate_m3_per_d: float,
    transmissivity_m2_per_d: float,
    storativity: float,
    thickness_m: float,
    anisotropy: float,
    pumped: Screen,
    observed: Screen | float,
    distance_m: float,
    time_d: ArrayLike,
) -> Numbers:
    """Drawdown at a piezometer, or the mean over an observation screen [m].

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    transmissivity_m2_per_d, storativity : T [m2/d] and S [-], above 0.
    thickness_m : b [m], above 0.
    anisotropy : Kz/Kr [-], above 0.
    pumped : the screen of the pumped well.
    observed : the screen of the observation well, or the depth of a piezometer [m].
    distance_m : r [m], above 0.
    time_d : t since pumping began [d], any shape; the drawdown is 0 where it is not above 0.

    Returns
    -------
    float64 array shaped as the time

    Raises
    ------
    BadQuestion : an argument outside its range, by name; a point so near that 20,000 modes do not suffice.

    Notes
    -----
    s = Q / (4 pi T) {W(u) + 2 sum_n c_n o_n W(u, n pi r sqrt(Kz/Kr) / b)}, where c_n and o_n are the means of
    cos(n pi z / b) over the two screens.
    """
    b, r = float(positive("thickness_m", thickness_m)), float(positive("distance_m", distance_m))
    beta = np.pi * r * np.sqrt(float(positive("anisotropy", anisotropy))) / b
    n = _modes(beta)
    screens = within_thickness("pumped", pumped, b), within_thickness("observed", observed, b)
    weights = 2 * screens[0].mean_of_mode(n * np.pi, b) * screens[1].mean_of_mode(n * np.pi, b)
    diffusion = float(positive("transmissivity_m2_per_d", transmissivity_m2_per_d))
    quarter = r**2 * float(positive("storativity", storativity)) / (4 * diffusion)
    scale = float(finite("rate_m3_per_d", rate_m3_per_d)) / (4 * np.pi * diffusion)

    def response(t: Numbers) -> Numbers:
        modes = np.array([weights @ leaky_well_function(u, n * beta) for u in quarter / t])
        return np.asarray(scale * (well_function(quarter / t) + modes))

    return since_start(time_d, response)


def _modes(beta: float) -> Numbers:
    count = int(np.ceil(_LAST / beta))
    if count > MOST_MODES:
        allowed = [f"pi r sqrt(Kz/Kr) / b above {_LAST / MOST_MODES}"]
        raise BadQuestion("too near the well for its series", key="distance_m", found=beta, allowed=allowed)
    return np.arange(1, count + 1, dtype=np.float64)
