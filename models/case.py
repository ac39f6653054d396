"""Cases: append-only events in, status out. Nothing about a case is stored but its events.

How a case stands follows from the acts in effect (`models.case_reading`), never from the newest act or the order of
recording: an order that only another act lifts is told before all else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property

from models.case_id import CaseId
from models.case_kind import CaseKind
from models.case_reading import Contradiction, Table, reading, table_of
from models.counting import Calendar, calendar_of
from models.event import Event, overridden, withdrawn
from models.rules import Ordinance

__all__ = ["Case", "CaseId", "Event", "cases"]


@dataclass(frozen=True)
class Case:
    """A case as its events say it stands.

    ``recorded``: everything on record. ``events``: what stands and counts. ``standing``: those of them in effect.
    ``gone``: key of an act that ended others -> what it ended.
    """

    id: str
    kind: CaseKind
    events: tuple[Event, ...]
    recorded: tuple[Event, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    standing: tuple[Event, ...] = ()
    gone: Mapping[str, tuple[Event, ...]] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``open``, ``closed`` or ``retracted``: what opened it (a finding, an entry) no longer stands."""
        if self.kind.closed_by(self.in_effect):
            return "closed"
        acts = [one for one in self.events if not one.own]
        gone = withdrawn(self.events) if self.kind.opened_by == "finding" else True
        return "retracted" if gone and not acts else "open"

    @property
    def state(self) -> str:
        """In plain words: every order in effect that only another act lifts, else the newest act in effect; a term."""
        orders = [one for one in self.standing if one.name in self.binding]
        said = list(dict.fromkeys(one for one in map(self._told, self._by_weight(orders)) if one))
        if not said:
            said = [one for one in map(self._told, self.standing) if one][-1:] or [self.kind.state]
        term = self._told(self.term) if self.term else ""
        return "; ".join(one for one in dict.fromkeys([*said, term]) if one)

    def state_on(self, day: date) -> str:
        """The same on a day: a term that is over is told first."""
        over = self.term is not None and self.term.until is not None and self.term.until < day
        return f"its term ended on {self.term.until}; {self.state}" if over and self.term else self.state

    @property
    def term(self) -> Event | None:
        """The act in effect that says until when what it grants lasts; of several, the one that lasts longest."""
        lasting = {one.name for one in self.kind.event if one.term_years}
        terms = [one for one in self.standing if one.name in lasting and one.until is not None]
        return max(terms, key=lambda one: one.until or date.min, default=None)

    @property
    def in_effect(self) -> frozenset[str]:
        """Names of the acts in effect."""
        return frozenset(one.name for one in self.standing)

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

    def _by_weight(self, orders: Iterable[Event]) -> list[Event]:
        """The gravest first: as the table lists them, from its end."""
        return sorted(orders, key=lambda one: -self.kind.place(one.name))

    def _told(self, event: Event) -> str:
        act = self.kind.event_of(event.name)
        before = {one.name for one in self.events if one.happened_at <= event.happened_at and one != event}
        if act is None or before & self.in_effect & set(act.keeps_state_of):
            return ""
        until = {"until": event.until.isoformat()} if event.until else {}
        return act.told(set(self.in_effect), dict(event.facts) | until)


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


def _case(id: str, recorded: Sequence[Event], table: Table) -> Case:
    read = reading(recorded, table)
    events = tuple(sorted(read.valid, key=lambda one: one.happened_at))
    return Case(
        id, table.kind, events, tuple(recorded), tuple(read.contradictions), tuple(read.standing), dict(read.gone)
    )  # fmt: skip
