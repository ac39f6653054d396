"""The open hole of a well that draws on several layers, as a numerical model takes it (MAW)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Bore:
    """One level stands in it, and draws from each cell what lies between that level and the cell's head.

    Parameters
    ----------
    radius : [m].
    base : its lower end [m].
    conductance : float64[k], between the bore and each of the well's cells while they are full [m2/d].
    """

    radius: float
    base: float
    conductance: NDArray[np.float64]
