"""Contours of a field on a grid of two axes, as lines and as areas, and a grid that grows until they close.

Along the sides of a cell the field is taken as straight, so that a contour's radius errs by the square of the spacing.
Any one unit of length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import contourpy
import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from models.aquifer.admissible import Numbers

Field = Callable[[Numbers, Numbers], Numbers]
"""Places x, y of one shape -> the field there."""

COARSE = 81
"""Nodes along a side while the grid looks for its size."""
MARGIN = 1.25
"""The grid over the extent of the outermost contour."""
STILL_TO_SEE = 6
"""Coarse cells the outermost contour spans at least; a smaller one is looked at closer first."""
MOST_TURNS = 60


@dataclass(frozen=True)
class Window:
    """A square of the map: its middle and half its side [L]."""

    x: float
    y: float
    half: float

    def axes(self, nodes: int) -> tuple[Numbers, Numbers]:
        """Two axes of as many nodes."""
        span = np.linspace(-self.half, self.half, nodes)
        return self.x + span, self.y + span

    def sampled(self, field: Field, nodes: int) -> Grid:
        """The field on this window."""
        x, y = self.axes(nodes)
        return Grid(x, y, field(*np.meshgrid(x, y)))


@dataclass(frozen=True)
class Grid:
    """A field on the nodes of two axes: ``values`` is float64[len(y), len(x)]."""

    x: Numbers
    y: Numbers
    values: Numbers

    @property
    def cell(self) -> float:
        """Area of one cell [L^2]."""
        return float((self.x[1] - self.x[0]) * (self.y[1] - self.y[0]))

    @property
    def edge_highest(self) -> float:
        """The largest value on the outermost nodes."""
        z = self.values
        return float(max(z[0].max(), z[-1].max(), z[:, 0].max(), z[:, -1].max()))


@dataclass(frozen=True)
class Contour:
    """Where a field equals a level.

    Parameters
    ----------
    level : of the field.
    area : the part of the plane at or above it: polygons with holes.
    lines : the contour itself, without the ends of the grid or of the aquifer.
    closed : no line ends anywhere.
    """

    level: float
    area: shapely.MultiPolygon
    lines: shapely.MultiLineString

    @property
    def closed(self) -> bool:
        return all(line.is_closed for line in self.lines.geoms)


def contour(grid: Grid, level: float, within: BaseGeometry | None = None) -> Contour:
    """One contour of a field.

    Parameters
    ----------
    within : the part of the plane that is aquifer; None is all of it.
    """
    made = contourpy.contour_generator(
        grid.x, grid.y, grid.values, line_type="Separate", fill_type="OuterOffset", name="serial"
    )
    lines = [shapely.LineString(np.asarray(line, np.float64)) for line in made.lines(level) if len(line) > 1]
    area = shapely.union_all(_polygons(*made.filled(level, np.inf)))
    drawn: BaseGeometry = shapely.MultiLineString(lines)
    if within is not None:
        area, drawn = shapely.intersection(area, within), shapely.intersection(drawn, within)
    return Contour(level, _areas(area), _lines(drawn))


def joined(level: float, parts: Sequence[Contour]) -> Contour:
    """One contour of parts that do not touch each other."""
    areas = [area for one in parts for area in one.area.geoms]
    lines = [line for one in parts for line in one.lines.geoms]
    return Contour(level, shapely.MultiPolygon(areas), shapely.MultiLineString(lines))


def _polygons(points: Sequence[Any], offsets: Sequence[Any]) -> list[BaseGeometry]:
    """Outer rings with their holes, from one array of points each and where its rings begin."""
    found: list[BaseGeometry] = []
    for ring, ends in zip(points, offsets, strict=True):
        rings = [ring[a:b] for a, b in pairwise(ends)]
        found.append(shapely.make_valid(shapely.Polygon(rings[0], rings[1:])))
    return found


def _areas(shape: BaseGeometry) -> shapely.MultiPolygon:
    return shapely.MultiPolygon([one for one in shapely.get_parts(shape) if isinstance(one, shapely.Polygon)])


def _lines(shape: BaseGeometry) -> shapely.MultiLineString:
    parts = [one for one in shapely.get_parts(shape) if isinstance(one, shapely.LineString) and one.length > 0]
    merged = shapely.line_merge(shapely.MultiLineString([one for one in parts if not one.is_closed]))
    rejoined = [one for one in shapely.get_parts(merged) if isinstance(one, shapely.LineString)]
    return shapely.MultiLineString([*(one for one in parts if one.is_closed), *rejoined])


@dataclass(frozen=True)
class Fitted:
    """The window that holds the contour of a level, and whether it does. ``reached``: the field attains the level."""

    window: Window
    closed: bool
    reached: bool


def fit_window(
    field: Field,
    level: float,
    start: Window,
    most: float,
    within: BaseGeometry | None = None,
    peaks: Sequence[tuple[float, float]] = (),
) -> Fitted:
    """A window around the contour of a level: doubled while the contour touches its edge, else drawn in around it.

    Parameters
    ----------
    field : asked for on coarse grids.
    start : where to begin.
    most : half the side beyond which it gives up [L].
    within : the part of the plane that is aquifer; a contour that ends at its edge is cut off there.
    peaks : where the field is sharp, which a coarse grid may step over: the wells.
    """
    sharp = _reached(field, level, peaks)
    window = start
    for _ in range(MOST_TURNS):
        grid = window.sampled(field, COARSE)
        found = shapely.union_all([contour(grid, level, within).area, sharp])
        if _touches(found, window) or (found.is_empty and _rises_outward(grid)):
            if window.half >= most:
                return Fitted(window, closed=found.is_empty, reached=not found.is_empty)
            window = Window(window.x, window.y, min(2 * window.half, most))
        elif found.is_empty:
            closer = _closer(grid, window)
            if float(closer.sampled(field, COARSE).values.max()) < level:
                return Fitted(window, closed=True, reached=False)
            window = closer
        else:
            around = _around(found, window)
            if 2 * window.half < (COARSE - 1) / STILL_TO_SEE * around.half:
                return Fitted(around, closed=True, reached=True)
            window = around
    return Fitted(window, closed=False, reached=True)


def _reached(field: Field, level: float, peaks: Sequence[tuple[float, float]]) -> shapely.MultiPoint:
    """The peaks that attain the level."""
    at = np.array(peaks, np.float64).reshape(-1, 2)
    return shapely.MultiPoint(at[field(at[:, 0], at[:, 1]) >= level]) if len(at) else shapely.MultiPoint()


def _touches(shape: BaseGeometry, window: Window) -> bool:
    if shape.is_empty:
        return False
    west, south, east, north = shape.bounds
    least = window.half * (1 - 1e-9)
    return max(window.x - west, window.y - south, east - window.x, north - window.y) >= least


def _rises_outward(grid: Grid) -> bool:
    """The largest value is on the edge, and not the same everywhere: what is looked for may lie beyond."""
    return grid.edge_highest >= float(grid.values.max()) > float(grid.values.min())


def _around(shape: BaseGeometry, window: Window) -> Window:
    west, south, east, north = shape.bounds
    half = MARGIN * max(east - west, north - south) / 2
    return Window((west + east) / 2, (south + north) / 2, max(half, 2 * window.half / (COARSE - 1)))


def _closer(grid: Grid, window: Window) -> Window:
    """Around the largest value: where no node attains a level, so does nothing wider than a cell."""
    row, column = np.unravel_index(np.argmax(grid.values), grid.values.shape)
    return Window(float(grid.x[column]), float(grid.y[row]), 4 * window.half / (COARSE - 1))
