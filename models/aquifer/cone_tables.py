"""Drawdown of many wells with long records at a quarter of a million places: one table for each well.

Of one well that has changed its rate by dq_i a time tau_i ago, everything hangs on one function of one number,

    G(v) = sum dq_i W(v / 4 tau_i) / 4 pi,    v = r^2 S / T,

whatever the aquifer. Hunt (1999, eq. 30) beside a stream x = 0 is

    s = [G(v of the well) - int_0^inf exp(-theta) G(S/T ((d + |x| + 2 T theta / lambda)^2 + y^2)) dtheta] / T.

The integral is a smooth function of ln R, R the distance to the image well, and of c, the cosine of the angle at it.
G is tabulated in ln v, the integral in ln R and c, both by cubic splines: within 1e-6 of sum |dq_i| / 4 pi T of
`models.aquifer.hunt.hunt_drawdown` summed step by step. Any one set of units [L, T]. lambda = 0 is Theis.

References
----------
Hunt (1999), Unsteady stream depletion from ground water pumping, Ground Water 37(1), 98-102.
Takahasi & Mori (1974), Double exponential formulas for numerical integration, Publ. RIMS 9, 721-741.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline, RectBivariateSpline

from models.aquifer.admissible import Numbers, finite, not_negative, positive
from models.aquifer.cone import PumpedWell
from models.aquifer.superposition import step_changes
from models.aquifer.superposition_nodes import Nodes
from models.aquifer.theis import well_function
from models.errors import BadQuestion

LOG_STEP = 0.03
"""Of the table in ln v; W bends on a scale of 1 there."""
SPENT = 750.0
"""W is below the smallest double at u above this."""
STRAIGHT = 1e-8
"""Below this u of the latest change, W is -0.5772 - ln u of every one to 1e-8, and G a straight line in ln v."""
RADIUS_STEP, ANGLES = 0.05, 25

_STEP = 0.1
_TAU = np.arange(-3.7, 3.7 + _STEP / 2, _STEP)
_THETA = np.exp(_TAU - np.exp(-_TAU))
_WEIGHTS = _STEP * _THETA * (1 + np.exp(-_TAU)) * np.exp(-_THETA)


@dataclass(frozen=True)
class AquiferValues:
    """One set of values.

    Parameters
    ----------
    transmissivity, storativity : T [L^2/T], S [-] (specific yield where unconfined), above 0.
    conductances : lambda of the stream each well faces [L/T], in the order of the wells, 0 or above; 0 is no stream.
    thickness : b, saturated before pumping, where the water table falls [L]; None is confined.
    """

    transmissivity: float
    storativity: float
    conductances: tuple[float, ...]
    thickness: float | None = None

    @property
    def theis(self) -> AquiferValues:
        """The same aquifer without streams: the upper bound of drawdown."""
        return replace(self, conductances=(0.0,) * len(self.conductances))


@dataclass(frozen=True)
class WellTable:
    """One well at one instant: `PumpedWell`, elapsed times [T] and changes of rate [L^3/T] up to it."""

    well: PumpedWell
    elapsed: Numbers
    changes: Numbers

    @classmethod
    def at(cls, well: PumpedWell, instant: float) -> WellTable:
        """What the schedule had changed before the instant [T]."""
        starts, changes = step_changes(well.times, well.rates)
        before = starts < instant
        return cls(well, (instant - starts[before])[::-1], changes[before][::-1])

    def response(self, v: Numbers) -> Numbers:
        """G(v) [L^3/T], v [T] above 0, any shape."""
        if not self.elapsed.size:
            return np.zeros(v.shape)
        place, first, spent = np.log(v), np.log(4 * self.elapsed[0] * STRAIGHT), np.log(4 * self.elapsed[-1] * SPENT)
        found = self._table(np.clip(place, first, spent))
        straight = self.changes.sum() / (4 * np.pi) * np.maximum(first - place, 0.0)
        return np.asarray(np.where(place < spent, found + straight, 0.0))

    @cached_property
    def _table(self) -> CubicSpline:
        """G in ln v, the same for all values of the aquifer: between where it is straight and where it is spent."""
        first, spent = np.log(4 * self.elapsed[0] * STRAIGHT), np.log(4 * self.elapsed[-1] * SPENT)
        grid = np.arange(first - LOG_STEP, spent + 4 * LOG_STEP, LOG_STEP)
        elapsed, changes = self._acting
        return CubicSpline(grid, well_function(np.exp(grid)[:, np.newaxis] / (4 * elapsed)) @ changes / (4 * np.pi))

    @cached_property
    def _acting(self) -> tuple[Numbers, Numbers]:
        """Elapsed times and changes that act like all of them, fewer where there are many (`Nodes`)."""
        nodes = Nodes.between(float(self.elapsed[0]), float(self.elapsed[-1]))
        if nodes.times.size >= self.elapsed.size:
            return self.elapsed, self.changes
        return nodes.times, nodes.at(self.elapsed).weights @ self.changes


def drawdown_at(
    tables: Sequence[WellTable], aquifer: AquiferValues, x: ArrayLike, y: ArrayLike, *, nearest: float
) -> Numbers:
    """Drawdown of all wells together at places of the map.

    Parameters
    ----------
    tables : the wells, all at one instant; none gives zeros.
    aquifer : one set of values.
    x, y : places, float64 arrays of one shape [L].
    nearest : no place is taken nearer to a well than this, its radius [L], above 0.

    Returns
    -------
    float64, shaped as ``x``
        Lowering above 0 [L].

    Raises
    ------
    BadQuestion : an argument outside its range, by name; a stream through a pumping well.
    """
    positive("transmissivity", aquifer.transmissivity), positive("storativity", aquifer.storativity)
    if len(aquifer.conductances) != len(tables):
        raise BadQuestion("one conductance per well", key="conductances", found=len(aquifer.conductances))
    not_negative("conductances", aquifer.conductances), positive("nearest", nearest)
    px, py = np.broadcast_arrays(finite("x", x), finite("y", y))
    total = np.zeros(px.shape)
    for table, conductance in zip(tables, aquifer.conductances, strict=True):
        total += _of_one(table, aquifer, conductance, px, py, nearest)
    return total


def _of_one(
    table: WellTable, aquifer: AquiferValues, conductance: float, x: Numbers, y: Numbers, nearest: float
) -> Numbers:
    well, per_square = table.well, aquifer.storativity / aquifer.transmissivity
    square = (x - well.position[0]) ** 2 + (y - well.position[1]) ** 2
    found = table.response(per_square * np.maximum(square, nearest**2))
    if conductance > 0 and table.elapsed.size and x.size:
        found -= _given_back(table, aquifer, conductance, x, y)
    return found / aquifer.transmissivity


def _given_back(table: WellTable, aquifer: AquiferValues, conductance: float, x: Numbers, y: Numbers) -> Numbers:
    """The integral over the images beyond the stream, at places of the map [L^3/T]."""
    (ux, uy), (fx, fy), distance = table.well.toward, table.well.foot, table.well.distance
    if distance <= 0:
        raise BadQuestion("a stream runs through the pumping well", key="distance", found=distance, allowed=["above 0"])
    across = distance + np.abs((x - fx) * ux + (y - fy) * uy)
    image = np.hypot(across, (y - fy) * ux - (x - fx) * uy)
    log_radius = np.log(image)
    low, high = float(log_radius.min()), float(log_radius.max())
    count = max(8, int(np.ceil((high - low) / RADIUS_STEP)) + 1)
    if x.size <= count * ANGLES:
        return _integral(table, aquifer, conductance, image, np.minimum(across / image, 1.0))
    radii = np.linspace(low - 1e-9, high + 1e-9, count)
    cosines = np.linspace(0.0, 1.0, ANGLES)
    known = _integral(table, aquifer, conductance, np.exp(radii)[:, np.newaxis], cosines)
    spline = RectBivariateSpline(radii, cosines, known)
    return np.asarray(spline.ev(log_radius, np.minimum(across / image, 1.0)))


def _integral(
    table: WellTable, aquifer: AquiferValues, conductance: float, radius: Numbers, cosine: Numbers
) -> Numbers:
    """int_0^inf exp(-theta) G(S/T (R^2 + 2 R w c + w^2)) dtheta, w = 2 T theta / lambda, float64[radius, cosine]."""
    w = 2 * aquifer.transmissivity / conductance * _THETA
    r, c = radius[..., np.newaxis], cosine[..., np.newaxis]
    v = aquifer.storativity / aquifer.transmissivity * (r**2 + 2 * r * w * c + w**2)
    return np.asarray(table.response(v) @ _WEIGHTS)
