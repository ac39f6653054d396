"""What a production well's water is for, what its pump can lift and gives, and which approval covers its use."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.field_types import Day, Id, Positive, Text
from models.toml_file import Noun

WaterUse = Literal["process", "dust", "dewatering", "supply", "residential", "fire_protection"]
VolumesBy = Literal["meter", "log", "run time", "reports"]
"""How the volumes of a well are known: a totalizer, logged rates, run times at a rated flow, volumes as reported."""
MINUTES_IN_A_DAY = 1440
Capacity = Annotated[Decimal, Field(ge=0, le=Decimal("1e9"))]


class Pump(Noun):
    """The pump in a well from a day on, by one of two rates; 0 from the day it was taken out.

    NR 856.13: of a pumped source its most restrictive part, the pump at its lowest pressure setting.
    """

    since: Day
    capacity_gpm: Capacity | None = None
    capacity_gpd: Capacity | None = None

    @property
    def gal_per_day(self) -> Decimal:
        """What it can lift in a day [gal/day]."""
        by_minute = None if self.capacity_gpm is None else self.capacity_gpm * MINUTES_IN_A_DAY
        return by_minute if by_minute is not None else self.capacity_gpd or Decimal(0)

    @model_validator(mode="after")
    def _one_rate(self) -> Self:
        if (self.capacity_gpm is None) == (self.capacity_gpd is None):
            raise ValueError("needs one of capacity_gpm and capacity_gpd")
        return self


class RatedFlow(Noun):
    """What a pump gives while it runs, from a day on: by a curve or a test (``source``); its run times count by it."""

    since: Day
    gpm: Positive
    source: Text


class Approval(Noun):
    """A state approval to use groundwater: by whom, of which wells (all where none is named), from when to when.

    ``rate_gpd``: the most of its wells together on a day; ``until``: its last day.
    """

    number: Text
    by: Text
    since: Day
    until: Day | None = None
    wells: tuple[Id, ...] = ()
    rate_gpd: Positive | None = None

    def covers(self, well: str, day: date) -> bool:
        return self.of(well) and self.since <= day and (self.until is None or day <= self.until)

    def of(self, well: str) -> bool:
        return not self.wells or well in self.wells

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.until is not None and self.until < self.since:
            raise ValueError("until must not come before since")
        return self


def most_gpd(pumps: Sequence[Pump], day: date) -> Decimal | None:
    """What the largest pump there has been up to a day lifts [gal/day]; None where none is stated."""
    return max((one.gal_per_day for one in pumps if one.since <= day), default=None)


def pump_on(pumps: Sequence[Pump], day: date) -> Pump | None:
    """The pump in a well on a day; None where nobody has said."""
    there = [one for one in pumps if one.since <= day]
    return max(there, key=lambda one: one.since, default=None)
