"""A short record extended from a long index gauge: MOVE.1, maintenance of variance (Hirsch 1982)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.daily_record import DailyRecord, Days, Marks, Numbers, daily_record

FEWEST_DAYS = 10
POOR_CORRELATION = 0.80
WHOLE_YEAR_DAYS = 365


@dataclass(frozen=True)
class Move1:
    """The line of organic correlation in logarithms: ln y = my + (sy / sx)(ln x - mx).

    It keeps mean and variance of the concurrent period, where a regression would pull low flows to the mean.

    Parameters
    ----------
    site_mean, site_sd, index_mean, index_sd : of ln flow on the concurrent days, sd by n - 1 [ln cfs].
    correlation : Pearson's r of the logarithms [-].
    n : concurrent days with flow at both gauges; they follow one another and are far from independent.
    without_flow : concurrent days left out because one gauge had none.
    index_low, index_high : range of the index flow on the concurrent days [cfs].
    """

    site_mean: float
    site_sd: float
    index_mean: float
    index_sd: float
    correlation: float
    n: int
    without_flow: int
    index_low: float
    index_high: float

    def estimate(self, index_flow: ArrayLike) -> Numbers:
        """Site flow [cfs] from index flow [cfs], any shape; NaN where that is unknown or not above 0."""
        x = np.asarray(index_flow, np.float64)
        logs = np.log(x, out=np.full(x.shape, np.nan), where=x > 0)
        return np.exp(self.site_mean + self.site_sd / self.index_sd * (logs - self.index_mean))

    @property
    def standard_error(self) -> float:
        """Standard deviation of ln(site / estimate) on the concurrent days, sy sqrt(2 (1 - r)) [ln units]."""
        return float(self.site_sd * np.sqrt(max(2 * (1 - self.correlation), 0.0)))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the extension is to be distrusted."""
        r, error = self.correlation, 100 * np.sqrt(np.expm1(self.standard_error**2))
        said = [
            f"correlation {r:.2f} with the index gauge is below {POOR_CORRELATION:.2f}; "
            f"the standard error of one day is {error:.0f} percent"
            if r < POOR_CORRELATION
            else "",
            f"{self.n} concurrent days are less than a year" if self.n < WHOLE_YEAR_DAYS else "",
            f"{self.without_flow} concurrent days without flow were left out of the line" if self.without_flow else "",
        ]
        return tuple(one for one in said if one)


@dataclass(frozen=True)
class LinearMove1:
    """The line of organic correlation without logarithms, for levels: y = my + (sy / sx)(x - mx).

    A level has no natural zero: moving the point it is measured from moves the line with it, not r and not the error.

    Parameters
    ----------
    site_mean, site_sd, index_mean, index_sd : of the concurrent days, sd by n - 1 [ft].
    correlation : Pearson's r [-].
    n : concurrent days.
    index_low, index_high : range of the index well on them [ft].
    """

    site_mean: float
    site_sd: float
    index_mean: float
    index_sd: float
    correlation: float
    n: int
    index_low: float
    index_high: float

    def estimate(self, index: ArrayLike) -> Numbers:
        """What stands at the site [ft] where the index well stands at ``index`` [ft], any shape; NaN where unknown."""
        x = np.asarray(index, np.float64)
        return np.asarray(self.site_mean + self.site_sd / self.index_sd * (x - self.index_mean), np.float64)

    @property
    def standard_error(self) -> float:
        """Standard deviation of site less estimate on the concurrent days, sy sqrt(2 (1 - r)) [ft]."""
        return float(self.site_sd * np.sqrt(max(2 * (1 - self.correlation), 0.0)))


@dataclass(frozen=True, eq=False)
class Extension:
    """A record with its unknown days estimated from the index gauge where that has flow.

    Parameters
    ----------
    record : measured days as they were, estimates, and 0 on the days of ``dry``; its ``limit`` is what those are below.
    estimated : bool[n], the days that are estimates.
    dry : bool[n], unknown days on which the index gauge had no flow: the line has no logarithm of that, and left out
        they would take the driest days from the record.
    outside : bool[n], estimates from an index flow beyond its concurrent range: the line is extrapolated there.
    line : the line they come from.
    """

    record: DailyRecord
    estimated: Marks
    outside: Marks
    line: Move1
    dry: Marks

    @property
    def known(self) -> DailyRecord:
        """The record with the days of ``dry`` unknown."""
        return DailyRecord(self.record.days, np.where(self.dry, np.nan, self.record.flow))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Those of the line, how far it was extrapolated, and what a dry index gauge cannot tell."""
        beyond, dry = int(self.outside.sum()), int(self.dry.sum())
        said = [
            f"{beyond} of {int(self.estimated.sum())} estimated days extrapolate the line" if beyond else "",
            f"the index gauge had no flow on {dry} days to be estimated: they are only known to be at or below "
            f"{self.record.limit:.3g} cfs, and a low flow under that cannot be had from this index gauge"
            if dry
            else "",
        ]
        return (*self.line.warnings, *(one for one in said if one))


def fit_move1(site: ArrayLike, index: ArrayLike) -> Move1:
    """The MOVE.1 line of concurrent flows.

    Parameters
    ----------
    site, index : float64[n] [cfs], day by day; NaN where unknown. Days without flow at either are left out.

    Raises
    ------
    BadQuestion : unequal lengths, fewer than ten concurrent days, a gauge that does not vary, r not above 0.

    References
    ----------
    Hirsch (1982), Water Resour. Res. 18(4), 1081-1088, eq. 5.
    """
    y, x = np.asarray(site, np.float64), np.asarray(index, np.float64)
    if y.shape != x.shape:
        raise BadQuestion("gauges differ in length", key="index", found=x.shape, allowed=[y.shape])
    flowing = (y > 0) & (x > 0)
    known = int(((y >= 0) & (x >= 0)).sum())
    ln_y, ln_x = np.log(y[flowing]), np.log(x[flowing])
    r = _correlation(ln_y, ln_x)
    return Move1(
        site_mean=float(ln_y.mean()),
        site_sd=float(ln_y.std(ddof=1)),
        index_mean=float(ln_x.mean()),
        index_sd=float(ln_x.std(ddof=1)),
        correlation=r,
        n=ln_y.size,
        without_flow=known - ln_y.size,
        index_low=float(x[flowing].min()),
        index_high=float(x[flowing].max()),
    )


def fit_linear_move1(site: ArrayLike, index: ArrayLike) -> LinearMove1:
    """The MOVE.1 line of concurrent levels.

    Parameters
    ----------
    site, index : float64[n] [ft], both up or both down; NaN where unknown.

    Raises
    ------
    BadQuestion : as in `fit_move1`.

    References
    ----------
    Hirsch (1982), Water Resour. Res. 18(4), 1081-1088, eq. 5.
    """
    y, x = np.asarray(site, np.float64), np.asarray(index, np.float64)
    if y.shape != x.shape:
        raise BadQuestion("records differ in length", key="index", found=x.shape, allowed=[y.shape])
    known = np.isfinite(y) & np.isfinite(x)
    y, x = y[known], x[known]
    r = _correlation(y, x)
    return LinearMove1(
        float(y.mean()), float(y.std(ddof=1)), float(x.mean()), float(x.std(ddof=1)), r, y.size, float(x.min()),
        float(x.max()),
    )  # fmt: skip


def extend(site: DailyRecord, index: DailyRecord, line: Move1 | None = None) -> Extension:
    """Estimate the unknown days of ``site`` from ``index``, over the days either record spans.

    Parameters
    ----------
    site, index : daily flow; reverse flow is no base for an estimate and gets none.
    line : a line already fitted; None fits it on the days both know.

    Raises
    ------
    BadQuestion : as in `fit_move1`.
    """
    days = span(site, index)
    y, x = on_calendar(site, days), on_calendar(index, days)
    fitted = fit_move1(y, x) if line is None else line
    guess = fitted.estimate(x)
    estimated = np.isnan(y) & np.isfinite(guess)
    outside = estimated & ((x < fitted.index_low) | (x > fitted.index_high))
    dry = np.isnan(y) & (x == 0)
    record = daily_record(days, np.where(dry, 0.0, np.where(estimated, guess, y)))
    limit = _dry_limit(y, x, fitted) if dry.any() else 0.0
    return Extension(replace(record, limit=limit), estimated, outside, fitted, dry)


def _dry_limit(site: Numbers, index: Numbers, line: Move1) -> float:
    """What the site is at or below while the index gauge is dry [cfs]: by the line, or by what was measured then."""
    measured = site[(index == 0) & (site >= 0)]
    return float(max(line.estimate(index[index > 0].min()), *measured, 0.0))


def span(site: DailyRecord, index: DailyRecord) -> Days:
    """Every calendar day either record spans."""
    first, last = min(site.days[0], index.days[0]), max(site.days[-1], index.days[-1])
    return np.arange(first, last + 1)


def on_calendar(record: DailyRecord, days: Days) -> Numbers:
    """The flow [cfs] of a record on the given consecutive days, which hold all of its own; NaN elsewhere."""
    flow = np.full(days.size, np.nan)
    at = int((record.days[0] - days[0]).astype(np.int64))
    flow[at : at + record.flow.size] = record.flow
    return flow


def _correlation(ln_y: Numbers, ln_x: Numbers) -> float:
    if ln_y.size < FEWEST_DAYS:
        raise BadQuestion("too few concurrent days", key="index", found=ln_y.size, allowed=[f"{FEWEST_DAYS} or more"])
    if np.ptp(ln_y) == 0 or np.ptp(ln_x) == 0:
        raise BadQuestion("a gauge does not vary on the concurrent days", key="index")
    r = float(np.corrcoef(ln_y, ln_x)[0, 1])
    if r <= 0:
        raise BadQuestion("the gauges do not rise and fall together", key="index", found=round(r, 3), allowed=["r > 0"])
    return r
