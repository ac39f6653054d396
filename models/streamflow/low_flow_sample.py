"""What one climatic year gives to the low-flow statistics, and the statistics of any set of years.

An estimate and its bootstrap replicates go through the same function, so that they cannot differ in definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models.streamflow.annual_minima import APRIL, annual_minima
from models.streamflow.august_median import AUGUST, median_of_medians, pooled_median
from models.streamflow.daily_record import DailyRecord, Numbers, month_of, year_ending
from models.streamflow.duration import exceedance_quantile
from models.streamflow.intervals import resample
from models.streamflow.log_pearson import annual_quantile
from models.streamflow.record_extension import Move1, extend, fit_move1, on_calendar, span

ANNUAL = {"q7_10": 0.1, "q7_2": 0.5}
"""Annual 7-day low flows and their non-exceedance probability: once in 10, once in 2 years."""
DURATION = {"q50": 0.50, "q80": 0.80, "q90": 0.90, "q95": 0.95}
"""Daily flows and their exceedance probability."""
AUGUSTS = ("august_median_pooled", "august_median_of_years")
NAMES = (*ANNUAL, *DURATION, *AUGUSTS)


@dataclass(frozen=True, eq=False)
class YearSample:
    """One climatic year.

    Parameters
    ----------
    year : the calendar year it ends in.
    flow : its known daily flows [cfs].
    august : its August days [cfs], NaN where unknown; empty where the record does not reach them.
    minimum : its 7-day low flow [cfs]; NaN where the year is not complete.
    """

    year: int
    flow: Numbers
    august: Numbers
    minimum: float

    @cached_property
    def august_median(self) -> float:
        """Median of its August [cfs], NaN where that is not complete. Kept, for a year is drawn again and again."""
        return median_of_medians([self.august])


def year_samples(record: DailyRecord) -> tuple[YearSample, ...]:
    """The climatic years of a record that hold a known day."""
    minima = annual_minima(record)
    lowest = dict(zip(minima.year.tolist(), minima.flow.tolist(), strict=True))
    labels, starts = np.unique(year_ending(record.days, APRIL), return_index=True)
    flows, months = np.split(record.usable, starts[1:]), np.split(month_of(record.days), starts[1:])
    return tuple(
        YearSample(int(year), flow[np.isfinite(flow)], flow[month == AUGUST], lowest.get(int(year), float("nan")))
        for year, flow, month in zip(labels, flows, months, strict=True)
        if np.isfinite(flow).any()
    )


def statistics(samples: Sequence[YearSample]) -> Numbers:
    """All statistics of a set of years, in the order of `NAMES`, float64[8] [cfs]; NaN where one has no value."""
    minima = np.array([one.minimum for one in samples if np.isfinite(one.minimum)])
    flow = np.concatenate([np.empty(0), *(one.flow for one in samples)])
    medians = np.array([one.august_median for one in samples if np.isfinite(one.august_median)])
    return np.array(
        [
            *(annual_quantile(minima, p) for p in ANNUAL.values()),
            *exceedance_quantile(flow, list(DURATION.values())),
            pooled_median([one.august for one in samples]),
            float(np.median(medians)) if medians.size else float("nan"),
        ]
    )


def draw_years(samples: Sequence[YearSample], rng: np.random.Generator) -> list[YearSample]:
    """Years drawn with replacement, complete ones among themselves, so that each replicate has as many minima."""
    complete = [one for one in samples if np.isfinite(one.minimum)]
    partial = [one for one in samples if not np.isfinite(one.minimum)]
    return [year for group in (complete, partial) if group for year in resample(group, rng)]


def draw_extended_years(site: DailyRecord, index: DailyRecord, rng: np.random.Generator) -> list[YearSample]:
    """Years of an extended record, the MOVE.1 line fitted anew to concurrent months drawn with replacement.

    Years alone would take the line for certain. Months, since a site study may last one year only.
    """
    return draw_years(year_samples(extend(site, index, _draw_line(site, index, rng)).record), rng)


def _draw_line(site: DailyRecord, index: DailyRecord, rng: np.random.Generator) -> Move1:
    days = span(site, index)
    y, x = on_calendar(site, days), on_calendar(index, days)
    both = np.isfinite(y) & np.isfinite(x)
    pairs = np.column_stack([y[both], x[both]])
    months = days[both].astype("datetime64[M]").astype(np.int64)
    drawn = np.concatenate(resample(np.split(pairs, np.flatnonzero(np.diff(months)) + 1), rng))
    return fit_move1(drawn[:, 0], drawn[:, 1])
