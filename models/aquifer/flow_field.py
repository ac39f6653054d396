"""Which way groundwater flows, and how much: the cone of depression laid on the regional slope of the water table.

The head is h = h0 - s, h0 the plane of the regional gradient; the flow in the whole thickness is q = -T grad h per
unit of width (Darcy), so that q = T (grad s - grad h0). Directions are azimuths, degrees clockwise from grid north. Any
one set of units [L, T].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite
from models.aquifer.contours import Field
from models.errors import BadQuestion

LEAST_SPREAD = 0.05
"""Wells nearer to one line than this share of their extent tell no plane: the slope across the line is a guess."""


@dataclass(frozen=True)
class Slope:
    """The regional water table: how steep it is [-], and where it goes down to [degrees clockwise from grid north]."""

    slope: float
    toward: float

    @property
    def gradient(self) -> tuple[float, float]:
        """dh0/dx and dh0/dy [-]."""
        angle = np.radians(self.toward)
        return -self.slope * float(np.sin(angle)), -self.slope * float(np.cos(angle))


@dataclass(frozen=True)
class FittedSlope:
    """A plane through heads at wells: the slope, the root mean square of what it leaves over [L], and how many."""

    slope: Slope
    rmse: float
    wells: int


@dataclass(frozen=True)
class Flow:
    """Flow at places: ``x``, ``y`` [L], ``qx``, ``qy`` through the whole thickness per unit of width [L^2/T]."""

    x: Numbers
    y: Numbers
    qx: Numbers
    qy: Numbers

    @property
    def rate(self) -> Numbers:
        """[L^2/T]."""
        return np.hypot(self.qx, self.qy)

    @property
    def toward(self) -> Numbers:
        """Azimuth [degrees]."""
        return azimuth(self.qx, self.qy)


@dataclass(frozen=True)
class Crossing:
    """What flows in and out through a closed line [L^3/T], both 0 or above."""

    inflow: float
    outflow: float


def azimuth(east: ArrayLike, north: ArrayLike) -> Numbers:
    """Degrees clockwise from grid north, 0 to below 360."""
    return np.degrees(np.arctan2(east, north)) % 360.0


def fitted_slope(positions: ArrayLike, heads: ArrayLike) -> FittedSlope:
    """The plane of least squares through heads at wells.

    Parameters
    ----------
    positions : float64[n, 2] [L].
    heads : float64[n] above one datum [L].

    Raises
    ------
    BadQuestion : fewer than three wells, or wells on one line.
    """
    places, levels = finite("positions", positions), finite("heads", heads)
    if len(places) < 3:
        raise BadQuestion("a gradient needs three wells", key="heads", found=len(places), allowed=["three or more"])
    centred = places - places.mean(axis=0)
    spread = np.linalg.svd(centred, compute_uv=False)
    if spread[1] < LEAST_SPREAD * spread[0]:
        raise BadQuestion("the wells stand on one line: no gradient across it", key="positions")
    matrix = np.column_stack([centred, np.ones(len(centred))])
    plane = np.linalg.lstsq(matrix, levels)[0]
    left = levels - matrix @ plane
    slope = Slope(float(np.hypot(plane[0], plane[1])), float(azimuth(-plane[0], -plane[1])))
    return FittedSlope(slope, float(np.sqrt(np.mean(left**2))), len(places))


def flow_at(drawdown: Field, regional: Slope, transmissivity: float, x: Numbers, y: Numbers, step: float) -> Flow:
    """Flow at places, the cone's gradient by central differences.

    Parameters
    ----------
    drawdown : s [L].
    transmissivity : T [L^2/T].
    x, y : places of one shape [L].
    step : half the distance of the differences [L].
    """
    (gx, gy), scale = regional.gradient, transmissivity / (2 * step)
    qx = scale * (drawdown(x + step, y) - drawdown(x - step, y)) - transmissivity * gx
    qy = scale * (drawdown(x, y + step) - drawdown(x, y - step)) - transmissivity * gy
    return Flow(x, y, qx, qy)


def crossing(
    drawdown: Field, regional: Slope, transmissivity: float, ring: Sequence[tuple[float, float]], parts: int = 400
) -> Crossing:
    """What flows in and out through the sides of a polygon, summed over equal parts of them.

    Parameters
    ----------
    ring : its corners in order, either way round [L].
    others : as in `flow_at`.
    """
    edge = shapely.geometry.polygon.orient(shapely.Polygon(ring)).exterior  # anticlockwise: outward is on the right
    corners = np.linspace(0.0, 1.0, parts + 1)
    places = shapely.get_coordinates(shapely.line_interpolate_point(edge, corners, normalized=True))
    middle, along = (places[1:] + places[:-1]) / 2, np.diff(places, axis=0)
    flow = flow_at(drawdown, regional, transmissivity, middle[:, 0], middle[:, 1], edge.length / parts / 10)
    outward = flow.qx * along[:, 1] - flow.qy * along[:, 0]
    return Crossing(float(-outward[outward < 0].sum()), float(outward[outward > 0].sum()))
