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


def background(
    wells: Mapping[str, Sequence[Measured]],
    increase: Increase,
    *,
    minimum_results: int,
    method: Method = "kaplan_meier",
) -> Background | Insufficient:
    """Pool the results of the background wells, each of which must bring ``minimum_results``.

    Without non-detects the arithmetic is decimal and exact to the context; with them the estimate of ``method`` is
    carried to 12 figures. Outliers are listed by well (Tukey's fences) and stay in.

    Returns
    -------
    Background, or Insufficient: results missing (all wells together, each named), or detects for the method.

    Raises
    ------
    BadQuestion : no well, a minimum under two, a value that is not finite, or a detect that ROS cannot take.
    """
    if minimum_results < 2:
        raise BadQuestion("a standard deviation needs two results", key="minimum_results", found=minimum_results)
    short = _short_wells(wells, minimum_results)
    if short is not None:
        return short
    moments = _moments([one for results in wells.values() for one in results], increase, method)
    if isinstance(moments, Insufficient):
        return moments
    mean, sd, name = moments
    spread = increase.sd_multiple * sd
    step = max(spread, increase.increment)
    governed: Literal["standard deviation", "increment"] = (
        "standard deviation" if spread > increase.increment else "increment"
    )
    shares = tuple(_share(well, results) for well, results in wells.items())
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
