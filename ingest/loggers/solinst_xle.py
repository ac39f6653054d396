"""Solinst Levelogger and Barologger files (``solinst-xle``): XML, often Latin-1 under a UTF-8 declaration.

Levelogger software 4 writes them for every generation of loggers; files of Levelogger 5 add who downloaded and
programmed them. The file is streamed: no tree is built, so neither its size nor its nesting costs memory. It names no
time zone: the logger's clock is the laptop's of the day it was started, and times stay naive. Dates of the records may
be written in another order than those of the header; a header date with its year in front tells which.

What the logger was set to (offset, altitude) is stated in the facts (``level_offset``) and already in its readings:
nothing is added or taken off here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ingest.cells import BadCell, Column, number, read_column
from ingest.loggers.channels import Channel, Log, observations
from ingest.loggers.clock import Times, order_of, times, written_day
from ingest.loggers.solinst_words import channel, is_air, shortfall
from ingest.loggers.xle_stream import Body, stream
from ingest.reading import Parts, Source
from ingest.table import in_order
from models.observation import Reject

FACTS = {
    "Serial_number": "serial",
    "Location": "location",
    "Project_ID": "project",
    "Instrument_type": "instrument",
    "Model_number": "model",
    "Created_by": "software",
    "Start_time": "start",
    "Stop_time": "stop",
    "Num_log": "logs_declared",
}


def sniff(head: str) -> bool:
    return "<Body_xle" in head


def parse(source: Source) -> Parts:
    """Every channel of every log, in the channel's own unit; decimal commas become points.

    Raises
    ------
    BadFile : not XML up to the first log, a document type or entity in it, no channel, or dates whose order nobody
        can tell.
    """
    body, broken = stream(source)
    if not body.channels:
        raise source.bad("no channel is described in it")
    channels, unknown = _channels(source, body)
    cells = {one.column: body.column(one.column) for one in channels}
    rows = [log.row for log in body.logs]
    log = Log(body.facts.get("Location", ""), rows, _times(source, body, rows), cells, every=True)
    frame, rejects = observations(source, log, channels)
    return Parts(frame, in_order((*broken, *unknown, *rejects)), _facts(body))


def _facts(body: Body) -> dict[str, str]:
    facts = {name: body.facts.get(tag, "") for tag, name in FACTS.items()}
    for described in body.channels.values():
        label = described.facts.get("Identification", "").casefold()
        facts |= {f"{label}_{name.casefold()}": value for name, value in described.settings.items()}
    late = facts["start"] > facts["stop"] != "" and facts["start"][:4].isdecimal()
    facts |= {"clock": "the stated stop is before the start"} if late else {}
    return facts | shortfall(facts["logs_declared"], len(body.logs))


def _channels(source: Source, body: Body) -> tuple[list[Channel], list[Reject]]:
    channels: list[Channel] = []
    rejects: list[Reject] = []
    labels = (described.facts.get("Identification", "") for described in body.channels.values())
    air = is_air(body.facts.get("Instrument_type", ""), labels)
    for tag, described in body.channels.items():
        label, spelling = described.facts.get("Identification", ""), described.facts.get("Unit", "")
        try:
            number = int(tag.removeprefix("ch"))
            channels.append(channel(tag, number, label, spelling, body.facts.get("Serial_number", ""), air))
        except BadCell as bad:
            rejects.append(source.reject(described.row, tag, f"{label} [{spelling}]", bad.reason, len(body.logs)))
    return channels, rejects


def _times(source: Source, body: Body, rows: Sequence[int]) -> Times:
    days, clocks = body.column("Date"), body.column("Time")
    order = order_of(source, "Date", rows, days, written_day(body.facts.get("Start_time", "")))
    found = times("Date", days, clocks, order)
    parts = read_column(body.column("ms"), _milliseconds, np.int64, 0)
    reasons = np.where(found.read.bad, found.read.reasons, parts.reasons)
    return replace(found, read=Column(found.read.values + parts.values, reasons))


def _milliseconds(text: str) -> int:
    ms = number(text) if text else 0.0
    if not 0 <= ms < 1000:
        raise BadCell("milliseconds outside 0 to 999")
    return int(ms)
