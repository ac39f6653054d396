"""A base level is a record, as a base flow is: the level of a lake, a pond or a stream that somebody signed for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from models.field_types import Day, Id, Text
from models.streamflow.threshold import SLOTS, Threshold
from models.toml_file import Noun

Level = Annotated[Decimal, Field(ge=-1500, le=30000)]
Signature = Annotated[str, Field(min_length=1, pattern=r"[A-Za-z0-9]")]
"""A blank or a draft's placeholder signs nothing."""


class BaseLevel(Noun):
    """An established level of one gauge [ft above NAVD88]; a correction is a new version, the old one stays.

    ``value_ft``, ``monthly_ft`` or ``daily_ft``: the level, the last one by day of a leap year from 1 January.
    ``baseline_years``: of known days it rests on. ``uncertainty_ft``: its own, stated beside every finding.
    """

    gauge: Id
    value_ft: Level | None = None
    monthly_ft: dict[Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])$")], Level] = Field(default_factory=dict)
    daily_ft: tuple[Level, ...] = ()
    effective: Day
    version: Signature
    method: Text = Field(min_length=1)
    record_from: Day
    record_to: Day
    baseline_years: Annotated[Decimal, Field(ge=0)]
    source: Literal["DNR", "licensee"]
    signed_by: Signature
    licence_kind: Literal["PG", "PH", "PE", "DNR"]
    licence_number: Signature
    signed_on: Day
    uncertainty_ft: Annotated[Decimal, Field(ge=0, le=10)] | None = None

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if [self.value_ft is not None, bool(self.monthly_ft), bool(self.daily_ft)].count(True) != 1:
            raise ValueError("give one of value_ft, monthly_ft, daily_ft")
        if self.monthly_ft and len(self.monthly_ft) != 12:
            raise ValueError("monthly_ft needs all of 01 to 12")
        if self.daily_ft and len(self.daily_ft) != SLOTS:
            raise ValueError(f"daily_ft needs {SLOTS} values, 1 January to 31 December of a leap year")
        return self

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.record_to < self.record_from:
            raise ValueError(f"record_to {self.record_to} is before record_from {self.record_from}")
        if self.signed_on < self.record_to:
            raise ValueError(f"signed_on {self.signed_on} is before record_to {self.record_to}")
        return self

    def threshold(self) -> Threshold:
        """The level [ft] by day."""
        if self.daily_ft:
            return Threshold.daily(self.daily_ft)
        if self.value_ft is not None:
            return Threshold.constant(self.value_ft)
        return Threshold.monthly({int(month): value for month, value in self.monthly_ft.items()})

    def since(self, began: date) -> date:
        """The first day it judges: its own, and of a licensee's that was signed only in mining not before that."""
        late = self.signed_on >= began and self.source != "DNR"
        return max(self.effective, self.signed_on) if late else self.effective

    def lack(self, minimum_years: Decimal) -> str:
        """Why no verdict can rest on it; empty where one can."""
        if self.source == "DNR" or self.baseline_years >= minimum_years:
            return ""
        return f"base level version {self.version} rests on {self.baseline_years} years before mining"


def in_force(signed: Sequence[BaseLevel], gauge: str, began: date, on: date) -> list[BaseLevel]:
    """What a night judges a gauge by, in the order it takes over; what rests on days of mining never counts."""
    usable = [one for one in signed if one.gauge == gauge and one.record_to < began and one.signed_on <= on]
    begun = [one for one in usable if one.since(began) <= on]
    return sorted(begun, key=lambda one: (one.since(began), one.signed_on, one.version))
