"""Where each dated duty stands on a day: not due yet, done, done late, or nothing on record.

The night's findings, the due list and the count of days overdue all read it here. That nothing is on record is not
that nothing was done: an act recorded later counts from when it happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from models.counting import Calendar
from models.dated_duties import Due, Register, answers, due_days, presupposed, register
from models.event import Event
from models.lateness_rule import LatenessRule
from models.permit import Permit
from models.permit_terms import Term, terms
from models.rules import Ordinance

Status = Literal[
    "RUNNING", "ON_RECORD", "NOT_ON_RECORD", "ON_RECORD_LATE", "DUTY_OPEN", "PERMIT_OVER", "WITHIN_TERM", "BEYOND_TERM",
    "NOT_APPLICABLE",
]  # fmt: skip
OPEN: frozenset[Status] = frozenset({"NOT_ON_RECORD", "DUTY_OPEN", "PERMIT_OVER", "BEYOND_TERM"})
"""Where the condition goes on until somebody acts or records."""
NOTHING = "nothing on record"


@dataclass(frozen=True)
class Book:
    """What duties are judged from, as known at an instant: the permit, the law, the recorded acts, the calendar."""

    permit: Permit
    law: Ordinance
    events: Sequence[Event]
    calendar: Calendar
    now: datetime

    def register(self, rule: LatenessRule) -> Register:
        """The acts a rule reads."""
        return register(rule.kinds, self.law, self.events, self.calendar, self.now)

    def terms(self, rule: LatenessRule) -> tuple[Term, ...]:
        """The terms of the permit, renewals on record counted where the rule names their kind of case."""
        kinds = () if rule.renewed_in is None else (rule.renewed_in,)
        acts = register(kinds, self.law, self.events, self.calendar, self.now).acts
        table = [one for kind in self.law.case if kind.id in kinds for one in kind.event]
        granting = {one.name for one in table if "until" in one.requires}
        return terms(self.permit, [one for one in acts if one.name in granting], rule.renewed_by, self.calendar)


@dataclass(frozen=True)
class Duty:
    """One time a duty falls due and where it stands: the act that answered it, and in words why.

    ``cases``: those it is read from. ``places``: acts that would answer it, each with the case to record it in.
    """

    rule: LatenessRule
    due: Due
    status: Status
    why: str
    act: Event | None = None
    cases: tuple[str, ...] = ()
    places: tuple[str, ...] = ()

    @property
    def case(self) -> str:
        """The register it is read from, "" where it reads none."""
        return self.cases[0] if self.cases else ""

    @property
    def title(self) -> str:
        """The duty by its title, with the year a yearly one is about."""
        return self.rule.title if self.due.covers is None else f"{self.rule.title} for {self.due.covers}"

    def last_days(self, calendar: Calendar) -> tuple[date, date]:
        """The last day in time, plain and statutory."""
        plain, statutory = (calendar.day(end - timedelta(microseconds=1)) for end in self.due.ends)
        return plain, statutory

    def done_on(self, calendar: Calendar) -> date | None:
        """The civil day of the act that answered it."""
        return None if self.act is None else calendar.day(self.act.happened_at)

    def days_late(self, calendar: Calendar, on: date) -> int:
        """Civil days from the one after the last statutory day to the act's own, or to ``on``; 0 where none is late."""
        if self.status not in {"NOT_ON_RECORD", "ON_RECORD_LATE"}:
            return 0
        return ((self.done_on(calendar) or on) - self.last_days(calendar)[1]).days


def kept(rule: LatenessRule, acts: Register) -> bool:
    """Whether anything can be said of a duty: it reads no act, or somebody keeps the register it is read from."""
    return rule.kept_in is None or acts.kept_since is not None


def duties(rule: LatenessRule, book: Book, on: date, *, unseen: Register | None = None) -> Iterator[Duty]:
    """Every time a duty falls due up to the end of the year of ``on``, and where it stands; none that is not kept.

    ``unseen``: read this instead of the acts on record, to ask when a duty would fall due.
    """
    acts = unseen or book.register(rule)
    asked = (rule, book.law, book.permit, acts, book.calendar, on, book.terms(rule))
    due = due_days(*asked) if kept(rule, acts) else []
    answered, places = answers(rule, due, acts, book.calendar), _places(rule, book.law, acts)
    for one in due:
        status, why = _stands(rule, book, one, acts, answered.get(one))
        act = answered.get(one) if status in {"ON_RECORD", "ON_RECORD_LATE"} else None
        yield Duty(rule, one, status, why, act, acts.cases, places)


def _places(rule: LatenessRule, law: Ordinance, acts: Register) -> tuple[str, ...]:
    """``case act`` for each act that answers a duty; ``kind act`` where no case of the kind is open yet."""
    kinds = [kind for kind in law.case if kind.id in rule.kinds]
    found = [(act, kind.id) for act in rule.done_by for kind in kinds if kind.event_of(act)]
    open_ones = {one.partition("/")[0]: one for one in reversed(acts.cases)}
    return tuple(f"{open_ones.get(kind, kind)} {act}" for act, kind in found)


def _stands(rule: LatenessRule, book: Book, one: Due, acts: Register, act: Event | None) -> tuple[Status, str]:
    if rule.done_on is not None:
        return _by_date(one)
    excused = _excused(rule, one, acts, book.calendar)
    return ("NOT_APPLICABLE", excused) if excused else _answered(rule, book, one, act)


def _excused(rule: LatenessRule, one: Due, acts: Register, calendar: Calendar) -> str:
    """Why nothing was owed, or nothing can be said; "" where neither is so."""
    if acts.kept_since is not None and one.counted < acts.kept_since:
        return f"due before {acts.kept_since}, from which on the town keeps its register"
    if acts.kept_until is not None and one.counted > acts.kept_until:
        return f"due after {acts.kept_until}, on which the town closed its register"
    if not presupposed(rule, one, acts, calendar):
        return f"nothing is owed until there is on record: {words(rule.presupposes)}"
    return ""


def _answered(rule: LatenessRule, book: Book, one: Due, act: Event | None) -> tuple[Status, str]:
    statutory, missing = one.ends[1], f"{NOTHING} that answers it: {words(rule.done_by, ' or ')}"
    if act is not None:
        in_time = not rule.time_stated or act.happened_at < statutory
        return ("ON_RECORD", "in time") if in_time else ("ON_RECORD_LATE", "after that day")
    if book.now < statutory:
        return "RUNNING", "not due yet"
    if not rule.time_stated:
        return "DUTY_OPEN", missing
    if one.covers is not None and one.term is not None and one.term.ends < one.counted:
        why = f"the permit on file ended on {one.term.ends}: whether the duty outlives it is for the town"
        return "PERMIT_OVER", f"{missing}; {why}"
    return "NOT_ON_RECORD", missing


def _by_date(one: Due) -> tuple[Status, str]:
    """A duty about a date of the permit itself: nothing moves off a Sunday."""
    if one.term is not None and one.term.ends > one.counted:
        return "BEYOND_TERM", "the permit on file ends after that day"
    return "WITHIN_TERM", "the permit on file ends by then"


def words(names: Sequence[str], between: str = ", ") -> str:
    """Names of acts as words."""
    return between.join(name.replace("_", " ") for name in names)


def not_kept(rules: Sequence[LatenessRule], book: Book, site: str) -> list[str]:
    """A line for each register that nobody keeps: what is not judged for want of it, and how to begin one."""
    missing: dict[str, list[LatenessRule]] = {}
    for rule in rules:
        if rule.kept_in and not kept(rule, book.register(rule)):
            missing.setdefault(rule.kept_in, []).append(rule)
    return [
        f"{len(found)} dated {'duty is' if len(found) == 1 else 'duties are'} not judged "
        f"({', '.join(dict.fromkeys(one.clause for one in found))}): the town keeps no {kind}; "
        f"`headwater case open {kind} {site} --at DAY` begins one, DAY the first day it speaks for"
        for kind, found in missing.items()
    ]
