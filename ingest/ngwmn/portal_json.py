"""National Ground-Water Monitoring Network portal JSON (``ngwmn-json``): water levels, a well log, or both in one file.

A sample carries one measurement three times: as reported (``originalValue``), from land surface and from a datum. The
reported one is the observation and its parameter code says what it is; the elevation, with the site's datum, is kept
beside it. Without a parameter code the value is a depth where it equals the one from land surface and the direction is
not up, and an elevation where it equals the one from a datum that is stated and the direction is up; else it is
refused. Rows are numbered by sample.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pandas as pd

from ingest.cells import BadCell
from ingest.iso_times import stated_zone
from ingest.json_tree import at, load_json, many, text_of
from ingest.ngwmn.sites import (
    CONSTRUCTION,
    LITHOLOGY,
    SITES,
    agency_station,
    comment_flags,
    level_series,
    network_station,
    stated,
    table,
)
from ingest.point_values import Points, Taken, bounded
from ingest.reading import Parts, Source
from ingest.table import in_order
from models.parameters import parameter_id

DIRECTIONS = {"depth_to_water": "down", "water_elevation_navd88": "up", "water_elevation_ngvd29": "up"}
ELEVATIONS = {"NAVD88": "water_elevation_navd88", "NGVD29": "water_elevation_ngvd29"}

_MARKS = re.compile(r"\"(?:water-levels|well-log|fromLandsurfaceValue|log_entries)\"\s*:")
_NOON = "T12:00:00"


def sniff(head: str) -> bool:
    return head.lstrip().startswith("{") and _MARKS.search(head) is not None


def parse(source: Source) -> Parts:
    """Levels as observations; the log as tables ``sites``, ``lithology`` and ``construction``.

    Raises
    ------
    BadFile : broken JSON, or neither levels nor a log in it.
    """
    document = load_json(source)
    levels = document if at(document, "samples") is not None else at(document, "water-levels")
    log = document if at(document, "log_entries") is not None else at(document, "well-log")
    if not isinstance(levels, dict) and not isinstance(log, dict):
        raise source.bad("JSON with neither water levels nor a well log")
    taken = Taken()
    groups = _groups(source, levels, taken)
    for key, points in groups.items():
        taken.take(source, points, " ".join(key), partial(level_series, *key))
    times = [time for points in groups.values() for time in points.times]
    tables = _tables(source, log) if isinstance(log, dict) else {}
    return Parts(
        taken.observations(), in_order(taken.rejects), _facts(levels, times), stated_zone(times), tables=tables
    )


def _facts(levels: Any, times: list[str]) -> dict[str, str]:
    naive = [time for time in times if len(time) == len("YYYY-MM-DDTHH:MM:SS")]
    reference = at(levels, "elevationReference")
    facts = {
        "site_elevation": text_of(at(reference, "siteElevation")),
        "site_elevation_datum": text_of(at(reference, "siteElevationDatum")),
        "agency": ", ".join(sorted({text_of(at(one, "agency")) for one in many(at(levels, "samples"))} - {""})),
    }
    if naive and all(time.endswith(_NOON) for time in naive):
        facts["noon"] = f"all {len(naive)} times without an offset are 12:00:00: the hour may be a filler"
    return {name: text for name, text in facts.items() if text}


def _groups(source: Source, levels: Any, taken: Taken) -> dict[tuple[str, str, str], Points]:
    groups: dict[tuple[str, str, str], Points] = {}
    datum = text_of(at(levels, "elevationReference", "siteElevationDatum"))
    for row, sample in enumerate(many(at(levels, "samples")), 1):
        try:
            parameter = _parameter(sample, datum)
        except BadCell as bad:
            taken.refuse(source, row, bad.column, text_of(at(sample, bad.column)), bad.reason)
            continue
        station = agency_station(text_of(at(sample, "agency")), text_of(at(sample, "site")))
        points = groups.setdefault((station, parameter, text_of(at(sample, "unit"))), Points())
        points.add(row, text_of(at(sample, "time")), text_of(at(sample, "originalValue")), _flags(sample, datum))
    return groups


def _parameter(sample: Any, datum: str) -> str:
    code, direction = text_of(at(sample, "pcode")), text_of(at(sample, "direction")).casefold()
    if not code:
        return _uncoded(sample, datum, direction)
    parameter = parameter_id("usgs", code)
    if direction and DIRECTIONS.get(parameter, direction) != direction:
        raise BadCell(f"parameter code {code} is measured {DIRECTIONS[parameter]}", "direction")
    return parameter


def _uncoded(sample: Any, datum: str, direction: str) -> str:
    original = text_of(at(sample, "originalValue"))
    if original and original == text_of(at(sample, "fromLandsurfaceValue")) and direction != "up":
        return "depth_to_water"
    if original and original == text_of(at(sample, "fromDatumValue")) and direction == "up" and datum in ELEVATIONS:
        return ELEVATIONS[datum]
    raise BadCell("nothing says whether this level is a depth or an elevation above a stated datum", "pcode")


def _flags(sample: Any, datum: str) -> str:
    accuracy = stated(text_of(at(sample, "accuracyValue")))
    original = text_of(at(sample, "originalValue"))
    said = {
        "accuracy": f"{accuracy} {stated(text_of(at(sample, 'accuracyUnit')))}" if accuracy else "",
        "above_datum": f"{text_of(at(sample, 'fromDatumValue'))} {datum}".strip(),
        "below_land_surface": text_of(at(sample, "fromLandsurfaceValue")),
    }
    other = {name: text for name, text in said.items() if text.partition(" ")[0] not in {"", original, datum}}
    return comment_flags(text_of(at(sample, "comment")), other).text()


def _tables(source: Source, log: dict[str, Any]) -> dict[str, pd.DataFrame]:
    station = network_station(text_of(at(log, "name")))
    entries, parts = (bounded(source, many(at(log, name)), name) for name in ("log_entries", "construction"))
    return {
        "sites": table(SITES, [_site(log, station)]),
        "lithology": table(LITHOLOGY, [_lithology(one, station) for one in entries]),
        "construction": table(CONSTRUCTION, [_construction(one, station) for one in parts]),
    }


def _site(log: Any, station: str) -> dict[str, str]:
    return {
        "station": station,
        "name": text_of(at(log, "name")),
        "latitude": text_of(at(log, "location", "latitude")),
        "longitude": text_of(at(log, "location", "longitude")),
        "elevation": text_of(at(log, "elevation", "value")),
        "elevation_unit": text_of(at(log, "elevation", "unit")),
        "elevation_datum": text_of(at(log, "elevation", "scheme")),
        "well_depth": text_of(at(log, "well_depth", "value")),
        "well_depth_unit": text_of(at(log, "well_depth", "unit")),
        "water_use": stated(text_of(at(log, "water_use"))),
        "link": text_of(at(log, "link", "url")),
    }


def _lithology(entry: Any, station: str) -> dict[str, str]:
    return _interval(at(entry, "shape"), station) | {
        "lithology": text_of(at(entry, "unit", "composition", "lithology", "value")),
        "description": text_of(at(entry, "unit", "description")),
        "method": stated(text_of(at(entry, "method"))),
    }


def _construction(part: Any, station: str) -> dict[str, str]:
    return _interval(at(part, "position"), station) | {
        "type": text_of(at(part, "type")),
        "material": stated(text_of(at(part, "material"))),
        "diameter": text_of(at(part, "diameter", "value")),
        "diameter_unit": text_of(at(part, "diameter", "unit")),
        "id": text_of(at(part, "id")),
    }


def _interval(shape: Any, station: str) -> dict[str, str]:
    return {
        "station": station,
        "from": text_of(at(shape, "coordinates", "start")),
        "to": text_of(at(shape, "coordinates", "end")),
        "unit": text_of(at(shape, "unit")),
    }
