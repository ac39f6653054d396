"""How far a grid reaches: far enough to hold every place asked about, and twice as far for the gate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    BadQuestion : a place, or a well, so far from the others that no pumping is ever felt there; nothing is pumped or
        drained.
    """
    spread = _spread(strata_of(scenario), choices.ends - first_stress(scenario))
    most_m = max(MOST_REACH * spread / ROOM, MOST_FAR_M)
    _check_near("well", _nearest_m(scenario), most_m, "the other wells and the pit")
    beyond = dict(_beyond_m(scenario, choices))
    _check_near("point", beyond, most_m, "the wells and the pit")
    needed = ROOM * max(beyond.values(), default=0.0) / spread
    # Doubled, not fitted: how far a private well lies does not show in a public grid.
    doubled = max(0, ceil(log2(needed / choices.reach))) if needed else 0
    return replace(choices, reach=choices.reach * 2**doubled)


def _check_near(kind: str, far_m: Mapping[str, float], most_m: float, others: str) -> None:
    """Refuse the farthest place of a kind where no grid reaches it."""
    id = max(far_m, key=far_m.__getitem__, default="")
    if id and far_m[id] > most_m:
        far = f"{ceil(far_m[id] / 100) / 10:g} km from {others}"
        most = f"up to {floor(most_m / 100) / 10:g} km: beyond it nothing is felt by then"
        raise BadQuestion("lies outside any grid", key=f"{kind}[{id}].position", found=far, allowed=[most])


def _nearest_m(scenario: Scenario) -> dict[str, float]:
    """How far each well stands from the nearest other well or corner of the pit [m]; one alone from nothing."""
    places = {one.id: np.array(scenario.metres(one.position)) for one in scenario.well}
    pit = [np.array(scenario.metres(one)) for one in scenario.pit.polygon] if scenario.pit else []
    apart = {id: [*pit, *(at for other, at in places.items() if other != id)] for id in places}
    return {
        id: min((float(np.hypot(*(places[id] - one))) for one in others), default=0.0) for id, others in apart.items()
    }


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
