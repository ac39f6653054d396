"""Excerpts of the record as plain tables, for pages and reports. Every row keeps the id of the row it came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from models.checks.gauge_days import as_judged
from models.checks.groundwater_quality import terms_at
from models.checks.quality_results import Terms
from models.checks.quality_table import plain_terms, verdict_rows
from models.checks.water_level import LEVELS, depth_below_land_ft
from models.level_status import level_status
from models.levels import land_navd88_ft, measuring_point_on
from models.levels.flags import FAIL
from models.metered_volumes import Interval, intervals
from models.observation import Flags
from models.question import stored_rows
from models.rules import GroundwaterQuality
from models.site import Gauge, Meter, RainGauge, Well
from models.standards import Standards, law_of
from pipelines import level_rows
from pipelines.level_record import LoggerLevels, logger_levels
from pipelines.recall import Recall, civil_days
from pipelines.site_folder import SiteFolder

STREAM = ("day", "value", "approval", "qualifiers", "origin", "row_id")
WATER = ("time_ms", "day", "depth_ft", "elevation_ft", "kind", "dry", "row_id")
HEADS = level_rows.HEADS


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
    """Depth to water below land and elevation above NAVD88 [ft]: ``WATER``; ``kind`` is hand, logger or daily, by time.

    A logger's readings are compensated and corrected by the steps that stand.
    """
    rows = recall.rows([well.id], LEVELS, start, end)
    parts = [pd.DataFrame(list(_hand(well, rows)), columns=list(WATER))]
    parts += [_logged(one, recall.zone) for one in logger_levels(recall, folder, well, start, end)]
    found = pd.concat([part for part in parts if len(part)]) if any(len(part) for part in parts) else parts[0]
    return found.sort_values("time_ms", ignore_index=True)


def _hand(well: Well, rows: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    for row in stored_rows(rows):
        depth = depth_below_land_ft(well, row)
        point = measuring_point_on(well, row.day)
        land = None if point is None else land_navd88_ft(well, point)
        dry = level_status(Flags.parse(row.flags)).meaning == "dry"
        elevation = np.nan if depth is None or land is None else float(land) - depth
        kind = "daily" if row.clock == "day" else "hand"
        yield row.time_ms, row.day, np.nan if depth is None else depth, elevation, kind, dry, row.row_id


def _logged(one: LoggerLevels, zone: ZoneInfo) -> pd.DataFrame:
    """Corrected readings of one sensor; those before it was hung, without air pressure, or that fail have no depth."""
    record, fails = one.corrected, one.found.flags == FAIL
    moved = any(step.kind == "clock" for step in one.steps)
    days = civil_days(pd.Series(record.time_ms), zone) if moved else one.rows["day"]
    found = pd.DataFrame(
        {
            "time_ms": record.time_ms, "day": days, "depth_ft": np.where(fails, np.nan, record.depth_ft),
            "elevation_ft": np.where(fails, np.nan, record.elevation_ft), "kind": "logger", "dry": False,
            "row_id": one.rows["row_id"],
        }
    )  # fmt: skip
    return found[one.rows["value"].notna()]


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
