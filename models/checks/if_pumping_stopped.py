"""What if it stops today: when a modelled drawdown or depletion would have fallen below stated amounts.

Every pump stops at the last reading of the meters, so that the dates move with the metered pumping and not with the
calendar: a night without a reading says the same as the night before. They are no part of what a finding is amended
for. Low and high are the extremes over the corners of the aquifer's stated range, each with its own peak.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import numpy as np

from models import pumping
from models.aquifer.admissible import Numbers
from models.aquifer.falling_below import LAST_D, SINCE_STOP_D, falls_below_d
from models.finding import Evidence
from models.observation import DAY_MS
from models.policy import Threshold
from models.pumping import Interval, Metered, Response
from models.question import Question

LINE = "if pumping stopped"
FACT = "if_pumping_stopped"


@dataclass(frozen=True)
class Stopped:
    """What is left after every pump stopped.

    Parameters
    ----------
    stop_day : the instant [days since 1970]; ``on`` is the civil day it falls in or ends.
    left : float64[corner, k], the best estimate first, at `SINCE_STOP_D` after it; in the unit of the response.
    rows : the last reading of every meter.
    """

    stop_day: float
    on: date
    left: Numbers
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Recovery:
    """When what is left falls below one amount for good; None: not within a hundred years.

    ``amount`` in words: "0.1 ft", "a tenth of its peak". ``already``: the best estimate is nowhere above it.
    """

    amount: str
    best: date | None
    low: date | None
    high: date | None
    already: bool


@dataclass(frozen=True)
class IfStopped:
    """A modelled number after every pump stopped at the end of ``on``: its largest value from then on, and recovery."""

    of: str
    unit: str
    on: date
    peak: tuple[float, float, float]
    recoveries: tuple[Recovery, ...]
    rows: tuple[str, ...]

    def says(self) -> str:
        """One plain sentence."""
        told = " and below ".join(_told(one) for one in self.recoveries)
        return f"if pumping stopped on {self.on} the modelled {self.of} would fall below {told}"

    def facts(self) -> dict[str, Any]:
        """Plain data: ISO dates, null where it takes more than a hundred years; numbers to three figures."""
        best, low, high = (float(f"{one:.3g}") for one in self.peak)
        below = [
            {"amount": one.amount, "best": _iso(one.best), "low": _iso(one.low), "high": _iso(one.high)}
            for one in self.recoveries
        ]
        peak = {"best": best, "low": low, "high": high, "unit": self.unit}
        return {FACT: {"on": self.on.isoformat(), "of": self.of, "peak": peak, "below": below}}


def drawdown(question: Question, until: date, response: Response, pumped: Metered) -> IfStopped | None:
    """A drawdown [ft] if every pump stopped at the last reading before ``until``; None where no meter was read.

    ``pumped``: as metered up to ``until``.
    """
    return _judged(question, until, response, "drawdown", question.policy.recovered_drawdown, pumped)


def depletion(question: Question, until: date, response: Response) -> IfStopped | None:
    """A depletion [cfs] if every pump stopped at the last reading before ``until``; None where no meter was read."""
    pumped = pumping.metered(question, until)
    return _judged(question, until, response, "depletion", question.policy.recovered_depletion, pumped)


def evidence_of(stopped: IfStopped | None) -> tuple[Evidence, ...]:
    """The line of evidence, if anything was modelled."""
    return () if stopped is None else (Evidence(LINE, stopped.says(), "context", stopped.rows),)


def facts_of(stopped: IfStopped | None) -> dict[str, Any]:
    """The facts, if anything was modelled."""
    return {} if stopped is None else stopped.facts()


def _judged(
    question: Question, until: date, response: Response, of: str, amount: Threshold, pumped: Metered
) -> IfStopped | None:
    stopped = _stopped(question, until, response, pumped)
    if stopped is None:
        return None
    peaks, share = stopped.left.max(axis=1), float(question.policy.recovered_share.value)
    recoveries = (
        _recovery(question, stopped, np.full(peaks.shape, float(amount.value)), f"{amount.value} {amount.unit}"),
        _recovery(question, stopped, share * peaks, f"{100 * share:g} % of its peak"),
    )
    peak = (float(peaks[0]), float(peaks.min()), float(peaks.max()))
    return IfStopped(of, amount.unit, stopped.on, peak, recoveries, stopped.rows)


def _stopped(question: Question, until: date, response: Response, pumped: Metered) -> Stopped | None:
    """Every pump off at the last reading before ``until``."""
    aquifer = question.site.aquifer
    if aquifer is None or not pumped:
        return None
    stop = min(pumping.read_until(pumped), pumping.midnight_day(question, until))
    at = stop + SINCE_STOP_D
    left = pumping.totals_of(question, _until(pumped, stop), pumping.corners(aquifer), at, response)
    return Stopped(stop, pumping.last_civil_day(question, stop), left, pumping.last_rows(pumped))


def _until(pumped: Metered, stop_day: float) -> Metered:
    """The same with every pump off from an instant on."""
    stop_ms = round(stop_day * DAY_MS)
    return [(meter, [_cut(one, stop_ms) for one in found if one.start_ms < stop_ms]) for meter, found in pumped]


def _cut(one: Interval, stop_ms: int) -> Interval:
    if one.end_ms <= stop_ms or one.volume_gal is None:
        return replace(one, end_ms=min(one.end_ms, stop_ms))
    share = (stop_ms - one.start_ms) / (one.end_ms - one.start_ms)
    return replace(one, end_ms=stop_ms, volume_gal=one.volume_gal * share)


def _recovery(question: Question, stopped: Stopped, amounts: Numbers, words: str) -> Recovery:
    if not (amounts > 0).all():  # nothing was pumped: nothing is left of it
        return Recovery(words, stopped.on, stopped.on, stopped.on, True)
    days = falls_below_d(SINCE_STOP_D, stopped.left, amounts)
    best, low, high = (_date(question, stopped, one) for one in (days[0], days.min(), days.max()))
    return Recovery(words, best, low, high, float(days[0]) == 0)


def _date(question: Question, stopped: Stopped, since_d: float) -> date | None:
    if since_d > LAST_D:
        return None
    if since_d == 0:
        return stopped.on
    instant_s = (stopped.stop_day + float(since_d)) * DAY_MS / 1000
    return datetime.fromtimestamp(instant_s, question.zone).date()


def _told(one: Recovery) -> str:
    """An amount, and when."""
    if one.already and one.low == one.high:
        return f"{one.amount} at once, where it is already"
    ends = f"range {_day(one.low)} to {_day(one.high)}"
    if one.best is None:
        return f"{one.amount} only after a hundred years ({ends})"
    return f"{one.amount} {'at once' if one.already else f'about {one.best}'} ({ends})"


def _day(day: date | None) -> str:
    return "more than a hundred years on" if day is None else day.isoformat()


def _iso(day: date | None) -> str | None:
    return None if day is None else day.isoformat()
