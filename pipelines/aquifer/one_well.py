"""One well by one model of the table: flags in, the whole answer out as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from math import hypot
from typing import Any

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.band import DRY, Band, Curves, band, each
from models.aquifer.catalogue import Model, named
from models.aquifer.depletion_models import stream_depletion_factor_d
from models.aquifer.extremes import Ranges, Values
from models.aquifer.one_well import THICKNESS, Pumping, curve, ranges, thin_marks
from models.aquifer.recovery_date import recovery, while_pumped_d
from models.aquifer.superposition import superpose
from models.errors import BadQuestion
from models.quantity import DISTANCE, RATE, Quantity, read_quantity, to_unit
from pipelines.aquifer.flags import Times, flags_given, pumping_asked, quantities_given, times_asked
from pipelines.aquifer.scenario_file import read_rates
from reports.aquifer.told import AFTER_D, Data, Shown, Told, head_data, inputs_data, recovery_data, series_data

AMOUNTS: dict[Told, str] = {"drawdown": "0.1 ft", "depletion": "0.01 cfs"}
"""What counts as none, beside 10 % of the peak."""

_FLAGS = {
    "distance": "--r", "distance_m": "--r", "x, y": "--x, --y", "x_m": "--x", "y_m": "--y", "x_m, y_m": "--x, --y",
    "thickness_m": "--b", "drawdown_m": "--s", "confined_drawdown_m": "--s", "rate_m3_per_d": "--Q", "observed": "--z",
    "pumped": "--top, --bottom", "radius_m": "--R", "time_d": "--t", "well_x_m": "--d", "transmissivity": "--T",
    "storativity": "--S", "rates": "--rates", "day_numbers": "--rates",
}  # fmt: skip
"""The science's names of arguments as flags."""


@dataclass(frozen=True)
class OneWell:
    """A question to one model, read from the flags."""

    model: Model
    quantities: Mapping[str, Quantity]
    pumping: Pumping
    times: Times
    shown: Shown
    curve: Curves
    ranges: Ranges
    band: Band

    @property
    def best(self) -> Values:
        return self.ranges.best


def one_well(
    options: Mapping[str, Any], models: Mapping[str, Model], aliases: Mapping[str, str], what: Told
) -> tuple[OneWell, Data]:
    """The question, and its answer as plain data.

    Raises
    ------
    BadQuestion : a flag missing, superfluous or outside its range, by name; the well is dry.
    """
    asked = _asked(options, models, aliases, what)
    data = _head(asked) | _measures(asked) | _grounds(asked)
    if asked.pumping.stop_d is not None:
        data["recovery"] = _recovery(asked, options)
    elif options["recovered"] is not None:
        raise BadQuestion("the pump does not stop", key="--recovered", allowed=["with --pumped, --stops or --rates"])
    return asked, data


def _asked(options: Mapping[str, Any], models: Mapping[str, Model], aliases: Mapping[str, str], what: Told) -> OneWell:
    name = options["model_name"] or ""
    model, given, pumping = named(aliases.get(name, name), models), flags_given(options), pumping_asked(options)
    _check_flags(model, given, options)
    quantities = quantities_given(given)
    times = Times(np.ones(1), ("",), dated=False) if model.steady else times_asked(given, options)
    _refuse_before(pumping, times)
    between, answer = ranges(model, quantities), each(curve(model, pumping))
    try:
        found = band(answer, between, times.days)
    except BadQuestion as caught:
        if caught.reason == DRY:
            raise _dry(model, quantities, pumping, times) from None
        raise _by_flag(caught) from None
    unit = quantities[model.output].given_unit if model.output in quantities else _rates_unit(options)
    return OneWell(model, quantities, pumping, times, Shown(what, unit), answer, between, found)


def _refuse_before(pumping: Pumping, times: Times) -> None:
    """Refuse times before the first of the table's rates."""
    asked = zip(times.days, times.labels, strict=True)
    if early := [label for day, label in asked if pumping.days and day < pumping.days[0]]:
        first = f"from day {pumping.days[0]:g} on, the first of --rates"
        raise BadQuestion("before pumping began", key="--on" if times.dated else "--t", found=early[0], allowed=[first])


def _check_flags(model: Model, given: Mapping[str, str], options: Mapping[str, Any]) -> None:
    """The flags are those of the model; rates by table stand for Q, dates for t."""
    dated = any(options[name] is not None for name in ("on", "first", "last"))
    if options["rates"] is not None and "Q" in given:
        raise BadQuestion("give one of --Q and --rates", key="--rates")
    if model.steady and dated:
        raise BadQuestion(f"{model.name} is steady: no time has a part in it", key="--on, --from, --to")
    stand_ins = {"Q"} if options["rates"] is not None else set()
    stand_ins |= {"t"} if not model.steady and "t" not in given else set()  # `times_asked` says which times it wants
    model.check_flags({*given, *stand_ins})


def _rates_unit(options: Mapping[str, Any]) -> str:
    return read_rates(options["rates"])[0].rate.given_unit


def _by_flag(error: BadQuestion) -> BadQuestion:
    """The science's refusal with the flag's name; its numbers are in metres and days."""
    if error.key not in _FLAGS:
        return error
    reason = f"{error.reason}, in metres and days"
    return BadQuestion(reason, key=_FLAGS[error.key], found=error.found, allowed=error.allowed)


def _dry(model: Model, quantities: Mapping[str, Quantity], pumping: Pumping, times: Times) -> BadQuestion:
    """The refusal of a rate that dries the well, with the largest that does not: s' = b/2 at most, and s' ~ Q."""
    confined = {name: one for name, one in quantities.items() if name != THICKNESS}
    most = float(curve(model, pumping)(Ranges.of(confined).best, times.days).max())
    share = quantities[THICKNESS].value / 2 / most
    rate = quantities.get("Q")
    if rate is None:
        return BadQuestion(DRY, key="--rates", allowed=[f"at most {share:.3g} of these rates"])
    allowed = f"at most {to_unit(rate.value * share, 'm3/d', rate.given_unit):.3g} {rate.given_unit} with this --b"
    return BadQuestion(DRY, key="--Q", found=rate.text, allowed=[allowed])


def _head(asked: OneWell) -> Data:
    key = "date" if asked.times.dated else "t"
    series = series_data(asked.times.labels, key, asked.band, asked.shown)
    return {
        "model": asked.model.name, "title": asked.model.title, "quantity": asked.shown.what,
        **head_data(series, asked.band, asked.shown), "series": series,
    }  # fmt: skip


def _measures(asked: OneWell) -> Data:
    """What else the last time says: drawdown in both units and u, or share and volume of the depletion."""
    last = float(asked.band.best[-1])
    if asked.shown.what == "drawdown":
        more = {"drawdown_ft": to_unit(last, "m", "ft"), "drawdown_m": last, "u": _u(asked)}
        return more | _rates(asked)
    rate = asked.best.get("Q")
    fraction = last / rate if rate else None
    return {"fraction": fraction, "sdf_d": stream_depletion_factor_d(asked.best), **_volume(asked), **_rates(asked)}


def _u(asked: OneWell) -> float | None:
    """r2 S / 4 T t of the last time [-]."""
    values, t = asked.best, float(asked.times.days[-1])
    if not {"T", "S"} <= values.keys() or asked.model.steady or t <= 0:
        return None
    r = values["r"] if "r" in values else hypot(values["x"] - values.get("d", 0.0), values.get("y", 0.0))
    return r**2 * values["S"] / (4 * values["T"] * t)


def _rates(asked: OneWell) -> Data:
    """The pumping as the model takes it: held from each day until the next."""
    if not asked.model.linear:
        return {}
    days, rates = asked.pumping.schedule(asked.best)
    rows = [
        {"from_d": float(day), "m3_per_d": float(rate), "ft3_per_d": to_unit(float(rate), "m3/d", "ft3/d")}
        for day, rate in zip(days, rates, strict=True)
    ]
    return {"rates": rows}


def _volume(asked: OneWell) -> Data:
    """Water taken from the stream by the last time, where the model has its volume."""
    share, best = asked.model.volume, {**asked.best, "Q": 1.0}
    if share is None:
        return {"volume": None, "volume_unit": None, "volume_fraction": None}
    days, rates = asked.pumping.schedule(asked.best)
    end = asked.times.days[-1:]

    def taken(elapsed: Numbers) -> Numbers:
        return elapsed * share(best, elapsed)

    volume = float(superpose(days, rates, end, taken)[0])
    held = np.diff(np.clip([*days, np.inf], None, float(end[0])))
    pumped = float(np.sum(rates * held))
    unit = "m3" if asked.shown.unit in ("m3/d", "m3/s", "L/s") else "gal"
    fraction = volume / pumped if pumped > 0 else None
    return {"volume": to_unit(volume, "m3", unit), "volume_unit": unit, "volume_fraction": fraction}


def _grounds(asked: OneWell) -> Data:
    times = _since_changes(asked)
    marks = asked.model.marks(asked.best, times)
    ends = [mark for values in asked.ranges.corners()[1:] for mark in asked.model.marks(values, times)]
    if not marks and ends:
        marks = [f"at an end of the range {ends[0]}"]
    marks += _thin(asked)
    dried = "at an end of the range the well is dry: the high drawdown has no number"
    dry = [dried] if bool(asked.band.dry.any()) else []
    return {
        "assumptions": list(asked.model.assumptions), "outside_validity": bool(marks), "marks": marks,
        "notes": [*asked.model.notes(asked.best, times), *dry], "inputs": inputs_data(asked.quantities),
        "inputs_in": "metres and days",
    }  # fmt: skip


def _since_changes(asked: OneWell) -> Numbers:
    """The times asked for since the last change of rate before each [d]: a late straight line begins anew with each."""
    after = asked.times.days[asked.times.days > 0]
    if not after.size or not asked.model.linear or asked.model.steady:
        return np.ones(1)
    starts = np.asarray(asked.pumping.schedule(asked.best)[0])
    return np.array([one - starts[starts < one].max(initial=0.0) for one in after])


def _thin(asked: OneWell) -> list[str]:
    """Jacob's correction was held against a numerical model to about two fifths of the thickness."""
    thickness = asked.best.get(THICKNESS)
    if thickness is None or THICKNESS not in asked.model.may:
        return []
    return thin_marks(float(asked.band.best.max()), thickness)


def _recovery(asked: OneWell, options: Mapping[str, Any]) -> Data:
    stop = asked.pumping.stop_d
    assert stop is not None
    amount = amount_asked(options["recovered"], asked.shown.what)
    instants = while_pumped_d(*asked.pumping.schedule(asked.best), stop)
    found = recovery(asked.curve, asked.ranges, instants, stop, amount.value)
    curve_after = band(asked.curve, asked.ranges, stop + np.array(AFTER_D, np.float64))
    return recovery_data(found, curve_after, asked.shown, _stop_date(options))


def amount_asked(text: str | None, what: Told) -> Quantity:
    """The amount that counts as recovered.

    Raises
    ------
    BadQuestion : not one length (drawdown) or rate (depletion) above 0.
    """
    try:
        amount = read_quantity(text or AMOUNTS[what], DISTANCE if what == "drawdown" else RATE)
    except BadQuestion as caught:
        raise caught.at(key="--recovered") from None
    if amount.ranged or amount.best <= 0:
        raise BadQuestion("not an amount", key="--recovered", found=text, allowed=["one number above 0"])
    return amount


def _stop_date(options: Mapping[str, Any]) -> date | None:
    return options["stops"].date() if options["stops"] is not None else None
