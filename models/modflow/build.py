"""A scenario as a numerical model, with its pumping and without.

Drawdown and depletion are differences of two runs that differ in nothing but what is pumped and drained. Both begin
with a steady period. The undisturbed water table is the stated one: a plane with the regional slope, kept at the far
ends of the model and by the streams. It already carries the mean recharge, so only a departure from the mean is put on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin, sqrt

import numpy as np

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.modflow.axis import edges
from models.modflow.calendar import (
    Rhythm,
    Stepping,
    changes_of,
    drawdown_stepping,
    edges_of,
    mean_rates,
    periods_of,
)
from models.modflow.dewatering import drains_of, lowerings, pit_says
from models.modflow.far_side import cells_on, this_side
from models.modflow.fine_places import FINE_M, feet, fine_places
from models.modflow.multi_aquifer import at_rest, wells_of, wells_say
from models.modflow.numerical import IN_LAYER, FixedHead, Grid, NumericalModel, Observed
from models.modflow.place_layers import layers_of
from models.modflow.pumping_changes import kept_changes, spread
from models.modflow.spreading import spreading_says
from models.modflow.strata import Strata, strata_of, surfaces
from models.modflow.streams import rivers_of, routed_of
from models.modflow.through_cells import cell_at
from models.modflow.turned import turn_of
from models.scenario.noun import Scenario

REACH = 6.0
"""Half the grid in units of sqrt(T t / S): u is 9 there, and Theis's W(9) is 1e-5 of what it is near the well."""
LEAST_REACH_M = 2_000.0
STREAM_NEARER, PIT_NEARER = 0.5, 0.5
"""For the steps of time a stream counts as half as far as it is, and a pit as a place half its width away."""
ASKED_M = 100.0
"""How far the nearest place is, where nothing is asked about."""


@dataclass(frozen=True)
class Choices:
    """What the hydrologist decides and no record says; all of it changes the digest.

    Parameters
    ----------
    ends : the day asked for (`models.scenario.noun.day_number`).
    rhythm : of the stress periods.
    fine_m : width of a well's cell, by which those of pit, streams and edges are measured too; ``growth`` : of
        neighbouring cells; ``most_m`` : no cell is wider.
    stepping : None follows the nearest place asked about.
    reach : half the grid in units of sqrt(T t / S); doubled, the domain is.
    turned : the grid follows the stream, edge or pit that decides the answer (`models.modflow.turned`).
    drain_factor : on the drained cells' conductance, for its sensitivity.
    recharge : departure from the mean by period after the steady one [m/d]; None is none.
    """

    ends: float
    rhythm: Rhythm = "monthly"
    fine_m: float = FINE_M
    growth: float = 1.2
    most_m: float = 5_000.0
    stepping: Stepping | None = None
    reach: float = REACH
    turned: bool = True
    drain_factor: float = 1.0
    newton: bool = True
    recharge: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Pair:
    """The two runs and what they rest on.

    Parameters
    ----------
    begins : the instant pumping or drainage begins.
    held_from : from here on the closed form takes every rate as it was held; before it as the stress periods have it.
    """

    baseline: NumericalModel
    stressed: NumericalModel
    strata: Strata
    begins: float
    held_from: float
    assumed: tuple[str, ...]


def pair_of(scenario: Scenario, choices: Choices) -> Pair:
    """Both runs of a scenario.

    Raises
    ------
    BadQuestion : nothing is pumped or drained; a place outside the grid; a pit below the bottom.
    """
    strata = strata_of(scenario)
    begins = first_stress(scenario)
    instants = instants_of(scenario, choices)
    grid, table = _grid(scenario, strata, choices, choices.ends - begins)
    rates = [mean_rates(well, instants) for well in scenario.well]
    stepping = choices.stepping or _stepping(scenario, strata)
    periods = periods_of(instants, stepping, changes_of([*rates, *lowerings(scenario, instants)]))
    active = this_side(scenario, grid)
    rivers, beds = rivers_of(scenario, grid, table, strata)
    model = NumericalModel(
        grid, strata.layers, active, np.broadcast_to(table, grid.shape).copy(), periods,
        rivers=rivers, streams=routed_of(scenario, grid, table, len(periods)),
        fixed=_fixed(scenario, grid, table, active),
        observed=tuple(_observed(scenario, grid, strata)), recharge=_recharge(choices, len(periods)),
        newton=choices.newton, keep=((len(periods) - 1, periods[-1].steps - 1),),
    )  # fmt: skip
    wells = wells_of(scenario, grid, strata, rates)
    drains = drains_of(scenario, grid, table, strata, instants, choices.drain_factor)
    stressed = replace(model, wells=wells, drains=drains)
    said = (*strata.assumed, *spreading_says(scenario, strata, instants), *beds, *wells_say(scenario, strata))
    said += pit_says(scenario)
    held_from = choices.ends if spread(scenario, instants) else begins
    return Pair(replace(model, wells=at_rest(wells)), stressed, strata, begins, held_from, said)


def instants_of(scenario: Scenario, choices: Choices) -> list[float]:
    """Edges of the stress periods after the steady one: turns of the calendar, and changes of what is pumped."""
    begins = first_stress(scenario)
    return edges_of(begins, choices.ends, choices.rhythm, kept_changes(scenario, begins, choices.ends))


def first_stress(scenario: Scenario) -> float:
    """The instant pumping or drainage begins (`models.scenario.noun.day_number`).

    Raises
    ------
    BadQuestion : there is neither.
    """
    schedules = [well.schedule for well in scenario.well] + ([] if scenario.pit is None else [scenario.pit.schedule])
    found = [day for days, held in schedules for day, value in zip(days, held, strict=True) if value != 0]
    if not found:
        allowed = ["a [[well]] with a rate other than 0", "a [pit] lowered by more than 0"]
        raise BadQuestion("nothing is pumped or drained", key="well", allowed=allowed)
    return min(found)


def _stepping(scenario: Scenario, strata: Strata) -> Stepping:
    """By the nearest place asked about; a stream is asked about too, and feels a well long before its drawdown.

    Not by a private well's: the steps are public, and would tell how far off it lies.
    """
    wells = [scenario.metres(one.position) for one in scenario.well]
    asked = [scenario.metres(one.position) for one in scenario.point if one.kind != "private"]
    near = [float(np.hypot(a[0] - b[0], a[1] - b[1])) for a in wells for b in asked]
    lines = [[scenario.metres(one) for one in stream.line] for stream in scenario.stream]
    near += [STREAM_NEARER * apart for _, apart in feet(lines, wells)]
    if scenario.pit is not None:
        x, y = np.array([scenario.metres(one) for one in scenario.pit.polygon]).T
        near.append(PIT_NEARER * float(min(np.ptp(x), np.ptp(y))))
    return drawdown_stepping(min(near, default=ASKED_M), strata.transmissivity, strata.storativity)


def _grid(scenario: Scenario, strata: Strata, choices: Choices, days: float) -> tuple[Grid, Numbers]:
    turn = turn_of(scenario) if choices.turned else 0.0
    fine = fine_places(scenario, choices.fine_m, turn)
    reach = max(choices.reach * sqrt(strata.transmissivity * days / strata.storativity), LEAST_REACH_M)
    x_edges, y_edges = (
        edges(
            one, min(at.low for at in one) - reach, max(at.high for at in one) + reach, choices.growth, choices.most_m
        )
        for one in fine
    )
    plan = Grid(x_edges, y_edges, np.zeros((0, 0)), np.zeros((1, 0, 0)), turn)
    table = _table(scenario, *plan.centres)
    return surfaces(strata, table, plan), table


def _table(scenario: Scenario, x: Numbers, y: Numbers) -> Numbers:
    """The undisturbed water table [m]: 0 at the first well or pit corner, sloping as stated."""
    shape = np.broadcast_shapes(x.shape, y.shape)
    if scenario.gradient is None:
        return np.zeros(shape)
    place = scenario.well[0].position if scenario.well else scenario.pit.polygon[0] if scenario.pit else (0.0, 0.0)
    x0, y0 = scenario.metres(place)
    toward = radians(scenario.gradient.toward_degrees)
    return np.asarray(-scenario.gradient.slope.value * ((x - x0) * sin(toward) + (y - y0) * cos(toward)))


def _recharge(choices: Choices, periods: int) -> Numbers | None:
    if choices.recharge is None:
        return None
    if len(choices.recharge) != periods - 1:
        raise BadQuestion("one departure for each period", key="recharge", found=len(choices.recharge))
    return np.array([0.0, *choices.recharge])


def _observed(scenario: Scenario, grid: Grid, strata: Strata) -> list[Observed]:
    """Every place asked about, in its pump's layer or in all of them; a well's own cell is none."""
    found = []
    for one in scenario.point:
        place = scenario.metres(one.position)
        cell_at(grid, place, f"point[{one.id}].position")
        for number, layer in enumerate(layers_of(one, strata)):
            found.append(Observed(f"{one.id}{IN_LAYER}{layer}" if number else one.id, place, layer))
    return found


def _fixed(scenario: Scenario, grid: Grid, table: Numbers, active: np.ndarray) -> tuple[FixedHead, ...]:
    """The outermost ring of cells in every layer, and edges of constant level, at the undisturbed water table."""
    layers = grid.shape[0]
    levels = [one for one in scenario.edge if one.kind == "constant_head"]
    sets = [("far", grid.ring), *((edge.id, cells_on(grid, scenario, edge)) for edge in levels)]
    found, taken = [], set()
    for id, places in sets:
        cells = [(k, r, c) for k in range(layers) for r, c in places if active[k, r, c] and (k, r, c) not in taken]
        taken |= set(cells)
        found.append(FixedHead(id, tuple(cells), np.array([table[r, c] for _, r, c in cells])))
    return tuple(one for one in found if one.cells)
