"""What particle paths must pass before they leave: the steady field's own checks, and a closed form on its grid.

The closed form is the simplest there is: the largest well alone in the homogeneous version takes, after t days, the
water of a circle of sqrt(Q t / (pi n b)). What the grid and the flow do to that they do to every path.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.modflow.answer import Check
from models.modflow.gate import (
    MOST_IMBALANCE_PERCENT,
    MOST_OFF_CLOSED_PERCENT,
    MOST_RATE_PERCENT,
    convergence,
)
from models.modflow.numerical import FixedHead, Grid, Layer, NumericalModel, WellStress
from models.modflow.outcome import Outcome
from models.modflow.particles import DAYS_PER_YEAR, MARKED_YEARS, Path
from models.modflow.path_forms import radius_m
from models.modflow.strata import Strata

Numbers = NDArray[np.float64]
LEAST_CELLS = 5
"""A circle of fewer cells across than that is not compared."""
MOST_OF_REACH = 0.5
"""Nor one that comes nearer to the far ends, where the model ends and the closed form does not."""


def steady_checks(steady: NumericalModel, run: Outcome) -> tuple[Check, ...]:
    """Mass balance, convergence and well rates of the field."""
    off = float(np.max(np.abs(run.discrepancy)))
    balance = Check(
        "mass balance of the steady field", off, MOST_IMBALANCE_PERCENT, "%", off < MOST_IMBALANCE_PERCENT,
        f"in against out is {off:.2g} %", "--no-newton, or a finer grid (--fine, --growth)",
    )  # fmt: skip
    ended = convergence((run,))
    return balance, replace(ended, name="convergence of the steady field"), _rates(steady, run)


def _rates(steady: NumericalModel, run: Outcome) -> Check:
    name, unit = "well rates of the steady field", "% of the rate"
    short = {
        one.id: 100 * abs(float(run.well_rates[one.id][0]) / float(one.rates[0]) - 1)
        for one in steady.wells
        if one.rates[0] != 0
    }
    if not short:
        return Check(name, None, MOST_RATE_PERCENT, unit, True, "does not apply: no well", applies=False)
    worst = max(short, key=lambda id: short[id])
    return Check(
        name, short[worst], MOST_RATE_PERCENT, unit, short[worst] < MOST_RATE_PERCENT,
        f"{worst} gives what it is told to within {short[worst]:.2g} %",
        "the aquifer cannot give that rate for ever: a stream or a recharge that the scenario leaves out",
    )  # fmt: skip


def lone_well(strata: Strata, steady: NumericalModel) -> NumericalModel | None:
    """The field's largest well alone, on its grid in plan and in one confined layer as thick as all of them together.

    None where no well is pumped.
    """
    well = max(steady.wells, key=lambda one: float(one.rates[0]), default=None)
    if well is None or well.rates[0] <= 0:
        return None
    thick, grid = sum(strata.thicknesses), steady.grid
    conductivity, flat = strata.transmissivity / thick, np.zeros(grid.shape[1:])
    plan = Grid(grid.x_edges, grid.y_edges, flat, flat[None] - thick)
    ring = tuple((0, row, column) for row, column in grid.ring)
    (_, row, column), _ = well.cells[0]
    return NumericalModel(
        plan, (Layer("all", conductivity, conductivity, 0.0, 0.0, convertible=False),),
        np.ones(plan.shape, np.int64), np.zeros(plan.shape), steady.periods,
        wells=(WellStress(well.id, (((0, row, column), 1.0),), well.rates),),
        fixed=(FixedHead("far", ring, np.zeros(len(ring))),), newton=False, keep=steady.keep, keep_flows=True,
    )  # fmt: skip


def closed_form(alone: NumericalModel | None, paths: Sequence[Path], porosity: float) -> Check:
    """The mean distance of the well's particles in the marked years against the circle that holds what it took."""
    name, limit = "closed form of travel time", MOST_OFF_CLOSED_PERCENT
    found = [] if alone is None else _off(alone, paths, porosity)
    if not found:
        return Check(name, None, limit, "%", True, "does not apply: no circle to compare with", applies=False)
    off, years = max(found)
    return Check(
        name, off, limit, "%", off < limit,
        f"particles of the largest well alone are {off:.2g} % off sqrt(Q t / (pi n b)) after {years:g} years",
        "finer cells (--fine) or a slower --growth",
    )  # fmt: skip


def _off(alone: NumericalModel, paths: Sequence[Path], porosity: float) -> list[tuple[float, float]]:
    """Percent off, and the year."""
    grid, rate = alone.grid, float(alone.wells[0].rates[0])
    _, row, column = alone.wells[0].cells[0][0]
    x, y = float(grid.x[column]), float(grid.y[row])
    cell = float(max(grid.widths[column], grid.heights[row]))
    ends = min(abs(x - grid.x_edges[0]), abs(x - grid.x_edges[-1]), abs(y - grid.y_edges[0]), abs(y - grid.y_edges[-1]))
    found = []
    for years in MARKED_YEARS:
        radius = radius_m(years * DAYS_PER_YEAR, rate, float(grid.top[0, 0] - grid.bottoms[-1, 0, 0]), porosity)
        if LEAST_CELLS * cell / 2 < radius < MOST_OF_REACH * ends:
            places = [at for one in paths if (at := one.at(years * DAYS_PER_YEAR)) is not None]
            mean = float(np.mean([np.hypot(a - x, b - y) for a, b in places])) if places else np.inf
            found.append((100 * abs(mean / radius - 1), years))
    return found
