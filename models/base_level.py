"""A base level is a record, as a base flow is: the level of a lake, a pond or a stream that somebody signed for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Annotated, ClassVar, Self

from pydantic import Field, model_validator

from models import signed_record
from models.field_types import Text
from models.signed_record import SignedRecord
from models.streamflow.threshold import SLOTS, Threshold

Level = Annotated[Decimal, Field(ge=-1500, le=30000)]
Signature = Annotated[str, Field(min_length=1, pattern=r"[A-Za-z0-9]")]
"""A blank or a draft's placeholder signs nothing."""


class BaseLevel(SignedRecord):
    """An established level of one gauge [ft above NAVD88]; a correction is a new version, the old one stays.

    ``value_ft``, ``monthly_ft`` or ``daily_ft``: the level, the last one by day of a leap year from 1 January.
    ``uncertainty_ft``: its own, stated beside every finding.
    """

    what: ClassVar[str] = "base level"
    unit: ClassVar[str] = "ft"

    version: Signature
    method: Text = Field(min_length=1)
    signed_by: Signature
    licence_number: Signature
    value_ft: Level | None = None
    monthly_ft: dict[Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])$")], Level] = Field(default_factory=dict)
    daily_ft: tuple[Level, ...] = ()
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

    def threshold(self) -> Threshold:
        """The level [ft] by day."""
        if self.daily_ft:
            return Threshold.daily(self.daily_ft)
        if self.value_ft is not None:
            return Threshold.constant(self.value_ft)
        return Threshold.monthly({int(month): value for month, value in self.monthly_ft.items()})

    def says(self) -> str:
        """The level [ft] in a word or two."""
        if self.value_ft is not None:
            return str(self.value_ft)
        values = self.daily_ft or tuple(self.monthly_ft.values())
        return f"by {'month' if self.monthly_ft else 'day of the year'}, {min(values)} to {max(values)}"

    def lack(self, minimum_years: Decimal) -> str:
        """Why no verdict can rest on it; empty where one can."""
        if self.source == "DNR" or self.baseline_years >= minimum_years:
            return ""
        return f"base level version {self.version} rests on {self.baseline_years} years before mining"


def in_force(signed: Sequence[BaseLevel], gauge: str, began: date, on: date) -> list[BaseLevel]:
    """What a night judges a gauge by, in order; ``effective`` is here the first day each may judge."""
    own = [one for one in signed if one.gauge == gauge]
    return [one.as_judged() for one in signed_record.in_force(own, began, on)]


def doubts(level: BaseLevel, minimum_years: Decimal, began: date) -> Iterator[str]:
    """What an opponent will say of a signed level, one sentence each."""
    if level.lack(minimum_years):
        under = f"its record of {level.baseline_years} years is under {minimum_years}"
        yield f"{under}: every verdict on it is indeterminate"
    yield from signed_record.contested_signature(level)
    yield from signed_record.against_mining(level, began)
