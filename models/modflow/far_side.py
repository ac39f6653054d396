"""Edges of the aquifer on a grid: what lies beyond one is no aquifer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.modflow.numerical import Grid
from models.modflow.through_cells import along
from models.modflow.turned import endless
from models.scenario.noun import Edge, Scenario


def this_side(scenario: Scenario, grid: Grid) -> NDArray[np.int64]:
    """Active cells, int[nlay, nrow, ncol]: 1 on the wells' side of every edge, 0 beyond it.

    A cell that an edge of constant level runs through is aquifer: it carries the level.
    """
    active = np.ones(grid.shape[1:], np.int64)
    for edge in scenario.edge:
        active &= _near(scenario, grid, edge)
    return np.broadcast_to(active, grid.shape).copy()


def _near(scenario: Scenario, grid: Grid, edge: Edge) -> NDArray[np.int64]:
    (ax, ay), (bx, by) = (scenario.metres(one) for one in edge.line)
    length = float(np.hypot(bx - ax, by - ay))
    inside = scenario.well[0].position if scenario.well else scenario.pit.polygon[0] if scenario.pit else (0.0, 0.0)
    x0, y0 = scenario.metres(inside)

    def off(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        return ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length

    side = 1.0 if off(np.array(x0), np.array(y0)) >= 0 else -1.0
    near = side * off(*grid.centres) >= 0
    if edge.kind == "constant_head":
        for row, column in cells_on(grid, scenario, edge):
            near[row, column] = True
    return near.astype(np.int64)


def cells_on(grid: Grid, scenario: Scenario, edge: Edge) -> list[tuple[int, int]]:
    """The cells the straight line through an edge's two points runs through, from one end of the grid to the other."""
    line = endless([scenario.metres(one) for one in edge.line])
    return list(dict.fromkeys(cell for cell, _, _ in along(grid, line)))
