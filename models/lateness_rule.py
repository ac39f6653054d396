"""Dated duties of an ordinance: who owes what by which day, and which recorded act shows that it was done."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.clause import Clause, EventName, RuleId
from models.field_types import Text

Count = Annotated[int, Field(gt=0)]
PermitDate = Literal["mining_began", "permit_granted", "permit_ends", "lease_ends", "transfer"]


class LatenessRule(Clause):
    """A duty with a due day: a day of every year, or a time before or after a date of the permit or a recorded act.

    ``due_as``: the day stands in another table of the file. ``covers``: the calendar year a yearly duty is about; one
    that ended before mining began is owed by nobody. ``of``: the date counted from; ``transfer`` is each change of
    holder, ``act`` each act of ``starts``. ``each_year``: again on every anniversary. ``kept_in``: the register
    whose acts are read; ``also_in``: another kind of case that holds some of them, so that an act stands in one place
    only. ``renewed_in``, ``renewed_by``: the kind of case and its acts that add a term to the permit, which then ends
    with the last. ``done_on``: the duty is met by a date of the permit, not by an act. ``set_aside_by``: an act
    between the start and the due day after which nothing falls due. ``presupposes``: nothing is owed until one of these
    acts is on record, ``presupposes_each_year`` in the register of the year. ``time_stated`` false: the clause names no
    time, so that nothing is ever late. ``filing``: moves off a Saturday where the town's office is closed.
    """

    kind: Literal["lateness"]
    who: Literal["town", "operator", "owner"]
    due_as: Literal["annual_report"] | None = None
    due_month: Annotated[int, Field(ge=1, le=12)] | None = None
    due_day: Annotated[int, Field(ge=1, le=31)] | None = None
    covers: Literal["year_before", "same_year"] = "same_year"
    of: PermitDate | Literal["act"] | None = None
    starts: tuple[EventName, ...] = ()
    days_before: Count | None = None
    days_after: Annotated[int, Field(ge=0)] | None = None
    years_after: Count | None = None
    each_year: bool = False
    kept_in: RuleId | None = None
    also_in: RuleId | None = None
    renewed_in: RuleId | None = None
    renewed_by: tuple[EventName, ...] = ()
    done_by: tuple[EventName, ...] = ()
    done_on: Literal["permit_ends"] | None = None
    set_aside_by: tuple[EventName, ...] = ()
    presupposes: tuple[EventName, ...] = ()
    presupposes_each_year: bool = False
    time_stated: bool = True
    filing: bool = False
    late: Text = ""

    @property
    def yearly(self) -> bool:
        """Whether a day of the calendar year is due, so that an act belongs to the register of that year."""
        return self.of is None

    @property
    def about_the_term(self) -> bool:
        """Whether it is counted from the end of a term of the permit, or judged by it."""
        return self.of == "permit_ends" or self.done_on is not None

    @property
    def kinds(self) -> tuple[RuleId, ...]:
        """The kinds of case whose acts it reads."""
        return tuple(one for one in (self.kept_in, self.also_in) if one is not None)

    @property
    def acts(self) -> tuple[EventName, ...]:
        """Every act the rule reads."""
        return (*self.starts, *self.done_by, *self.set_aside_by, *self.presupposes)

    @model_validator(mode="after")
    def _one_due_day(self) -> Self:
        day_of_year = self.due_month is not None and self.due_day is not None
        if day_of_year + (self.due_as is not None) + (self.of is not None) != 1:
            raise ValueError("needs one of: due_month and due_day, due_as, of")
        counted = [self.days_before, self.days_after, self.years_after]
        if len([one for one in counted if one is not None]) != (self.of is not None):
            raise ValueError("of needs one of days_before, days_after, years_after; a day of the year needs none")
        if (self.of == "act") != bool(self.starts):
            raise ValueError('of = "act" and starts need each other')
        return self

    @model_validator(mode="after")
    def _one_way_to_be_done(self) -> Self:
        if bool(self.done_by) == (self.done_on is not None):
            raise ValueError("needs either done_by or done_on")
        if bool(self.acts) != (self.kept_in is not None):
            raise ValueError("acts and the register they stand in need each other")
        if self.also_in is not None and self.kept_in is None:
            raise ValueError("also_in needs kept_in")
        if bool(self.renewed_by) != (self.renewed_in is not None):
            raise ValueError("renewed_by and renewed_in need each other")
        return self
