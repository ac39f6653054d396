"""WaterML 1.1 time series, as its JSON and its XML form both hold them, to tidy rows.

Source: CUAHSI, "WaterML 1.1" (time series response), and USGS, "Instantaneous / Daily Values Service" (waterservices).
A ``values`` block is what one method (sensor) measured; its method id is the series id.

Times without an offset: where the site keeps one offset all year (``siteUsesDaylightSavingsTime`` false) that offset
is theirs; where it changes its clock they stay naive, because nothing says which offset was meant. A USGS daily value
stands at 00:00 of its civil day.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import pandas as pd

from ingest.cells import BadCell, number
from ingest.iso_times import offset_ms, resolved, stated_zone, written
from ingest.point_values import SENTINEL, Points, ReadTime, Series, Taken, measured_unit
from ingest.reading import Parts, Source
from ingest.table import in_order
from ingest.usgs_codes import STATISTICS, nwis_words, said, statistic
from models.observation import DAY_MS
from models.parameters import parameter_id

DATA_TYPES = {
    "": "instant", "Continuous": "instant", "Sporadic": "instant",
    "Average": "mean", "Maximum": "max", "Minimum": "min", "Incremental": "sum",
}  # fmt: skip
"""CUAHSI ``dataType`` of a variable that states no statistic code; a running total is none of ours."""


@dataclass(frozen=True)
class Site:
    """Where: ``zone`` is the offset of standard time as stated, ``summer`` whether the site keeps summer time."""

    id: str
    name: str = ""
    zone: str = ""
    summer: bool = False


@dataclass(frozen=True)
class Variable:
    """What: ``usgs`` says whether ``code`` is a USGS parameter code."""

    code: str
    name: str
    usgs: bool
    unit: str
    statistic: str = ""
    data_type: str = ""
    no_data: str = ""


class Value(NamedTuple):
    """One value as written; ``method``, ``utc`` and ``censor`` are CUAHSI's and blank in USGS answers."""

    text: str
    time: str
    qualifiers: str
    method: str = ""
    utc: str = ""
    censor: str = ""


@dataclass
class Block:
    """What one method measured."""

    method: str
    description: str
    values: list[Value]


@dataclass(frozen=True)
class TimeSeries:
    """One ``timeSeries`` of either form."""

    name: str
    site: Site
    variable: Variable
    blocks: list[Block]


@dataclass
class _Answer(Taken):
    facts: dict[str, str] = field(default_factory=dict)
    row: int = 0


def parse_series(source: Source, series: Sequence[TimeSeries], facts: dict[str, str]) -> Parts:
    """Every point of every block; a series without points is named in the facts (``empty``)."""
    answer = _Answer(facts=dict(facts))
    empty = [name for one in series for name in _empty(one)]
    if empty or not series:
        answer.facts["empty"] = "; ".join(empty) or "the answer holds no time series"
    for one in series:
        for block in one.blocks:
            _take(source, one, block, answer)
        answer.facts |= {f"site {one.site.id}": one.site.name} if one.site.name else {}
    zone = stated_zone(value.time for one in series for block in one.blocks for value in block.values)
    observations = answer.observations()
    answer.facts |= _left_naive(observations)
    return Parts(observations, in_order(answer.rejects), answer.facts, zone)


def _empty(series: TimeSeries) -> list[str]:
    """The series where nothing of it has a value, else the methods without one."""
    methods = [block.method for block in series.blocks if not block.values]
    if len(methods) == len(series.blocks):
        return [series.name]
    return [f"{series.name} method {method}" for method in methods]


def _left_naive(observations: pd.DataFrame) -> dict[str, str]:
    stations = observations["station"][observations["clock"] == "naive"].unique()
    return {f"zone {one}": "times without an offset where the clock changes: left naive" for one in stations}


def _take(source: Source, series: TimeSeries, block: Block, answer: _Answer) -> None:
    if block.description:
        answer.facts[f"method {block.method}".strip()] = block.description
    for method, points in _by_method(block, answer.row).items():
        answer.take(source, points, series.name, partial(_key, series, method), _timing(series), _no_data(series))
    answer.row += len(block.values)


def _by_method(block: Block, before: int) -> dict[str, Points]:
    found: dict[str, Points] = {}
    for row, value in enumerate(block.values, before + 1):
        text = f"<{value.text}" if value.censor.casefold() == "lt" and value.text[:1] != "<" else value.text
        time = f"{value.utc.removesuffix('Z')}Z" if value.utc else value.time
        points = found.setdefault(value.method or block.method, Points())
        points.add(row, time, text, said(nwis_words(value.qualifiers)).text())
    return found


def _key(series: TimeSeries, method: str) -> Series:
    """What the series measures, in tidy words.

    Raises
    ------
    BadCell : a unit or statistic that is not kept.
    """
    variable = series.variable
    parameter = parameter_id("usgs", variable.code) if variable.usgs else parameter_id("name", variable.name)
    return Series(series.site.id, parameter, _statistic(variable), method, measured_unit(variable.unit, parameter))


def _statistic(variable: Variable) -> str:
    if variable.statistic:
        return statistic(variable.statistic)
    try:
        return DATA_TYPES[variable.data_type]
    except KeyError:
        raise BadCell(f"a data type that is not kept: {variable.data_type}", "dataType") from None


def _timing(series: TimeSeries) -> ReadTime:
    zone = "" if series.site.summer else series.site.zone
    daily = series.variable.usgs and STATISTICS.get(series.variable.statistic) != "instant"
    return partial(_time, daily=daily, zone=zone)


def _time(text: str, daily: bool, zone: str) -> tuple[int, str]:
    time = written(text)
    if daily and time.clock == "naive" and time.wall_ms % DAY_MS == 0:
        return time.wall_ms, "day"
    return resolved(time, offset_ms(zone) if zone else None)


def _no_data(series: TimeSeries) -> float:
    try:
        return number(series.variable.no_data)
    except BadCell:
        return SENTINEL
