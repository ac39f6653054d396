"""Going through the acts of a case in the order in which they happened: what counts, what is in effect, what ended it.

Each act is allowed or not by the kind's table, and by nothing else than the acts on record and when they happened. What
became impossible by another act recorded later stays on record as a contradiction, counts for nothing, and is shown. A
determination of the town is shown so too, and stands all the same: only the town's own act ends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from models.case_id import CaseId
from models.case_kind import CaseEvent, CaseKind
from models.clock import Deadline, deadlines
from models.counting import Calendar
from models.errors import BadSite
from models.event import AMENDED, ENTRY_WITHDRAWN, OPENED, Event, overridden, standing
from models.rules import Ordinance
from models.step import Step

AMOUNT = "amount_usd"


@dataclass(frozen=True)
class Contradiction:
    """An act on record that the other acts on record speak against, and why; ``stands``: it binds all the same."""

    event: Event
    reason: str
    stands: bool = False

    def told(self, act: CaseEvent | None) -> str:
        """What becomes of it, in plain words."""
        if not self.stands or act is None:
            return f"{self.event.name} is contradicted by another act and left out: {self.reason}"
        return f"{self.event.name.upper()} OF THE TOWN IS CONTRADICTED AND STANDS until {ended_by(act)}: {self.reason}"


def ended_by(act: CaseEvent) -> str:
    """What ends a determination, in plain words."""
    return " or ".join(act.lifted_by) or "the town's own act ends it"


@dataclass(frozen=True)
class Table:
    """What a kind of case is judged with: its table of acts, its steps, and how time is counted."""

    kind: CaseKind
    steps: tuple[Step, ...]
    calendar: Calendar


@dataclass
class Reading:
    """How far the acts of a case have been gone through.

    ``valid``: those that count. ``standing``: those of them in effect, each by itself. ``gone``: key of an act that
    ended others -> what it ended.
    """

    valid: list[Event] = field(default_factory=list)
    standing: list[Event] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)
    gone: dict[str, tuple[Event, ...]] = field(default_factory=dict)

    @property
    def effect(self) -> set[str]:
        """Names of the acts in effect."""
        return {one.name for one in self.standing}

    def before_it(self, act: CaseEvent, event: Event) -> set[str]:
        """Names of the acts in effect that an act may follow: about the same thing, where it is about one."""
        return {one.name for one in self.standing if alike(act, event, one)}

    def take(self, event: Event, act: CaseEvent) -> None:
        """The act counts from here on."""
        ended = [one for one in self.standing if one.name in act.ended and alike(act, event, one)]
        self.valid.append(event)
        self.standing = [*(one for one in self.standing if one not in ended), event]
        if ended:
            self.gone[event.key()] = tuple(ended)

    def enders(self, kind: CaseKind) -> dict[str, str]:
        """Key of each act that only another lifts -> key of the act that did, "" while it is in effect."""
        found = {one.key(): "" for one in self.valid if one.name in kind.binding}
        return found | {one.key(): key for key, those in self.gone.items() for one in those if one.key() in found}


def alike(act: CaseEvent, event: Event, other: Event) -> bool:
    """Whether two acts are about the same thing (``same``: a section); what states none is about every one."""
    said = (event.fact(act.same), other.fact(act.same)) if act.same else ("", "")
    return "" in said or said[0] == said[1]


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


def reading(recorded: Sequence[Event], table: Table) -> Reading:
    """Go through the acts of one case in the order they happened.

    What the program noted comes first: it notes a duty on some later night, and no act waits for that.
    """
    read = Reading()
    acts = _counting(recorded, table.kind)
    for one in acts:
        if one.own:
            read.valid.append(one)
            read.standing += [one] if one.name == OPENED and OPENED not in read.effect else []
    for one in sorted((one for one in acts if not one.own), key=lambda one: dated(one, table.kind)):
        _go_on(one, table.kind.event_of(one.name), read, table)
    return read


def _go_on(event: Event, act: CaseEvent | None, read: Reading, table: Table) -> None:
    if act is None:
        read.contradictions.append(Contradiction(event, f"the law file knows no act {event.name} now"))
        return
    refused = refusal(event, act, read, table)
    reason = refused or doubt(act, read, table)
    if reason is not None:
        read.contradictions.append(Contradiction(event, reason, act.determination or refused is None))
    if refused is None or act.determination:
        read.take(event, act)


def _counting(recorded: Sequence[Event], kind: CaseKind) -> list[Event]:
    """What was not taken out. A determination is replaced only by itself put right, and taken back only by a vote."""
    acts, out = standing(recorded), overridden(recorded)
    by_key = {one.key(): one for one in recorded}
    town = {one.name for one in kind.event if one.determination}
    gone = [one for one in recorded if one.name in town and one.key() in out]
    return [*acts, *(one for one in gone if not _may_replace(by_key[out[one.key()]], one, kind))]


def _may_replace(correction: Event, event: Event, kind: CaseKind) -> bool:
    voted = not kind.votes(event.name) or bool(correction.vote)
    back = correction.name == ENTRY_WITHDRAWN and event.name not in kind.binding and voted
    return correction.name == event.name or back


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
    closed = sorted(kind.closed_by(effect))
    if not _begun(act, read, kind):
        return f"no case is open; {how_it_opens(kind)}"
    if early := _before_its_case(event, read, table):
        return early
    if closed and not act.when_closed:
        return f"the case is closed by {closed[0]} of {_day(closed[0], read, table)}"
    follows = read.before_it(act, event)
    if missing := [name for name in act.after_all if name not in follows]:
        return f"it comes only after {' and '.join(missing)}{_about(act, event)}, which does not stand by then"
    if barred := sorted(effect & set(act.not_after)):
        return f"{barred[0]} of {_day(barred[0], read, table)} stands against it"
    if not _preceded(event, act, read, table):
        return _wanted(event, act, table)
    return _short(event, act, read) or _too_early(event, act, read, table)


def doubt(act: CaseEvent, read: Reading, table: Table) -> str | None:
    """What the record holds against a determination that the table leaves to the town."""
    if against := sorted(read.effect & set(act.doubted_after)):
        return f"{against[0]} of {_day(against[0], read, table)} speaks against it"
    ended = [one for one in read.standing if one.name in act.ended]
    if act.for_contested and not any(one.event in ended for one in read.contradictions):
        names = " or ".join(sorted({one.name for one in ended}))
        return f"nothing on record speaks against {names}; {act.for_contested}"
    return None


def _before_its_case(event: Event, read: Reading, table: Table) -> str | None:
    """No act answers a finding that comes before the day it was first due; one that moved since may be earlier."""
    if table.kind.opened_by != "finding" or any(one.name == AMENDED for one in read.valid):
        return None
    first = CaseId.parse(event.case).opened
    if table.calendar.day(event.happened_at) >= first:
        return None
    return f"{table.kind.clause} begins with the condition, and the finding names {first} as the first day of it"


def _about(act: CaseEvent, event: Event) -> str:
    return f" of {act.same} {event.fact(act.same)}" if act.same and event.fact(act.same) else ""


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
    if not (act.after or act.after_overdue) or read.before_it(act, event) & set(act.after):
        return True
    return bool(ran_out(event, act, read, table))


def ran_out(event: Event, act: CaseEvent, read: Reading, table: Table) -> list[Deadline]:
    """The times that are out by then, of those that an act may follow."""
    steps = [one for one in table.steps if one.id in act.after_overdue]
    found = deadlines("", steps, read.valid, table.calendar, event.happened_at)
    return [one for one in found if one.standing in {"overdue", "done_late"}]


def _wanted(event: Event, act: CaseEvent, table: Table) -> str:
    waits = [
        f"once the time of {one.title} ({one.clause}) is out" for one in table.steps if one.id in act.after_overdue
    ]
    names = [f"after {' or '.join(act.after)}{_about(act, event)}"] if act.after else []
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
