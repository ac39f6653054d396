"""A daily record of depths as seasons: what stood within some days of a calendar day in every year of it.

The band's ends are at the Weibull plotting position m / (n + 1), linear between ranks; the extremes bound them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models.aquifer.admissible import Numbers
from models.policy import Policy
from models.streamflow.stage_reference import Daily, anniversary

Ordinals = NDArray[np.int64]


@dataclass(frozen=True)
class Season:
    """Depths of like days before mining [ft]: the band's ends, and the days and years it is drawn from.

    ``years``: those of which the record holds the whole season, be it read once in it or daily.
    """

    low_water_ft: float
    high_water_ft: float
    n: int
    measured: int
    years: int


@dataclass(frozen=True, eq=False)
class SeasonalRecord:
    """Depths on the calendar [ft].

    Parameters
    ----------
    first : ordinal of the first day.
    depth : float64[n], NaN where unknown, with a season of unknown days at either end.
    measured : bool[n], the days that were read; the others are estimates.
    half_width : days of a season to either side of its day [d]; ``share`` the part of days below the band [-].
    """

    first: int
    depth: Numbers
    measured: NDArray[np.bool_]
    half_width: int
    share: float
    _found: dict[tuple[int, int], Season | None] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(estimated: Daily, measured: Daily, policy: Policy) -> SeasonalRecord:
        """The measured days, and estimates where there are no measured ones."""
        half, share = int(policy.level_season_half_width.value), float(policy.level_low_percentile.value)
        parts = [one for one in (estimated, measured) if one.values.size]
        first = min((one.first.toordinal() for one in parts), default=date.max.toordinal()) - 2 * half
        last = max((one.first.toordinal() + one.values.size for one in parts), default=first) + 2 * half
        depth = np.full(max(last - first, 0), np.nan)
        for one in parts:
            at = one.first.toordinal() - first
            known = np.isfinite(one.values)
            depth[at : at + one.values.size][known] = one.values[known]
        read = np.zeros(depth.size, np.bool_)
        if measured.values.size:
            at = measured.first.toordinal() - first
            read[at : at + measured.values.size] = np.isfinite(measured.values)
        return SeasonalRecord(first, depth, read, half, share)

    def season(self, day: date) -> Season | None:
        """The season of a day; None where none of its days is known in any year."""
        key = day.month, day.day
        if key not in self._found:
            self._found[key] = self._season(day)
        return self._found[key]

    def _season(self, day: date) -> Season | None:
        width = 2 * self.half_width + 1
        starts = self._starts(day)
        rows = starts[:, np.newaxis] + np.arange(width)
        depths = self.depth[rows]
        known = np.isfinite(depths)
        n = int(known.sum())
        if not n:
            return None
        ranks = np.array([1 - self.share, self.share]) * (n + 1)
        low, high = np.interp(ranks, np.arange(1, n + 1), np.sort(depths[known]))
        inside = width - 1
        whole = (starts >= inside) & (starts + width <= self.depth.size - inside)
        years = int((known.any(axis=1) & whole).sum())
        return Season(round(float(low), 2), round(float(high), 2), n, int(self.measured[rows].sum()), years)

    def _starts(self, day: date) -> Ordinals:
        """Where the season of a day begins, in every year in which the record holds a day of it."""
        last = self.first + self.depth.size
        years = date.fromordinal(self.first).year, date.fromordinal(min(last, date.max.toordinal())).year
        starts = _anniversaries(day.month, day.day, *years) - self.half_width - self.first
        return starts[(starts >= 0) & (starts + 2 * self.half_width + 1 <= self.depth.size)]


@lru_cache(maxsize=4096)
def _anniversaries(month: int, day: int, first: int, last: int) -> Ordinals:
    """Ordinals of a calendar day in each of some years; 28 February for the 29th where there is none."""
    of = date(2000, month, day)
    return np.array([anniversary(of, year).toordinal() for year in range(first, last + 1)], np.int64)
