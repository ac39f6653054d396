"""Coordinate systems as files name them. Only names that mean one thing are known; nothing else reaches the library."""

from __future__ import annotations

import re

from ingest.cells import BadCell

WGS84 = "OGC:CRS84"
"""What GeoJSON is in (RFC 7946, section 4): longitude and latitude on WGS 84."""

_CODE = re.compile(
    r"(?:EPSG:{1,2}|urn:(?:x-)?ogc:def:crs:EPSG:[0-9.]*:|https?://www\.opengis\.net/def/crs/EPSG/[0-9.]+/)?([0-9]{4,6})",
    re.IGNORECASE,
)
_CRS84 = re.compile(
    r"(?:OGC:|urn:ogc:def:crs:OGC:[0-9.]*:|https?://www\.opengis\.net/def/crs/OGC/[0-9.]+/)CRS84", re.IGNORECASE
)
_DATUMS = {
    "wgs84": "EPSG:4326", "nad83": "EPSG:4269", "nad27": "EPSG:4267", "nad831986": "EPSG:4269",
    "nad83harn": "EPSG:4152", "nad831991": "EPSG:4152", "nad832011": "EPSG:6318",
    "northamericandatumof1983": "EPSG:4269", "northamericandatumof1927": "EPSG:4267",
}  # fmt: skip
"""Datums of longitude and latitude, without blanks and marks."""
_HEIGHTS = frozenset({
    "navd88", "ngvd29", "ngvd1929", "navd1988", "igld85", "igld1985", "msl", "meansealevel",
    "northamericanverticaldatumof1988", "nationalgeodeticverticaldatumof1929",
})  # fmt: skip
"""Datums of heights, without blanks and marks."""


def datum_named(text: str) -> str:
    """The system of longitude and latitude on a datum; ``""``: the text names none."""
    return _DATUMS.get(_plain(text), "")


def of_heights(text: str) -> bool:
    """Whether a text names a datum of heights."""
    return _plain(text) in _HEIGHTS


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def system_named(text: str, *, degrees: bool) -> str:
    """``EPSG:3070`` of a code, a URN or, of longitude and latitude, a datum; ``""`` of a blank.

    Raises
    ------
    BadCell : not a name that means one system; of plane coordinates a datum alone does not.
    """
    name = text.strip()
    if not name:
        return ""
    if _CRS84.fullmatch(name):
        return WGS84
    if code := _CODE.fullmatch(name):
        return f"EPSG:{code[1]}"
    datum = datum_named(name)
    if not datum:
        raise BadCell("not a coordinate system that is known by this name: give its EPSG code")
    if not degrees:
        raise BadCell("a datum alone does not tell the system of x and y: give its EPSG code")
    return datum
