"""The town's permit to mine: its dates, who holds it, and what was decided about it."""

from __future__ import annotations

from datetime import date
from typing import Self

from pydantic import Field, model_validator

from models.field_types import Day, Id, Text
from models.toml_file import Noun


class Holder(Noun):
    """Who holds the permit from a date on."""

    party: Id
    since: Day


class Decision(Noun):
    """A decision that asks for something; ``until``: the last day it does, where it was revoked or has run out."""

    decision: Text = Field(min_length=1)
    on: Day
    until: Day | None = None

    def asks(self, day: date) -> bool:
        """Whether it asks on a day."""
        return self.on <= day <= (self.until or date.max)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.until is not None and self.until < self.on:
            raise ValueError("until must not come before on, the day of the decision")
        return self


class Requirement(Decision):
    """Something the Plan Commission required under 2.06(4)(c)1: turns a discretionary rule on.

    ``only``: of a rule with several requirements, those it asks for by name; all where none is named.
    """

    rule: str
    only: tuple[str, ...] = ()


class Applied(Noun):
    """A step that is information by itself, and a duty here by a condition of the permit or an approval (DNR's)."""

    rule: str
    decision: Text
    on: Day


class PreExisting(Noun):
    """The decision that the operation is older than the ordinance; ``lost_on``: the day it ceased to be treated so."""

    decision: Text
    on: Day
    lost_on: Day | None = None

    def spared(self, on: date) -> bool:
        """Whether it is treated as older than the ordinance on a day."""
        return self.lost_on is None or on < self.lost_on


class Permit(Noun):
    """The town's permit to mine."""

    number: str
    granted: Day
    ends: Day
    lease_ends: Day | None = None
    mining_began: Day
    holders: tuple[Holder, ...] = Field(min_length=1)
    required: tuple[Requirement, ...] = ()
    applies: tuple[Applied, ...] = ()
    pre_existing: PreExisting | None = None
