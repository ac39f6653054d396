"""Recharge as its departure from the mean: the undisturbed water table, which the model begins from, carries the mean.

A share c of the precipitation reaches the water table, the same all year and without delay; c is the mean recharge over
the mean precipitation. Both runs of a pair get the same departure, so that drawdown and depletion feel it only through
a water table that falls; levels and hydrographs feel it wholly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.scenario.noun import Scenario

LEAST_KNOWN = 0.8
"""Share of a period's days with a known amount; with less the period keeps the mean, and that is said."""
LEAST_DAYS = 365
"""A mean of less than a year is none: seasons would count as wet or dry years."""
YEAR_D = 365.25


@dataclass(frozen=True, eq=False)
class Precipitation:
    """Daily amounts of one station.

    Parameters
    ----------
    day : float64[n], the instant each day begins (`models.scenario.noun.day_number`), increasing.
    amount : float64[n] [m]; NaN where unknown. A trace is 0.
    station : as the words name it.
    """

    day: Numbers
    amount: Numbers
    station: str


def mean_rate(record: Precipitation) -> float:
    """Mean of the whole record, each day of the year counting alike however often it is known [m/d].

    Raises
    ------
    BadQuestion : under a year of known days, or no precipitation at all.
    """
    known = np.isfinite(record.amount)
    if known.sum() < LEAST_DAYS:
        raise BadQuestion(
            "too short a record for a mean", key=record.station, found=int(known.sum()), allowed=["365 days or more"]
        )
    season = np.floor(np.mod(record.day[known], YEAR_D) / YEAR_D * 12).astype(np.int64)
    months = [float(record.amount[known][season == one].mean()) for one in range(12) if np.any(season == one)]
    if not np.sum(months) > 0:
        raise BadQuestion("no precipitation in the whole record", key=record.station)
    return float(np.mean(months))


def rates_by_period(record: Precipitation, edges: Sequence[float]) -> Numbers:
    """Mean precipitation between each two instants [m/d]; NaN where under `LEAST_KNOWN` of the time is known."""
    known = np.isfinite(record.amount)
    depth = _at(record, np.where(known, record.amount, 0.0), edges)
    days = _at(record, known.astype(np.float64), edges)
    lengths = np.diff(edges)
    enough = np.diff(days) >= LEAST_KNOWN * lengths
    return np.asarray(np.divide(np.diff(depth), np.diff(days), out=np.full(lengths.size, np.nan), where=enough))


def _at(record: Precipitation, daily: Numbers, edges: Sequence[float]) -> Numbers:
    """What had come down by each instant, each day's amount evenly through the day."""
    ends = np.repeat(record.day, 2)
    ends[1::2] += 1.0
    summed = np.repeat(np.cumsum(daily), 2)
    summed[::2] -= daily
    return np.interp(np.asarray(edges, np.float64), ends, summed)


def departures(precipitation: Numbers, mean: float, recharge: float) -> Numbers:
    """c (P - mean P), c = mean recharge / mean precipitation; 0 where P is unknown [m/d]. Never below -recharge."""
    return np.where(np.isfinite(precipitation), recharge / mean * (precipitation - mean), 0.0)


def recharge_of(
    scenario: Scenario, edges: Sequence[float], record: Precipitation | None
) -> tuple[tuple[float, ...] | None, tuple[str, ...]]:
    """What `models.modflow.build.Choices.recharge` takes, by period, and what was taken for granted.

    Metered: by the precipitation of each period. Maximum: a dry year's recharge all the time, whatever fell.

    Parameters
    ----------
    edges : of the periods, as `models.modflow.build.instants_of` gives them.
    """
    usual, dry = scenario.aquifer.recharge, scenario.aquifer.dry_year_recharge
    if usual is None:
        return None, ("no recharge is stated: the mean it is stays in the undisturbed water table, and never changes",)
    if scenario.kind == "maximum":
        if dry is None:
            return None, ("no dry year's recharge is stated: recharge stays at its mean",)
        said = f"recharge of a dry year, {dry.text}, from the first day on instead of the mean {usual.text}"
        return (dry.value - usual.value,) * (len(edges) - 1), (said,)
    if record is None:
        return None, (f"no record of precipitation: recharge stays at its mean, {usual.text}",)
    return _by_record(record, edges, usual.value)


def _by_record(
    record: Precipitation, edges: Sequence[float], recharge: float
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    mean, fell = mean_rate(record), rates_by_period(record, edges)
    unknown = int(np.isnan(fell).sum())
    said = [
        f"recharge is {recharge / mean:.0%} of the precipitation at {record.station} "
        f"(mean {mean * YEAR_D * 1000:.0f} mm a year), all year and without delay"
    ]
    said += [f"precipitation of {unknown} of {fell.size} periods is not known: the mean is taken"] if unknown else []
    return tuple(departures(fell, mean, recharge).tolist()), tuple(said)
