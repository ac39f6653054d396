"""Mails to the town, composed as plain text and as HTML from plain data. Nothing here sends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from models.clock import Deadline
from models.finding import Change, Transition
from models.policy import Policy
from models.rules import Ordinance
from models.site import Site
from reports import duty_words
from reports.decision_words import page_command, window_lines
from reports.finding_words import clauses, finding_block, strongest, topic

SUBJECT_WORDS: Mapping[Change, str] = {
    "opened": "New",
    "amended": "Changed",
    "confirmed": "Confirmed",
    "ended": "Ended",
    "retracted": "Correction: withdrawn",
}
_UNSURE_WORDS = {"indeterminate": "Cannot tell", "needs_confirmation": "To confirm"}
_OPENINGS: Mapping[Change, str] = {
    "opened": "A condition under the ordinance was found tonight.",
    "amended": "A condition you were told of reads differently after new or revised data; this corrects what you have.",
    "confirmed": "A condition you were told of as provisional rests on approved data now.",
    "ended": "A condition you were told of is no longer going on. This lifts no duty and no cessation.",
    "retracted": "CORRECTION. What you were told of no longer stands after new or revised data. It is withdrawn.",
}
_UNSURE_OPENINGS = {
    "indeterminate": (
        "A condition under the ordinance may exist: the data cannot tell. What would settle it stands below."
    ),
    "needs_confirmation": "A condition under the ordinance may exist and needs confirmation. How stands below.",
}


@dataclass(frozen=True)
class Mail:
    """Subject, plain text and HTML; addressees and identity belong to the outbox."""

    subject: str
    text: str
    html: str


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
    return written(
        "alert", _subject(changes, head), head,
        opening=_opening(changes),
        findings=[finding_block(one, head.law) for one in changes],
        clauses=clauses(changes, head.law),
        follows=[*follows(changes, head.law), *duties],
    )  # fmt: skip


def overdue(deadline: Deadline, head: Letterhead, *, undone: bool, withdrawn: bool = False) -> Mail:
    """A deadline of a case is out; or, ``undone``, an act in time was recorded late and nothing is overdue."""
    word = "Correction: not overdue" if undone else "Overdue"
    opening = "CORRECTION. The act below was done in time; it was recorded late. Nothing is overdue." if undone else (
        "The time of the step below is out and no act that ends it is recorded."
    )  # fmt: skip
    return _of_clock(word, opening, deadline, head, withdrawn=withdrawn)


def near(deadline: Deadline, head: Letterhead) -> Mail:
    """A deadline comes near or falls due, or a window is open; nothing is overdue."""
    left = _plain_days_left(deadline, head)
    if deadline.nature == "window":
        word, deadline = "Window open", _with_meetings(deadline, head)
        opening = "The town may use the power below until the time is out. Nobody is in default when it passes."
    elif left <= 0:
        word, opening = "Due", "The plain time of the step below ends, and no act that ends it is recorded."
    else:
        word = f"Due in {left} day{'s' * (left != 1)}"
        opening = "The time of the step below is running out, and no act that ends it is recorded."
    return _of_clock(word, opening, deadline, head, withdrawn=deadline.withdrawn)


def window_passed(deadline: Deadline, head: Letterhead) -> Mail:
    """A power that could be used in a time that was over before the act it runs from was on record."""
    opening = (
        "The time in which the power below could be used was over before the act it runs from was on record, and no "
        "use of it is recorded. Nobody is in default. If it was used, record it: it counts from when it happened."
    )
    return _of_clock("Window passed", opening, deadline, head, withdrawn=deadline.withdrawn)


def one_missing(deadline: Deadline, head: Letterhead) -> Mail:
    """Of several acts that are all needed one is not on record, and what runs from it does not run."""
    opening = (
        "Of the acts that the step below asks for together one is not on record. What runs from it does not run: ask "
        "for it, or record the day and the hour on which it happened."
    )
    return _of_clock("Missing", opening, deadline, head, withdrawn=deadline.withdrawn)


def _with_meetings(deadline: Deadline, head: Letterhead) -> Deadline:
    """A window of the town in hours, with what the law of open meetings leaves of it."""
    if not (meetings := window_lines(deadline, head.law)):
        return deadline
    said = [deadline.says, *meetings, f"{page_command(deadline.case)}."]
    return replace(deadline, says=" ".join(part for part in said if part))


def no_longer_overdue(deadline: Deadline, head: Letterhead) -> Mail:
    """What was told to be overdue runs by another time now: an act was corrected, or one that moves it is recorded."""
    opening = (
        "CORRECTION. You were told that the step below was overdue. An act recorded since moved its time; how it "
        "stands now is below."
    )
    return _of_clock("Correction: not overdue", opening, deadline, head, withdrawn=deadline.withdrawn)


def clock_gone(case: str, step: str, started_at: datetime, head: Letterhead) -> Mail:
    """What was told to be overdue ran from an entry that was corrected or withdrawn: no such clock runs."""
    rule = head.law.rule_of(step)
    gone = Deadline(
        case, step, rule.clause, rule.title, getattr(rule, "who", ""), "deadline", "an entry taken back since",
        started_at, None, None, "done", None, None, "No clock of this step runs in the case now.",
    )  # fmt: skip
    opening = (
        "CORRECTION. You were told that the step below was overdue. The entry it ran from was corrected or withdrawn "
        "since. Nothing is overdue."
    )
    return _of_clock("Correction: not overdue", opening, gone, head, withdrawn=False)


def _of_clock(word: str, opening: str, deadline: Deadline, head: Letterhead, *, withdrawn: bool) -> Mail:
    return written(
        "overdue", f"[Headwater] {word}: {deadline.title}, {deadline.clause} ({head.site.name})", head,
        opening=opening,
        deadline=_deadline(deadline, head),
        text=head.law.rule_of(deadline.step).text,
        withdrawn=withdrawn,
        computing=f"{head.law.computing.citation}, {head.law.computing.verification}",
    )  # fmt: skip


def _plain_days_left(deadline: Deadline, head: Letterhead) -> int:
    plain = deadline.due_day(deadline.plain, head.zone)
    return 0 if plain is None else (plain - head.now.astimezone(head.zone).date()).days


def written(template: str, subject: str, head: Letterhead, **facts: Any) -> Mail:
    """The mail of ``templates/<template>.txt.j2`` and ``.html.j2``, both from the same facts."""
    shared = {
        "subject": subject, "site": head.site.name, "known_at": head.local(head.now), "version": head.version,
        "unadopted": ", ".join(name.replace("_", " ") for name in head.policy.unadopted()),
        "adopted_note": head.law.adopted_note,
    }  # fmt: skip
    text, html = (
        _environment().get_template(f"{template}.{form}.j2").render(**shared, **facts) for form in ("txt", "html")
    )
    return Mail(subject, text, html)


def follows(changes: Sequence[Transition], law: Ordinance) -> list[str]:
    """What the law attaches to what is attained; nothing follows from what is withdrawn, unclear or unconfirmed."""
    lines = [_follows_from(one, law) for one in changes]
    return list(dict.fromkeys(line for line in lines if line))


def _follows_from(change: Transition, law: Ordinance) -> str:
    finding = change.finding
    if change.change == "retracted":
        return "Nothing follows any more from what is withdrawn. Acts that were recorded stay on record."
    if duty_words.is_duty(finding) and (said := duty_words.follows(change, law)):
        return said
    if change.change == "ended":
        return "What was opened stays open until a recorded act ends it."
    if finding.verdict == "attained":
        return next((rule.follows for rule in law.rule if rule.id == finding.rule), "")
    unsure = "needs confirmation" if finding.verdict == "needs_confirmation" else f"is {finding.verdict}"
    return f"Nothing follows under {finding.clause} from what {unsure}."


def _subject(changes: Sequence[Transition], head: Letterhead) -> str:
    places = ", ".join(dict.fromkeys(place for one in changes for place in one.finding.clause.split(", ")))
    what = f"{topic([one.finding for one in changes], head.law)}, {changes[0].finding.station}, {places}"
    said = _said(changes, _UNSURE_WORDS, SUBJECT_WORDS)
    if duty_words.is_duty(changes[0].finding) and said == SUBJECT_WORDS["opened"]:
        return f"[Headwater] {what[:1].upper()}{what[1:]} ({head.site.name})"
    return f"[Headwater] {said}: {what} ({head.site.name})"


def _opening(changes: Sequence[Transition]) -> str:
    own = duty_words.opening(changes) if duty_words.is_duty(changes[0].finding) else ""
    return own or _said(changes, _UNSURE_OPENINGS, _OPENINGS)


def _said(changes: Sequence[Transition], unsure: Mapping[str, str], sure: Mapping[Change, str]) -> str:
    """By what happened; what is new and not sure is called so, unless something beside it is sure."""
    change, verdict = changes[0].change, strongest([one.finding for one in changes])
    return unsure[verdict] if change == "opened" and verdict in unsure else sure[change]


def _deadline(deadline: Deadline, head: Letterhead) -> dict[str, Any]:
    return {
        "case": deadline.case, "clause": deadline.clause, "title": deadline.title, "who": deadline.who,
        "started_by": deadline.started_by.replace("_", " "), "started_at": head.local(deadline.started_at),
        "plain_due": _due(deadline, deadline.plain, head), "statutory_due": _due(deadline, deadline.statutory, head),
        "says": deadline.says or _once_out(deadline, head),
        "done_by": deadline.done_by and deadline.done_by.replace("_", " "),
        "done_at": deadline.done_at and head.local(deadline.done_at),
    }  # fmt: skip


def _once_out(deadline: Deadline, head: Letterhead) -> str:
    """What the law attaches to the lapse, told before it where nothing else follows from the step."""
    rule = head.law.rule_of(deadline.step)
    said = " ".join(part for part in (getattr(rule, "late", ""), getattr(rule, "silence", "")) if part)
    return f"Once the time is out: {said}" if said else "The clause states nothing that follows."


def _due(deadline: Deadline, instant: datetime | None, head: Letterhead) -> str:
    """The end of a civil day; of a window in hours, the instant."""
    if instant is None:
        return "no time runs"
    midnight = instant.astimezone(head.zone).time() == time() and not deadline.in_hours
    return f"end of {deadline.due_day(instant, head.zone)}" if midnight else head.local(instant)


@cache
def _environment() -> Environment:
    """One environment: what is HTML by its name is escaped, and a name nobody gave is an error, not a blank."""
    return Environment(
        loader=PackageLoader("reports", "templates"), undefined=StrictUndefined,
        autoescape=select_autoescape(enabled_extensions=("html.j2",), default=False),
        keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
