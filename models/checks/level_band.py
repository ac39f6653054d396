"""What the water table of a well is compared with: its season's band before mining, and what the index well predicts.

The record before mining is extended from the index well by MOVE.1. For a day d the band is drawn from the days within a
half width of d's calendar day in every year before mining; its low end is the depth that a tenth of them (policy) stood
below, at the Weibull plotting position m / (n + 1). A level is a drop of the water table where it lies below the band
and below what the index well predicts for that very day: a drought lowers both wells, and tells nothing of a mine.
Without a line to the index well the band is that of the well's own record, and the index well's own season tells
whether it is as low; with too few years the limit is the deepest reading before mining and a drop more. A site that
declares no index well cannot tell a drought from a mine by the band: there only a level deeper than any before mining,
by a drop, is shown.

All depths are below land [ft]: low water is a large depth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal

import numpy as np

from models.aquifer.admissible import Numbers
from models.checks.level_band_index import IndexLine, Predicted, fit_index_line
from models.checks.level_band_season import Season, SeasonalRecord
from models.errors import BadQuestion
from models.policy import Policy
from models.streamflow.stage_reference import Daily

Status = Literal["shown", "unknown", "shared", "none", "no baseline"]
"""``shown``: a drop. ``shared``: the index well is as low. ``unknown``: below, and nothing tells whether it is: the
index well was not read then, or has no record to tell by, or there is none."""
AS_LOW: Mapping[bool | None, Status] = {True: "shared", False: "shown", None: "unknown"}
"""By whether the index well is low for its own season, where no line predicts the well."""
DECIMALS = 6
"""Of a foot: binary fractions miss a decimal tie by less."""


@dataclass(frozen=True)
class Drop:
    """A level against its limit. ``predicted``: None where no index well tells; ``index_ft``: where that stood."""

    status: Status
    depth_ft: float
    limit_ft: float | None = None
    predicted: Predicted | None = None
    index_ft: float | None = None


@dataclass(frozen=True)
class IndexRecord:
    """The index well: daily depths of its whole record [ft], and those before mining."""

    id: str
    whole: Mapping[date, float]
    before: Daily
    policy: Policy

    @cached_property
    def seasons(self) -> SeasonalRecord:
        """Its own seasons before mining."""
        return SeasonalRecord.of(self.before, self.before, self.policy)

    @cached_property
    def _known(self) -> tuple[Numbers, Numbers]:
        days = sorted(self.whole)
        return np.array([day.toordinal() for day in days], np.float64), np.array([self.whole[day] for day in days])

    def on(self, days: Sequence[date]) -> Numbers:
        """float64[n], depth [ft] on each day, interpolated between readings that lie near enough; NaN elsewhere."""
        at = np.array([day.toordinal() for day in days], np.float64)
        when, depth = self._known
        if not when.size:
            return np.full(at.shape, np.nan)
        gap = int(self.policy.level_index_longest_gap.value)
        after = np.clip(np.searchsorted(when, at), 0, when.size - 1)
        before = np.where(when[after] == at, after, np.maximum(after - 1, 0))
        near = (when[before] <= at) & (at <= when[after]) & (when[after] - when[before] <= gap)
        return np.where(near, np.interp(at, when, depth), np.nan)


@dataclass(frozen=True)
class WaterTable:
    """The water table of one well before mining, and its judge since.

    Parameters
    ----------
    well : where it is read.
    measured : depth of each day read before mining [ft]; ``deepest_ft`` the deepest of their ``n`` readings.
    index : the declared index well's record, None without one.
    line : its relation to the well, None where it is too short or too loose; ``lack`` says why.
    """

    well: str
    policy: Policy
    measured: Mapping[date, float]
    deepest_ft: float | None
    n: int
    index: IndexRecord | None
    line: IndexLine | None
    lack: str

    def season(self, day: date) -> Season | None:
        """The band of a day, of the extended record or the well's own; None where its years are too few."""
        return self._long_enough(self._record.season(day))

    def years(self, day: date) -> int:
        """Years before mining with a level in the season of a day, estimated ones too [a]."""
        found = self._record.season(day)
        return found.years if found else 0

    def index_season(self, day: date) -> Season | None:
        """The same of the index well itself."""
        return self._long_enough(self.index.seasons.season(day)) if self.index else None

    def limit_ft(self, day: date) -> float | None:
        """The depth below which a level of that day is below its baseline [ft]."""
        season = self.season(day)
        return self.deepest_limit_ft if season is None else season.low_water_ft + float(self.policy.level_error.value)

    @property
    def deepest_limit_ft(self) -> float | None:
        """The deepest reading before mining and a drop more [ft]."""
        return None if self.deepest_ft is None else self.deepest_ft + float(self.policy.level_drop.value)

    def judge(self, day: date, depth_ft: float) -> Drop:
        """A level [ft below land] of a day since mining began."""
        limit = self.limit_ft(day)
        if limit is None:
            return Drop("no baseline", depth_ft)
        if not _deeper(depth_ft, limit):
            return Drop("none", depth_ft, limit)
        index_ft = self.index_ft(day)
        predicted = self.predicted(day)
        return Drop(self._beside_index(day, depth_ft, predicted), depth_ft, limit, predicted, index_ft)

    def index_ft(self, day: date) -> float | None:
        """Where the index well stood on a day [ft]; None where it was not read near enough."""
        found = float(self.index.on([day])[0]) if self.index else float("nan")
        return None if found != found else found

    def predicted(self, day: date) -> Predicted | None:
        """What the index well predicts for the well on a day."""
        index_ft = self.index_ft(day)
        if self.line is None or index_ft is None:
            return None
        return self.line.predict(index_ft, float(self.policy.level_index_interval.value))

    def _beside_index(self, day: date, depth_ft: float, predicted: Predicted | None) -> Status:
        if self.index is None:
            deepest = self.deepest_limit_ft
            return "shown" if deepest is not None and _deeper(depth_ft, deepest) else "unknown"
        if self.line is None:
            return AS_LOW[self.index_is_low(day)]
        if predicted is None:
            return "unknown"
        return "shown" if _deeper(depth_ft, predicted.high_ft) else "shared"

    def index_is_low(self, day: date) -> bool | None:
        """Whether the index well itself stands below its own season's band; None where that cannot be told."""
        index_ft, season = self.index_ft(day), self.index_season(day)
        if index_ft is None or season is None:
            return None
        return _deeper(index_ft, season.low_water_ft + float(self.policy.level_error.value))

    def _long_enough(self, found: Season | None) -> Season | None:
        return found if found and found.years >= int(self.policy.level_band_minimum_years.value) else None

    @cached_property
    def _record(self) -> SeasonalRecord:
        """The record before mining, its unread days estimated by MOVE.1 where the index well was read."""
        measured = Daily.of(self.measured)
        if self.index is None or self.line is None:
            return SeasonalRecord.of(measured, measured, self.policy)
        before = self.index.before
        estimated = Daily(before.first, self.line.move.estimate(before.values))
        return SeasonalRecord.of(estimated, measured, self.policy)


def water_table(
    well: str, levels: Sequence[tuple[date, float]], index: IndexRecord | None, policy: Policy,
    read: Sequence[tuple[date, float]] = (),
) -> WaterTable:  # fmt: skip
    """The water table of a well from before mining, tied to an index well if possible.

    Parameters
    ----------
    levels : day and depth [ft], one level a day (`models.checks.well_levels.day_levels`).
    read : every reading, of which the deepest is told; where left out, the levels.
    """
    read = read or levels
    measured = dict(levels)
    deepest = max((depth for _, depth in read), default=None)
    line, lack = _line(measured, index, policy)
    return WaterTable(well, policy, measured, deepest, len(read), index, line, lack)


def _line(measured: Mapping[date, float], index: IndexRecord | None, policy: Policy) -> tuple[IndexLine | None, str]:
    if index is None:
        return None, "the site declares no index well for it"
    days = sorted(measured)
    at = index.on(days)
    both = [k for k in range(len(days)) if np.isfinite(at[k])]
    if lack := _too_short([days[k] for k in both], index, policy):
        return None, lack
    ordinals, depths = (np.array(one, np.float64) for one in zip(*_numbers(days, measured, both), strict=True))
    try:
        line = fit_index_line(ordinals, depths, at[both], float(policy.level_error.value))
    except BadQuestion as why:
        return None, f"no line to index well {index.id}: {why.reason}"
    least = policy.level_index_minimum_correlation
    if round(line.move.correlation, DECIMALS) < least.value:
        return None, f"correlation {line.move.correlation:.3f} with index well {index.id} is under {least.says()}"
    return line, ""


def _numbers(days: Sequence[date], measured: Mapping[date, float], both: Sequence[int]) -> list[tuple[float, float]]:
    return [(float(days[k].toordinal()), measured[days[k]]) for k in both]


def _too_short(days: Sequence[date], index: IndexRecord, policy: Policy) -> str:
    """Why concurrent days are too few or too close together for a line; empty where they are not."""
    overlap, span = policy.level_index_minimum_overlap, policy.level_index_minimum_span
    if len(days) < overlap.value or not days:
        return f"{len(days)} concurrent days with index well {index.id}, needs {overlap.says()}"
    reach = (days[-1] - days[0]).days
    return (
        "" if reach >= span.value else f"concurrent days with index well {index.id} span {reach}, needs {span.says()}"
    )


def _deeper(depth_ft: float, limit_ft: float) -> bool:
    return round(depth_ft - limit_ft, DECIMALS) > 0
