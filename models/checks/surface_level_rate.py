"""How often a water met the same rule before mining: beside every lowering (shortfall semantics, decision 28)."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import numpy as np

from models.base_level import BaseLevel
from models.checks.surface_level_reference import NONE, Reference
from models.finding import Evidence
from models.rules import SurfaceLevelRule
from models.streamflow.day_states import DailyFlow
from models.streamflow.low_flow import WHOLE_YEAR_DAYS
from models.streamflow.natural_rate import DAYS_PER_YEAR, NaturalRate, natural_rate
from models.streamflow.practice import Practice
from models.streamflow.stage_reference import ReferenceStage

ONE_DAY = timedelta(days=1)


def natural_rate_before_mining(rule: SurfaceLevelRule, by: Reference, on: date, practice: Practice) -> NaturalRate:
    """How often the same rule was met: under the base level in force on a day, or each year by the others' band."""
    record, version = by.baseline.stage, by.version_on(on)
    known = {
        record.first + k * ONE_DAY: Decimal(repr(float(value)))
        for k, value in enumerate(record.values)
        if np.isfinite(value)
    }

    def at(day: date) -> Decimal:
        band = by.baseline.band(day, without=day.year)
        return NONE if band is None else band.low_ft

    compared = {} if version else {day: at(day) for day in known}
    days = [DailyFlow(day, value if version or compared[day].is_finite() else None) for day, value in known.items()]
    return natural_rate(
        days,
        version.threshold() if version else ReferenceStage((), by_day=compared),
        operator=rule.operator,
        more_than_days=rule.more_than_days,
        quantity="stage",
        practice=practice,
    )


def told(found: NaturalRate, version: BaseLevel | None) -> Evidence:
    """The rate in words, per year where a whole year is known."""
    if found.per_year is None:
        return Evidence("natural rate", "no baseline record at this gauge: its natural rate is unknown", "silent")
    times = "once" if found.triggers == 1 else f"{found.triggers} times"
    whole = found.years * DAYS_PER_YEAR >= WHOLE_YEAR_DAYS
    rate = f"{found.per_year:.1f} per year" if whole else "too few for a rate per year"
    each = "" if version else ", each year against the others"
    says = f"in the baseline record at this gauge the same rule was met {times} in {found.years} years{each} ({rate})"
    return Evidence("natural rate", says, "context")
