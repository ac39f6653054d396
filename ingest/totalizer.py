"""Readings of totalizing water meters (``totalizer``). Volumes are made of them elsewhere; comments are not kept."""

from __future__ import annotations

from ingest.cells import BadCell, not_negative, unit
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, row_time, take_rows
from models.observation import Flags

HEADER = ("meter", "read_date", "read_time", "timezone", "reading", "unit", "event", "comment")
REPLACEMENT = "replaced-in"
"""Also the series of a new register's first reading, which may share its instant with the old one's last."""
EVENTS = ("rollover", "replaced-out", REPLACEMENT, "reset")


def sniff(head: str) -> bool:
    return header_of(head) == HEADER


def parse(source: Source) -> Parts:
    """Register readings in the row's own unit of volume.

    Raises
    ------
    BadFile : not this header.
    """
    table = read_table(source)
    require(source, table, *HEADER)
    return take_rows(source, table, _reading)


def _reading(row: Row) -> Observation:
    time_ms, clock = row_time(row, "read_date", "read_time")
    value = row.read("reading", not_negative)
    volume = row.read("unit", _volume)
    flags = row.read("event", _flags)
    meter = row.required("meter")
    return (
        meter,
        "meter_reading",
        "instant",
        REPLACEMENT if Flags.parse(flags).qualifiers == (REPLACEMENT,) else "",
        time_ms,
        clock,
        value,
        row.text("reading"),
        volume,
        flags,
        row.number,
    )


def _volume(text: str) -> str:
    if not text:
        raise BadCell("blank unit")
    return unit(text, "gal")


def _flags(text: str) -> str:
    event = text.casefold()
    if event and event not in EVENTS:
        raise BadCell(f"unknown event; allowed: blank, {', '.join(EVENTS)}")
    return Flags(qualifiers=(event,) if event else ()).text()
