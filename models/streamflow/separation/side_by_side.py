"""Runs side by side: the layout of the recursive filters, which step through all runs at once, a day at a time.

Runs are sorted by length, longest first. Step t then holds day t of the first ``width[t]`` runs, and the steps follow
each other in one vector without a hole: a table of many gaps costs no more memory than its known days.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.separation.runs import Floats, Ints, Marks, as_table, gap_free_runs, known, station_blocks

STATIONS = 1024
"""Stations worked on at once: enough to hide the cost of a step, and it bounds the memory of a large table."""


@dataclass(frozen=True)
class Lanes:
    """One lane per run, longest first, with reflected days at both ends.

    Parameters
    ----------
    station, start, length : int[lane], as in `Runs`.
    reflected : int[lane], days mirrored at either end, the end day itself not repeated [d].
    bounds : step t is cells ``bounds[t]`` to ``bounds[t + 1]``.
    """

    station: Ints
    start: Ints
    length: Ints
    reflected: Ints
    bounds: list[int]

    @property
    def steps(self) -> range:
        """The steps in time order."""
        return range(len(self.bounds) - 1)

    def row(self, step: int) -> slice:
        """The cells of a step."""
        return slice(self.bounds[step], self.bounds[step + 1])


Filter = Callable[[Floats, Lanes], None]
"""Replaces flow [cell] by base flow in place."""


def separate_side_by_side(flow: ArrayLike, method: Filter, reflect_days: int = 0) -> Floats:
    """Apply ``method`` to every run; NaN where flow is unknown.

    Parameters
    ----------
    flow : float64[day] or [day, station].
    method : the filter.
    reflect_days : days mirrored at both ends of a run before filtering and cut off after; a run of n days has only
        n - 1 to mirror [d].
    """
    table = np.ascontiguousarray(as_table(flow))
    base = np.full(table.shape, np.nan)
    for columns in station_blocks(table.shape[1], STATIONS):
        lanes = _lanes(known(table[:, columns]), columns.start, reflect_days)
        if lanes.steps:
            cells = _gathered(table, lanes)
            method(cells, lanes)
            _scatter(cells, lanes, base)
    return base.reshape(np.shape(flow))


def _lanes(is_known: Marks, first_station: int, reflect_days: int) -> Lanes:
    runs = gap_free_runs(is_known)
    by_length = np.argsort(-runs.length, kind="stable")
    length = runs.length[by_length]
    reflected = np.minimum(reflect_days, length - 1)
    days = length + 2 * reflected
    width = days.size - np.searchsorted(days[::-1], np.arange(days.max(initial=0)), side="right")
    bounds = np.concatenate([[0], np.cumsum(width)]).tolist()
    return Lanes(runs.station[by_length] + first_station, runs.start[by_length], length, reflected, bounds)


def _gathered(table: Floats, lanes: Lanes) -> Floats:
    stations, days = table.shape[1], table.reshape(-1)
    origin, last = lanes.start * stations + lanes.station, lanes.length - 1
    cells = np.empty(lanes.bounds[-1])
    for step in lanes.steps:
        row = lanes.row(step)
        lane = slice(row.stop - row.start)
        mirrored = last[lane] - np.abs(last[lane] - np.abs(step - lanes.reflected[lane]))
        cells[row] = days[origin[lane] + mirrored * stations]
    return cells


def _scatter(cells: Floats, lanes: Lanes, base: Floats) -> None:
    """Write the days of every run where they came from, the mirrored ones left out."""
    stations, days = base.shape[1], base.reshape(-1)
    origin, last = lanes.start * stations + lanes.station, lanes.length - 1
    for step in lanes.steps:
        row = lanes.row(step)
        lane = slice(row.stop - row.start)
        day = step - lanes.reflected[lane]
        inside = (day >= 0) & (day <= last[lane])
        days[(origin[lane] + day * stations)[inside]] = cells[row][inside]
