"""How far a grid reaches: far enough to hold every place asked about, and twice as far for the gate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, floor, log2, sqrt

import numpy as np

from models.errors import BadQuestion
from models.modflow.build import LEAST_REACH_M, Choices, Pair, first_stress
from models.modflow.strata import Strata, strata_of
from models.modflow.turned import inward, turn_of
from models.scenario.noun import Scenario

ROOM = 1.25
"""A place asked about lies a fifth of the reach inside the grid's end."""
MOST_REACH = 60.0
"""Theis's drawdown there is exp(-900): no grid is needed to tell it, but for the few cells to `MOST_FAR_M`."""
MOST_FAR_M = 100_000.0
"""A place is told of at least so far from the wells: that nothing is felt there is an answer too."""


def holding(scenario: Scenario, choices: Choices) -> Choices:
    """Choices of a grid that holds every place asked about.

    Raises
    ------
    BadQuestion : a place so far away that no pumping is ever felt there; nothing is pumped or drained.
    """
    spread = _spread(strata_of(scenario), choices.ends - first_stress(scenario))
    needed, id = max(((ROOM * one / spread, id) for id, one in _beyond_m(scenario, choices)), default=(0.0, ""))
    most_m = max(MOST_REACH * spread / ROOM, MOST_FAR_M)
    if (far_m := needed * spread / ROOM) > most_m:
        far = f"{ceil(far_m / 100) / 10:g} km from the wells and the pit"
        most = f"up to {floor(most_m / 100) / 10:g} km: beyond it nothing is felt by then"
        raise BadQuestion("lies outside any grid", key=f"point[{id}].position", found=far, allowed=[most])
    # Doubled, not fitted: how far a private well lies does not show in a public grid.
    doubled = max(0, ceil(log2(needed / choices.reach))) if needed else 0
    return replace(choices, reach=choices.reach * 2**doubled)


def wider(choices: Choices, pair: Pair) -> Choices:
    """Choices of a grid that reaches twice as far as the pair's."""
    spread = _spread(pair.strata, choices.ends - pair.begins)
    return replace(choices, reach=2 * max(choices.reach, LEAST_REACH_M / spread))


def _spread(strata: Strata, days: float) -> float:
    """sqrt(T t / S) [m].

    Raises
    ------
    BadQuestion : no time lies between the first pumping and the day asked for.
    """
    if days <= 0:
        raise BadQuestion("nothing is pumped or drained before that day", key="--on")
    return sqrt(strata.transmissivity * days / strata.storativity)


def _beyond_m(scenario: Scenario, choices: Choices) -> Iterator[tuple[str, float]]:
    """How far each place lies outside the grid's rectangle of wells and pit, along the farther axis [m]."""
    turn = turn_of(scenario) if choices.turned else 0.0
    pumped = [scenario.metres(one.position) for one in scenario.well]
    pumped += [scenario.metres(one) for one in scenario.pit.polygon] if scenario.pit else []
    own = inward(np.array(pumped), turn)
    for one in scenario.point:
        place = inward(np.array(scenario.metres(one.position)), turn)
        yield one.id, float(np.max([own.min(axis=0) - place, place - own.max(axis=0), np.zeros(2)]))
