"""A csv whose header says what each column is (``csv-table``), in long form or one column per parameter.

Long: ``site_no,parameter_cd,datetime_utc,value,unit``. Wide: ``local_time,stage_ft``. What neither the file nor the
person says is left open and refused when it is placed: an unnamed parameter stays ``name:value`` in unit ``1``.

An offset written with the time wins, then the row's zone column, then the zone in the column's name or in a comment
``# timezone: …``; else the time is a wall clock of the station.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from ingest.canonical import UNNAMED
from ingest.cells import BadCell, Measurement, code_flags, measurement
from ingest.date_order import column_order, instant, moment
from ingest.headings import Headings, Measured, dropped_columns, parameter_of, understood, unit_of
from ingest.reading import DateOrder, Parts, Source
from ingest.table import Observation, Row, Table, header_of, in_order, read_table, take_rows
from ingest.times import zone_info
from ingest.usgs_codes import stated
from models.observation import Flags

T = TypeVar("T")

DAILY = {
    "discharge": "mean", "precipitation": "sum", "withdrawal": "sum", "air_temperature_max": "max",
    "air_temperature_min": "min", "pumping_rate": "mean", "pump_run_time": "sum", "discharged_volume": "sum",
}  # fmt: skip
"""Statistic of a value of a date where no column says it; all others are readings of some time that day."""
STATISTICS = {
    "00001": "max", "00002": "min", "00003": "mean", "00006": "sum", "00011": "instant", "max": "max",
    "maximum": "max", "min": "min", "minimum": "min", "mean": "mean", "average": "mean", "sum": "sum", "total": "sum",
    "instant": "instant", "instantaneous": "instant",
}  # fmt: skip
"""NWIS statistic codes (help, ``stat_cd``) and words."""
CODE_UNITS = {
    "00060": "cfs", "00061": "cfs", "00065": "ft", "72019": "ft", "61055": "ft", "62610": "ft", "62611": "ft",
    "00010": "degC", "00045": "in", "00095": "uS/cm", "00400": "SU",
}  # fmt: skip
"""Units that belong to a USGS parameter code by definition (NWIS help, ``parameter_cd``)."""
_MOST_COMMENTS = 200
_ZONE_LINE = re.compile(r"#.*time ?zone\s*[:=]\s*(\S+)", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """How the rows of one file are read: headings, the order of its dates, and the zone its header states."""

    source: Source
    headings: Headings
    order: DateOrder
    zone: str

    def cell(self, row: Row, role: str) -> str:
        column = self.headings.roles.get(role)
        return row.text(column) if column else ""

    def read(self, row: Row, role: str, reader: Callable[[str], T]) -> T:
        return row.read(self.headings.roles.get(role, role), reader)


def sniff(head: str) -> bool:
    found = understood(header_of(head, _comments(head)))
    return found.a_table_of_values and not found.strange


def parse(source: Source) -> Parts:
    """Every value of every row.

    Raises
    ------
    BadFile : no time or no value column, or dates whose order nobody can tell.
    """
    skip = _comments(source.text)
    table = read_table(source, skip)
    headings = understood(table.header)
    if not headings.a_table_of_values:
        raise source.bad("the header lacks a time column, or a value column, or has both kinds of value columns")
    zone, named = _header_zone(source, skip, headings)
    layout = Layout(source, headings, _order(source, table, headings), zone)
    parts = take_rows(source, table, *_takers(layout))
    cells = {column: [(row.number, row.text(column)) for row in table.rows] for column in headings.strange}
    rejects = in_order((*parts.rejects, *dropped_columns(source, cells)))
    not_read = {"columns_not_read": ", ".join((*headings.unread, *headings.strange))}
    facts = {name: text for name, text in not_read.items() if text}
    return replace(parts, rejects=rejects, facts=facts, timezone=named or zone or None)


def _takers(layout: Layout) -> Iterator[Callable[[Row], Observation | None]]:
    if not layout.headings.measured:
        yield partial(_long, layout)
    for column in layout.headings.measured:
        yield partial(_wide, layout, column)


def _long(layout: Layout, row: Row) -> Observation | None:
    named = layout.cell(row, "parameter") or layout.source.told.parameter
    id = parameter_of(named) if named else UNNAMED
    found = layout.read(row, "value", lambda text: measurement(text, id))
    spelling = layout.cell(row, "unit") or layout.source.told.unit or CODE_UNITS.get(named, "")
    if not spelling and id != UNNAMED:
        raise BadCell("no unit; say which with --unit", layout.headings.roles.get("unit", "unit"))
    return _observation(layout, row, id, unit_of(spelling, id), found)


def _wide(layout: Layout, measured: Measured, row: Row) -> Observation | None:
    found = row.read(measured.column, lambda text: measurement(text, measured.parameter))
    return _observation(layout, row, measured.parameter, measured.unit, found)


def _observation(layout: Layout, row: Row, parameter: str, unit: str, found: Measurement) -> Observation | None:
    flags = _flags(layout, row, found)
    if math.isnan(found.value) and not found.text and not flags.text() and layout.headings.measured:
        return None  # a blank cell of a wide table: that parameter was not measured then
    time_ms, clock = _when(layout, row)
    station = layout.cell(row, "station").removeprefix("USGS-") or layout.source.told.station
    return (
        station, parameter, _statistic(layout, row, parameter, clock), layout.cell(row, "series"),
        time_ms, clock, found.value, found.text, unit, flags.text(), row.number,
    )  # fmt: skip


def _flags(layout: Layout, row: Row, found: Measurement) -> Flags:
    coded = code_flags(layout.cell(row, "qualifier"))
    word = layout.cell(row, "approval")
    approval, kept = stated(word) if word else (coded.approval, ())
    return Flags(approval, (*kept, *coded.qualifiers, *found.qualifiers), found.facts)


def _statistic(layout: Layout, row: Row, parameter: str, clock: str) -> str:
    said = layout.cell(row, "statistic").casefold()
    if not said:
        return DAILY.get(parameter, "instant") if clock == "day" else "instant"
    if said not in STATISTICS:
        raise BadCell("unknown statistic", layout.headings.roles["statistic"])
    return STATISTICS[said]


def _when(layout: Layout, row: Row) -> tuple[int, str]:
    role = "time" if "time" in layout.headings.roles else "day"
    time_ms, clock, offset = layout.read(row, role, lambda text: moment(text, layout.order))
    at = layout.cell(row, "clock")
    if clock == "day" and at:
        day = layout.cell(row, role)
        time_ms, clock, offset = layout.read(row, "clock", lambda text: moment(f"{day} {text}", layout.order))
    zone = offset or layout.cell(row, "zone") or layout.zone
    if clock == "day" or not zone:
        return time_ms, clock
    return layout.read(row, role if offset else "zone", lambda _: instant(time_ms, zone)), "utc"


def _order(source: Source, table: Table, headings: Headings) -> DateOrder:
    column = headings.roles.get("time") or headings.roles["day"]
    return column_order(source, column, ((row.number, row.text(column)) for row in table.rows))


def _comments(text: str) -> int:
    """Lines of comment before the header."""
    lines = 0
    for line in text.split("\n", _MOST_COMMENTS)[:_MOST_COMMENTS]:
        if not line.startswith("#"):
            break
        lines += 1
    return lines


def _header_zone(source: Source, skip: int, headings: Headings) -> tuple[str, str]:
    """The zone a header states, as one that converts here, or as one whose clock changes."""
    lines = source.text.split("\n", skip)[:skip]
    stated = next((match[1] for line in lines if (match := _ZONE_LINE.match(line))), "")
    zone = headings.zone or stated
    if "/" in zone:
        return "", _iana(source, zone)
    if zone:
        _fixed(source, zone)
    return zone, ""


def _iana(source: Source, zone: str) -> str:
    try:
        return zone_info(zone).key
    except (BadCell, ValueError):
        raise source.bad("unknown time zone in the header", found=zone) from None


def _fixed(source: Source, zone: str) -> None:
    try:
        instant(0, zone)
    except (BadCell, ValueError):
        raise source.bad("unknown time zone in the header", found=zone) from None
