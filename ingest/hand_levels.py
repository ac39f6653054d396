"""Hand-measured water levels: one tape reading a row (``hand-levels``).

Observers' names and comments are people's text and are not kept.
"""

from __future__ import annotations

import math
from dataclasses import replace

from ingest.cells import BadCell, Measurement, plain
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
    found = row.read("depth_to_water_ft", lambda text: _depth(text, status))
    flags = Flags(qualifiers=(status,) if status else ()).with_words(found.qualifiers).text()
    parameter = row.read("reference", _reference)
    well = row.required("well")
    return (well, parameter, "instant", "", time_ms, clock, found.value, found.text, "ft", flags, row.number)


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


def _depth(text: str, status: str) -> Measurement:
    """A dry well has no depth to water, whatever depth the tape reached."""
    if not text and not status:
        raise BadCell("blank, and no status says why")
    found = plain(text) if text else Measurement(math.nan, "")
    return replace(found, value=math.nan) if status == "Dry" else found
