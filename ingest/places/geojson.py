"""GeoJSON: longitude and latitude on WGS 84 (RFC 7946), or in the system that a ``crs`` member of 2008 names.

Which way round a ring runs is of no account. Positions are x before y whatever the system's own order of axes; a file
that writes latitude first lies somewhere else, which whoever places it finds out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pyproj import CRS
from pyproj.exceptions import CRSError
from shapely import MultiPoint, MultiPolygon, Point, Polygon
from shapely.errors import ShapelyError
from shapely.geometry.base import BaseGeometry

from ingest.cells import BadCell, number
from ingest.json_tree import at, load_json, text_of
from ingest.places.features import MOST_CORNERS, Feature, Frame, places_and_areas
from ingest.places.place import Places
from ingest.places.system import WGS84, system_named
from ingest.places.wells import decimals
from ingest.reading import Source

SHAPES = ("Point", "MultiPoint", "Polygon", "MultiPolygon")
_KINDS = {*SHAPES, "LineString", "MultiLineString", "GeometryCollection"}
MOST_LONGITUDE, MOST_LATITUDE = 180.0, 90.0


def sniff(head: str) -> bool:
    """A JSON object."""
    return head.lstrip("\ufeff \t\n\r").startswith("{")


def read_geojson(source: Source, told: Mapping[str, str]) -> Places:
    """Every feature of a document, its points as places and its polygons as outlines.

    Raises
    ------
    BadFile : broken, no GeoJSON, or with a ``crs`` that cannot be followed.
    """
    document = load_json(source)
    features = [_feature(number, one) for number, one in enumerate(_members(source, document), 1)]
    return places_and_areas(source, features, _frame(source, document, features), told)


def _members(source: Source, document: Any) -> list[Any]:
    kind = at(document, "type")
    if kind == "FeatureCollection":
        found = at(document, "features")
        if not isinstance(found, list) or not found:
            raise source.bad("a FeatureCollection without features")
        return found
    if kind == "Feature":
        return [document]
    if kind in _KINDS:
        return [{"type": "Feature", "properties": {}, "geometry": document}]
    raise source.bad("JSON, but no GeoJSON: its type is no FeatureCollection, Feature or geometry", found=kind)


def _frame(source: Source, document: Any, features: list[Feature]) -> Frame:
    """The system of all shapes; numbers that cannot be degrees and name no system stand in one nobody has named."""
    inside = document.get("features") if isinstance(at(document, "features"), list) else [document]
    own = [one for one in inside if isinstance(one, dict) and one is not document]
    if any("crs" in one or "crs" in (one.get("geometry") or {}) for one in own if isinstance(one, dict)):
        raise source.bad("a crs inside a feature: one for the whole file, or none, can be followed")
    if at(document, "crs") is None:
        return Frame(WGS84, True) if all(map(_is_degrees, features)) else Frame("", False)
    name = at(document, "crs", "properties", "name")
    if at(document, "crs", "type") != "name" or not isinstance(name, str):
        raise source.bad("a crs that is no name (a link is not followed)", found=text_of(at(document, "crs"))[:80])
    try:
        system = system_named(name, degrees=False)
        return Frame(system, CRS.from_user_input(system).is_geographic)
    except (BadCell, CRSError):
        raise source.bad("crs: not a coordinate system that is known by this name", found=name[:80]) from None


def _is_degrees(one: Feature) -> bool:
    """Whether its numbers can be degrees, latitude first included: that is found out where they are placed."""
    if one.shape is None or one.shape.is_empty:
        return True
    west, south, east, north = map(abs, one.shape.bounds)
    x, y = max(west, east), max(south, north)
    return max(x, y) <= MOST_LONGITUDE and min(x, y) <= MOST_LATITUDE


def _feature(place: int, one: Any) -> Feature:
    cells = dict(_cells(one))
    geometry = at(one, "geometry")
    if at(one, "type") != "Feature" or not isinstance(at(one, "properties") or {}, dict):
        return Feature(place, cells, None, "no Feature")
    if geometry is None:
        return Feature(place, cells, None)
    try:
        return Feature(place, cells, _shape(geometry), decimals=_decimals(geometry))
    except BadCell as bad:
        return Feature(place, cells, None, bad.reason)
    except ShapelyError:
        return Feature(place, cells, None, "not a shape")


def _cells(one: Any) -> Iterator[tuple[str, str]]:
    """Its own id first, where no property is called so."""
    says = at(one, "properties")
    if (own := text_of(at(one, "id"))) and "id" not in (says if isinstance(says, dict) else {}):
        yield "id", own
    for name, value in (says if isinstance(says, dict) else {}).items():
        yield name, text_of(value)


def _shape(geometry: Any) -> BaseGeometry:
    kind, corners = at(geometry, "type"), at(geometry, "coordinates")
    if kind == "Point":
        return Point(_corner(corners))
    if kind == "MultiPoint":
        return MultiPoint([_corner(one) for one in _list(corners)])
    if kind == "Polygon":
        return _polygon(corners)
    if kind == "MultiPolygon":
        return MultiPolygon([_polygon(one) for one in _list(corners)])
    named = kind if kind in _KINDS else "shape of no known type"
    raise BadCell(f"a {named}: points and polygons are read, no lines and no collections")


def _polygon(rings: Any) -> Polygon:
    outer, *holes = (_ring(one) for one in _list(rings))
    return Polygon(outer, holes)


def _ring(corners: Any) -> list[tuple[float, float]]:
    if len(_list(corners)) > MOST_CORNERS:
        raise BadCell(f"an outline of {len(corners)} corners; at most {MOST_CORNERS} are taken")
    ring = [_corner(one) for one in corners]
    if len(ring) < 4 or ring[0] != ring[-1]:
        raise BadCell("a ring that is not closed: its last position is not its first, or it has fewer than four")
    return ring


def _corner(position: Any) -> tuple[float, float]:
    """x and y of a position; a height behind them is not read."""
    if not isinstance(position, list) or not 2 <= len(position) <= 4:
        raise BadCell("a position is not two or three numbers")
    if not all(isinstance(one, str) for one in position):
        raise BadCell("a coordinate that is no number")
    return number(position[0]), number(position[1])


def _decimals(geometry: Any) -> int | None:
    point = at(geometry, "coordinates")
    return min(map(decimals, point[:2])) if at(geometry, "type") == "Point" else None


def _list(node: Any) -> list[Any]:
    if not isinstance(node, list) or not node:
        raise BadCell("an empty or missing list of coordinates")
    return node
