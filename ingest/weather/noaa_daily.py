"""NOAA Climate Data Online daily summaries as CSV (``noaa-cdo-daily``).

The file names no unit, so its digits are asked: the standard order (inches, degrees Fahrenheit) writes rain in
hundredths and whole degrees, the metric order (mm, degrees Celsius) writes both in tenths. Where no digit tells, the
standard order is assumed and said. ``…_ATTRIBUTES`` columns hold the GHCN-Daily flags.
Source: CDO Daily Summaries documentation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ingest.cells import NUMBER_PATTERN, BadCell, number
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, Table, header_of, read_table, require, take_rows
from ingest.times import iso_day
from ingest.weather.ghcn_flags import TRACE, from_attributes

ELEMENTS = {
    "PRCP": ("precipitation", "sum"),
    "TMAX": ("air_temperature_max", "max"),
    "TMIN": ("air_temperature_min", "min"),
}
STANDARD = {"PRCP": "in", "TMAX": "degF", "TMIN": "degF"}
METRIC = {"PRCP": "mm", "TMAX": "degC", "TMIN": "degC"}
BEYOND_RECORD = {"PRCP": 72.0, "TMAX": 135.0, "TMIN": 135.0}
"""No day on earth had 72 in (Reunion, 1966: 71.9) or 135 degF (Death Valley, 1913: 134): such numbers are metric."""

SENTINELS = {-9999.0, 9999.0}
ATTRIBUTES = "_ATTRIBUTES"
PLACE = {"STATION", "NAME", "LATITUDE", "LONGITUDE", "ELEVATION", "DATE"}

_HUNDREDTHS = re.compile(r"[0-9]*\.[0-9][1-9]")
_TENTHS = re.compile(r"-?[0-9]*\.[1-9]")


def sniff(head: str) -> bool:
    header = set(header_of(head))
    return {"STATION", "DATE"} <= header and not header.isdisjoint(ELEMENTS)


def parse(source: Source) -> Parts:
    """Daily rain, highest and lowest temperature; a blank is a missing day, not a zero.

    Raises
    ------
    BadFile : no STATION or DATE column, none of the elements, or digits that fit no one order of units.
    """
    table = read_table(source)
    require(source, table, "STATION", "DATE")
    present = [element for element in ELEMENTS if element in table.header]
    if not present:
        raise source.bad(f"none of {', '.join(ELEMENTS)} in the header")
    units, how = _units(source, table)
    takers: list[Callable[[Row], Observation | None]] = [
        partial(_element, element=element, unit=units[element]) for element in present
    ]
    parts = take_rows(source, table, *takers)
    read = {*PLACE, *present, *(f"{element}{ATTRIBUTES}" for element in present)}
    unread = [name for name in table.header if name not in read]
    said = f"{units['PRCP']}, {units['TMAX']} ({how}: not in the file)"
    return replace(parts, facts={"units": said, "columns_not_read": " ".join(unread)})


def _units(source: Source, table: Table) -> tuple[dict[str, str], str]:
    inches = any(_HUNDREDTHS.fullmatch(row.text("PRCP")) for row in table.rows)
    celsius = any(_TENTHS.fullmatch(row.text(element)) for row in table.rows for element in ("TMAX", "TMIN"))
    if inches and celsius:
        raise source.bad("rain in hundredths beside temperatures in tenths: the units cannot be told")
    if celsius:
        return METRIC, "told by temperatures in tenths"
    if inches:
        return STANDARD, "told by rain in hundredths"
    for element, most in BEYOND_RECORD.items():
        if any(_size(row.text(element)) >= most for row in table.rows):
            raise source.bad(f"{element} holds more than any day on record in {STANDARD[element]}: state the units")
    return STANDARD, "assumed"


def _size(text: str) -> float:
    """The number in a cell; 0 for words and sentinels."""
    value = float(text) if len(text) < 20 and re.fullmatch(NUMBER_PATTERN, text) else 0.0
    return 0.0 if abs(value) in SENTINELS else value


def _element(row: Row, element: str, unit: str) -> Observation | None:
    text = row.text(element)
    if not text:
        return None
    parameter, statistic = ELEMENTS[element]
    station, time_ms = row.required("STATION"), row.read("DATE", iso_day)
    value, qualifier = row.read(element, _rain if element == "PRCP" else _degrees)
    flags = from_attributes(row.text(f"{element}{ATTRIBUTES}"), *([qualifier] if qualifier else []))
    kept = "" if math.isnan(value) else text
    if TRACE in flags.qualifiers and element == "PRCP" and value == 0:
        kept = TRACE
    return (station, parameter, statistic, "", time_ms, "day", value, kept, unit, flags.text(), row.number)


def _degrees(text: str) -> tuple[float, str]:
    value = number(text)
    return (math.nan, text) if value in SENTINELS else (value, "")


def _rain(text: str) -> tuple[float, str]:
    """``T`` is a trace: rain seen, too little to measure."""
    value, qualifier = (0.0, TRACE) if text == TRACE else _degrees(text)
    if value < 0:
        raise BadCell("negative")
    return value, qualifier
