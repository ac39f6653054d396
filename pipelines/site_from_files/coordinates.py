"""From the coordinates of a file to those of a site, how well that can be done, and whether it lies about the town.

Nothing is moved by a shift nobody knows: PROJ without the grid of a transformation leaves NAD27 where it is, some tens
of feet off, and calls that a transformation. Between the realisations of NAD83 what is left out is a metre at most.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError
from pyproj.transformer import TransformerGroup
from shapely.geometry.base import BaseGeometry

from models.errors import BadQuestion

FEET_IN_A_MILE = 5280
METRES_IN_A_FOOT = 0.3048
NAD83_REALISATIONS_M = 1.0
"""NAD83(1986), HARN and 2011 lie within about a metre of each other in the conterminous states (NGS, NADCON 5.0)."""
_NAD83 = ("NAD83", "North American Datum 1983", "NAD_1983")
UNREGISTERED = "a system that is in no register"
_EDGE = 21
"""Points along each edge of the area of a system, so that its outline bends as the projection bends it."""
_BAND = (-90.0, 90.0)


@dataclass(frozen=True)
class Move:
    """From one system to another. ``said``: the file's system, in words; ``accuracy_ft``: of the move alone."""

    said: str
    accuracy_ft: float
    degrees: bool
    transformer: Transformer

    def points(self, xs: Sequence[float], ys: Sequence[float]) -> list[tuple[float, float]]:
        """Each point in the site's system; what cannot be placed is infinite."""
        x, y = self.transformer.transform(np.array(xs, dtype=float), np.array(ys, dtype=float))
        return list(zip(np.atleast_1d(x).tolist(), np.atleast_1d(y).tolist(), strict=True))

    def shape(self, shape: BaseGeometry) -> BaseGeometry:
        """A shape in the site's system."""
        return shapely.transform(shape, lambda at: np.column_stack(self.transformer.transform(at[:, 0], at[:, 1])))


@lru_cache(maxsize=256)
def move(source: str, target: str) -> Move:
    """How to get from a file's system to the site's.

    Raises
    ------
    BadQuestion : no such system, none of positions on a map, or no transformation that is known to be good.
    """
    found, wanted = system(source), system(target)
    best = _best(found, wanted)
    accuracy = best.accuracy if best is not None else -1.0
    if best is None or accuracy < 0:
        if not (_is_nad83(found) and _is_nad83(wanted)):
            raise BadQuestion(
                f"from {_name(found)} no exact way leads to {wanted.name} without a grid that is not installed: "
                "convert the coordinates to NAD83 (NGS Coordinate Conversion and Transformation Tool) and deliver "
                "those",
                found=source,
            )
        accuracy = NAD83_REALISATIONS_M
    mover = best or Transformer.from_crs(found, wanted, always_xy=True)
    return Move(_said(found), accuracy / METRES_IN_A_FOOT, found.is_geographic, mover)


def system(name: str) -> CRS:
    """A system of positions.

    Raises
    ------
    BadQuestion : unknown, or one of heights, of the Earth's centre or of a building site.
    """
    try:
        found = CRS.from_user_input(name)
    except CRSError:
        raise BadQuestion("no coordinate system of this name", found=name, allowed=["a code, as EPSG:3070"]) from None
    if not (found.is_geographic or found.is_projected):
        raise BadQuestion("not a system of positions on a map", found=name)
    return found


def in_words(name: str) -> str:
    """A system as its register calls it, with code and unit."""
    return _said(system(name))


def same_datum(one: str, other: str) -> bool:
    """Whether two systems are on one datum; the realisations of NAD83 are one, whatever their systems."""
    a, b = system(one), system(other)
    if _is_nad83(a) or _is_nad83(b):
        return _is_nad83(a) and _is_nad83(b)
    return a.datum is not None and b.datum is not None and a.datum.name == b.datum.name


def same_system(one: str, other: str) -> bool:
    """Whether two names mean one system, the order of its axes aside."""
    return system(one).equals(system(other), ignore_axis_order=True)


def _best(source: CRS, target: CRS) -> Transformer | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a grid that is missing is told by the accuracy of what is left
        found = TransformerGroup(source, target, always_xy=True).transformers
    known = [one for one in found if one.accuracy >= 0]
    return known[0] if known else (found[0] if found else None)


def _is_nad83(one: CRS) -> bool:
    return one.datum is not None and one.datum.name.startswith(_NAD83)


def _said(one: CRS) -> str:
    """Its name, code and unit."""
    known, code = _registered(one), one.to_authority()
    if known is None or code is None:
        size = f"{one.axis_info[0].unit_conversion_factor:.10g}" if one.axis_info else "?"
        return f"{UNREGISTERED}, its unit {size} {'radian' if one.is_geographic else 'm'}"
    return f"{known.name} ({code[0]}:{code[1]}), {known.axis_info[0].unit_name}"


def _name(one: CRS) -> str:
    known = _registered(one)
    return UNREGISTERED if known is None else known.name


def _registered(one: CRS) -> CRS | None:
    """The system as its register has it; a file may call its own, and the unit, anything."""
    code = one.to_authority()
    return None if code is None else CRS.from_authority(*code)


@dataclass(frozen=True)
class Surroundings:
    """Where the town is: around a boundary, or the area of its coordinate system. Distances in the site's own feet."""

    area: BaseGeometry
    of: str
    within_mi: float
    feet_per_unit: float

    def miles(self, points: Sequence[tuple[float, float]]) -> list[float]:
        """How far off each point lies; infinite where it cannot be placed."""
        at = np.array(points, dtype=float).reshape(-1, 2)
        known = np.isfinite(at).all(axis=1)
        far = np.full(len(at), math.inf)
        far[known] = shapely.distance(self.area, shapely.points(at[known])) * self.feet_per_unit / FEET_IN_A_MILE
        return [float(one) for one in far]

    def holds(self, shape: BaseGeometry) -> bool:
        """Whether every corner of a shape lies near enough."""
        corners = [(float(x), float(y)) for x, y in shapely.get_coordinates(shape)]
        return max(self.miles(corners)) <= self.within_mi


def around(target: str, boundary: Sequence[tuple[float, float]] | None, within_mi: float) -> Surroundings:
    """The neighbourhood of a boundary; without one, of the area that the site's system is made for."""
    crs = system(target)
    feet = crs.axis_info[0].unit_conversion_factor / METRES_IN_A_FOOT
    if boundary is not None:
        area = shapely.Polygon(boundary)
        shapely.prepare(area)
        return Surroundings(area, "the site boundary", within_mi, feet)
    wide = _area_of(crs, target)
    shapely.prepare(wide)
    return Surroundings(wide, f"the area of {crs.name}", within_mi, feet)


def _area_of(crs: CRS, target: str) -> BaseGeometry:
    use = crs.area_of_use
    if use is None:
        raise BadQuestion("a coordinate system without an area of use", found=target)
    box = shapely.segmentize(shapely.box(use.west, use.south, use.east, use.north), (use.east - use.west) / _EDGE)
    to_map = Transformer.from_crs(crs.geodetic_crs, crs, always_xy=True)
    return shapely.transform(box, lambda at: np.column_stack(to_map.transform(at[:, 0], at[:, 1])))


def where_else(one: Move, x: float, y: float, near: Surroundings) -> str:
    """What would bring a far point to the town: its numbers exchanged, or a sign; empty where nothing does."""
    tries = [
        ((y, x), "exchanged they would lie there"),
        ((-x, y), "with a minus before the first they would lie there"),
    ]
    tries += [((-y, x), "exchanged, with a minus, they would lie there")]
    for (a, b), said in tries:
        if one.degrees and not _BAND[0] <= b <= _BAND[1]:
            continue
        if near.miles(one.points([a], [b]))[0] <= near.within_mi:
            return f"; {said}"
    return ""
