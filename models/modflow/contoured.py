"""Drawdown of the water table in plan: read from the uppermost wet layer, smooth between centres, and contoured.

Cells are fine where the cone is steep, so that a cubic through their centres which does not overshoot (Fritsch and
Carlson 1980) follows it. A pumped well's own cell has no drawdown to tell: there the plan takes the largest beside it,
which is less than in the well. Metres.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator, RegularGridInterpolator
from scipy.ndimage import distance_transform_edt
from shapely.geometry.base import BaseGeometry

from models.aquifer.contours import Contour, Grid, contour
from models.modflow import numerical
from models.modflow.turned import inward, outward

Numbers = NDArray[np.float64]
PARTS = 4
"""Between two centres."""


@dataclass(frozen=True, eq=False)
class DrawdownPlan:
    """The field on nodes, and the part of the plane that has it: None is all of it, else without dry cells and ends.

    Both are in the coordinates of a grid turned by ``turn`` [degrees]; places and contours are in the map's.
    """

    grid: Grid
    within: BaseGeometry | None
    turn: float = 0.0

    def at(self, places: Sequence[tuple[float, float]]) -> Numbers:
        """Drawdown at places, float64[n] [m]; NaN beyond the grid and where there is none."""
        read = RegularGridInterpolator((self.grid.y, self.grid.x), self.grid.values, bounds_error=False)
        points = inward(np.array(places, np.float64).reshape(-1, 2), self.turn)
        found = np.asarray(read(points[:, ::-1]), np.float64)
        if self.within is not None:
            found[~shapely.intersects_xy(self.within, points[:, 0], points[:, 1])] = np.nan
        return found

    def contours(self, levels: Sequence[float]) -> tuple[Contour, ...]:
        """A contour at each level [m]; its area is empty where no place has so much."""
        return tuple(self._on_map(contour(self.grid, level, self.within)) for level in levels)

    def _on_map(self, one: Contour) -> Contour:
        if not self.turn:
            return one
        on_map = partial(outward, turn=self.turn)
        return Contour(one.level, shapely.transform(one.area, on_map), shapely.transform(one.lines, on_map))


def drawdown_plan(grid: numerical.Grid, field: Numbers, wells: Sequence[tuple[int, int]]) -> DrawdownPlan:
    """The plan of a drawdown.

    Parameters
    ----------
    field : float64[nlay, nrow, ncol], NaN where there is none (`models.modflow.quantities.Quantities.field`) [m].
    wells : row and column of each pumped well.
    """
    told = _beside_wells(_uppermost(field), wells)
    known = np.isfinite(told)
    filled = told if known.all() else _nearest(told, known)
    x, y = _finer(grid.x), _finer(grid.y[::-1])
    rows = PchipInterpolator(grid.x, filled[::-1], axis=1)(x)
    values = np.asarray(PchipInterpolator(grid.y[::-1], rows, axis=0)(y), np.float64)
    return DrawdownPlan(Grid(x, y, values), None if known.all() else _cells(grid, known), grid.turn)


def where_most(field: Numbers) -> Numbers:
    """Of each place the layer that falls most, as one, float64[1, nrow, ncol] [m]; NaN where no layer has any."""
    most = np.max(np.where(np.isnan(field), -np.inf, field), axis=0, keepdims=True)
    return np.where(np.isfinite(most), most, np.nan)


def _uppermost(field: Numbers) -> Numbers:
    """Of the uppermost layer that has any, float64[nrow, ncol]."""
    first = np.argmax(np.isfinite(field), axis=0)
    return np.asarray(np.take_along_axis(field, first[None], axis=0)[0])


def _beside_wells(plane: Numbers, wells: Sequence[tuple[int, int]]) -> Numbers:
    found, around = plane.copy(), np.pad(plane, 1, constant_values=np.nan)
    for row, column in wells:
        beside = around[[row, row + 2, row + 1, row + 1], [column + 1, column + 1, column, column + 2]]
        if np.isfinite(beside).any():
            found[row, column] = np.nanmax(beside)
    return found


def _nearest(plane: Numbers, known: NDArray[np.bool_]) -> Numbers:
    """Cells without a value take that of the nearest with one: the contour is cut off at their sides afterwards."""
    row, column = distance_transform_edt(~known, return_distances=False, return_indices=True)
    return np.asarray(plane[row, column])


def _finer(centres: Numbers) -> Numbers:
    return np.interp(np.arange((centres.size - 1) * PARTS + 1) / PARTS, np.arange(centres.size), centres)


def _cells(grid: numerical.Grid, known: NDArray[np.bool_]) -> BaseGeometry:
    """The cells that have a value, as one shape."""
    row, column = np.nonzero(known)
    north, south = grid.y_edges[::-1][row], grid.y_edges[::-1][row + 1]
    boxes = shapely.box(grid.x_edges[column], south, grid.x_edges[column + 1], north)
    return shapely.union_all(boxes)
