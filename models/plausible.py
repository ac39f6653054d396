"""Is a site file possible, and a daily value? Its schema is right; these are the things a schema cannot see.

A polygon that crosses itself has no inside, two base flows or base levels of one version cannot both be signed, and
a mail address nobody can send to would stop the night when it matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import shapely

from models.errors import BadSite
from models.signed_record import SignedRecord
from models.site import Lake, Point, Site, Stream
from models.streamflow.day_states import Quantity

MOST_SPECIFIC_YIELD = 0.5
"""More water than half of its own volume drains out of no aquifer."""

_OFFSET = re.compile(r"UTC[+-](0\d|1[0-4]):[0-5]\d")
_ADDRESS = re.compile(
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+"
)


@dataclass(frozen=True)
class Bounds:
    """Between what a value can lie, in the unit of its record."""

    least: Decimal
    most: Decimal
    unit: str


DAILY_VALUES: Mapping[Quantity, Bounds] = {
    "discharge": Bounds(Decimal(0), Decimal(3_500_000), "cfs"),
    "stage": Bounds(Decimal(-100), Decimal(500), "ft"),
}
"""A daily mean a person may enter: no river of North America has carried more, no gauge is read outside of this."""


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
    for water in site.waters():
        yield from _levels(site, water)
    for route in site.mail:
        if not _ADDRESS.fullmatch(route.to):
            yield "mail.to", route.to, "not a plain mail address"
    for station in site.stations():
        for key, clock in (("clock", station.clock), ("sample_clock", station.sample_clock)):
            if clock is not None and not _is_clock(clock):
                yield f"{station.id}.{key}", clock, "not a zone: UTC-06:00 or America/Chicago"
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
    yield from _each_once(f"{key}.base_flow", stream.base_flow)


def _levels(site: Site, water: Stream | Lake) -> Iterator[tuple[str, object, str]]:
    """A level signed for the gauge of another water would never be judged by."""
    key = f"{'lake' if isinstance(water, Lake) else 'stream'}[{water.id}].base_level"
    stands = {one.id: site.water_of(one) for one in site.gauge}
    for level in water.base_level:
        if stands[level.gauge] is not water:
            yield f"{key}.gauge", level.gauge, "stands in another water: a base level belongs to its gauge's own"
    yield from _each_once(key, water.base_level)


def _each_once(key: str, signed: Sequence[SignedRecord]) -> Iterator[tuple[str, object, str]]:
    for gauge in dict.fromkeys(one.gauge for one in signed):
        yield from _versions(key, [one for one in signed if one.gauge == gauge])


def _versions(key: str, signed: Sequence[SignedRecord]) -> Iterator[tuple[str, object, str]]:
    for name in ("version", "effective"):
        values = [str(getattr(one, name)) for one in signed]
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            yield f"{key}.{name}", twice, "signed twice for one gauge; a correction needs its own version and date"


def _is_clock(text: str) -> bool:
    if _OFFSET.fullmatch(text):
        return True
    try:
        ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
