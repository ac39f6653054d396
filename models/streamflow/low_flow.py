"""The low-flow statistics of a gauge from which a base flow is established, each with its uncertainty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from models.errors import BadQuestion
from models.streamflow.annual_minima import AnnualMinima, annual_minima
from models.streamflow.august_median import is_complete
from models.streamflow.daily_record import DailyRecord, Numbers
from models.streamflow.flow_summary import FlowSummary, flow_summary
from models.streamflow.intervals import (
    LEVEL,
    REPLICATES,
    Interval,
    PeriodRange,
    bootstrap,
    percentile_interval,
    period_range,
)
from models.streamflow.log_pearson import FEWEST, LogPearson, fit_log_pearson
from models.streamflow.low_flow_sample import (
    ANNUAL,
    AUGUSTS,
    NAMES,
    YearSample,
    draw_extended_years,
    draw_years,
    statistics,
    year_samples,
)
from models.streamflow.record_extension import Extension, extend

FEWEST_YEARS = 10
"""Complete years Q7,10 and Q7,2 need."""
FEW_YEARS = 20
"""Below this many they are given with a warning."""
YEARS_FOR_INTERVAL = 5
"""Fewer years say nothing of how years differ."""
SHORT_BASELINE_DAYS = 3 * 365
"""Below this every verdict on a base flow is indeterminate (shortfall semantics, section 6)."""
PERIOD_YEARS = 10
_BELOW_LIMIT = "it falls among days on which the index gauge was dry, only known to be at or below {:.3g} cfs"
WHOLE_YEAR_DAYS = 350
"""Known days [d] that let a year stand in a ten-year period: a day lost here or there does not unmake one."""


@dataclass(frozen=True)
class Statistic:
    """One low-flow statistic.

    Parameters
    ----------
    value : [cfs]; None where it cannot be given.
    interval : of ``value``, by drawing years anew; None where it cannot be given.
    periods : its lowest and highest over all ten consecutive years of the record.
    n, counted : how many days or years it rests on.
    reason : why there is no value, or no interval; empty if both are given.
    """

    value: float | None
    interval: Interval | None
    periods: PeriodRange | None
    n: int
    counted: Literal["days", "years"]
    reason: str


@dataclass(frozen=True, eq=False)
class LowFlow:
    """Low-flow statistics of one record.

    Parameters
    ----------
    q7_10, q7_2 : annual minimum 7-day mean not exceeded once in 10 and in 2 years, log-Pearson III, climatic years.
    q50, q80, q90, q95 : daily mean exceeded on so many percent of days, Weibull positions.
    august_median_pooled, august_median_of_years : see `models.streamflow.august_median`.
    first_day, last_day : of the record, an extended one included.
    summary : moments, gaps, zeros and reverse flow of the measured record.
    minima, fit : what Q7,10 and Q7,2 rest on; no fit with fewer than ten complete years or three with flow.
    estimated_days : days estimated from an index gauge [d].
    extension : the extended record and its line, if there is one.
    warnings : what a reader must know, in plain words.
    """

    q7_10: Statistic
    q7_2: Statistic
    q50: Statistic
    q80: Statistic
    q90: Statistic
    q95: Statistic
    august_median_pooled: Statistic
    august_median_of_years: Statistic
    first_day: np.datetime64
    last_day: np.datetime64
    summary: FlowSummary
    minima: AnnualMinima
    fit: LogPearson | None
    estimated_days: int
    extension: Extension | None
    warnings: tuple[str, ...]


def low_flow(
    record: DailyRecord,
    rng: np.random.Generator,
    *,
    index: DailyRecord | None = None,
    level: float = LEVEL,
    replicates: int = REPLICATES,
) -> LowFlow:
    """Every low-flow statistic of a record, extended from an index gauge first where one is given.

    Parameters
    ----------
    record : daily flow of the site. Raw values under ice are to be unknown already; reverse flow counts as unknown.
    rng : seeded generator: the same seed gives the same intervals.
    index : record of a long index gauge for MOVE.1; the intervals then carry the uncertainty of its line too.
    level : of the intervals [-].
    replicates : bootstrap samples.

    Raises
    ------
    BadQuestion : an index gauge that cannot serve (`fit_move1`), a level outside 0..1, too few replicates.
    """
    extension = None if index is None else extend(record, index)
    whole = record if extension is None else extension.record
    samples, minima = year_samples(whole), annual_minima(record if extension is None else extension.known)

    def draw(source: np.random.Generator) -> Sequence[YearSample]:
        return draw_years(samples, source) if index is None else _draw_or_none(record, index, source)

    replicas = bootstrap(draw, statistics, rng, replicates) if len(samples) >= YEARS_FOR_INTERVAL else None
    periods = _periods(samples) if whole.limit == 0 else dict.fromkeys(NAMES)
    told = {name: _statistic(name, samples, replicas, level, periods[name], whole.limit) for name in NAMES}
    summary = flow_summary(record.flow)
    fit = _fit(minima) if whole.limit == 0 else None
    return LowFlow(
        **told,
        first_day=whole.days[0],
        last_day=whole.days[-1],
        summary=summary,
        minima=minima,
        fit=fit,
        estimated_days=0 if extension is None else int(extension.estimated.sum()),
        extension=extension,
        warnings=_warnings(summary, minima, fit, extension),
    )


def _draw_or_none(site: DailyRecord, index: DailyRecord, rng: np.random.Generator) -> Sequence[YearSample]:
    """A draw in which the gauges do not rise and fall together has no line, and counts as a replicate without value."""
    try:
        return draw_extended_years(site, index, rng)
    except BadQuestion:
        return ()


def _statistic(
    name: str,
    samples: Sequence[YearSample],
    replicas: Numbers | None,
    level: float,
    periods: PeriodRange | None,
    limit: float,
) -> Statistic:
    at, (n, counted) = NAMES.index(name), _count(name, samples)
    value = float(statistics(samples)[at])
    why = _why_none(name, n, value) or _why_limited(name, limit)
    if why:
        return Statistic(None, None, None, n, counted, why)
    interval = None if replicas is None else percentile_interval(replicas[:, at], level)
    reason = "" if interval else _why_no_interval(samples)
    return above_limit(Statistic(value, interval, periods, n, counted, reason), limit)


def _why_limited(name: str, limit: float) -> str:
    """Why the lowest days of a year in a row say nothing: one day of them without a value, and their mean has none."""
    if name in ANNUAL and limit > 0:
        return f"the index gauge was dry: the lowest days of its years are only known to be at or below {limit:.3g} cfs"
    return ""


def above_limit(one: Statistic, limit: float) -> Statistic:
    """The statistic without what falls among days that are only known to be at or below ``limit`` [cfs]."""
    if one.value is not None and one.value < limit:
        return Statistic(None, None, None, one.n, one.counted, _BELOW_LIMIT.format(limit))
    if one.interval is not None and one.interval.low < limit:
        return replace(one, interval=None, reason=f"no interval: {_BELOW_LIMIT.format(limit)}")
    return one


def _periods(samples: Sequence[YearSample]) -> dict[str, PeriodRange | None]:
    """Range of each over ten-year periods; one that could not give the statistic by itself has no part in it."""
    whole = [year for year in samples if year.flow.size >= WHOLE_YEAR_DAYS]
    known: dict[int, Numbers] = {}

    def one(name: str, some: Sequence[YearSample]) -> float:
        first = some[0].year
        if first not in known:
            known[first] = statistics(some)
        value = float(known[first][NAMES.index(name)])
        return float("nan") if _why_none(name, _count(name, some)[0], value) else value

    years = [year.year for year in whole]
    return {name: period_range(years, whole, partial(one, name), PERIOD_YEARS) for name in NAMES}


def _count(name: str, samples: Sequence[YearSample]) -> tuple[int, Literal["days", "years"]]:
    if name in ANNUAL:
        return sum(bool(np.isfinite(one.minimum)) for one in samples), "years"
    if name == AUGUSTS[0]:
        return sum(int(np.isfinite(one.august).sum()) for one in samples), "days"
    if name == AUGUSTS[1]:
        return sum(is_complete(one.august) for one in samples), "years"
    return sum(one.flow.size for one in samples), "days"


def _why_none(name: str, n: int, value: float) -> str:
    if name in ANNUAL and n < FEWEST_YEARS:
        return f"{n} complete climatic years; at least {FEWEST_YEARS} are needed"
    if np.isnan(value):
        return f"fewer than {FEWEST} years with flow" if name in ANNUAL else "too few known days"
    return ""


def _why_no_interval(samples: Sequence[YearSample]) -> str:
    if len(samples) < YEARS_FOR_INTERVAL:
        return f"no interval: {len(samples)} climatic years; at least {YEARS_FOR_INTERVAL} are needed"
    return "no interval: too many samples of the years have no value"


def _fit(minima: AnnualMinima) -> LogPearson | None:
    enough = minima.flow.size >= FEWEST_YEARS and int((minima.flow > 0).sum()) >= FEWEST
    return fit_log_pearson(minima.flow) if enough else None


def _unknown_days(summary: FlowSummary, extension: Extension | None) -> str:
    if extension is None:
        return f"unknown days: {summary.missing}" if summary.missing else ""
    left, dry = int(np.isnan(extension.known.flow).sum()), int(extension.dry.sum())
    of_these = f", {dry} of them with a dry index gauge" if dry else ""
    own = f"unknown days: {summary.missing} of the gauge's own record"
    return f"{own}, {left} after extension{of_these}" if summary.missing or left else ""


def _warnings(
    summary: FlowSummary, minima: AnnualMinima, fit: LogPearson | None, extension: Extension | None
) -> tuple[str, ...]:
    years, dry = minima.flow.size, int((minima.flow == 0).sum())
    said = [
        f"{summary.n} known days are under three years: every verdict on this base flow is indeterminate"
        if summary.n < SHORT_BASELINE_DAYS and extension is None
        else "",
        f"{years} complete years: Q7,10 needs {FEW_YEARS} to be firm" if FEWEST_YEARS <= years < FEW_YEARS else "",
        _unknown_days(summary, extension),
        f"days of reverse flow, taken as unknown: {summary.reverse_days}" if summary.reverse_days else "",
        f"years with 7 days without flow: {dry}; the others are fitted, by conditional probability" if dry else "",
        f"positive skew: the fit knows no 7-day flow below {fit.lower_bound:.3g} cfs" if fit and fit.skew > 0 else "",
        "intervals take the years as drawn from one climate; see the range over ten-year periods" if fit else "",
    ]
    return (*(one for one in said if one), *(extension.warnings if extension else ()))
