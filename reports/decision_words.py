"""What the town is told before it decides: one source for the window mail, ``case show`` and the decision page."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from models.clock import Deadline
from models.fund import CENT
from models.policy import Policy
from models.rules import Ordinance
from models.step import Step


def page_command(case: str) -> str:
    """How the page for the meeting is written."""
    return f"The page for the meeting: headwater report decision {case}"


def window_lines(deadline: Deadline, law: Ordinance) -> list[str]:
    """What the law of open meetings leaves of a window of the town in hours; nothing of any other step."""
    rule = law.open_meetings
    if rule is None or not deadline.in_hours or deadline.who != "town" or deadline.plain is None:
        return []
    return rule.limits(deadline.started_at, deadline.plain, ZoneInfo(law.zone))


def meeting_lines(deadline: Deadline, law: Ordinance) -> list[str]:
    """How soon the town may meet: of a window in hours its own limits, else the notice any meeting needs."""
    own = window_lines(deadline, law)
    return own or ([law.open_meetings.notice()] if law.open_meetings else [])


def waiting_line(deadline: Deadline, law: Ordinance, policy: Policy) -> str:
    """What the town's review cost by the day where the law states no time; "" of any other step.

    Cost [USD] = days from the act it runs from x the town's planned cost of supply of a household and day.
    """
    step, cost = law.rule_of(deadline.step), policy.interim_supply_cost
    if not isinstance(step, Step) or step.reimburse_years is None or deadline.waited_days is None:
        return ""
    total = (cost.value * deadline.waited_days).quantize(CENT)
    return f"{deadline.clause}: {deadline.waited_days} days of waiting at {cost.says()} a household: {total:,} USD"
