"""Mails to the town, composed as plain text from plain data. Nothing here sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined

from models.clock import Deadline
from models.finding import Change, Finding, Transition
from models.policy import Policy
from models.rules import Clause, Ordinance
from models.site import Site

SUBJECT_WORDS: Mapping[Change, str] = {
    "opened": "New",
    "amended": "Changed",
    "confirmed": "Confirmed",
    "ended": "Ended",
    "retracted": "Correction: withdrawn",
}
_OPENINGS: Mapping[Change, str] = {
    "opened": "A condition under the ordinance was found tonight.",
    "amended": "A condition you were told of reads differently after new or revised data; this corrects what you have.",
    "confirmed": "A condition you were told of as provisional rests on approved data now.",
    "ended": "A condition you were told of is no longer going on. This lifts no duty and no cessation.",
    "retracted": "CORRECTION. What you were told of no longer stands after new or revised data. It is withdrawn.",
}


@dataclass(frozen=True)
class Mail:
    """Subject and plain text; addressees and identity belong to the outbox."""

    subject: str
    text: str


@dataclass(frozen=True)
class Letterhead:
    """What every mail of one night shares."""

    site: Site
    law: Ordinance
    policy: Policy
    now: datetime
    version: str

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.law.zone)

    def local(self, instant: datetime) -> str:
        return instant.astimezone(self.zone).strftime("%Y-%m-%d %H:%M %Z")


def alert(changes: Sequence[Transition], duties: Sequence[str], head: Letterhead) -> Mail:
    """One mail for what happened to one station and parameter tonight.

    Parameters
    ----------
    changes : transitions of one kind, one station, one parameter.
    duties : lines naming each duty opened and who has it.
    head : the night's letterhead.
    """
    first = changes[0]
    clauses = _clauses(changes, head.law)
    text = _environment().get_template("alert.txt.j2").render(
        opening=_opening(first),
        findings=[_finding(one, head.law) for one in changes],
        clauses=clauses,
        adopted_note=head.law.adopted_note,
        follows=[*_follows(changes, head.law), *duties],
        known_at=head.local(head.now),
        version=head.version,
        unadopted=", ".join(head.policy.unadopted()),
    )  # fmt: skip
    what = f"{first.finding.station} {first.finding.parameter.replace('_', ' ')}, {first.finding.clause}"
    return Mail(f"[Headwater] {SUBJECT_WORDS[first.change]}: {what} ({head.site.name})", text)


def _opening(change: Transition) -> str:
    if change.change == "opened" and change.finding.verdict == "indeterminate":
        return "A condition under the ordinance may exist: the data cannot tell. What would settle it stands below."
    if change.change == "opened" and change.finding.verdict == "needs_confirmation":
        return "A condition under the ordinance may exist and needs confirmation. How stands below."
    return _OPENINGS[change.change]


def _follows(changes: Sequence[Transition], law: Ordinance) -> list[str]:
    """What the law attaches to what is attained; nothing follows from what is withdrawn, unclear or unconfirmed."""
    lines = [_follows_from(one, law) for one in changes]
    return list(dict.fromkeys(line for line in lines if line))


def _follows_from(change: Transition, law: Ordinance) -> str:
    if change.change == "retracted":
        return "What you were told followed falls with the finding; acts that were recorded stay on record."
    if change.finding.verdict == "attained":
        return law.rule_of(change.finding.rule).follows
    return f"Nothing follows under {change.finding.clause} from what is {change.finding.verdict.replace('_', ' ')}."


def overdue(deadline: Deadline, head: Letterhead, *, undone: bool) -> Mail:
    """A deadline of a case is out; or, ``undone``, an act in time was recorded late and nothing is overdue."""
    step = head.law.rule_of(deadline.step)
    opening = "CORRECTION. The act below was done in time; it was recorded late. Nothing is overdue." if undone else (
        "The time of the step below is out and no act that ends it is recorded."
    )  # fmt: skip
    text = _environment().get_template("overdue.txt.j2").render(
        opening=opening,
        deadline=_deadline(deadline, head),
        text=step.text,
        computing=f"{head.law.computing.citation}, {head.law.computing.verification}",
        known_at=head.local(head.now),
        version=head.version,
    )  # fmt: skip
    word = "Correction: not overdue" if undone else "Overdue"
    return Mail(f"[Headwater] {word}: {deadline.title}, {deadline.clause} ({head.site.name})", text)


def _clauses(changes: Sequence[Transition], law: Ordinance) -> list[Clause]:
    ids = dict.fromkeys(one.finding.rule for one in changes)
    return [law.rule_of(id) for id in ids]


def _finding(change: Transition, law: Ordinance) -> dict[str, Any]:
    finding = change.finding
    return {
        **finding.body(),
        "title": law.rule_of(finding.rule).title,
        "period": f"{finding.start} to {'now' if finding.ongoing else finding.end or finding.start}",
        "status_words": finding.status.replace("_", " "),
        "before": _before(change),
        "rows": _rows(finding),
    }


def _before(change: Transition) -> str:
    before = change.previous
    if before is None or change.change not in {"amended", "retracted"}:
        return ""
    return f"{before.verdict}, {before.status.replace('_', ' ')}: {before.measured} against {before.limit}"


def _rows(finding: Finding) -> str:
    """Source and row of each number relied on, as they are stored: the data version."""
    rows = list(dict.fromkeys(row for line in finding.evidence for row in line.rows))
    shown = ", ".join(rows[:12])
    return shown + (f" and {len(rows) - 12} more" if len(rows) > 12 else "") or "none"


def _deadline(deadline: Deadline, head: Letterhead) -> dict[str, Any]:
    return {
        "case": deadline.case, "clause": deadline.clause, "title": deadline.title, "who": deadline.who,
        "started_by": deadline.started_by.replace("_", " "), "started_at": head.local(deadline.started_at),
        "plain_day": deadline.due_day(deadline.plain, head.zone),
        "statutory_day": deadline.due_day(deadline.statutory, head.zone), "says": deadline.says,
        "done_by": deadline.done_by and deadline.done_by.replace("_", " "),
        "done_at": deadline.done_at and head.local(deadline.done_at),
    }  # fmt: skip


@cache
def _environment() -> Environment:
    loader = PackageLoader("reports", "templates")
    return Environment(loader=loader, undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True)  # noqa: S701 plain text
