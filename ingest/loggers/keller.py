"""Keller logger text exports (``keller-txt``): tab separated, one column for each sensor, decimal comma or point.

``P1`` is the sensor in the water, ``P2`` the one in the air, ``P1-P2`` their difference, ``TOB1`` and ``TOB2`` the
temperatures of the two. The file states neither the unit of the pressures, nor whether P1 is vented, nor a well or a
zone: the unit is what is told, else left open, and refused where the readings are placed. A length told for P1 means a
height of water. Temperatures are in degC, as Keller's protocol delivers them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingest.cells import BadCell
from ingest.loggers.channels import UNSAID, Channel, Log, head_or_pressure, observations, unit_for
from ingest.loggers.clock import order_of, parted, times
from ingest.loggers.diver_words import WATER
from ingest.loggers.grid import grid, names, split
from ingest.reading import Parts, Source
from ingest.table import in_order

PRESSURES = {"P1": "logger_pressure", "P2": "barometric_pressure", "P1-P2": "logger_level"}
TEMPERATURES = {"TOB1": "water_temperature", "TOB2": "air_temperature"}
UNSTATED = "the file does not state the unit of its pressures; say which with --unit"

_TIME = re.compile(r'"?Date/Time"?', re.IGNORECASE)


def sniff(head: str) -> bool:
    header = split(head.split("\n", 1)[0], "\t")
    return _TIME.fullmatch(header[0] if header else "") is not None and "P1" in header


def parse(source: Source) -> Parts:
    """Every column that holds anything.

    Raises
    ------
    BadFile : not this header, a unit told that measures no pressure or height, or dates whose order nobody can tell.
    """
    columns = names(source, split(source.text.split("\n", 1)[0], "\t"), 1)
    table, misfits = grid(source, columns, 1, "\t", 2)
    channels = _channels(source, [name for name in columns[1:] if any(table.cells[name])])
    known = [one.column for one in channels]
    unread = [name for name in columns[1:] if name not in known and any(table.cells[name])]
    days, clocks = parted(table.cells[columns[0]])
    at = times(columns[0], days, clocks, order_of(source, columns[0], table.rows, days))
    frame, rejects = observations(source, Log(source.told.station, table.rows, at, table.cells), channels)
    lost = [(name, sum(cell != "" for cell in table.cells[name])) for name in unread]
    unknown = [source.reject(1, name, name, _unread(), n) for name, n in lost]
    facts = {} if source.told.unit else {"unit": UNSTATED}
    return Parts(frame, in_order((*unknown, *misfits, *rejects)), facts)


def _unread() -> str:
    return f"a column that is not read; read are: {', '.join((*PRESSURES, *TEMPERATURES))}"


def _channels(source: Source, columns: Sequence[str]) -> list[Channel]:
    channels = []
    for name in columns:
        if name in PRESSURES:
            channels.append(Channel(name, name, *_measured(source, name)))
        elif name in TEMPERATURES:
            channels.append(Channel(name, name, TEMPERATURES[name], "degC"))
    return channels


def _measured(source: Source, name: str) -> tuple[str, str]:
    """Parameter and unit of a pressure column, by the unit that somebody told."""
    told = source.told.unit
    if not told:
        return PRESSURES[name], UNSAID
    try:
        if name == "P2":
            return PRESSURES[name], unit_for(WATER.get(told.casefold(), told), PRESSURES[name])
        return head_or_pressure(told, air=False)
    except BadCell as bad:
        raise source.bad(f"{bad.reason}; the unit told is for pressures", found=told) from None
