"""Cases: append-only events in, status out. Nothing about a case is stored but its events.

The acts of a case are gone through in the order in which they *happened*, never in which they were recorded; each is
allowed or not by the kind's table. An act that is not allowed where it stands is refused when it is recorded; one that
became impossible by another recorded later stays on record as a contradiction, counts for nothing, and is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from models.case_kind import CaseEvent, CaseKind
from models.clock import deadlines
from models.counting import Calendar, calendar_of
from models.errors import BadQuestion, BadSite
from models.event import AMENDED, ENDED, OPENED, OWN_EVENTS, RETRACTED, Event, overridden, standing, withdrawn
from models.rules import Ordinance
from models.step import Step

__all__ = [
    "AMENDED", "ENDED", "OPENED", "OWN_EVENTS", "RETRACTED", "Case", "CaseId", "Event", "cases", "reading", "withdrawn",
]  # fmt: skip

_CASE_ID = re.compile(
    r"^(?P<kind>[a-z0-9_.]+)/(?P<subject>[A-Za-z0-9._-]+)/(?P<opened>\d{4}-\d{2}-\d{2})(\.(?P<number>[2-9]))?$"
)


@dataclass(frozen=True)
class CaseId:
    """``kind/subject/date`` as in ``howard.baseflow/LMC-1/2025-08-25``; ``.2`` after it is a second one of that day."""

    kind: str
    subject: str
    opened: date
    number: int = 1

    def __str__(self) -> str:
        return f"{self.kind}/{self.subject}/{self.opened}" + (f".{self.number}" if self.number > 1 else "")

    @staticmethod
    def parse(text: str) -> CaseId:
        """Read a case id.

        Raises
        ------
        BadQuestion : not of the form kind/subject/YYYY-MM-DD.
        """
        match = _CASE_ID.match(text)
        try:
            if match:
                opened = date.fromisoformat(match["opened"])
                return CaseId(match["kind"], match["subject"], opened, int(match["number"] or 1))
        except ValueError:
            pass
        raise BadQuestion("not a case id", found=text, allowed=["kind/subject/YYYY-MM-DD"])


@dataclass(frozen=True)
class Contradiction:
    """An act on record that the other acts on record make impossible, and why."""

    event: Event
    reason: str


@dataclass(frozen=True)
class Table:
    """What a kind of case is judged with: its table of acts, its steps, and how time is counted."""

    kind: CaseKind
    steps: tuple[Step, ...]
    calendar: Calendar


@dataclass
class Reading:
    """How far the acts of a case have been gone through: those that count, and which are in effect."""

    valid: list[Event] = field(default_factory=list)
    effect: set[str] = field(default_factory=set)
    contradictions: list[Contradiction] = field(default_factory=list)

    def take(self, event: Event, act: CaseEvent) -> None:
        """The act counts from here on."""
        self.valid.append(event)
        self.effect = (self.effect - set(act.ends)) | {act.name}


@dataclass(frozen=True)
class Case:
    """A case as its events say it stands. ``recorded``: everything on record. ``events``: what stands and counts."""

    id: str
    kind: CaseKind
    events: tuple[Event, ...]
    recorded: tuple[Event, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    in_effect: frozenset[str] = frozenset()

    @property
    def status(self) -> str:
        """``open``, ``closed`` or ``retracted``: what opened it (a finding, an entry) no longer stands."""
        if self.in_effect & set(self.kind.closing_events):
            return "closed"
        acts = [one for one in self.events if not one.own]
        gone = withdrawn(self.events) if self.kind.opened_by == "finding" else True
        return "retracted" if gone and not acts else "open"

    @property
    def state(self) -> str:
        """In plain words, by the newest act that changed it."""
        said = [self._state_after(one) for one in self.events]
        return next((one for one in reversed(said) if one), self.kind.state)

    @property
    def incident(self) -> str:
        """The label that cases of one incident share, as last given."""
        return next((one.incident for one in reversed(self.events) if one.incident), "")

    @cached_property
    def overridden(self) -> dict[str, str]:
        """Key of each event that a correction took out -> key of the correction."""
        return overridden(self.recorded)

    def _state_after(self, event: Event) -> str:
        act = self.kind.event_of(event.name)
        return act.state if act else ""


def cases(events: Iterable[Event], law: Ordinance, calendar: Calendar | None = None) -> list[Case]:
    """Events gathered into cases, in order of their first act.

    Parameters
    ----------
    events : any order.
    calendar : how time is counted; unsaid, the law's with the town's office closed on Saturday.
    """
    grouped: dict[str, list[Event]] = {}
    for event in sorted(events, key=lambda one: (one.happened_at, one.recorded_at)):
        grouped.setdefault(event.case, []).append(event)
    calendar = calendar or calendar_of(law)
    return [_case(id, group, table_of(CaseId.parse(id), law, calendar)) for id, group in grouped.items()]


def table_of(id: CaseId, law: Ordinance, calendar: Calendar) -> Table:
    """The table a case is judged with.

    Raises
    ------
    BadSite : no such kind of case.
    """
    kind = law.case_kind(id.kind)
    if kind is None:
        raise BadSite("no such kind of case", key="case", found=id.kind, allowed=[one.id for one in law.case])
    return Table(kind, law.steps(kind.id), calendar)


def _case(id: str, recorded: Sequence[Event], table: Table) -> Case:
    read = reading(recorded, table)
    events = tuple(sorted(read.valid, key=lambda one: one.happened_at))
    return Case(id, table.kind, events, tuple(recorded), tuple(read.contradictions), frozenset(read.effect))


def reading(recorded: Sequence[Event], table: Table) -> Reading:
    """Go through the acts of one case in the order they happened.

    What the program noted comes first: it notes a duty on some later night, and no act waits for that.
    """
    read = Reading()
    acts = standing(recorded)
    for one in acts:
        if one.own:
            read.valid.append(one)
            read.effect |= {OPENED} & {one.name}
    for one in sorted((one for one in acts if not one.own), key=lambda one: dated(one, table.kind)):
        act = table.kind.event_of(one.name)
        reason = f"the law file knows no act {one.name} now" if act is None else refusal(one, act, read, table)
        if act is None or reason is not None:
            read.contradictions.append(Contradiction(one, reason or ""))
        else:
            read.take(one, act)
    return read


def dated(event: Event, kind: CaseKind) -> tuple[object, ...]:
    """Order of acts: when they happened; of one instant as the table lists them. Never when they were recorded."""
    return (event.happened_at, kind.place(event.name), event.key())


def before(event: Event, recorded: Sequence[Event], table: Table) -> Reading:
    """How a case stands just before an act, as far as it is recorded."""
    place = dated(event, table.kind)
    acts = standing([*recorded, event])
    return reading([one for one in acts if one.own or dated(one, table.kind) < place], table)


def refusal(event: Event, act: CaseEvent, read: Reading, table: Table) -> str | None:
    """Why the table does not allow an act where it stands; None where it does."""
    kind, effect = table.kind, read.effect
    closed = sorted(effect & set(kind.closing_events))
    if not _begun(act, read, kind):
        return f"no case is open; {how_it_opens(kind)}"
    if closed and not act.when_closed:
        return f"the case is closed by {closed[0]} of {_day(closed[0], read, table)}"
    if missing := [name for name in act.after_all if name not in effect]:
        return f"it comes only after {' and '.join(missing)}, which does not stand by then"
    if barred := sorted(effect & set(act.not_after)):
        return f"{barred[0]} of {_day(barred[0], read, table)} stands against it"
    return None if _preceded(event, act, read, table) else _wanted(act, table)


def _begun(act: CaseEvent, read: Reading, kind: CaseKind) -> bool:
    if kind.opened_by == "finding":
        return OPENED in read.effect
    return act.name in kind.opening_events or any(not one.own for one in read.valid)


def _preceded(event: Event, act: CaseEvent, read: Reading, table: Table) -> bool:
    """Whether what it must follow is in effect, or a time is out that it may follow instead."""
    if not (act.after or act.after_overdue) or read.effect & set(act.after):
        return True
    steps = [one for one in table.steps if one.id in act.after_overdue]
    found = deadlines("", steps, read.valid, table.calendar, event.happened_at)
    return any(one.standing == "overdue" for one in found)


def _wanted(act: CaseEvent, table: Table) -> str:
    waits = [
        f"once the time of {one.title} ({one.clause}) is out" for one in table.steps if one.id in act.after_overdue
    ]
    names = [f"after {' or '.join(act.after)}"] if act.after else []
    return f"it comes only {', or '.join([*names, *waits])}; that is not so by then"


def _day(name: str, read: Reading, table: Table) -> str:
    last = [one for one in read.valid if one.name == name]
    return table.calendar.day(last[-1].happened_at).isoformat() if last else "before"


def how_it_opens(kind: CaseKind) -> str:
    """In plain words."""
    return "a finding opens it" if kind.opened_by == "finding" else f"it opens by {' or '.join(kind.opening_events)}"


def allowed(read: Reading, table: Table, at: Event) -> list[str]:
    """The acts the table allows where another stands."""
    return [one.name for one in table.kind.event if refusal(at, one, read, table) is None]
