"""Solinst csv exports (``solinst-csv``): Levelogger software 3 (Gold) and 4, comma or semicolon, point or comma.

A block of labels and their values, each on a line of its own (software 3 indents the values by tabs, spreadsheets pad
them with commas), then a header that begins with Date. The clock's last column is milliseconds (``ms``), tenths of a
second (``100 ms``), or not there. No line names the instrument's type or a time zone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ingest.cells import BadCell, Column, number, read_column
from ingest.loggers.channels import Channel, Log, observations
from ingest.loggers.clock import Times, order_of, times
from ingest.loggers.grid import Grid, grid, names, split
from ingest.loggers.solinst_words import channel, is_air
from ingest.reading import Parts, Source
from ingest.table import in_order
from models.observation import Reject

FACTS = {"serial number": "serial", "project id": "project", "location": "location"}
SETTINGS = ("unit", "offset", "altitude", "reference")
TICKS = {"ms": 1, "100 ms": 100}
"""Milliseconds of one count in the clock's last column, by its name."""

_HEADER_LINES = 60
_HEADER = re.compile(r'[^\n]{0,20}?"?Date"?[,;]"?Time"?[,;][^\n]*', re.IGNORECASE)
_INLINE = re.compile(r"(unit|offset|altitude|reference)\s*:\s*(.*)", re.IGNORECASE)


@dataclass
class _Head:
    """The block above the table: facts of the file, and settings of each channel."""

    facts: dict[str, str] = field(default_factory=dict)
    channels: dict[str, dict[str, str]] = field(default_factory=dict)


def sniff(head: str) -> bool:
    lines = head.split("\n")[:_HEADER_LINES]
    first = lines[0].strip(' ",;:').casefold().replace("_", " ")
    return first == "serial number" and any(_HEADER.fullmatch(line) for line in lines)


def parse(source: Source) -> Parts:
    """LEVEL and TEMPERATURE, in the units that the block states.

    Raises
    ------
    BadFile : no header that begins with Date and Time, or dates whose order nobody can tell.
    """
    place = _header_line(source)
    lines = source.text.split("\n", place + 1)
    delimiter = ";" if ";" in lines[place] else ","
    columns = names(source, split(lines[place], delimiter), place + 1)
    if not {"date", "time"} <= {name.casefold() for name in columns}:
        raise source.bad("no header row with Date and Time", row=place + 1)
    head = _head(lines[:place], [name.casefold() for name in columns])
    channels, unknown = _channels(source, head, columns, place + 1)
    table, misfits = grid(source, columns, place + 1, delimiter, len(channels))
    log = Log(head.facts.get("location", ""), table.rows, _times(source, table), table.cells)
    frame, rejects = observations(source, log, channels)
    unknown = [replace(one, rows=len(table.rows)) for one in unknown]
    return Parts(frame, in_order((*unknown, *misfits, *rejects)), _facts(head))


def _header_line(source: Source) -> int:
    lines = source.text.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    found = next((place for place, line in enumerate(lines) if _HEADER.fullmatch(line)), None)
    if found is None:
        raise source.bad("no header row with Date and Time")
    return found


def _head(lines: Sequence[str], columns: Sequence[str]) -> _Head:
    """Labels with the value on the next line, or behind a colon."""
    head = _Head()
    words = [line.replace("\t", " ").strip(' ",;') for line in lines]
    channel, label = "", ""
    for word in filter(None, words):
        plain = word.strip(":").casefold().replace("_", " ")
        inline = _INLINE.fullmatch(word)
        if label:
            _keep(head, channel, label, word)
            label = ""
        elif plain in FACTS or (channel and plain in SETTINGS):
            label = plain
        elif plain in columns:
            channel = plain
        elif inline and channel:
            _keep(head, channel, inline[1].casefold(), inline[2])
    return head


def _keep(head: _Head, channel: str, label: str, value: str) -> None:
    if label in FACTS:
        head.facts.setdefault(FACTS[label], value)
    else:
        head.channels.setdefault(channel, {}).setdefault(label, " ".join(value.split()))


def _facts(head: _Head) -> dict[str, str]:
    settings = {
        f"{label}_{name}": value
        for label, one in head.channels.items()
        for name, value in one.items()
        if name != "unit" and value
    }
    return head.facts | settings


def _channels(source: Source, head: _Head, columns: Sequence[str], row: int) -> tuple[list[Channel], list[Reject]]:
    channels: list[Channel] = []
    rejects: list[Reject] = []
    clock = {"date", "time", *TICKS}
    for column in columns:
        if column.casefold() in clock or (column == columns[0] and column == "column 1"):
            continue
        try:
            channels.append(_channel(head, columns, column, len(channels) + 1))
        except BadCell as bad:
            rejects.append(source.reject(row, column, column, bad.reason))
    return channels, rejects


def _channel(head: _Head, columns: Sequence[str], column: str, number: int) -> Channel:
    spelling = head.channels.get(column.casefold(), {}).get("unit", "")
    return channel(column, number, column, spelling, head.facts.get("serial", ""), is_air("", columns))


def _times(source: Source, table: Grid) -> Times:
    cells = {name.casefold(): column for name, column in table.cells.items()}
    days = cells["date"]
    found = times("Date", days, cells["time"], order_of(source, "Date", table.rows, days))
    return _with_ticks(found, cells)


def _with_ticks(found: Times, cells: Mapping[str, Sequence[str]]) -> Times:
    """The clock's last column, counted in milliseconds or in tenths of a second."""
    name = next((name for name in TICKS if name in cells), None)
    if name is None:
        return found
    ticks = read_column(cells[name], lambda text: _milliseconds(text, TICKS[name]), np.int64, 0)
    reasons = np.where(found.read.bad, found.read.reasons, ticks.reasons)
    return replace(found, read=Column(found.read.values + ticks.values, reasons))


def _milliseconds(text: str, tick: int) -> int:
    ms = (number(text) if text else 0.0) * tick
    if not 0 <= ms < 1000:
        raise BadCell("outside one second")
    return int(ms)
