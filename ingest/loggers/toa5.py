"""Campbell Scientific TOA5 tables (``campbell-toa5``).

Four header lines: environment (station, model, serial number, operating system, program, signature, table), names,
units, and how each value was processed (``Smp Avg Min Max Tot …``). Names are the programmer's own. A name is read as
what it measures only where Campbell's Short Cut writes it for one of its sensors; any other column stays ``name:…`` in
its own unit, until somebody says. A time is that of the end of the interval; no line names a zone.
Source: Campbell Scientific, LoggerNet manual, appendix "Table-based data file formats".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ingest.cells import BadCell, number
from ingest.loggers.channels import Channel, Log, observations, open_parameter, unit_for
from ingest.loggers.clock import order_of, parted, times
from ingest.loggers.grid import grid, names, split
from ingest.reading import Parts, Source, Told
from ingest.table import in_order

HEADER_LINES = 4
TIME, RECORD = "TIMESTAMP", "RECORD"
ENVIRONMENT = ("format", "station", "model", "serial", "os", "program", "signature", "table")
KEPT = {"serial": "serial", "station": "location", "model": "instrument", "program": "program", "table": "table"}
STATISTICS = {
    "": "instant", "smp": "instant", "avg": "mean", "min": "min", "max": "max", "tot": "sum",
}  # fmt: skip
SHORT_CUT = {
    "lvl": "logger_level", "bp": "barometric_pressure", "airtc": "air_temperature", "airtf": "air_temperature",
}  # fmt: skip
"""First word of a column name as Short Cut writes it: ``Lvl_ft``, ``BP_mmHg``, ``AirTC_Avg``."""
FAILED = frozenset({-7999.0, 7999.0})
"""What a datalogger stores in two bytes for a reading out of range (Campbell, CRBasic help, "NAN and ±INF")."""
NOTHING = {"nan", "inf", "-inf", "+inf"}

_PROCESSED = re.compile(r"_(?:avg|min|max|tot|smp)$", re.IGNORECASE)


def sniff(head: str) -> bool:
    return re.match(r'"?TOA5"?,', head) is not None


def parse(source: Source) -> Parts:
    """Every column of numbers.

    Raises
    ------
    BadFile : not four header lines, no TIMESTAMP, or dates whose order nobody can tell.
    """
    lines = source.text.split("\n", HEADER_LINES)
    if len(lines) <= HEADER_LINES:
        raise source.bad(f"a TOA5 file begins with {HEADER_LINES} header lines")
    environment, header, units, processing = (split(line, ",") for line in lines[:HEADER_LINES])
    columns = names(source, header, 2)
    if columns[0] != TIME or not len(columns) == len(units) == len(processing):
        raise source.bad(f"the header lines differ in length, or the first column is not {TIME}", row=2)
    told = dict(zip(ENVIRONMENT, environment, strict=False))
    channels, refused = _channels(source, columns, units, processing, told.get("serial", ""))
    table, misfits = grid(source, columns, HEADER_LINES, ",", len(channels))
    days, clocks = parted(table.cells[TIME])
    at = times(TIME, days, clocks, order_of(source, TIME, table.rows, days))
    cells = {name: _without_nothing(column) for name, column in table.cells.items()}
    log = Log(told.get("station", ""), table.rows, at, cells, failed=FAILED)
    frame, rejects = observations(source, log, channels, number)
    unknown = [source.reject(2, *one, len(table.rows)) for one in refused]
    facts = {name: told[key] for key, name in KEPT.items() if told.get(key)}
    return Parts(frame, in_order((*unknown, *misfits, *rejects)), facts)


def _channels(
    source: Source, columns: Sequence[str], units: Sequence[str], processing: Sequence[str], serial: str
) -> tuple[list[Channel], list[tuple[str, str, str]]]:
    channels: list[Channel] = []
    refused: list[tuple[str, str, str]] = []
    for column, unit, processed in zip(columns, units, processing, strict=True):
        if column in {TIME, RECORD} or unit.casefold() in {"ts", "rn"}:
            continue
        try:
            channels.append(_channel(column, unit, processed, f"{serial}:{column}", source.told))
        except BadCell as bad:
            refused.append((column, f"{column} [{unit}] {processed}", bad.reason))
    return channels, refused


def _channel(column: str, unit: str, processed: str, series: str, told: Told) -> Channel:
    """One column, known by the name that Short Cut gives it, else by its own.

    Raises
    ------
    BadCell : processed in a way that leaves no value of a kind known here, or in a unit that does not measure it.
    """
    statistic = STATISTICS.get(processed.casefold())
    if statistic is None:
        raise BadCell(f"processed in a way that is not read; read are: {', '.join(filter(None, STATISTICS))}")
    bare = _PROCESSED.sub("", column)
    known = SHORT_CUT.get(bare.partition("_")[0].casefold())
    if known is not None:
        return Channel(column, series, known, unit_for(unit, known), statistic)
    return Channel(column, series, *_told_or_own(bare, unit, told), statistic)


def _told_or_own(name: str, unit: str, told: Told) -> tuple[str, str]:
    """What was told holds for every column whose unit measures it; the others keep their names."""
    try:
        return open_parameter(name, unit, told)
    except BadCell:
        return open_parameter(name, unit, replace(told, parameter=""))


def _without_nothing(cells: Sequence[str]) -> list[str]:
    """``NAN`` and ``INF`` are no readings."""
    return ["" if cell.casefold() in NOTHING else cell for cell in cells]
