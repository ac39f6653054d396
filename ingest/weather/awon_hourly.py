"""Hourly weather of the University of Wisconsin's AWON network (``awon-hourly``).

Warnings of the export program and a station line stand above the table, so that the header is looked for. The file
names neither unit nor zone: AWON's millimetres and degrees Celsius are assumed and said, and the clock stays naive. An
hour is labelled by its end; rain is the sum of that hour.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ingest.cells import BadCell, Measurement, plain
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, read_table, require, take_rows
from ingest.times import civil_day, clock_time
from models.observation import Flags

HEADER = "date,time,atmp"
KIND = "hourly summary"
ELEMENTS = {
    "pcpn": ("precipitation", "sum", "mm"),
    "atmp": ("air_temperature", "mean", "degC"),
}
SAID = {"units": "mm, degC (assumed: not in the file)", "hours": "labelled by their end"}
FIRST_LINES = 100

_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")


def sniff(head: str) -> bool:
    lines = head.split("\n", FIRST_LINES)[:FIRST_LINES]
    return _header_row(lines) is not None and any(line.startswith(KIND) for line in lines)


def parse(source: Source) -> Parts:
    """Hourly rain and mean air temperature; a blank is missing, not zero.

    Raises
    ------
    BadFile : no table header, or no station line above it.
    """
    lines = source.text.split("\n")
    header = _header_row(lines[:FIRST_LINES])
    station = _station(lines[: header or 0])
    if header is None or not station:
        raise source.bad("no header date,time,atmp under a station line")
    table = read_table(source, header)
    require(source, table, "date", "time")
    present = [name for name in ELEMENTS if name in table.header]
    takers: list[Callable[[Row], Observation | None]] = [
        partial(_hour, station=station, element=name) for name in present
    ]
    unread = " ".join(name for name in table.header if name not in {"date", "time", *present})
    facts = SAID | ({"columns_not_read": unread} if unread else {})
    return replace(take_rows(source, table, *takers), facts=facts)


def _header_row(lines: list[str]) -> int | None:
    return next((place for place, line in enumerate(lines) if line.startswith(HEADER)), None)


def _station(lines: list[str]) -> str:
    """The line above ``hourly summary``."""
    words = [line.strip(' ,"\t') for line in lines]
    place = next((place for place, word in enumerate(words) if word == KIND), 0)
    return words[place - 1] if place else ""


def _hour(row: Row, station: str, element: str) -> Observation | None:
    if not row.text(element):
        return None
    parameter, statistic, unit = ELEMENTS[element]
    time = row.read("date", _day) + row.read("time", clock_time)
    found = row.read(element, _rain if element == "pcpn" else plain)
    flags = Flags("", found.qualifiers).text()
    return (station, parameter, statistic, "hourly", time, "naive", found.value, found.text, unit, flags, row.number)


def _rain(text: str) -> Measurement:
    found = plain(text)
    if found.value < 0:
        raise BadCell("negative")
    return found


def _day(text: str) -> int:
    match = _DATE.fullmatch(text)
    if match is None:
        raise BadCell("not a date written M/D/YYYY")
    return civil_day(int(match[3]), int(match[1]), int(match[2]))
