"""The natural trigger rate of a discharge record, an extended one too, with its interval (decision 28)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike

from models.errors import BadQuestion
from models.streamflow.annual_minima import APRIL
from models.streamflow.daily_record import DailyRecord, year_ending
from models.streamflow.day_states import DailyFlow, Operator
from models.streamflow.intervals import LEVEL, REPLICATES, Interval, bootstrap_interval
from models.streamflow.natural_rate import DAYS_PER_YEAR, NaturalRate, RuleMet, rule_met
from models.streamflow.practice import PRACTICE, Practice
from models.streamflow.threshold import Threshold

YEARS_FOR_INTERVAL = 5


@dataclass(frozen=True)
class BaselineRate:
    """How often the shortfall rule was met without the mine.

    Parameters
    ----------
    rate : triggers, years and triggers per year of the record.
    interval : of triggers per year, by drawing climatic years anew; None with fewer than five, or no rate.
    years_with_trigger, climatic_years : climatic years with a trigger date, and with a known day.
    estimated_days : days of the record that are estimates [d].
    """

    rate: NaturalRate
    interval: Interval | None
    years_with_trigger: int
    climatic_years: int
    estimated_days: int


def baseline_rate(
    record: DailyRecord,
    threshold: Threshold,
    rng: np.random.Generator,
    *,
    estimated: ArrayLike | None = None,
    operator: Operator = "lt",
    more_than_days: int = 5,
    practice: Practice = PRACTICE,
    level: float = LEVEL,
    replicates: int = REPLICATES,
) -> BaselineRate:
    """The rate of the same rule over the baseline record.

    Parameters
    ----------
    record : daily flow, before the mine.
    threshold : base flow [cfs] by day.
    rng : seeded generator.
    estimated : bool[n], days that are estimates from an index gauge; they are rounded to record precision.
    operator, more_than_days, practice : as in `judge`.
    level, replicates : of the interval.
    """
    days = daily_flows(record, estimated)
    return rate_of_days(
        days, threshold, rng, operator=operator, more_than_days=more_than_days, practice=practice, level=level,
        replicates=replicates,
    )  # fmt: skip


def rate_of_days(
    days: Sequence[DailyFlow],
    threshold: Threshold,
    rng: np.random.Generator,
    *,
    operator: Operator = "lt",
    more_than_days: int = 5,
    practice: Practice = PRACTICE,
    level: float = LEVEL,
    replicates: int = REPLICATES,
) -> BaselineRate:
    """The same of days as they are judged; a date that is missing is unknown."""
    met = rule_met(days, threshold, operator, more_than_days, practice=practice)
    years, rate = _years(met), met.rate()
    enough = rate.per_year is not None and len(years) >= YEARS_FOR_INTERVAL
    return BaselineRate(
        rate=rate,
        interval=bootstrap_interval(years, _per_year, rng, level=level, replicates=replicates) if enough else None,
        years_with_trigger=sum(triggers > 0 for triggers, _ in years),
        climatic_years=len(years),
        estimated_days=sum(day.origin == "computed" for day in days),
    )


def daily_flows(record: DailyRecord, estimated: ArrayLike | None = None) -> list[DailyFlow]:
    """The record as days to be judged: measured values as published, ``estimated`` (bool[n]) ones as computed."""
    marks = np.zeros(record.flow.size, np.bool_) if estimated is None else np.asarray(estimated, np.bool_)
    if marks.shape != record.flow.shape:
        raise BadQuestion("marks differ in length", key="estimated", found=marks.shape, allowed=[record.flow.shape])
    return [
        DailyFlow(day, None if np.isnan(flow) else Decimal(repr(flow)), "computed" if mark else "published")
        for day, flow, mark in zip(record.days.tolist(), record.flow.tolist(), marks.tolist(), strict=True)
    ]


def _years(met: RuleMet) -> list[tuple[int, int]]:
    """Triggers and known days of each climatic year that has any."""
    dated = year_ending(np.array(met.triggers, "datetime64[D]"), APRIL)
    labels, known = np.unique(year_ending(np.array(met.known, "datetime64[D]"), APRIL), return_counts=True)
    return [(int((dated == year).sum()), int(days)) for year, days in zip(labels, known, strict=True)]


def _per_year(years: Sequence[tuple[int, int]]) -> float:
    return float(sum(one for one, _ in years) * float(DAYS_PER_YEAR) / sum(days for _, days in years))
