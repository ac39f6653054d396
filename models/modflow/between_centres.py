"""A head at a place, read between the centres of cells.

A cone of depression bends: between two centres a straight line misses its foot by a tenth. Four centres an axis and a
cubic through them (Lagrange) miss it by under a hundredth; beside cells that are no aquifer the straight line stays.
"""

from __future__ import annotations

import numpy as np

from models.aquifer.admissible import Numbers
from models.modflow.numerical import Cell, NumericalModel
from models.modflow.turned import inward

CUBIC = 4


def between_centres(model: NumericalModel, place: tuple[float, float], layer: int) -> list[tuple[Cell, float]]:
    """Cells whose heads, times their weights, add up to the head at a place [m]; the weights add up to 1."""
    cubic = _weighed(model, place, layer, CUBIC)
    if all(model.active[cell] == 1 for cell, _ in cubic):
        return cubic
    kept = [(cell, weight) for cell, weight in _weighed(model, place, layer, 2) if model.active[cell] == 1]
    total = sum(weight for _, weight in kept)
    return [(cell, weight / total) for cell, weight in kept]


def _weighed(model: NumericalModel, place: tuple[float, float], layer: int, points: int) -> list[tuple[Cell, float]]:
    x, y = inward(np.array(place), model.grid.turn).tolist()
    columns, rows = _lagrange(model.grid.x, x, points), _lagrange(model.grid.y[::-1], y, points)
    last = model.grid.y.size - 1
    return [((layer, last - south, column), up * across) for south, up in rows for column, across in columns]


def _lagrange(centres: Numbers, at: float, points: int) -> list[tuple[int, float]]:
    """Numbers of the nearest centres, half of them on each side, and the weight of each; beyond an end the end's."""
    clipped = float(np.clip(at, centres[0], centres[-1]))
    upper = int(np.searchsorted(centres, clipped, side="right"))
    first = int(np.clip(upper - points // 2, 0, centres.size - points))
    used = centres[first : first + points]
    weights = [
        float(np.prod([(clipped - other) / (own - other) for m, other in enumerate(used) if m != k]))
        for k, own in enumerate(used)
    ]
    return [(first + k, weight) for k, weight in enumerate(weights) if weight != 0]
