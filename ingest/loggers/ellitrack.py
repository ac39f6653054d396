"""Ellitrack telemetry text files (``ellitrack-txt``): tab separated, ``Datum Waterstand Temperatuur water …``.

A level is a number of centimetres above or below whatever the owner set (NAP, the measuring point, the sensor), and
nothing in the file says which: it stays ``name:Waterstand`` until somebody says. The logger's own temperature is not
the water's and is not read. Written from public readers of this format; no file of it was at hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, Log, observations, open_parameter
from ingest.loggers.clock import order_of, parted, times
from ingest.loggers.grid import Grid, grid, names, split
from ingest.reading import Parts, Source
from ingest.table import in_order
from models.observation import Reject

TIME, LEVEL, WARMTH, INTERNAL = "Datum", "Waterstand", "Temperatuur water", "Temperatuur intern"
CENTIMETRES = "cm"
FACTS = {"level": "centimetres, by the maker's convention; the file does not say above or below what"}

_DELIMITER = re.compile(r'"?Datum"?([\t;,])"?Waterstand"?')


def sniff(head: str) -> bool:
    return _DELIMITER.match(head) is not None


def parse(source: Source) -> Parts:
    """Level and temperature of the water.

    Raises
    ------
    BadFile : not this header, a parameter told that is no length, or dates whose order nobody can tell.
    """
    match = _DELIMITER.match(source.text)
    if match is None:
        raise source.bad(f"the header does not begin with {TIME} and {LEVEL}")
    columns = names(source, split(source.text.split("\n", 1)[0], match[1]), 1)
    if not {TIME, LEVEL} <= set(columns):
        raise source.bad(f"the header lacks {TIME} or {LEVEL}", row=1)
    channels = _channels(source, columns)
    table, misfits = grid(source, columns, 1, match[1], len(channels))
    days, clocks = parted(table.cells[TIME])
    at = times(TIME, days, clocks, order_of(source, TIME, table.rows, days))
    frame, rejects = observations(source, Log(source.told.station, table.rows, at, table.cells), channels)
    return Parts(frame, in_order((*_unread(source, table), *misfits, *rejects)), FACTS)


def _channels(source: Source, columns: Sequence[str]) -> list[Channel]:
    try:
        level = Channel(LEVEL, LEVEL, *open_parameter(LEVEL, source.told.unit or CENTIMETRES, source.told))
    except BadCell as bad:
        raise source.bad(bad.reason, found=source.told.parameter) from None
    warmth = Channel(WARMTH, WARMTH, "water_temperature", "degC")
    return [level, warmth] if WARMTH in columns else [level]


def _unread(source: Source, table: Grid) -> list[Reject]:
    """Columns of which nothing is taken, each with how many values it holds."""
    return [
        source.reject(1, name, name, f"a column that is not read; read are: {LEVEL}, {WARMTH}", sum(map(bool, cells)))
        for name, cells in table.cells.items()
        if name not in {TIME, LEVEL, WARMTH} and any(cells)
    ]
