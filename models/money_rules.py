"""The clauses about money: funds an operator posts and the town may draw, and what a violation may cost."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.clause import Clause, EventName, RuleId
from models.field_types import Positive, Text
from models.toml_file import Noun

FundName = Annotated[str, Field(pattern=r"^[a-z]+$")]


class Fund(Noun):
    """One purpose of the assurance, kept apart from the others. ``uses``: what may be drawn from it.

    ``cases``: the kinds of case in which it is drawn on; where there are none a movement may stand by itself.
    ``draw_after``: acts of the case, any of which the law wants before a supply is paid; ``draw_facts``: what such an
    act must say where it says it at all; ``draw_until``: acts in effect with whose day the supply to pay for ends.
    """

    name: FundName
    clause: str
    title: Text
    uses: tuple[FundName, ...] = Field(min_length=1)
    cases: tuple[RuleId, ...] = ()
    draw_after: tuple[EventName, ...] = ()
    draw_facts: dict[EventName, Text] = Field(default_factory=dict)
    draw_until: tuple[EventName, ...] = ()


class FundsRule(Clause):
    """Financial assurance of an operator, and the repayment of a supply the operator did not owe.

    ``within_mi``: the households it is measured by. ``repaid_under``: the step whose ``reimburse_years`` bounds a
    repayment; ``repaid_after``: acts of the case that say the operator was not the cause; ``repaid_not_after``: acts of
    a case that knows no repayment; ``elected_by``: acts by which the operator elects it. ``impacted_by``: acts that
    show a property beyond ``within_mi`` to be impacted. ``rests_on``: movement of money -> the acts of its case that
    determined or provided it, whose amounts it never exceeds.
    """

    kind: Literal["funds"]
    within_mi: Positive | None = None
    fund: tuple[Fund, ...] = Field(min_length=1)
    repaid_under: RuleId | None = None
    repaid_after: tuple[EventName, ...] = ()
    repaid_not_after: tuple[EventName, ...] = ()
    elected_by: tuple[EventName, ...] = ()
    impacted_by: tuple[EventName, ...] = ()
    rests_on: dict[Literal["request", "meet", "release"], tuple[EventName, ...]] = Field(default_factory=dict)

    def fund_of(self, name: str) -> Fund | None:
        return next((one for one in self.fund if one.name == name), None)

    @model_validator(mode="after")
    def _told_apart(self) -> Self:
        if bool(self.repaid_after) != (self.repaid_under is not None):
            raise ValueError("repaid_after and repaid_under belong together")
        if len({one.name for one in self.fund}) != len(self.fund):
            raise ValueError("a fund is named twice")
        return self


class ExposureRule(Clause):
    """What a violation may cost by the day, once adjudicated: ``least_usd`` to ``most_usd`` dollars for each.

    ``only_on``: what must come first; until then the program counts days and states no debt.
    """

    kind: Literal["exposure"]
    least_usd: Positive
    most_usd: Positive
    each: Literal["day"]
    only_on: Text
    besides: Text = ""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.least_usd > self.most_usd:
            raise ValueError("needs least_usd <= most_usd")
        return self

    def between(self, days: int) -> tuple[Decimal, Decimal]:
        """Least and most for so many days [dollars]."""
        return self.least_usd * days, self.most_usd * days
