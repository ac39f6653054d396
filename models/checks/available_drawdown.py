"""The water above a pump intake: what there is of it, what there was before mining, and the share that is used up.

    a = intake - depth                    share = (depth - depth0) / (intake - depth0)

with depth0 the season's low end before mining, or the deepest reading; all depths below land [ft].
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from models.checks.level_band import DECIMALS, WaterTable
from models.policy import Policy
from models.site import Well


@dataclass(frozen=True)
class Available:
    """Water above the intake now and before mining [ft], and the share of that used up [-]; None where not known."""

    ft: float | None
    baseline_ft: float | None
    share_used: float | None


def available(well: Well, table: WaterTable, day: date, depth_ft: float | None) -> Available | None:
    """Available drawdown with water at a depth on a day; None where no intake is known."""
    if well.pump_intake_ft is None:
        return None
    intake, before = float(well.pump_intake_ft), _before_ft(table, day)
    room = None if before is None else max(intake - before, 0.0)
    if depth_ft is None:
        return Available(None, room, None)
    share = (depth_ft - before) / room if before is not None and room else None
    return Available(max(intake - depth_ft, 0.0), room, share)


def is_short(policy: Policy, well: Well, table: WaterTable, day: date, depth_ft: float) -> bool:
    """Whether a level uses up at least the share of the available drawdown that puts a well at risk."""
    found = available(well, table, day, depth_ft)
    if found is None or found.share_used is None:
        return False
    return round(found.share_used - float(policy.at_risk_share.value), DECIMALS) >= 0


def _before_ft(table: WaterTable, day: date) -> float | None:
    season = table.season(day)
    return table.deepest_ft if season is None else season.low_water_ft
