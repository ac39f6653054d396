"""A scenario's drawdown at its points or depletion of its streams: the whole answer as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.band import Band, Curves, band
from models.aquifer.extremes import Ranges, extremes
from models.aquifer.one_well import THICKNESS, thin_marks
from models.aquifer.recovery_date import recovery, while_pumped_d
from models.errors import BadQuestion, BadUnit
from models.quantity import to_unit
from models.scenario.in_wells import thickness_marks
from models.scenario.kinds import stopped
from models.scenario.left_out import left_out_says
from models.scenario.noun import ObservedPoint, PumpedWell, Scenario, day_number
from models.scenario.record_says import timing_says
from models.scenario.response import (
    SHARING,
    TIMING,
    TITLES,
    Sharing,
    Solution,
    depletions_m3_per_d,
    drawdowns_m,
    quantities,
    solution_of,
)
from models.units import factor, unit_id
from pipelines.aquifer.flags import days_asked, refuse_before
from pipelines.aquifer.one_well import amount_asked
from reports.aquifer.told import AFTER_D, Data, Shown, Told, head_data, inputs_data, recovery_data, series_data

UNITS: dict[Told, tuple[str, str]] = {"drawdown": ("ft", "m"), "depletion": ("cfs", "m3/d")}
"""Unit of the answer where a scenario is in feet, and in metres."""

COMMON = (
    "one horizontal layer, uniform and isotropic, water level at rest before pumping",
    "line wells through the whole thickness; a rate is held until the next; a civil day is 24 hours",
)
UNCONFINED = "unconfined: the drawdown is corrected for the thickness lost (Jacob)"
NO_STREAM = "without end: no stream, no wall, no recharge"
STREAM = "each well faces one straight, endless stream of constant level, through the nearest point of the nearest one"


@dataclass(frozen=True)
class Answer:
    """One place or stream: its curve, its band on the days asked for, and what is told of it."""

    id: str
    name: str
    curve: Curves
    band: Band
    data: Data


@dataclass(frozen=True)
class Asked:
    """What is asked of a scenario: the days, the unit, what happens when it stops."""

    scenario: Scenario
    days: Sequence[date]
    shown: Shown
    stops: date | None
    recovered: str | None
    ranges: Ranges

    @property
    def numbers(self) -> Numbers:
        return np.array([day_number(day) for day in self.days])

    @property
    def began(self) -> float:
        return min(day_number(step.since) for well in self.scenario.well for step in well.steps)


def asked_of(scenario: Scenario, options: Mapping[str, Any], what: Told) -> Asked:
    """The days and the unit asked for, of a scenario that is stopped if that is asked.

    Raises
    ------
    BadQuestion : no pumping well, days before pumping, or a unit of something else.
    """
    if not scenario.well:
        raise BadQuestion("no pumping well", key="well", allowed=["[[well]] with a rate"])
    stops = options["stops"].date() if options["stops"] is not None else None
    if stops is None and options["recovered"] is not None:
        raise BadQuestion("the pumps do not stop", key="--recovered", allowed=["with --stops"])
    days = days_asked(options)
    first = min((step.since for well in scenario.well for step in well.steps), key=day_number)
    refuse_before(days, first)
    if stops is not None:
        scenario = stopped(scenario, stops)
    shown = _shown(options["unit"], what, scenario)
    between = Ranges.of(quantities(scenario), steady=(THICKNESS, TIMING))
    return Asked(scenario, days, shown, stops, options["recovered"], between)


def _shown(unit: str | None, what: Told, scenario: Scenario) -> Shown:
    if unit is None:
        return Shown(what, UNITS[what][scenario.unit == "m"])
    try:
        shown = Shown(what, unit_id(unit))
        factor(shown.inside, shown.unit)
    except BadUnit as caught:
        raise BadQuestion(
            f"not a unit of {what}: {caught.reason}", key="--unit", found=unit, allowed=UNITS[what]
        ) from None
    return shown


def drawdowns(asked: Asked, wanted: Sequence[str], solution: Solution | None) -> tuple[list[Answer], Data]:
    """Drawdown at points of the scenario, and in wells that state their radius.

    Raises
    ------
    BadQuestion : no such point, none at all, waters without a closed form, or a dry point, by name.
    """
    scenario, model = asked.scenario, solution or solution_of(asked.scenario)
    places = _places(scenario, wanted)
    answers = []
    for place in places:
        curve = partial(drawdowns_m, scenario, place.position, model)
        answer = _answer(asked, place.id, place.name, curve)
        answer.data.update(_not_public(place) | (_upper_bound(asked, place) if model == "hunt" else {}))
        answers.append(answer)
    notes = [*_notes(model), *_private_notes(answers)]
    data = _data(asked, answers, TITLES[model], _assumptions(scenario, model), notes)
    marks = [*(f"{one.id}: {mark}" for one in answers for mark in _thin(asked, one)), *_in_wells(asked, model)]
    return answers, data | {"marks": marks, "outside_validity": bool(marks)}


def _in_wells(asked: Asked, model: Solution) -> list[str]:
    return thickness_marks(asked.scenario, model, asked.ranges.corners(), asked.numbers)


def _thin(asked: Asked, answer: Answer) -> list[str]:
    thickness = asked.ranges.best.get(THICKNESS)
    return [] if thickness is None else thin_marks(float(answer.band.best.max()), thickness)


def depletions(asked: Asked, wanted: Sequence[str], sharing: Sharing) -> tuple[list[Answer], Data]:
    """Depletion of the scenario's streams by all its wells.

    Raises
    ------
    BadQuestion : no stream, or no such one.
    """
    scenario = asked.scenario
    streams = _chosen("--stream", scenario.stream, wanted)
    solution_of(scenario)  # refuses waters that have no closed form together
    answers = []
    for stream in streams:
        curve = partial(depletions_m3_per_d, scenario, stream, sharing)
        answer = _answer(asked, stream.id, stream.name, curve)
        answer.data["bed"] = "clogged (Hunt 1999)" if stream.conductance is not None else "clean (Glover & Balmer 1954)"
        answers.append(answer)
    titles = {one.data["bed"].partition("(")[2].rstrip(")") for one in answers}
    assumptions = [*COMMON, "every stream straight and endless, its level unchanged by the pumping", SHARING[sharing]]
    return answers, _data(asked, answers, f"{' and '.join(sorted(titles))}, superposed", assumptions, [])


def _chosen(key: str, known: Sequence[Any], wanted: Sequence[str]) -> list[Any]:
    ids = [one.id for one in known]
    if not ids:
        raise BadQuestion("the scenario has none", key=key)
    if unknown := [name for name in wanted if name not in ids]:
        raise BadQuestion("not in the scenario", key=key, found=unknown[0], allowed=ids)
    return [one for one in known if not wanted or one.id in wanted]


def _places(scenario: Scenario, wanted: Sequence[str]) -> list[ObservedPoint | PumpedWell]:
    """Points, and wells with a radius; a well without one has no drawdown to be asked for."""
    with_radius = [one for one in scenario.well if one.radius is not None]
    if thin := [one.id for one in scenario.well if one.radius is None and one.id in wanted]:
        reason = "the drawdown in a line well has no limit"
        raise BadQuestion(reason, key="--at", found=thin[0], allowed=["a well with a radius"])
    return _chosen("--at", [*scenario.point, *with_radius], wanted)


def _answer(asked: Asked, id: str, name: str, curve: Curves) -> Answer:
    labels = [day.isoformat() for day in asked.days]
    try:
        found = band(curve, asked.ranges, asked.numbers)
    except BadQuestion as caught:
        raise caught.at(key=id) from None
    series = series_data(labels, "date", found, asked.shown)
    data = {"id": id, "name": name, **head_data(series, found, asked.shown), "series": series}
    if asked.stops is not None:
        data["recovery"] = _recovery(asked, asked.stops, curve)
    return Answer(id, name, curve, found, data)


def _recovery(asked: Asked, stops: date, curve: Curves) -> Data:
    stop = day_number(stops)
    amount = amount_asked(asked.recovered, asked.shown.what).value
    instants = [while_pumped_d(*well.schedule, stop) for well in asked.scenario.well if well.steps]
    found = recovery(curve, asked.ranges, np.unique(np.concatenate(instants)), stop, amount)
    return recovery_data(found, band(curve, asked.ranges, stop + np.array(AFTER_D, np.float64)), asked.shown, stops)


def _upper_bound(asked: Asked, place: ObservedPoint | PumpedWell) -> Data:
    """Theis without the stream, at the last day, with its range; null where that dries the well."""
    alone, day = partial(drawdowns_m, asked.scenario, place.position, "theis"), asked.numbers[-1:]
    found = extremes(lambda every: alone(every, day), asked.ranges)
    parts = (("upper_bound", found.best), ("upper_bound_low", found.low), ("upper_bound_high", found.high))
    return {name: asked.shown.number(float(one[0])) for name, one in parts}


def _not_public(place: ObservedPoint | PumpedWell) -> Data:
    return {"not_public": isinstance(place, ObservedPoint) and place.kind == "private"}


def _private_notes(answers: Sequence[Answer]) -> list[str]:
    private = [one.id for one in answers if one.data["not_public"]]
    return [f"not public: the drawdown at private wells ({', '.join(private)})"] if private else []


def _assumptions(scenario: Scenario, solution: Solution) -> list[str]:
    waters = {
        "theis": NO_STREAM, "hunt": STREAM, "images": "straight, endless edges; streams and beds not clogged",
        "hantush": "under a leaky layer without storage, below water whose level does not move",
    }[solution]  # fmt: skip
    return [*COMMON, waters, *([UNCONFINED] if scenario.aquifer.kind == "unconfined" else [])]


def _notes(solution: Solution) -> list[str]:
    stream = "beside the stream Hunt (1999) is the answer; Theis, which knows no stream, is the upper bound"
    return [stream] if solution == "hunt" else []


def _data(asked: Asked, answers: Sequence[Answer], title: str, assumptions: Sequence[str], notes: list[str]) -> Data:
    scenario, first = asked.scenario, answers[0].data
    alone = {name: first[name] for name in ("value", "low", "high")} if len(answers) == 1 else {}
    private = {"not_public": any(one.data["not_public"] for one in answers)} if "not_public" in first else {}
    return {
        "scenario": scenario.name, "scenario_kind": scenario.kind, "quantity": asked.shown.what, "title": title,
        "unit": asked.shown.unit, **private, **alone, "on": asked.days[-1], "range": first["range"],
        "results": [one.data for one in answers], "assumptions": list(assumptions), "outside_validity": False,
        "marks": [], "notes": [*notes, *left_out_says(scenario), *scenario.notes, *timing_says(scenario)],
        "inputs": inputs_data(quantities(scenario)), "inputs_in": "metres and days",
        "rates": {well.id: _rates(well) for well in scenario.well},
    }  # fmt: skip


def _rates(well: PumpedWell) -> list[Data]:
    return [
        {"since": step.since, "m3_per_d": step.rate.value, "ft3_per_d": to_unit(step.rate.value, "m3/d", "ft3/d")}
        for step in well.steps
    ]
