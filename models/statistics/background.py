"""Background concentration at unaffected wells, and the limits a mean and an increase set around it.

NR 140.20: the mean of enough results from each background well, plus the larger of a multiple of the standard deviation
and a fixed increase, on one side or both. Every number of that sentence is an argument, none stands here.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from models.errors import BadQuestion
from models.statistics.censored import CensoredSample, Insufficient, censored_sample
from models.statistics.kaplan_meier import kaplan_meier
from models.statistics.outliers import Outlier, tukey
from models.statistics.ros import ros

Method = Literal["kaplan_meier", "ros"]
Side = Literal["above", "below", "within", "unknown"]


@dataclass(frozen=True)
class Measured:
    """One result: its value, or with ``censored`` the limit behind the ``<``. All in one unit."""

    value: Decimal
    censored: bool = False


@dataclass(frozen=True)
class Increase:
    """How far from the mean the limit stands: the larger of ``sd_multiple`` x SD and ``increment`` [unit of results].

    ``sd_multiple`` 0 leaves the increment alone (field pH). ``two_sided`` sets a lower limit too. The SD divides by n
    from ``divide_by_n_from`` results on, by n - 1 below it (None: always n - 1).
    """

    sd_multiple: Decimal
    increment: Decimal
    two_sided: bool = False
    divide_by_n_from: int | None = None


@dataclass(frozen=True)
class WellShare:
    """What one background well brought."""

    well: str
    n: int
    n_censored: int
    outliers: tuple[Outlier, ...]


@dataclass(frozen=True)
class Background:
    """Mean and SD of all results together, and the limits; ``governed_by`` names the larger term of the increase."""

    mean: Decimal
    sd: Decimal
    n: int
    n_censored: int
    increase: Decimal
    governed_by: Literal["standard deviation", "increment"]
    upper: Decimal
    lower: Decimal | None
    wells: tuple[WellShare, ...]
    method: str


@dataclass(frozen=True)
class Bounded:
    """Between which numbers the limit lies where too few results were detected for an estimate of the mean.

    Every non-detect lies in [0, its limit), so the mean lies between those with all at 0 and with all at their limit.
    The SD lies between 0 and half the range of what the results can be, times sqrt(n / (n - 1)) where it divides by
    n - 1 (Popoviciu 1935). ``mean``, ``increase`` and ``upper`` are least and greatest.
    """

    mean: tuple[Decimal, Decimal]
    increase: tuple[Decimal, Decimal]
    upper: tuple[Decimal, Decimal]
    n: int
    n_censored: int
    wells: tuple[WellShare, ...]
    method: str = "bounds: non-detects as 0 and as their limit"


def background(
    wells: Mapping[str, Sequence[Measured]],
    increase: Increase,
    *,
    minimum_results: int,
    method: Method = "kaplan_meier",
) -> Background | Bounded | Insufficient:
    """Pool the results of the background wells, each of which must bring ``minimum_results``.

    Without non-detects the arithmetic is decimal and exact to the context; with them the estimate of ``method`` is
    carried to 12 figures. Outliers are listed by well (Tukey's fences) and stay in.

    Returns
    -------
    Background; Bounded: detects for the method are missing, and the limit is one-sided; or Insufficient: results are
    missing (all wells together, each named), or detects for a two-sided limit.

    Raises
    ------
    BadQuestion : no well, a minimum under two, a value that is not finite, or a detect that ROS cannot take.
    """
    if minimum_results < 2:
        raise BadQuestion("a standard deviation needs two results", key="minimum_results", found=minimum_results)
    short = _short_wells(wells, minimum_results)
    if short is not None:
        return short
    every = [one for results in wells.values() for one in results]
    shares = tuple(_share(well, results) for well, results in wells.items())
    moments = _moments(every, increase, method)
    if isinstance(moments, Insufficient):
        return moments if increase.two_sided else _bounded(every, increase, shares)
    mean, sd, name = moments
    spread = increase.sd_multiple * sd
    step = max(spread, increase.increment)
    governed: Literal["standard deviation", "increment"] = (
        "standard deviation" if spread > increase.increment else "increment"
    )
    n, n_censored = sum(one.n for one in shares), sum(one.n_censored for one in shares)
    lower = mean - step if increase.two_sided else None
    return Background(mean, sd, n, n_censored, step, governed, mean + step, lower, shares, name)


def side(found: Background, result: Measured) -> Side:
    """Where a result stands: a limit that is met counts as passed (NR 140.05(2)).

    A non-detect is ``unknown`` where its hidden value could lie on either side of a limit.
    """
    if not result.censored:
        below = found.lower is not None and result.value <= found.lower
        return "above" if result.value >= found.upper else "below" if below else "within"
    if found.lower is not None and result.value <= found.lower:
        return "below"
    return "within" if result.value <= found.upper and found.lower is None else "unknown"


def _short_wells(wells: Mapping[str, Sequence[Measured]], minimum: int) -> Insufficient | None:
    if not wells:
        raise BadQuestion("no background well", key="wells")
    lacking = {well: len(results) for well, results in wells.items() if len(results) < minimum}
    detail = ", ".join(f"{well} has {n}, {minimum - n} missing" for well, n in lacking.items())
    have = sum(min(len(results), minimum) for results in wells.values())
    return Insufficient("background results", have, minimum * len(wells), detail) if lacking else None


def _moments(
    results: Sequence[Measured], increase: Increase, method: Method
) -> tuple[Decimal, Decimal, str] | Insufficient:
    by_n = increase.divide_by_n_from is not None and len(results) >= increase.divide_by_n_from
    sample = as_sample(results)
    if not sample.n_censored:
        values = [one.value for one in results]
        return statistics.mean(values), (statistics.pstdev if by_n else statistics.stdev)(values), "arithmetic mean"
    estimate = kaplan_meier(sample) if method == "kaplan_meier" else ros(sample)
    if isinstance(estimate, Insufficient):
        return estimate
    return _decimal(estimate.mean), _decimal(estimate.population_sd if by_n else estimate.sd), estimate.method


def _bounded(results: Sequence[Measured], increase: Increase, shares: tuple[WellShare, ...]) -> Bounded:
    n, hidden = len(results), sum(one.censored for one in results)
    lows, highs = [Decimal(0) if one.censored else one.value for one in results], [one.value for one in results]
    by_n = increase.divide_by_n_from is not None and n >= increase.divide_by_n_from
    largest = (max(highs) - min(lows)) / 2 * (Decimal(1) if by_n else (Decimal(n) / (n - 1)).sqrt())
    mean = statistics.mean(lows), statistics.mean(highs)
    step = increase.increment, max(increase.sd_multiple * largest, increase.increment)
    return Bounded(mean, step, (mean[0] + step[0], mean[1] + step[1]), n, hidden, shares)


def as_sample(results: Iterable[Measured]) -> CensoredSample:
    """The results as arrays."""
    rows = list(results)
    return censored_sample([float(one.value) for one in rows], [one.censored for one in rows])


def _share(well: str, results: Sequence[Measured]) -> WellShare:
    sample = as_sample(results)
    found = tukey(sample)
    return WellShare(well, sample.n, sample.n_censored, () if isinstance(found, Insufficient) else found)


def _decimal(number: float) -> Decimal:
    """An estimate to 12 figures: binary noise beyond them must not decide an equality."""
    return Decimal(f"{number:.12g}")
