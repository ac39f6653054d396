"""Days in a row that an act cites as at or above base flow, held against the record of the gauge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from models.checks import gauge_days
from models.checks.base_flow import signed_versions, threshold
from models.question import Question
from models.rules import BaseFlowRule
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, DayState, explain

SHOWN = 6


def doubts(rule: BaseFlowRule, question: Question, gauge: Gauge, since: date, last: date) -> list[str]:
    """What the record says against a run of days; nothing where each day is known and none is below.

    Parameters
    ----------
    rule : under which the days are below or not.
    since, last : first and last civil day of the run.
    """
    stream = question.site.stream_of(gauge)
    signed = signed_versions(stream, gauge, question.began, question.on) if stream else []
    if (why := gauge_days.why_not(gauge)) or not signed:
        return [f"nothing on record says whether {gauge.id} is at base flow: {why or 'no base flow is signed'}"]
    record = {one.day: one for one in gauge_days.daily(question, gauge, since, last)}
    days = [record.get(day, DailyFlow(day, None)) for day in _days(since, last)]
    if all(one.value is None for one in days):
        return [f"no flow of {gauge.id} is on record from {since} to {last}: silence is no recovery"]
    own, base = question.policy.practice(), threshold(signed)
    read = {one.day: explain(one, base.at(one.day), rule.operator, practice=own) for one in days}
    below = [f"{one.day} ({one.value} cfs)" for one in days if read[one.day][0] is DayState.BELOW]
    unknown = [f"{day} ({why})" for day, (state, why) in read.items() if state is DayState.UNKNOWN]
    found = ((below, "below base flow"), (unknown, "not known"))
    return [
        f"{gauge.id} was {what} on {_some(listed)}, within the days the act cites" for listed, what in found if listed
    ]


def _days(since: date, last: date) -> Iterator[date]:
    return (since + timedelta(days=n) for n in range((last - since).days + 1))


def _some(days: Sequence[str]) -> str:
    more = f" and {len(days) - SHOWN} more days" if len(days) > SHOWN else ""
    return ", ".join(days[:SHOWN]) + more
