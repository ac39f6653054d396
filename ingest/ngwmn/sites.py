"""What files of the National Ground-Water Monitoring Network share: ids, comments and the tables of a well log."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pandas as pd

from ingest.point_values import Series, measured_unit
from ingest.usgs_codes import APPROVAL_WORDS
from models.observation import Flags

UNKNOWN = "unknown"
LITHOLOGY = ("station", "from", "to", "unit", "lithology", "description", "method")
CONSTRUCTION = ("station", "type", "from", "to", "unit", "material", "diameter", "diameter_unit", "id")
SITES = (
    "station", "name", "latitude", "longitude", "elevation", "elevation_unit", "elevation_datum",
    "well_depth", "well_depth_unit", "water_use", "link",
)  # fmt: skip
"""Columns of the three tables after ``row``; depths are below land surface, as written."""

_NETWORK_ID = re.compile(r"(?:USGS|NWIS)[.-]")
_COMMENT_BREAK = re.compile(r"[,;]")
_NIL = {UNKNOWN, "urn:ogc:unknown", "urn:ogc:def:nil:ogc:unknown", "tbd"}


def network_station(id: str) -> str:
    """``USGS.423532088254601`` and ``NWIS-423532088254601`` as the number; the id of another agency whole."""
    match = _NETWORK_ID.match(id)
    return id[match.end() :] if match else id


def agency_station(agency: str, number: str) -> str:
    """The network's id of a site given in two parts."""
    return network_station(f"{agency}.{number}" if agency and number else number)


def stated(text: str) -> str:
    """The text, or ``""`` where it is one of the network's words for "not known"."""
    return "" if text.strip().casefold() in _NIL else text.strip()


def level_series(station: str, parameter: str, unit: str) -> Series:
    """A series of hand or logger levels.

    Raises
    ------
    BadCell : the unit is not stated, or measures something else.
    """
    return Series(station, parameter, "instant", "", measured_unit(unit, parameter))


def comment_flags(comment: str, facts: Mapping[str, str]) -> Flags:
    """``A``, ``P`` or ``Approved, Steel-tape measurement.``: a status if there is one, the rest kept as it came."""
    words = [word for part in _COMMENT_BREAK.split(comment) if (word := part.strip())]
    status = next((word for word in words if word.casefold() in APPROVAL_WORDS), "")
    return Flags(
        APPROVAL_WORDS.get(status.casefold(), ""),
        tuple(word for word in words if word != status),
        {key: text for key, value in facts.items() if (text := stated(value))},
    )


def table(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> pd.DataFrame:
    """A text table with its ``row`` numbers, counted from 1 in document order."""
    cells = {name: [row.get(name, "") for row in rows] for name in columns}
    return pd.DataFrame({"row": range(1, len(rows) + 1)} | cells).astype(dict.fromkeys(columns, "str"))
