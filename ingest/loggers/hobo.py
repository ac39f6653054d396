"""Onset HOBO logger exports (``hobo-csv``), of HOBOware under each of its export options and of HOBOconnect.

An optional title line and plot details, then a header that carries zone, units and serial number, then a row per
record. Options change the separator, the decimal mark, whether quotes stand and commas or parentheses part a heading,
whether date and time share a column, their order and the 12 hour clock. Rows of events (coupler, host, end of file)
hold no measurement and are not data. People rename headings, and encodings spoil the degree sign: what can still be
known is read, a column that could be several things is not guessed.

What order its dates have is told in ``hobo_dates``. ``Water Level`` hangs on a reference that was typed in and is not
in the file: it stays ``name:Water Level``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, Log, observations, open_parameter, unit_for
from ingest.loggers.clock import offset_of, parted, times, zone_text
from ingest.loggers.grid import Grid, grid, names, split
from ingest.loggers.hobo_dates import ASSUMED, Dates, in_one_order
from ingest.reading import Parts, Source, Told
from ingest.table import in_order
from ingest.times import HOUR_MS, ZONE_HOURS
from models.observation import Reject

MEASURED = {
    "abs pres": "logger_pressure",
    "abs pressure": "logger_pressure",
    "absolute pressure": "logger_pressure",
    "abs pres barom": "barometric_pressure",
    "barom pres": "barometric_pressure",
    "barometric pressure": "barometric_pressure",
    "temp": "water_temperature",
    "temperature": "water_temperature",
    "water temp": "water_temperature",
    "water temperature": "water_temperature",
    "sensor depth": "logger_level",
    "spec conductance": "specific_conductance",
    "specific conductance": "specific_conductance",
}
OPEN = {"water level", "diff pressure", "differential pressure"}
"""Of a reference that was typed in, or less an air pressure that is not in the file."""
EVENTS = (
    "coupler", "host", "stopped", "end of file", "button", "bad battery", "good battery", "started", "new int",
    "water detect",
)  # fmt: skip
FAILED = frozenset({-888.88})
"""What HOBO loggers record when a sensor gives no reading (Onset)."""

_HEADER_LINES, _MOST_WORDS = 80, 8
_QUOTED = re.compile(r'"[^"]*"')
_DATE = re.compile(r"(?:Date|Date[ _-]?Time)\s*(?:[,(].*)?", re.IGNORECASE)
_CLOCK = re.compile(r"Time\s*(?:[,(].*)?", re.IGNORECASE)
_TITLE = re.compile(r'"?Plot Title: ?([^"\n]*)')
_SERIAL = re.compile(r"(?:LGR S/N|Serial Number): ?([0-9A-Za-z-]{1,40})")
_ZONE = re.compile(r"GMT ?([+-](?:0[0-9]|1[0-4]):?[0-5][0-9])")
_HALF_DAY = re.compile(r"[AP]\.?M\.?\s*$", re.IGNORECASE)
_CODE = re.compile(r"\(([A-Za-z/]{1,12})\)")
_INSTRUMENT = re.compile(r"\s*\((?:LGR|SEN|LBL)\b[^)]{0,300}\)?\s*")
_PARTED = re.compile(r"(?P<name>[^,(]{1,60}?)\s*(?:,\s*(?P<unit>[^(]{1,30}?)|\(\*?(?P<paren>[^)]{1,30})\))\s*")


@dataclass(frozen=True)
class _Header:
    """Where the header stands (from 0), what parts its cells, and what they are named."""

    place: int
    delimiter: str
    cells: Sequence[str]
    date: int

    @property
    def clock(self) -> int | None:
        """Place of a column of its own for the time of day."""
        after = self.date + 1
        return after if after < len(self.cells) and _CLOCK.fullmatch(self.cells[after]) else None


def sniff(head: str) -> bool:
    lines = head.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    found = _header(lines)
    if found is None:
        return False
    start = "\n".join(lines[: found.place + 1])
    return found.cells[0] == "#" or any(mark in start for mark in ("S/N", "Plot Title", "Serial Number"))


def parse(source: Source) -> Parts:
    """Pressure [psi, kPa], temperature, depth and conductance, one series per column.

    Raises
    ------
    BadFile : no header with a date, or dates that contradict each other.
    """
    lines = source.text.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    header = _header(lines)
    if header is None:
        raise source.bad("no header row with Date Time")
    columns = names(source, header.cells, header.place + 1)
    preamble = "\n".join(lines[: header.place + 1])
    serial = _first(_SERIAL, preamble) or _first(_SERIAL, " ".join(columns))
    channels, unknown = _channels(source, columns, serial, header)
    table, misfits = grid(source, columns, header.place + 1, header.delimiter, len(channels))
    dates, clocks = _moments(source, table, columns, header)
    ahead, stated = _zone(columns[header.date if header.clock is None else header.clock])
    at = times(columns[header.date], dates.days, clocks, dates.order, ahead)
    station = _first(_TITLE, preamble) or serial
    frame, rejects = observations(source, Log(station, table.rows, at, table.cells, failed=FAILED), channels)
    unknown = [replace(one, rows=len(table.rows)) for one in unknown]
    facts = {"serial": serial, "location": station} | ({"clock": stated} if stated else {})
    facts |= {"date_order": ASSUMED} if dates.assumed else {}
    return Parts(frame, in_order((*unknown, *misfits, *rejects)), facts, zone_text(ahead))


def _header(lines: Sequence[str]) -> _Header | None:
    for place, line in enumerate(lines):
        if "ate" not in line[:60].casefold():
            continue
        delimiter = next((mark for mark in ("\t", ";") if mark in _QUOTED.sub("", line)), ",")
        cells = split(line, delimiter)
        date = next((n for n, cell in enumerate(cells[:3]) if _DATE.fullmatch(cell)), None)
        if date is not None and len(cells) > date + 1:
            return _Header(place, delimiter, cells, date)
    return None


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1].strip() if match else ""


def _moments(source: Source, table: Grid, columns: Sequence[str], header: _Header) -> tuple[Dates, Sequence[str]]:
    """Days and times of day, out of one column or two."""
    days: Sequence[str] = table.cells[columns[header.date]]
    heading, clocks = columns[header.date], table.cells.get(columns[header.clock or header.date], ())
    if header.clock is None:
        days, clocks = parted(days)
    else:
        heading += columns[header.clock]
    american = _ZONE.search(heading) is not None and any(_HALF_DAY.search(text) for text in clocks)
    return in_one_order(source, days, american), clocks


def _zone(heading: str) -> tuple[int | None, str]:
    """Offset of the clock [ms], and what is said of a clock that has no one offset (``EST/EDT``)."""
    match = _ZONE.search(heading)
    if match is not None:
        return offset_of(match[1]), ""
    code = _CODE.search(heading)
    if code is None:
        return None, ""
    known = ZONE_HOURS.get(code[1].upper())
    return (None, code[1]) if known is None else (known * HOUR_MS, "")


def _channels(
    source: Source, columns: Sequence[str], serial: str, header: _Header
) -> tuple[list[Channel], list[Reject]]:
    channels: list[Channel] = []
    rejects: list[Reject] = []
    for place, column in enumerate(columns):
        if column == "#" or place in {header.date, header.clock} or column.casefold().startswith(EVENTS):
            continue
        try:
            channels.append(_channel(column, f"{serial}:{len(channels) + 1}", source.told))
        except BadCell as bad:
            rejects.append(source.reject(header.place + 1, column, column, bad.reason))
    return channels, rejects


def _channel(column: str, series: str, told: Told) -> Channel:
    label, unit = _label_and_unit(_INSTRUMENT.sub("", column))
    if _plain(label) in OPEN:
        return Channel(column, series, *open_parameter(label, unit, told))
    known = MEASURED.get(_plain(label))
    if known is None:
        raise BadCell(f"a column that is not read; read are: {', '.join((*MEASURED, *sorted(OPEN)))}")
    return Channel(column, series, known, unit_for(unit, known))


def _label_and_unit(heading: str) -> tuple[str, str]:
    """``Temp, °C``, ``Temp (*C)``, or a heading that somebody renamed: ``Temp_C``."""
    heading = re.sub(r"^Ch: ?[0-9]{1,2} ?- ?", "", heading)
    match = _PARTED.fullmatch(heading)
    if match is not None:
        return match["name"], match["unit"] or match["paren"]
    words = re.split(r"[\s_]+", heading, maxsplit=_MOST_WORDS)
    known = {*MEASURED, *OPEN}
    cut = next((n for n in range(len(words), 0, -1) if _plain(" ".join(words[:n])) in known), len(words))
    return " ".join(words[:cut]), " ".join(words[cut:])


def _plain(label: str) -> str:
    return re.sub(r"[\s._-]+", " ", label.casefold()).strip()
