"""The line through turning points: linear in flow or in its logarithm, and never across the ends of a run."""

from __future__ import annotations

import numpy as np

from models.streamflow.separation.runs import Floats, Ints
from models.streamflow.separation.stack import Stack

ZERO_FOR_LOG = 0.01
"""What HYSEP and the BFI program take for a zero flow before its logarithm [unit of flow; meant as cfs]."""


def join(stack: Stack, at: Ints, value: Floats, *, hold_ends: bool) -> Floats:
    """Straight lines between turning points of the same run.

    Parameters
    ----------
    stack : the runs.
    at : int[point], cells of the turning points, increasing.
    value : float64[point].
    hold_ends : before the first and after the last point of a run hold its value; else undefined (NaN). A run
        without any point is undefined.

    Returns
    -------
    float64[cell]
    """
    if at.size == 0:
        return np.full(stack.flow.size, np.nan)
    line = np.interp(np.arange(stack.flow.size), at, value)
    opening = np.searchsorted(at, stack.first)
    closing = np.searchsorted(at, stack.first + stack.length) - 1
    empty = closing < opening
    _fill_ends(stack, line, at, np.where(empty, 0, opening), np.where(empty, 0, closing), value, hold_ends)
    line[stack.spread(empty.astype(np.intp)) == 1] = np.nan
    return line


def join_logs(stack: Stack, at: Ints, value: Floats, *, hold_ends: bool) -> Floats:
    """As `join`, linear in log10 of flow; a zero is taken as ``ZERO_FOR_LOG``."""
    logs = np.log10(np.where(value == 0, ZERO_FOR_LOG, value))
    line: Floats = np.power(10.0, join(stack, at, logs, hold_ends=hold_ends))
    return line


def _fill_ends(
    stack: Stack, line: Floats, at: Ints, opening: Ints, closing: Ints, value: Floats, hold_ends: bool
) -> None:
    cell = np.arange(line.size)
    for point, is_outside in ((opening, np.less), (closing, np.greater)):
        outside = is_outside(cell, stack.spread(at[point]))
        line[outside] = np.repeat(value[point], stack.length)[outside] if hold_ends else np.nan
