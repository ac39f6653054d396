"""A base flow proposed from a record of daily flow: the number, and all that a signer and an opponent must know of it.

A separated hydrograph is no base flow: the ordinance needs a number, or one by month or day, fixed before mining. It
is one of the low-flow statistics. Every proposal carries how often nature alone met the shortfall rule under it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_DOWN, Decimal
from typing import Any, Literal, cast

import numpy as np

from models.errors import BadQuestion
from models.streamflow.baseline_rate import BaselineRate, baseline_rate
from models.streamflow.daily_record import DailyRecord, Numbers
from models.streamflow.daily_threshold import interpolated_months
from models.streamflow.day_states import to_record_precision
from models.streamflow.known_days import KnownDays
from models.streamflow.low_flow import LowFlow, Statistic
from models.streamflow.low_flow_sample import ANNUAL, AUGUSTS, DURATION, NAMES
from models.streamflow.natural_rate import DAYS_PER_YEAR
from models.streamflow.practice import Practice
from models.streamflow.threshold import Threshold

Form = Literal["value", "monthly", "daily"]
BY_MONTH = {f"monthly_{name}": p for name, p in DURATION.items()}
BY_DAY = {f"daily_{name}": p for name, p in DURATION.items()}
STATISTICS = (*NAMES, *BY_MONTH, *BY_DAY)
"""What may be proposed; the order is that of the help."""
WISCONSIN = "q90"
"""WDNR's layer and the USGS reports of 1974-81 call the Q90 of a gauged station its base flow."""


@dataclass(frozen=True)
class Baseline:
    """The record a base flow is proposed from.

    Parameters
    ----------
    known : the gauge's own days.
    found : its low-flow statistics, over the extended record where there is an index gauge.
    monthly : exceedance quantiles by month of the same record, by name as in `BY_MONTH`.
    series, index_series : names of the gauge's series and of the index gauge's; the latter empty without one.
    index : the index gauge's days.
    practice : by which days were known, and by which the rule is judged.
    """

    known: KnownDays
    found: LowFlow
    monthly: Mapping[str, tuple[Statistic, ...]]
    series: str
    practice: Practice
    index: KnownDays | None = None
    index_series: str = ""

    @property
    def record(self) -> DailyRecord:
        """Every day the statistics rest on, estimated ones too."""
        return self.known.record if self.found.extension is None else self.found.extension.record


@dataclass(frozen=True)
class Proposal:
    """All of a base flow but its signature.

    Parameters
    ----------
    values : one, twelve from January, or 366 from 1 January [cfs], to the precision of the record.
    uncertainty_percent : of the value, the wider side of its interval; by month the widest; None where unknown.
    baseline_years : known days of the gauge's own record / 365.25, rounded down [a].
    """

    statistic: str
    form: Form
    values: tuple[Decimal, ...]
    method: str
    parameters: dict[str, str]
    series: str
    first: date
    last: date
    days_used: int
    days_digest: str
    baseline_years: Decimal
    extended_from: str | None
    uncertainty_percent: Decimal | None
    rate: BaselineRate
    warnings: tuple[str, ...]

    @property
    def effective(self) -> date:
        """The day after the record: the earliest it can be in force."""
        return self.last + timedelta(days=1)


def propose(statistic: str, baseline: Baseline, rng: np.random.Generator, *, replicates: int) -> Proposal:
    """Propose a base flow.

    Parameters
    ----------
    statistic : one of `STATISTICS`; ``monthly_…`` gives twelve values, ``daily_…`` the same drawn out from day to day
        so that no month begins with a step (decision 18).
    rng, replicates : of the interval of the natural rate.

    Raises
    ------
    BadQuestion : no such statistic, one this record cannot give, or one that comes to no flow at all.
    """
    if statistic not in STATISTICS:
        raise BadQuestion("no such statistic", key="--propose", found=statistic, allowed=STATISTICS)
    form = _form(statistic)
    exact, told = _exact(statistic, baseline)
    values = tuple(to_record_precision(Decimal(repr(float(one))), "computed", "discharge") for one in exact)
    if not min(values) > 0:
        why = "comes to no flow, and nothing falls below that: compare days without flow instead"
        raise BadQuestion(why, key="--propose", found=statistic)
    known, extension = baseline.known, baseline.found.extension
    estimated = None if extension is None else extension.estimated
    rate = baseline_rate(
        baseline.record, _threshold(form, values), rng, estimated=estimated, practice=baseline.practice,
        replicates=replicates,
    )  # fmt: skip
    return Proposal(
        statistic, form, values, _method(statistic, baseline), _parameters(statistic, baseline), baseline.series,
        known.used[0][0], known.used[-1][0], len(known.used), known.digest,
        (len(known.used) / DAYS_PER_YEAR).quantize(Decimal("0.01"), ROUND_DOWN), baseline.index_series or None,
        _uncertainty(told), rate, baseline.found.warnings,
    )  # fmt: skip


def _form(statistic: str) -> Form:
    return "monthly" if statistic in BY_MONTH else "daily" if statistic in BY_DAY else "value"


def _exact(statistic: str, baseline: Baseline) -> tuple[Numbers, tuple[Statistic, ...]]:
    """The values before rounding [cfs], and the statistics they come from."""
    told = _statistics(statistic, baseline)
    values = [one.value for one in told]
    if missing := [f"{month:02d}" for month, value in enumerate(values, start=1) if value is None]:
        reason = next(one.reason for one in told if one.value is None)
        where = f" in month {', '.join(missing)}" if len(told) > 1 else ""
        raise BadQuestion(f"cannot be given{where}: {reason}", key="--propose", found=statistic)
    exact = np.array(values, np.float64)
    return (interpolated_months(exact) if statistic in BY_DAY else exact), told


def _statistics(statistic: str, baseline: Baseline) -> tuple[Statistic, ...]:
    if statistic in NAMES:
        return (cast(Statistic, getattr(baseline.found, statistic)),)
    return baseline.monthly["monthly_" + statistic.split("_")[1]]


def _threshold(form: Form, values: tuple[Decimal, ...]) -> Threshold:
    if form == "daily":
        return Threshold.daily(values)
    return Threshold.constant(values[0]) if form == "value" else Threshold.monthly(dict(enumerate(values, start=1)))


def _uncertainty(told: tuple[Statistic, ...]) -> Decimal | None:
    """The wider side of the interval over the value [percent], the widest of several; None where one is unknown."""
    sides = [_side(one) for one in told]
    known = [side for side in sides if side is not None]
    return Decimal(min(round(max(known)), 100)) if len(known) == len(sides) else None


def _side(one: Statistic) -> float | None:
    if one.value is None or one.interval is None or not one.value > 0:
        return None
    return 100 * max(one.interval.high - one.value, one.value - one.interval.low) / one.value


def _method(statistic: str, baseline: Baseline) -> str:
    extension = baseline.found.extension
    extended = (
        ""
        if extension is None
        else f", extended by MOVE.1 on ln daily means (Hirsch 1982) from {baseline.index_series}"
    )
    return (
        f"{_words(statistic)} of the daily mean discharge of {baseline.series or 'the gauge'}{extended}; raw values "
        "under ice or another void code are unknown; rounded half up to the precision of the record"
    )


def _words(statistic: str) -> str:
    if statistic in ANNUAL:
        years = {"q7_10": "once in 10 years", "q7_2": "once in 2 years"}[statistic]
        return f"Annual lowest 7-day mean not exceeded {years}, log-Pearson III over climatic years"
    if statistic == AUGUSTS[0]:
        return "Median of all August days"
    if statistic == AUGUSTS[1]:
        return "Median of the medians of complete Augusts"
    name = statistic.rsplit("_", 1)[-1]
    percent = (
        f"Flow equalled or exceeded on {100 * DURATION[name]:.0f} percent of days ({name.upper()}, Weibull position)"
    )
    spread = {"monthly": ", by calendar month", "daily": ", by calendar month, linear between mid-months", "value": ""}
    return percent + spread[_form(statistic)]


def _parameters(statistic: str, baseline: Baseline) -> dict[str, str]:
    practice, index = baseline.practice, baseline.index
    return {
        **_own_parameters(statistic),
        "minimum_coverage": str(practice.minimum_coverage),
        "void_codes": " ".join(sorted(practice.void_qualifiers)),
        **({} if index is None else _index_parameters(baseline, index)),
    }


def _own_parameters(statistic: str) -> dict[str, str]:
    if statistic in ANNUAL:
        return {
            "n_days": "7", "year": "1 April to 31 March", "nonexceedance": str(ANNUAL[statistic]),
            "distribution": "log-Pearson III by moments of log10",
        }  # fmt: skip
    if statistic in AUGUSTS:
        return {"month": "08"}
    return {"exceedance": f"{DURATION[statistic.rsplit('_', 1)[-1]]:.2f}", "position": "m/(n+1)"}


def _index_parameters(baseline: Baseline, index: KnownDays) -> dict[str, str]:
    extension = baseline.found.extension
    assert extension is not None  # there is an index gauge
    told: dict[str, Any] = {
        "index_from": index.used[0][0], "index_to": index.used[-1][0], "index_days": len(index.used),
        "index_digest": index.digest, "concurrent_days": extension.line.n,
        "correlation": f"{extension.line.correlation:.3f}", "estimated_days": int(extension.estimated.sum()),
    }  # fmt: skip
    return {key: str(value) for key, value in told.items()}
