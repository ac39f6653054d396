"""Divers as the Flemish institute INBO exports them from its data base (``inbo-diver-csv``).

A reading a row: pressure as centimetres of water (``DRME_DRU``) and temperature (``DRME_TPU``, degC) with decimal
commas; neither unit is in the file. The column of times is called UTC, and each time carries an offset, the same in
summer and winter: the written offset counts. A point of the region BAO and of kind L hangs in the air.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ingest.cells import BadCell, Column, read_column
from ingest.loggers.channels import Channel, Log, observations
from ingest.loggers.clock import Times, day_of, offset_of, order_of, time_of_day, zone_text
from ingest.loggers.grid import Grid, grid, names, split
from ingest.reading import DateOrder, Parts, Source
from ingest.table import in_order
from models.observation import TIDY, Flags, tidy

POINT, SERIAL, TIME, PRESSURE, WARMTH = "PPNT_CDE", "DRSO_SER_NBR", "DRME_OCR_UTC_DTE", "DRME_DRU", "DRME_TPU"
CODES = {"DRME_DMTP_CDE": "type", "DRME_DMST_CDE": "state"}
"""Codes beside a reading, kept as facts."""

IN_AIR = {"logger_pressure": "barometric_pressure", "water_temperature": "air_temperature"}

_AIR = re.compile(r"BAOL\w*", re.IGNORECASE)
_MOMENT = re.compile(r"(\S+) +([0-9:.,]+) *([-+][0-9:]+|Z)?")


def sniff(head: str) -> bool:
    header = set(split(head.split("\n", 1)[0], ","))
    return {POINT, SERIAL, TIME, PRESSURE} <= header


def parse(source: Source) -> Parts:
    """Pressure [cmH2O] and temperature [degC] of every row.

    Raises
    ------
    BadFile : not this header, or dates whose order nobody can tell.
    """
    columns = names(source, split(source.text.split("\n", 1)[0], ","), 1)
    missing = [name for name in (POINT, SERIAL, TIME, PRESSURE, WARMTH) if name not in columns]
    if missing:
        raise source.bad(f"the header lacks {', '.join(missing)}")
    table, rejects = grid(source, columns, 1, ",", 2)
    order = order_of(source, TIME, table.rows, [text.partition(" ")[0] for text in table.cells[TIME]])
    channels = [
        Channel(PRESSURE, "1", "logger_pressure", "cmH2O"),
        Channel(WARMTH, "2", "water_temperature", "degC"),
    ]
    codes = dict.fromkeys((PRESSURE, WARMTH), _flags(table))
    log = Log("", table.rows, _times(table.cells[TIME], order), table.cells, codes)
    frame, refused = observations(source, log, channels)
    return Parts(_placed(frame, table), in_order((*rejects, *refused)), _facts(table), _zone(table))


def _placed(frame: pd.DataFrame, table: Grid) -> pd.DataFrame:
    """Each reading at the point and under the logger of its own row; a point in the air measures the air."""
    places = np.searchsorted(np.asarray(table.rows), frame["row"].to_numpy())
    points = np.array(table.cells[POINT], dtype=object)[places]
    serials = np.array(table.cells[SERIAL], dtype=object)[places]
    parameters = [
        IN_AIR[parameter] if _AIR.fullmatch(point) else parameter
        for parameter, point in zip(frame["parameter"], points, strict=True)
    ]
    series = [f"{serial}:{number}" for serial, number in zip(serials, frame["series"], strict=True)]
    return tidy({**{name: frame[name] for name in TIDY}, "station": points, "parameter": parameters, "series": series})


def _flags(table: Grid) -> list[str]:
    codes = [(CODES[name], table.cells[name]) for name in CODES if name in table.cells]
    return [Flags(facts={fact: cells[place] for fact, cells in codes}).text() for place in range(len(table.rows))]


def _times(texts: Sequence[str], order: DateOrder) -> Times:
    read = read_column(texts, lambda text: _instant(text, order), np.int64, 0)
    return Times(TIME, texts, Column(read.values, read.reasons), "utc")


def _instant(text: str, order: DateOrder) -> int:
    match = _MOMENT.fullmatch(text)
    if match is None or match[3] is None:
        raise BadCell("not a date, a time and an offset from UTC")
    ahead = 0 if match[3] == "Z" else offset_of(match[3])
    return day_of(match[1], order) + time_of_day(match[2]) - ahead


def _facts(table: Grid) -> dict[str, str]:
    serials = list(dict.fromkeys(table.cells[SERIAL]))
    offsets = sorted(_offsets(table))
    return {
        "serial": ", ".join(serials[:20]),
        "clock": f"the column is called UTC and its times carry {', '.join(offsets[:4])}, which counts",
        "unit": "pressure is taken as cm of water and temperature as degC; the file states no unit",
    }


def _offsets(table: Grid) -> set[str]:
    matches = (_MOMENT.fullmatch(text) for text in dict.fromkeys(table.cells[TIME]))
    return {match[3] for match in matches if match is not None and match[3]}


def _zone(table: Grid) -> str | None:
    """The offset of all times, where they carry one and the same."""
    found = _offsets(table)
    try:
        return zone_text(offset_of(next(iter(found)))) if len(found) == 1 and "Z" not in found else None
    except BadCell:
        return None
