"""Volumes from what is no totalizer: logged rates, run times of a pump of rated flow, volumes and rates as reported.

Each gives intervals as a meter does (``models.metered_volumes``). Time without a reading is not metered: its volume is
not known, and is never taken for none. Reports of one time that contradict each other are not chosen between: its
volume is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import groupby, pairwise
from zoneinfo import ZoneInfo

from models.metered_volumes import Interval
from models.pumped_water import RatedFlow
from models.pumping_days import HOUR_MS, MS_IN_A_MINUTE, midnight_ms
from models.question import StoredRow

ONE_DAY = timedelta(days=1)
CONTRADICT = "reports contradict each other"
WHATEVER = 1.0
"""As a share of the larger: nothing that is told twice contradicts itself."""


def from_rates(readings: Iterable[StoredRow], longest_step_ms: int) -> list[Interval]:
    """Instantaneous rates [gpm] weighted by time: the mean of two readings over the time between.

    Parameters
    ----------
    readings : in any order.
    longest_step_ms : two readings further apart say nothing of the time between.
    """
    rows = groupby(sorted(readings, key=lambda row: row.time_ms), key=lambda row: row.time_ms)
    every = (list(same) for _, same in rows)
    return [_between(before, after, longest_step_ms) for before, after in pairwise(every)]


def _between(before: Sequence[StoredRow], after: Sequence[StoredRow], longest_step_ms: int) -> Interval:
    """From one instant to the next, each with what was logged for it."""
    length = after[-1].time_ms - before[-1].time_ms
    rates = [{float(one.value) for one in same} for same in (before, after)]
    known, note = True, ""
    if length > longest_step_ms:
        known, note = False, f"no rate logged for {length / HOUR_MS:.1f} h"
    elif not all(rate >= 0 for same in rates for rate in same):
        known, note = False, "a logged rate without a number, or below zero"
    elif max(map(len, rates)) > 1:
        known, note = False, "rates logged for one instant differ"
    volume = sum(map(sum, rates)) / 2 * length / MS_IN_A_MINUTE if known else None
    return Interval(before[-1].time_ms, after[-1].time_ms, volume, note, after[-1].row_id)


def from_run_times(
    rows: Iterable[StoredRow], rated: Sequence[RatedFlow], zone: ZoneInfo, agree: float = WHATEVER
) -> list[Interval]:
    """Hours a pump ran in a civil period, at its rated flow; ``agree`` as in `as_reported`."""
    return _apart(_once((_ran(row, rated, zone) for row in rows), agree), agree)


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


def as_reported(rows: Iterable[StoredRow], zone: ZoneInfo, agree: float = WHATEVER) -> list[Interval]:
    """Volumes [gal], and mean rates [gpm] of whole periods, as reported.

    Parameters
    ----------
    rows : in any order; of a period told twice the last counts.
    agree : by what share of the larger a period and its parts, or a period told twice, may differ. Where they differ
        by more, the volume of that time is not known, and the note says what each tells.
    """
    return _apart(_once((_told(row, zone) for row in rows), agree), agree)


def _told(row: StoredRow, zone: ZoneInfo) -> Interval:
    end = midnight_ms(zone, day_after(row.day, row.clock))
    per = (end - row.time_ms) / MS_IN_A_MINUTE if row.parameter == "pumping_rate" else 1.0
    volume = float(row.value) * per if row.value >= 0 else None
    return Interval(row.time_ms, end, volume, "as reported", row.row_id)


def _once(found: Iterable[Interval], agree: float) -> Iterator[Interval]:
    """Each period once."""
    every = sorted(found, key=lambda one: (one.start_ms, one.end_ms))
    for _, same in groupby(every, key=lambda one: (one.start_ms, one.end_ms)):
        told = list(same)
        known = [one for one in told if one.volume_gal is not None] or told
        volumes = sorted(one.volume_gal or 0.0 for one in known)
        yield _not_known(known[-1], volumes[0], volumes[-1]) if _differ(volumes[0], volumes[-1], agree) else known[-1]


def _apart(found: Iterable[Interval], agree: float) -> list[Interval]:
    """Periods none over another: shorter ones stand for a longer where they fill it, else the longer for them."""
    rows = sorted(found, key=lambda one: (one.start_ms, -one.end_ms))
    kept: list[Interval] = []
    first = 0
    while first < len(rows):
        whole, after = rows[first], first + 1
        while after < len(rows) and rows[after].start_ms < whole.end_ms:
            after += 1
        kept += _of_whole(whole, _apart(rows[first + 1 : after], agree), agree)
        first = after
    return kept


def _of_whole(whole: Interval, parts: list[Interval], agree: float) -> list[Interval]:
    """A period, or its parts for it; where they contradict each other neither, and nobody knows its volume."""
    length, known = _time(whole), [one for one in parts if one.volume_gal is not None]
    filled = sum(_time(one) for one in parts if one.volume_gal is not None or _doubted(one)) == length
    if whole.volume_gal is None:
        return parts if filled and not _doubted(whole) else [whole]
    volume = sum(one.volume_gal or 0.0 for one in known)
    all_told = sum(map(_time, known)) == length or volume > whole.volume_gal
    if all_told and _differ(volume, whole.volume_gal, agree):
        return [_not_known(whole, whole.volume_gal, volume)]
    return parts if filled else [whole]


def _time(one: Interval) -> int:
    return one.end_ms - one.start_ms


def _doubted(one: Interval) -> bool:
    return one.note.startswith(CONTRADICT)


def _differ(one: float, other: float, agree: float) -> bool:
    return abs(one - other) > agree * max(one, other)


def _not_known(one: Interval, *told: float) -> Interval:
    said = " and ".join(f"{volume:,.0f} gal" for volume in told)
    note = f"{CONTRADICT}: {said} of the same time"
    return replace(one, volume_gal=None, note=note, told_gal=(min(told), max(told)))


def day_after(day: date, clock: str) -> date:
    """The day after a civil period that begins on a day."""
    if clock == "year":
        return date(day.year + 1, 1, 1)
    return date(day.year + day.month // 12, day.month % 12 + 1, 1) if clock == "month" else day + ONE_DAY
