"""What a stream gauge owes the town, beside any verdict on the mine: outages, and low visits nobody followed up.

Both are information: they open no duty of the operator. An outage is a hole so long that a full shortfall or a full
recovery fits into it (decision 9). A single measurement below the base flow cannot show how long it lasts; on a day the
record leaves unknown it says that somebody should look (decision 24).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby

from models.finding import Evidence, Finding
from models.question import Question, StoredRow, stored_rows
from models.rules import BaseFlowRule
from models.site import Gauge
from models.streamflow.day_states import IS_BELOW, DailyFlow, DayState, Threshold, explain
from models.verdict import VERDICT_OF

OUTAGE, WATCH = "OUTAGE", "WATCH"
FIELD = "field"
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Hole:
    """Consecutive unknown days, and why the first of them is."""

    start: date
    end: date
    why: str

    @property
    def days(self) -> int:
        return (self.end - self.start).days + 1


def watch(
    rule: BaseFlowRule,
    question: Question,
    gauge: Gauge,
    threshold: Threshold,
    since: date,
    days: Sequence[DailyFlow],
) -> Iterator[Finding]:
    """Outages and low visits from ``since``, a known day or the first of mining, to tonight."""
    for hole in holes(rule, question, threshold, since, days):
        if hole.days > question.policy.practice().longest_linking_gap_days:
            yield _outage(rule, question, gauge, hole)
        yield from _low_visits(rule, question, gauge, threshold, hole)


def holes(
    rule: BaseFlowRule, question: Question, threshold: Threshold, since: date, days: Sequence[DailyFlow]
) -> list[Hole]:
    """Runs of unknown days on the calendar; a date that is missing is unknown."""
    known, practice = {one.day: one for one in days}, question.policy.practice()
    calendar = [since + k * ONE_DAY for k in range((question.on - since).days + 1)]

    def state(day: date) -> tuple[DayState, str]:
        flow = known.get(day, DailyFlow(day, None))
        return explain(flow, threshold.at(day), rule.operator, practice=practice)

    runs = (list(run) for unknown, run in groupby(calendar, lambda day: state(day)[0] is DayState.UNKNOWN) if unknown)
    return [Hole(run[0], run[-1], state(run[0])[1]) for run in runs]


def _outage(rule: BaseFlowRule, question: Question, gauge: Gauge, hole: Hole) -> Finding:
    longest = question.policy.practice().longest_linking_gap_days
    goes_on = hole.end == question.on
    lasted = f"no known day since {hole.start}" if goes_on else f"{hole.days} days not known, to {hole.end}"
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter="discharge", aspect="outage",
        start=hole.start, end=None if goes_on else hole.end, opened_on=hole.start + longest * ONE_DAY,
        verdict="not_applicable", status=OUTAGE, measured=lasted, limit=f"{longest} days", unit="d",
        reason=f"{hole.why}; a whole shortfall or a whole recovery fits into it, and none can tell: restore the gauge, "
        "look for a backup record, measure in the field",
        ongoing=goes_on, information=True,
    )  # fmt: skip


def _low_visits(
    rule: BaseFlowRule, question: Question, gauge: Gauge, threshold: Threshold, hole: Hole
) -> Iterator[Finding]:
    rows = question.observations.rows([gauge.id], ["discharge"], hole.start, hole.end)
    for row in stored_rows(rows[rows["series"] == FIELD]):
        flow = _measured(row, gauge)
        if flow is not None and IS_BELOW[rule.operator](flow, threshold.at(row.day)):
            yield _low_visit(rule, gauge, threshold, row, flow)


def _measured(row: StoredRow, gauge: Gauge) -> Decimal | None:
    """A measured discharge at the judged stream [cfs]; None where there is none, or it ran backwards."""
    if row.value != row.value or row.value < 0:
        return None
    value = Decimal(row.value_text or repr(row.value))
    return value if gauge.transfer_ratio is None else value * gauge.transfer_ratio


def _low_visit(
    rule: BaseFlowRule, gauge: Gauge, threshold: Threshold, row: StoredRow, flow: Decimal
) -> Finding:  # fmt: skip
    says = f"{row.day} {row.value_text or row.value} cfs [field measurement]"
    return Finding(
        rule=rule.id, clause=rule.clause, station=gauge.id, parameter="discharge", aspect="field measurement",
        start=row.day, end=row.day, opened_on=row.day, verdict=VERDICT_OF[WATCH], status=WATCH,
        measured=f"{flow} cfs, one measurement", limit=f"{threshold.at(row.day)} cfs", unit="cfs",
        reason="one measurement below the base flow cannot show how long it lasts: inspect the gauge, or install one",
        information=True, evidence=(Evidence("field measurement", says, "supports", (row.row_id,)),),
    )  # fmt: skip
