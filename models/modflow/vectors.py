"""Flow of groundwater from the heads of a numerical model, without its cell budgets.

Through the side between two cells of a layer flows, per unit of width, q = -K b (h2 - h1) / (x2 - x1), b the mean of
both saturated thicknesses (Darcy); the layers add up. Between two sides of a cell it goes over straight, as particles
are moved (Pollock 1988). The sides are the model's own; where a water table falls steeply MODFLOW weighs b upstream,
so that the two differ by less than the thickness does from cell to cell. Metres, days.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from models.aquifer.contours import Window
from models.aquifer.flow_field import Crossing, Flow, Slope
from models.cone.flow import ARROWS, CLEAR_M, LEVEL, FlowPlace, FlowTold
from models.modflow.numerical import Grid, NumericalModel
from models.modflow.turned import inward, outward
from models.scenario.noun import Scenario

Numbers = NDArray[np.float64]
Point = tuple[float, float]
PARTS = 400
"""Of the site's boundary, for what crosses it."""


@dataclass(frozen=True, eq=False)
class SideFlow:
    """Flow through the sides of cells, all layers together, per unit of width [m2/d].

    East and north are the grid's own.

    ``east`` : float64[nrow, ncol + 1], eastward through the western side of each column and the last one's eastern.
    ``north`` : float64[nrow + 1, ncol], northward through the northern side of each row and the last one's southern.
    ``wet`` : bool[nrow, ncol], some layer has water. 0 at the outer ends, and between a wet cell and one that is not.
    """

    grid: Grid
    east: Numbers
    north: Numbers
    wet: NDArray[np.bool_]

    def at(self, places: Sequence[Point]) -> Flow:
        """At places [m]; those that are outside or dry are left out."""
        points = np.array(places, np.float64).reshape(-1, 2)
        qx, qy = self.through(points)
        kept = np.isfinite(qx)
        return Flow(points[kept, 0], points[kept, 1], qx[kept], qy[kept])

    def through(self, points: Numbers) -> tuple[Numbers, Numbers]:
        """Eastward and northward at float64[n, 2] [m]; NaN outside and where dry."""
        rows, columns = self.wet.shape
        x, y = inward(points, self.grid.turn).T
        column = np.searchsorted(self.grid.x_edges, x, side="right") - 1
        row = rows - np.searchsorted(self.grid.y_edges, y, side="right")
        held = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        row, column = np.where(held, row, 0), np.where(held, column, 0)
        held &= self.wet[row, column]
        across = (x - self.grid.x_edges[column]) / self.grid.widths[column]
        down = (self._north_edges[row] - y) / self.grid.heights[row]
        qx = self.east[row, column] * (1 - across) + self.east[row, column + 1] * across
        qy = self.north[row, column] * (1 - down) + self.north[row + 1, column] * down
        qx, qy = outward(np.stack([qx, qy], axis=-1), self.grid.turn).T
        return np.where(held, qx, np.nan), np.where(held, qy, np.nan)

    @cached_property
    def _north_edges(self) -> Numbers:
        return self.grid.y_edges[::-1]


def side_flow(model: NumericalModel, heads: Numbers) -> SideFlow:
    """Flow under heads.

    Parameters
    ----------
    heads : float64[nlay, nrow, ncol] [m]; NaN where dry or no aquifer.
    """
    grid, (_, rows, columns) = model.grid, model.grid.shape
    east, north = np.zeros((rows, columns + 1)), np.zeros((rows + 1, columns))
    for k, layer in enumerate(model.layers):
        thick = _saturated(grid, k, heads[k], convertible=layer.convertible)
        mean_x, mean_y = (thick[:, 1:] + thick[:, :-1]) / 2, (thick[1:] + thick[:-1]) / 2
        fall_x = -np.diff(heads[k], axis=1) / np.diff(grid.x)
        fall_y = np.diff(heads[k], axis=0) / -np.diff(grid.y)[:, None]
        east[:, 1:-1] += np.nan_to_num(layer.conductivity * mean_x * fall_x)
        north[1:-1] += np.nan_to_num(layer.conductivity * mean_y * fall_y)
    return SideFlow(grid, east, north, np.asarray(np.isfinite(heads).any(axis=0)))


def _saturated(grid: Grid, k: int, heads: Numbers, *, convertible: bool) -> Numbers:
    top = grid.top if k == 0 else grid.bottoms[k - 1]
    full = top - grid.bottoms[k]
    return np.asarray(np.clip(heads - grid.bottoms[k], 0.0, full) if convertible else full)


def flow_told(
    scenario: Scenario, model: NumericalModel, heads: Numbers, transmissivity: float, window: Window
) -> FlowTold:
    """Flow at the places asked about that are not private, on a lattice of the map, and across the site's boundary.

    Parameters
    ----------
    heads : as `side_flow`.
    transmissivity : before pumping [m2/d], for the flow of the regional slope alone.
    """
    sides = side_flow(model, heads)
    wells = np.array([scenario.metres(one.position) for one in scenario.well]).reshape(-1, 2)
    asked = [FlowPlace(one.id, scenario.metres(one.position)) for one in scenario.point if one.kind != "private"]
    places = tuple(one for one in asked if _clear(wells, one.position) and sides.at([one.position]).x.size)
    x, y = window.axes(ARROWS)
    lattice = [(float(e), float(n)) for n in y for e in x if _clear(wells, (float(e), float(n)))]
    ring = [scenario.metres(one) for one in scenario.boundary]
    slope = LEVEL
    if scenario.gradient is not None:
        slope = Slope(scenario.gradient.slope.value, scenario.gradient.toward_degrees)
    return FlowTold(
        places, sides.at([one.position for one in places]), sides.at(lattice), slope, slope.slope * transmissivity,
        crossed(sides, ring) if ring else None,
    )  # fmt: skip


def _clear(wells: Numbers, place: Point) -> bool:
    return bool(np.all(np.hypot(wells[:, 0] - place[0], wells[:, 1] - place[1]) >= CLEAR_M))


def crossed(sides: SideFlow, ring: Sequence[Point], parts: int = PARTS) -> Crossing:
    """What flows in and out through the sides of a polygon, summed over equal parts of them.

    Parameters
    ----------
    ring : its corners in order, either way round [m].
    """
    edge = shapely.geometry.polygon.orient(shapely.Polygon(ring)).exterior  # anticlockwise: outward is on the right
    ends = shapely.get_coordinates(shapely.line_interpolate_point(edge, np.linspace(0, 1, parts + 1), normalized=True))
    (dx, dy), (qx, qy) = np.diff(ends, axis=0).T, sides.through((ends[1:] + ends[:-1]) / 2)
    outward = np.nan_to_num(qx * dy - qy * dx)
    return Crossing(float(-outward[outward < 0].sum()), float(outward[outward > 0].sum()))
