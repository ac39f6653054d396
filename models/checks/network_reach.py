"""What lies within the reach of a requirement: wells, waters and homes, each with its distance and how sure it is.

Distances are those of the ordinance's coordinate system, in which 2.07(2)(h) wants every measurement. Chippewa's lies
at the height of the land, 40 parts in a million above the ellipsoid: its half mile is 0.11 ft less by a geodesic.
Exactly at a line is within; a place whose accuracy crosses the line counts as within until it is surveyed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

import shapely

from models.inventory import Residence
from models.network_rule import Reach, ResidencesAsked, WatersAsked
from models.place import FEET_IN_A_MILE, Nearness, nearness
from models.question import Question
from models.site import Lake, Point, Stream, Well

NO_FACILITY = 'the outline of the facility is not on file ([[inventory.outline]] what = "facility")'


class Around:
    """The edge that a requirement reaches from: the site's boundary, or the outline of the facility, once for all."""

    def __init__(self, question: Question, reach: Reach) -> None:
        self.question, self.line_ft = question, line_ft(reach)
        outlines = question.site.inventory.outlines(question.on, "facility") if reach.around == "facility" else ()
        self.missing = NO_FACILITY if reach.around == "facility" and not outlines else ""
        edges = [one.outline for one in outlines] or [question.site.boundary]
        self._edge = shapely.union_all([shapely.Polygon(one) for one in edges])
        self._accuracy_ft = max((float(one.accuracy_ft) for one in outlines), default=0.0)
        shapely.prepare(self._edge)

    def wells(self, uses: Sequence[str]) -> Iterator[tuple[Well, Nearness]]:
        """Every well of these uses within the line, or possibly within."""
        for well in self.question.site.wells(*uses):
            near = self._near_point(*self.question.position(well))
            if near.counts:
                yield well, near

    def waters(self, asked: WatersAsked) -> Iterator[tuple[Stream | Lake, Nearness]]:
        """Every water of these kinds whose nearest part lies within the line."""
        for water in self.question.site.waters():
            kind, shape = _shape(water)
            near = self._near_shape(shape)
            if near.counts and kind in asked.kinds:
                yield water, near

    def homes(self, asked: ResidencesAsked) -> Iterator[tuple[Residence, Nearness]]:
        """Every home within the line: by its parcel's nearest part, or by where it stands."""
        parcels = {one.id: shapely.Polygon(one.polygon) for one in self.question.site.property}
        for home in self.question.site.inventory.residence:
            parcel = parcels.get(home.property or "")
            near = self._near_shape(parcel) if parcel and asked.by == "parcel" else self._home(home, parcel)
            if near.counts:
                yield home, near

    def _home(self, home: Residence, parcel: shapely.Polygon | None) -> Nearness:
        """A home known by its parcel alone stands anywhere on it, from its nearest part to its farthest corner."""
        if home.position is not None:
            return self._near_point(home.position, float(home.position_accuracy_ft))
        if parcel is None:
            raise ValueError(f"{home.id} has neither a position nor a parcel")
        low = float(shapely.distance(self._edge, parcel))
        high = max(float(shapely.distance(self._edge, shapely.Point(one))) for one in parcel.exterior.coords)
        return nearness((low + high) / 2, (high - low) / 2 + self._accuracy_ft, self.line_ft)

    def _near_shape(self, shape: shapely.Geometry) -> Nearness:
        return nearness(float(shapely.distance(self._edge, shape)), self._accuracy_ft, self.line_ft)

    def _near_point(self, place: Point, accuracy_ft: float) -> Nearness:
        """A point inside lies so far from the edge that its accuracy has to reach out to it first."""
        point = shapely.Point(place)
        off = float(shapely.distance(self._edge, point)) or -float(
            shapely.distance(shapely.boundary(self._edge), point)
        )
        return nearness(off, accuracy_ft + self._accuracy_ft, self.line_ft)


def _shape(water: Stream | Lake) -> tuple[str, shapely.Geometry]:
    if isinstance(water, Lake):
        return "lake", shapely.Polygon(water.shore)
    return "stream", shapely.LineString(water.line)


def line_ft(reach: Reach) -> Decimal:
    """The line of a requirement [ft]; 0 is the edge itself."""
    return reach.within_mi * FEET_IN_A_MILE if reach.within_mi is not None else reach.within_ft or Decimal(0)


def says(near: Nearness, *, private: bool) -> str:
    """A distance in words, with its accuracy where it decides; of a household no more than that its place is unsure."""
    if private:
        return (
            " (its place is not known well enough to tell whether it lies within)" if near.within == "uncertain" else ""
        )
    return f" ({_distance(near)})"


def _distance(near: Nearness) -> str:
    if near.within == "uncertain":
        return f"{near.distance_ft:,.0f} ft off, known to {near.accuracy_ft:,.0f} ft"
    return f"{near.distance_ft:,.1f} ft off" if near.distance_ft else "on the site"
