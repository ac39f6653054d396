"""Hand-measured water levels: one tape reading a row (``hand-levels``).

Observers' names and comments are people's text and are not kept.
"""

from __future__ import annotations

import math

from ingest.cells import BadCell, number
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, row_time, take_rows
from models.observation import Flags

HEADER = (
    "well", "date", "time", "timezone", "depth_to_water_ft", "reference", "status", "observer", "comment",
)  # fmt: skip
REFERENCES = {"MP": "depth_below_mp", "LS": "depth_to_water"}
STATUSES = {"": "", "DRY": "Dry", "OBSTRUCTED": "Obstructed", "PUMPING": "Pumping"}


def sniff(head: str) -> bool:
    return header_of(head) == HEADER


def parse(source: Source) -> Parts:
    """Depths below the measuring point (MP) or the land surface (LS) [ft].

    Raises
    ------
    BadFile : not this header.
    """
    table = read_table(source)
    require(source, table, *HEADER)
    return take_rows(source, table, _reading)


def _reading(row: Row) -> Observation:
    time_ms, clock = row_time(row, "date", "time")
    status = row.read("status", _status)
    value = row.read("depth_to_water_ft", lambda text: _depth(text, status))
    flags = Flags(qualifiers=(status,) if status else ()).text()
    parameter = row.read("reference", _reference)
    text = row.text("depth_to_water_ft")
    return (row.required("well"), parameter, "instant", "", time_ms, clock, value, text, "ft", flags, row.number)


def _status(text: str) -> str:
    try:
        return STATUSES[text.upper()]
    except KeyError:
        raise BadCell(f"unknown status; allowed: blank, {', '.join(filter(None, STATUSES))}") from None


def _reference(text: str) -> str:
    try:
        return REFERENCES[text.upper()]
    except KeyError:
        raise BadCell("unknown reference; allowed: MP (measuring point), LS (land surface)") from None


def _depth(text: str, status: str) -> float:
    """A dry well has no depth to water, whatever depth the tape reached."""
    if not text and not status:
        raise BadCell("blank, and no status says why")
    depth = number(text) if text else math.nan
    return math.nan if status == "Dry" else depth
