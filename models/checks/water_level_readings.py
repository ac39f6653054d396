"""What each observation at a private well says of the clause's two limbs: the drop, and the household's water.

Of the supply speak a level at the pump intake or a dry hole (hand reading), the owner's log, and the pump's starts per
hour where they are counted: one hour over the limit is a sign, since a pressure tank without air does the same; a whole
day over it, so many starts an hour over all its hours, is a pump that does not supply continuously. Symptoms of an
owner's log (low pressure, air in the line) have many causes: they count beside a low level only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal

from models.checks.available_drawdown import is_short
from models.checks.level_band import DECIMALS, Drop, WaterTable
from models.checks.water_level_tables import Tables
from models.checks.well_levels import depth_below_land_ft, level_rows
from models.level_status import LevelStatus, level_status
from models.observation import Flags
from models.policy import Policy
from models.question import Question, StoredRow, stored_rows
from models.site import Well

OWNER_LOG = "pump_status"
PUMP_STARTS = "pump_starts"
"""Starts of a well's pump in an hour [1/h]."""
HOUR_MS, HOURS = 3_600_000, 24
HAND, PUBLISHED, OWNER, PUMP = "hand reading", "published level", "owner's log", "pump starts"
AT_THE_WELL = {HAND, PUBLISHED}

Says = Literal["impact", "sign", "symptom", "restored", "level", "table", "silent"]
"""``impact``: the well could not supply. ``sign``: that it may not. ``table``: a level of the monitoring well that
stands for it, which says nothing of the supply."""
OWNER_SAYS: Mapping[str, Says] = {
    "no water": "impact", "runs dry": "impact", "short cycling": "sign", "low pressure": "symptom",
    "air in line": "symptom", "water restored": "restored",
}  # fmt: skip
ADVERSE: frozenset[Says] = frozenset({"impact", "sign", "symptom"})


@dataclass(frozen=True)
class Reading:
    """One observation. ``depth_ft``: the level it states, or for a dry hole its bottom, below which it stands.

    ``dry``: it is that of a dry hole. ``short``: water stands above the pump intake, and so much of what there was is
    gone that the well is at risk.
    """

    day: date
    says: Says
    line: str
    text: str
    row: str
    depth_ft: float | None = None
    table: WaterTable | None = None
    short: bool = False
    dry: bool = False

    @cached_property
    def drop(self) -> Drop | None:
        """Its level against the water table before mining."""
        return None if self.depth_ft is None or self.table is None else self.table.judge(self.day, self.depth_ft)

    @property
    def low(self) -> bool:
        """Whether it states a level below the baseline, for whatever reason."""
        return self.drop is not None and self.drop.status in {"shown", "unknown", "shared"}


def readings(question: Question, well: Well, tables: Tables) -> list[Reading]:
    """Observations since mining began at a well and at the one that stands for it, in order of time."""
    own = [row for row in level_rows(question).get(well.id, ()) if row.day >= question.began]
    found = [(row.time_ms, 0, _level(question.policy, well, tables.own, row)) for row in own]
    if tables.stand_in is not None:
        near, table = tables.stand_in
        there = [row for row in level_rows(question).get(near.id, ()) if row.day >= question.began]
        found += [(row.time_ms, 1, _table(near, table, row)) for row in there]
    said = _supply_rows(question).get(well.id, ())
    starts = _starts_by_day(said)
    found += [(row.time_ms, 2, _said(question.policy, row, starts)) for row in said]
    return [one for _, _, one in sorted(found, key=lambda each: (each[0], each[1], each[2].text))]


def is_at_intake(policy: Policy, well: Well, depth_ft: float) -> bool:
    """Whether water stands at or below the pump intake, or so little above it that the pump is taken to fail."""
    if well.pump_intake_ft is None:
        return False
    return round(depth_ft - float(well.pump_intake_ft - policy.intake_submergence.value), DECIMALS) >= 0


def _supply_rows(question: Question) -> Mapping[str, list[StoredRow]]:
    """Rows of owners' logs and of counted pump starts since mining began, by well; read once a night."""

    def work() -> dict[str, list[StoredRow]]:
        wells = [one.id for one in question.site.wells("private")]
        rows = question.observations.rows(wells, [OWNER_LOG, PUMP_STARTS], question.began, question.on)
        return _by_well(stored_rows(rows))

    return question.once(("supply_rows",), work)


def _by_well(rows: Iterable[StoredRow]) -> dict[str, list[StoredRow]]:
    found: dict[str, list[StoredRow]] = {}
    for row in rows:
        found.setdefault(row.station, []).append(row)
    return found


def _starts_by_day(rows: Iterable[StoredRow]) -> dict[date, float]:
    """Starts of the pump on each civil day: of its counted hours together, or as counted over the day."""
    hours: dict[tuple[date, bool, int], float] = {}
    for row in rows:
        if row.parameter == PUMP_STARTS and row.value == row.value:
            whole = row.clock == "day"
            key = row.day, whole, row.time_ms // HOUR_MS
            hours[key] = max(row.value * (HOURS if whole else 1), hours.get(key, 0.0))
    found: dict[date, float] = {}
    for day, whole in dict.fromkeys(key[:2] for key in hours):
        total = sum(starts for key, starts in hours.items() if key[:2] == (day, whole))
        found[day] = max(total, found.get(day, 0.0))
    return found


def _said(policy: Policy, row: StoredRow, starts: Mapping[date, float]) -> Reading:
    if row.parameter == OWNER_LOG:
        told = OWNER_SAYS.get(row.value_text, "silent")
        return Reading(row.day, told, OWNER, f"{row.day} owner's log: {row.value_text}", row.row_id)
    limit, day = float(policy.pump_starts.value), starts.get(row.day, 0.0)
    all_day = round(day - HOURS * limit, DECIMALS) > 0
    text = f"{row.day} pump starts: {row.value:.4g} an hour, limit {policy.pump_starts.says()}; {day:.4g} that day"
    says: Says = "silent" if not row.value > limit else "impact" if all_day else "sign"
    return Reading(row.day, says, PUMP, text, row.row_id)


def _level(policy: Policy, well: Well, table: WaterTable, row: StoredRow) -> Reading:
    depth, status = depth_below_land_ft(well, row), _status(row)
    line = PUBLISHED if row.clock == "day" else HAND
    if status.meaning == "dry":
        bottom = _bottom(well)
        below = "the bottom" if bottom is None else f"{bottom:.1f} ft"
        text = f"{row.day} {line}: dry, water below {below}"
        return Reading(row.day, "impact", line, text, row.row_id, bottom, table, dry=True)
    words = f" ({status.words})" if status.words else ""
    if depth is None:
        says: Says = "restored" if status.meaning == "flowing" else "silent"
        return Reading(row.day, says, line, f"{row.day} {line}: no depth{words}", row.row_id)
    text = f"{row.day} {line}: {depth:.2f} ft below land{words}"
    if is_at_intake(policy, well, depth):
        return Reading(row.day, "impact", line, text + _intake_words(policy, well), row.row_id, depth, table)
    short = is_short(policy, well, table, row.day, depth)
    return Reading(row.day, "level", line, text, row.row_id, depth, table, short)


def _intake_words(policy: Policy, well: Well) -> str:
    over = policy.intake_submergence
    return f", at or below the pump intake at {well.pump_intake_ft} ft" + (f" less {over.says()}" if over.value else "")


def _table(near: Well, table: WaterTable, row: StoredRow) -> Reading:
    """A level of the monitoring well that stands for a private one."""
    line, status = f"monitoring well {near.id}, which stands for it", _status(row)
    dry = status.meaning == "dry"
    depth = _bottom(near) if dry else depth_below_land_ft(near, row)
    if depth is None:
        return Reading(row.day, "silent", line, f"{row.day} at {near.id}: no depth", row.row_id)
    says = f"dry, water below {depth:.1f} ft" if dry else f"{depth:.2f} ft below land"
    return Reading(row.day, "table", line, f"{row.day} at {near.id}: {says}", row.row_id, depth, table, dry=dry)


def _bottom(well: Well) -> float | None:
    return None if well.depth_ft is None else float(well.depth_ft)


def _status(row: StoredRow) -> LevelStatus:
    return level_status(Flags.parse(row.flags))
