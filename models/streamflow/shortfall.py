"""Did the stream fall below its base flow for more than five days? One gauge, judged alone (decision 16).

A shortfall exists when ``more_than_days + 1`` consecutive calendar days are each known to be below;
its date is the last of them. Unknown days count neither as below nor as recovery. A finding of this
module states a condition; it is no finding of cause, no notice, and starts no deadline.
Source: the project's shortfall semantics, sections 1 to 3 and 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from models.errors import BadQuestion
from models.streamflow.annotation import JudgedDay, confidence, is_provisional, reasons, threshold_step
from models.streamflow.day_states import DailyFlow, DayState, Operator, Quantity, day_state, explain
from models.streamflow.practice import PRACTICE, Practice
from models.streamflow.spells import Run, Spell, SpellMachine
from models.streamflow.statuses import status_verdict
from models.streamflow.threshold import Threshold

__all__ = [
    "PRACTICE", "DailyFlow", "DayState", "Operator", "Practice", "Quantity", "Shortfall", "Spell",
    "Threshold", "check_question", "day_state", "days_below", "judge", "status_verdict",
]  # fmt: skip

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Shortfall:
    """The answer for one gauge: whether the question could be put, why not, and the spells in order."""

    status: Literal["EVALUATED", "NOT_APPLICABLE", "NOT_EVALUABLE"]
    reason: str
    spells: tuple[Spell, ...]


def judge(
    days: Sequence[DailyFlow],
    threshold: Threshold,
    *,
    operator: Operator = "lt",
    more_than_days: int = 5,
    quantity: Quantity = "discharge",
    uncertainty: Decimal | None = None,
    practice: Practice = PRACTICE,
) -> Shortfall:
    """Find the spells of one gauge and judge each.

    Parameters
    ----------
    days : the record, strictly increasing; a date that is missing is unknown. Values in the unit of ``threshold``.
    threshold : base flow [cfs] or reference stage [ft] by day.
    operator : ``lt`` for "falls below", ``le`` for "to or below" (decision 3).
    more_than_days : number of the law [d].
    quantity : ``discharge`` or ``stage``.
    uncertainty : of one daily mean: a fraction of a discharge, feet of a stage. None takes it from ``practice``.
    practice : the numbers the law leaves open.

    Returns
    -------
    Shortfall
        NOT_EVALUABLE without any day; NOT_APPLICABLE where every base flow is zero (decision 20).

    Raises
    ------
    BadQuestion : days out of order, a day without base flow, a negative base flow, an unknown option.
    """
    check_question(days, threshold, more_than_days, quantity, uncertainty)
    if not days:
        return Shortfall("NOT_EVALUABLE", "the record holds no day", ())
    judged = {day.day: _judged(day, threshold, operator, quantity, practice) for day in days}
    if quantity == "discharge" and all(one.base == 0 for one in judged.values()):
        return Shortfall("NOT_APPLICABLE", "the base flow is zero: compare days without flow instead", ())
    machine = _run(judged, days[0].day, days[-1].day, SpellMachine(more_than_days, practice))
    margin = _margin(quantity, practice) if uncertainty is None else uncertainty
    ask = _Question(judged, threshold, operator, quantity, margin, machine)
    return Shortfall("EVALUATED", _caution(judged), tuple(ask.spell(run) for run in machine.spells()))


def days_below(found: Shortfall, on: date, window: int) -> int:
    """Known days below in the ``window`` days that end with ``on`` [d]: disclosed beside a spell (decision 1)."""
    first = on - (window - 1) * ONE_DAY
    return sum(first <= day <= on for spell in found.spells for day in spell.below_days)


@dataclass(frozen=True)
class _Question:
    """What every spell of one answer is described with."""

    judged: dict[date, JudgedDay]
    threshold: Threshold
    operator: Operator
    quantity: Quantity
    margin: Decimal
    machine: SpellMachine

    def spell(self, run: Run) -> Spell:
        status = self.machine.status(run)
        needed, practice = self.machine.more_than_days + 1, self.machine.practice
        below = [self.judged[day] for day in run.below]
        stepped = threshold_step(run, below, self.threshold, needed, self.operator, self.quantity, practice)
        sure = confidence(below, needed, self.quantity, self.margin, practice) if run.trigger else None
        return Spell(
            start=run.below[0],
            end=run.below[-1],
            earliest_start=run.earliest_start,
            latest_end=run.latest_end,
            known_below_days=len(run.below),
            possible_days=run.possible,
            status=status,
            verdict=status_verdict(status),
            trigger_date=run.trigger,
            indeterminate_from=run.doubted,
            provisional=is_provisional(below),
            confidence=sure,
            threshold_step=stepped,
            below_days=tuple(run.below),
            unknown_days=tuple(run.unknown),
            reasons=reasons(run, status, self.judged, needed, practice, stepped=stepped, threshold=self.threshold),
        )


def _judged(
    day: DailyFlow, threshold: Threshold, operator: Operator, quantity: Quantity, practice: Practice
) -> JudgedDay:
    base = threshold.at(day.day)
    return JudgedDay(day, base, *explain(day, base, operator, quantity, practice))


def _run(judged: dict[date, JudgedDay], first: date, last: date, machine: SpellMachine) -> SpellMachine:
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        day = date.fromordinal(ordinal)
        machine.advance(day, judged[day].state if day in judged else DayState.UNKNOWN)
    return machine


def _margin(quantity: Quantity, practice: Practice) -> Decimal:
    return practice.stage_uncertainty_ft if quantity == "stage" else practice.discharge_uncertainty


def _caution(judged: dict[date, JudgedDay]) -> str:
    """No spell is found where nothing is known either; that is no clean bill."""
    known = any(one.state is not DayState.UNKNOWN for one in judged.values())
    return "" if known else "no day of the record is known: nothing is found, and nothing is ruled out"


def check_question(
    days: Sequence[DailyFlow],
    threshold: Threshold,
    more_than_days: int,
    quantity: str,
    uncertainty: Decimal | None = None,
) -> None:
    """Refuse a question that has no answer.

    Raises
    ------
    BadQuestion : days out of order, a negative number of days, uncertainty or base flow.
    """
    for before, after in pairwise(days):
        if after.day <= before.day:
            raise BadQuestion("days must increase", key="date", found=str(after.day), allowed=[f"after {before.day}"])
    if more_than_days < 0:
        raise BadQuestion("not a number of days", key="days", found=more_than_days, allowed=["0 or more"])
    if uncertainty is not None and not (uncertainty.is_finite() and uncertainty >= 0):
        raise BadQuestion("not an uncertainty", key="uncertainty", found=str(uncertainty), allowed=["0 or more"])
    if quantity == "discharge" and any(value < 0 for value in threshold.values()):
        raise BadQuestion("a base flow cannot be negative", key="base flow", allowed=["0 or more"])
