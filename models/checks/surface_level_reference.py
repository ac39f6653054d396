"""The reference stage of each judged day: the signed base level where one is in force, else that of like days."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from models.base_level import BaseLevel, in_force
from models.checks import surface_level_days
from models.checks.precipitation_days import precipitation_days
from models.question import Question
from models.signed_record import last_begun, threshold
from models.site import Gauge
from models.streamflow.natural_rate import NaturalRate
from models.streamflow.stage_reference import Daily, ReferenceStage, SeasonBand, StageBaseline
from models.streamflow.threshold import Threshold
from models.waters import Lake, Stream

NONE = Decimal("NaN")
NO_SEASON = "no stage before mining in this season, and no base level in force"


@dataclass(frozen=True)
class Reference:
    """What one gauge is judged by.

    Parameters
    ----------
    signed : base levels in force, in order; ``effective`` is here the first day each may judge.
    baseline : the record before mining.
    left_out : days of that record whose datum is not established.
    minimum_years : baseline a licensee's base level needs [a].
    doubt : why the datum of a day is not established; empty where it is.
    rates : natural rates found for it, by base level version ("" for the band), operator and days of the rule.
    """

    signed: tuple[BaseLevel, ...]
    baseline: StageBaseline
    left_out: int
    minimum_years: Decimal
    doubt: Callable[[date], str]
    rates: dict[tuple[str, str, int], NaturalRate] = field(default_factory=dict, compare=False)

    def version_on(self, day: date) -> BaseLevel | None:
        """The base level in force on a day."""
        return last_begun(self.signed, day)

    def band(self, day: date) -> SeasonBand | None:
        """The band of like days where no base level is in force."""
        return None if self.version_on(day) else self.baseline.band(day)

    def at(self, day: date) -> Decimal | None:
        """The reference stage of a day [ft above NAVD88]; None where there is none."""
        version = self.version_on(day)
        if version is not None:
            return version.threshold().find(day)
        band = self.baseline.band(day)
        return None if band is None else band.low_ft

    def lack(self, day: date) -> str:
        """Why no verdict can rest on a day, and what would settle it; empty where one can."""
        return "; ".join(one for one in (*self._datum(day), *self._of_reference(day)) if one)

    def threshold(self, days: Iterable[date]) -> Threshold:
        """The reference by day; the signed one as it was signed, where it rules all of them."""
        wanted = list(days)
        if wanted and all(self.version_on(day) for day in wanted):
            return threshold(self.signed)
        found = {day: self.at(day) for day in wanted}
        return ReferenceStage((), by_day={day: NONE if one is None else one for day, one in found.items()})

    def _datum(self, day: date) -> Iterator[str]:
        why = self.doubt(day)
        if why:
            yield f"{why}: a survey of the gauge against a benchmark would settle it"

    def _of_reference(self, day: date) -> Iterator[str]:
        version, band = self.version_on(day), self.band(day)
        if version is not None:
            short = version.lack(self.minimum_years)
            yield f"{short}, needs {self.minimum_years}: a longer record before mining would settle it" if short else ""
        elif band is None:
            yield NO_SEASON + self._left_out()
        else:
            yield band.lack + (self._left_out() if band.lack else "")

    def _left_out(self) -> str:
        return f" ({self.left_out} days before mining have no established datum)" if self.left_out else ""


def reference(question: Question, gauge: Gauge, water: Stream | Lake) -> Reference:
    """Everything a gauge is judged by tonight, whatever the rule."""
    return question.once(("reference stage", gauge.id), lambda: _reference(question, gauge, water))


def _reference(question: Question, gauge: Gauge, water: Stream | Lake) -> Reference:
    known, left_out = surface_level_days.known_before_mining(question, gauge)
    policy = question.policy
    baseline = StageBaseline(Daily.of(known), Daily.of(precipitation_days(question)), policy.like_days())
    return Reference(
        tuple(in_force(water.base_level, gauge.id, question.began, question.on)),
        baseline,
        left_out,
        policy.baseline_minimum_years.value,
        lambda day: surface_level_days.doubt(question, gauge, day),
    )
