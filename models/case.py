"""Cases: append-only events in, status out. Nothing about a case is stored but its events.

The acts of a case are gone through in the order in which they *happened*, never in which they were recorded; each is
allowed or not by the kind's table. An act that is not allowed where it stands is refused when it is recorded; one that
became impossible by another recorded later stays on record as a contradiction, counts for nothing, and is shown. An act
that only another lifts (an order that mining cease) is shown so too, and stands all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property

from models.case_id import CaseId
from models.case_kind import CaseEvent, CaseKind
from models.clock import deadlines
from models.counting import Calendar, calendar_of
from models.errors import BadSite
from models.event import AMENDED, ENDED, OPENED, OWN_EVENTS, RETRACTED, Event, overridden, standing, withdrawn
from models.rules import Ordinance
from models.step import Step

__all__ = [
    "AMENDED", "ENDED", "OPENED", "OWN_EVENTS", "RETRACTED", "Case", "CaseId", "Event", "cases", "reading", "withdrawn",
]  # fmt: skip

AMOUNT = "amount_usd"


@dataclass(frozen=True)
class Contradiction:
    """An act on record that the other acts on record make impossible, and why; ``stands``: it binds all the same."""

    event: Event
    reason: str
    stands: bool = False

    def told(self, act: CaseEvent | None) -> str:
        """What becomes of it, in plain words."""
        if not self.stands or act is None:
            return f"{self.event.name} is contradicted by another act and left out: {self.reason}"
        return (
            f"{self.event.name.upper()} OF THE TOWN IS CONTRADICTED AND STANDS until {' or '.join(act.lifted_by)}: "
            f"{self.reason}"
        )


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
        if self.binding:
            return "open"
        if self.in_effect & set(self.kind.closing_events):
            return "closed"
        acts = [one for one in self.events if not one.own]
        gone = withdrawn(self.events) if self.kind.opened_by == "finding" else True
        return "retracted" if gone and not acts else "open"

    @property
    def state(self) -> str:
        """In plain words, by the newest act that changed it; while an act binds, by that one."""
        said = [self._state_after(one) for one in self.events if not self.binding or one.name in self.binding]
        return next((one for one in reversed(said) if one), self.kind.state)

    @property
    def binding(self) -> frozenset[str]:
        """Acts in effect that only another lifts."""
        return self.in_effect & self.kind.binding

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
        if act is None:
            return ""
        before = {one.name for one in self.events if one.happened_at <= event.happened_at and one != event}
        kept = before & self.in_effect & set(act.keeps_state_of)
        return "" if kept else act.state


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
    acts = _counting(recorded, table.kind)
    for one in acts:
        if one.own:
            read.valid.append(one)
            read.effect |= {OPENED} & {one.name}
    for one in sorted((one for one in acts if not one.own), key=lambda one: dated(one, table.kind)):
        act = table.kind.event_of(one.name)
        reason = f"the law file knows no act {one.name} now" if act is None else refusal(one, act, read, table)
        stands = act is not None and bool(act.lifted_by)
        if reason is not None:
            read.contradictions.append(Contradiction(one, reason, stands))
        if act is not None and (reason is None or stands):
            read.take(one, act)
    return read


def _counting(recorded: Sequence[Event], kind: CaseKind) -> list[Event]:
    """What was not taken out; an act that binds is replaced only by itself put right, and never taken back."""
    acts, out = standing(recorded), overridden(recorded)
    names = {one.key(): one.name for one in recorded}
    bound = [one for one in recorded if one.name in kind.binding and one.key() in out]
    return [*acts, *(one for one in bound if names[out[one.key()]] != one.name)]


def dated(event: Event, kind: CaseKind) -> tuple[object, ...]:
    """Order of acts: when they happened; of one instant as the table lists them. Never when they were recorded."""
    return (event.happened_at, kind.place(event.name), event.key())


def before(event: Event, recorded: Sequence[Event], table: Table) -> Reading:
    """How a case stands just before an act, as far as it is recorded."""
    place = dated(event, table.kind)
    acts = _counting([*recorded, event], table.kind)
    return reading([one for one in acts if one.own or dated(one, table.kind) < place], table)


def refusal(event: Event, act: CaseEvent, read: Reading, table: Table) -> str | None:
    """Why the table does not allow an act where it stands; None where it does."""
    kind, effect = table.kind, read.effect
    closed = [] if effect & kind.binding else sorted(effect & set(kind.closing_events))
    if not _begun(act, read, kind):
        return f"no case is open; {how_it_opens(kind)}"
    if closed and not act.when_closed:
        return f"the case is closed by {closed[0]} of {_day(closed[0], read, table)}"
    if missing := [name for name in act.after_all if name not in effect]:
        return f"it comes only after {' and '.join(missing)}, which does not stand by then"
    if barred := sorted(effect & set(act.not_after)):
        return f"{barred[0]} of {_day(barred[0], read, table)} stands against it"
    if not _preceded(event, act, read, table):
        return _wanted(act, table)
    return _short(event, act, read) or _too_early(event, act, read, table)


def _short(event: Event, act: CaseEvent, read: Reading) -> str | None:
    """An amount that does not reach what it is to cover, parts before it counted."""
    asked = [one for one in read.valid if one.name == act.covers]
    if not asked or not event.fact(AMOUNT):
        return None
    parts = [one for one in read.valid if one.name in act.parts and one.fact(AMOUNT)]
    given = sum((Decimal(one.fact(AMOUNT)) for one in [*parts, event]), Decimal(0))
    wanted = Decimal(asked[-1].fact(AMOUNT) or "0")
    if given >= wanted:
        return None
    part = f"; record it as {act.parts[0]}" if act.parts else ""
    return f"{given} is less than the {wanted} of {asked[-1].name}{part}"


def _too_early(event: Event, act: CaseEvent, read: Reading, table: Table) -> str | None:
    """Before the day that the act it follows named."""
    named = [one for one in read.valid if act.not_before and one.name in act.after and one.fact(act.not_before)]
    if not named or act.not_before is None:
        return None
    day = named[-1].fact(act.not_before)
    return f"{named[-1].name} names {day}" if table.calendar.day(event.happened_at).isoformat() < day else None


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
    return any(one.standing in {"overdue", "done_late"} for one in found)


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
