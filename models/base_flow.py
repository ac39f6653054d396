"""A base flow is a record, never only a number: what was computed, from which days, by whom it was signed."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from models.field_types import Day, Id, Positive, Text
from models.streamflow.threshold import SLOTS, Threshold
from models.toml_file import Noun

SIGNATURE = ("signed_by", "licence_kind", "licence_number", "signed_on")
Share = Annotated[Decimal, Field(ge=0)]


class BaseFlow(Noun):
    """An established base flow of one gauge; a correction is a new version, the old one stays.

    ``value_cfs``, ``monthly_cfs`` or ``daily_cfs``: the flow [cfs], the last one by day of a leap year from 1 January.
    ``statistic``, ``parameters``, ``series``: how it was computed and from which series. ``days_used``: measured days
    it rests on; ``days_digest``: SHA-256 of the lines "YYYY-MM-DD value" of those days. ``natural_rate_per_year``: how
    often the shortfall rule was met over the record, an extended one too, of ``natural_rate_years`` of known days.
    """

    gauge: Id
    value_cfs: Positive | None = None
    monthly_cfs: dict[Annotated[str, Field(pattern=r"^(0[1-9]|1[0-2])$")], Positive] = Field(default_factory=dict)
    daily_cfs: tuple[Positive, ...] = ()
    effective: Day
    version: str
    method: Text
    statistic: Text = ""
    parameters: dict[Id, Text] = Field(default_factory=dict)
    series: Text = ""
    record_from: Day
    record_to: Day
    days_used: Annotated[int, Field(gt=0)] | None = None
    days_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    baseline_years: Share
    extended_from: str | None = None
    natural_rate_per_year: Share | None = None
    natural_rate_years: Share | None = None
    source: Literal["DNR", "licensee"]
    signed_by: Text
    licence_kind: Literal["PG", "PH", "PE", "DNR"]
    licence_number: str
    signed_on: Day
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
        span = (self.record_to - self.record_from).days + 1
        if self.days_used is not None and self.days_used > span > 0:
            raise ValueError(f"days_used is more than the {span} days from record_from to record_to")
        if (self.natural_rate_per_year is None) != (self.natural_rate_years is None):
            raise ValueError("natural_rate_per_year and natural_rate_years belong together")
        return self

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


def doubts(base: BaseFlow, minimum_years: Decimal) -> tuple[str, ...]:
    """What an opponent will say of a signed record, one sentence each.

    Parameters
    ----------
    minimum_years : own record a licensee's base flow needs without extension from an index gauge [a].
    """
    short = base.source == "licensee" and base.baseline_years < minimum_years and base.extended_from is None
    said = [
        f"its own record of {base.baseline_years} years is under {minimum_years} and not extended from an index gauge: "
        "every verdict on it is indeterminate"
        if short
        else "",
        "signed by a PE: a professional engineer's licence is neither a geologist's (PG) nor a hydrologist's (PH), and "
        "the signature can be contested"
        if base.licence_kind == "PE"
        else "",
        f"source {base.source} with licence kind {base.licence_kind}: who established it?"
        if (base.source == "licensee") == (base.licence_kind == "DNR")
        else "",
    ]
    return tuple(one for one in said if one)
