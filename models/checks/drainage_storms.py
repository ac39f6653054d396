"""The drainage of one point storm by storm: each since excavation began against like storms before it.

Like: the same season, and as much rain within a share of it. Volumes are compared per inch of rain, so that what the
rain of like storms still differs by tells for neither side. Like storms alone are used and no regression over all:
runoff starts at a threshold and saturates, and no line in logarithms follows both.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from models.policy import Policy
from models.statistics.prediction_limit import LEAST, upper_prediction_limit
from models.streamflow.stage_reference import is_alike
from models.streamflow.storms import Storm, StormRule, runoff_ft3, storms
from models.verdict import Verdict

LEAP_YEAR, DAYS_OF_IT = 2000, 366
ROUNDING_IN = 1e-9


@dataclass(frozen=True)
class LikeStorms:
    """Which storms before excavation are like one, and how sure a difference must be; a town may adopt others.

    Parameters
    ----------
    storm : what makes a storm.
    alike : largest difference of rain, as a share of that of the storm judged [fraction].
    half_width_days : the season: first days within this of each other on the calendar [d].
    minimum : like storms that a comparison needs.
    level : one-sided confidence of the prediction limit.
    """

    storm: StormRule
    alike: Decimal
    half_width_days: int
    minimum: int
    level: Decimal


def like_storms(policy: Policy) -> LikeStorms:
    """As the town's policy has them."""
    rule = StormRule(policy.storm_dry_hours.value, policy.storm_wet_day.value, policy.storm_least_rain.value)
    return LikeStorms(
        rule, policy.drainage_rain_alike.value, int(policy.drainage_season_half_width.value),
        max(LEAST, int(policy.drainage_minimum_storms.value)), policy.drainage_prediction_level.value,
    )  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """A storm and what ran off at the point while it lasted [ft3]."""

    storm: Storm
    volume_ft3: Decimal

    @property
    def per_inch(self) -> float:
        """Volume per inch of rain [ft3/in]."""
        return float(self.volume_ft3 / self.storm.rain_in)


@dataclass(frozen=True)
class Compared:
    """A storm since excavation began beside its like ones.

    ``limit_ft3``: more is beyond what they predict; ``middle_ft3``: what the middle one gave, for as much rain.
    ``some_dry``: one of them gave nothing, so that no limit can be computed and the largest stands in for it.
    """

    measured: Measured
    like: int
    limit_ft3: float
    middle_ft3: float
    some_dry: bool

    @property
    def verdict(self) -> Verdict:
        volume = float(self.measured.volume_ft3)
        if volume > self.limit_ft3:
            return "needs_confirmation" if self.some_dry else "attained"
        return "not_attained" if volume <= self.middle_ft3 else "indeterminate"

    @property
    def excess(self) -> float:
        """How far towards the limit the volume reaches, and past it: 1 at the limit."""
        volume = float(self.measured.volume_ft3)
        return volume / self.limit_ft3 if self.limit_ft3 else float("inf") if volume else 0.0


@dataclass(frozen=True)
class Record:
    """What is known of one point: storms since excavation began, those with a volume, and those compared.

    ``before``: storms with a volume before excavation. ``most_like``: the most like storms that any one had.
    """

    since: int
    known: int
    before: int
    most_like: int
    compared: tuple[Compared, ...]


def record(rain: Mapping[date, float], flow: Mapping[date, Decimal], began: date, like: LikeStorms) -> Record:
    """Every storm of a point.

    Parameters
    ----------
    rain : precipitation of known days [in].
    flow : daily mean discharge of known days [cfs].
    began : the first day of excavation; a storm that straddles it counts on neither side.
    """
    found = storms(rain, like.storm)
    since = [one for one in found if one.first >= began]
    before = _measured([one for one in found if one.until < began], flow)
    known = _measured(since, flow)
    each = _alike_each(before, known, like)
    enough = [(one, ones) for one, ones in zip(known, each, strict=True) if len(ones) >= like.minimum]
    return Record(
        len(since), len(known), len(before), max(map(len, each), default=0),
        tuple(_compared(one, ones, like) for one, ones in enough),
    )  # fmt: skip


def _measured(found: Sequence[Storm], flow: Mapping[date, Decimal]) -> list[Measured]:
    volumes = [(one, runoff_ft3(one, flow)) for one in found]
    return [Measured(one, volume) for one, volume in volumes if volume is not None]


def _alike_each(before: Sequence[Measured], known: Sequence[Measured], like: LikeStorms) -> list[list[float]]:
    """Volumes per inch of the storms before excavation that are like each of those since [ft3/in]."""
    days = np.array([_day_of_year(one.storm.first) for one in before], np.int64)
    rain = np.array([float(one.storm.rain_in) for one in before])
    per_inch = [one.per_inch for one in before]
    each = [_near(days, rain, one, like) for one in known]
    return [
        [per_inch[k] for k in near if is_alike(before[k].storm.rain_in, one.storm.rain_in, like.alike)]
        for one, near in zip(known, each, strict=True)
    ]


def _near(days: NDArray[np.int64], rain: NDArray[np.float64], one: Measured, like: LikeStorms) -> list[int]:
    """Storms of the season with as much rain, give or take a rounding: the exact comparison follows."""
    apart, fell = np.abs(days - _day_of_year(one.storm.first)), float(one.storm.rain_in)
    season = np.minimum(apart, DAYS_OF_IT - apart) <= like.half_width_days
    found: list[int] = np.flatnonzero(season & (np.abs(rain - fell) <= float(like.alike) * fell + ROUNDING_IN)).tolist()
    return found


def _day_of_year(day: date) -> int:
    """The place of a calendar day in a leap year, so that one day has one place in every year."""
    return day.replace(year=LEAP_YEAR).timetuple().tm_yday


def _compared(one: Measured, each: Sequence[float], like: LikeStorms) -> Compared:
    inches, some_dry = float(one.storm.rain_in), min(each) <= 0
    limit = max(each) if some_dry else upper_prediction_limit(each, float(like.level))
    return Compared(one, len(each), limit * inches, statistics.median(each) * inches, some_dry)
