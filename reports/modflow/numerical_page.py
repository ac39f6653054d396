"""The page of a numerical model's answer, for a board and for anybody: nothing private is in what it is made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.modflow.answer import Check
from models.modflow.outcome import Outcome
from models.modflow.path_groups import Particles
from models.modflow.quantities import Quantities
from reports.aquifer import cone_told
from reports.aquifer.cone_page import OF_KIND, PLAN_PIXELS, instant_says, private_wells
from reports.aquifer.map_plan import MapPlan
from reports.figure_page import Drawn, FigurePage, PageTable, Section, figure_page
from reports.modflow import answer_told as told
from reports.modflow import measured_told, wells_told
from reports.modflow.numerical_plan import numerical_plan
from reports.modflow.over_time import Heads, flows_in_time, heads_in_time
from reports.modflow.paths_section import PathsPage, paths_section

Numbers = NDArray[np.float64]
Row = dict[str, str]
NAMES = {"far": "far ends of the model"}
SMALL = 1e-4
"""A term of the budget that never is this share of the largest is left to the table."""


@dataclass(frozen=True)
class NumericalPage:
    """What the page is made from.

    Parameters
    ----------
    of : the plan, of the public half of the scenario.
    data : `reports.modflow.answer_told.answer_data` of it.
    day, heads : hydrographs at chosen public places; ``quantities`` : what is told against time.
    stressed : the run with pumping, for its budget.
    checks : the gate, all passed.
    notes : what it rests on.
    particles : None where nobody asked for paths.
    below : of several layers, where any of them has lost the outermost contour's head or more [m2]; None of one.
    """

    of: MapPlan
    data: Mapping[str, Any]
    heads: Sequence[Heads]
    quantities: Quantities
    stressed: Outcome
    checks: Sequence[Check]
    notes: Sequence[str]
    particles: Particles | None = None
    below: float | None = None


def numerical_page(page: NumericalPage) -> str:
    """The whole file; the same answer gives the same bytes."""
    name = page.of.answer.scenario.name
    sections = [
        _map(page), *_private(page), *_wells(page), *_hydrographs(page), *_streams(page), *_pit(page), *_paths(page),
        _budget(page), _flow(page), _gate(page),
    ]  # fmt: skip
    title = f"Numerical model{f': {name}' if name else ''}"
    return figure_page(FigurePage(title, says(page), sections, page.notes))


def says(page: NumericalPage) -> list[str]:
    """The answer in sentences."""
    shown, found = page.of.shown, page.quantities
    rate = f"Pumping {OF_KIND[page.of.answer.scenario.kind]}, {shown.pumping.says(float(found.pumped[-1]))}"
    return [" ".join([f"{rate} {instant_says(float(found.day[-1]))}.", *_cone_says(page), *_losses(page)])]


def _cone_says(page: NumericalPage) -> Iterator[str]:
    shown, first = page.of.shown, page.of.answer.contours[0]
    level = shown.level(first.level)
    if first.area.is_empty:
        yield f"Outside its wells the water table is nowhere lowered by {level}."
    else:
        area = shown.area.says(float(first.area.area))
        yield f"The water table is lowered by {level} or more over {area}."
    if page.below:
        yield f"In one layer or another the head is lowered by {level} or more over {shown.area.says(page.below)}."
    near = [one for one in page.data["points"] if one["drawdown"]["value"] is not None]
    if near:
        most = max(near, key=lambda one: float(one["drawdown"]["value"]))
        value = shown.drawdown.text(most["drawdown"]["value"])
        yield f"Of the places told here {most['id']} has the most, {value} {shown.drawdown.name}."


def _losses(page: NumericalPage) -> Iterator[str]:
    shown = page.of.shown
    for stream in page.of.answer.scenario.stream:
        lost = float(page.quantities.depletion[stream.id][-1])
        yield f"{stream.name or stream.id} gives the ground {shown.stream.says(lost)} more than without pumping."
    for pit, inflow in page.quantities.inflow.items():
        yield f"Into the {pit} flow {shown.pumping.says(float(inflow[-1]))}."


def _table(heading: str, rows: Sequence[Row], words: str = "") -> list[PageTable]:
    """A column that is blank in every row is left out."""
    names = [name for name in dict.fromkeys(name for row in rows for name in row) if any(row.get(name) for row in rows)]
    if not names:
        return []
    heads = [name.replace("_", " ").capitalize() for name in names]
    return [PageTable(heading, heads, [[row.get(name, "") for name in names] for row in rows], words)]


def _map(page: NumericalPage) -> Section:
    shown, first = page.of.shown, page.of.answer.contours[0]
    caption = (
        f"Lowering of the water table, {shown.drawdown.name}: the run with {_stress(page)} against the one without. "
        f"The outermost line is {shown.level(first.level)}. Arrows: flow of groundwater with it.{page.of.too_narrow()}"
    )
    figure = Drawn(caption, " ".join(says(page)), numerical_plan(page.of))
    return Section("Plan", (), figure, PLAN_PIXELS, _table("Wells and points", told.point_rows(page.data, shown)))


def _stress(page: NumericalPage) -> str:
    """What the one run has and the other has not."""
    pumping = ["pumping"] if page.of.answer.scenario.well else []
    return " and ".join([*pumping, *(["the pit drained"] if page.quantities.inflow else [])])


def _private(page: NumericalPage) -> list[Section]:
    return private_wells(
        page.of,
        "The drawdown is the least and the most within the ring around the centre of its quarter-quarter section, at "
        "the best estimate of every parameter.",
    )


def _wells(page: NumericalPage) -> list[Section]:
    tables = _table("", wells_told.well_rows(page.data, page.of.shown))
    return [Section("Pumped wells", tuple(wells_told.level_notes(page.data["wells"])), tables=tables)] if tables else []


def _hydrographs(page: NumericalPage) -> list[Section]:
    if not page.heads:
        return []
    unit, found = page.of.shown.drawdown, page.quantities
    figure = heads_in_time(found.day, page.heads, unit)
    words = "Heights above the undisturbed water table at the first well. Broken lines are the run without pumping."
    if page.data["observed_levels"] is not None:
        words += " Dots are levels measured in the wells."
    alt = "; ".join(
        f"{one.id}: {unit.says(float(one.now[-1]))} with pumping, {unit.says(float(one.before[-1]))} without"
        for one in page.heads
        if np.isfinite([one.now[-1], one.before[-1]]).all()
    )
    places = ", ".join(f"{one.id} ({one.layer})" if one.layer else one.id for one in page.heads)
    caption = f"Heads where drawdown is largest: {places}."
    drawn = Drawn(caption, f"On the last day {alt}.", figure)
    return [Section("Heads in time", (words,), drawn, tables=_measured(page))]


def _measured(page: NumericalPage) -> list[PageTable]:
    levels = page.data["observed_levels"]
    if levels is None:
        return []
    return _table("Measured levels", measured_told.measured_rows(levels, page.of.shown), measured_told.NO_CALIBRATION)


def _streams(page: NumericalPage) -> list[Section]:
    if not page.quantities.depletion:
        return []
    shown, found = page.of.shown, page.quantities
    names = {one.id: one.name or one.id for one in page.of.answer.scenario.stream}
    flows = {names[id]: lost for id, lost in found.depletion.items()}
    figure = flows_in_time(found.day, flows, shown.stream, "Depletion", ("All pumping", found.pumped))
    last = "; ".join(f"{name} {shown.stream.says(float(one[-1]))}" for name, one in flows.items())
    caption = "What each stream gives the ground more than without pumping, beside all pumping."
    table = _table("", told.stream_rows(page.data, shown))
    return [Section("Depletion of streams", (), Drawn(caption, f"On the last day: {last}.", figure), tables=table)]


def _pit(page: NumericalPage) -> list[Section]:
    if not page.quantities.inflow:
        return []
    shown, found = page.of.shown, page.quantities
    figure = flows_in_time(found.day, found.inflow, shown.pumping, "Inflow")
    last = "; ".join(f"{name} {shown.pumping.says(float(one[-1]))}" for name, one in found.inflow.items())
    words = (
        "The model drains the pit through a conductance that nobody can measure; the table says what inflow a tenth "
        "and ten times of it would give on the last day."
    )
    drawn = Drawn("What the pit's drain takes.", f"On the last day: {last}.", figure)
    return [Section("Inflow to the pit", (words,), drawn, tables=_table("", told.pit_rows(page.data, shown)))]


def _paths(page: NumericalPage) -> list[Section]:
    return [] if page.particles is None else paths_section(PathsPage(page.of, page.particles))


def _budget(page: NumericalPage) -> Section:
    shown, found = page.of.shown, page.quantities
    flows = budget_terms(page.stressed, found.steps)
    figure = flows_in_time(found.day, flows, shown.pumping, "Into the aquifer")
    last = "; ".join(f"{name} {shown.pumping.says(float(one[-1]))}" for name, one in flows.items())
    words = "Net flow into the aquifer with pumping: above 0 it gains that water, below 0 it loses it."
    drawn = Drawn("Where the water comes from and goes to.", f"On the last day: {last}.", figure)
    rows = [
        {**row, "water_from": NAMES.get(row["water_from"], row["water_from"])}
        for row in told.budget_rows(page.data, shown)
    ]
    table = _table("On the last day", rows)
    return Section("Water budget", (words,), drawn, tables=table)


def budget_terms(run: Outcome, steps: NDArray[np.int64]) -> dict[str, Numbers]:
    """Net flow into the aquifer by what it comes from [m3/d]; wells as one; what is always next to nothing is left out.

    Parameters
    ----------
    steps : those that are told.
    """
    wells = {one.id for one in run.model.wells}
    terms = {id: flow[steps] for id, flow in run.budget.items() if id not in wells}
    if wells:
        terms = {"all wells": np.asarray(sum(run.budget[id][steps] for id in sorted(wells))), **terms}
    most = max(float(np.abs(one).max()) for one in terms.values())
    return {NAMES.get(id, id): one for id, one in terms.items() if float(np.abs(one).max()) > SMALL * most}


def _flow(page: NumericalPage) -> Section:
    flow, shown = page.of.flow, page.of.shown
    width = "metre" if shown.length.name == "m" else "foot"
    words = [f"Flow with pumping through the whole thickness for each {width} of width, from the heads."]
    if flow.boundary is not None:
        into, out = (shown.pumping.says(one) for one in (flow.boundary.inflow, flow.boundary.outflow))
        words.append(f"Across the site's boundary {into} flows in and {out} out.")
    return Section("Flow directions and rates", words, tables=_table("", cone_told.flow_rows(flow, shown)))


def _gate(page: NumericalPage) -> Section:
    words = "No figure leaves the model unless every one of these checks has passed."
    return Section("Checks", (words,), tables=_table("", told.check_rows(page.checks)))
