"""In-Situ VuSitu and HydroVu logs, as html (``insitu-vusitu-html``) and as the csv of the same report.

Groups of properties (``Location Name = …``, ``Time Offset = -06:00:00``), then a table: ``Date Time``, a column for
each sensor named ``Pressure (psi) (123456)``, and ``Marked``. The clock of the table is that of the stated offset from
UTC. In html every part is marked by attributes (``isi-label``, ``isi-data-table``, ``isi-data-row``); a reading marked
with a quality keeps it as a qualifier. Source: In-Situ, "HTML parsing guide". No file of either was at hand: written
from that guide and from public readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, Log, observations
from ingest.loggers.clock import offset_of, order_of, parted, times, zone_text
from ingest.loggers.grid import Grid
from ingest.loggers.insitu_words import NAME, channel, is_air
from ingest.loggers.solinst_words import shortfall
from ingest.reading import Parts, Source
from ingest.table import in_order
from models.observation import Reject

TIME, MARKED, OFFSET = "Date Time", "Marked", "time offset"
FACTS = {
    "location name": "location", "device model": "instrument", "device sn": "serial", "device name": "device_name",
    "start time": "start", "readings": "logs_declared", "time offset": "time_offset", "created": "created",
}  # fmt: skip
REFERENCES = ("level", "specific gravity", "pressure offset", "depth offset", "reference")


@dataclass(frozen=True)
class Report:
    """A report taken apart: properties by label in lower case, column names, the row they stand in, and the table."""

    properties: Mapping[str, str]
    columns: Sequence[str]
    row: int


def channels_of(source: Source, report: Report) -> tuple[list[Channel], list[Reject]]:
    """The columns that are read, and a reject for each that is not."""
    channels: list[Channel] = []
    rejects: list[Reject] = []
    for column in report.columns[1:]:
        if column == MARKED:
            continue
        try:
            channels.append(_channel(source, report, column, len(channels) + 1))
        except BadCell as bad:
            rejects.append(source.reject(report.row, column, column, bad.reason))
    return channels, rejects


def parts(
    source: Source,
    report: Report,
    channels: Sequence[Channel],
    table: Grid,
    rejects: Sequence[Reject],
    flags: Mapping[str, Sequence[str]],
) -> Parts:
    """A report's table as tidy rows.

    Parameters
    ----------
    rejects : of columns (with one row each: it becomes all of them) and of records that do not fit.
    flags : by column, what stands beside its readings.

    Raises
    ------
    BadFile : an offset that no clock has, or dates whose order nobody can tell.
    """
    facts = _facts(report.properties)
    ahead = _offset(source, report.properties)
    time = report.columns[0]
    days, clocks = parted(table.cells[time])
    at = times(time, days, clocks, order_of(source, time, table.rows, days), ahead)
    frame, refused = observations(source, Log(facts.get("location", ""), table.rows, at, table.cells, flags), channels)
    unread = [replace(one, rows=len(table.rows)) if one.column in report.columns else one for one in rejects]
    facts |= shortfall(facts.get("logs_declared", ""), len(table.rows))
    return Parts(frame, in_order((*unread, *refused)), facts, zone_text(ahead))


def _channel(source: Source, report: Report, column: str, number: int) -> Channel:
    match = NAME.fullmatch(column)
    label, unit, own = (match["label"], match["unit"], match["serial"]) if match else (column, "", None)
    serial = own or report.properties.get("device sn", "")
    air = is_air(report.properties.get("device model", ""))
    return channel(column, label, unit, f"{serial}:{number}", air, source.told)


def _offset(source: Source, properties: Mapping[str, str]) -> int | None:
    text = properties.get(OFFSET, "")
    try:
        return offset_of(text) if text else None
    except BadCell as bad:
        raise source.bad(bad.reason, found=text) from None


def _facts(properties: Mapping[str, str]) -> dict[str, str]:
    named = {FACTS[name]: text for name, text in properties.items() if name in FACTS and text}
    levels = {name.replace(" ", "_"): text for name, text in properties.items() if name.startswith(REFERENCES) and text}
    return levels | named
