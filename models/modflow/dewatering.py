"""A pit kept dry, as a numerical model drains it: each stage from its day on, in every layer down to its level.

A layer above the level holds no water over the pit: what seeps out of it is taken too. It is drained to `LEFT` of its
thickness, through `DRAIN_TIMES_OWN` of its own transmissivity: with more, or at its very bottom, Newton's method does
not settle.
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

DRAIN_TIMES_OWN = 10.0
LEFT = 0.02
"""Of the thickness of a layer above the pit's level: what stays wet of it."""


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
    cells = tuple((layer, row, column) for layer in sorted(set(layers)) for row, column in places)
    level = np.array([table[row, column] for _, row, column in cells])
    held = np.array([-1, *_stage(pit, instants)])
    at = np.array([_elevation(one, layer, cells, level) for one, layer in zip(pit.stages, layers, strict=True)])
    conductance = np.full(len(cells), DRAIN_TIMES_T * strata.transmissivity * factor)
    above = tuple((layer, row, column) for layer in range(max(layers)) for row, column in places)
    at = np.hstack([at, _emptied(above, layers, table, strata)])
    elevation = np.vstack([at, np.full(at.shape[1], np.nan)])[held]
    own = DRAIN_TIMES_OWN * factor
    through = [own * strata.layers[layer].conductivity * strata.thicknesses[layer] for layer, _, _ in above]
    return (DrainStress("pit", (*cells, *above), elevation, np.concatenate([conductance, through])),)


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


def _elevation(stage: PitStage, layer: int, cells: Sequence[tuple[int, int, int]], table: Numbers) -> Numbers:
    """Of each cell; NaN in other layers, and where nothing is lowered."""
    drained = np.array([cell[0] == layer and stage.lowered.value > 0 for cell in cells])
    return np.where(drained, table - stage.lowered.value, np.nan)


def _emptied(above: Sequence[tuple[int, int, int]], layers: Sequence[int], table: Numbers, strata: Strata) -> Numbers:
    """Of each stage and each cell above the lowest level, float64[stages, cells]; NaN where the stage is not below."""
    at = [table[r, c] - strata.depths[k] + LEFT * strata.thicknesses[k] for k, r, c in above]
    below = [[k < layer for k, _, _ in above] for layer in layers]
    return np.where(np.array(below, dtype=bool).reshape(len(layers), -1), np.array(at), np.nan)
