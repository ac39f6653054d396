"""How sure a statistic is: bootstrap by year, and its range over periods of the record. The generator is passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.daily_record import Numbers

Block = TypeVar("Block")
Sample = TypeVar("Sample")

LEVEL = 0.90
REPLICATES = 1000
# A statistic that so many replicates cannot give has no honest interval: those left are not a random choice.
MOST_WITHOUT = 0.05


@dataclass(frozen=True)
class Interval:
    """A two-sided interval.

    Parameters
    ----------
    low, high : in the unit of the statistic.
    level : its nominal probability [-].
    replicates : replicates it rests on.
    """

    low: float
    high: float
    level: float
    replicates: int


@dataclass(frozen=True)
class PeriodRange:
    """Lowest and highest of a statistic over all periods of ``years`` consecutive years, and how many there are.

    ``lowest_from`` and ``highest_from`` name the first year of the two.
    """

    low: float
    high: float
    years: int
    periods: int
    lowest_from: int
    highest_from: int


def resample(blocks: Sequence[Block], rng: np.random.Generator) -> list[Block]:
    """As many blocks, drawn with replacement. A block is a year: days within one are not independent."""
    return [blocks[k] for k in rng.integers(len(blocks), size=len(blocks))]


def bootstrap(
    draw: Callable[[np.random.Generator], Sample],
    statistic: Callable[[Sample], ArrayLike],
    rng: np.random.Generator,
    replicates: int = REPLICATES,
) -> Numbers:
    """The statistic of many drawn samples.

    Parameters
    ----------
    draw : one sample from the generator, as ``lambda rng: resample(years, rng)``.
    statistic : k values of a sample, NaN where it has none.

    Returns
    -------
    float64[replicates, k]

    References
    ----------
    Efron & Tibshirani (1993), An introduction to the bootstrap, chapters 8 and 13.
    """
    if replicates < 2:
        raise BadQuestion("too few replicates", key="replicates", found=replicates, allowed=["2 or more"])
    return np.array([np.atleast_1d(np.asarray(statistic(draw(rng)), np.float64)) for _ in range(replicates)])


def percentile_interval(estimates: ArrayLike, level: float = LEVEL) -> Interval | None:
    """The central ``level`` of replicates, float64[n]; None where over 5 % of them have no value.

    Raises
    ------
    BadQuestion : a level outside 0..1.
    """
    if not 0 < level < 1:
        raise BadQuestion("not a level", key="level", found=level, allowed=["0 to 1"])
    values = np.asarray(estimates, np.float64)
    known = values[np.isfinite(values)]
    if known.size < 2 or known.size < (1 - MOST_WITHOUT) * values.size:
        return None
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, known.size)


def bootstrap_interval(
    blocks: Sequence[Block],
    statistic: Callable[[Sequence[Block]], float],
    rng: np.random.Generator,
    *,
    level: float = LEVEL,
    replicates: int = REPLICATES,
) -> Interval | None:
    """Percentile interval of one statistic of a sequence of blocks; None with fewer than two blocks."""
    if len(blocks) < 2:
        return None
    estimates = bootstrap(lambda source: resample(blocks, source), statistic, rng, replicates)
    return percentile_interval(estimates[:, 0], level)


def period_range(
    years: Sequence[int], blocks: Sequence[Block], statistic: Callable[[Sequence[Block]], float], length: int
) -> PeriodRange | None:
    """The statistic of every period of ``length`` consecutive years: what the choice of record does to it.

    Parameters
    ----------
    years : name of each block's year, increasing; a year may be absent, and then no period spans it.
    blocks : one per year.
    statistic : of the blocks of a period; NaN where it has none.
    length : of a period [a].

    Returns
    -------
    PeriodRange or None
        None with fewer than two periods that have a value.
    """
    starts = [k for k in range(len(years) - length + 1) if years[k + length - 1] - years[k] == length - 1]
    values = np.array([statistic(blocks[k : k + length]) for k in starts], np.float64)
    if np.isfinite(values).sum() < 2:
        return None
    lowest, highest = int(np.nanargmin(values)), int(np.nanargmax(values))
    return PeriodRange(
        low=float(values[lowest]),
        high=float(values[highest]),
        years=length,
        periods=int(np.isfinite(values).sum()),
        lowest_from=int(years[starts[lowest]]),
        highest_from=int(years[starts[highest]]),
    )
