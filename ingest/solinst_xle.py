"""Solinst Levelogger and Barologger files (``solinst-xle``): XML, often Latin-1 under a UTF-8 declaration.

The file is streamed: no tree is built, so neither its size nor its nesting costs memory. It names no time
zone: the logger's clock is the laptop's of the day it was started, and times stay naive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from ingest.cells import SENTINELS, BadCell, Column, dotted, number, read_column, unit
from ingest.reading import Parts, Source, stacked
from ingest.table import in_order
from ingest.times import iso_minute
from ingest.xle_stream import Body, Log, stream
from models.observation import Reject, tidy
from models.parameters import parameter

CHANNELS = {
    "level": "logger_level",
    "temperature": "water_temperature",
    "baropressure": "barometric_pressure",
    "barometric pressure": "barometric_pressure",
    "pressure": "barometric_pressure",
}
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


@dataclass(frozen=True)
class _Channel:
    tag: str
    series: str
    parameter: str
    unit: str


@dataclass
class _Times:
    """Wall clock of every log [ms], and why some have none."""

    wall: Column
    raw: Sequence[str] = field(default_factory=list)


def sniff(head: str) -> bool:
    return "<Body_xle" in head


def parse(source: Source) -> Parts:
    """Every channel of every log, in the channel's own unit; decimal commas become points.

    Raises
    ------
    BadFile : not XML up to the first log, a document type or entity in it, or no channel.
    """
    body, rejects = stream(source)
    if not body.channels:
        raise source.bad("no channel is described in it")
    channels, unknown = _channels(source, body)
    times, late = _times(source, body.logs)
    frames = []
    for channel in channels:
        frame, refused = _frame(source, body, channel, times)
        frames.append(frame)
        rejects += refused
    facts = {name: body.facts.get(tag, "") for tag, name in FACTS.items()}
    late = [replace(one, rows=len(channels)) for one in late]
    return Parts(stacked(frames), in_order((*rejects, *unknown, *late)), facts)


def _channels(source: Source, body: Body) -> tuple[list[_Channel], list[Reject]]:
    channels, rejects = [], []
    for tag, described in body.channels.items():
        label, spelling = described.facts.get("Identification", ""), described.facts.get("Unit", "")
        try:
            channels.append(_channel(body, tag, label, spelling))
        except BadCell as bad:
            rejects.append(source.reject(described.row, tag, f"{label} [{spelling}]", bad.reason, len(body.logs)))
    return channels, rejects


def _channel(body: Body, tag: str, label: str, spelling: str) -> _Channel:
    known = CHANNELS.get(" ".join(label.casefold().split()))
    if known is None:
        raise BadCell(f"unknown channel; allowed: {', '.join(CHANNELS)}")
    known, found = _measured(known, spelling, "baro" in body.facts.get("Instrument_type", "").casefold())
    return _Channel(tag, f"{body.facts.get('Serial_number', '')}:{tag.removeprefix('ch')}", known, found)


def _measured(known: str, spelling: str, is_barologger: bool) -> tuple[str, str]:
    """A channel named LEVEL may be logged as pressure: a Barologger's is the air's, any other the sensor's."""
    try:
        return known, unit(spelling, parameter(known).canonical_unit)
    except BadCell:
        if known != "logger_level":
            raise
    pressure = "barometric_pressure" if is_barologger else "logger_pressure"
    return pressure, unit(spelling, parameter(pressure).canonical_unit)


def _times(source: Source, logs: Sequence[Log]) -> tuple[_Times, list[Reject]]:
    texts = [f"{log.cells.get('Date', '')} {log.cells.get('Time', '')}".replace("/", "-") for log in logs]
    wall = read_column(texts, iso_minute, np.int64, 0)
    parts = read_column([log.cells.get("ms", "") for log in logs], _milliseconds, np.int64, 0)
    both = Column(wall.values + parts.values, np.where(wall.bad, wall.reasons, parts.reasons))
    rejects = [source.reject(logs[place].row, "Date", texts[place], both.reasons[place]) for place in both.bad_places()]
    return _Times(both, texts), rejects


def _milliseconds(text: str) -> int:
    ms = number(text) if text else 0.0
    if not 0 <= ms < 1000:
        raise BadCell("milliseconds outside 0 to 999")
    return int(ms)


def _frame(source: Source, body: Body, channel: _Channel, times: _Times) -> tuple[pd.DataFrame, list[Reject]]:
    texts = [dotted(log.cells.get(channel.tag, "")) for log in body.logs]
    values = read_column(texts, number, np.float64, np.nan)
    missing = np.isin(values.values, list(SENTINELS))
    keep = ~values.bad & ~times.wall.bad
    rows = np.asarray([log.row for log in body.logs], dtype=np.int64)
    frame = tidy(
        {
            "station": body.facts.get("Location", ""),
            "parameter": channel.parameter,
            "statistic": "instant",
            "series": channel.series,
            "time_ms": times.wall.values[keep],
            "clock": "naive",
            "value": np.where(missing, np.nan, values.values)[keep],
            "value_text": np.where(missing, "", np.asarray(texts, dtype=object))[keep],
            "unit": channel.unit,
            "flags": np.where(missing, [f":{text}" for text in texts], "")[keep],
            "row": rows[keep],
        }
    )
    refused = [
        source.reject(body.logs[place].row, channel.tag, texts[place], values.reasons[place])
        for place in values.bad_places(~times.wall.bad)
    ]
    return frame, refused
