"""Rules about how much water is pumped: each limb of a clause is one field, its number and its unit in the key."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.clause import Clause
from models.pumped_water import WaterUse

Gallons = Annotated[Decimal, Field(gt=0)]
Days = Annotated[int, Field(gt=0)]


class WithdrawalRule(Clause):
    """Water withdrawn on the property: its amounts against numbers of gallons per day, or its days against approvals.

    ``uses``: only water for these counts. ``capacity_over_gpd``: installed capacity of all wells, more than.
    ``average_from_gpd`` with ``average_days``: any so many days in a row, at or above. ``stated_from_gpd``: of the same
    runs, the form asks for a statement. ``day_from_gpd``, ``day_over_gpd``: any one day, at or above, or more than.
    ``maximum_days``: the largest daily average over so many days is told, of each use. ``approved``: an approval on
    file covers every day of use.
    """

    kind: Literal["withdrawal"]
    uses: tuple[WaterUse, ...] = ()
    capacity_over_gpd: Gallons | None = None
    average_from_gpd: Gallons | None = None
    average_days: Days | None = None
    stated_from_gpd: Gallons | None = None
    day_from_gpd: Gallons | None = None
    day_over_gpd: Gallons | None = None
    maximum_days: Days | None = None
    approved: bool = False

    @model_validator(mode="after")
    def _judges_something(self) -> Self:
        limbs = (self.capacity_over_gpd, self.average_from_gpd, self.day_from_gpd, self.day_over_gpd, self.maximum_days)
        if not self.approved and all(one is None for one in limbs):
            raise ValueError("names no amount, no maximum and no approval")
        if (self.average_from_gpd is None) != (self.average_days is None):
            raise ValueError("average_from_gpd and average_days need each other")
        if self.day_from_gpd is not None and self.day_over_gpd is not None:
            raise ValueError("one of day_from_gpd and day_over_gpd")
        return self
