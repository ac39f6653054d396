"""A dated duty in words: what is on record is said, never what was or was not done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from models.checks.lateness import DATED_DUTY
from models.finding import Change, Finding, Transition
from models.rules import Ordinance

TITLES_SHOWN = 3
_STANDS = {
    "NOT_ON_RECORD": "nothing on record",
    "DUTY_OPEN": "nothing on record",
    "PERMIT_OVER": "nothing on record",
    "ON_RECORD": "on record in time",
    "ON_RECORD_LATE": "on record after its day",
    "BEYOND_TERM": "the permit on file runs past its longest term",
    "WITHIN_TERM": "the permit on file ends within its term",
}
_TIMED = ("NOT_ON_RECORD", "ON_RECORD_LATE", "ON_RECORD", "PERMIT_OVER")
_OPENINGS: Mapping[str, str] = {
    "NOT_ON_RECORD": (
        "The time of the duty below is out, and the register shows no act that answers it. That nothing is on record "
        "is not that nothing was done: an act recorded later counts from the day it happened."
    ),
    "ON_RECORD_LATE": "The act that answers the duty below is on record, and it came after the last day.",
    "DUTY_OPEN": (
        "The duty below has begun. The clause states no time for it, and the register shows no act that answers it."
    ),
    "PERMIT_OVER": (
        "The day of the duty below is over and the register shows no act that answers it, but the permit on file had "
        "ended by then. Whether the duty outlives the permit is for the town."
    ),
    "BEYOND_TERM": "The permit on file runs past the last day that the clause below allows.",
}
_LATER: Mapping[Change, str] = {
    "ended": "A dated duty you were told of is answered now: the act is on record.",
    "retracted": (
        "CORRECTION. You were told that nothing was on record for the duty below. What is recorded since shows that it "
        "was answered in time, or that nothing was owed. What you were told is withdrawn."
    ),
}

_NO_LONGER_OPEN = (
    "The duty below, of which you were told, is open no longer: an act that answers it is on record, or the entry it "
    "began with was taken back or came to an end."
)


def is_duty(finding: Finding) -> bool:
    """Whether a finding is about a dated duty."""
    return finding.parameter == DATED_DUTY


def topic(findings: Sequence[Finding]) -> str:
    """How some duties stand, and each by its title, for a subject line."""
    titles = list(dict.fromkeys(_title(one) for one in findings))
    more = f" and {len(titles) - TITLES_SHOWN} more" if len(titles) > TITLES_SHOWN else ""
    if all(_over(one) for one in findings):
        return f"{'; '.join(titles[:TITLES_SHOWN])}{more}"
    stands = list(dict.fromkeys(_STANDS.get(one.status, one.status.lower()) for one in findings))
    days = list(dict.fromkeys(one.facts["statutory_due"] for one in findings if one.status in _TIMED))
    due = f", due {days[0]}" if len(days) == 1 else ""
    return f"{' or '.join(stands)}: {'; '.join(titles[:TITLES_SHOWN])}{more}{due}"


def opening(changes: Sequence[Transition]) -> str:
    """The first sentences of a mail about duties, "" where the usual ones fit."""
    change, finding = changes[0].change, changes[0].finding
    if change != "opened":
        return _NO_LONGER_OPEN if _over(finding) and change == "ended" else _LATER.get(change, "")
    found = {_OPENINGS.get(one.finding.status, "") for one in changes}
    return _OPENINGS.get(finding.status, "") if len(found) == 1 else ""


def _over(finding: Finding) -> bool:
    """A duty without a stated time that is open no longer: how it read stands in the finding, not how it ended."""
    return finding.status == "DUTY_OPEN" and not finding.ongoing


def follows(change: Transition, law: Ordinance) -> str:
    """What follows from a duty that is answered now, or open; "" where the usual words fit."""
    if change.change == "opened":
        return next((rule.follows for rule in law.rule if rule.id == change.finding.rule), "")
    if change.change != "ended":
        return ""
    late = "" if _over(change.finding) else " That the act came after the last day stays on record."
    return f"Nothing is asked for any more under {change.finding.clause}.{late}"


def block(change: Transition, law: Ordinance) -> dict[str, Any] | None:
    """What a mail prints of a duty; None for any other finding."""
    finding = change.finding
    if not is_duty(finding):
        return None
    return {
        "title": _title(finding), "whose": f"the {finding.facts['who']}'s", "due": _due(finding),
        "on_record": _on_record(change), "days": _days(finding),
        "record_as": list(finding.facts.get("record_as", ())) if finding.ongoing else [],
        "computing": f"{law.computing.citation} ({finding.verification})",
    }  # fmt: skip


def _title(finding: Finding) -> str:
    return str(finding.facts.get("title", finding.rule))


def _on_record(change: Transition) -> str:
    """What the register shows; of what is withdrawn or over the finding holds only how it read before."""
    finding = change.finding
    if change.change != "retracted" and not _over(finding):
        return finding.measured
    case = next((place.split(" ")[0] for place in finding.facts.get("record_as", ())), "")
    return f"more than before: headwater case show {case}" if case else finding.measured


def _due(finding: Finding) -> str:
    plain, statutory = str(finding.facts["plain_due"]), str(finding.facts["statutory_due"])
    if not finding.limit.endswith("(statutory)"):
        return finding.limit
    if plain == statutory:
        return f"end of {plain} (plain and statutory)"
    return f"end of {plain} (plain), end of {statutory} (statutory)"


def _days(finding: Finding) -> str:
    """Days from the last statutory day to the act that answered it late."""
    if finding.status != "ON_RECORD_LATE":
        return ""
    late = date.fromisoformat(str(finding.facts["done_on"])) - date.fromisoformat(str(finding.facts["statutory_due"]))
    return f"{late.days} day{'s' * (late.days != 1)} after the last day"
