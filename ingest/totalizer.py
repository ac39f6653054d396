"""Readings of totalizing water meters (``totalizer``). Volumes are made of them elsewhere; comments are not kept.

Our own sheet is ``HEADER``. A shorter one is read too where its columns say as much: a date, and what the register
showed with its unit in the name (``reading_m3``, ``totalizer_gal``) or beside it. A register that counts in hundreds or
thousands says so in the unit (``x1000 gal``, ``100 ft3``) or in a column ``multiplier``: the reading is kept in the
plain unit, and what the register showed as the fact ``register``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from typing import TypeVar

from ingest.cells import BadCell, not_negative
from ingest.date_order import column_order, day_in_order
from ingest.headings import ROLES, plain_name
from ingest.month_unit import POWER_OF_TEN, counted
from ingest.number_locale import localised
from ingest.reading import DateOrder, Parts, Source
from ingest.table import Observation, Row, header_of, in_order, read_table, take_rows
from ingest.times import clock_time, to_utc
from models.observation import Flags, Reject

HEADER = ("meter", "read_date", "read_time", "timezone", "reading", "unit", "event", "comment")
REPLACEMENT, RESET = "replaced-in", "reset"
"""Each also the series of a new count's first reading, which may share its instant with the old one's last."""
EVENTS = ("rollover", "replaced-out", REPLACEMENT, RESET)
SAID = {
    "final reading old meter": "replaced-out", "final reading": "replaced-out", "last reading": "replaced-out",
    "removed": "replaced-out", "initial reading new meter": REPLACEMENT, "initial reading": REPLACEMENT,
    "installed": REPLACEMENT, "rolled over": "rollover", "roll-over": "rollover",
}  # fmt: skip
"""Events in other words."""
COLUMNS: dict[str, tuple[str, ...]] = {
    "meter": ("meter", "meter_id", "meter_no", *ROLES["station"]),
    "day": ("date", "read_date", "reading_date", "day"),
    "clock": ("time", "read_time", "reading_time"),
    "zone": ("timezone", "time_zone", "tz"),
    "reading": ("reading", "meter_reading", "register", "register_reading", "totalizer", "totalizer_reading"),
    "unit": ("unit", "units"),
    "multiplier": ("multiplier", "register_multiplier", "factor"),
    "event": ("event", "events"),
    "comment": ("comment", "comments", "note", "notes", "by", "observer"),
}
"""Names, as ``plain_name`` writes them, by what the column says."""

T = TypeVar("T")


@dataclass(frozen=True)
class Sheet:
    """What each column is, the unit in the reading's name ("" where none), and the order of the dates."""

    columns: dict[str, str]
    unit: str
    station: str
    order: DateOrder = "ymd"

    def text(self, row: Row, what: str) -> str:
        return row.text(self.columns[what]) if what in self.columns else ""


def sniff(head: str) -> bool:
    header = header_of(head)
    return header == HEADER or _sheet(header, "") is not None


def parse(source: Source) -> Parts:
    """Register readings in the row's own unit of volume, times the register's multiplier.

    Raises
    ------
    BadFile : the header lacks a date or a reading with its unit, or has a column nobody knows; or dates whose order
        nobody can tell.
    """
    table, unreadable = read_table(source), tuple[Reject, ...]()
    sheet = _sheet(table.header, source.told.station)
    if sheet is None:
        raise source.bad("the header lacks a date, or a reading with its unit, or has other columns")
    if any("," in sheet.text(row, "reading") for row in table.rows):
        plain, unreadable = localised(source)
        table = read_table(plain)
    days = ((row.number, sheet.text(row, "day")) for row in table.rows)
    order = column_order(source, sheet.columns["day"], days)
    parts = take_rows(source, table, partial(_reading, Sheet(sheet.columns, sheet.unit, sheet.station, order)))
    return replace(parts, rejects=in_order((*parts.rejects, *unreadable)))


def _sheet(header: Iterable[str], station: str) -> Sheet | None:
    found: dict[str, str] = {}
    measured = ""
    for column in header:
        what, in_name = _meaning(column)
        if what is None or what in found:
            return None
        found[what], measured = column, in_name or measured
    whole = {"day", "reading"} <= set(found) and bool(measured or {"unit", "event"} <= set(found))
    return Sheet(found, measured, station) if whole and not (measured and "unit" in found) else None


def _meaning(column: str) -> tuple[str | None, str]:
    """What a column says, and the unit in the name of a reading."""
    name = plain_name(column)
    what = next((what for what, names in COLUMNS.items() if name in names), None)
    if what is not None:
        return what, ""
    for cut in (one for one in sorted(COLUMNS["reading"], key=len, reverse=True) if name.startswith(f"{one}_")):
        spelling = name[len(cut) + 1 :].replace("_", " ")
        try:
            counted(spelling)
        except BadCell:
            continue
        return "reading", spelling
    return None, ""


def _reading(sheet: Sheet, row: Row) -> Observation:
    time_ms, clock = _when(sheet, row)
    read = partial(_cell, sheet, row)
    read("reading", not_negative)
    times, volume = read("unit", counted) if "unit" in sheet.columns else counted(sheet.unit)
    own = read("multiplier", _multiplier)
    if own != 1 and times != 1:
        raise BadCell("a multiplier in the unit and one beside it", sheet.columns["multiplier"])
    event = read("event", _event)
    shown = sheet.text(row, "reading")
    value = Decimal(shown) * times * own
    flags = Flags(qualifiers=(event,) if event else (), facts=_shown(sheet, row, times * own, volume))
    station = row.required(sheet.columns["meter"]) if "meter" in sheet.columns else sheet.station
    return (
        station, "meter_reading", "instant", event if event in {REPLACEMENT, RESET} else "", time_ms, clock,
        float(value), f"{value:f}" if times * own != 1 else shown, volume, flags.text(), row.number,
    )  # fmt: skip


def _shown(sheet: Sheet, row: Row, times: Decimal, volume: str) -> dict[str, str]:
    """What the register itself showed, where that is not the reading."""
    return {} if times == 1 else {"register": f"{sheet.text(row, 'reading')} x{times:f} {volume}"}


def _cell(sheet: Sheet, row: Row, what: str, reader: Callable[[str], T]) -> T:
    return row.read(sheet.columns[what], reader) if what in sheet.columns else reader("")


def _when(sheet: Sheet, row: Row) -> tuple[int, str]:
    """Time and clock; a refusal names the cell at fault."""
    start = row.read(sheet.columns["day"], lambda text: day_in_order(text, sheet.order))
    if not sheet.text(row, "clock"):
        return start, "day"
    wall = start + _cell(sheet, row, "clock", clock_time)
    zone = sheet.text(row, "zone")
    return (_cell(sheet, row, "zone", lambda text: to_utc(wall, text)), "utc") if zone else (wall, "naive")


def _multiplier(text: str) -> Decimal:
    bare = text.casefold().lstrip("x×*").strip().replace(",", "")
    if text and POWER_OF_TEN.fullmatch(bare) is None:
        raise BadCell("not a multiplier; a power of ten as 100 or x1000")
    return Decimal(bare or 1)


def _event(text: str) -> str:
    event = " ".join(text.casefold().split())
    event = SAID.get(event, event)
    if event and event not in EVENTS:
        raise BadCell(f"unknown event; allowed: blank, {', '.join(EVENTS)}")
    return event
