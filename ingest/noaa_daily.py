"""NOAA Climate Data Online daily summaries as CSV (``noaa-cdo-daily``).

The file names no unit: CDO's standard order is inches and degrees Fahrenheit, and that is assumed and said.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ingest.cells import BadCell, number
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, take_rows
from ingest.times import iso_day
from models.observation import Flags

ELEMENTS = {
    "PRCP": ("precipitation", "sum", "in"),
    "TMAX": ("air_temperature_max", "max", "degF"),
    "TMIN": ("air_temperature_min", "min", "degF"),
}
SENTINELS = {-9999.0, 9999.0}
PLACE = {"STATION", "NAME", "LATITUDE", "LONGITUDE", "ELEVATION", "DATE"}


def sniff(head: str) -> bool:
    header = set(header_of(head))
    return {"STATION", "DATE"} <= header and not header.isdisjoint(ELEMENTS)


def parse(source: Source) -> Parts:
    """Daily rain, highest and lowest temperature; a blank is a missing day, not a zero.

    Raises
    ------
    BadFile : no STATION or DATE column, or none of the elements.
    """
    table = read_table(source)
    require(source, table, "STATION", "DATE")
    present = [element for element in ELEMENTS if element in table.header]
    if not present:
        raise source.bad(f"none of {', '.join(ELEMENTS)} in the header")
    takers: list[Callable[[Row], Observation | None]] = [partial(_element, element=element) for element in present]
    parts = take_rows(source, table, *takers)
    unread = [name for name in table.header if name not in PLACE and name not in present]
    return replace(parts, facts={"units": "in, degF (assumed: not in the file)", "columns_not_read": " ".join(unread)})


def _element(row: Row, element: str) -> Observation | None:
    text = row.text(element)
    if not text:
        return None
    parameter, statistic, unit = ELEMENTS[element]
    station, time_ms = row.required("STATION"), row.read("DATE", iso_day)
    value, qualifier = row.read(element, _trace if element == "PRCP" else _degrees)
    flags = Flags(qualifiers=(qualifier,) if qualifier else ()).text()
    kept = "" if math.isnan(value) else text
    return (station, parameter, statistic, "", time_ms, "day", value, kept, unit, flags, row.number)


def _degrees(text: str) -> tuple[float, str]:
    value = number(text)
    return (math.nan, text) if value in SENTINELS else (value, "")


def _trace(text: str) -> tuple[float, str]:
    """``T`` is a trace: rain seen, too little to measure."""
    value, qualifier = (0.0, "T") if text == "T" else _degrees(text)
    if value < 0:
        raise BadCell("negative")
    return value, qualifier
