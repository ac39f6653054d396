"""Rules about the water table at wells: what it does to a household, or whether it comes out of the ground."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.clause import Clause, EventName, RuleId


class WaterLevelRule(Clause):
    """The water table at private wells and what it does to them; or at monitoring wells, against the land surface.

    ``within_mi``: of private wells. Of monitoring wells, where the clause asks for a plan against seepage: ``kept_in``,
    the register that is read; ``plan_received``, ``plan_adequate``, ``seepage_seen``, ``seepage_over``, its acts.
    """

    kind: Literal["water_level"]
    wells: Literal["private", "monitoring"] = "private"
    within_mi: Annotated[Decimal, Field(gt=0)] | None = None
    kept_in: RuleId | None = None
    plan_received: EventName | None = None
    plan_adequate: EventName | None = None
    seepage_seen: EventName | None = None
    seepage_over: EventName | None = None

    @property
    def acts(self) -> tuple[EventName, ...]:
        """The acts it reads."""
        each = (self.plan_received, self.plan_adequate, self.seepage_seen, self.seepage_over)
        return tuple(one for one in each if one is not None)

    @model_validator(mode="after")
    def _of_one_use(self) -> Self:
        private = self.wells == "private"
        if private != (self.within_mi is not None):
            raise ValueError('within_mi belongs to wells = "private", which needs it')
        if private != (self.kept_in is None) or len(self.acts) != (0 if private else len(SEEPAGE)):
            raise ValueError(f'kept_in, {", ".join(SEEPAGE)} belong to wells = "monitoring", which needs them')
        if not private and not self.information:
            raise ValueError("a level says that groundwater may come out, and breaks no clause: information = true")
        return self


SEEPAGE = ("plan_received", "plan_adequate", "seepage_seen", "seepage_over")
