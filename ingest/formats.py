"""Every format that is read, and the one way in: ``read(path)``."""

from __future__ import annotations

from pathlib import Path

from ingest import (
    hand_levels,
    hobo,
    lab_grn,
    monthly_volumes,
    noaa_daily,
    owner_log,
    plain_series,
    rdb,
    solinst_xle,
    totalizer,
)
from ingest.decoding import MAX_BYTES, load
from ingest.reading import Format, Reading, Source
from models.errors import BadFile

HEAD = 200_000  # characters a format may look at to know its own

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        Format("nwis-rdb-uv", rdb.sniff_uv, rdb.parse_uv),
        Format("nwis-rdb-dv", rdb.sniff_dv, rdb.parse_dv),
        Format("solinst-xle", solinst_xle.sniff, solinst_xle.parse),
        Format("hobo-csv", hobo.sniff, hobo.parse),
        Format("hand-levels", hand_levels.sniff, hand_levels.parse),
        Format("owner-log", owner_log.sniff, owner_log.parse),
        Format("totalizer", totalizer.sniff, totalizer.parse),
        Format("wi-monthly-volumes", monthly_volumes.sniff, monthly_volumes.parse),
        Format("noaa-cdo-daily", noaa_daily.sniff, noaa_daily.parse),
        Format("wdnr-grn", lab_grn.sniff, lab_grn.parse),
        Format("date-value", plain_series.sniff, plain_series.parse),
    )
}


def read(path: Path, *, format: str | None = None, max_bytes: int = MAX_BYTES) -> Reading:
    """Read one file of any known format.

    Parameters
    ----------
    format : a key of ``FORMATS``; None to recognise it by content.
    max_bytes : larger files are refused.

    Raises
    ------
    BadFile : nothing of the file could be taken; one line naming it.
    """
    source = load(path, max_bytes)
    chosen = _detected(source) if format is None else _named(format, source)
    parts = chosen.parse(source)
    return Reading(
        file=source.file,
        format=chosen.name,
        sha256=source.sha256,
        timezone=parts.timezone,
        datum=parts.datum,
        observations=parts.observations,
        rejects=parts.rejects,
        facts={**parts.facts, "encoding": source.encoding},
        tables=parts.tables,
    )


def _detected(source: Source) -> Format:
    head = source.text[:HEAD]
    for one in FORMATS.values():
        if one.sniff(head):
            return one
    raise BadFile("unknown format: nothing in the file says what wrote it", file=source.file, allowed=FORMATS)


def _named(name: str, source: Source) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise BadFile("unknown format", file=source.file, found=name, allowed=FORMATS) from None
