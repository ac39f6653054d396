"""Recessions of a discharge record: runs of falling flow after the storm has passed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.daily_record import DailyRecord, Marks, Numbers


@dataclass(frozen=True)
class RecessionRule:
    """Which falling days are a recession.

    Parameters
    ----------
    drop_days : days after the peak that are left out: surface runoff and interflow (customary 2 to 5) [d].
    shortest_days : days a recession has at least after that (customary 5 to 10) [d].
    ceiling_cfs : only flow at or below this counts, as the median flow to look at base flow alone [cfs].
    """

    drop_days: int = 3
    shortest_days: int = 5
    ceiling_cfs: float | None = None


RULE = RecessionRule()


@dataclass(frozen=True, eq=False)
class Recessions:
    """Recessions and their pairs of successive days.

    Parameters
    ----------
    strips : flows of each recession, falling, all above 0 [cfs].
    """

    strips: tuple[Numbers, ...]

    @property
    def first(self) -> Numbers:
        """Flow of the earlier day of every pair [cfs]."""
        return np.concatenate([np.empty(0), *(one[:-1] for one in self.strips)])

    @property
    def second(self) -> Numbers:
        """Flow of the day after it [cfs]."""
        return np.concatenate([np.empty(0), *(one[1:] for one in self.strips)])


def recessions(record: DailyRecord, rule: RecessionRule = RULE, *, usable: ArrayLike | None = None) -> Recessions:
    """Every recession of a record: strictly falling, positive, without the days after its peak.

    Parameters
    ----------
    record : daily flow. An unknown day, a day of no flow and a day of equal flow end a recession.
    rule : what is left out.
    usable : bool[n], False on days of rain, melt or ice; None takes every day. An ice day carries no recession.

    Raises
    ------
    BadQuestion : marks of another length, a negative number of days, a recession of fewer than two days.
    """
    allowed = _marks(record, rule, usable)
    flow = np.where(allowed & (record.flow > 0), record.flow, np.nan)
    falls = np.append(flow[1:] < flow[:-1], False)
    edges = np.diff(np.concatenate([[False], falls, [False]]).astype(np.int8))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    runs = (flow[peak + 1 + rule.drop_days : last + 1] for peak, last in zip(starts, stops, strict=True))
    strips = (_below(run, rule.ceiling_cfs) for run in runs)
    return Recessions(tuple(one for one in strips if one.size >= rule.shortest_days))


def _below(run: Numbers, ceiling_cfs: float | None) -> Numbers:
    return run if ceiling_cfs is None else run[run <= ceiling_cfs]


def _marks(record: DailyRecord, rule: RecessionRule, usable: ArrayLike | None) -> Marks:
    if rule.drop_days < 0 or rule.shortest_days < 2:
        raise BadQuestion("not a recession", key="rule", found=rule, allowed=["drop_days 0+", "shortest_days 2+"])
    marks = np.ones(record.flow.size, np.bool_) if usable is None else np.asarray(usable, np.bool_)
    if marks.shape != record.flow.shape:
        raise BadQuestion("marks differ in length", key="usable", found=marks.shape, allowed=[record.flow.shape])
    return marks
