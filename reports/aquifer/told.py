"""Answers of the analytic aquifer models, as data and as text: ranges, dates, digits as the uncertainty allows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from math import floor, isfinite
from typing import Any, Literal

from models.aquifer.band import HOW, Band
from models.aquifer.recovery_date import Recovered, Recovery
from models.quantity import Quantity, to_unit
from reports.text_table import text_table

Data = dict[str, Any]
Told = Literal["drawdown", "depletion"]
DIGITS = {"ft": 1, "ftUS": 1, "m": 2, "in": 0, "cm": 0, "mm": 0}
"""Decimals of a drawdown: a tenth of a foot, or what comes to about the same."""

AFTER_D = (0, 1, 2, 5, 10, 20, 30, 60, 90, 180, 365, 730, 1825, 3650, 18250)
"""Days after the stop at which a recovery is tabulated."""

READABLE = {"mi": "ft", "km": "m"}
"""A drawdown asked for in miles is told in feet; the data keep the unit asked for."""

FOR_EVER = "not within 2,700 years"


@dataclass(frozen=True)
class Shown:
    """What is told and how: drawdown in a unit of length, depletion in one of rate."""

    what: Told
    unit: str

    @property
    def told_in(self) -> str:
        """The unit a person reads it in."""
        return READABLE.get(self.unit, self.unit)

    @property
    def inside(self) -> str:
        return "m" if self.what == "drawdown" else "m3/d"

    def number(self, value: float) -> float | None:
        """Of metres or m3/d, in the unit; None where there is no number."""
        return to_unit(float(value), self.inside, self.unit) if isfinite(value) else None

    def words(self, value: float | None) -> str:
        """A number of the unit in the one it is told in, to the digits its uncertainty allows."""
        if value is None:
            return "dry"
        told = to_unit(value, self.unit, self.told_in)
        return two_figures(told) if self.what == "depletion" else _drawdown(told, self.told_in)


def two_figures(value: float) -> str:
    """Two significant figures, never an exponent."""
    return f"{Decimal(f'{value:.1e}'):f}"


def _drawdown(value: float, unit: str) -> str:
    if unit not in DIGITS:
        return f"{Decimal(f'{value:.2e}'):f}"
    least = 10.0 ** -DIGITS[unit]
    if 0 < abs(value) < least / 2:
        return f"{'<' if value > 0 else '>-'}{least:.{DIGITS[unit]}f}"
    return f"{value:.{DIGITS[unit]}f}"


def series_data(labels: Sequence[str], key: str, band: Band, shown: Shown) -> list[Data]:
    """One row per time: ``t`` or ``date``, value, low, high (null where an end of the range dries the well)."""
    return [
        {
            key: label, "value": shown.number(best), "low": shown.number(low), "high": shown.number(high),
            **({"dry_at_an_end_of_the_range": True} if dry else {}),
        }
        for label, best, low, high, dry in zip(labels, band.best, band.low, band.high, band.dry, strict=True)
    ]  # fmt: skip


def head_data(series: Sequence[Data], band: Band, shown: Shown) -> Data:
    """The last row in front, with its unit and how its range was found."""
    last = series[-1]
    return {
        "value": last["value"], "unit": shown.unit, "low": last["low"], "high": last["high"],
        "range": f"{HOW} ({band.worked} sets of values worked out)" if band.ranged else "no parameter has a range",
    }  # fmt: skip


def inputs_data(quantities: Mapping[str, Quantity]) -> Data:
    """Every input as written, and as taken in metres and days."""
    return {
        name: {"text": one.text, "low": float(one.low), "best": one.value, "high": float(one.high)}
        for name, one in quantities.items()
    }


def recovery_data(found: Recovery, curve: Band, shown: Shown, stop: date | None) -> Data:
    """Peak, dates of recovery, and the curve after the stop at `AFTER_D`."""
    best, low, high = (shown.number(one) for one in found.peak)
    return {
        "stops": stop, "peak": {"value": best, "low": low, "high": high, "unit": shown.unit},
        "recovered": [_fall(one, shown, stop) for one in found.falls],
        "curve": series_data([str(day) for day in AFTER_D], "days_after", curve, shown),
    }  # fmt: skip


def _fall(one: Recovered, shown: Shown, stop: date | None) -> Data:
    days = {"after_d": one.after_d, "earliest_d": one.earliest_d, "latest_d": one.latest_d}
    names = {"after_d": "on", "earliest_d": "earliest", "latest_d": "latest"}
    dates = {names[key]: _date(stop, after) for key, after in days.items()} if stop is not None else {}
    rule = {"share of the peak": "10 % of the peak", "amount": "stated amount"}[one.what]
    return {"below": shown.number(one.threshold), "unit": shown.unit, "rule": rule, **days, **dates}


def _date(stop: date | None, after: float | None) -> date | None:
    """The civil day in which it falls below."""
    if stop is None or after is None:
        return None
    return stop + timedelta(days=floor(after))


def one_well_text(data: Data) -> str:
    """One well's answer: the number first, then a table where several times were asked for, then what it rests on."""
    shown = Shown(data["quantity"], data["unit"])
    lines = [_headline(data, shown)]
    if len(data["series"]) > 1:
        lines += ["", series_text(data["series"], shown)]
    lines += _volume_lines(data)
    if data.get("recovery"):
        lines += ["", *recovery_lines(data["recovery"], shown)]
    return "\n".join([*lines, "", *grounds(data)])


def _headline(data: Data, shown: Shown) -> str:
    last = data["series"][-1]
    when = f" at {last['date']}, 00:00" if "date" in last else f" after {last['t']}" if last.get("t") else ""
    share = data.get("fraction")
    part = "" if share is None else f", {two_figures(100 * share)} % of the rate"
    return f"{data['title']}: {shown.what}{when} {spread(data, shown)}{part}"


def spread(row: Data, shown: Shown) -> str:
    """``4.1 ft (2.0 to 6.3)``, or the number alone."""
    text = f"{shown.words(row['value'])} {shown.told_in}"
    if row["low"] == row["high"]:
        return text
    return f"{text} ({shown.words(row['low'])} to {shown.words(row['high'])})"


def series_text(series: Sequence[Data], shown: Shown) -> str:
    """The table of times."""
    rows = [
        {**row, **{name: shown.words(row[name]) for name in ("low", "value", "high")}, "unit": shown.told_in}
        for row in series
    ]
    key = next(name for name in ("date", "t", "days_after") if name in series[0])
    ranged = any(row["low"] != row["high"] for row in series)
    return text_table(rows, (key, "low", "value", "high", "unit") if ranged else (key, "value", "unit"))


def _volume_lines(data: Data) -> Iterator[str]:
    if data.get("volume") is not None:
        yield f"taken from the stream so far: {two_figures(data['volume'])} {data['volume_unit']}"


def recovery_lines(data: Data, shown: Shown) -> Iterator[str]:
    """Peak, when it is over by each rule, and the curve."""
    since = f" on {data['stops']}" if data["stops"] else ""
    yield f"Pumping stops{since}; the peak is {spread(data['peak'], shown)}. It never ends; it is"
    for one in data["recovered"]:
        yield f"  at or below {shown.words(one['below'])} {shown.told_in} ({one['rule']}) {_when(one)}"
    yield ""
    yield series_text(_until_nothing(data["curve"], shown), shown)


def _until_nothing(rows: Sequence[Data], shown: Shown) -> Sequence[Data]:
    """The rows down to the first that is too small to print, which stands for all after it."""
    small = [k for k, row in enumerate(rows) if row["high"] is not None and shown.words(row["high"]).startswith("<")]
    return rows[: small[0] + 1] if small else rows


def _when(one: Data) -> str:
    best = _moment(one, "on", "after_d")
    first, last = _moment(one, "earliest", "earliest_d"), _moment(one, "latest", "latest_d")
    return best if first == last else f"{best} (earliest {first}, latest {last})"


def _moment(one: Data, dated: str, days: str) -> str:
    if one[days] is None:
        return FOR_EVER
    if one[days] == 0:
        return "from the stop on"
    return str(one[dated]) if dated in one else f"{two_figures(one[days])} d after the stop"


def grounds(data: Data) -> Iterator[str]:
    """What stands outside validity first, then assumptions, the range and notes."""
    for mark in data["marks"]:
        yield f"OUTSIDE ITS VALIDITY: {mark}"
    yield from (f"assumes: {one}" for one in data["assumptions"])
    yield f"range: {data['range']}"
    yield from (f"note: {one}" for one in data.get("notes", ()))


def scenario_text(data: Data) -> str:
    """A scenario's answer: one row per place or stream, then recovery, then what it rests on."""
    shown = Shown(data["quantity"], data["unit"])
    title = f"{data['title']}: {shown.what} on {data['on']}, 00:00 [{shown.told_in}], pumping {data['scenario_kind']}"
    lines = [title, "", text_table([_result(one, shown) for one in data["results"]], _columns(data["results"]))]
    for one in data["results"]:
        if len(one["series"]) > 1:
            lines += ["", one["id"], series_text(one["series"], shown)]
        if one.get("recovery"):
            lines += ["", one["id"], *recovery_lines(one["recovery"], shown)]
    return "\n".join([*lines, "", *grounds(data)])


def _result(one: Data, shown: Shown) -> Data:
    numbers = {name: shown.words(one[name]) for name in ("low", "value", "high")}
    bound = {"upper_bound": _bound(one, shown)} if "upper_bound" in one else {}
    return {"id": one["id"], "name": one["name"], "bed": one.get("bed"), **numbers, **bound}


def _bound(one: Data, shown: Shown) -> str:
    """``2.9 (1.7 to 4.4)``, or the number alone."""
    best, low, high = (shown.words(one[name]) for name in ("upper_bound", "upper_bound_low", "upper_bound_high"))
    return best if one["upper_bound_low"] == one["upper_bound_high"] else f"{best} ({low} to {high})"


def _columns(results: Sequence[Data]) -> list[str]:
    ranged = any(one["low"] != one["high"] for one in results)
    more = [name for name in ("upper_bound", "bed") if name in results[0]]
    return ["id", "name", *(["low", "value", "high"] if ranged else ["value"]), *more]
