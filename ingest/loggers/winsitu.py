"""In-Situ WinSitu csv exports (``insitu-winsitu-csv``), BaroMerge's among them.

Some seventy lines of ``key,value`` about report, device and log, then ``Log Data:``, then a column header of up to four
lines stacked on each other (sensor, serial number, name, unit), then padded numbers with a comma behind the last. The
line ``Time Zone`` names the zone of the computer that wrote the report, not that of the logger's clock: it is a fact,
and times stay naive. Names of users and computers are not kept. No file of this format was at hand: written from public
descriptions of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, Log, observations
from ingest.loggers.clock import order_of, parted, times
from ingest.loggers.grid import grid, split
from ingest.loggers.insitu_words import NAME, channel, is_air
from ingest.loggers.solinst_words import shortfall
from ingest.reading import Parts, Source
from ingest.table import MAX_COLUMNS, in_order
from models.observation import Reject

FACTS = {
    "serial number": "serial", "site": "location", "device": "instrument", "device name": "device_name",
    "firmware version": "firmware", "application": "software", "time zone": "time_zone_of_the_report",
    "record count": "logs_declared",
}  # fmt: skip
REFERENCES = ("level", "specific gravity", "pressure offset", "depth of", "reference", "gravitational")
"""Beginnings of keys that say how the logger worked out its levels; kept as they are."""

_HEADER_LINES, _STACK = 400, 6
_LOG = re.compile(r'"?Log Data:?"?[, ]*', re.IGNORECASE)
_TIME = re.compile(r'"?Date and Time"?\s*,', re.IGNORECASE)
_RECORD = re.compile(r'"?[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4} ')
_MOST_FACTS = 60


@dataclass(frozen=True)
class _Column:
    """One column of the stacked header."""

    name: str
    sensor: str
    serial: str


def sniff(head: str) -> bool:
    lines = head.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    return any(_LOG.fullmatch(line.strip()) for line in lines) and any(_TIME.match(line.strip()) for line in lines)


def parse(source: Source) -> Parts:
    """Pressure, depth, temperature and what else the vocabulary knows, a series for each column.

    Raises
    ------
    BadFile : no ``Log Data:`` with a column header, or dates whose order nobody can tell.
    """
    lines = source.text.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    first, last = _header_lines(source, lines)
    facts = _facts(lines[:first])
    columns = _stacked(source, lines[first : last + 1], last + 1)
    channels, unknown = _channels(source, columns, facts, last + 1)
    table, misfits = grid(source, [one.name for one in columns], last + 1, ",", len(channels))
    time = columns[0].name
    days, clocks = parted(table.cells[time])
    at = times(time, days, clocks, order_of(source, time, table.rows, days))
    frame, rejects = observations(source, Log(facts.get("location", ""), table.rows, at, table.cells), channels)
    unknown = [replace(one, rows=len(table.rows)) for one in unknown]
    facts |= shortfall(facts.get("logs_declared", ""), len(table.rows))
    return Parts(frame, in_order((*unknown, *misfits, *rejects)), facts)


def _header_lines(source: Source, lines: Sequence[str]) -> tuple[int, int]:
    """Places of the first and the last line of the column header, which stands below ``Log Data:``."""
    log = next((n for n, line in enumerate(lines) if _LOG.fullmatch(line.strip())), None)
    if log is None:
        raise source.bad("no line Log Data:")
    name = next((n for n in range(log, len(lines)) if _TIME.match(lines[n].strip())), None)
    if name is None:
        raise source.bad("no column header with Date and Time")
    above = takewhile(lambda n: n > max(log, name - _STACK) and _is_stacked(lines[n]), range(name - 1, -1, -1))
    below = takewhile(lambda n: n <= name + _STACK and _continues(lines[n]), range(name + 1, len(lines)))
    return min([name, *above]), max([name, *below])


def _is_stacked(line: str) -> bool:
    """A line over the names: its first cell is blank or the elapsed time's, others name sensors."""
    cells = split(line, ",")
    return len(cells) > 2 and cells[0] in {"", "Elapsed Time"} and any(cells)


def _continues(line: str) -> bool:
    """A line under the names, of units: nothing in it is a record."""
    return bool(line.strip(" ,")) and line.strip()[:1] in {",", "("} and _RECORD.match(line.strip()) is None


def _stacked(source: Source, lines: Sequence[str], row: int) -> list[_Column]:
    cells = [split(line, ",") for line in lines]
    width = max(map(len, cells))
    if width > MAX_COLUMNS:
        raise source.bad(f"more than {MAX_COLUMNS} columns", row=row)
    stacks = [[one[place] for one in cells if place < len(one) and one[place]] for place in range(width)]
    while stacks and not stacks[-1]:
        stacks.pop()
    return [_column(stack, place) for place, stack in enumerate(stacks, 1)]


def _column(stack: Sequence[str], place: int) -> _Column:
    sensor = next((text[7:].strip() for text in stack if text.casefold().startswith("sensor:")), "")
    serial = next((text[4:].strip() for text in stack if text.casefold().startswith("sn#:")), "")
    rest = [text for text in stack if not re.match(r"sensor:|sn#:|elapsed time$", text, re.IGNORECASE)]
    return _Column(f"{' '.join(rest) or 'column'}{'' if rest else f' {place}'}", sensor, serial)


def _channels(
    source: Source, columns: Sequence[_Column], facts: dict[str, str], row: int
) -> tuple[list[Channel], list[Reject]]:
    channels: list[Channel] = []
    rejects: list[Reject] = []
    for place, one in enumerate(columns):
        if place == 0 or one.name.casefold() in {"seconds", "elapsed time seconds"}:
            continue
        try:
            channels.append(_channel(source, one, facts, len(channels) + 1))
        except BadCell as bad:
            rejects.append(source.reject(row, one.name, one.name, bad.reason))
    return channels, rejects


def _channel(source: Source, one: _Column, facts: dict[str, str], number: int) -> Channel:
    match = NAME.fullmatch(one.name)
    label, unit = (match["label"], match["unit"]) if match else (one.name, "")
    serial = one.serial or facts.get("serial", "")
    air = is_air(facts.get("instrument", "")) or is_air(one.sensor)
    return channel(one.name, label, unit, f"{serial}:{number}", air, source.told)


def _facts(lines: Sequence[str]) -> dict[str, str]:
    facts: dict[str, str] = {}
    for line in lines:
        key, _, value = line.strip().partition("," if "," in line else ":")
        name, text = " ".join(key.strip(' ":').casefold().split()), value.strip(' ",')
        if name in FACTS and text:
            facts.setdefault(FACTS[name], text)
        elif name.startswith(REFERENCES) and text and len(facts) < _MOST_FACTS and len(name) <= 60:
            facts.setdefault(name.replace(" ", "_"), text)
    return facts
