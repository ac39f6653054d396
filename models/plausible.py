"""Is a site file possible? Its schema is right; these are the things a schema cannot see.

A polygon that crosses itself has no inside, two base flows of one version cannot both be signed, and
a mail address nobody can send to would stop the night when it matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import shapely

from models.base_flow import BaseFlow
from models.errors import BadSite
from models.site import Point, Site, Stream

MOST_SPECIFIC_YIELD = 0.5
"""More water than half of its own volume drains out of no aquifer."""

_OFFSET = re.compile(r"UTC[+-](0\d|1[0-4]):[0-5]\d")
_ADDRESS = re.compile(
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+"
)


def check_plausible(site: Site, file: str) -> None:
    """Refuse what cannot be.

    Raises
    ------
    BadSite : the first fault, naming file and key.
    """
    for key, found, reason in _faults(site):
        raise BadSite(reason, file=file, key=key, found=found)


def _faults(site: Site) -> Iterator[tuple[str, object, str]]:
    yield from _polygon("boundary", site.boundary)
    for parcel in site.property:
        yield from _polygon(f"property[{parcel.id}].polygon", parcel.polygon)
    for stream in site.stream:
        yield from _stream(stream)
    for route in site.mail:
        if not _ADDRESS.fullmatch(route.to):
            yield "mail.to", route.to, "not a plain mail address"
    for station in site.stations():
        if station.clock is not None and not _is_clock(station.clock):
            yield f"{station.id}.clock", station.clock, "not a zone: UTC-06:00 or America/Chicago"
    if site.aquifer is not None and float(site.aquifer.specific_yield.high) > MOST_SPECIFIC_YIELD:
        yield "aquifer.specific_yield.high", str(site.aquifer.specific_yield.high), f"over {MOST_SPECIFIC_YIELD}"
    if site.permit.ends < site.permit.granted:
        yield "permit.ends", site.permit.ends.isoformat(), "before it was granted"


def _polygon(key: str, corners: Sequence[Point]) -> Iterator[tuple[str, object, str]]:
    shape = shapely.Polygon(corners)
    if shape.area <= 0:
        yield key, None, "encloses nothing"
    elif not shape.is_valid:
        yield key, None, "crosses itself"


def _stream(stream: Stream) -> Iterator[tuple[str, object, str]]:
    key = f"stream[{stream.id}]"
    if shapely.LineString(stream.line).length <= 0:
        yield f"{key}.line", None, "has no length"
    for gauge in {one.gauge for one in stream.base_flow}:
        yield from _versions(f"{key}.base_flow", [one for one in stream.base_flow if one.gauge == gauge])


def _versions(key: str, signed: Sequence[BaseFlow]) -> Iterator[tuple[str, object, str]]:
    for name in ("version", "effective"):
        values = [str(getattr(one, name)) for one in signed]
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            yield f"{key}.{name}", twice, "signed twice for one gauge; a correction needs its own version and date"
    for one in signed:
        if one.record_to < one.record_from:
            yield f"{key}.record_to", one.record_to.isoformat(), "before record_from"


def _is_clock(text: str) -> bool:
    if _OFFSET.fullmatch(text):
        return True
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
