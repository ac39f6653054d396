"""Kinds of case as data of an ordinance file: which acts a case knows, when each is allowed, and what it must say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.clause import EventName, RuleId
from models.event import ENTRY_WITHDRAWN, OPENED, SAYABLE
from models.field_types import Text
from models.toml_file import Noun

FIELDS = SAYABLE - {"corrects"}
"""Fields of an event that a kind of case may require."""


class Fact(Noun):
    """Something an act must or may state, by name.

    ``year``: a calendar year in four digits. ``run_of`` (a date): so many days before the act, by that policy.
    ``not_before_act`` (a date): on the act's own day or later; ``not_after_act``: by then. ``not_before`` (a date):
    another such fact that it does not come before; ``span_of``: a step, by whose ``reimburse_years`` the days from that
    other fact to this one are bounded, both counted. ``operator``: an operator of the site, by its id.
    ``document``: the name or number of a paper, no sentence.
    """

    name: EventName
    kind: Literal["date", "year", "money", "text", "document", "operator"]
    means: Text
    one_of: tuple[str, ...] = ()
    run_of: str = ""
    not_before_act: bool = False
    not_after_act: bool = False
    not_before: EventName | None = None
    span_of: RuleId | None = None


class CaseEvent(Noun):
    """An act that may be recorded in a case, whose act it is, and when the clause allows it.

    An act is *in effect* from its own time until a later act that ``ends`` it. ``after``: any of these must be in
    effect. ``after_all``: all of them. ``not_after``: none of them. ``after_overdue``: steps whose statutory time must
    be out with nothing that ends it. ``requires``: fields and facts it must state; ``facts``: those it may.
    ``standing``: only for a parcel within the kind's distance, or only beyond it; an act of ``standing_by`` in effect
    stands in for being within. ``when_closed``: also in a closed case. ``state``: how the case then stands as long as
    the act is in effect (``{until}`` and ``{section}`` are what it states), unless an act of ``keeps_state_of`` is in
    effect; ``state_with``: how it stands where another act is in effect.

    ``undoes``: it ends these, and what was owed before them is owed again. ``same``: a fact; the act follows and ends
    only acts that state the same of it. ``doubted_after``: an act in effect that speaks against a determination and
    does not forbid it. ``for_contested``: why a determination that no act on record contradicts is not ended so.

    ``also_by``: who may record it beside whose act it is and the town. ``bodies``: which offices may determine it.
    ``any_vote``: a motion that failed decides it too; ``any_vote_if``: only where it states such a ``fact=value``.
    ``determines``: a determination of the town, whether or not by a vote; it stands until the town's own act ends it.
    ``lifted_by``: nothing else takes it out of effect: no entry taken back, no act that comes to light later.
    ``covers``: its amount, with those of ``parts``, reaches that of this act. ``not_before``: a fact of the act it
    follows, whose day it waits for. ``term_years``: the longest term, from the act or from the end of the term before.
    ``ahead_by``: a fact that shows it was decided before what it follows, as under a standing delegation.
    """

    name: EventName
    who: Literal["town", "operator", "owner", "court", "agency"]
    means: Text
    clause: str = ""
    after: tuple[EventName, ...] = ()
    after_all: tuple[EventName, ...] = ()
    not_after: tuple[EventName, ...] = ()
    after_overdue: tuple[RuleId, ...] = ()
    ends: tuple[EventName, ...] = ()
    requires: tuple[str, ...] = ()
    facts: tuple[EventName, ...] = ()
    standing: Literal["within", "beyond"] | None = None
    standing_by: tuple[EventName, ...] = ()
    when_closed: bool = False
    state: Text = ""
    keeps_state_of: tuple[EventName, ...] = ()
    state_with: dict[EventName, Text] = Field(default_factory=dict)
    undoes: tuple[EventName, ...] = ()
    same: EventName | None = None
    doubted_after: tuple[EventName, ...] = ()
    for_contested: Text = ""
    determines: bool = False
    also_by: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()
    any_vote: bool = False
    any_vote_if: tuple[str, ...] = ()
    lifted_by: tuple[EventName, ...] = ()
    covers: EventName | None = None
    parts: tuple[EventName, ...] = ()
    not_before: EventName | None = None
    term_years: Annotated[int, Field(gt=0)] | None = None
    ahead_by: EventName | None = None

    def names(self) -> set[str]:
        """Every event this one speaks of."""
        named = {*self.after, *self.after_all, *self.not_after, *self.ended, *self.standing_by, *self.keeps_state_of}
        named |= {*self.lifted_by, *self.parts, *self.doubted_after, *self.state_with}
        return named | ({self.covers} if self.covers else set())

    @property
    def ended(self) -> tuple[EventName, ...]:
        """What it takes out of effect."""
        return (*self.ends, *self.undoes)

    @property
    def determination(self) -> bool:
        """Whether the town determines by it: it stands until the town's own act ends it."""
        return self.determines or (self.who == "town" and "vote" in self.requires)

    def told(self, effect: set[str], stated: Mapping[str, str]) -> str:
        """How the case stands by it, in plain words."""
        text = next((text for name, text in self.state_with.items() if name in effect), self.state)
        for name, value in stated.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def stated(self) -> tuple[str, ...]:
        """Facts it must or may state."""
        return tuple(name for name in (*self.requires, *self.facts) if name not in FIELDS)


class CaseKind(Noun):
    """A kind of case: what it is about, how it opens, and which acts it knows, in the order of one instant.

    ``is_register``: a book of what was filed, paid and told, and no dispute; dated duties are judged from it.
    ``bodies``: which offices determine its acts where an act does not say. ``before_permit``: may precede the permit.
    """

    id: RuleId
    clause: str
    title: Text
    subject: Literal["gauge", "property", "site"]
    opened_by: Literal["finding", "event"]
    is_register: bool = False
    opening_events: tuple[EventName, ...] = ()
    closing_events: tuple[EventName, ...] = ()
    standing_mi: Annotated[Decimal, Field(gt=0)] | None = None
    standing_clause: str = ""
    town_claims_under: str = ""
    bodies: tuple[str, ...] = ()
    before_permit: bool = False
    state: Text = ""
    event: tuple[CaseEvent, ...]

    @property
    def binding(self) -> frozenset[str]:
        """Acts that stand until one that lifts them."""
        return frozenset(one.name for one in self.event if one.lifted_by)

    def closed_by(self, effect: Collection[str]) -> set[str]:
        """Acts in effect that close a case; none while an order stands that only another act lifts."""
        closing = {*self.closing_events}
        return set() if self.binding & set(effect) - closing else closing & set(effect)

    def votes(self, name: str) -> bool:
        """Whether an act is determined by a vote."""
        act = self.event_of(name)
        return act is not None and "vote" in act.requires

    def deciding(self, act: CaseEvent) -> tuple[str, ...]:
        """The offices that may determine an act."""
        return act.bodies or self.bodies

    def event_of(self, name: str) -> CaseEvent | None:
        return next((one for one in self.event if one.name == name), None)

    def place(self, name: str) -> int:
        """Order of acts of one instant: as the table lists them."""
        return next((n for n, one in enumerate(self.event) if one.name == name), -1)

    @model_validator(mode="after")
    def _joined_up(self) -> Self:
        names = [one.name for one in self.event]
        if twice := sorted({one for one in names if names.count(one) > 1}):
            raise ValueError(f"{self.id}: event named twice: {', '.join(twice)}")
        if self.is_register and (self.subject, self.opened_by) != ("site", "event"):
            raise ValueError(f"{self.id}: a register is about the site and opens by an act")
        if own := sorted({OPENED, ENTRY_WITHDRAWN} & set(names)):
            raise ValueError(f"{self.id}: {', '.join(own)} is the program's own word")
        for one in self.event:
            if unknown := sorted(one.names() - {*names, OPENED}):
                raise ValueError(f"{self.id}: {one.name} names no event of this case: {', '.join(unknown)}")
            enders = {each.name for each in self.event if one.name in each.ended}
            if one.lifted_by and enders != set(one.lifted_by):
                raise ValueError(f"{self.id}: {one.name} is ended by {', '.join(sorted(enders))} and lifted by others")
            if {"body", "vote"} & set(one.requires) and not self.deciding(one):
                raise ValueError(f"{self.id}: {one.name} is determined by no body")
            if one.standing and self.standing_mi is None:
                raise ValueError(f"{self.id}: {one.name} asks for standing: standing_mi is missing")
        return self
