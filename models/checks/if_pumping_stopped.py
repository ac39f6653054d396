"""What if it stops today: when a modelled drawdown or depletion would have fallen below stated amounts.

Every pump stops at the last reading of the meters, so that the dates move with the metered pumping and not with the
calendar: a night without a reading says the same as the night before. They are no part of what a finding is amended
for. Low and high are the extremes over the aquifer's stated range; every set of values has its own peak, the largest
of all times, before the stop or after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import numpy as np

from models import pumping
from models.aquifer.admissible import Numbers
from models.aquifer.extremes import Extremes, Values, extremes
from models.aquifer.recovery_date import SINCE_STOP_D, falls_below_d, peak_of, while_pumped_d
from models.finding import Evidence
from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.policy import Threshold
from models.pumping import Answer, Metered, Response
from models.question import Question
from models.site import Aquifer

LINE = "if pumping stopped"
FACT = "if_pumping_stopped"
LAST_D = 36_525.0
"""A hundred years; a later recovery is told as none."""
AFTER_D = SINCE_STOP_D[: int(np.searchsorted(SINCE_STOP_D, LAST_D)) + 1]


@dataclass(frozen=True)
class Rule:
    """What counts as recovered: an amount, or a share of the peak; the other is 0."""

    words: str
    amount: float
    share: float

    def below(self, peaks: Numbers) -> Numbers:
        return self.amount + self.share * np.abs(peaks)


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
    """A modelled number where every pump stops at the end of ``on``: its largest value of all times, and recovery."""

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
    threshold = question.policy.recovered_drawdown
    return _judged(question, until, _Asked("drawdown", response, pumping.water_table, threshold), pumped)


def depletion(question: Question, until: date, response: Response) -> IfStopped | None:
    """A depletion [cfs] if every pump stopped at the last reading before ``until``; None where no meter was read."""
    pumped, threshold = pumping.metered(question, until), question.policy.recovered_depletion
    return _judged(question, until, _Asked("depletion", response, pumping.as_superposed, threshold), pumped)


def evidence_of(stopped: IfStopped | None) -> tuple[Evidence, ...]:
    """The line of evidence, if anything was modelled."""
    return () if stopped is None else (Evidence(LINE, stopped.says(), "context", stopped.rows),)


def facts_of(stopped: IfStopped | None) -> dict[str, Any]:
    """The facts, if anything was modelled."""
    return {} if stopped is None else stopped.facts()


@dataclass(frozen=True)
class _Asked:
    """Of what, how it responds to a rate, what the answer is to the superposed responses, and the amount."""

    of: str
    response: Response
    answer: Answer
    amount: Threshold


def _judged(question: Question, until: date, asked: _Asked, pumped: Metered) -> IfStopped | None:
    """Every pump off at the last reading before ``until``."""
    aquifer = question.site.aquifer
    if aquifer is None or not pumped:
        return None
    stop, amount = min(pumping.read_until(pumped), pumping.midnight_day(question, until)), asked.amount
    share = float(question.policy.recovered_share.value)
    rules = (
        Rule(f"{amount.value} {amount.unit}", float(amount.value), 0.0),
        Rule(f"{100 * share:g} % of its peak", 0.0, share),
    )
    found = _found(question, aquifer, asked, _until(pumped, stop), stop, rules)
    recoveries = tuple(_recovery(question, stop, found, k, rule.words) for k, rule in enumerate(rules))
    peak = (float(found.best[0]), float(found.low[0]), float(found.high[0]))
    on = pumping.last_civil_day(question, stop)
    return IfStopped(asked.of, amount.unit, on, peak, recoveries, pumping.last_rows(pumped))


def _found(
    question: Question, aquifer: Aquifer, asked: _Asked, pumped: Metered, stop: float, rules: Sequence[Rule]
) -> Extremes:
    """Peak, and days since the stop by each rule; infinite beyond a hundred years."""
    before = np.unique(np.concatenate([while_pumped_d(*pumping.schedule(found), stop) for _, found in pumped if found]))
    at = np.concatenate([before, stop + AFTER_D])

    def told(every: Sequence[Values]) -> Numbers:
        totals = pumping.totals_of(question, pumped, pumping.properties(every), at, asked.response)
        effect = asked.answer(aquifer, totals)
        peaks = peak_of(effect)
        return np.array([peaks, *(_days(effect[:, before.size :], rule.below(peaks)) for rule in rules)]).T

    return extremes(told, pumping.ranges(aquifer))


def _days(left: Numbers, amounts: Numbers) -> Numbers:
    """0 where nothing was pumped, and nothing is left of it."""
    return falls_below_d(AFTER_D, left, np.where(amounts > 0, amounts, np.inf))


def _until(pumped: Metered, stop_day: float) -> Metered:
    """The same with every pump off from an instant on."""
    stop_ms = round(stop_day * DAY_MS)
    return [(meter, [_cut(one, stop_ms) for one in found if one.start_ms < stop_ms]) for meter, found in pumped]


def _cut(one: Interval, stop_ms: int) -> Interval:
    if one.end_ms <= stop_ms:
        return one
    share = (stop_ms - one.start_ms) / (one.end_ms - one.start_ms)
    return replace(one, end_ms=stop_ms, volume_gal=one.at_least_gal * share)


def _recovery(question: Question, stop: float, found: Extremes, rule: int, words: str) -> Recovery:
    days = [float(np.nan_to_num(one[1 + rule], nan=np.inf)) for one in (found.best, found.low, found.high)]
    best, low, high = (_date(question, stop, one) for one in days)
    return Recovery(words, best, low, high, days[0] == 0)


def _date(question: Question, stop: float, since_d: float) -> date | None:
    if since_d > LAST_D:
        return None
    if since_d == 0:
        return pumping.last_civil_day(question, stop)
    instant_s = (stop + since_d) * DAY_MS / 1000
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
