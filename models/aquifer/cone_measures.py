"""How deep, wide and large a cone of depression is. Any one set of units [L, T]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from models.aquifer.contours import Contour, Field, Grid

HALF_NODES = 200
"""Of the graded axes over which all of a cone is summed."""


@dataclass(frozen=True)
class Measures:
    """The part of a cone at or above a stated drawdown.

    Parameters
    ----------
    level : the stated drawdown [L].
    width : the longest straight line between two points of the contour [L]; of the widest cone where it is in parts.
    across : the narrowest strip that holds that cone [L].
    area, volume : in plan [L^2], and between the water tables before and now inside the contour [L^3].
    parts : how many cones the level makes.
    closed : no contour line ends at the edge of the grid or of the aquifer.
    highest : the largest drawdown at a node of the grid [L].
    """

    level: float
    width: float
    across: float
    area: float
    volume: float
    parts: int
    closed: bool
    highest: float


def measures(grid: Grid, shape: Contour) -> Measures:
    """Of one contour, which may be empty.

    Notes
    -----
    Over the area A at or above L, int s dA = int max(s - L, 0) dA + L A: the first integrand has no jump, so that the
    sum over nodes errs by the square of the spacing, and the second is the contour's own area.
    """
    above, highest = np.maximum(grid.values - shape.level, 0.0), float(grid.values.max())
    if shape.area.is_empty:
        return Measures(shape.level, 0.0, 0.0, 0.0, 0.0, 0, closed=True, highest=highest)
    inside = _inside(grid, shape)
    volume = float(np.where(inside, above, 0.0).sum() * grid.cell + shape.level * shape.area.area)
    width, across = max(_width_and_across(one) for one in shape.area.geoms)
    parts = len(shape.area.geoms)
    return Measures(shape.level, width, across, shape.area.area, volume, parts, shape.closed, highest)


def together(parts: Sequence[Measures]) -> Measures:
    """Of parts of one cone, measured apart: sums, and the width of the widest."""
    width, across = max((one.width, one.across) for one in parts)
    return Measures(
        parts[0].level, width, across, sum(one.area for one in parts), sum(one.volume for one in parts),
        sum(one.parts for one in parts), all(one.closed for one in parts), max(one.highest for one in parts),
    )  # fmt: skip


def _inside(grid: Grid, shape: Contour) -> NDArray[np.bool_]:
    """Nodes of the aquifer: above the level everywhere, but no further than the contour's own area."""
    high = np.asarray(grid.values > shape.level, np.bool_)
    shapely.prepare(shape.area)
    rows, columns = np.nonzero(high)
    high[rows, columns] = shapely.intersects_xy(shape.area, grid.x[columns], grid.y[rows])
    return high


def _width_and_across(cone: shapely.Polygon) -> tuple[float, float]:
    """The diameter of its convex hull, and its least breadth."""
    corners = shapely.get_coordinates(cone.convex_hull)
    width = max(float(np.hypot(*(corners - corner).T).max()) for corner in corners)
    sides = shapely.get_coordinates(shapely.minimum_rotated_rectangle(cone))
    return width, float(np.hypot(*np.diff(sides[:3], axis=0).T).min())


def whole_volume(field: Field, centre: tuple[float, float], core: float, reach: float) -> float:
    """int int s dx dy over a square [L^3]: all of the cone where its half side is beyond the cone's reach.

    Parameters
    ----------
    field : drawdown [L].
    centre : the middle of the wells.
    core : how far around it the axes are finest [L].
    reach : half the side [L].

    Notes
    -----
    x = core sinh(t): uniform steps of t, so that the sum is the trapezoidal rule of a smooth integrand.
    """
    t = np.linspace(-1.0, 1.0, 2 * HALF_NODES) * np.arcsinh(reach / core)
    offset, weight = core * np.sinh(t), core * np.cosh(t) * (t[1] - t[0])
    values = field(*np.meshgrid(centre[0] + offset, centre[1] + offset))
    return float(weight @ values @ weight)
