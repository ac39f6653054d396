"""The waters of ``site.toml``: streams and lakes, what they serve, and what the zero of a stage gauge stands at."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.base_flow import BaseFlow
from models.base_level import BaseLevel
from models.field_types import Day, Id, Text
from models.toml_file import Noun

Coordinate = Annotated[float, Field(allow_inf_nan=False, ge=-1e8, le=1e8)]
Point = tuple[Coordinate, Coordinate]
Use = Literal["agricultural", "municipal", "personal"]


class Stream(Noun):
    """A surface water: its line, what it serves, and the base flows signed for it.

    ``base_level``: the level signed for a gauge of it that records its stage and has no rating.
    """

    id: Id
    name: Text
    line: tuple[Point, ...] = Field(min_length=2)
    uses: tuple[Use, ...] = ()
    serves: tuple[Id, ...] = ()
    base_flow: tuple[BaseFlow, ...] = ()
    base_level: tuple[BaseLevel, ...] = ()


class Lake(Noun):
    """A lake or a pond: its shore at ordinary water, what it serves, and the base levels signed for it."""

    id: Id
    name: Text
    shore: tuple[Point, ...] = Field(min_length=3)
    uses: tuple[Use, ...] = ()
    serves: tuple[Id, ...] = ()
    base_level: tuple[BaseLevel, ...] = ()


class GaugeZero(Noun):
    """Where the zero of a stage gauge stands, from a day on. ``ngvd29_to_navd88_ft``: what to add to an NGVD29 zero."""

    since: Day
    elevation_ft: Annotated[Decimal, Field(ge=-1500, le=30000)]
    datum: Literal["NAVD88", "NGVD29"] = "NAVD88"
    ngvd29_to_navd88_ft: Annotated[Decimal, Field(ge=-10, le=10)] | None = None

    @model_validator(mode="after")
    def _on_navd88(self) -> Self:
        if (self.datum == "NGVD29") != (self.ngvd29_to_navd88_ft is not None):
            raise ValueError("ngvd29_to_navd88_ft belongs to a zero on NGVD29, which needs it")
        return self

    @property
    def navd88_ft(self) -> Decimal:
        """The zero above NAVD88 [ft]."""
        return self.elevation_ft + (self.ngvd29_to_navd88_ft or Decimal(0))


class DatumCheck(Noun):
    """A survey of a stage gauge. ``found_ft``: by how much it read above the surveyed water surface, as found [ft]."""

    on: Day
    found_ft: Annotated[Decimal, Field(ge=-50, le=50)]
    by: Text = Field(min_length=1)
    method: Text = ""


def zero_on(zeros: Sequence[GaugeZero], day: Day) -> GaugeZero | None:
    """The zero in force on a day."""
    return max((one for one in zeros if one.since <= day), key=lambda one: one.since, default=None)


class Datum:
    """The datum of a stage gauge, day by day, as its zeros and surveys establish it.

    The nearest survey before the day and the nearest after it speak, each no further off than ``valid_days``; at least
    one must, and none may have found the gauge off by more than ``within_ft``. A survey speaks of the zero in force
    until its day; where a new zero begins on that day, it established that one.
    """

    def __init__(
        self, zeros: Sequence[GaugeZero], checks: Sequence[DatumCheck], within_ft: Decimal, valid_days: int
    ) -> None:
        self._zeros, self._within_ft, self._valid_days = tuple(zeros), within_ft, valid_days
        ordered = sorted(checks, key=lambda one: one.on)
        self._spoken = {zero.since: _spoken(zero, ordered, zeros) for zero in zeros}

    def doubt(self, day: date) -> str:
        """Why the datum is not established on a day; empty where it is."""
        zero = zero_on(self._zeros, day)
        if zero is None:
            return "no gauge_zero states its vertical datum"
        spoken = self._spoken[zero.since]
        k = bisect_right(spoken, day, key=lambda pair: pair[0])
        beside = [(on, off) for on, off in spoken[max(k - 1, 0) : k + 1] if abs((on - day).days) <= self._valid_days]
        if not beside:
            return f"no datum check within {self._valid_days} days"
        moved = next((pair for pair in beside if abs(pair[1]) > self._within_ft), None)
        return "" if moved is None else f"the datum check of {moved[0]} found the gauge off by {moved[1]:+} ft"


def datum_doubt(
    zeros: Sequence[GaugeZero], checks: Sequence[DatumCheck], day: date, within_ft: Decimal, valid_days: int
) -> str:
    """Why the datum of a stage is not established on a day; empty where it is. As `Datum.doubt`."""
    return Datum(zeros, checks, within_ft, valid_days).doubt(day)


def _spoken(zero: GaugeZero, checks: Sequence[DatumCheck], zeros: Sequence[GaugeZero]) -> list[tuple[date, Decimal]]:
    """Days of the surveys that speak of a zero, in order, and what each says of it [ft]."""
    return [(one.on, off) for one in checks if (off := _off_ft(one, zero, zeros)) is not None]


def _off_ft(check: DatumCheck, zero: GaugeZero, zeros: Sequence[GaugeZero]) -> Decimal | None:
    """What a survey says of a zero [ft]; None where it speaks of another one."""
    earlier = any(one.since < zero.since for one in zeros)
    if check.on == zero.since and earlier:
        return Decimal(0)
    until = min((one.since for one in zeros if one.since > zero.since), default=None)
    speaks = zero.since <= check.on and (until is None or check.on <= until)
    return check.found_ft if speaks else None
