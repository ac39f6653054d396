"""Van Essen Diver .MON files (``vanessen-diver``), as Diver-Office writes them.

The unit of a channel stands in its reference level (``=400.0     cm``). The header writes start and end as
``SS:MM:HH DD/MM/YY``. The clock is in the zone that the instrument's line states (``Instrument number =UTC+1``); where
it states none, times stay naive.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, Log, observations
from ingest.loggers.clock import Times, order_of, times, zone_text
from ingest.loggers.datalogger_text import CLOCK, DAY, Head, declared, head_of, is_one, records
from ingest.loggers.diver_words import channel, facts, offset
from ingest.loggers.solinst_words import shortfall
from ingest.reading import Parts, Source
from ingest.table import in_order

_UNIT = re.compile(r"[-+0-9.,]+\s+(\S.*)")


def sniff(head: str) -> bool:
    return is_one(head) and "[Logger settings]" in head and re.search(r"^\[Data\]", head, re.M | re.I) is not None


def parse(source: Source) -> Parts:
    """Every channel of every record.

    Raises
    ------
    BadFile : no records, no channel, no such offset from UTC, or dates whose order nobody can tell.
    """
    head = head_of(source)
    if not head.data_row or not head.channels:
        raise source.bad("no channel, or no [Data]")
    channels, refused = _channels(head)
    table, misfits = records(source, head, [f"ch{number}" for number in head.channels], len(channels))
    ahead = offset(source, head)
    order = order_of(source, DAY, table.rows, table.cells[DAY])
    at = times(DAY, table.cells[DAY], table.cells[CLOCK], order, ahead)
    frame, rejects = observations(source, Log(head.keys.get("location", ""), table.rows, at, table.cells), channels)
    unknown = [source.reject(head.data_row, *one, len(table.rows)) for one in refused]
    said = facts(head, ends(at, ahead)) | shortfall(declared(source, head), len(table.rows))
    return Parts(frame, in_order((*unknown, *misfits, *rejects)), said, zone_text(ahead))


def ends(at: Times, ahead: int | None) -> tuple[int, int] | None:
    """Wall clock of the first and the last record [ms]."""
    if not len(at.raw) or at.read.bad[0] or at.read.bad[-1]:
        return None
    return int(at.read.values[0]) + (ahead or 0), int(at.read.values[-1]) + (ahead or 0)


def _channels(head: Head) -> tuple[list[Channel], list[tuple[str, str, str]]]:
    channels: list[Channel] = []
    refused: list[tuple[str, str, str]] = []
    for number, keys in head.channels.items():
        label, spelling = keys.get("identification", ""), _unit(keys)
        try:
            channels.append(channel(head, f"ch{number}", number, label, spelling))
        except BadCell as bad:
            refused.append((f"ch{number}", f"{label} [{spelling}]", bad.reason))
    return channels, refused


def _unit(keys: Mapping[str, str]) -> str:
    match = _UNIT.fullmatch(keys.get("reference level", "")) or _UNIT.fullmatch(keys.get("range", ""))
    return match[1].strip() if match else ""
