"""The year's hydrographs, from the figures every page shares; a reader without them has the tables they point to."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pandas as pd

from models.checks.base_flow import threshold
from reports.annual.record import AnnualRecord, Flow, Levels
from reports.annual.table import Figure
from reports.figures import stream_hydrograph, water_level_hydrograph

HEIGHT = 270
NOON_MS = 43_200_000
STREAM = ["day", "value", "approval", "qualifiers", "origin"]
WATER = ["time_ms", "day", "depth_ft", "elevation_ft", "kind", "dry"]


def level_figure(record: AnnualRecord, one: Levels) -> Figure:
    """Depth to water at one well through the year, the logger by its daily means."""
    spec = water_level_hydrograph(_by_day(one.readings), began=record.site.permit.mining_began, zone=record.law.zone)
    alt = f"Depth to water at {one.well.id} through {record.year}. Tables 2.1 to 2.3 give the numbers."
    return Figure(f"level-{one.well.id}", f"Water level at {one.well.id}", alt, _of_year(record, spec))


def _by_day(readings: pd.DataFrame) -> pd.DataFrame:
    """Daily means of what a logger recorded; hand readings and published days as they are."""
    logged = readings[(readings["kind"] == "logger") & readings["depth_ft"].notna()]
    means = logged.groupby("day", as_index=False).agg(time_ms=("time_ms", "min"), depth_ft=("depth_ft", "mean"))
    daily = means.assign(time_ms=means["time_ms"] + NOON_MS, elevation_ft=float("nan"), kind="logger", dry=False)
    others = readings.loc[readings["kind"] != "logger", WATER]
    parts = [part for part in (others, daily[WATER]) if len(part)]
    return pd.concat(parts).sort_values("time_ms", ignore_index=True) if parts else others


def flow_figure(record: AnnualRecord, one: Flow) -> Figure:
    """Daily flow of the year against the signed base flow."""
    days = [day for day in one.days if record.start <= day.day <= record.end]
    rows = [(day.day, _value(day.value), day.approval, " ".join(day.qualifiers), day.origin) for day in days]
    frame = pd.DataFrame(rows, columns=STREAM)
    steps = _steps(one, record) if one.signed else []
    spec = stream_hydrograph(frame, steps, began=record.site.permit.mining_began, measures=one.gauge.judged)
    alt = f"Daily mean at {one.gauge.id} through {record.year} against its base flow. Table 5.1 gives the numbers."
    return Figure(f"flow-{one.gauge.id}", f"Streamflow at {one.gauge.id}", alt, _of_year(record, spec))


def _value(value: Any) -> float:
    return float("nan") if value is None else float(value)


def _steps(one: Flow, record: AnnualRecord) -> list[tuple[date, float]]:
    """The base flow from the first of each month, from each day it moves and from each correction on."""
    by_day = threshold(one.signed)
    days = [date(record.year, 1, 1) + timedelta(days=k) for k in range(366)]
    firsts = [day for day in days if day.year == record.year and (day.day == 1 or by_day.moves(day))]
    turns = {*firsts, *(base.effective for base in one.signed if base.effective.year == record.year)}
    return [(day, float(by_day.at(day))) for day in sorted(turns) if day <= record.end]


def _of_year(record: AnnualRecord, spec: dict[str, Any]) -> dict[str, Any]:
    """The figure with the whole year on its time axis, at the height of the page."""
    axis = {**spec["layout"]["xaxis"], "range": [str(record.start), f"{record.year + 1}-01-05"], "dtick": "M1"}
    return {**spec, "layout": {**spec["layout"], "height": HEIGHT, "xaxis": {**axis, "tickformat": "%b"}}}
