"""The days a notice rests on: each with value, base flow and marks, and who accepted it while provisional."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from models.base_flow import BaseFlow
from models.checks.signed_flow import threshold, version_on
from models.finding import Finding
from models.review import Acceptance, trigger_days
from models.streamflow.day_states import DailyFlow

PROVISIONAL = "P"


@dataclass(frozen=True)
class TriggerDay:
    """One day of the condition. ``value``, ``base`` [cfs]; ``value`` None: the record no longer says what it said."""

    day: date
    value: Decimal | None
    base: Decimal
    version: str
    approval: str
    qualifiers: tuple[str, ...]
    row: str
    accepted: str

    @property
    def provisional(self) -> bool:
        return self.approval.strip().upper() == PROVISIONAL


def days_of(
    finding: Finding, more_than_days: int, record: Sequence[DailyFlow], signed: Sequence[BaseFlow],
    acceptance: Acceptance | None,
) -> list[TriggerDay]:  # fmt: skip
    """The days up to the trigger date that make the condition: one more than the clause allows.

    Parameters
    ----------
    record : the gauge's days as judged [cfs], any order.
    signed : the base flows in force.
    acceptance : which of the days a reviewer accepted at the value they have now.
    """
    known = {one.day: one for one in record}
    days = trigger_days(finding, more_than_days)
    return [_day(known.get(day, DailyFlow(day, None)), signed, acceptance) for day in days]


def _day(one: DailyFlow, signed: Sequence[BaseFlow], acceptance: Acceptance | None) -> TriggerDay:
    act = None if acceptance is None else acceptance.by_day.get(one.day)
    said = act.says() if act else ""
    return TriggerDay(
        one.day, one.value, threshold(signed).at(one.day), version_on(signed, one.day).version, one.approval,
        one.qualifiers, one.version, said,
    )  # fmt: skip


def why_draft(finding: Finding, days: Sequence[TriggerDay], acceptance: Acceptance | None) -> tuple[str, ...]:
    """What keeps a notice about these days from being released; nothing where it may go."""
    said = finding.facts.get("days", {})
    moved = [one.day for one in days if said.get(one.day.isoformat()) != _text(one)]
    revised = {one.day: one for one in acceptance.stale} if acceptance else {}
    waiting = [one.day for one in days if one.provisional and not one.accepted and one.day not in revised]
    reasons = [
        f"the record of {_listed(moved)} reads differently since the night that found the condition; run the night"
        if moved
        else "",
        f"no reviewer has accepted the provisional value of {_listed(waiting)}; `headwater review accept` records it"
        if waiting
        else "",
        *(f"{one.day} was accepted at {one.was} and is {one.now} now: it waits anew" for one in revised.values()),
    ]
    return tuple(one for one in reasons if one)


def _text(one: TriggerDay) -> str:
    return "unknown" if one.value is None else f"{one.value} cfs"


def _listed(days: Sequence[date]) -> str:
    return ", ".join(day.isoformat() for day in days)
