"""Sheets of dip, stickup and depth (``dip-sheet``): depth to water below land surface = dip - stickup.

The dip is read from the top of the casing, the stickup is the height of that point above the ground (USGS, TM 1-A1,
GWPD 4, "Measuring water levels by use of an electric tape"). The depth that the sheet gives is what is taken, and it
must be that difference: one that is not is a mistake in one of three cells, and nothing says in which.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from ingest.cells import BadCell, number, unit
from ingest.date_order import column_order, moment
from ingest.headings import ROLES, plain_name
from ingest.reading import DateOrder, Parts, Source
from ingest.table import Observation, Row, header_of, read_table, take_rows
from models.observation import Flags

_HEADING = re.compile(r"(dip|stickup|depth)_(ft|feet|m|cm|in)")


@dataclass(frozen=True)
class Columns:
    """What the header calls each; ``station`` may be ``""``: then it must be told."""

    day: str
    station: str
    dip: str
    stickup: str
    depth: str
    unit: str


def sniff(head: str) -> bool:
    return _columns(header_of(head)) is not None


def parse(source: Source) -> Parts:
    """Depths to water.

    Raises
    ------
    BadFile : no such columns in one unit, or dates whose order nobody can tell.
    """
    table = read_table(source)
    columns = _columns(table.header)
    if columns is None:
        raise source.bad("the header lacks a date, or dip, stickup and depth in one unit")
    order = column_order(source, columns.day, ((row.number, row.text(columns.day)) for row in table.rows))
    parts = take_rows(source, table, partial(_reading, columns=columns, order=order, told=source.told.station))
    known = {columns.day, columns.station, columns.dip, columns.stickup, columns.depth}
    unread = ", ".join(name for name in table.header if name not in known)
    return replace(parts, facts={"columns_not_read": unread} if unread else {})


def _columns(header: tuple[str, ...]) -> Columns | None:
    names = {plain_name(column): column for column in header}
    day = next((names[name] for role in ("day", "time") for name in ROLES[role] if name in names), "")
    station = next((names[name] for name in ROLES["station"] if name in names), "")
    found = {match[1]: (column, match[2]) for name, column in names.items() if (match := _HEADING.fullmatch(name))}
    if not day or len(found) < 3 or len({spelling for _, spelling in found.values()}) > 1:
        return None
    spelling = found["depth"][1]
    return Columns(day, station, found["dip"][0], found["stickup"][0], found["depth"][0], unit(spelling, "ft"))


def _reading(row: Row, columns: Columns, order: DateOrder, told: str) -> Observation:
    time_ms, clock, _ = row.read(columns.day, lambda text: moment(text, order))
    dip, stickup, depth = (_length(row, name) for name in (columns.dip, columns.stickup, columns.depth))
    if dip - stickup != depth:
        raise BadCell(f"is not dip less stickup, {dip - stickup}", columns.depth)
    facts = {"dip": row.text(columns.dip), "stickup": row.text(columns.stickup)}
    station = (row.text(columns.station) if columns.station else "") or told
    text = row.text(columns.depth)
    flags = Flags(facts=facts).text()
    return (
        station, "depth_to_water", "instant", "", time_ms, clock, float(text), text, columns.unit, flags, row.number,
    )  # fmt: skip


def _length(row: Row, column: str) -> Decimal:
    row.read(column, number)
    return Decimal(row.required(column))
