"""Which cells of a grid a place, a line or a polygon lies in, and how much of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import shapely

from models.errors import BadQuestion
from models.modflow.numerical import Grid
from models.modflow.turned import inward, outward

Point = tuple[float, float]


def cell_at(grid: Grid, place: Point, name: str) -> tuple[int, int]:
    """Row and column of the cell a place lies in.

    Raises
    ------
    BadQuestion : it lies outside the grid.
    """
    x, y = inward(np.array(place), grid.turn).tolist()
    if not _holds(grid, (x, y)):
        turned = f", of a grid turned by {grid.turn:.0f} degrees" if grid.turn else ""
        span = (
            f"x {grid.x_edges[0]:.0f} to {grid.x_edges[-1]:.0f} m, y {grid.y_edges[0]:.0f} to {grid.y_edges[-1]:.0f} m"
        )
        raise BadQuestion("lies outside the grid", key=name, found=f"({x:.0f}, {y:.0f}) m", allowed=[f"{span}{turned}"])
    return _own_cell(grid, (x, y))


def _own_cell(grid: Grid, place: Point) -> tuple[int, int]:
    """Of a place in the grid, in the grid's own coordinates."""
    column = int(np.searchsorted(grid.x_edges, place[0], side="right")) - 1
    from_south = int(np.searchsorted(grid.y_edges, place[1], side="right")) - 1
    return grid.y_edges.size - 2 - from_south, column


def along(grid: Grid, line: Sequence[Point]) -> list[tuple[tuple[int, int], float, Point]]:
    """The cells a line runs through, in its order: the cell, the length in it [m], and the middle of that part.

    What of the line lies outside the grid is left out.
    """
    own = [(float(x), float(y)) for x, y in inward(np.array(line, np.float64), grid.turn)]
    return [part for ends in pairwise(own) for part in _straight(grid, *ends)]


def _straight(grid: Grid, start: Point, end: Point) -> list[tuple[tuple[int, int], float, Point]]:
    length = float(np.hypot(end[0] - start[0], end[1] - start[1]))
    cuts = [0.0, 1.0]
    for edges, axis in ((grid.x_edges, 0), (grid.y_edges, 1)):
        off = end[axis] - start[axis]
        if off:
            parts = (edges - start[axis]) / off
            cuts += parts[(parts > 0) & (parts < 1)].tolist()
    found = []
    for one, other in pairwise(sorted(cuts)):
        middle = (one + other) / 2
        place = start[0] + middle * (end[0] - start[0]), start[1] + middle * (end[1] - start[1])
        if (other - one) * length > 0 and _holds(grid, place):
            x, y = outward(np.array(place), grid.turn).tolist()
            found.append((_own_cell(grid, place), (other - one) * length, (x, y)))
    return found


def _holds(grid: Grid, place: Point) -> bool:
    inside_x = grid.x_edges[0] <= place[0] < grid.x_edges[-1]
    return bool(inside_x and grid.y_edges[0] <= place[1] < grid.y_edges[-1])


def covered(grid: Grid, polygon: Sequence[Point]) -> list[tuple[tuple[int, int], float]]:
    """The cells of which a polygon covers at least half, and the area it covers in each [m2]."""
    shape = shapely.Polygon(inward(np.array(polygon, np.float64), grid.turn))
    west, south, east, north = shape.bounds
    columns = np.flatnonzero((grid.x_edges[1:] > west) & (grid.x_edges[:-1] < east))
    rows = np.flatnonzero((grid.y_edges[::-1][:-1] > south) & (grid.y_edges[::-1][1:] < north))
    found = []
    for row in rows.tolist():
        low, high = grid.y_edges[::-1][row + 1], grid.y_edges[::-1][row]
        boxes = shapely.box(grid.x_edges[columns], low, grid.x_edges[columns + 1], high)
        areas = shapely.area(shapely.intersection(boxes, shape))
        kept = areas >= 0.5 * shapely.area(boxes)
        found += [((row, int(column)), float(area)) for column, area in zip(columns[kept], areas[kept], strict=True)]
    return found
