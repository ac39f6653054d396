"""Daily mean depth to water of a logger's corrected record, over civil days of 23, 24 or 25 hours.

The mean is the time-weighted one of ``models.streamflow.daily_mean``. What flags do to it: a reading that fails is as
good as missing, so that its time is not covered and the day may be unknown. A suspect one counts, since a real fall
may look suspect first; the day it moves is itself suspect, and shows nothing without a hand reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from decimal import Decimal
from itertools import pairwise

import numpy as np

from models.levels.flagged import Flagged
from models.levels.flags import FAIL, GOOD, MISSING, SUSPECT, WORDS, Marks
from models.levels.hanging import midnight_ms
from models.levels.record import LevelRecord
from models.streamflow.daily_mean import DailyMean, daily_means
from models.streamflow.day_states import to_record_precision
from models.streamflow.practice import Practice


@dataclass(frozen=True)
class DailyLevel:
    """One civil day of a well's logger.

    Parameters
    ----------
    depth_ft : mean depth to water below land, rounded half up to 0.01 ft; None where it is not known.
    coverage : share of the day's actual length that readings stand for.
    hole_too_long : see ``models.streamflow.daily_mean``.
    flag : 1 good, 3 suspect, 9 missing.
    reasons : each rule that objects to readings of the day, with how many; of a missing day also why.
    n : readings that count.
    first, last : places in the record of the first and the last reading that counts; -1 where none does.
    """

    day: date
    depth_ft: Decimal | None
    coverage: Decimal
    hole_too_long: bool
    flag: int
    reasons: tuple[str, ...]
    n: int
    first: int
    last: int


def daily_levels(record: LevelRecord, found: Flagged, zone: tzinfo, practice: Practice) -> list[DailyLevel]:
    """Daily means from the first day with a reading to the last, days without one included.

    Parameters
    ----------
    practice : coverage, hole and step of a day; its stage uncertainty is how far suspect readings may move a mean.
    """
    counts = ~np.isnan(record.depth_ft) & (found.flags != FAIL)
    every = _means(record, counts, zone, practice)
    without = counts & (found.flags != SUSPECT)
    sure = {one.day: one for one in (every if (without == counts).all() else _means(record, without, zone, practice))}
    place = _Places(record, [one.day for one in every], zone)
    said, ends = place.objections(found), place.ends(counts)
    return [
        _level(one, sure.get(one.day), said[k], ends[k], practice) for k, one in enumerate(every)
    ]  # fmt: skip


def _level(
    mean: DailyMean, sure: DailyMean | None, said: Sequence[str], ends: tuple[int, int], practice: Practice
) -> DailyLevel:  # fmt: skip
    why = _why_missing(mean, practice)
    known = None if mean.mean is None or why else to_record_precision(_exact(mean.mean), "computed", "stage", practice)
    flag = MISSING if known is None else GOOD if _stands_alone(mean, sure, practice) else SUSPECT
    reasons = (*([why] if why else ()), *said)
    return DailyLevel(mean.day, known, mean.coverage, mean.hole_too_long, flag, reasons, mean.n, *ends)


def _why_missing(mean: DailyMean, practice: Practice) -> str:
    if mean.mean is None:
        return "no reading that counts"
    if mean.coverage < practice.minimum_coverage:
        return f"readings cover {mean.coverage:.0%} of the day, {practice.minimum_coverage:.0%} are needed"
    return "one hole in the day is too long" if mean.hole_too_long else ""


def _stands_alone(mean: DailyMean, sure: DailyMean | None, practice: Practice) -> bool:
    """Whether the day says the same without its suspect readings."""
    if sure is not None and sure.n == mean.n:
        return True
    if sure is None or sure.mean is None or mean.mean is None or _why_missing(sure, practice):
        return False
    return abs(_exact(sure.mean) - _exact(mean.mean)) <= practice.stage_uncertainty_ft


def _exact(mean: float) -> Decimal:
    return Decimal(repr(mean))


def _means(record: LevelRecord, counts: Marks, zone: tzinfo, practice: Practice) -> list[DailyMean]:
    """Means of the readings that count, in order of time; of several of one instant their mean.

    Those that do not count are missing values: they still say at which step the logger reads.
    """
    times, which = np.unique(record.time_ms, return_inverse=True)
    n = np.bincount(which, counts, times.size)
    with np.errstate(invalid="ignore"):
        depth = np.bincount(which, np.where(counts, record.depth_ft, 0.0), times.size) / n
    return daily_means(times, depth, zone, quantity="stage", practice=practice)


class _Places:
    """Which day each reading of a record belongs to."""

    def __init__(self, record: LevelRecord, days: Sequence[date], zone: tzinfo) -> None:
        until = [days[-1] + timedelta(days=1)] if days else []
        starts = np.array([midnight_ms(day, zone) for day in [*days, *until]], np.int64)
        self.times, self.n = record.time_ms, len(days)
        self.day = np.searchsorted(starts, record.time_ms, side="right") - 1

    def objections(self, found: Flagged) -> list[list[str]]:
        """For each day the rules that object, with how many readings."""
        said: list[list[str]] = [[] for _ in range(self.n)]
        for one in found.outcomes:
            for flag in (SUSPECT, FAIL):
                days, counts = np.unique(self.day[one.flags == flag], return_counts=True)
                for day, count in zip(days.tolist(), counts.tolist(), strict=True):
                    said[day].append(f"{one.rule}: {count} {WORDS[flag]}")
        return said

    def ends(self, counts: Marks) -> list[tuple[int, int]]:
        """For each day the places of its first and last reading that counts."""
        places = np.flatnonzero(counts)
        places = places[np.lexsort((self.times[places], self.day[places]))]
        starts = np.searchsorted(self.day[places], np.arange(self.n + 1)).tolist()
        return [(int(places[a]), int(places[b - 1])) if a < b else (-1, -1) for a, b in pairwise(starts)]
