"""Whether the results of one substance at one well rise or fall, and how sure that is: for people who must decide.

Three readings of the same results stand side by side: the plain Mann-Kendall test with Sen's slope, the seasonal test
by calendar quarters where there is more than one, and the test corrected for results that depend on the ones before.
The first two take non-detects; a reading that cannot be made says what it lacks. Sources stand in the modules used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise

from models.statistics.autocorrelation import hamed_rao
from models.statistics.censored import CensoredSample, Insufficient, censored_sample
from models.statistics.mann_kendall import MannKendall, mann_kendall
from models.statistics.seasonal_kendall import (
    FEWEST_YEARS_CORRECTED,
    SeasonalKendall,
    seasonal_kendall,
    seasonal_sen_slope,
)
from models.statistics.sen_slope import SenSlope, sen_slope

DAYS_PER_YEAR = 365.25
MONTHS_IN_A_SEASON = 3
SHORTEST_SPAN = 330
"""Days that twelve monthly rounds span: a rise within a season is no change by the year."""
FEWEST_YEARS = 3
"""Of a season: with fewer its own test can tell nothing."""


@dataclass(frozen=True)
class Dated:
    """One result: its day, and its value or with ``censored`` the limit behind the ``<``."""

    day: date
    value: float
    censored: bool = False


@dataclass(frozen=True)
class Corrected:
    """The p that dependence between results leaves, and the method."""

    p: float
    method: str


@dataclass(frozen=True)
class Trend:
    """What the results say over time; slopes [unit of the results per year].

    ``seasonal`` is None where all results fall into one season of the year; else ``slope`` is within seasons.
    ``corrected`` is the reason where there is no such reading.
    """

    n: int
    n_censored: int
    first: date
    last: date
    plain: MannKendall | Insufficient
    seasonal: SeasonalKendall | Insufficient | None
    corrected: Corrected | str
    slope: SenSlope | Insufficient

    @property
    def p(self) -> float | None:
        """The p of the most careful reading that could be made; None where none could."""
        for one in (self.corrected, self.seasonal, self.plain):
            if isinstance(one, Corrected | SeasonalKendall | MannKendall):
                return one.p
        return None

    @property
    def direction(self) -> str:
        """``up``, ``down`` or ``none`` by the sign of S, significant or not; ``""`` where no test could be made."""
        if isinstance(self.seasonal, SeasonalKendall):
            return "up" if self.seasonal.s > 0 else "down" if self.seasonal.s < 0 else "none"
        return "" if isinstance(self.plain, Insufficient) else self.plain.direction


@lru_cache(maxsize=64)
def trend(results: tuple[Dated, ...]) -> Trend | Insufficient:
    """The trend of one substance at one well, in any order of the results; a day's several standards ask for the same.

    Raises
    ------
    BadQuestion : a value that is not finite.
    """
    if not results:
        return Insufficient("results", 0, 1)
    ordered = sorted(results, key=lambda one: (one.day, one.value, one.censored))
    sample, years = _sample(ordered), _years(ordered)
    span, plain = (ordered[-1].day - ordered[0].day).days, mann_kendall(years, sample)
    if not isinstance(plain, Insufficient) and span < SHORTEST_SPAN:
        return Insufficient("days from the first result to the last", span, SHORTEST_SPAN)
    seasonal = _seasonal(ordered)
    by_season = isinstance(seasonal, SeasonalKendall)
    slope = seasonal_sen_slope(years, _seasons(ordered), sample) if by_season else sen_slope(years, sample)
    return Trend(
        sample.n, sample.n_censored, ordered[0].day, ordered[-1].day, plain, seasonal,
        _corrected(ordered), slope,
    )  # fmt: skip


def one_a_season(results: Sequence[Dated]) -> list[Dated]:
    """Of several results of one quarter the middle one by day: the seasonal test takes one for each season and year."""
    quarters: dict[tuple[int, int], list[Dated]] = {}
    for one in results:
        quarters.setdefault((one.day.year, _season(one.day)), []).append(one)
    return [found[len(found) // 2] for found in quarters.values()]


def _seasonal(results: Sequence[Dated]) -> SeasonalKendall | Insufficient | None:
    kept = one_a_season(results)
    seasons = _seasons(kept)
    counts = [seasons.count(one) for one in sorted(set(seasons))]
    if len(counts) < 2:
        return None
    second = sorted(counts)[-2]
    if second < FEWEST_YEARS:
        return Insufficient("years in at least two seasons", second, FEWEST_YEARS)
    return seasonal_kendall([one.day.year for one in kept], seasons, _sample(kept))


def _corrected(results: Sequence[Dated]) -> Corrected | str:
    """Hamed and Rao over even rounds of sampling without non-detects; over ten years or more Hirsch and Slack."""
    kept = one_a_season(results)
    if len({one.day.year for one in kept}) >= FEWEST_YEARS_CORRECTED and len(set(_seasons(kept))) > 1:
        found = seasonal_kendall([one.day.year for one in kept], _seasons(kept), _sample(kept), covariance=True)
        return found.reason if isinstance(found, Insufficient) else Corrected(found.p, "Hirsch and Slack 1984")
    rounds = _rounds(results)
    if not rounds:
        return "not sampled in even rounds"
    if any(one.censored for one in results):
        return "not every result was detected"
    plain = hamed_rao([float(one) for one in rounds], _sample(results))
    return plain.reason if isinstance(plain, Insufficient) else Corrected(plain.test.p, "Hamed and Rao 1998")


def _rounds(results: Sequence[Dated]) -> list[int]:
    """The number of each round where sampling was even, by months or by quarters; empty where it was not."""
    for months in (1, MONTHS_IN_A_SEASON):
        numbers = [(12 * one.day.year + one.day.month - 1) // months for one in results]
        steps = {later - first for first, later in pairwise(numbers)}
        if len(steps) == 1 and 0 not in steps:
            return numbers
    return []


def _sample(results: Sequence[Dated]) -> CensoredSample:
    return censored_sample([one.value for one in results], [one.censored for one in results])


def _years(results: Sequence[Dated]) -> list[float]:
    return [one.day.toordinal() / DAYS_PER_YEAR for one in results]


def _seasons(results: Sequence[Dated]) -> list[int]:
    return [_season(one.day) for one in results]


def _season(day: date) -> int:
    return (day.month - 1) // MONTHS_IN_A_SEASON
