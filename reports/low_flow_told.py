"""The low-flow statistics of one record, as plain data and as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

from models.streamflow.duration import exceedance_quantile
from models.streamflow.known_days import KnownDays
from models.streamflow.low_flow import LowFlow, Statistic
from models.streamflow.low_flow_sample import NAMES
from models.streamflow.recession import RecessionConstant
from models.streamflow.record_extension import Extension
from reports.text_table import text_table

Data = dict[str, Any]
EXCEEDANCES = (0.01, 0.02, 0.05, *(k / 10 for k in range(1, 10)), 0.95, 0.98, 0.99)
YEARS = "climatic, 1 April to 31 March, named by the year they end in"
TITLES = {
    "q7_10": "7Q10", "q7_2": "7Q2", "q50": "Q50", "q80": "Q80", "q90": "Q90", "q95": "Q95",
    "august_median_pooled": "August median, all days", "august_median_of_years": "August median, of years",
}  # fmt: skip
MOST_EXCLUDED = 12


def known_data(known: KnownDays) -> Data:
    """What a record holds: days known and unknown, and the mark of the days used."""
    return {
        "unit": "cfs", "n": len(known.used), "first": known.used[0][0], "last": known.used[-1][0],
        "unknown_days": dict(known.unknown), "provisional_days": known.provisional, "days_digest": known.digest,
    }  # fmt: skip


def low_flow_data(
    known: KnownDays,
    found: LowFlow,
    monthly: Mapping[str, tuple[Statistic, ...]],
    recession: Sequence[RecessionConstant],
) -> Data:
    """Every statistic [cfs] by name, None where it has no value; beside them intervals, reasons, years and warnings."""
    whole = found.extension.record if found.extension else known.record
    single = {name: _statistic(getattr(found, name)) for name in NAMES}
    by_month = {
        name: {f"{k:02d}": _statistic(one) for k, one in enumerate(all12, 1)} for name, all12 in monthly.items()
    }
    return {
        **known_data(known),
        **{name: one["value"] for name, one in single.items()},
        **{name: {month: one["value"] for month, one in months.items()} for name, months in by_month.items()},
        "statistics": {**single, **by_month},
        "reasons": _reasons(single, by_month),
        "recession": [asdict(one) | {"days_per_log_cycle": one.days_per_log_cycle} for one in recession],
        "duration": _duration(whole.usable),
        "years": YEARS,
        "years_used": found.minima.year.tolist(),
        "years_excluded": [asdict(one) for one in found.minima.excluded],
        "summary": asdict(found.summary),
        "fit": None if found.fit is None else asdict(found.fit),
        "estimated_days": found.estimated_days,
        "extension": None if found.extension is None else _extension(found.extension),
        "warnings": [*found.warnings, *_of_monthly(found)],
    }  # fmt: skip


def minima_rows(found: LowFlow) -> list[Data]:
    """Lowest 7-day mean [cfs] of each climatic year, and the day it began."""
    rows = zip(found.minima.year.tolist(), found.minima.flow.tolist(), found.minima.first_day.tolist(), strict=True)
    return [{"year": year, "flow": flow, "first_day": day} for year, flow, day in rows]


def low_flow_text(data: Data) -> str:
    """The answer as a person reads it."""
    return "\n\n".join(part for part in _parts(data) if part)


def _parts(data: Data) -> Iterator[str]:
    who = " ".join(part for part in (data["station"], data["series"]) if part) or data["source"]
    yield f"{who}: {data['n']} known days, {data['first']} to {data['last']}; cfs\n{unknown_words(data)}".strip()
    columns = ["statistic", "value", "low", "high", "n", "of", "ten_years_lowest", "ten_years_highest", "reason"]
    yield text_table([_row(name, data["statistics"][name]) for name in TITLES], columns)
    months = data["statistics"]["monthly_q90"]
    columns = ["month", "value", "low", "high", "n", "of", "reason"]
    yield "Q90 by month\n" + text_table([_row(month, one) | {"month": month} for month, one in months.items()], columns)
    constants = [_plain_interval(one) | {"way": one["way"].replace("_", " ")} for one in data["recession"]]
    yield "Recession constant k [per day]\n" + text_table(
        constants, ["way", "k", "low", "high", "strips", "n", "reason"]
    )
    curve = [
        {"exceeded_percent": f"{100 * one['exceedance']:g}", "flow": _short(one["flow"])} for one in data["duration"]
    ]
    yield "Flow duration\n" + text_table(curve, ["exceeded_percent", "flow"])
    yield _years(data)
    yield _extension_words(data["extension"])
    if "rows" in data:
        yield "Lowest 7-day means\n" + text_table(data["rows"], ["year", "flow", "first_day"])
    yield "\n".join([*data["warnings"], *data["notes"], *data["left_out"]])
    drawn = data["interval"]
    yield (
        f"intervals: {drawn['level']:.0%}, bootstrap by year, {drawn['replicates']} replicates; of recession constants "
        f"by recession, {drawn['recession_replicates']}; seed {drawn['seed']}"
    )


def unknown_words(data: Data) -> str:
    """Days that count as unknown, by reason."""
    told = ", ".join(f"{days} {why}" for why, days in data["unknown_days"].items())
    lines = [f"unknown days: {told}" if told else ""]
    lines += [
        f"{data['provisional_days']} days are provisional, subject to revision" if data["provisional_days"] else ""
    ]
    return "\n".join(line for line in lines if line)


def _statistic(one: Statistic) -> Data:
    interval = one.interval
    return {
        "value": one.value, "low": interval.low if interval else None, "high": interval.high if interval else None,
        "level": interval.level if interval else None, "replicates": interval.replicates if interval else None,
        "n": one.n, "counted": one.counted, "reason": one.reason,
        "ten_year_periods": asdict(one.periods) if one.periods else None,
    }  # fmt: skip


def _reasons(single: Mapping[str, Data], by_month: Mapping[str, Mapping[str, Data]]) -> dict[str, str]:
    """Why a number is missing."""
    named = list(single.items())
    named += [(f"{name}.{month}", one) for name, months in by_month.items() for month, one in months.items()]
    return {name: one["reason"] for name, one in named if one["value"] is None}


def _duration(flow: np.ndarray[Any, np.dtype[np.float64]]) -> list[Data]:
    values = exceedance_quantile(flow, list(EXCEEDANCES)).tolist()
    return [{"exceedance": p, "flow": value} for p, value in zip(EXCEEDANCES, values, strict=True)]


def _extension(one: Extension) -> Data:
    line = one.line
    return asdict(line) | {
        "method": "MOVE.1 (Hirsch 1982)", "standard_error_ln": line.standard_error,
        "estimated_days": int(one.estimated.sum()), "extrapolated_days": int(one.outside.sum()),
        "first": one.record.days[0].item(), "last": one.record.days[-1].item(),
    }  # fmt: skip


def _of_monthly(found: LowFlow) -> list[str]:
    return [] if found.extension is None else ["intervals by month do not carry the uncertainty of the MOVE.1 line"]


def _row(name: str, one: Data) -> Data:
    periods = one["ten_year_periods"] or {}
    return {
        "statistic": TITLES.get(name, name), "value": _short(one["value"]), "low": _short(one["low"]),
        "high": _short(one["high"]), "n": one["n"], "of": one["counted"], "reason": one["reason"],
        "ten_years_lowest": _short(periods.get("low")), "ten_years_highest": _short(periods.get("high")),
    }  # fmt: skip


def _plain_interval(one: Data) -> Data:
    interval = one["interval"] or {}
    return one | {
        "k": _short(one["k"], 4),
        "low": _short(interval.get("low"), 4),
        "high": _short(interval.get("high"), 4),
    }


def _short(value: float | None, figures: int = 3) -> str | None:
    """So many figures, rounded half up in decimal as a record is; whole above 1000."""
    if value is None or not np.isfinite(value):
        return None
    number = Decimal(repr(float(value)))
    last = 0 if abs(number) >= 1000 or not number else min(0, number.adjusted() - figures + 1)
    return f"{number.quantize(Decimal(1).scaleb(last), ROUND_HALF_UP).normalize():f}"


def _years(data: Data) -> str:
    lines = [f"years used: {len(data['years_used'])} ({data['years']})"]
    left = data["years_excluded"]
    lines += [f"  {one['year']} not used: {one['reason']}" for one in left[:MOST_EXCLUDED]]
    return "\n".join([*lines, *([f"  and {len(left) - MOST_EXCLUDED} more"] if len(left) > MOST_EXCLUDED else [])])


def _extension_words(one: Data | None) -> str:
    if one is None:
        return ""
    return (
        f"extended by {one['method']} to {one['first']} to {one['last']}: {one['estimated_days']} days estimated "
        f"({one['extrapolated_days']} beyond the range of the line), r {one['correlation']:.2f} on {one['n']} "
        f"concurrent days, standard error {one['standard_error_ln']:.2f} ln units"
    )
