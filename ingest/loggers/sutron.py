"""Sutron gauge logs (``sutron-log``): no header; ``sensor,MM/DD/YYYY,HH:MM:SS,value,quality``, sensors by turns.

Station, units and zone are not in the file. A rain gauge logs a running counter: the rain of an interval is the
difference of two readings, so the readings are never added up. ``Precip`` is taken as that counter where it never
falls; else it stays ``name:Precip``. A quality other than Good stays a qualifier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from ingest.cells import BadCell, number
from ingest.headings import parameter_of
from ingest.loggers.channels import UNSAID, Channel, Log, observations, unit_for
from ingest.loggers.clock import order_of, times
from ingest.loggers.grid import Grid, grid
from ingest.reading import Parts, Source, stacked
from ingest.table import in_order
from models.observation import Flags
from models.parameters import find_parameter

SENSOR, DAY, CLOCK, VALUE, QUALITY = "sensor", "date", "time", "value", "quality"
COLUMNS = (SENSOR, DAY, CLOCK, VALUE, QUALITY)
RAIN, COUNTER = "precip", "precipitation_counter"
GOOD = "good"
MOST_SENSORS = 100

_ROW = re.compile(r"[A-Za-z][\w .-]{0,30},[0-9]{1,2}/[0-9]{1,2}/[0-9]{4},[0-9]{1,2}:[0-9]{2}:[0-9]{2},[-0-9.]+,\w*")


def sniff(head: str) -> bool:
    lines = [line for line in head.split("\n", 4)[:3] if line]
    return bool(lines) and all(_ROW.fullmatch(line.strip()) for line in lines)


def parse(source: Source) -> Parts:
    """Every sensor's readings, a series each.

    Raises
    ------
    BadFile : more sensors than any gauge has, or dates whose order nobody can tell.
    """
    table, rejects = grid(source, COLUMNS, 0, ",", 1)
    order = order_of(source, DAY, table.rows, table.cells[DAY])
    sensors = list(dict.fromkeys(table.cells[SENSOR]))
    if len(sensors) > MOST_SENSORS:
        raise source.bad(f"more than {MOST_SENSORS} sensors")
    at = np.array(table.cells[SENSOR], dtype=object)
    frames: list[pd.DataFrame] = []
    for sensor in sensors:
        one = _part(table, np.flatnonzero(at == sensor).tolist())
        log = Log(
            source.told.station,
            one.rows,
            times(DAY, one.cells[DAY], one.cells[CLOCK], order),
            one.cells,
            {VALUE: [_flags(text) for text in one.cells[QUALITY]]},
        )
        frame, refused = observations(source, log, [_channel(source, sensor, one.cells[VALUE])], number)
        frames.append(frame)
        rejects += refused
    return Parts(stacked(frames), in_order(rejects), _facts(source, frames))


def _part(table: Grid, places: Sequence[int]) -> Grid:
    return Grid(
        [table.rows[place] for place in places],
        {name: [cells[place] for place in places] for name, cells in table.cells.items()},
    )


def _channel(source: Source, sensor: str, values: Sequence[str]) -> Channel:
    rain = sensor.casefold().startswith(RAIN)
    id = (COUNTER if is_counter(values) else f"name:{sensor}") if rain else parameter_of(sensor)
    return Channel(VALUE, sensor, id, _unit(source, id))


def _unit(source: Source, id: str) -> str:
    """The unit told, for the sensor it was told of; two sensors of one log are hardly in one unit."""
    told = source.told
    meant = parameter_of(told.parameter) if told.parameter else "stage"
    if not told.unit or id != meant or find_parameter("name", id) is None:
        return UNSAID
    try:
        return unit_for(told.unit, id)
    except BadCell as bad:
        raise source.bad(bad.reason, found=told.unit) from None


def is_counter(values: Sequence[str]) -> bool:
    """Whether readings never fall, from one above nothing: amounts would fall wherever a shower ends."""
    read = np.array([_or_nan(text) for text in values])
    read = read[~np.isnan(read)]
    return bool(len(read) > 1 and read[0] > 0 and (np.diff(read) >= 0).all())


def _or_nan(text: str) -> float:
    try:
        return number(text)
    except BadCell:
        return float("nan")


def _flags(quality: str) -> str:
    word = quality.strip()
    good = word.casefold() in {"", GOOD}
    return (Flags(facts={"quality": word}) if good else Flags(qualifiers=(word,))).text()


def _facts(source: Source, frames: Sequence[pd.DataFrame]) -> dict[str, str]:
    counters = any((frame["parameter"] == COUNTER).any() for frame in frames)
    facts = {} if source.told.unit else {"unit": "the file states none; say which with --unit"}
    return facts | ({"precipitation": "a running counter, not amounts"} if counters else {})
