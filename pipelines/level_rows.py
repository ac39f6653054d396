"""Stored readings of loggers and barologgers: of declared serials only, and every version where downloads disagree.

A logger's memory is not revised: where two downloads hold different numbers of one instant, which is right cannot be
told, and the later one to arrive is no better. Both come out as rows, whatever order they were stored in.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import pandas as pd
from sqlalchemy import ColumnElement, Select, func, select

from models.levels.pressure import head_ft
from models.site import Barologger
from pipelines import schema
from pipelines.recall import Recall, civil_days

HEADS = ("logger_pressure", "logger_level")
"""In the order in which the channels of one logger speak: what it feels, before what its maker works out from that."""
AIR = ("barometric_pressure", *HEADS)
"""A barologger of the older families stores its air as a level of water. In the order in which its channels speak."""
TEMPERATURE = "water_temperature"
SAME = 1e-6
"""Two numbers closer than this [ft of water, degC] are one."""

_KEY = ["series_id", "time_ms"]


def head_rows(recall: Recall, station: str, start: date | None, end: date | None) -> pd.DataFrame:
    """What the loggers of a well store, as `Recall.rows` gives it."""
    return _with_disputes(recall, station, HEADS, start, end)


def air_of(recall: Recall, one: Barologger, start: date, end: date) -> tuple[np.ndarray, np.ndarray]:
    """Instants in order [ms] and air [ft of water] of the declared serial; NaN where its own readings disagree."""
    rows = _with_disputes(recall, one.id, AIR, start, end)
    own = rows[serials(rows) == one.serial]
    ranked = own.assign(rank=own["parameter"].map(AIR.index), head=_heads(own))
    speaks = ranked[ranked["rank"] == ranked.groupby("time_ms")["rank"].transform("min")]
    found = _agreed(speaks["time_ms"], speaks["head"])
    return found.index.to_numpy(np.int64), found.to_numpy(np.float64)


def temperature_of(recall: Recall, station: str, serial: str, times: pd.Series, days: pd.Series) -> np.ndarray:
    """What a logger measured at these instants [degC]; NaN where nothing, or where its sensors disagree."""
    rows = recall.rows([station], [TEMPERATURE], days.min(), days.max())
    own = rows[serials(rows) == serial]
    return _agreed(own["time_ms"], own["value"]).reindex(times).to_numpy(np.float64)


def serials(rows: pd.DataFrame) -> pd.Series:
    """The serial of each row's series (serial:channel); "" where its file names none."""
    return rows["series"].map({one: one.rpartition(":")[0] for one in rows["series"].unique()})


def _heads(rows: pd.DataFrame) -> np.ndarray:
    head = np.full(len(rows), np.nan)
    for unit in rows["unit"].unique():
        held = (rows["unit"] == unit).to_numpy()
        head[held] = head_ft(rows["value"].to_numpy(np.float64)[held], str(unit))
    return head


def _agreed(times: pd.Series, values: pd.Series) -> pd.Series:
    """One value for each instant, in order; NaN where there are several that differ."""
    if times.is_unique:
        return pd.Series(values.to_numpy(np.float64), times.to_numpy()).sort_index()
    ends = values.groupby(times.to_numpy()).agg(["min", "max"])
    return ends["min"].where(ends["max"] - ends["min"] <= SAME)


def _with_disputes(
    recall: Recall, station: str, parameters: Sequence[str], start: date | None, end: date | None
) -> pd.DataFrame:  # fmt: skip
    rows = recall.rows([station], parameters, start, end)
    if rows.empty:
        return rows
    versions = _disputed(recall, rows)
    if versions.empty:
        return rows
    days = civil_days(versions["time_ms"], recall.zone)
    found = [rows]
    for known_at in sorted(set(versions["known_at"])):
        then = Recall(recall.connection, recall.zone, int(known_at))
        found.append(then.rows([station], parameters, days.min(), days.max()).merge(versions[_KEY].drop_duplicates()))
    every = pd.concat(found, ignore_index=True).dropna(subset="value").drop_duplicates([*_KEY, "value"])
    every = pd.concat([every, rows[rows["value"].isna()]])
    return every.sort_values(["time_ms", "series", "value"], ignore_index=True)


def _disputed(recall: Recall, rows: pd.DataFrame) -> pd.DataFrame:
    """Series, instant and ``known_at`` of every version of a key with several values."""
    one = schema.observation.c
    ids = [int(id) for id in rows["series_id"].unique()]
    where: list[ColumnElement[bool]] = [
        one.series_id.in_(ids),
        one.time_ms.between(int(rows["time_ms"].min()), int(rows["time_ms"].max())),
    ]
    where += [] if recall.known_at is None else [one.known_at <= recall.known_at]
    keys: Select[tuple[object, ...]] = select(one.series_id, one.time_ms).where(*where)
    several = keys.group_by(one.series_id, one.time_ms).having(func.count(one.value.distinct()) > 1).subquery()
    both = (one.series_id == several.c.series_id) & (one.time_ms == several.c.time_ms)
    versions = select(one.series_id, one.time_ms, one.known_at).join(several, both).where(*where)
    found = recall.connection.execute(versions).all()
    return pd.DataFrame([tuple(row) for row in found], columns=[*_KEY, "known_at"])
