"""From an answer to its page: the public half, contours, rings, flow and hydrographs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from models.aquifer.contours import Contour
from models.modflow.answer import Answer
from models.modflow.contoured import DrawdownPlan, drawdown_plan, where_most
from models.modflow.measured import Measured
from models.modflow.numerical import Observed
from models.modflow.public import ring_reaches, without_private
from models.modflow.vectors import flow_told
from models.scenario.of_site import PRIVATE
from models.units import factor
from pipelines.modflow.ask import Asked
from pipelines.modflow.observed import every_note
from reports.aquifer.map_plan import MapPlan, half_mile_line
from reports.modflow.answer_told import answer_data
from reports.modflow.measured_told import measured_data
from reports.modflow.numerical_page import NumericalPage
from reports.modflow.numerical_plan import Contoured, numerical_window
from reports.modflow.over_time import Heads
from reports.modflow.paths_told import notes as path_notes
from reports.modflow.paths_told import paths_data, stream_names
from reports.shown_units import Shown

FEET = tuple(one * float(factor("ft", "m")) for one in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0))
METRES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
OUTERMOST_FT, OUTERMOST_M = FEET[3], METRES[3]
"""What `headwater cone` draws first in feet, and the like in metres; where no place has so much, the next smaller."""
CHOSEN, LEAST_SHARE = 6, 0.1
"""Places whose hydrographs are drawn, deepest drawdown first; one that feels under a tenth of that would only flatten
the others."""


def page_of(found: Asked, shown: Shown) -> NumericalPage:
    """What the page and the files of a map are made from; no private well is in it but for its ring."""
    answer = without_private(found.answer)
    scenario, model, told = answer.scenario, answer.pair.stressed, answer.quantities
    wells = sorted({cell[1:] for well in model.wells for cell, _ in well.cells})
    drawn = drawdown_plan(model.grid, told.field[-1], wells)
    contoured = Contoured(scenario, _contours(drawn, metric=scenario.unit == "m"))
    line = half_mile_line(scenario.boundary, scenario.to_metres)
    window = numerical_window(contoured, line)
    flow = flow_told(scenario, model, answer.stressed.heads[-1], answer.pair.strata.transmissivity, window)
    level = contoured.contours[0].level
    several = len(answer.pair.strata.layers) > 1
    deepest = drawdown_plan(model.grid, where_most(told.field[-1]), wells) if several else drawn
    rings = ring_reaches(deepest, found.source.rings, level)
    plan = MapPlan(contoured, rings, flow, window, line, shown)
    return NumericalPage(
        plan,
        {**answer_data(answer, shown), "observed_levels": observed_data(found, shown), **paths_told(found, shown)},
        _drawn(heads_of(answer, levels_of(found))), told,
        answer.stressed, answer.checks, list(_notes(found, answer)), found.particles,
        deepest.contours([level])[0].area.area if several else None,
    )  # fmt: skip


def paths_told(found: Asked, shown: Shown) -> dict[str, Any]:
    """Under ``paths`` what particle paths tell; nothing where nobody asked for them."""
    if found.particles is None:
        return {}
    return {"paths": paths_data(found.particles, stream_names(found.answer.scenario), shown)}


def _contours(plan: DrawdownPlan, *, metric: bool) -> tuple[Contour, ...]:
    """From the outermost level inward; where no place has that much, from the largest level that one has."""
    levels, outermost = (METRES, OUTERMOST_M) if metric else (FEET, OUTERMOST_FT)
    found = [one for one in plan.contours(levels) if not one.area.is_empty]
    deep = [one for one in found if one.level >= outermost]
    return tuple(deep or found[-1:] or plan.contours([outermost]))


def heads_of(answer: Answer, measured: Sequence[Measured] = ()) -> list[Heads]:
    """Hydrographs at the places that are told, deepest drawdown first, with what was measured there."""
    told = answer.quantities
    places = [id for id, one in told.drawdown.items() if id not in told.in_well and np.isfinite(one).any()]
    places.sort(key=lambda id: -float(np.nanmax(told.drawdown[id])))
    runs = answer.baseline.hydrographs, answer.stressed.hydrographs
    found = {one.id: one for one in measured}
    steps = told.steps
    seen = told.observed | {one.id: one.observed for one in measured if one.observed is not None}
    return [
        Heads(id, runs[0][seen[id].id][steps], runs[1][seen[id].id][steps], found.get(id), _layer(answer, seen[id]))
        for id in places
    ]


def _layer(answer: Answer, one: Observed) -> str:
    layers = answer.pair.strata.layers
    return layers[one.layer].name if len(layers) > 1 else ""


def levels_of(found: Asked) -> tuple[Measured, ...]:
    """Levels measured at the site's monitoring wells; none where another pumping than what happened is asked."""
    return found.observed.wells if found.observed is not None else ()


def observed_data(found: Asked, shown: Shown) -> dict[str, Any] | None:
    """Residuals of measured levels; None where there are none."""
    levels = found.observed
    return measured_data(levels.wells, levels.zero_ft, shown) if levels is not None and levels.wells else None


def _drawn(heads: list[Heads]) -> list[Heads]:
    fallen = [float(np.nanmax(one.before - one.now, initial=0.0)) for one in heads[:CHOSEN]]
    return [one for one, most in zip(heads, fallen, strict=False) if most >= LEAST_SHARE * max(fallen)]


def _notes(found: Asked, answer: Answer) -> Iterator[str]:
    layers, rows, columns = answer.pair.stressed.grid.shape
    told = "1 layer" if layers == 1 else f"{layers} layers"
    yield (
        f"{answer.program.split(' (')[0]}, {told} of {rows} by {columns} cells; drawdown and depletion are the run "
        "without pumping against the run with it"
    )
    yield "Best estimates only: how far the ranges of the parameters move this is told by `headwater cone`"
    yield "It is evidence beside a finding, never a finding of cause"
    if layers > 1:
        yield (
            "The map's contours are of the water table. The drawdown of a place is of the layer named beside it: its "
            "pump's, or where that is not known the one that falls most there. A ring's is of the layer that falls "
            "most at each place in it"
        )
    yield "In a pumped well's own cell no drawdown is told: the cell is wider than the well"
    if found.particles is not None:
        yield from path_notes(found.particles, stream_names(answer.scenario))
    yield from (f"Taken for granted: {one}" for one in answer.assumed)
    yield from every_note(found.observed)
    yield from found.source.notes
    yield from (one for one in answer.scenario.notes if one != PRIVATE)
