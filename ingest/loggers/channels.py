"""Channels, times and cells of a log as tidy rows, column by column, and one reject for each cell that is not taken.

A channel is what its maker names it, in a unit that measures that. Nothing is guessed: whether a pressure sensor is
vented, which datum an elevation stands on, what a person's own column name means. What could be several things stays
``name:…`` under its own name, in its own unit, until somebody says (``Told.parameter``); no rule is judged by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from ingest.cells import SENTINELS, BadCell, Column, dotted, number, read_column
from ingest.cells import unit as measured_in
from ingest.loggers.clock import Times
from ingest.reading import Source, Told, stacked
from ingest.times import HOUR_MS
from models.errors import BadUnit
from models.observation import Flags, Reject, tidy
from models.parameters import parameter, parameter_id, parameters
from models.units import unit_id

Array = np.ndarray[Any, Any]

UNSAID = "1"
"""Unit of a number for which neither the file nor a person says one (``ingest.canonical.NO_UNIT``)."""
BACK = "back_h"
"""Fact of a reading stamped before an earlier one of its file: by how much [h]."""

_DEGREES = re.compile(r"[^A-Za-z0-9]{0,8}(?:deg\.?\s*)?([CF])", re.IGNORECASE)


@dataclass(frozen=True)
class Channel:
    """One column of a log, and what it measures."""

    column: str
    series: str
    parameter: str
    unit: str
    statistic: str = "instant"


@dataclass(frozen=True)
class Log:
    """A log as columns of text.

    Parameters
    ----------
    flags : by column, what stands beside its cells: one text of ``Flags`` a record; a column without is not in it.
    failed : numbers that the maker writes where a sensor gives no reading, beside those of ``cells.SENTINELS``.
    every : whether each record must hold each channel; else a blank cell is a channel that was not read then.
    """

    station: str
    rows: Sequence[int]
    times: Times
    cells: Mapping[str, Sequence[str]]
    flags: Mapping[str, Sequence[str]] = field(default_factory=dict)
    failed: frozenset[float] = field(default_factory=frozenset)
    every: bool = False


def degrees(spelling: str) -> str:
    """``°C`` and whatever an encoding made of it (``Â°C``, ``�C``, ``¡C``), ``*C``, ``Deg C``: degC; others stay."""
    match = _DEGREES.fullmatch(spelling.strip())
    return f"deg{match[1].upper()}" if match else spelling.strip()


def unit_for(spelling: str, id: str) -> str:
    """The unit id of a spelling that measures a parameter of the vocabulary.

    Raises
    ------
    BadCell : not stated, unknown, or of another quantity.
    """
    if not spelling.strip():
        raise BadCell("no unit stated")
    return measured_in(degrees(spelling), parameter(id).canonical_unit)


def head_or_pressure(spelling: str, air: bool) -> tuple[str, str]:
    """What a channel of a pressure sensor holds, by its unit: a height of water, or a pressure (of the air, or of all).

    Raises
    ------
    BadCell : neither a length nor a pressure.
    """
    try:
        return "logger_level", unit_for(spelling, "logger_level")
    except BadCell:
        pressure = "barometric_pressure" if air else "logger_pressure"
        return pressure, unit_for(spelling, pressure)


def open_parameter(label: str, spelling: str, told: Told) -> tuple[str, str]:
    """A column whose name could mean several things: what was told, else its own name; and its unit.

    ``Depth to Water`` is not the vocabulary's ``depth_to_water``, which is below the land surface: a label never names
    a parameter here.

    Raises
    ------
    BadCell : the unit does not measure what was told.
    """
    id = parameter_id("name", told.parameter) if told.parameter else f"name:{label}"
    if id in parameters():
        return id, unit_for(spelling or told.unit, id) if spelling or told.unit else UNSAID
    try:
        return id, unit_id(degrees(spelling)) if spelling else UNSAID
    except BadUnit:
        return id, degrees(spelling)


def decimal(text: str) -> float:
    """A number with a decimal point or a decimal comma."""
    return number(dotted(text))


def observations(
    source: Source, log: Log, channels: Sequence[Channel], read: Callable[[str], float] = decimal
) -> tuple[pd.DataFrame, list[Reject]]:
    """Every channel of every record, channel after channel."""
    frames, rejects = [], _untimed(source, log, channels)
    for channel in channels:
        frame, refused = _frame(source, log, channel, read)
        frames.append(frame)
        rejects += refused
    return stacked(frames), rejects


def _untimed(source: Source, log: Log, channels: Sequence[Channel]) -> list[Reject]:
    """A record without a time costs every value in it."""
    times = log.times
    return [
        source.reject(log.rows[place], times.column, times.raw[place], times.read.reasons[place], lost)
        for place in times.read.bad_places()
        for lost in [sum(log.every or log.cells[one.column][place] != "" for one in channels)]
    ]


def _frame(
    source: Source, log: Log, channel: Channel, read: Callable[[str], float]
) -> tuple[pd.DataFrame, list[Reject]]:
    written = [dotted(text) for text in log.cells[channel.column]]
    texts = np.array(written, dtype=object)
    values = read_column(written, read, np.float64, np.nan)
    there = np.full(len(texts), True) if log.every else np.asarray(texts != "", dtype=bool)
    timed = ~log.times.read.bad & there
    keep = timed & ~values.bad
    refused = [
        source.reject(log.rows[place], channel.column, texts[place], values.reasons[place])
        for place in values.bad_places(timed)
    ]
    return _tidy(log, channel, texts, values, keep), refused


def _tidy(log: Log, channel: Channel, texts: Array, values: Column, keep: Array) -> pd.DataFrame:
    missing = np.isin(values.values, [*SENTINELS, *log.failed])
    return tidy(
        {
            "station": log.station,
            "parameter": channel.parameter,
            "statistic": channel.statistic,
            "series": channel.series,
            "time_ms": log.times.read.values[keep],
            "clock": log.times.clock,
            "value": np.where(missing, np.nan, values.values)[keep],
            "value_text": np.where(missing, "", texts)[keep],
            "unit": channel.unit,
            "flags": _flags(log.flags.get(channel.column, ()), texts, missing, _behind_h(log.times))[keep],
            "row": np.asarray(log.rows, dtype=np.int64)[keep],
        }
    )


def _behind_h(times: Times) -> Array:
    """How far each record is stamped before an earlier one [h]; 0 throughout a log that is written backwards.

    A naive clock is put back by an hour in autumn, and that is no disorder.
    """
    at = np.where(times.read.bad, np.iinfo(np.int64).min, times.read.values)
    steps = np.diff(at[~times.read.bad])
    if not (steps < 0).any() or (steps <= 0).all():
        return np.zeros(at.shape)
    behind = np.where(times.read.bad, 0, np.maximum.accumulate(at) - at) / HOUR_MS
    return np.where(behind > (0 if times.clock == "utc" else 1), behind, 0.0)


def _flags(beside: Sequence[str], texts: Array, missing: Array, behind_h: Array) -> Array:
    """What stands beside each record; a number that says there is no reading is kept as a qualifier.

    ``BACK``: how far it is stamped before an earlier record [h].
    """
    flags = np.array(beside or [""] * len(texts), dtype=object)
    for place in np.flatnonzero(missing):
        flags[place] = Flags.parse(flags[place]).with_words((texts[place],)).text()
    for place in np.flatnonzero(behind_h):
        one = Flags.parse(flags[place])
        flags[place] = Flags(one.approval, one.qualifiers, {**one.facts, BACK: f"{behind_h[place]:.4g}"}).text()
    return flags
