"""USGS Water Data OGC API answers as GeoJSON (``usgs-ogc-geojson``), one page each.

A page that names a next one is not the whole answer: the facts say ``more = yes`` and carry the address (``next``).
Rows are numbered by feature, in document order: the service writes the whole page on one line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ingest.json_tree import at, load_json, many, text_of
from ingest.ogc.records import Record, parse_records
from ingest.reading import Parts, Source

_COLLECTION = re.compile(r"\"type\"\s*:\s*\"Feature(?:Collection)?\"")
_OF_USGS = re.compile(
    r"\"monitoring_location_(?:id|number)\"\s*:|waterdata\.usgs\.gov/ogcapi|\"numberReturned\"\s*:\s*0\b"
)
_ERROR = re.compile(r"\"(?:description|message)\"\s*:")
_SHORT = 20_000  # no error is longer


def sniff(head: str) -> bool:
    """Features of USGS monitoring locations, or the error object the service answers with."""
    start = head.lstrip()
    return start.startswith("{") and (
        (_COLLECTION.search(head) is not None and _OF_USGS.search(head) is not None) or _is_error(start)
    )


def parse(source: Source) -> Parts:
    """Observations, or the table ``sites`` or ``time_series``.

    Raises
    ------
    BadFile : broken JSON, an error object, no features, or a collection that is not read.
    """
    document = load_json(source)
    _refuse_error(source, document)
    features = [document] if at(document, "type") == "Feature" else at(document, "features")
    if not isinstance(features, list):
        raise source.bad("JSON without the features of a FeatureCollection")
    records, rejects = [], []
    for number, feature in enumerate(features, 1):
        if isinstance(at(feature, "properties"), dict):
            records.append(Record(number, _cells(feature)))
        else:
            rejects.append(source.reject(number, "properties", text_of(feature), "a feature without properties"))
    if features and not records:
        raise source.bad("no feature has properties")
    parts = parse_records(source, records, _facts(document, len(features)))
    short = _short_of(source, document, len(features))
    return Parts(
        parts.observations, (*short, *rejects, *parts.rejects), parts.facts, parts.timezone, parts.datum, parts.tables
    )


def _is_error(start: str) -> bool:
    return len(start) < _SHORT and '"features"' not in start and '"code"' in start and _ERROR.search(start) is not None


def _refuse_error(source: Source, document: Any) -> None:
    error = at(document, "error") if at(document, "error") is not None else document
    said = text_of(at(error, "description")) or text_of(at(error, "message")) or text_of(at(error, "detail"))
    if at(document, "features") is None and (at(error, "code") is not None or said):
        raise source.bad("the service answered with an error, not data", found=f"{text_of(at(error, 'code'))}: {said}")


def _cells(feature: Any) -> Mapping[str, Any]:
    """The properties, and for a table of places the coordinates under names of their own."""
    cells = dict(feature["properties"])
    point = at(feature, "geometry", "coordinates")
    if "value" not in cells and at(feature, "geometry", "type") == "Point":
        cells |= {"longitude": at(point, 0), "latitude": at(point, 1)}
    if "value" not in cells and "id" not in cells:
        cells["id"] = at(feature, "id")
    return cells


def _facts(document: Any, features: int) -> dict[str, str]:
    following = next((text_of(at(one, "href")) for one in many(at(document, "links")) if at(one, "rel") == "next"), "")
    returned, matched = (text_of(at(document, name)) for name in ("numberReturned", "numberMatched"))
    more = following or (matched.isdecimal() and len(matched) < 16 and int(matched) > features)
    said = {"numberReturned": returned, "numberMatched": matched, "next": following, "more": "yes" if more else ""}
    return {name: text for name, text in said.items() if text}


def _short_of(source: Source, document: Any, features: int) -> tuple[Any, ...]:
    """A page that holds another number of features than it states has lost some on the way."""
    returned = text_of(at(document, "numberReturned"))
    if not returned or returned == str(features):
        return ()
    return (source.reject(0, "numberReturned", returned, f"the page states it, and holds {features}"),)
