"""A date and a number under a word for pumped water (``daily-abstraction``): ``Date, Discharge``, as well fields do.

Neither the unit nor whether the water was pumped or flowed by is in such a file: rows come as they are and are placed
only where somebody says what they are, ``--parameter withdrawal --unit m3``. A daily volume told in a rate of whole
days (m3/d) is that day's volume.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ingest import plain_series
from ingest.canonical import NO_UNIT, UNNAMED
from ingest.cells import measurement
from ingest.date_order import column_order, day_in_order
from ingest.headings import parameter_of, plain_name
from ingest.number_locale import localised
from ingest.reading import DateOrder, Parts, Source
from ingest.table import Observation, Row, header_of, in_order, read_table, take_rows
from models.observation import Flags

VALUES = ("discharge", "abstraction", "extraction", "withdrawal", "pumpage", "volume", "onttrekking", "debiet")
DAYS = ("date", "datum", "day")
PER_DAY = {"m3/d": "m3", "ft3/d": "ft3", "gpd": "gal", "MGD": "MG"}
VOLUMES = {"withdrawal", "discharged_volume"}


def sniff(head: str) -> bool:
    return not plain_series.sniff(head) and _columns(header_of(head)) is not None


def parse(source: Source) -> Parts:
    """Daily values.

    Raises
    ------
    BadFile : another header, or dates whose order nobody can tell.
    """
    source, unreadable = localised(source)
    table = read_table(source)
    columns = _columns(table.header)
    if columns is None:
        raise source.bad("the header lacks a date and one column of pumped water")
    order = column_order(source, columns[0], ((row.number, row.text(columns[0])) for row in table.rows))
    parts = take_rows(source, table, partial(_day, source, order, *columns))
    return replace(parts, rejects=in_order((*parts.rejects, *unreadable)))


def _columns(header: tuple[str, ...]) -> tuple[str, str] | None:
    names = [plain_name(one) for one in header]
    fits = len(names) == 2 and names[0] in DAYS and names[1] in VALUES
    return (header[0], header[1]) if fits else None


def _day(source: Source, order: DateOrder, day: str, column: str, row: Row) -> Observation:
    time_ms, told = row.read(day, lambda text: day_in_order(text, order)), source.told
    parameter = parameter_of(told.parameter) if told.parameter else UNNAMED
    found = row.read(column, lambda text: measurement(text, parameter))
    volume = parameter in VOLUMES
    unit = PER_DAY.get(told.unit, told.unit) if volume else told.unit
    return (
        told.station, parameter, "sum" if volume else "mean", "", time_ms, "day", found.value, found.text,
        unit or NO_UNIT, Flags("", found.qualifiers, found.facts).text(), row.number,
    )  # fmt: skip
