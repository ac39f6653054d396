"""A pit kept dry, as a numerical model drains it: each stage from its day on, in every layer down to its level.

A layer above the level holds no water over the pit: what seeps out of it there runs down and is taken too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.modflow.numerical import DrainStress, Grid
from models.modflow.strata import Strata
from models.modflow.through_cells import covered
from models.scenario.noun import PitOf, PitStage, Scenario

DRAIN_TIMES_T = 50.0
"""Conductance of a drained cell over T: so much that the drain holds nothing back; its sensitivity is reported."""


def lowerings(scenario: Scenario, instants: Sequence[float]) -> list[Numbers]:
    """How far the pit's level is kept lowered between each two instants, float64[len(instants) - 1] [m]; none: none."""
    if scenario.pit is None:
        return []
    levels = np.array([0.0, *scenario.pit.schedule[1]])
    return [levels[_stage(scenario.pit, instants) + 1]]


def drains_of(
    scenario: Scenario, grid: Grid, table: Numbers, strata: Strata, instants: Sequence[float], factor: float
) -> tuple[DrainStress, ...]:
    """The pit's floor through its stages.

    Parameters
    ----------
    table : float64[nrow, ncol], the undisturbed water table [m].
    instants : edges of the stress periods after the steady one.
    factor : on the conductance.

    Raises
    ------
    BadQuestion : a level below the lowest layer; no cell lies in the pit.
    """
    pit = scenario.pit
    if pit is None:
        return ()
    layers = [_layer(strata, stage, key) for key, stage in _keyed(pit)]
    places = [place for place, _ in covered(grid, [scenario.metres(one) for one in pit.polygon])]
    if not places:
        raise BadQuestion("no cell of the grid lies in it", key="pit.polygon", allowed=["a pit wider than a cell"])
    cells = tuple((layer, row, column) for layer in range(max(layers) + 1) for row, column in places)
    level = np.array([table[row, column] for _, row, column in cells])
    held = np.array([-1, *_stage(pit, instants)])
    bottom = np.array([grid.bottoms[cell] for cell in cells])
    reached = [np.array([cell[0] <= layer for cell in cells]) for layer in layers]
    at = np.array([_elevation(one, cut, level, bottom) for one, cut in zip(pit.stages, reached, strict=True)])
    elevation = np.vstack([at, np.full(len(cells), np.nan)])[held]
    conductance = np.full(len(cells), DRAIN_TIMES_T * strata.transmissivity * factor)
    return (DrainStress("pit", cells, elevation, conductance),)


def pit_says(scenario: Scenario) -> tuple[str, ...]:
    """What the scenario says of its pit and no drain can take."""
    if scenario.pit is None or scenario.pit.lake_depth is None:
        return ()
    return (f"pit.lake_depth ({scenario.pit.lake_depth.text}) changes nothing here: the pit is kept at lowered",)


def _stage(pit: PitOf, instants: Sequence[float]) -> np.ndarray:
    """The stage held between each two instants; -1 before the first."""
    return np.searchsorted(pit.schedule[0], np.asarray(instants[:-1]), side="right") - 1


def _keyed(pit: PitOf) -> list[tuple[str, PitStage]]:
    return [(f"pit.stage[{one.since}].lowered" if pit.stage else "pit.lowered", one) for one in pit.stages]


def _layer(strata: Strata, stage: PitStage, key: str) -> int:
    lowered = stage.lowered.value
    if lowered >= strata.depths[-1]:
        words = f"above {strata.depths[-1]:.3g} m, the bottom of the lowest layer"
        raise BadQuestion("the pit is kept dry below the bottom", key=key, found=stage.lowered.text, allowed=[words])
    return next(k for k, depth in enumerate(strata.depths) if lowered < depth)


def _elevation(stage: PitStage, reached: np.ndarray, table: Numbers, bottom: Numbers) -> Numbers:
    """Of each cell, no lower than its own bottom; NaN in layers below, and where nothing is lowered."""
    drained = reached & (stage.lowered.value > 0)
    return np.where(drained, np.maximum(table - stage.lowered.value, bottom), np.nan)
