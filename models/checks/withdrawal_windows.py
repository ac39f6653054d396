"""Any so many days in a row against an amount, when only the volume between two readings is known.

A run of days is attained where its least volume is at the limit, possible where its most is. A volume read over many
days attains somewhere, whatever its spread, where it is too much for all runs that cover it to stay under the limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

import numpy as np

from models.checks.withdrawal_sources import Group
from models.verdict import Verdict
from models.volume_bounds import PARTS, Instants, Marks, Volumes, parts_of


@dataclass(frozen=True)
class Amount:
    """A limit of so many gallons a day, over runs of so many days; ``over``: attained above it, else at it."""

    gal_per_day: Decimal
    days: int
    over: bool

    def words(self) -> str:
        each = "gal/day" if self.days == 1 else f"gal/day, average of {self.days} days"
        return f"{'more than' if self.over else 'at or above'} {self.gal_per_day:,f} {each}"

    def reached(self, parts: Instants, runs: Instants | int = 1) -> Marks:
        """Whether volumes are at the limit; ``runs``: in that many runs together, so that one of them is."""
        limit = parts_of(self.gal_per_day * self.days) * np.asarray(runs)
        return np.asarray(parts > limit if self.over else parts >= limit, np.bool_)


@dataclass(frozen=True)
class Run:
    """One run of days and its volume [gal] at least, evenly spread, at most (None: not bounded)."""

    first: date
    last: date
    start_ms: int
    end_ms: int
    low: float
    even: float
    high: float | None

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def per_day(self, gallons: float) -> float:
        return gallons / ((self.last - self.first).days + 1)


@dataclass(frozen=True)
class Judgement:
    """What all runs say: the verdict, the run it came to be in, the largest run, and how sure it is.

    ``certain`` is "run" where one run is attained by itself, "spread" where a long interval is too much for its days
    however it is spread, "" else. ``at``: the run attained first, else the first that is possible, else the largest.
    """

    verdict: Verdict
    at: Run
    largest: Run
    certain: str


def judged(group: Group, edges: Instants, first: date, amount: Amount) -> Judgement | None:
    """Judge every run of days; None where there are fewer days than one run."""
    count = len(edges) - amount.days
    if count < 1:
        return None
    runs = group.within(edges[:count], edges[amount.days :])
    attained, possible = amount.reached(runs.low), runs.open | amount.reached(runs.high)
    largest = _run(runs, edges, first, amount.days, int(np.argmax(runs.even)))
    if attained.any():
        return Judgement("attained", _run(runs, edges, first, amount.days, int(np.argmax(attained))), largest, "run")
    spread = _somewhere(group, edges, first, amount)
    if spread is not None:
        return Judgement("attained", spread, largest, "spread")
    if possible.any():
        at = _run(runs, edges, first, amount.days, _tell(runs, amount, possible))
        return Judgement("indeterminate", at, largest, "")
    return Judgement("not_attained", largest, largest, "")


def largest_run(group: Group, edges: Instants, first: date, days: int) -> tuple[Run, float] | None:
    """The run of days with the largest volume when spread evenly, and the most that any run can have held [gal]."""
    span, count = group.known_span(), len(edges) - days
    if span is None or count < 1:
        return None
    runs = group.within(edges[:count], edges[days:])
    whole = (edges[:count] >= span[0]) & (edges[days:] <= span[1])
    if not whole.any():
        return None
    number = int(np.argmax(np.where(whole, runs.even, -1.0)))
    most = np.inf if runs.open[whole].any() else float(runs.high[whole].max() / PARTS)
    return _run(runs, edges, first, days, number), most


def _tell(runs: Volumes, amount: Amount, possible: Marks) -> int:
    """Of the possible runs the first that reaches the limit when spread evenly, else the first of all."""
    evenly = possible & amount.reached(np.floor(runs.even).astype(np.int64))
    return int(np.argmax(evenly if evenly.any() else possible))


def _somewhere(group: Group, edges: Instants, first: date, amount: Amount) -> Run | None:
    """The first interval too full for the runs of days that cover it."""
    bounds = [_days_of(one.starts, one.ends, edges) for one in group.records if one.found]
    if not bounds or len(edges) - 1 < amount.days:
        return None
    start, end = (np.concatenate(parts) for parts in zip(*bounds, strict=True))
    long = end - start > amount.days
    start, end = start[long], end[long]
    held = group.within(edges[start], edges[end])
    full = np.flatnonzero(amount.reached(held.low, -(-(end - start) // amount.days)))
    if not full.size:
        return None
    number = int(full[np.argmin(start[full])])
    return _spanned(held, edges, first, int(start[number]), int(end[number]), number)


def _days_of(starts: Instants, ends: Instants, edges: Instants) -> tuple[Instants, Instants]:
    """The days an interval touches, from the first to the one after the last; none outside the days judged."""
    first = np.searchsorted(edges, starts, "right") - 1
    last = np.searchsorted(edges, ends, "left")
    inside = (first >= 0) & (last < len(edges))
    return first[inside], last[inside]


def _run(runs: Volumes, edges: Instants, first: date, days: int, number: int) -> Run:
    return _spanned(runs, edges, first, number, number + days, number)


def _spanned(runs: Volumes, edges: Instants, first: date, start: int, end: int, number: int) -> Run:
    return Run(
        first + timedelta(days=start), first + timedelta(days=end - 1), int(edges[start]), int(edges[end]),
        float(runs.low[number] / PARTS), float(runs.even[number] / PARTS),
        None if runs.open[number] else float(runs.high[number] / PARTS),
    )  # fmt: skip
