"""Runs end to end in one vector: the layout of the graphical methods, which look along a run in both directions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.separation.runs import Floats, Ints, Marks, as_table, gap_free_runs, known, station_blocks

CELLS = 500_000
"""Station-days worked on at once [4 MB a vector]: stays in cache, and bounds the memory of a large table."""


@dataclass(frozen=True)
class Stack:
    """Every run of some stations, one behind the other.

    Parameters
    ----------
    flow : float64[cell], known flow, each run in day order.
    station : int[run], column of the whole flow table.
    first, length : int[run], first cell and number of cells.
    """

    flow: Floats
    station: Ints
    first: Ints
    length: Ints

    def spread(self, per_run: Ints) -> Ints:
        """A number per run repeated over its cells."""
        return np.repeat(per_run, self.length)

    @cached_property
    def day(self) -> Ints:
        """int[cell], days since the first of the run."""
        return np.arange(self.flow.size) - self.spread(self.first)

    @cached_property
    def days_left(self) -> Ints:
        """int[cell], days until the last of the run."""
        return self.spread(self.length) - 1 - self.day


def separate_stacked(flow: ArrayLike, method: Callable[[Stack], Floats]) -> Floats:
    """Apply ``method`` (stack to base flow [cell]) to every run; NaN where flow is unknown. Shape of ``flow``."""
    table = as_table(flow)
    base = np.full(table.shape, np.nan)
    for columns in station_blocks(table.shape[1], max(1, CELLS // max(1, table.shape[0]))):
        base[:, columns] = _separate_block(table[:, columns], columns.start, method)
    return base.reshape(np.shape(flow))


def _separate_block(table: Floats, first_station: int, method: Callable[[Stack], Floats]) -> Floats:
    is_known = known(table)
    by_station = np.full(table.T.shape, np.nan)
    if is_known.any():
        by_station[is_known.T] = method(_stacked(table, is_known, first_station))
    return by_station.T


def _stacked(table: Floats, is_known: Marks, first_station: int) -> Stack:
    runs = gap_free_runs(is_known)
    first = np.cumsum(runs.length) - runs.length
    return Stack(table.T[is_known.T], runs.station + first_station, first, runs.length)
