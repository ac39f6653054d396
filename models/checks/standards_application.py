"""Points of standards application (NR 140.22(2)): where a PAL and where an ES holds.

A PAL holds at every point at which groundwater is monitored. An ES holds at a point of present use, at any point beyond
the property boundary, and inside the property beyond a design management zone where one is set.
"""

from __future__ import annotations

from dataclasses import dataclass

import shapely

from models.site import Point, Site, Well
from models.standard_set import Kind

IN_USE = {"private", "production"}


@dataclass(frozen=True)
class Application:
    """Whether a standard holds at a point, the paragraph, and in words why."""

    applies: bool
    paragraph: str
    why: str


def application(site: Site, well: Well, point: Point, accuracy_ft: float, kind: Kind) -> Application:
    """Where a well stands under 140.22(2); a ring of position accuracy that crosses a line counts as beyond it."""
    if kind == "PAL":
        return Application(True, "140.22(2)(a)", "every monitored point")
    if well.use in IN_USE:
        return Application(True, "140.22(2)(b)1.", "a point of present groundwater use")
    outside = _beyond(site.boundary, point, accuracy_ft)
    if outside:
        return Application(True, "140.22(2)(b)2.", f"{outside} the property boundary")
    outside = _beyond(site.design_management_zone, point, accuracy_ft) if site.design_management_zone else ""
    if outside:
        return Application(True, "140.22(2)(b)3.", f"{outside} the design management zone")
    why = "no point of standards application of the ES, inside the property: NR 140.27"
    return Application(False, "140.22(2)(b)", why)


def _beyond(polygon: tuple[Point, ...], point: Point, accuracy_ft: float) -> str:
    """``""`` inside; else ``beyond``, or that it may be."""
    shape, place = shapely.Polygon(polygon), shapely.Point(point)
    if not shape.covers(place):
        return "beyond"
    unsure = accuracy_ft > 0 and shapely.distance(shape.exterior, place) < accuracy_ft
    return "by the accuracy of its position perhaps beyond" if unsure else ""
