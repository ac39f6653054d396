"""A lowered lake or stream in words: each day beside its reference, where that comes from, and what nature did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import numpy as np

from models.base_level import BaseLevel
from models.checks import surface_level_days
from models.checks.surface_level_reference import NONE, Reference
from models.finding import Evidence
from models.question import Question
from models.rules import SurfaceLevelRule
from models.site import Gauge
from models.streamflow.day_states import DailyFlow
from models.streamflow.natural_rate import NaturalRate, natural_rate
from models.streamflow.spells import Spell
from models.streamflow.stage_reference import ReferenceStage, SeasonBand
from models.waters import zero_on

ONE_DAY = timedelta(days=1)
SIGN = {"lt": "<", "le": "<="}


@dataclass(frozen=True)
class Told:
    """One spell of one gauge, and everything it is told with; ``opened_on`` is the day its reference is shown for."""

    rule: SurfaceLevelRule
    question: Question
    gauge: Gauge
    by: Reference
    days: tuple[DailyFlow, ...]
    spell: Spell
    opened_on: date

    def measured(self) -> str:
        """The lowest stage of the spell."""
        below = [one.value for one in self._below() if one.value is not None]
        return f"{min(below)} ft lowest of {self.spell.known_below_days} known days below" if below else ""

    def limit(self) -> str:
        """The reference of its days [ft above NAVD88], one or from the lowest to the highest."""
        found = [value for day in self.spell.below_days if (value := self.by.at(day)) is not None]
        low, high = min(found), max(found)
        return f"{low if low == high else f'{low} to {high}'} ft NAVD88"

    def signers(self) -> str:
        """Who answers for the reference."""
        version = self.by.version_on(self.opened_on)
        return "stage before mining, computed" if version is None else _signed(version)

    def sentence(self) -> str:
        """The condition in one neutral sentence; empty before the rule is met."""
        if self.spell.trigger_date is None:
            return ""
        over = self.rule.more_than_days
        water = self.question.site.water_of(self.gauge)
        first, name = self.opened_on - over * ONE_DAY, water.name if water else self.gauge.id
        was = "below" if self.rule.operator == "lt" else "at or below"
        return (
            f"mean daily stage of {name} at {self.gauge.id} was {was} its reference on each of the {over + 1} days "
            f"{first} to {self.opened_on}{' [provisional]' if self.spell.provisional else ''}; "
            "this is not a finding of cause"
        )

    def evidence(self) -> tuple[Evidence, ...]:
        """The days, their reference, the datum, the natural rate and the other gauges of the water."""
        return (*self._stage(), *self._reference(), *self._datum(), self._natural(), *self._siblings())

    def facts(self) -> dict[str, Any]:
        """What a machine reads of it."""
        one, version = self.spell, self.by.version_on(self.opened_on)
        days = {name: getattr(one, name) for name in ("earliest_start", "latest_end", "trigger_date")}
        return {
            **{name: None if day is None else day.isoformat() for name, day in days.items()},
            "known_below_days": one.known_below_days, "possible_days": one.possible_days,
            "threshold_step": one.threshold_step, "base_level_version": None if version is None else version.version,
        }  # fmt: skip

    def _below(self) -> list[DailyFlow]:
        return [one for one in self.days if one.day in self.spell.below_days]

    def _stage(self) -> Iterator[Evidence]:
        below, sign = set(self.spell.below_days), SIGN[self.rule.operator]
        shown = [one for one in self.days if one.day in below or one.day in self.spell.unknown_days]
        says = "; ".join(
            f"{one.day} {one.value} ft {sign} {self.by.at(one.day)} ft{_marks(one)}"
            if one.day in below
            else f"{one.day} unknown"
            for one in shown
        )
        yield Evidence("daily mean stage", says, "supports", tuple(one.version for one in self._below() if one.version))

    def _reference(self) -> Iterator[Evidence]:
        version, band = self.by.version_on(self.opened_on), self.by.band(self.opened_on)
        if version is not None:
            error = "" if version.uncertainty_ft is None else f", uncertainty {version.uncertainty_ft} ft"
            record = f"record {version.record_from} to {version.record_to}{error}"
            says = f"base level version {version.version}: {version.method}, {record}, {_signed(version)}"
            yield Evidence("base level", says, "context")
        elif band is not None:
            yield Evidence("stage before mining", self._band(band), "context")

    def _band(self, band: SeasonBand) -> str:
        policy, like = self.question.policy, self.by.baseline.like
        rained = zip(band.years, band.years_rain_in, strict=True)
        years = ", ".join(f"{year} ({_inches(rain)})" for year, rain in rained)
        return (
            f"for {self.opened_on}: {band.low_ft} to {band.high_ft} ft, from {band.n} days before mining within "
            f"{like.half_width_days} days of that calendar day; precipitation of the {like.span_days} days before it "
            f"{_inches(band.rain_in)}, before the same day of {years}; low end at the share "
            f"{policy.stage_low_percentile.says()}, comparable within {policy.stage_antecedent_alike.says()}"
        )

    def _datum(self) -> Iterator[Evidence]:
        zero = zero_on(self.gauge.gauge_zero, self.opened_on)
        if zero is not None:
            checks = [one for one in self.gauge.datum_check if one.on <= self.question.on]
            surveyed = ", ".join(f"{one.on} {one.found_ft:+} ft by {one.by}" for one in checks) or "none"
            doubt = self.by.doubt(self.opened_on)
            says = f"zero at {zero.navd88_ft} ft NAVD88 since {zero.since}; datum checks: {surveyed}"
            yield Evidence("datum", f"{says}; {doubt}" if doubt else says, "context")

    def _natural(self) -> Evidence:
        version = self.by.version_on(self.opened_on)
        name = "" if version is None else version.version
        if name not in self.by.rates:
            self.by.rates[name] = natural_rate_before_mining(self.rule, self.question, self.by, self.opened_on)
        found = self.by.rates[name]
        if found.per_year is None:
            return Evidence("natural rate", "no baseline record at this gauge: its natural rate is unknown", "silent")
        times = "once" if found.triggers == 1 else f"{found.triggers} times"
        each = "" if version else ", each year against the others"
        says = f"in the baseline record at this gauge the same rule was met {times} in {found.years} years{each}"
        return Evidence("natural rate", says, "context")

    def _siblings(self) -> Iterator[Evidence]:
        start, end = self.spell.start, self.spell.end
        for other in surface_level_days.siblings(self.question, self.gauge):
            days = surface_level_days.above_datum(self.question, other, start, end)
            known = [one.value for one in days if one.value is not None]
            says = f"{min(known)} to {max(known)} ft on {len(known)} of the same days" if known else "no known stage"
            doubt = surface_level_days.doubt(self.question, other, end)
            says = f"{says}; {doubt}" if doubt else says
            yield Evidence("same water", f"{other.id}: {says}", "context" if known else "silent")


def natural_rate_before_mining(
    rule: SurfaceLevelRule, question: Question, by: Reference, on: date
) -> NaturalRate:  # fmt: skip
    """How often the same rule was met before mining: under the base level, or each year against the others' band."""
    record, version = by.baseline.stage, by.version_on(on)
    known = {
        record.first + k * ONE_DAY: Decimal(repr(float(value)))
        for k, value in enumerate(record.values)
        if np.isfinite(value)
    }
    others = {year: by.baseline.without(year) for year in {day.year for day in known}}

    def at(day: date) -> Decimal:
        band = others[day.year].band(day) if version is None else None
        return NONE if band is None else band.low_ft

    compared = {day: at(day) for day in known}
    days = [DailyFlow(day, value if version or compared[day].is_finite() else None) for day, value in known.items()]
    return natural_rate(
        days,
        version.threshold() if version else ReferenceStage((), by_day=compared),
        operator=rule.operator,
        more_than_days=rule.more_than_days,
        quantity="stage",
        practice=question.policy.practice(),
    )


def _signed(version: BaseLevel) -> str:
    return f"signed by {version.signed_by}, {version.licence_kind}"


def _inches(rain: Decimal | None) -> str:
    return "not known" if rain is None else f"{rain} in"


def _marks(day: DailyFlow) -> str:
    said = [mark for mark in (day.approval, *day.qualifiers, day.note) if mark]
    return f" [{':'.join(said)}]" if said else ""
