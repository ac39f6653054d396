"""Solinst .lev files (``solinst-lev``): text of Levelogger software 3 and older.

What the header of the data says of a channel counts: the instrument's own block may call a thermometer LEVEL. Times
are naive. Reference and altitude are stated in the facts, and already in the readings.
"""

from __future__ import annotations

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, Log, observations
from ingest.loggers.clock import order_of, times, written_day
from ingest.loggers.datalogger_text import CLOCK, DAY, Head, declared, head_of, is_one, records, serial_of
from ingest.loggers.solinst_words import channel, is_air, shortfall
from ingest.reading import Parts, Source
from ingest.table import in_order

FACTS = {
    "location": "location",
    "instrument number": "project",
    "instrument type": "instrument",
    "created by": "software",
    "start time": "start",
    "stop time": "stop",
}
SETTINGS = ("reference", "altitude", "offset")


def sniff(head: str) -> bool:
    return is_one(head) and "[Instrument info" in head


def parse(source: Source) -> Parts:
    """Every channel of every record, in the unit that the data's header states.

    Raises
    ------
    BadFile : no records, no channel, or dates whose order nobody can tell.
    """
    head = head_of(source)
    if not head.data_row or not head.channels:
        raise source.bad("no channel, or no [Data]")
    channels, refused = _channels(head)
    table, misfits = records(source, head, [f"ch{number}" for number in head.channels], len(channels))
    order = order_of(source, DAY, table.rows, table.cells[DAY], written_day(head.keys.get("start time", "")))
    at = times(DAY, table.cells[DAY], table.cells[CLOCK], order)
    frame, rejects = observations(source, Log(head.keys.get("location", ""), table.rows, at, table.cells), channels)
    unknown = [source.reject(head.data_row, *one, len(table.rows)) for one in refused]
    facts = _facts(head) | shortfall(declared(source, head), len(table.rows))
    return Parts(frame, in_order((*unknown, *misfits, *rejects)), facts)


def _channels(head: Head) -> tuple[list[Channel], list[tuple[str, str, str]]]:
    channels: list[Channel] = []
    refused: list[tuple[str, str, str]] = []
    serial = serial_of(head.keys.get("serial number", ""))
    labels = (keys.get("identification", "") for keys in head.channels.values())
    air = is_air(head.keys.get("instrument type", ""), labels)
    for number, keys in head.channels.items():
        label, spelling = keys.get("identification", ""), keys.get("unit", "")
        try:
            channels.append(channel(f"ch{number}", number, label, spelling, serial, air))
        except BadCell as bad:
            refused.append((f"ch{number}", f"{label} [{spelling}]", bad.reason))
    return channels, refused


def _facts(head: Head) -> dict[str, str]:
    facts = {"serial": serial_of(head.keys.get("serial number", ""))}
    facts |= {name: head.keys.get(key, "") for key, name in FACTS.items()}
    for keys in head.channels.values():
        label = keys.get("identification", "").casefold()
        facts |= {f"{label}_{name}": " ".join(keys[name].split()) for name in SETTINGS if keys.get(name)}
    return {name: text for name, text in facts.items() if text}
