"""What is said beside a spell: its confidence, the step of its threshold, and its reasons in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from models.streamflow.day_states import DailyFlow, DayState, Operator, Quantity, day_state, to_record_precision
from models.streamflow.practice import Practice
from models.streamflow.spells import Ending, Run
from models.streamflow.threshold import Threshold

ONE_DAY = timedelta(days=1)
NOT_APPROVED = frozenset({"working", "in review", "in-review", "inreview", "preliminary", "unapproved", "not approved"})
"""Words of services (case-folded) for a value that nobody has approved yet, where they stand among its qualifiers."""


@dataclass(frozen=True)
class JudgedDay:
    """A day, the base flow in force on it [cfs or ft], its state, and why it is unknown."""

    flow: DailyFlow
    base: Decimal
    state: DayState
    why: str = ""


def has_consecutive(days: Iterable[date], needed: int) -> bool:
    """Whether ``needed`` of the days (in order) follow one another without a break."""
    length, before = 0, None
    for day in days:
        length = length + 1 if before is not None and day - before == ONE_DAY else 1
        if length >= needed:
            return True
        before = day
    return False


def confidence(
    below: Sequence[JudgedDay], needed: int, quantity: Quantity, margin: Decimal, practice: Practice
) -> Literal["BEYOND_UNCERTAINTY", "WITHIN_UNCERTAINTY"]:
    """Whether the shortfall stands if each day's true value was as high as its error allows (decision 15).

    BEYOND_UNCERTAINTY iff v (1 + u) < B (stage: v + u < B) on ``needed`` consecutive days; errors of several days are
    not averaged, since a rating is off in one direction for weeks.
    """

    def highest(one: JudgedDay) -> Decimal:
        value = to_record_precision(one.flow.value or Decimal(0), one.flow.origin, quantity, practice)
        return value + margin if quantity == "stage" else value * (1 + max(margin, one.flow.uncertainty or margin))

    beyond = (one.flow.day for one in below if highest(one) < one.base)
    return "BEYOND_UNCERTAINTY" if has_consecutive(beyond, needed) else "WITHIN_UNCERTAINTY"


def is_provisional(below: Iterable[JudgedDay]) -> bool:
    """Whether any day below still waits for approval (decision 12)."""
    return any(one.flow.approval.strip().upper() == "P" or one.flow.codes & NOT_APPROVED for one in below)


def threshold_step(
    run: Run,
    below: Sequence[JudgedDay],
    threshold: Threshold,
    needed: int,
    operator: Operator,
    quantity: Quantity,
    practice: Practice,
) -> bool:
    """Whether the spell would not exist with the base flow of a month it touches or spans (decision 18).

    A base flow by day of the year has no such step. A spell touches a month if it runs from the day after it or to the
    day before it. A triggered spell exists while it triggers, any other while one day is below.
    """
    if not threshold.has_steps:
        return False
    first, last = run.below[0] - ONE_DAY, run.below[-1] + ONE_DAY
    bases = {one.base for one in below} | {threshold.find(first), threshold.find(last)}
    if len(bases - {None}) < 2:
        return False
    lowest = min(base for base in bases if base is not None)
    states = ((one.flow.day, day_state(one.flow, lowest, operator, quantity, practice)) for one in below)
    still = (day for day, state in states if state is DayState.BELOW)
    return not has_consecutive(still, needed if run.trigger else 1)


def reasons(
    run: Run,
    status: str,
    judged: dict[date, JudgedDay],
    needed: int,
    practice: Practice,
    *,
    stepped: bool,
    threshold: Threshold,
) -> tuple[str, ...]:
    """What a reader must know about a spell, one plain sentence each."""
    sentences = [
        _progress(run, status, needed),
        _missing(run, status, judged, practice),
        _outage(run),
        _provisional(run, judged),
        _estimated(run, judged),
        _step(run, threshold) if stepped else "",
    ]
    return tuple(sentence for sentence in sentences if sentence)


def _step(run: Run, threshold: Threshold) -> str:
    """Where the base flow jumps: where a signed correction takes over, else at a month's end."""
    corrected = [
        str(since) for since, _ in threshold.later if run.below[0] - ONE_DAY < since <= run.below[-1] + ONE_DAY
    ]
    of = f"before the correction of {', '.join(corrected)}, or after it," if corrected else "of the neighbouring month"
    return f"THRESHOLD_STEP: with the base flow {of} this spell would not exist"


def _progress(run: Run, status: str, needed: int) -> str:
    if status != "WATCH":
        return ""
    return f"{run.certain} of {needed} consecutive days below"


def _missing(run: Run, status: str, judged: dict[date, JudgedDay], practice: Practice) -> str:
    if not run.unknown:
        return ""
    named = "; ".join(f"{day} {judged[day].why}" if day in judged else f"{day} no record" for day in run.unknown)
    settle = (
        f"a field measurement within {practice.field_measurement_within_days} days, a backup record or a reviewer's "
        "signed estimate for these days would settle it"
    )
    return f"unknown: {named}" + (f"; {settle}" if status.startswith("INDETERMINATE") else "")


def _outage(run: Run) -> str:
    sides = []
    if run.left_censored:
        sides.append(f"an outage up to {run.below[0] - ONE_DAY} hides its beginning")
    if run.ending is Ending.OUTAGE:
        sides.append(f"an outage from {max([run.below[-1], *run.unknown[-1:]]) + ONE_DAY} on hides its end")
    return "; ".join(sides)


def _provisional(run: Run, judged: dict[date, JudgedDay]) -> str:
    days = sum(is_provisional([judged[day]]) for day in run.below)
    return f"{days} of its days below are provisional, subject to revision" if days else ""


def _estimated(run: Run, judged: dict[date, JudgedDay]) -> str:
    days = [str(day) for day in run.below if judged[day].flow.is_estimated]
    return f"estimated: {', '.join(days)}" if days else ""
