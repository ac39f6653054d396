"""Excerpts of the record as plain tables, for pages and reports. Every row keeps the id of the row it came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd

from models.checks.gauge_days import as_judged
from models.checks.groundwater_quality import terms_at
from models.checks.quality_results import Terms
from models.checks.quality_table import plain_terms, verdict_rows
from models.checks.water_level import LEVELS, depth_below_land_ft
from models.level_status import level_status
from models.levels import air_head_ft, depth_below_mp_ft, logger_on, measuring_point_on
from models.observation import Flags
from models.pumping import Interval, intervals
from models.question import stored_rows
from models.rules import GroundwaterQuality
from models.site import Gauge, Meter, RainGauge, Well
from models.standards import Standards, law_of
from models.units import factor
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder

STREAM = ("day", "value", "approval", "qualifiers", "origin", "row_id")
WATER = ("time_ms", "day", "depth_ft", "elevation_ft", "kind", "dry", "row_id")
HEADS = ("logger_level", "logger_pressure")
MS_IN_AN_HOUR = 3_600_000


def streamflow(recall: Recall, gauge: Gauge, start: date | None, end: date) -> pd.DataFrame:
    """Daily mean discharge [cfs] or stage [ft] as judged: ``STREAM``; value NaN where the day has none."""
    rows = [
        (
            one.day,
            np.nan if one.value is None else float(one.value),
            one.approval,
            " ".join(one.qualifiers),
            one.origin,
            one.version,
        )
        for one in as_judged(gauge, recall.daily(gauge.id, gauge.judged, start, end))
    ]
    return pd.DataFrame(rows, columns=list(STREAM))


def water_levels(recall: Recall, folder: SiteFolder, well: Well, start: date | None, end: date) -> pd.DataFrame:
    """Depth to water below land and elevation [ft] at a well: ``WATER``; ``kind`` is hand, logger or daily, by time."""
    rows = recall.rows([well.id], [*LEVELS, *HEADS], start, end)
    parts = [pd.DataFrame(list(_hand(well, rows[rows["parameter"].isin(LEVELS)])), columns=list(WATER))]
    logged = rows[rows["parameter"].isin(HEADS) & rows["value"].notna()]
    parts += [_logged(recall, folder, well, str(series), one) for series, one in logged.groupby("series")]
    found = pd.concat([part for part in parts if len(part)]) if any(len(part) for part in parts) else parts[0]
    return found.sort_values("time_ms", ignore_index=True)


def _hand(well: Well, rows: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    for row in stored_rows(rows):
        depth = depth_below_land_ft(well, row)
        point = measuring_point_on(well, row.day)
        land = None if point is None else float(point.elevation_ft) - float(point.height_above_land_ft)
        dry = level_status(Flags.parse(row.flags)).meaning == "dry"
        elevation = np.nan if depth is None or land is None else land - depth
        kind = "daily" if row.clock == "day" else "hand"
        yield row.time_ms, row.day, np.nan if depth is None else depth, elevation, kind, dry, row.row_id


def _logged(recall: Recall, folder: SiteFolder, well: Well, series: str, rows: pd.DataFrame) -> pd.DataFrame:
    """Compensated readings of one sensor; rows before it was hung, or without air pressure, carry no depth."""
    logger = logger_on(well, series.rpartition(":")[0], rows["day"].iloc[-1])
    point = measuring_point_on(well, rows["day"].iloc[-1])
    if logger is None or point is None:
        return pd.DataFrame(columns=list(WATER))
    head = rows["value"].to_numpy() * (float(factor("psi", "ftH2O")) if rows["unit"].iloc[0] == "psi" else 1.0)
    air = _air(recall, folder, logger.barologger, rows) if logger.barologger else np.zeros(len(rows))
    below_mp = depth_below_mp_ft(logger, head, air)
    depth = below_mp - float(point.height_above_land_ft)
    return pd.DataFrame(
        {
            "time_ms": rows["time_ms"], "day": rows["day"], "depth_ft": depth,
            "elevation_ft": float(point.elevation_ft) - below_mp, "kind": "logger", "dry": False,
            "row_id": rows["row_id"],
        }
    )  # fmt: skip


def _air(recall: Recall, folder: SiteFolder, barologger: str, rows: pd.DataFrame) -> np.ndarray:
    air = recall.rows([barologger], ["barometric_pressure"], rows["day"].iloc[0], rows["day"].iloc[-1])
    gap_ms = int(folder.policy.barometer_longest_gap.value * MS_IN_AN_HOUR)
    return air_head_ft(rows["time_ms"].to_numpy(), air["time_ms"].to_numpy(), air["value"].to_numpy(), gap_ms)


def results(recall: Recall, folder: SiteFolder, start: date | None, end: date) -> pd.DataFrame:
    """Every laboratory result against every standard, under the clause its well is judged by (one row each)."""
    found: list[dict[str, object]] = []
    for well in folder.site.well:
        terms = terms_for(folder, well, end)
        if terms is not None:
            verdicts, _ = verdict_rows(terms, recall.rows([well.id], terms.law.parameters, start, end))
            found += [one | {"row_id": ", ".join(one["row_ids"])} for one in verdicts]
    return pd.DataFrame(found)


def terms_for(folder: SiteFolder, well: Well, on: date, other: Standards | None = None) -> Terms | None:
    """What a well is judged by: its clause, else the ordinance's standards alone; None where it names none.

    Parameters
    ----------
    other : a set to judge by on its own words, whatever the ordinance says.
    """
    if other is not None:
        began, window = folder.site.permit.mining_began, int(folder.policy.confirmation_window.value)
        return replace(plain_terms(other), fraction=well.fraction, began=began, confirmation_window=window)
    rules = [one for one in folder.law.checks(on) if isinstance(one, GroundwaterQuality)]
    named = {"in_application": well.in_application, "private": well.use == "private", "any": True}
    rule = next((one for one in rules if named[one.wells]), None)
    if rule is None and rules:
        rule = plain_terms(law_of(rules[0].standards)).rule
    return None if rule is None else terms_at(rule, folder.site, well, folder.policy)


def pumped(recall: Recall, meter: Meter, start: date | None, end: date) -> list[Interval]:
    """Volumes between the readings of one meter."""
    return intervals(meter, stored_rows(recall.rows([meter.id], ["meter_reading"], start, end)))


def rain(recall: Recall, gauge: RainGauge, start: date | None, end: date) -> pd.DataFrame:
    """Daily precipitation [in]: ``day value row_id``."""
    return recall.rows([gauge.id], ["precipitation"], start, end)[["day", "value", "row_id"]]
