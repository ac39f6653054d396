"""Diver-Office csv exports (``vanessen-diver-csv``): lines of a .MON header, then a table that begins with Date/time.

The table's header carries the units: ``Date/time,Pressure[cmH2O],Temperature[°C]``; a channel may be numbered
(``2:Temperature[°C]``). No file of this kind was at hand: written from the maker's manual of Diver-Office.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, Log, observations
from ingest.loggers.clock import order_of, parted, times, zone_text
from ingest.loggers.datalogger_text import END, Head, head_of
from ingest.loggers.diver_mon import ends
from ingest.loggers.diver_words import channel, facts, offset
from ingest.loggers.grid import grid, names, split
from ingest.reading import Parts, Source
from ingest.table import in_order
from models.observation import Reject

_HEADER_LINES = 200
_HEADER = re.compile(r'"?Date/time"?([,;\t])[^\n]*\[[^\n]*', re.IGNORECASE)
_NAME = re.compile(r"(?:[0-9]{1,2}:)?\s*(?P<label>[^\[]{1,40}?)\s*\[(?P<unit>[^\]]{0,20})\]")


def sniff(head: str) -> bool:
    lines = head.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    return any(_HEADER.fullmatch(line) for line in lines)


def parse(source: Source) -> Parts:
    """Every channel of every row.

    Raises
    ------
    BadFile : no header that begins with Date/time, no such offset from UTC, or dates whose order nobody can tell.
    """
    place, delimiter = _header_line(source)
    head = head_of(source)
    columns = names(source, split(source.text.split("\n", place + 1)[place], delimiter), place + 1)
    channels, unknown = _channels(source, head, columns[1:], place + 1)
    table, misfits = grid(source, columns, place + 1, delimiter, len(channels))
    misfits = [one for one in misfits if not one.raw.startswith(END)]
    ahead = offset(source, head)
    days, clocks = parted(table.cells[columns[0]])
    at = times(columns[0], days, clocks, order_of(source, columns[0], table.rows, days), ahead)
    frame, rejects = observations(source, Log(head.keys.get("location", ""), table.rows, at, table.cells), channels)
    unknown = [replace(one, rows=len(table.rows)) for one in unknown]
    return Parts(frame, in_order((*unknown, *misfits, *rejects)), facts(head, ends(at, ahead)), zone_text(ahead))


def _header_line(source: Source) -> tuple[int, str]:
    for place, line in enumerate(source.text.split("\n", _HEADER_LINES)[:_HEADER_LINES]):
        match = _HEADER.fullmatch(line)
        if match is not None:
            return place, match[1]
    raise source.bad("no header row with Date/time and a unit in brackets")


def _channels(source: Source, head: Head, columns: list[str], row: int) -> tuple[list[Channel], list[Reject]]:
    channels: list[Channel] = []
    rejects: list[Reject] = []
    for number, column in enumerate(columns, 1):
        match = _NAME.fullmatch(column)
        try:
            label, spelling = (match["label"], match["unit"]) if match else (column, "")
            channels.append(channel(head, column, number, label, spelling))
        except BadCell as bad:
            rejects.append(source.reject(row, column, column, bad.reason))
    return channels, rejects
