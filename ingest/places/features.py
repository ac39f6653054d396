"""Features with cells and a shape: points are places, polygons outlines; anything else is refused and said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import shapely
from shapely import MultiPoint, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from ingest.cells import BadCell
from ingest.places.columns import Columns, refuse_readings, understood
from ingest.places.place import Area, Places, Position
from ingest.places.section import quarter_quarter
from ingest.places.wells import people, places_of
from ingest.reading import Source
from ingest.table import Row, in_order
from models.observation import Reject

MOST_CORNERS = 20_000
"""Of one outline: a county's border has fewer."""
_BOUNDARY = "boundary"


@dataclass(frozen=True)
class Feature:
    """One feature: its number in the file, its cells as text, and its shape, or ``fault``, why it has none.

    ``decimals``: of the degree, as written; None where the file keeps numbers in binary or in a plane.
    """

    number: int
    cells: Mapping[str, str]
    shape: BaseGeometry | None
    fault: str = ""
    decimals: int | None = None


@dataclass(frozen=True)
class Frame:
    """What all shapes of a file stand in. ``system`` as pyproj takes it, ``""`` where the file names none."""

    system: str
    degrees: bool


def places_and_areas(source: Source, features: Sequence[Feature], frame: Frame, told: Mapping[str, str]) -> Places:
    """Every feature as a place, an outline, or the reason why it is neither.

    Raises
    ------
    BadFile : points of which no property is the number of a well, or readings.
    """
    header = list(dict.fromkeys(name for one in features for name in one.cells))
    refuse_readings(source, header)
    columns = understood(header, told)
    points: dict[int, Position | None] = {}
    areas: list[Area] = []
    rejects: list[Reject] = []
    for one in features:
        try:
            found = _found(one, frame, columns)
        except BadCell as bad:
            rejects.append(source.reject(one.number, "geometry", "", bad.reason))
            continue
        if isinstance(found, Area):
            areas.append(found)
        else:
            points[one.number] = found
    if points and "id" not in columns.roles:
        raise source.bad("no property is the number of a well: say which by --column id=NAME")
    rows = [Row(one.number, one.cells) for one in features if one.number in points]
    taken = places_of(source, columns, rows, points)
    refused = in_order((*rejects, *taken.rejects))
    return Places(source.file, source.sha256, taken.places, tuple(areas), refused, columns.unread, "feature")


def _found(one: Feature, frame: Frame, columns: Columns) -> Area | Position | None:
    if one.fault:
        raise BadCell(one.fault)
    shape = one.shape
    if shape is None:
        return None
    if isinstance(shape, MultiPoint) and len(shape.geoms) == 1:
        shape = shape.geoms[0]
    if isinstance(shape, Point):
        return None if shape.is_empty else Position(shape.x, shape.y, frame.system, frame.degrees, one.decimals)
    if isinstance(shape, Polygon | MultiPolygon):
        return _area(one, shape, frame, columns)
    raise BadCell(f"a {shape.geom_type}: points and polygons are read, no lines and no collections")


def _area(one: Feature, shape: Polygon | MultiPolygon, frame: Frame, columns: Columns) -> Area:
    if shape.is_empty or shape.area == 0:
        raise BadCell("an outline that encloses nothing")
    corners = int(shapely.get_num_coordinates(shape))
    if corners > MOST_CORNERS:
        raise BadCell(f"an outline of {corners} corners; at most {MOST_CORNERS} are taken")
    if bad := next((one for one in shapely.get_parts(shape) if not one.is_valid), None):
        raise BadCell(f"an outline that crosses itself ({shapely.is_valid_reason(bad)})")
    row = Row(one.number, one.cells)
    hidden = {name for names in columns.private.values() for name in names}
    parcel, said = _of(row, columns, "parcel"), _of(row, columns, "quarter_quarter")
    section = quarter_quarter(said)
    if said and not (section or parcel):
        raise BadCell("not the name of a quarter-quarter section, as NE SE 12 T30N R8W")
    boundary = any(_BOUNDARY in text.casefold() for name, text in one.cells.items() if name not in hidden)
    return Area(
        one.number, shape, frame.system, frame.degrees, parcel,
        section, boundary, people(row, columns),
    )  # fmt: skip


def _of(row: Row, columns: Columns, role: str) -> str:
    return " ".join(row.text(columns.roles.get(role, "")).split())
