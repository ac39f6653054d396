"""WaterML 2.0 time series (``waterml2-xml``).

Source: OGC 10-126r4, "WaterML 2.0: Part 1 - Timeseries"; USGS writes it for daily and instantaneous values.

``defaultPointMetadata`` carries unit, qualifiers and the like for every point; what a point says itself goes before it.
Rows are numbered by point that holds a time or a value, in document order.

The station is the monitoring point's identifier, else the USGS number in a reference, else the sampled feature. The
statistic is the process's, else the USGS code in the observation's id, else that of the interpolation type.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import partial

from ingest.cells import BadCell
from ingest.iso_times import offset_ms, resolved, stated_zone, written
from ingest.point_values import Points, Series, Taken, bounded, measured_unit
from ingest.reading import Parts, Source
from ingest.table import in_order
from ingest.usgs_codes import statistic, usgs_station
from ingest.waterml.version2_points import named, points
from ingest.xml_tree import NOTHING, Node, tree
from models.parameters import parameter_id

INTERPOLATIONS = {
    "": "instant", "continuous": "instant", "discontinuous": "instant", "instanttotal": "sum",
    "averageprec": "mean", "averagesucc": "mean", "constprec": "mean", "constsucc": "mean",
    "totalprec": "sum", "totalsucc": "sum", "maxprec": "max", "maxsucc": "max", "minprec": "min", "minsucc": "min",
}  # fmt: skip
"""Statistic of an interpolation type (OGC 10-126r4): ``Prec`` is of the interval that ends at the point."""

_NAMESPACE = "opengis.net/waterml/2."
_START = re.compile(r"<(?:[\w.-]+:)?(?:Collection|OM_Observation|MeasurementTimeseries)[\s>]")
_USGS_ID = re.compile(r"USGS\.([0-9]{8,15})\.([0-9]{5})\.([^.]+)\.([0-9]{5})$")
_USGS_LINK = re.compile(r"[?&](sites|parmCd|statCd)=([0-9]{5,15})")
_NO_LETTER = re.compile(r"[^a-z]")


@dataclass(frozen=True)
class _Observation:
    """What one observation says it is. ``usgs`` holds site, parameter, series and statistic code of a USGS id."""

    node: Node
    id: str
    usgs: tuple[str, str, str, str]
    station: str
    parameter: str
    statistic_code: str
    zone: str

    def key(self) -> tuple[str, ...]:
        return self.station, self.parameter, self.statistic_code, self.usgs[2]


@dataclass
class _Collection(Taken):
    facts: dict[str, str] = field(default_factory=dict)
    empty: list[str] = field(default_factory=list)
    stamps: list[str] = field(default_factory=list)
    row: int = 0


def sniff(head: str) -> bool:
    return _NAMESPACE in head and head.lstrip().startswith("<") and _START.search(head) is not None


def parse(source: Source) -> Parts:
    """Every point of every measurement time series.

    Raises
    ------
    BadFile : broken XML, a document type in it, or no observation.
    """
    root = tree(source)
    found = [root] if root.name == "OM_Observation" else list(root.within("OM_Observation"))
    if not found and root.name != "Collection":
        raise source.bad("WaterML 2 without an observation", found=root.name)
    places = {f"#{place.get('id')}": place for place in root.within("MonitoringPoint")}
    observations = [_observation(node, places) for node in bounded(source, found, "observations")]
    alike = Counter(one.key() for one in observations)
    taken = _Collection(facts=_facts(root))
    for one in observations:
        _take(source, one, one.usgs[2] if alike[one.key()] == 1 else one.id, taken)
    if taken.empty or not observations:
        taken.facts["empty"] = "; ".join(taken.empty) or "the collection holds no observation"
    return Parts(taken.observations(), in_order(taken.rejects), taken.facts, stated_zone(taken.stamps))


def _facts(root: Node) -> dict[str, str]:
    generated = root.first("generationDate").text
    return {"generated": generated} if generated else {}


def _observation(node: Node, places: dict[str, Node]) -> _Observation:
    match = _USGS_ID.search(node.get("id"))
    usgs = (match[1], match[2], match[3], match[4]) if match else ("", "", "", "")
    feature = node.find("featureOfInterest")
    place = places.get(feature.get("href")) or feature.find("MonitoringPoint")
    zone = place.find("timeZone").first("zoneOffset").text
    return _Observation(
        node,
        node.find("identifier").text or node.get("id"),
        usgs,
        _station(feature, place, usgs[0]),
        _parameter(node.find("observedProperty"), usgs[1]),
        _statistic_code(node.find("procedure"), usgs[3]),
        "" if place.find("daylightSavingTimeZone").children else zone,
    )


def _station(feature: Node, place: Node, usgs: str) -> str:
    sampled = named(place.find("sampledFeature"))
    linked = _link(place.find("descriptionReference"), "sites")
    return usgs_station(place.find("identifier").text) or linked or usgs or sampled or named(feature)


def _parameter(observed: Node, usgs: str) -> str:
    code = _link(observed, "parmCd") or usgs
    return parameter_id("usgs", code) if code else parameter_id("name", named(observed))


def _statistic_code(procedure: Node, usgs: str) -> str:
    for parameter in procedure.within("parameter"):
        if parameter.get("title") == "Statistic":
            return parameter.find("NamedValue", "value").text or _link(parameter, "statCd")
    return usgs


def _link(reference: Node, key: str) -> str:
    found = (match for match in _USGS_LINK.finditer(reference.get("href")) if match[1] == key)
    return next((match[2] for match in found), "")


def _take(source: Source, one: _Observation, series: str, taken: _Collection) -> None:
    measured = one.node.find("result").first("MeasurementTimeseries")
    if measured is NOTHING:
        taken.refuse(source, taken.row + 1, "result", one.id, "no measurement time series: not read")
        return
    before = taken.row
    for (unit, interpolation), group in _groups(measured, taken).items():
        describe = partial(_series, one, series, unit, interpolation)
        taken.take(source, group, f"{one.id} [{unit}]", describe, partial(_time, zone=one.zone))
        taken.facts |= {f"interpolation {one.id}": interpolation} if interpolation else {}
    if taken.row == before:
        taken.empty.append(one.id)
    site = one.node.find("featureOfInterest").get("title")
    taken.facts |= {f"site {one.station}": site} if site else {}


def _groups(measured: Node, taken: _Collection) -> dict[tuple[str, str], Points]:
    """Points of one unit and interpolation type together; nearly always one group."""
    found: dict[tuple[str, str], Points] = {}
    for point in points(measured):
        taken.row += 1
        group = found.setdefault((point.unit, point.interpolation), Points())
        group.add(taken.row, point.time, point.value, point.flags)
        taken.stamps.append(point.time)
    return found


def _series(one: _Observation, id: str, unit: str, interpolation: str) -> Series:
    """What one group of points measures.

    Raises
    ------
    BadCell : a unit, statistic code or interpolation type that is not kept.
    """
    return Series(one.station, one.parameter, _statistic(one, interpolation), id, measured_unit(unit, one.parameter))


def _statistic(one: _Observation, interpolation: str) -> str:
    if one.statistic_code:
        return statistic(one.statistic_code)
    try:
        return INTERPOLATIONS[_NO_LETTER.sub("", interpolation.casefold())]
    except KeyError:
        raise BadCell("an interpolation type that says no statistic", "interpolationType") from None


def _time(text: str, zone: str) -> tuple[int, str]:
    return resolved(written(text), offset_ms(zone) if zone else None)
