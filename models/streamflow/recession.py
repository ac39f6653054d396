"""The daily recession constant k, Q[t+1] = k Q[t], in the seven ways of the field: they disagree, and all are told.

Through-origin regression is ruled by the largest flows and is no ground-water constant on a flashy stream; the upper
envelope, the matched strips and Brutsaert-Nieber on flow below the median are nearest to base flow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from models.streamflow.daily_record import DailyRecord, Numbers
from models.streamflow.intervals import Interval, bootstrap_interval
from models.streamflow.recession_segments import RULE, RecessionRule, Recessions, recessions

UPPER = 0.95
"""Envelope of the ratios: the slowest twentieth."""
LOWER = 0.10
"""Envelope of the rates of fall: the slowest tenth."""
PAIRS_IN_BIN = 20
FEWEST_STRIPS = 2


@dataclass(frozen=True)
class RecessionConstant:
    """k found one way.

    Parameters
    ----------
    way : its name.
    k : per day [-], in 0..1; None where it could not be found.
    n, strips : pairs of days, and recessions they come from.
    reason : why there is none.
    interval : by drawing recessions anew; None where not asked for or not to be had.
    """

    way: str
    k: float | None
    n: int
    strips: int
    reason: str = ""
    interval: Interval | None = None

    @property
    def days_per_log_cycle(self) -> float | None:
        """Rorabaugh's K [d]: the time in which flow falls to a tenth, -1 / log10 k."""
        return None if self.k is None else float(-1 / np.log10(self.k))


def through_origin(found: Recessions) -> float:
    """k = sum Q[t] Q[t+1] / sum Q[t]^2. Eckhardt (2008), J. Hydrol. 352, 168-173."""
    return float((found.first * found.second).sum() / (found.first**2).sum())


def upper_envelope(found: Recessions) -> float:
    """k = 95th percentile of Q[t+1] / Q[t]: the base-flow end of the cloud."""
    return float(np.quantile(found.second / found.first, UPPER))


def median_slope(found: Recessions) -> float:
    """k = exp of the median over recessions of the least-squares slope of ln Q on t."""
    return float(np.exp(np.median([_slope(_day_numbers(one), np.log(one)) for one in found.strips])))


def matching_strips(found: Recessions) -> float:
    """k of the master recession curve: strips slid along the time axis until they lie best on one straight ln Q line.

    Sliding a strip is giving it its own intercept, so the common slope is sum (t - tm)(ln Q - ln Qm) / sum (t - tm)^2
    over all strips, each about its own means. Toebes & Strang (1964), J. Hydrol. (NZ) 3(2), 2-15.
    """
    times = [np.arange(one.size) - (one.size - 1) / 2 for one in found.strips]
    rise = sum(float((t * np.log(one)).sum()) for t, one in zip(times, found.strips, strict=True))
    return float(np.exp(rise / sum(float((t**2).sum()) for t in times)))


def brutsaert_nieber(found: Recessions) -> float:
    """k of the lower envelope of -dQ/dt against Q, slope 1 in logarithms (a linear reservoir).

    -dQ/dt = Q[t] - Q[t+1], Q = (Q[t] + Q[t+1]) / 2; in bins of equal numbers along Q the 10 % quantile of their ratio,
    its logarithms averaged to ln a, so that low flows count as much as high; k = (1 - a/2) / (1 + a/2).
    Brutsaert & Nieber (1977), Water Resour. Res. 13(3), 637-643.
    """
    flow = (found.first + found.second) / 2
    rate = ((found.first - found.second) / flow)[np.argsort(flow, kind="stable")]
    bins = np.array_split(rate, rate.size // PAIRS_IN_BIN)
    a = float(np.exp(np.mean([np.log(np.quantile(one, LOWER)) for one in bins])))
    return (1 - a / 2) / (1 + a / 2)


def vogel_kroll(found: Recessions) -> float:
    """k of ln Q[t+1] = ln k + ln Q[t] + e, freed of the bias of the exponential: exp(mean - s^2 / (2 n)).

    mean and s of the n steps of ln Q. After Vogel & Kroll (1996), Water Resour. Manage. 10, 303-320.
    """
    steps = np.log(found.second / found.first)
    return float(np.exp(steps.mean() - steps.var(ddof=1) / (2 * steps.size)))


def rorabaugh(found: Recessions) -> float:
    """k = 10^(-1/K), K the median over recessions of the days per log cycle: the slope of t on -log10 Q.

    The recession index of RECESS: time is regressed on flow, which gives a shorter K than flow on time.
    Rutledge (1998), USGS WRIR 98-4148.
    """
    days = [-_slope(np.log10(one), _day_numbers(one)) for one in found.strips]
    return float(10 ** (-1 / np.median(days)))


WAYS: dict[str, Callable[[Recessions], float]] = {
    "through_origin": through_origin,
    "upper_envelope": upper_envelope,
    "median_slope": median_slope,
    "matching_strips": matching_strips,
    "brutsaert_nieber": brutsaert_nieber,
    "vogel_kroll": vogel_kroll,
    "rorabaugh": rorabaugh,
}

FEWEST_PAIRS = {"upper_envelope": PAIRS_IN_BIN, "brutsaert_nieber": 2 * PAIRS_IN_BIN}
"""Pairs an envelope needs before its quantile means anything; the others need two recessions only."""


def recession_constants(
    record: DailyRecord,
    rule: RecessionRule = RULE,
    *,
    usable: ArrayLike | None = None,
    rng: np.random.Generator | None = None,
    replicates: int = 200,
) -> tuple[RecessionConstant, ...]:
    """k in all seven ways, in the order of `WAYS`.

    Parameters
    ----------
    record, rule, usable : as in `recessions`.
    rng : gives each an interval by drawing whole recessions with replacement; None gives none.

    Raises
    ------
    BadQuestion : as in `recessions`.
    """
    found = recessions(record, rule, usable=usable)
    return tuple(_with_interval(_one(way, found), found, rng, replicates) for way in WAYS)


def _one(way: str, found: Recessions) -> RecessionConstant:
    n, strips = found.first.size, len(found.strips)
    if strips < FEWEST_STRIPS:
        return RecessionConstant(way, None, n, strips, f"{strips} recessions; at least {FEWEST_STRIPS} needed")
    if n < FEWEST_PAIRS.get(way, 0):
        return RecessionConstant(way, None, n, strips, f"{n} pairs of days; at least {FEWEST_PAIRS[way]} needed")
    return RecessionConstant(way, WAYS[way](found), n, strips)


def _with_interval(
    one: RecessionConstant, found: Recessions, rng: np.random.Generator | None, replicates: int
) -> RecessionConstant:
    if one.k is None or rng is None:
        return one
    interval = bootstrap_interval(
        found.strips, lambda drawn: _one(one.way, Recessions(tuple(drawn))).k or np.nan, rng, replicates=replicates
    )
    return replace(one, interval=interval)


def _day_numbers(strip: Numbers) -> Numbers:
    return np.arange(strip.size, dtype=np.float64)


def _slope(x: Numbers, y: Numbers) -> float:
    about = x - x.mean()
    return float((about * y).sum() / (about**2).sum())
