"""Between what each threshold of a policy can lie: beyond, it is a slip of the pen and not a decision of a town.

A range is wide on purpose: it bounds what the computation means, not what a town may think right.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from models.errors import BadSite

Range = tuple[Decimal, Decimal]


def _from(least: str, most: str) -> Range:
    return Decimal(least), Decimal(most)


BY_UNIT: Mapping[str, Range] = {
    "1": _from("0", "1"),
    "d": _from("0", "3660"),
    "h": _from("0", "8784"),
    "min": _from("1", "1440"),
    "s": _from("0", "600"),
    "yr": _from("0", "100"),
    "ft": _from("0", "100"),
    "in": _from("0", "40"),
    "cfs": _from("0", "10000"),
    "1/h": _from("0", "3600"),
    "USD/d": _from("0", "10000"),
    "readings": _from("1", "1000"),
    "storms": _from("1", "1000"),
    "meq/L": _from("0", "10"),
}
"""Ten years, a year of hours, a day of minutes, a century, and so on: where a threshold has no range of its own."""

BY_NAME: Mapping[str, Range] = {
    "day_minimum_coverage": _from("0.01", "1"),
    "day_longest_hole": _from("0", "24"),
    "indeterminate_known_days": _from("0", "366"),
    "longest_linking_gap": _from("0", "366"),
    "stage_uncertainty": _from("0", "5"),
    "stage_gauges_agree": _from("0", "5"),
    "stage_season_half_width": _from("0", "183"),
    "level_season_half_width": _from("0", "183"),
    "drainage_season_half_width": _from("0", "183"),
    "level_error": _from("0", "5"),
    "stale_after": _from("0", "366"),
    "flows_recovered": _from("1", "366"),
    "countdown": _from("0", "60"),
    "interim_supply_days": _from("1", "3660"),
    "level_index_minimum_correlation": _from("0", "0.9999"),
    "level_index_interval": _from("0.5", "0.9999"),
    "drainage_prediction_level": _from("0.5", "0.9999"),
}
"""Where the unit alone would let through what the computation cannot use."""


def range_of(name: str, unit: str) -> Range:
    """The least and the most a threshold may be, both allowed."""
    return BY_NAME.get(name) or BY_UNIT[unit]


def check_range(name: str, value: Decimal, unit: str, *, file: str) -> None:
    """Refuse a value outside its range.

    Raises
    ------
    BadSite : names the key and the range.
    """
    least, most = range_of(name, unit)
    if not (value.is_finite() and least <= value <= most):
        allowed = [f"{least} to {most}" + ("" if unit == "1" else f" {unit}")]
        raise BadSite("outside its range", file=file, key=f"{name}.value", found=f"{value}", allowed=allowed)
