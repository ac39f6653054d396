"""Thresholds the law does not state: value, reason and who adopted it, per site."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from typing import Annotated, Any

from pydantic import BeforeValidator

from models.errors import BadSite
from models.field_types import Text
from models.policy_range import check_range
from models.said import is_said
from models.streamflow.practice import Practice
from models.streamflow.stage_reference import LikeDays
from models.toml_file import Noun, parse_toml, validate

MS_IN_AN_HOUR = 3_600_000
MS_IN_A_MINUTE = 60_000
ADOPTION = ("adopted_by", "adopted_on", "resolution")
"""What an adoption states, all of it."""


def _exact(value: Any) -> Any:
    return Decimal(str(value)) if isinstance(value, int | float) and not isinstance(value, bool) else value


class Threshold(Noun):
    """One number the town may adopt; without a body, a date and a resolution it is a default."""

    value: Annotated[Decimal, BeforeValidator(_exact)]
    unit: str
    reason: Text
    adopted_by: Text = ""
    adopted_on: date | None = None
    resolution: Text = ""

    def adopted(self) -> bool:
        return bool(self.adopted_by and self.adopted_on and self.resolution)

    def says(self) -> str:
        """The value and its standing, for print."""
        by = f"adopted by {self.adopted_by} on {self.adopted_on}, resolution {self.resolution}"
        by = by if self.adopted() else "default, not adopted"
        return f"{self.value} {self.unit} ({by})" if self.unit != "1" else f"{self.value} ({by})"


class Policy(Noun):
    """Every threshold by name."""

    day_minimum_coverage: Threshold
    day_longest_step: Threshold
    day_longest_hole: Threshold
    day_hole_edges_agree: Threshold
    indeterminate_known_days: Threshold
    longest_linking_gap: Threshold
    discharge_uncertainty: Threshold
    record_rated_good: Threshold
    record_rated_fair: Threshold
    record_rated_poor: Threshold
    stage_uncertainty: Threshold
    stage_datum_check_valid: Threshold
    stage_gauges_agree: Threshold
    stage_season_half_width: Threshold
    stage_season_minimum_days: Threshold
    stage_low_percentile: Threshold
    stage_antecedent_span: Threshold
    stage_antecedent_alike: Threshold
    stage_antecedent_coverage: Threshold
    baseline_minimum_years: Threshold
    stale_after: Threshold
    barometer_longest_gap: Threshold
    level_longest_step: Threshold
    level_drop: Threshold
    level_error: Threshold
    level_season_half_width: Threshold
    level_low_percentile: Threshold
    level_band_minimum_years: Threshold
    level_index_minimum_overlap: Threshold
    level_index_minimum_span: Threshold
    level_index_minimum_correlation: Threshold
    level_index_longest_gap: Threshold
    level_index_interval: Threshold
    level_speaks_for: Threshold
    intake_submergence: Threshold
    pump_starts: Threshold
    pump_log_longest_step: Threshold
    pumped_volumes_agree: Threshold
    volumes_read_within: Threshold
    at_risk_share: Threshold
    recovered_drawdown: Threshold
    recovered_depletion: Threshold
    recovered_share: Threshold
    level_noise: Threshold
    levels_looked_back: Threshold
    levels_minimum_baseline: Threshold
    floor_at_boring: Threshold
    office_open_on_saturday: Threshold
    flows_recovered: Threshold
    countdown: Threshold
    revision_window: Threshold
    laboratory_revision_window: Threshold
    delivery_read_within: Threshold
    confirmation_window: Threshold
    interim_supply_cost: Threshold
    interim_supply_days: Threshold
    storm_dry_hours: Threshold
    storm_wet_day: Threshold
    storm_least_rain: Threshold
    drainage_rain_alike: Threshold
    drainage_season_half_width: Threshold
    drainage_minimum_storms: Threshold
    drainage_prediction_level: Threshold
    charge_difference_dilute: Threshold
    charge_difference: Threshold
    charge_difference_mineral: Threshold
    dissolved_above_total: Threshold
    inbox_settles: Threshold

    def practice(self) -> Practice:
        """The thresholds of the shortfall machine, as it takes them."""
        return Practice(
            minimum_coverage=self.day_minimum_coverage.value,
            longest_step_ms=int(self.day_longest_step.value * MS_IN_A_MINUTE),
            longest_hole_ms=int(self.day_longest_hole.value * MS_IN_AN_HOUR),
            edges_agree=float(self.day_hole_edges_agree.value),
            longest_linking_gap_days=int(self.longest_linking_gap.value),
            indeterminate_known_days=int(self.indeterminate_known_days.value),
            discharge_uncertainty=self.discharge_uncertainty.value,
            stage_uncertainty_ft=self.stage_uncertainty.value,
        )

    def like_days(self) -> LikeDays:
        """Which days before mining a stage is compared with."""
        return LikeDays(
            half_width_days=int(self.stage_season_half_width.value),
            minimum_days=int(self.stage_season_minimum_days.value),
            minimum_years=self.baseline_minimum_years.value,
            low_share=self.stage_low_percentile.value,
            span_days=int(self.stage_antecedent_span.value),
            alike=self.stage_antecedent_alike.value,
            coverage=self.stage_antecedent_coverage.value,
        )

    def uncertainty(self, record_rating: str | None) -> Decimal:
        """Uncertainty of one daily mean [fraction]: the default, or the rating of its record where that is wider."""
        rated = {"good": self.record_rated_good, "fair": self.record_rated_fair, "poor": self.record_rated_poor}
        found = rated.get(record_rating or "")
        return max(self.discharge_uncertainty.value, found.value if found else Decimal(0))

    def on(self, day: date) -> Policy:
        """The policy of a night: what was adopted later was not adopted then, and is printed so."""
        later = [name for name in type(self).model_fields if (getattr(self, name).adopted_on or day) > day]
        bare = {"adopted_by": "", "adopted_on": None, "resolution": ""}
        return self.model_copy(update={name: getattr(self, name).model_copy(update=bare) for name in later})

    def unadopted(self) -> tuple[str, ...]:
        return tuple(name for name in type(self).model_fields if not getattr(self, name).adopted())


@cache
def default_policy() -> Policy:
    """The thresholds shipped with the program; nobody has adopted them."""
    return validate(Policy, _defaults(), file="policy.toml", error=BadSite)


def read_policy(text: str, *, file: str) -> Policy:
    """The defaults with a site's own tables over them.

    Raises
    ------
    BadSite : names file, key, what was found and what is allowed.
    """
    policy = validate(Policy, _defaults() | parse_toml(text, file=file, error=BadSite), file=file, error=BadSite)
    for name in Policy.model_fields:
        unit, want = getattr(policy, name).unit, getattr(default_policy(), name).unit
        if unit != want:
            raise BadSite("not the unit of this threshold", file=file, key=f"{name}.unit", found=unit, allowed=[want])
        check_range(name, getattr(policy, name).value, want, file=file)
        _wholly_adopted(getattr(policy, name), file=file, name=name)
    return policy


def _wholly_adopted(one: Threshold, *, file: str, name: str) -> None:
    """A threshold is adopted by a body, on a day, by a resolution, or it is not adopted."""
    said = [key for key in ADOPTION if is_said(str(getattr(one, key) or ""))]
    if said and (missing := [key for key in ADOPTION if key not in said]):
        why = f"an adoption states {', '.join(ADOPTION)}"
        raise BadSite(why, file=file, key=f"{name}.{missing[0]}", found=str(getattr(one, missing[0]) or ""))


def _defaults() -> dict[str, Any]:
    text = files("models").joinpath("policy.toml").read_text(encoding="utf-8")
    return parse_toml(text, file="policy.toml", error=BadSite)
