"""Places of ``site.toml`` that lie far from the site: mostly axes exchanged, or degrees or metres for feet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from models.site import Point, Site
from pipelines.site_from_files.coordinates import Surroundings, around, move, system, where_else

WITHIN_MI = 10.0
"""Further from the boundary than this lies hardly anything that a mine's permit is about [mi]."""
BESIDE_MI = 1.0
"""A slip explains a far place if without it the place lies this near [mi]."""
REGION_MI = 100.0
"""An index well or a reference gauge may lie further off, but under the same weather [mi]."""
DEGREES = "EPSG:4326"
_MOST_LONGITUDE, _MOST_LATITUDE = 180.0, 90.0


def far_places(site: Site) -> Iterator[str]:
    """A line for each station, point, water and parcel that lies too far off, with what would bring it to the site."""
    near = around(site.crs, site.boundary, BESIDE_MI)
    for key, corners, within_mi in _places(site):
        miles = min(near.miles(corners))
        likely = _likely(site.crs, corners[0], near, miles)
        if miles > within_mi or likely:
            yield f"site.toml: {key}: lies {miles:,.0f} miles from the site boundary{likely}"


def _places(site: Site) -> Iterator[tuple[str, Sequence[Point], float]]:
    """(key, corners, how far it may lie)."""
    for well in site.well:
        yield f"well[{well.id}].position", [well.position], REGION_MI if well.use == "index" else WITHIN_MI
    for gauge in site.gauge:
        if gauge.position is not None:
            within = REGION_MI if gauge.role == "reference" else WITHIN_MI
            yield f"gauge[{gauge.id}].position", [gauge.position], within
    for key, corners in (*_points(site), *_outlines(site)):
        yield key, corners, WITHIN_MI


def _points(site: Site) -> Iterator[tuple[str, Sequence[Point]]]:
    yield from ((f"discharge[{one.id}].position", [one.position]) for one in site.discharge)
    yield from ((f"drainage_point[{one.id}].position", [one.position]) for one in site.drainage_point)
    for key in ("pit_floor", "bedrock", "boring"):
        for number, each in enumerate(getattr(site, key), 1):
            if each.position is not None:
                yield f"{key}[{number}].position", [each.position]
    for home in site.inventory.residence:
        if home.position is not None:
            yield f"inventory.residence[{home.id}].position", [home.position]


def _outlines(site: Site) -> Iterator[tuple[str, Sequence[Point]]]:
    for stream in site.stream:
        yield f"stream[{stream.id}].line", stream.line
    for lake in site.lake:
        yield f"lake[{lake.id}].shore", lake.shore
    for parcel in site.property:
        yield f"property[{parcel.id}].polygon", parcel.polygon


def _likely(crs: str, at: Point, near: Surroundings, miles: float) -> str:
    """The slip that would put a place so far off; empty where none that we know would."""
    x, y = at
    if miles <= WITHIN_MI:
        exchanged = miles > BESIDE_MI and near.miles([(y, x)]) == [0.0]
        return "; exchanged it would lie within" if exchanged else ""
    in_metres = system(crs).axis_info[0].unit_conversion_factor
    tries = [("exchanged", (y, x)), ("read as metres", (x / in_metres, y / in_metres))]
    if max(abs(x), abs(y)) <= _MOST_LONGITUDE and min(abs(x), abs(y)) <= _MOST_LATITUDE:
        to_map = move(DEGREES, crs)
        if abs(y) <= _MOST_LATITUDE:
            tries.append(("read as longitude and latitude in degrees", to_map.points([x], [y])[0]))
        if hint := where_else(to_map, x, y, near):
            return f"{hint} (read as degrees)"
    said = next((said for said, place in tries if _is_there(place, near)), "")
    return f"; {said} it would lie there" if said else ""


def _is_there(place: Point, near: Surroundings) -> bool:
    return all(map(math.isfinite, place)) and near.miles([place])[0] <= near.within_mi
