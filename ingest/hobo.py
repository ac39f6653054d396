"""Onset HOBO logger exports (``hobo-csv``).

An optional title line, then a header that carries zone, units and serial number, then a row per record. Rows of
events (coupler, host, end of file) hold no measurement and are not data.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from ingest.cells import BadCell, is_sentinel, number, unit
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, Table, in_order, read_table, take_rows
from ingest.times import HOUR_MS, MINUTE_MS, civil_day, clock_time
from models.observation import Flags, Reject
from models.parameters import parameter

MEASURED = {
    "abs pres": "logger_pressure",
    "abs pres barom.": "barometric_pressure",
    "barom pres": "barometric_pressure",
    "temp": "water_temperature",
    "sensor depth": "logger_level",
}
EVENTS = ("coupler", "host", "stopped", "end of file", "button", "bad battery", "good battery", "started", "new int")
SENSOR_FAILED = -888.88
"""What HOBO loggers record when a sensor gives no reading (Onset)."""

_HEADER_LINES = 30
_HEADER = re.compile(r'^[^\n]{0,40}?"?Date(?: Time\b|"?,"?Time\b)', re.MULTILINE)
_TITLE = re.compile(r'"?Plot Title: ?([^"\n]*)')
_SERIAL = re.compile(r"(?:LGR S/N|Serial Number): ?([0-9A-Za-z-]{1,40})")
_ZONE = re.compile(r"GMT ?([+-])(0[0-9]|1[0-4]):?([0-5][0-9])")
_COLUMN = re.compile(
    r"(?P<name>[^,(]{1,60}?)\s*(?:,\s*(?P<unit>[^(]{1,30}?)|\(\*?(?P<paren>[^)]{1,30})\))?\s*(?:\(.*)?"
)
_TIME = re.compile(
    r"([0-9]{1,4})[/-]([0-9]{1,2})[/-]([0-9]{2,4}) +([0-9]{1,2}):([0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,3})?)?) ?([AP]M)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Channel:
    column: str
    series: str
    parameter: str
    unit: str


@dataclass(frozen=True)
class _File:
    """What the header says of every row."""

    station: str
    date: str
    time: str
    day_first: bool
    offset_ms: int | None


def sniff(head: str) -> bool:
    start = "\n".join(head.split("\n")[:_HEADER_LINES])
    if _ZONE.search(start) is None:
        return False
    return _HEADER.search(start) is not None and ("S/N" in start or "Plot Title" in start or "Serial Number" in start)


def parse(source: Source) -> Parts:
    """Pressure [psi, kPa], temperature and sensor depth, one series per column.

    Raises
    ------
    BadFile : no header with a date, or dates that contradict each other.
    """
    skip = _header_line(source)
    table = read_table(source, skip)
    preamble = "\n".join(source.text.split("\n")[: skip + 1])
    serial = _first(_SERIAL, preamble) or _first(_SERIAL, " ".join(table.header))
    file = _file(source, table, _first(_TITLE, preamble) or serial)
    channels, rejects = _channels(source, table, serial, skip + 1)
    takers: list[Callable[[Row], Observation | None]] = [partial(_observation, file=file, channel=c) for c in channels]
    parts = take_rows(source, table, *takers)
    return replace(
        parts,
        rejects=in_order((*parts.rejects, *(replace(one, rows=len(table.rows)) for one in rejects))),
        facts={"serial": serial, "location": file.station},
        timezone=_zone_text(file.offset_ms),
    )


def _header_line(source: Source) -> int:
    for place, line in enumerate(source.text.split("\n")[:_HEADER_LINES]):
        if _HEADER.match(line):
            return place
    raise source.bad("no header row with Date Time")


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1].strip() if match else ""


def _file(source: Source, table: Table, station: str) -> _File:
    dates = [name for name in table.header if name.startswith("Date")]
    times = [name for name in table.header if name.startswith("Time")]
    if not dates or (not dates[0].startswith("Date Time") and not times):
        raise source.bad("no Date Time column")
    time = "" if dates[0].startswith("Date Time") else times[0]
    day_first = _day_first(source, [row.text(dates[0]) for row in table.rows])
    return _File(station, dates[0], time, day_first, _offset(time or dates[0]))


def _day_first(source: Source, texts: Sequence[str]) -> bool:
    """One order for the whole column: a first number above 12 can only be a day, a second one only month-first."""
    pairs = [(int(m[1]), int(m[2])) for m in (re.match(r"([0-9]{1,2})[/-]([0-9]{1,2})[/-]", t) for t in texts) if m]
    day_first = any(first > 12 >= second for first, second in pairs)
    if day_first and any(second > 12 >= first for first, second in pairs):
        raise source.bad("contradictory dates: some can only be month first, some only day first")
    return day_first


def _offset(name: str) -> int | None:
    match = _ZONE.search(name)
    if match is None:
        return None
    return int(f"{match[1]}1") * (int(match[2]) * HOUR_MS + int(match[3]) * MINUTE_MS)


def _zone_text(offset_ms: int | None) -> str | None:
    if offset_ms is None:
        return None
    minutes = abs(offset_ms) // MINUTE_MS
    return f"UTC{'-' if offset_ms < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}"


def _channels(source: Source, table: Table, serial: str, row: int) -> tuple[list[_Channel], list[Reject]]:
    channels: list[_Channel] = []
    rejects: list[Reject] = []
    for name in table.header:
        if name == "#" or name.startswith(("Date", "Time")) or name.casefold().startswith(EVENTS):
            continue
        try:
            channels.append(_channel(name, f"{serial}:{len(channels) + 1}"))
        except BadCell as bad:
            rejects.append(source.reject(row, name, name, bad.reason))
    return channels, rejects


def _channel(name: str, series: str) -> _Channel:
    match = _COLUMN.fullmatch(name)
    known = MEASURED.get(match["name"].casefold()) if match else None
    if match is None or known is None:
        raise BadCell(f"a column that is not read; read are: {', '.join(MEASURED)}")
    spelling = (match["unit"] or match["paren"] or "").strip()
    return _Channel(name, series, known, unit(spelling, parameter(known).canonical_unit))


def _observation(row: Row, file: _File, channel: _Channel) -> Observation | None:
    text = row.text(channel.column)
    if not text:
        return None
    wall = row.read(file.date, lambda day: _wall(f"{day} {row.text(file.time)}".strip(), file.day_first))
    value = row.read(channel.column, number)
    failed = value == SENSOR_FAILED or is_sentinel(value)
    return (
        file.station, channel.parameter, "instant", channel.series,
        wall - (file.offset_ms or 0), "naive" if file.offset_ms is None else "utc",
        math.nan if failed else value, "" if failed else text, channel.unit,
        Flags(qualifiers=(text,)).text() if failed else "", row.number,
    )  # fmt: skip


@lru_cache(maxsize=16)
def _wall(text: str, day_first: bool) -> int:
    match = _TIME.fullmatch(text)
    if match is None:
        raise BadCell("not a date and time")
    return _civil(match, day_first) + _after_midnight(int(match[4]), match[5], (match[6] or "").upper())


def _civil(match: re.Match[str], day_first: bool) -> int:
    first, second, third = int(match[1]), int(match[2]), int(match[3])
    if len(match[1]) == 4:
        return civil_day(first, second, third)
    year = third + 2000 if len(match[3]) == 2 else third
    return civil_day(year, second, first) if day_first else civil_day(year, first, second)


def _after_midnight(hour: int, rest: str, half: str) -> int:
    if half and not 1 <= hour <= 12:
        raise BadCell("no such time of day")
    return clock_time(f"{hour % 12 + 12 * (half == 'PM') if half else hour:02d}:{rest}")
