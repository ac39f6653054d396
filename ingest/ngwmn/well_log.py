"""National Ground-Water Monitoring Network well logs as GWML 1 (``ngwmn-log``): no observations, three tables.

GWML 1 (Geological Survey of Canada, ``http://www.nrcan.gc.ca/xml/gwml/1``) over GeoSciML 2: a ``WaterWell`` with its
log elements, and the components of its casings and screens. Intervals are depths below land surface; a screen that
starts above it is written with a negative one. Units are kept as stated, and most are stated as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ingest.ngwmn.sites import CONSTRUCTION, LITHOLOGY, SITES, network_station, stated, table
from ingest.point_values import bounded
from ingest.reading import Parts, Source
from ingest.xml_tree import Node, tree
from models.observation import tidy

_WELL = re.compile(r"<(?:[\w.-]+:)?WaterWell[\s>]")
_BREAK = re.compile(r"[\s,]+")
_COMPONENTS = {"ScreenComponent": "screen", "CasingComponent": "casing"}


def sniff(head: str) -> bool:
    return "nrcan.gc.ca/xml/gwml/1" in head and _WELL.search(head) is not None


def parse(source: Source) -> Parts:
    """Tables ``sites``, ``lithology`` and ``construction``.

    Raises
    ------
    BadFile : broken XML, a document type in it, or no well.
    """
    root = tree(source)
    wells = [root] if root.name == "WaterWell" else list(root.within("WaterWell"))
    if not wells:
        raise source.bad("XML without a WaterWell of GWML", found=root.name)
    bounded(source, list(root.within("WaterWell", "logElement", *_COMPONENTS)), "wells, intervals and components")
    tables = {
        "sites": table(SITES, [_site(well) for well in wells]),
        "lithology": table(LITHOLOGY, [row for well in wells for row in _lithology(well)]),
        "construction": table(CONSTRUCTION, [row for well in wells for row in _construction(well)]),
    }
    return Parts(tidy([]), (), {"wells": str(len(wells))}, tables=tables)


def _id(well: Node) -> str:
    return well.find("name").text or well.get("id")


def _site(well: Node) -> dict[str, str]:
    place = _BREAK.split(well.find("position", "Point", "pos").text)
    elevation, depth = well.find("referenceElevation"), well.find("wellDepth").first("principalValue")
    return {
        "station": network_station(_id(well)),
        "name": _id(well),
        "latitude": place[0],
        "longitude": place[1] if len(place) > 1 else "",
        "elevation": elevation.text,
        "elevation_unit": stated(elevation.get("uom")),
        "well_depth": depth.text,
        "well_depth_unit": stated(depth.get("uom")),
        "water_use": stated(well.find("wellType").first("value").text),
        "link": well.find("onlineResource").get("href"),
    }


def _lithology(well: Node) -> Iterator[dict[str, str]]:
    for element in well.all("logElement"):
        interval = element.find("MappedInterval")
        unit = next(iter(interval.find("specification").children), interval)
        yield _interval(well, interval.find("shape")) | {
            "lithology": unit.first("lithology").first("name").text,
            "description": unit.find("description").text,
            "method": stated(interval.find("observationMethod").first("value").text),
        }


def _construction(well: Node) -> Iterator[dict[str, str]]:
    for component in well.within(*_COMPONENTS):
        diameter = component.find("diameter").first("principalValue")
        yield _interval(well, component.find("position")) | {
            "type": _COMPONENTS[component.name],
            "material": stated(component.find("material").first("value").text),
            "diameter": diameter.text,
            "diameter_unit": stated(diameter.get("uom")),
            "id": component.get("id"),
        }


def _interval(well: Node, shape: Node) -> dict[str, str]:
    """Both ends of a one-dimensional line along the hole."""
    line = shape.find("LineString")
    ends = _BREAK.split(line.find("coordinates").text or line.find("posList").text)
    return {
        "station": network_station(_id(well)),
        "from": ends[0],
        "to": ends[1] if len(ends) > 1 else "",
        "unit": stated(line.get("uom")),
    }
