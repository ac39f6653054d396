"""Steps: an act the law asks of somebody, with its clock where the law states one."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.clause import Clause, EventName, RuleId
from models.field_types import Text

Count = Annotated[int, Field(gt=0)]


class Step(Clause):
    """An act the law asks of somebody, with its clock where the law states one.

    ``deadline``: late when the time is out. ``window``: a power that may be used in that time,
    nobody's default. ``duty``: owed, no time stated. ``receipts``: every act of ``done_by`` is needed.

    The clock runs from an act of ``runs_from`` for one of ``days``, ``working_days``, ``hours``, ``months``.
    ``before``: it counts back from the day that act names (its ``until``), or from the act itself where it names none.
    It stands still from an act of ``paused_by`` to one of ``resumed_by``, begins anew at one of ``restarted_by``, and
    ends on the ``until`` of one of ``extended_by``. ``awaits``: an act that asks -> the act of ``restarted_by`` that
    answers it; what was asked for begins the time anew when it comes, though the time is out by then, unless silence
    had decided before anybody asked. ``not_with``: the step is not there while one of these acts is in
    effect; ``only_with``: it is there only with one of them. ``early_counts``: an act that ends it counts though it
    came before the clock began. ``outlives_case``: owed on though the case is closed. ``applies_from``: a step that is
    information is a deadline for acts from that day on, by a decision that ``site.toml`` names. ``silence``: what it
    means when the time is out and nothing was decided. ``reimburse_years``: the longest supply that may be reimbursed.
    """

    kind: Literal["step"]
    case: RuleId | None = None
    who: Literal["town", "operator", "owner"]
    nature: Literal["deadline", "window", "duty", "receipts", "information"]
    runs_from: tuple[EventName, ...] = ()
    done_by: tuple[EventName, ...] = ()
    days: Count | None = None
    working_days: Count | None = None
    hours: Count | None = None
    months: Count | None = None
    before: bool = False
    paused_by: tuple[EventName, ...] = ()
    resumed_by: tuple[EventName, ...] = ()
    restarted_by: tuple[EventName, ...] = ()
    awaits: dict[EventName, EventName] = Field(default_factory=dict)
    extended_by: tuple[EventName, ...] = ()
    not_with: tuple[EventName, ...] = ()
    only_with: tuple[EventName, ...] = ()
    early_counts: bool = False
    outlives_case: bool = False
    filing: bool = False
    applies_from: date | None = None
    late: Text = ""
    silence: Text = ""
    reimburse_years: Count | None = None

    @property
    def timed(self) -> bool:
        """Whether the law states a time."""
        return any(one is not None for one in (self.days, self.working_days, self.hours, self.months))

    def applied(self, on: date) -> Step:
        """As it binds when its act happened on a day: information, or the deadline a decision made of it."""
        if self.nature != "information" or self.applies_from is None or on < self.applies_from:
            return self
        return self.model_copy(update={"nature": "deadline", "information": False})

    @property
    def acts(self) -> tuple[EventName, ...]:
        """Every act the step reads."""
        moved = (*self.paused_by, *self.resumed_by, *self.restarted_by, *self.extended_by, *self.awaits)
        return (*self.runs_from, *self.done_by, *moved, *self.not_with, *self.only_with)

    @model_validator(mode="after")
    def _clock_fits_nature(self) -> Self:
        counts = [one for one in (self.days, self.working_days, self.hours, self.months) if one is not None]
        if self.nature in {"deadline", "window"} and (len(counts) != 1 or not self.runs_from):
            raise ValueError(f"a {self.nature} needs runs_from and either days or hours, working_days or months")
        if self.nature in {"duty", "receipts"} and counts:
            raise ValueError(f"a {self.nature} has no time: take days, working_days, hours and months out")
        if self.case is None and self.nature != "information":
            raise ValueError("needs the case it belongs to")
        return self

    @model_validator(mode="after")
    def _moves_a_clock(self) -> Self:
        moves = self.before or self.paused_by or self.resumed_by or self.restarted_by or self.extended_by
        if moves and self.nature not in {"deadline", "window"}:
            raise ValueError(f"a {self.nature} has no clock to move")
        if bool(self.paused_by) != bool(self.resumed_by):
            raise ValueError("paused_by and resumed_by need each other")
        if set(self.awaits.values()) - {*self.restarted_by}:
            raise ValueError("what awaits names is an act of restarted_by")
        return self
