"""What a Van Essen Diver's channels and header lines mean, in .MON and in csv.

A Diver's pressure is absolute, of water and air, as a column of water: 1 cmH2O = 98.0665 Pa. A Baro-Diver's is the
air's. ``Water head`` is a column that somebody compensated. ``Reference level`` and ``Range`` describe the sensor.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from ingest.cells import BadCell
from ingest.loggers.channels import Channel, unit_for
from ingest.loggers.clock import offset_of
from ingest.loggers.datalogger_text import Head, serial_of
from ingest.reading import Source

FACTS = {"location": "location", "instrument type": "instrument", "created by": "software"}
ENDS = {"start date / time": "start", "end date / time": "end"}
WATER = {"cm": "cmH2O", "m": "mH2O", "ft": "ftH2O"}
"""The pressure that a length means in a channel named PRESSURE."""
READ = ("PRESSURE", "WATER HEAD", "TEMPERATURE")

_ZONE = re.compile(r"UTC\s*([-+]\s*[0-9]{1,2}(?::?[0-9]{2})?)?", re.IGNORECASE)
_REVERSED = re.compile(r"([0-9]{2}):([0-9]{2}):([0-9]{2}) ([0-9]{2})/([0-9]{2})/([0-9]{2})")


def channel(head: Head, column: str, number: int, label: str, spelling: str) -> Channel:
    """One channel.

    Raises
    ------
    BadCell : a channel or a unit that is not read.
    """
    name = " ".join(label.casefold().split())
    series = f"{serial_of(head.keys.get('serial number', ''))}:{number}"
    air = "baro" in head.keys.get("instrument type", "").casefold()
    if name == "pressure":
        found = "barometric_pressure" if air else "logger_pressure"
        spelling = WATER.get(spelling.casefold(), spelling)
    elif name in {"water head", "water level", "head"}:
        found, spelling = "logger_level", spelling.casefold().removesuffix("h2o")
    elif name == "temperature":
        found = "air_temperature" if air else "water_temperature"
    else:
        raise BadCell(f"a channel that is not read; read are: {', '.join(READ)}")
    return Channel(column, series, found, unit_for(spelling, found))


def offset(source: Source, head: Head) -> int | None:
    """Offset of the clock from UTC [ms], which stands in the instrument's line (``UTC+1``); None where it does not.

    Raises
    ------
    BadFile : no offset that a clock can have.
    """
    match = _ZONE.fullmatch(head.keys.get("instrument number", "").strip())
    if match is None:
        return None
    try:
        return offset_of((match[1] or "+0").replace(" ", ""))
    except BadCell as bad:
        raise source.bad(bad.reason, found=match[0]) from None


def facts(head: Head, ends_ms: tuple[int, int] | None) -> dict[str, str]:
    """What the header says of the instrument; start and end put right where they agree with the records.

    Parameters
    ----------
    ends_ms : wall clock of the first and the last record; None where there is none.
    """
    found = {"serial": serial_of(head.keys.get("serial number", ""))}
    found |= {name: head.keys.get(key, "") for key, name in FACTS.items()}
    number = head.keys.get("instrument number", "")
    found |= {"instrument_number": number} if _ZONE.fullmatch(number.strip()) is None else {}
    written = {name: head.keys.get(key, "") for key, name in ENDS.items()}
    return {name: text for name, text in (found | _ends(written, ends_ms)).items() if text}


def _ends(written: dict[str, str], ends_ms: tuple[int, int] | None) -> dict[str, str]:
    """``00:00:16 14/10/09`` is 16:00:00 of the 14th: seconds come first, which the records tell."""
    read = {name: _from_behind(text) for name, text in written.items()}
    said = ends_ms and tuple(datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S") for ms in ends_ms)
    if said and tuple(read.values()) == said:
        return read | {"header_times": "written SS:MM:HH DD/MM/YY; they agree with the records"}
    return written


def _from_behind(text: str) -> str:
    match = _REVERSED.fullmatch(" ".join(text.split()))
    if match is None:
        return ""
    second, minute, hour, day, month, year = match.groups()
    return f"20{year}-{month}-{day}T{hour}:{minute}:{second}"
