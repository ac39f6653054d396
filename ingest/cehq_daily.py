"""Daily mean level and flow of a Quebec station (``cehq-daily``), as HydroSensorReader saves the CEHQ record.

Station facts above, then ``Time,Year,Month,Day,Level (m),Flow (m3/s)`` with every number as a float: an Excel serial
day beside year, month and day, ``nan`` where nothing was published. The two dates of a row must agree. The header
states no datum for the level.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ingest.cells import BadCell, Measurement, plain
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, read_table, require, take_rows
from ingest.times import civil_day
from models.observation import DAY_MS, Flags

HEADER = ("Time", "Year", "Month", "Day", "Level (m)", "Flow (m3/s)")
SERIES = {"Level (m)": ("stage", "m"), "Flow (m3/s)": ("discharge", "m3/s")}
FACTS = {
    "location": "Station Name", "stream": "Stream Name", "status": "Status", "flow_regime": "Flow Regime",
    "drainage_area_km2": "Drainage Area (km2)", "federal_id": "Federal ID",
}  # fmt: skip
MISSING = {"", "nan"}
FIRST_LINES = 60

_SERIAL_ZERO = civil_day(1899, 12, 30)  # Excel's day 0, past its false leap day of 1900


def sniff(head: str) -> bool:
    lines = head.split("\n", FIRST_LINES)[:FIRST_LINES]
    return any(line.startswith("Station ID,") for line in lines) and _header_row(lines) is not None


def parse(source: Source) -> Parts:
    """Daily means of what was ever published; a column that is ``nan`` throughout is named in the facts.

    Raises
    ------
    BadFile : no station id or no table header.
    """
    lines = source.text.split("\n")
    header = _header_row(lines[:FIRST_LINES])
    facts = _facts(lines[: header or 0])
    if header is None or not facts.get("Station ID"):
        raise source.bad("no Station ID, or no header Time,Year,Month,Day")
    table = read_table(source, header)
    require(source, table, *HEADER)
    given = [name for name in SERIES if any(row.text(name) not in MISSING for row in table.rows)]
    takers: list[Callable[[Row], Observation | None]] = [
        partial(_day, station=facts["Station ID"], column=name) for name in given
    ]
    said = {name: facts[key] for name, key in FACTS.items() if facts.get(key)}
    empty = " ".join(name for name in SERIES if name not in given)
    return replace(take_rows(source, table, *takers), facts=said | ({"never_published": empty} if empty else {}))


def _header_row(lines: list[str]) -> int | None:
    return next((place for place, line in enumerate(lines) if line.replace(" ,", ",").startswith("Time,Year,")), None)


def _facts(lines: list[str]) -> dict[str, str]:
    pairs = (line.partition(",") for line in lines if "," in line)
    return {key.strip(): value.strip().strip('"') for key, _, value in pairs}


def _day(row: Row, station: str, column: str) -> Observation:
    parameter, unit = SERIES[column]
    text = row.text(column)
    time = _date(row)
    found = Measurement(math.nan, "") if text in MISSING else row.read(column, plain)
    flags = Flags("", ("nan",) if text == "nan" else found.qualifiers).text()
    return (station, parameter, "mean", "", time, "day", found.value, found.text, unit, flags, row.number)


def _date(row: Row) -> int:
    year, month, day = (row.read(part, _whole) for part in ("Year", "Month", "Day"))
    time = row.read("Day", lambda _: civil_day(year, month, day))
    serial = row.read("Time", _whole)
    if _SERIAL_ZERO + serial * DAY_MS != time:
        raise BadCell(f"the serial day is not {year}-{month:02}-{day:02}", "Time")
    return time


def _whole(text: str) -> int:
    """``1972.0`` as 1972."""
    if re.fullmatch(r"[0-9]{1,6}(?:\.0*)?", text) is None:
        raise BadCell("not a whole number")
    return int(text.partition(".")[0])
