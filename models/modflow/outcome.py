"""What a run of a numerical model gave: heads kept, budgets of every step, hydrographs. Plain arrays; metres, days."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.modflow.numerical import NumericalModel

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """One finished run.

    Parameters
    ----------
    time : float64[n], the end of every step, days since the first period began.
    period, step : int[n], of every step, from 0.
    kept : int[k], numbers of the steps whose heads are in ``heads``.
    heads : float64[k, nlay, nrow, ncol] [m]; NaN where a cell is dry or no aquifer. ``dry``: how many are dry, int[k].
    hydrographs : observed id -> float64[n], head at the place, read between the centres of cells [m]; NaN where dry.
    budget : package or stress id ("storage", "recharge", a well's, stream's, drain's or fixed head's id) -> float64[n]
        net flow **into** the aquifer [m3/d].
    well_rates : well id -> float64[n], what was really pumped [m3/d], abstraction above 0.
    turnover : float64[n], all water that came into the aquifer or left it, the mean of both [m3/d].
    discrepancy : float64[n] of each step, and ``cumulative`` float64[n] [percent].
    outer_iterations : int[n], most of the step; ``most_outer`` : what was allowed.
    bore_level : well of several layers -> float64[n], head in its bore, without the well's own loss [m].
    bore_flow : the same -> float64[n, cells], what each of its cells gives it [m3/d]; below 0 the cell takes.
    stream_flow : routed stream id -> float64[n, reaches], flow out of each reach [m3/d].
    terminated : MODFLOW said "Normal termination of simulation"; ``converged`` : every step did.
    """

    model: NumericalModel
    time: Numbers
    period: NDArray[np.int64]
    step: NDArray[np.int64]
    kept: NDArray[np.int64]
    heads: Numbers
    dry: NDArray[np.int64]
    hydrographs: dict[str, Numbers]
    budget: dict[str, Numbers]
    well_rates: dict[str, Numbers]
    turnover: Numbers
    discrepancy: Numbers
    cumulative: Numbers
    outer_iterations: NDArray[np.int64]
    most_outer: int
    bore_level: dict[str, Numbers]
    bore_flow: dict[str, Numbers]
    stream_flow: dict[str, Numbers]
    terminated: bool
    converged: bool
