"""What asks for an expected delivery: a decision from its day to its end, or the clause itself; and of which days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from models.delivery_calendar import DeliveryEvent
from models.delivery_rule import DeliveryRule
from models.expected_delivery import ExpectedDelivery
from models.permit import Decision
from models.question import Question


@dataclass(frozen=True)
class Asked:
    """What asks for a delivery: decisions on file by tonight, in order, or where there are none the clause itself.

    ``since``: nothing due before it is owed. ``mined_from``: nor what covers only days before it.
    """

    decisions: tuple[Decision, ...]
    since: date
    mined_from: date

    def words(self, due: date) -> str:
        """The decision for what falls due on a day; "" where the clause itself asks."""
        stand = [one for one in self.decisions if one.asks(due)] or [one for one in self.decisions if one.on <= due]
        return f"{stand[-1].decision} ({stand[-1].on})" if stand else ""

    def not_owed(self, event: DeliveryEvent) -> str:
        """Why a delivery that falls due is owed by nobody; "" where it is owed."""
        if self.decisions and not any(one.asks(event.due) for one in self.decisions):
            ended = max(one.until for one in self.decisions if one.until and one.until < event.due)
            return f"asked for no longer: {self.words(event.due)} ended on {ended}"
        if event.last_day < self.mined_from:
            return f"it covers only days before mining began, on {self.mined_from}"
        return ""


def asked_by(rule: DeliveryRule, delivery: ExpectedDelivery, question: Question) -> Asked | None:
    """What asks for a delivery; None where a decision is needed and none is on file yet."""
    floor = date.min if rule.information else question.began
    mined_from = question.began if rule.mined_days else date.min
    on_rule = [one for one in question.site.permit.required if one.rule == rule.id]
    every: Sequence[Decision] = [delivery.required_by] if delivery.required_by else on_rule
    taken = tuple(sorted((one for one in every if one.on <= question.on), key=lambda one: one.on))
    if taken:
        return Asked(taken, max(taken[0].on, floor), mined_from)
    waits = rule.decided or delivery.required_by is not None
    return None if waits else Asked((), floor, mined_from)
