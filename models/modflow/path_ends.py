"""From what MODPATH wrote to paths: where each went, why it ends, and what it passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.modflow.numerical import Cell, NumericalModel, RiverStress, RoutedStream
from models.modflow.particles import End, Path, Start
from models.modflow.turned import outward

Numbers = NDArray[np.float64]
STILL, STOP_ZONE, INACTIVE = 1, 6, 7
"""Of MODPATH's status of a particle (Pollock 2016, endpoint file); `models.modflow.weak_cells` are the stop zone."""
NO_EXIT = (2, 3, 4, 5)
"""A boundary face, a weak sink or source that stops, a cell no water leaves that way."""
FAR = "far"


@dataclass(frozen=True, eq=False)
class Tracks:
    """Every particle's points one after the other, in the order of their starts.

    Parameters
    ----------
    count : int[particles], points of each; 0 where it never started.
    x, y, z, day : float64[points] [m], [d] since the start.
    node : int[points], the cell each point lies in, counted layer by layer and row by row from 0.
    status : int[particles], MODPATH's; ``last`` : int[particles], the node each ended in.
    """

    count: NDArray[np.int64]
    x: Numbers
    y: Numbers
    z: Numbers
    day: Numbers
    node: NDArray[np.int64]
    status: NDArray[np.int64]
    last: NDArray[np.int64]


def paths_of(steady: NumericalModel, starts: Sequence[Start], tracks: Tracks) -> tuple[Path, ...]:
    """A path for each start; one that never began is a single point.

    Raises
    ------
    ValueError : as many tracks as starts there are not.
    """
    if len(starts) != tracks.count.size:
        raise ValueError(f"{tracks.count.size} tracks of {len(starts)} particles")
    held = _held(steady)
    ends = np.cumsum(tracks.count)
    return tuple(
        _path(steady, start, tracks, slice(int(end - count), int(end)), number, held)
        for number, (start, count, end) in enumerate(zip(starts, tracks.count, ends, strict=True))
    )


def _path(
    steady: NumericalModel, start: Start, tracks: Tracks, part: slice, number: int, held: dict[Cell, End]
) -> Path:
    end = _end(int(tracks.status[number]), held.get(_cell(steady, int(tracks.last[number]))))
    if part.start == part.stop:
        x, y, z = (np.array([one]) for one in _place(steady, start))
        return Path(start, x, y, z, np.zeros(1), end, ())
    waters = [held.get(_cell(steady, int(node))) for node in np.unique(tracks.node[part])]
    passed = {one.id for one in waters if one is not None and one.kind in {"stream", "pit"}} - {end.id, start.of}
    return Path(
        start, tracks.x[part], tracks.y[part], tracks.z[part], tracks.day[part], end, tuple(sorted(passed))
    )  # fmt: skip


def _end(status: int, held: End | None) -> End:
    if status == STILL:
        return End("still on its way")
    if status == STOP_ZONE and held is not None:
        return held
    if status in NO_EXIT:
        return held or End("no way on")
    return End("dry")


def _held(steady: NumericalModel) -> dict[Cell, End]:
    """What takes or gives water in each cell that has such; a fixed head before all, for paths end there."""
    found: dict[Cell, End] = {}
    for well in steady.wells:
        found |= {cell: End("well", well.id) for cell, _ in well.cells}
    waters: tuple[RiverStress | RoutedStream, ...] = (*steady.rivers, *steady.streams)
    for one in waters:
        found |= {cell: End("stream", one.id) for cell in one.cells}
    for pit in steady.drains:
        found |= {cell: End("pit", pit.id) for cell in pit.cells} if pit.active[0] else {}
    for fixed in steady.fixed:
        end = End("far end") if fixed.id == FAR else End("edge", fixed.id)
        found |= dict.fromkeys(fixed.cells, end)
    return found


def _cell(steady: NumericalModel, node: int) -> Cell:
    layer, row, column = np.unravel_index(node, steady.grid.shape)
    return int(layer), int(row), int(column)


def _place(steady: NumericalModel, start: Start) -> tuple[float, float, float]:
    """Of a start [m]; of a dry cell its bottom."""
    grid, (_, row, column), (x, y, _) = steady.grid, start.cell, start.local
    east = grid.x_edges[column] + x * grid.widths[column]
    north = grid.y_edges[::-1][row + 1] + y * grid.heights[row]
    east, north = outward(np.array([east, north]), grid.turn)
    return float(east), float(north), float(grid.bottoms[start.cell])
