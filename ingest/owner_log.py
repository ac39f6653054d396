"""A well owner's log of the supply failing and coming back (``owner-log``).

The comment is the household's own text and is not kept.
"""

from __future__ import annotations

import math

from ingest.cells import BadCell
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, row_time, take_rows

HEADER = ("well", "date", "time", "timezone", "event", "comment")
EVENTS = {
    "no water": 0.0, "runs dry": 0.0, "short cycling": math.nan, "low pressure": math.nan, "air in line": math.nan,
    "water restored": 1.0,
}  # fmt: skip
"""``runs dry``: water comes and stays away in use. ``short cycling``: the pump starts and stops in quick succession."""


def sniff(head: str) -> bool:
    return header_of(head) == HEADER


def parse(source: Source) -> Parts:
    """Supply states: 0 no water (or none in use), 1 restored, no number for a sign between the two.

    Raises
    ------
    BadFile : not this header.
    """
    table = read_table(source)
    require(source, table, *HEADER)
    return take_rows(source, table, _event)


def _event(row: Row) -> Observation:
    time_ms, clock = row_time(row, "date", "time")
    event = row.read("event", _known)
    return (
        row.required("well"), "pump_status", "instant", "", time_ms, clock, EVENTS[event], event, "1", "", row.number,
    )  # fmt: skip


def _known(text: str) -> str:
    event = " ".join(text.casefold().split())
    if event not in EVENTS:
        raise BadCell(f"unknown event; allowed: {', '.join(EVENTS)}")
    return event
