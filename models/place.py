"""Distances that decide a clause: boundary to well, to parcel, to the nearest part of a water.

Coordinates and the half mile are both in the county system's own unit, the US survey foot
(EPSG:7595); a mile is 5,280 of them. Exactly at the line is within.

What is public of a private well is its quarter-quarter section: the sixteenth of a square mile, 1,320 ft on each side
and as nearly as may be 40 acres (43 U.S.C. 751, 753).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import shapely

from models.site import Point, Well

FEET_IN_A_MILE = 5280
ARITHMETIC_FT = 1e-7
"""A difference below this is rounding of coordinates, not distance: what is written at the line is at the line."""

QUARTER_QUARTER_FT, SIDE_SHARE = 1320.0, 0.3
"""The side of a quarter-quarter section [ft], and the share by which a surveyed one may be off."""
LEAST_RING_FT = QUARTER_QUARTER_FT * (1 - SIDE_SHARE) / 2
"""No quarter-quarter section lies within so little of its centre [ft]: half the shortest side that one may have."""


@dataclass(frozen=True)
class Nearness:
    """How far something lies from the site boundary, and whether that is within a line drawn around it.

    ``uncertain``: the ring of position accuracy crosses the line; treated as within until surveyed
    (Howard 2.16(2), liberal construction) and reported as needing confirmation.
    """

    distance_ft: float
    accuracy_ft: float
    within: Literal["inside", "outside", "uncertain"]

    @property
    def counts(self) -> bool:
        return self.within != "outside"


def boundary_to_point(boundary: Sequence[Point], point: Point, accuracy_ft: float, within_mi: Decimal) -> Nearness:
    """Nearness of a well; zero inside the site."""
    return _nearness(shapely.distance(shapely.Polygon(boundary), shapely.Point(point)), accuracy_ft, within_mi)


def boundary_to_line(boundary: Sequence[Point], line: Sequence[Point], within_mi: Decimal) -> Nearness:
    """Nearness of the nearest part of a water."""
    return _nearness(shapely.distance(shapely.Polygon(boundary), shapely.LineString(line)), 0.0, within_mi)


def boundary_to_parcel(boundary: Sequence[Point], polygon: Sequence[Point], within_mi: Decimal) -> Nearness:
    """Nearness of an owner's parcel: decides standing under 2.15(1)."""
    return _nearness(shapely.distance(shapely.Polygon(boundary), shapely.Polygon(polygon)), 0.0, within_mi)


def apart(one: Point, other: Point) -> float:
    """Distance between two points, in the unit of the system."""
    return math.hypot(one[0] - other[0], one[1] - other[1])


def inside(boundary: Sequence[Point], point: Point) -> bool:
    """Whether a point lies in the site (its edge included)."""
    return bool(shapely.Polygon(boundary).covers(shapely.Point(point)))


def may_be_shown(well: Well) -> bool:
    """Whether anybody may see where ``site.toml`` has a well: a private one only by its quarter-quarter section."""
    return well.use != "private" or float(well.position_accuracy_ft) >= LEAST_RING_FT


def stream_frame(line: Sequence[Point], well: Point) -> tuple[float, tuple[float, float], tuple[float, float]]:
    """The straight stream Hunt's solution wants, seen from a pumping well.

    Returns
    -------
    distance_ft : from the well to the nearest part of the line.
    foot : that nearest point.
    toward : unit vector from the foot of the perpendicular to the well.
    """
    shape = shapely.LineString(line)
    foot = shapely.get_coordinates(
        shapely.line_interpolate_point(shape, shapely.line_locate_point(shape, shapely.Point(well)))
    )[0]
    distance = float(shapely.distance(shape, shapely.Point(well)))
    toward = ((well[0] - foot[0]) / distance, (well[1] - foot[1]) / distance) if distance else (1.0, 0.0)
    return distance, (float(foot[0]), float(foot[1])), (float(toward[0]), float(toward[1]))


def _nearness(distance_ft: float, accuracy_ft: float, within_mi: Decimal) -> Nearness:
    return nearness(distance_ft, accuracy_ft, within_mi * FEET_IN_A_MILE)


def nearness(distance_ft: float, accuracy_ft: float, line_ft: Decimal) -> Nearness:
    """A distance against a line; ``distance_ft`` below 0 lies so far inside the edge that the line is drawn around."""
    line, told = float(line_ft) + ARITHMETIC_FT, max(float(distance_ft), 0.0)
    if distance_ft + accuracy_ft <= line:
        return Nearness(told, accuracy_ft, "inside")
    return Nearness(told, accuracy_ft, "outside" if distance_ft - accuracy_ft > line else "uncertain")
