"""A lowered lake or stream in words: each day beside its reference, where that comes from, and what nature did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from models.base_level import BaseLevel
from models.checks import revised_days, surface_level_days, surface_level_rate, trailing_days
from models.checks.surface_level_compared import judged_days, practice, said, state
from models.checks.surface_level_reference import Reference
from models.finding import Evidence
from models.question import Question
from models.rules import SurfaceLevelRule
from models.signed_record import not_used, versions_on, versions_say
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, DayState
from models.streamflow.spells import Spell
from models.streamflow.stage_reference import SeasonBand
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
        if not below:
            return ""
        read, doubted = len(self.spell.below_days), sum(bool(self.by.doubt(day)) for day in self.spell.below_days)
        of = f"{read} days that read below, {doubted} of them on a datum in doubt"
        return f"{min(below)} ft lowest of {of if doubted else f'{read} known days below'}"

    def limit(self) -> str:
        """The reference of its days [ft above NAVD88], one or from the lowest to the highest."""
        found = [value for day in self.spell.below_days if (value := self.by.at(day)) is not None]
        low, high = min(found), max(found)
        return f"{low if low == high else f'{low} to {high}'} ft NAVD88"

    def versions(self) -> list[BaseLevel]:
        """The base levels that its days below are judged under, in order; none where the band rules them."""
        return versions_on(self.by.signed, self.spell.below_days)

    def signers(self) -> str:
        """Who answers for the reference."""
        said = [_signed(one) for one in self.versions()]
        if len(said) > 1:
            said = [f"version {one.version} {_signed(one)}" for one in self.versions()]
        computed = any(self.by.version_on(day) is None for day in self.spell.below_days)
        return "; ".join([*(["stage before mining, computed"] if computed else []), *said])

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
        beside = (self._natural(), self._days_below(), *self._siblings())
        return (*self._stage(), *self._reference(), *self._versions(), *self._datum(), *beside)

    def facts(self) -> dict[str, Any]:
        """What a machine reads of it."""
        one, doubt = self.spell, self.by.doubt
        within = sorted((*self.spell.below_days, *self.spell.unknown_days))
        versions = ", ".join(version.version for version in self.versions())
        days = {name: getattr(one, name) for name in ("earliest_start", "latest_end", "trigger_date")}
        return {
            **{name: None if day is None else day.isoformat() for name, day in days.items()},
            "known_below_days": sum(not doubt(day) for day in one.below_days),
            "possible_days": one.possible_days,
            "threshold_step": one.threshold_step, "base_level_version": versions or None,
            revised_days.DAYS: said({flow.day: flow for flow in self.days}, self.by, within),
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
        for version in self.versions():
            error = "" if version.uncertainty_ft is None else f", uncertainty {version.uncertainty_ft} ft"
            record = f"record {version.record_from} to {version.record_to}{error}"
            says = f"base level version {version.version}: {version.method}, {record}, {_signed(version)}"
            yield Evidence("base level", says, "context")
        shown = [day for day in (self.opened_on, *self.spell.below_days) if self.by.version_on(day) is None]
        if shown and (band := self.by.band(shown[0])) is not None:
            yield Evidence("stage before mining", self._band(shown[0], band), "context")

    def _versions(self) -> Iterator[Evidence]:
        """A corrected base level: every version is shown, each day is judged under the one in force on it."""
        water = self.question.site.water_of(self.gauge)
        own = [one for one in water.base_level if one.gauge == self.gauge.id] if water else []
        idle = not_used(own, self.question.began, self.question.on)
        if len(self.by.signed) > 1 or idle:
            yield Evidence("base level versions", "; ".join((*versions_say(self.by.signed), *idle)), "context")

    def _band(self, day: date, band: SeasonBand) -> str:
        policy, like = self.question.policy, self.by.baseline.like
        rained = zip(band.years, band.years_rain_in, strict=True)
        years = ", ".join(f"{year} ({_inches(rain)})" for year, rain in rained)
        return (
            f"for {day}: {band.low_ft} to {band.high_ft} ft, from {band.n} days before mining within "
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
        version, rule = self.by.version_on(self.opened_on), self.rule
        key = "" if version is None else version.version, rule.operator, rule.more_than_days
        if key not in self.by.rates:
            own = practice(self.question, self.gauge)
            self.by.rates[key] = surface_level_rate.natural_rate_before_mining(rule, self.by, self.opened_on, own)
        return surface_level_rate.told(self.by.rates[key], version)

    def _days_below(self) -> Evidence:
        """The cumulative count stands beside the consecutive one and decides nothing (decision 1)."""
        first = trailing_days.first_day(self.spell, self.question.began)
        last, own = trailing_days.last_day(self.spell), practice(self.question, self.gauge)
        year = judged_days(self.rule, self.question, self.gauge, self.by, first, last)
        below = [one.day for one in year if state(self.rule, self.by, one, own)[0] is DayState.BELOW]
        return trailing_days.days_below(below, self.spell, self.question.began)

    def _siblings(self) -> Iterator[Evidence]:
        start, end = self.spell.start, self.spell.end
        for other in surface_level_days.siblings(self.question, self.gauge):
            days = surface_level_days.above_datum(self.question, other, start, end)
            known = [one.value for one in days if one.value is not None]
            says = f"{min(known)} to {max(known)} ft on {len(known)} of the same days" if known else "no known stage"
            doubt = surface_level_days.doubt(self.question, other, end)
            says = f"{says}; {doubt}" if doubt else says
            yield Evidence("same water", f"{other.id}: {says}", "context" if known else "silent")


def _signed(version: BaseLevel) -> str:
    return f"signed by {version.signed_by}, {version.licence_kind}"


def _inches(rain: Decimal | None) -> str:
    return "not known" if rain is None else f"{rain} in"


def _marks(day: DailyFlow) -> str:
    said = [mark for mark in (day.approval, *day.qualifiers, day.note) if mark]
    return f" [{':'.join(said)}]" if said else ""
