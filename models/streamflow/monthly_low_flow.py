"""Exceedance quantiles by calendar month with an interval each: what a monthly base flow is signed from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.streamflow.annual_minima import APRIL
from models.streamflow.daily_record import Counts, DailyRecord, Numbers, month_of, year_ending
from models.streamflow.duration import exceedance_quantile, monthly_quantiles
from models.streamflow.intervals import LEVEL, REPLICATES, bootstrap, percentile_interval, resample
from models.streamflow.low_flow import YEARS_FOR_INTERVAL, Statistic, above_limit

MonthedFlow = tuple[Counts, Numbers]


def monthly_statistics(
    record: DailyRecord,
    exceedance: float,
    rng: np.random.Generator,
    *,
    level: float = LEVEL,
    replicates: int = REPLICATES,
) -> tuple[Statistic, ...]:
    """The exceedance quantile of each month, January first, with an interval by drawing climatic years anew.

    Parameters
    ----------
    record : daily flow; reverse flow is unknown.
    exceedance : p [-].
    rng, level, replicates : as in `low_flow`.
    """
    found, years = monthly_quantiles(record, exceedance), _years(record)
    replicas = bootstrap(
        lambda source: resample(years, source), lambda some: _by_month(some, exceedance), rng, replicates
    )
    return tuple(
        above_limit(
            _statistic(float(found.flow[k]), int(found.n[k]), int(found.years[k]), replicas[:, k], level), record.limit
        )
        for k in range(12)
    )


def _years(record: DailyRecord) -> list[MonthedFlow]:
    _, starts = np.unique(year_ending(record.days, APRIL), return_index=True)
    months, flows = np.split(month_of(record.days), starts[1:]), np.split(record.usable, starts[1:])
    known = [(month, flow) for month, flow in zip(months, flows, strict=True) if np.isfinite(flow).any()]
    return known or [(np.empty(0, np.int64), np.empty(0))]


def _by_month(years: Sequence[MonthedFlow], exceedance: float) -> Numbers:
    month, flow = (np.concatenate(part) for part in zip(*years, strict=True))
    return np.concatenate([exceedance_quantile(flow[month == one], exceedance) for one in range(1, 13)])


def _statistic(value: float, n: int, years: int, replicas: Numbers, level: float) -> Statistic:
    if np.isnan(value):
        return Statistic(None, None, None, n, "days", "too few known days")
    if years < YEARS_FOR_INTERVAL:
        why = f"no interval: {years} years; at least {YEARS_FOR_INTERVAL} are needed"
        return Statistic(value, None, None, n, "days", why)
    interval = percentile_interval(replicas, level)
    return Statistic(
        value, interval, None, n, "days", "" if interval else "no interval: too many samples have no value"
    )
