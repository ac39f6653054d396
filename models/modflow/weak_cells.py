"""Cells that take or give most of the water that runs through them: where a path ends at a stream, a pit or a well.

A cell that gives all its water to a stream has no way on, and a path ends there by itself. One that gives a part is a
weak sink, and either rule of MODPATH for it is wrong at its end: to stop in every such cell makes a wall of a stream
that takes a hundredth, and to pass through every one lets a path go on in the last thousandth. So a path ends where
more than `MOST` of a cell's water goes that way, as in MODPATH 3 (Pollock 1994, the option of a stated fraction); for
backward ones, comes from there. Of a stream along a line of cells that share does not depend on how wide they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from models.modflow.numerical import NumericalModel
from models.modflow.particles import Way

Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]
MOST = 0.5


def ending(steady: NumericalModel, sides: Sequence[Numbers], given: Numbers) -> dict[Way, Marks]:
    """Cells in which paths of each way end, those of fixed head among them, bool[nlay, nrow, ncol].

    Parameters
    ----------
    sides : flow through the eastern, southern and lower side of each cell, out of it above 0 [m3/d].
    given : what wells, streams, pits and fixed heads give each cell; below 0 they take it [m3/d].
    """
    total = np.maximum(given, 0.0)
    for axis, flow in zip((2, 1, 0), sides, strict=True):
        total += _inflow(flow, axis)
    least = MOST * total
    fixed = np.zeros(steady.grid.shape, np.bool_)
    for one in steady.fixed:
        fixed[tuple(np.array(one.cells).T)] = True
    wet = total > 0
    return {"backward": fixed | (wet & (given > least)), "forward": fixed | (wet & (-given > least))}


def _inflow(flow: Numbers, axis: int) -> Numbers:
    """Into each cell through both sides across an axis."""
    through_far, before = np.maximum(-flow, 0.0), np.zeros_like(flow)
    inner = [slice(None)] * 3
    inner[axis] = slice(1, None)
    last = [slice(None)] * 3
    last[axis] = slice(None, -1)
    before[tuple(inner)] = np.maximum(flow[tuple(last)], 0.0)
    return np.asarray(through_far + before)
