"""A base flow is a record, never only a number: what was computed, from which days, by whom it was signed."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Self

from pydantic import Field, model_validator

from models.field_types import Id, Text
from models.signed_record import SignedRecord, contested_signature
from models.streamflow.threshold import SLOTS, Threshold

SIGNATURE = ("signed_by", "licence_kind", "licence_number", "signed_on")
STATED = ("version", "method", "extended_from")
"""What, where it is given, cannot be blank; a blank signature has a sentence of its own."""
PLACEHOLDERS = {"…", "...", "?", "-"}
Share = Annotated[Decimal, Field(ge=0)]
Flow = Annotated[Decimal, Field(ge=0, le=Decimal("1e9"))]
"""Zero is a base flow: that of a stream that runs dry (decision 20)."""


class BaseFlow(SignedRecord):
    """An established base flow of one gauge; a correction is a new version, the old one stays.

    ``value_cfs``, ``monthly_cfs`` or ``daily_cfs``: the flow [cfs], the last one by day of a leap year from 1 January.
    ``statistic``, ``parameters``, ``series``: how it was computed and from which series. ``days_used``: measured days
    it rests on; ``days_digest``: SHA-256 of the lines "YYYY-MM-DD value" of those days. ``natural_rate_per_year``: how
    often the shortfall rule was met over the record, an extended one too, of ``natural_rate_years`` of known days.
    ``extended_from``: the index gauge of a record extension; ``parameters.index_to``: the last day of its record.
    """

    what: ClassVar[str] = "base flow"
    unit: ClassVar[str] = "cfs"

    value_cfs: Flow | None = None
    monthly_cfs: dict[Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])$")], Flow] = Field(default_factory=dict)
    daily_cfs: tuple[Flow, ...] = ()
    statistic: Text = ""
    parameters: dict[Id, Text] = Field(default_factory=dict)
    series: Text = ""
    days_used: Annotated[int, Field(gt=0)] | None = None
    days_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    extended_from: str | None = None
    natural_rate_per_year: Share | None = None
    natural_rate_years: Share | None = None
    uncertainty_percent: Annotated[Decimal, Field(ge=0, le=100)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _signed(cls, data: Any) -> Any:
        """One sentence for an unsigned record, where four missing keys would be named one by one."""
        if isinstance(data, dict) and (missing := [key for key in SIGNATURE if not str(data.get(key) or "").strip()]):
            raise ValueError(
                f"an unsigned proposal is no base flow: {', '.join(missing)} missing. DNR's value, where there is one, "
                "is the base flow; else the applicant's licensed geologist or hydrologist (PG or PH) signs"
            )
        return data

    @model_validator(mode="before")
    @classmethod
    def _filled_in(cls, data: Any) -> Any:
        """A draft's placeholder is no statement."""
        if not isinstance(data, dict):
            return data
        kept = [key for key, value in _flat(data) if isinstance(value, str) and value.strip() in PLACEHOLDERS]
        blank = [key for key in STATED if isinstance(data.get(key), str) and not data[key].strip()]
        if kept or blank:
            raise ValueError(f"a placeholder or a blank was left: {', '.join((*kept, *blank))}")
        return data

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if [self.value_cfs is not None, bool(self.monthly_cfs), bool(self.daily_cfs)].count(True) != 1:
            raise ValueError("give one of value_cfs, monthly_cfs, daily_cfs")
        if self.monthly_cfs and len(self.monthly_cfs) != 12:
            raise ValueError("monthly_cfs needs all of 01 to 12")
        if self.daily_cfs and len(self.daily_cfs) != SLOTS:
            raise ValueError(f"daily_cfs needs {SLOTS} values, 1 January to 31 December of a leap year")
        return self

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.record_to >= self.record_from and self.days_used is not None and self.days_used > self._span:
            raise ValueError(f"days_used is more than the {self._span} days from record_from to record_to")
        if (self.natural_rate_per_year is None) != (self.natural_rate_years is None):
            raise ValueError("natural_rate_per_year and natural_rate_years belong together")
        if self.extended_from == self.gauge:
            raise ValueError("extended_from is the gauge itself: a record is extended from another gauge's")
        return self

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.natural_rate_years is not None and self.extended_from is None:
            self.fits_record("natural_rate_years", self.natural_rate_years)
        if self.extended_from is not None and "index_to" in self.parameters:
            self._index_to()
        return self

    @property
    def _span(self) -> int:
        return (self.record_to - self.record_from).days + 1

    def days_of_record(self) -> int:
        """The most days its record can hold: those used, where they are stated."""
        return self._span if self.days_used is None else min(self.days_used, self._span)

    def _index_to(self) -> date | None:
        """The last day of the index gauge's record; None where it is not stated."""
        stated = self.parameters.get("index_to")
        try:
            return None if stated is None else date.fromisoformat(stated)
        except ValueError:
            raise ValueError(f"parameters.index_to {stated!r} is no day, YYYY-MM-DD") from None

    def index_ends(self) -> date | None:
        """The last day of the index record that it was extended from; None where there is none, or it is not stated."""
        return self._index_to() if self.extended_from is not None else None

    def is_extended(self, minimum_years: Decimal, gauges: Collection[str]) -> bool:
        """Whether the record extension stands for a long record: from a gauge of the site, or over years it states."""
        if self.extended_from is None:
            return False
        return self.extended_from in gauges or (self.natural_rate_years or Decimal(0)) >= minimum_years

    def is_short(self, minimum_years: Decimal, gauges: Collection[str]) -> bool:
        """Whether its own record is too short and not extended: every verdict on it is then indeterminate."""
        under = self.source != "DNR" and self.baseline_years < minimum_years
        return under and not self.is_extended(minimum_years, gauges)

    def threshold(self) -> Threshold:
        """The flow [cfs] by day."""
        if self.daily_cfs:
            return Threshold.daily(self.daily_cfs)
        if self.value_cfs is not None:
            return Threshold.constant(self.value_cfs)
        return Threshold.monthly({int(month): value for month, value in self.monthly_cfs.items()})

    def says(self) -> str:
        """The flow [cfs] in a word or two."""
        if self.value_cfs is not None:
            return str(self.value_cfs)
        low, high = min(self._values()), max(self._values())
        return f"by {'month' if self.monthly_cfs else 'day of the year'}, {low} to {high}"

    def _values(self) -> tuple[Decimal, ...]:
        return self.daily_cfs or tuple(self.monthly_cfs.values())


def doubts(base: BaseFlow, minimum_years: Decimal, gauges: Collection[str] = ()) -> tuple[str, ...]:
    """What an opponent will say of a signed record, one sentence each.

    Parameters
    ----------
    minimum_years : own record a licensee's base flow needs without extension from an index gauge [a].
    gauges : ids of the site's gauges.
    """
    foreign = base.extended_from is not None and base.extended_from not in gauges
    said = [
        f"its own record of {base.baseline_years} years is under {minimum_years} and not extended from an index gauge: "
        "every verdict on it is indeterminate"
        if base.is_short(minimum_years, gauges)
        else "",
        f"index record not of this site: {base.extended_from}"
        + (
            ""
            if base.is_extended(minimum_years, gauges)
            else f"; an extension counts with the natural_rate_years it gave, {minimum_years} or more"
        )
        if foreign
        else "",
        *contested_signature(base),
    ]
    return tuple(one for one in said if one)


def _flat(data: dict[str, Any]) -> list[tuple[str, Any]]:
    """Keys and values, those of tables inside by their dotted key."""
    inner = (
        (f"{key}.{name}", one) for key, value in data.items() if isinstance(value, dict) for name, one in value.items()
    )
    return [*data.items(), *inner]
