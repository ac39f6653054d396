"""What a water stood at before mining on like days: the same season, and comparable precipitation before it.

The level of a lake wanders with the season and the weather by more than most drawdowns, so its reference is no one
number (shortfall semantics, decision 26). For a day d it is drawn from the years before mining: from the known days
within some days of d's calendar day, in years whose precipitation over the span before it is comparable. The reference
is the low end of that band, at the Weibull plotting position m / (n + 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from models.streamflow.natural_rate import DAYS_PER_YEAR
from models.streamflow.practice import PRACTICE
from models.streamflow.threshold import Threshold

Numbers = NDArray[np.float64]
INCHES = HUNDREDTH = Decimal("0.01")
EPOCH_YEAR = 1970
FIRST = date(1900, 1, 1)


@dataclass(frozen=True)
class LikeDays:
    """Which days before mining are like a day; a town may adopt others.

    Parameters
    ----------
    half_width_days : days within this of the calendar day are its season [d].
    minimum_days : known days a year needs in the season to count [d].
    minimum_years : comparable years the band needs [a].
    low_share : the reference is the level below which the water stood on this share of like days [fraction].
    span_days : precipitation is summed over this span, the day before the last in it [d].
    alike : largest difference of comparable precipitation, as a share of that before the day judged [fraction].
    coverage : share of the span that must be known [fraction].
    """

    half_width_days: int
    minimum_days: int
    minimum_years: Decimal
    low_share: Decimal
    span_days: int
    alike: Decimal
    coverage: Decimal


@dataclass(frozen=True)
class Year:
    """One year before mining in the season of a day: its known levels [ft], and the precipitation before it [in]."""

    year: int
    levels: Numbers
    rain_in: Decimal | None


@dataclass(frozen=True)
class SeasonBand:
    """Levels of like days before mining.

    Parameters
    ----------
    low_ft, high_ft : ends of the band [ft], to 0.01 ft as the record prints a stage.
    n, years : days it is drawn from, and their years.
    rain_in : precipitation over the span before the day judged [in]; None where it is not known.
    years_rain_in : of the years, in order [in].
    lack : why no verdict can rest on the band, and what would settle it; empty where one can.
    """

    low_ft: Decimal
    high_ft: Decimal
    n: int
    years: tuple[int, ...]
    rain_in: Decimal | None
    years_rain_in: tuple[Decimal | None, ...]
    lack: str = ""


@dataclass(frozen=True)
class Daily:
    """A daily record on the calendar, NaN where nothing is known."""

    first: date
    values: Numbers

    @staticmethod
    def of(known: Mapping[date, float]) -> Daily:
        """From the known days."""
        if not known:
            return Daily(FIRST, np.empty(0))
        first, last = min(known), max(known)
        values = np.full((last - first).days + 1, np.nan)
        for day, value in known.items():
            values[(day - first).days] = value
        return Daily(first, values)

    def between(self, start: date, end: date) -> Numbers:
        """Known values of the days ``start`` to ``end``."""
        low, high = (start - self.first).days, (end - self.first).days + 1
        part = self.values[max(low, 0) : max(high, 0)]
        return part[~np.isnan(part)]

    def window(self, centre: date, half_width: int) -> Numbers:
        """Values of the days within ``half_width`` of a day, in order, NaN where nothing is known."""
        low = (centre - self.first).days - half_width
        rows = np.arange(low, low + 2 * half_width + 1)
        inside = (rows >= 0) & (rows < self.values.size)
        found = np.full(rows.size, np.nan)
        found[inside] = self.values[rows[inside]]
        return found

    @property
    def span_days(self) -> int:
        """From the first known day to the last [d]."""
        return int(self.values.size)


@dataclass(frozen=True)
class _Season:
    """One calendar day in every year of a record: levels and their calendar years [year, day], precipitation [year]."""

    centres: tuple[date, ...]
    levels: Numbers
    calendar: NDArray[np.int64]
    rain_in: tuple[Decimal | None, ...]


@dataclass(frozen=True)
class StageBaseline:
    """The record before mining that a stage is compared with.

    Parameters
    ----------
    stage : known daily mean stage before mining [ft] on one datum.
    rain : daily precipitation [in], before mining and since.
    like : which days are like a day.
    """

    stage: Daily
    rain: Daily
    like: LikeDays
    _bands: dict[tuple[date, int | None], SeasonBand | None] = field(default_factory=dict, compare=False, repr=False)
    _seasons: dict[tuple[int, int], _Season] = field(default_factory=dict, compare=False, repr=False)

    def band(self, day: date, without: int | None = None) -> SeasonBand | None:
        """The band of like days; None where no year before mining has a record of the season.

        ``without``: a calendar year to leave out: what that year is compared with.
        """
        key = day, without
        if key not in self._bands:
            self._bands[key] = self._band(day, without)
        return self._bands[key]

    def years(self, day: date) -> list[Year]:
        """The years before mining with enough known days in the season of a day; its own season is not one of them."""
        season, known = self._season(day), np.isfinite(self._season(day).levels)
        return [
            Year(season.centres[k].year, season.levels[k][known[k]], season.rain_in[k])
            for k in self._enough(season, known, day)
        ]

    def _enough(self, season: _Season, known: NDArray[np.bool_], day: date) -> list[int]:
        rows: list[int] = np.flatnonzero(known.sum(axis=1) >= max(self.like.minimum_days, 1)).tolist()
        return [k for k in rows if season.centres[k] != day]

    def rain_before(self, day: date) -> Decimal | None:
        """Precipitation over the span before a day [in], scaled up by its unknown days; None where too few are known.

        P = W sum(p) / n over the n known days of the W before the day.
        """
        span = self.like.span_days
        known = self.rain.between(day - timedelta(days=span), day - timedelta(days=1))
        if not known.size or Decimal(known.size) < self.like.coverage * span:
            return None
        return Decimal(repr(float(known.sum()) * span / known.size)).quantize(INCHES, ROUND_HALF_UP)

    def too_short(self) -> str:
        """That the record before mining is under the years it needs; empty where it is not."""
        need, days = self.like.minimum_years, self.stage.span_days
        if not days or days >= int(need * DAYS_PER_YEAR):
            return ""
        years = (days / DAYS_PER_YEAR).quantize(HUNDREDTH, ROUND_DOWN)
        return f"the record before mining spans {years} years, needs {need}"

    def _season(self, day: date) -> _Season:
        """Windows around one calendar day in every year whose season may hold a day of the record."""
        key = day.month, day.day
        if key not in self._seasons:
            half, centres = self.like.half_width_days, tuple(anniversary(day, year) for year in self._span)
            rows = [self.stage.window(one, half) for one in centres]
            days = np.array(centres, "datetime64[D]")[:, np.newaxis] + np.arange(-half, half + 1)
            calendar = days.astype("datetime64[Y]").astype(np.int64) + EPOCH_YEAR
            levels = np.array(rows).reshape(calendar.shape)
            self._seasons[key] = _Season(centres, levels, calendar, tuple(map(self.rain_before, centres)))
        return self._seasons[key]

    @cached_property
    def _span(self) -> range:
        """Years whose season may hold a day of the record: a window reaches over a year's end."""
        size = self.stage.values.size
        last = self.stage.first + timedelta(days=max(size - 1, 0))
        return range(self.stage.first.year - 1, last.year + 2) if size else range(0)

    def _band(self, day: date, without: int | None) -> SeasonBand | None:
        season, rain = self._season(day), self.rain_before(day)
        known = np.isfinite(season.levels) & (season.calendar != without)
        years = self._enough(season, known, day)
        if not years:
            return None
        fell = [season.rain_in[k] for k in years]
        alike = [k for k, one in zip(years, fell, strict=True) if is_alike(one, rain, self.like.alike)]
        used = alike or years
        levels = np.sort(season.levels[used][known[used]])
        low, high = (_at_share(levels, share) for share in (self.like.low_share, 1 - self.like.low_share))
        of, rains = tuple(season.centres[k].year for k in used), tuple(season.rain_in[k] for k in used)
        return SeasonBand(low, high, levels.size, of, rain, rains, "; ".join(self._lacks(day, fell, len(alike), rain)))

    def _lacks(self, day: date, years: Sequence[Decimal | None], alike: int, rain: Decimal | None) -> Iterator[str]:
        """``years``: the precipitation of each year in the season [in]; ``alike``: how many had comparable."""
        need, span = self.like.minimum_years, self.like.span_days
        if len(years) < need:
            yield f"{len(years)} years before mining in the season of {day}, needs {need}: {SETTLES}"
        elif short := self.too_short():
            yield f"{short}: {SETTLES}"
        elif rain is None:
            yield f"precipitation of the {span} days before {day} is not known: a rain record of them would settle it"
        elif not any(one is not None for one in years):
            yield (
                "no precipitation record before mining to compare with: the same station's, of the baseline years, "
                "would settle it"
            )
        elif alike < need:
            yield (
                f"{alike} of {len(years)} years before mining had precipitation comparable with the {rain} in "
                f"before {day}, needs {need}: {SETTLES}"
            )


SETTLES = "a longer record before mining, or a base level that a licensee signs from one, would settle it"


def anniversary(day: date, year: int) -> date:
    """The same calendar day of another year; 28 February for the 29th where there is none."""
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def is_alike(one: Decimal | None, judged: Decimal | None, share: Decimal) -> bool:
    """Whether precipitation before one day is comparable with that before the day judged; at the limit it is."""
    return one is not None and judged is not None and abs(one - judged) <= share * judged


def _at_share(levels: Numbers, share: Decimal) -> Decimal:
    """The level below which a share of ``levels`` (sorted) lay [ft], linear between ranks; the extremes bound it.

    Rank h = p (n + 1), from 1 (Weibull). Binary fractions miss a decimal tie by 1e-15; nine places bring it back before
    it is rounded half up.
    """
    rank = share * (levels.size + 1) - 1
    below = int(rank) if rank > 0 else 0
    low, high = (float(levels[min(k, levels.size - 1)]) for k in (below, below + 1))
    found = low + (high - low) * float(max(rank, Decimal(0)) - below)
    return Decimal(f"{found:.9f}").quantize(PRACTICE.stage_step_ft, ROUND_HALF_UP)


@dataclass(frozen=True)
class ReferenceStage(Threshold):
    """A reference stage [ft] for each judged day; a day without one has a NaN and cannot be compared.

    ``by_day``: the reference; it moves with the weather and has no step of its own.
    """

    by_day: Mapping[date, Decimal] = field(default_factory=dict)

    @property
    def has_steps(self) -> bool:
        """A band moves from day to day and jumps at no month's end."""
        return False

    def values(self) -> Iterator[Decimal]:
        """Every reference."""
        return iter(self.by_day.values())

    def find(self, day: date) -> Decimal | None:
        """The reference of a day."""
        return self.by_day.get(day)
