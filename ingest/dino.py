"""Groundwater levels of the Dutch register DINO, csv in the old layout (``dino-csv``).

One measurement a row, in centimetres under three references: below the measuring point (MP), below the land surface
(MV, maaiveld) and above NAP (Normaal Amsterdams Peil). They are three series of one visit, never mixed. Measuring
points move: their periods come as the table ``measuring_points``, as the file writes them. Where a level on NAP is not
the height of the point less the depth below it, nothing tells which of the two is wrong, and both are refused. Remarks
are people's text and are not kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import pandas as pd

from ingest.cells import BadCell, Measurement, measurement, number
from ingest.date_order import day_in_order
from ingest.reading import Parts, Source, beside_row
from ingest.table import Observation, Row, Table, header_of, in_order, read_table, require, take_rows
from models.observation import Flags

DATUM = "NAP"
PLACE, TUBE, DAY, REMARK = "Locatie", "Filternummer", "Peildatum", "Bijzonderheid"
FIRST, LAST, POINT = "Startdatum", "Einddatum", "Meetpunt (cm t.o.v. NAP)"
LEVELS = {
    "Stand (cm t.o.v. MP)": "depth_below_mp",
    "Stand (cm t.o.v. MV)": "depth_to_water",
    "Stand (cm t.o.v. NAP)": "water_elevation_nap",
}
BELOW_MP, _, ABOVE_NAP = LEVELS
Periods = dict[str, list[tuple[int, int, float]]]
AGREE_CM = 1.0
"""Whole centimetres, each rounded by itself."""

_HEADER_LINES = 2000


def sniff(head: str) -> bool:
    lines = head.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    return any(line.startswith(f"{PLACE},{TUBE},{DAY},") for line in lines)


def parse(source: Source) -> Parts:
    """Depths and heights [cm] of every day measured.

    Raises
    ------
    BadFile : no table of levels.
    """
    lines = source.text.split("\n", _HEADER_LINES)[:_HEADER_LINES]
    place = next((n for n, line in enumerate(lines) if line.startswith(f"{PLACE},{TUBE},{DAY},")), None)
    if place is None:
        raise source.bad(f"no table that begins with {PLACE}, {TUBE}, {DAY}")
    levels = read_table(source, place)
    require(source, levels, PLACE, TUBE, DAY)
    points = _points(source, lines[:place])
    takers: list[Callable[[Row], Observation | None]] = [
        partial(_level, column, _periods(points)) for column in LEVELS if column in levels.header
    ]
    parts = take_rows(source, levels, *takers)
    tables = {} if points is None else {"measuring_points": _frame(points)}
    rejects = in_order((*parts.rejects, *(() if points is None else points.rejects)))
    return replace(parts, rejects=rejects, tables=tables, facts={"datum": DATUM})


def _points(source: Source, lines: Sequence[str]) -> Table | None:
    """The table of measuring points above the levels; it ends where the levels' begins."""
    place = next((n for n, line in enumerate(lines) if line.startswith(f"{PLACE},{TUBE},") and FIRST in line), None)
    if place is None or not header_of("\n".join(lines), place):
        return None
    return read_table(replace(source, text="\n".join(lines)), place)


def _frame(points: Table) -> pd.DataFrame:
    columns = ["row", *beside_row(points.header)]
    return pd.DataFrame(
        [[str(row.number), *(row.text(name) for name in points.header)] for row in points.rows], columns=columns
    )


def _level(column: str, periods: Periods, row: Row) -> Observation | None:
    found: Measurement = row.read(column, lambda text: measurement(text, LEVELS[column]))
    flags = Flags(qualifiers=(row.text(REMARK),) if row.text(REMARK) else ()).with_words(found.qualifiers)
    if not row.text(column) and not flags.qualifiers:
        return None
    time_ms = row.read(DAY, lambda text: day_in_order(text, "dmy"))
    if column in {BELOW_MP, ABOVE_NAP} and row.text(column):
        _agrees(column, periods, row)
    return (
        _station(row), LEVELS[column], "instant", "", time_ms, "day", found.value, found.text, "cm", flags.text(),
        row.number,
    )  # fmt: skip


def _station(row: Row) -> str:
    """A tube of a place is a well of its own."""
    return f"{row.required(PLACE)}-{row.required(TUBE)}"


def _periods(points: Table | None) -> Periods:
    """By tube: first day, last day and height of its measuring points; a row that cannot be read is left out."""
    found: dict[str, list[tuple[int, int, float]]] = {}
    for row in () if points is None else points.rows:
        for station, period in _period(row):
            found.setdefault(station, []).append(period)
    return found


def _period(row: Row) -> Iterator[tuple[str, tuple[int, int, float]]]:
    try:
        first, last = (day_in_order(row.text(name), "dmy") for name in (FIRST, LAST))
        yield _station(row), (first, last, number(row.text(POINT)))
    except BadCell:
        return  # an open end, or a height that nobody measured: the table shows it as it is


def _agrees(column: str, periods: Periods, row: Row) -> None:
    """Refuse the column where depth and level contradict each other.

    On the day a point is moved, either height may be meant. Cells that cannot be read are refused by the takers.
    """
    try:
        day, station = day_in_order(row.text(DAY), "dmy"), _station(row)
        depth, level = (measurement(row.text(name)).value for name in (BELOW_MP, ABOVE_NAP))
    except BadCell:
        return
    heights = [height for first, last, height in periods.get(station, ()) if first <= day <= last]
    if math.isnan(depth + level) or not heights:
        return
    if not any(abs(height - depth - level) <= AGREE_CM for height in heights):
        other = "level is not the measuring point at {:g} cm NAP less the depth; nothing tells which is wrong"
        raise BadCell(other.format(heights[0]), column)
