"""Volumes from what is no totalizer: logged rates, run times of a pump of rated flow, volumes and rates as reported.

Each gives intervals as a meter does (``models.metered_volumes``). Time without a reading is not metered: its volume is
not known, and is never taken for none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from models.metered_volumes import Interval
from models.pumped_water import RatedFlow
from models.pumping_days import HOUR_MS, MS_IN_A_MINUTE, midnight_ms
from models.question import StoredRow

ONE_DAY = timedelta(days=1)


def from_rates(readings: Iterable[StoredRow], longest_step_ms: int) -> list[Interval]:
    """Instantaneous rates [gpm] weighted by time: the mean of two readings over the time between.

    Parameters
    ----------
    readings : in any order.
    longest_step_ms : two readings further apart say nothing of the time between.
    """
    rows = sorted(readings, key=lambda row: row.time_ms)
    steps = ((before, after) for before, after in pairwise(rows) if after.time_ms > before.time_ms)
    return [_between(before, after, longest_step_ms) for before, after in steps]


def _between(before: StoredRow, after: StoredRow, longest_step_ms: int) -> Interval:
    length, least = after.time_ms - before.time_ms, min(float(before.value), float(after.value))
    known, note = True, ""
    if length > longest_step_ms:
        known, note = False, f"no rate logged for {length / HOUR_MS:.1f} h"
    elif not (least >= 0 and before.value == before.value and after.value == after.value):
        known, note = False, "a logged rate without a number, or below zero"
    volume = (float(before.value) + float(after.value)) / 2 * length / MS_IN_A_MINUTE if known else None
    return Interval(before.time_ms, after.time_ms, volume, note, after.row_id)


def from_run_times(rows: Iterable[StoredRow], rated: Sequence[RatedFlow], zone: ZoneInfo) -> list[Interval]:
    """Hours a pump ran in a civil period, at its rated flow."""
    return _apart(_ran(row, rated, zone) for row in _latest(rows))


def _ran(row: StoredRow, rated: Sequence[RatedFlow], zone: ZoneInfo) -> Interval:
    end, after = midnight_ms(zone, day_after(row.day, row.clock)), day_after(row.day, row.clock)
    flows = {max(there, key=lambda one: one.since).gpm for day in (row.day, after - ONE_DAY)
             if (there := [one for one in rated if one.since <= day])}  # fmt: skip
    stated = any(one.since <= row.day for one in rated)
    if not stated or len(flows) != 1:
        why = "the rated flow changes within the period" if stated else "no rated flow is stated ([[well.rated_flow]])"
        return Interval(row.time_ms, end, None, why, row.row_id)
    if not 0 <= row.value * HOUR_MS <= end - row.time_ms:
        return Interval(row.time_ms, end, None, "a run time longer than the period, or none", row.row_id)
    return Interval(row.time_ms, end, float(row.value) * 60 * float(flows.pop()), "run time at rated flow", row.row_id)


def as_reported(rows: Iterable[StoredRow], zone: ZoneInfo) -> list[Interval]:
    """Volumes [gal], and mean rates [gpm] of whole periods, as reported."""
    return _apart(_told(row, zone) for row in _latest(rows))


def _told(row: StoredRow, zone: ZoneInfo) -> Interval:
    end = midnight_ms(zone, day_after(row.day, row.clock))
    per = (end - row.time_ms) / MS_IN_A_MINUTE if row.parameter == "pumping_rate" else 1.0
    volume = float(row.value) * per if row.value >= 0 else None
    return Interval(row.time_ms, end, volume, "as reported", row.row_id)


def _latest(rows: Iterable[StoredRow]) -> Iterable[StoredRow]:
    """The last row of a period is the one that counts."""
    return {(one.day, one.clock): one for one in rows}.values()


def _apart(found: Iterable[Interval]) -> list[Interval]:
    """Periods none over another: shorter ones stand for a longer where they fill it, else the longer for them."""
    rows = sorted(found, key=lambda one: (one.start_ms, -one.end_ms))
    kept: list[Interval] = []
    first = 0
    while first < len(rows):
        whole, after = rows[first], first + 1
        while after < len(rows) and rows[after].start_ms < whole.end_ms:
            after += 1
        parts = _apart(rows[first + 1 : after])
        filled = sum(one.end_ms - one.start_ms for one in parts) == whole.end_ms - whole.start_ms
        kept += parts if filled else [whole]
        first = after
    return kept


def day_after(day: date, clock: str) -> date:
    """The day after a civil period that begins on a day."""
    if clock == "year":
        return date(day.year + 1, 1, 1)
    return date(day.year + day.month // 12, day.month % 12 + 1, 1) if clock == "month" else day + ONE_DAY
