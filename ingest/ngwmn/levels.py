"""National Ground-Water Monitoring Network water levels as XML (``ngwmn-xml``).

OM 2.0 around the draft WaterML 2 of 2011 (namespace ``http://www.wron.net.au/waterml2``): time-value pairs, each value
a SWE quantity with its own unit. The property is ``GroundWaterLevel``, and nothing in the document says whether that is
a depth or an elevation: it stays ``name:GroundWaterLevel``, which no rule is judged by, unless the caller tells which
(``Told.parameter``). A document that names no site takes the station it is told.
"""

from __future__ import annotations

import re
from functools import partial

from ingest.iso_times import stated_zone
from ingest.ngwmn.sites import comment_flags, level_series, network_station
from ingest.point_values import Points, Taken
from ingest.reading import Parts, Source, Told
from ingest.table import in_order
from ingest.xml_tree import Node, tree
from models.parameters import parameter_id

_NAMESPACE = "wron.net.au/waterml2"
_FEATURE = re.compile(r"[?&]featureId=([^&]*)")


def sniff(head: str) -> bool:
    return _NAMESPACE in head and head.lstrip().startswith("<")


def parse(source: Source) -> Parts:
    """Every time-value pair.

    Raises
    ------
    BadFile : broken XML, a document type in it, or no observation.
    """
    root = tree(source)
    observations = list(root.within("WaterMonitoringObservation"))
    if not observations and root.name != "ObservationCollection":
        raise source.bad("XML without a water monitoring observation", found=root.name)
    taken = Taken()
    groups = _groups(observations, source.told)
    for key, points in groups.items():
        taken.take(source, points, " ".join(key), partial(level_series, *key))
    zone = stated_zone(time for points in groups.values() for time in points.times)
    return Parts(taken.observations(), in_order(taken.rejects), _facts(groups, observations), zone)


def _groups(observations: list[Node], told: Told) -> dict[tuple[str, str, str], Points]:
    groups: dict[tuple[str, str, str], Points] = {}
    row = 0
    for observation in observations:
        station = _station(observation) or told.station
        parameter = parameter_id("name", told.parameter or _property(observation))
        for pair in observation.find("result").within("TimeValuePair"):
            row += 1
            quantity = pair.find("value", "Quantity")
            group = groups.setdefault((station, parameter, quantity.find("uom").get("code")), Points())
            text = quantity.find("value").text or pair.find("value").text
            group.add(row, pair.find("time").text, text, _flags(pair))
    return groups


def _station(observation: Node) -> str:
    """The feature asked for, else the sensor; ``""`` where the document leaves both blank."""
    match = _FEATURE.search(observation.find("featureOfInterest").get("href"))
    sensor = observation.find("procedure").get("href").rpartition(":")[2]
    return network_station((match[1] if match else "") or sensor)


def _property(observation: Node) -> str:
    return observation.find("observedProperty").get("href").rpartition(":")[2]


def _flags(pair: Node) -> str:
    accuracy = pair.first("accuracy")
    size = accuracy.first("value").text or accuracy.text
    unit = accuracy.first("uom").get("code")
    return comment_flags(pair.find("comment").text, {"accuracy": f"{size} {unit}".strip()}).text()


def _facts(groups: dict[tuple[str, str, str], Points], observations: list[Node]) -> dict[str, str]:
    facts = {}
    if any(parameter.startswith("name:") for _, parameter, _ in groups):
        facts["level"] = "the document does not say whether a level is a depth or an elevation"
    if any(not station for station, _, _ in groups):
        facts["station"] = "the document names no site"
    if not groups:
        facts["empty"] = f"{len(observations)} observations without values"
    return facts
