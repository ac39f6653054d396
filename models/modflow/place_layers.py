"""In which layer the head of a place is told: its pump's, or where nobody knows that, the one that falls most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from models.aquifer.admissible import Numbers
from models.modflow.numerical import Observed
from models.modflow.strata import Strata
from models.scenario.noun import ObservedPoint


def layers_of(point: ObservedPoint, strata: Strata) -> tuple[int, ...]:
    """The layer of a place's pump; every layer where that is not known. Below the lowest layer is the lowest."""
    if point.pump_intake is None or point.water_depth is None:
        return tuple(range(len(strata.depths)))
    depth = point.pump_intake.value - point.water_depth.value
    return (min(int(np.searchsorted(strata.depths, depth, side="right")), len(strata.depths) - 1),)


def most_lowered(observed: Sequence[Observed], drawdown: Mapping[str, Numbers]) -> dict[str, Observed]:
    """Of each place, what is observed in the layer that falls most at any time; a layer that falls dry does.

    Parameters
    ----------
    drawdown : observed id -> float64[n] [m], NaN where dry.
    """
    found: dict[str, Observed] = {}
    for one in observed:
        held = found.setdefault(one.place, one)
        if _most(drawdown[one.id]) > _most(drawdown[held.id]):
            found[one.place] = one
    return found


def _most(values: Numbers) -> float:
    return float(np.max(np.where(np.isnan(values), np.inf, values), initial=-np.inf))
