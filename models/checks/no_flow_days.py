"""A stream whose base flow is zero: nothing falls below it, and "to or below" it is always true (decision 20).

What can be compared is how often it runs dry: days without flow since mining began, by year, beside those before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

from models.base_flow import BaseFlow
from models.checks import gauge_days
from models.checks.base_flow_told import signers
from models.checks.signed_flow import threshold, versions_of
from models.finding import Evidence, Finding
from models.question import Question
from models.rules import BaseFlowRule
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, DayState, Threshold, day_state
from models.streamflow.natural_rate import DAYS_PER_YEAR

NOT_APPLICABLE = "NOT_APPLICABLE"
TRACE = Decimal("1e-9")
"""Less than any flow a record prints [cfs]: what is below it is none."""
WHY = "the base flow is zero: nothing falls below it, and to or below it is always true; days without flow are counted"


def is_zero(signed: Sequence[BaseFlow]) -> bool:
    """Whether no day of the year has a base flow above zero."""
    return not any(threshold(signed).values())


def yearly(
    rule: BaseFlowRule, question: Question, gauge: Gauge, signed: Sequence[BaseFlow], first: date, since: date
) -> Iterator[Finding]:
    """Days without flow under a base flow of zero, for each calendar year from that of ``since`` to tonight's."""
    by_day = threshold(signed)
    if all(by_day.values()):
        return
    before = _before(question, gauge, by_day)
    for year in range(since.year, question.on.year + 1):
        begin, end = max(first, date(year, 1, 1)), min(question.on, date(year, 12, 31))
        days, dry = _known(question, gauge, by_day, begin, end)
        if days:
            yield _finding(rule, gauge, signed, begin, dry, before)


def _finding(
    rule: BaseFlowRule, gauge: Gauge, signed: Sequence[BaseFlow], begin: date, dry: list[DailyFlow], before: Evidence
) -> Finding:
    used = versions_of(signed, [one.day for one in dry] or [begin])
    shown = ", ".join(str(one.day) for one in dry) or "none"
    rows = tuple(one.version for one in dry if one.version)
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter="discharge", aspect="days without flow",
        start=begin, end=date(begin.year, 12, 31), opened_on=begin, verdict="not_applicable", status=NOT_APPLICABLE,
        measured=f"{len(dry)} days without flow in {begin.year}", limit="0 cfs", unit="cfs",
        reason=f"{WHY}; {before.says}", verification=signers(used), information=True,
        evidence=(Evidence("days without flow", shown, "context", rows), before),
    )  # fmt: skip


def _before(question: Question, gauge: Gauge, by_day: Threshold) -> Evidence:
    """The same days of the year before mining."""
    days, dry = _known(question, gauge, by_day, None, question.day_before_mining)
    if not days:
        return Evidence("days without flow before mining", "no baseline record at this gauge", "silent")
    per_year = len(dry) * DAYS_PER_YEAR / days
    says = f"before mining began {len(dry)} of {days} known days were without flow ({per_year:.1f} per year of them)"
    return Evidence("days without flow before mining", says, "context")


def _known(
    question: Question, gauge: Gauge, by_day: Threshold, start: date | None, end: date
) -> tuple[int, list[DailyFlow]]:
    """Of the days with a base flow of zero: how many are known, and which were without flow."""
    practice = question.policy.practice()
    days = [one for one in gauge_days.daily(question, gauge, start, end) if by_day.at(one.day) == 0]
    states = [day_state(one, TRACE, practice=practice) for one in days]
    dry = [one for one, state in zip(days, states, strict=True) if state is DayState.BELOW]
    return sum(state is not DayState.UNKNOWN for state in states), dry
