"""What is reported of two runs: drawdown at places, depletion of streams, inflow of a pit, all against time.

Every one is a difference of the run without pumping and the run with it. The head in a pumped well's own cell is that
of a well of a fifth of the cell's width, whatever the real one's radius: no drawdown is told there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.modflow.build import Pair
from models.modflow.calendar import changes_of
from models.modflow.numerical import NumericalModel, Observed
from models.modflow.outcome import Outcome
from models.modflow.place_layers import most_lowered
from models.modflow.through_cells import cell_at

Numbers = NDArray[np.float64]
FROM_DAY = 1.0
"""Since pumping began or changed; the steps of the first day resolve only what nobody asks about."""
WHOLE = 0.5
"""Share of the most a well has pumped so far; a smaller change is followed by figures at once."""
AN_INSTANT_D = 1e-6
"""Ends of steps are sums of their lengths."""


@dataclass(frozen=True, eq=False)
class Quantities:
    """Metres, m3/d and days of the civil clock.

    Parameters
    ----------
    day : float64[n], the ends of the steps that are told (`models.scenario.noun.day_number`): those a day or more after
        pumping or a drainage began or changed by half, and the last. Earlier ones are too coarse for a figure.
    steps : int[n], their numbers in the runs.
    drawdown : place -> float64[n] [m]; NaN where the place is dry, all NaN where it is a well's own cell.
    depletion : stream -> float64[n] [m3/d], what it gives the aquifer more than without pumping.
    inflow : pit -> float64[n] [m3/d], what its drain takes.
    pumped : float64[n] [m3/d], what wells take of the aquifer; what they return counts below 0.
    kept : int[k], numbers of the steps in ``field``.
    field : float64[k, nlay, nrow, ncol], drawdown [m]; NaN where dry, beyond an edge, or in a pumped well's cells.
    stress : the most that wells and the pit ever take together [m3/d]: what flows are small or large against.
    dry : places that are dry at any step told, in either run. ``in_well`` : place -> the well whose cell it lies in.
    observed : place -> in which layer its drawdown is told, and under which id its heads are in the runs.
    """

    day: Numbers
    steps: NDArray[np.int64]
    drawdown: dict[str, Numbers]
    depletion: dict[str, Numbers]
    inflow: dict[str, Numbers]
    pumped: Numbers
    kept: NDArray[np.int64]
    field: Numbers
    dry: tuple[str, ...]
    in_well: dict[str, str]
    observed: dict[str, Observed]
    stress: float


def quantities(pair: Pair, baseline: Outcome, stressed: Outcome) -> Quantities:
    """What is told of a pair of runs of the same grid and steps.

    Raises
    ------
    ValueError : the runs have other steps, or kept other ones: they are no pair.
    """
    if not np.array_equal(baseline.time, stressed.time) or not np.array_equal(baseline.kept, stressed.kept):
        raise ValueError("the two runs differ in their steps")
    model = pair.stressed
    day = model.periods[0].starts + stressed.time
    steps = _told(day, [pair.begins, *onsets(model)])
    in_well = dict(_in_wells(model))
    fallen = {one.id: (baseline.hydrographs[one.id] - stressed.hydrographs[one.id])[steps] for one in model.observed}
    observed = most_lowered(model.observed, fallen)
    drawdown = {place: fallen[one.id] for place, one in observed.items()}
    dry = tuple(id for id, values in drawdown.items() if id not in in_well and np.isnan(values).any())
    told = {id: np.full_like(one, np.nan) if id in in_well else one for id, one in drawdown.items()}
    inflow = {one.id: -stressed.budget[one.id][steps] for one in model.drains}
    pumped = _pumped(stressed)[steps]
    return Quantities(
        day[steps], steps, told, _depletion(model, baseline, stressed, steps), inflow, pumped, stressed.kept,
        _field(model, baseline, stressed), dry, in_well, observed,
        float(np.max(np.abs(pumped) + _sum(inflow, steps.size))),
    )  # fmt: skip


def _told(day: Numbers, onsets: Sequence[float]) -> NDArray[np.int64]:
    """The steps that end a day or more after each onset before them, and the last."""
    told = settled(day, onsets) & (day > onsets[0] + AN_INSTANT_D)
    told[-1] = True
    return np.flatnonzero(told)


def settled(day: Numbers, onsets: Sequence[float]) -> NDArray[np.bool_]:
    """Which of these instants lie in no onset's first day."""
    first_day = [(day > one + AN_INSTANT_D) & (day < one + FROM_DAY - AN_INSTANT_D) for one in onsets]
    return np.asarray(~np.any(first_day, axis=0))


def onsets(model: NumericalModel) -> Iterator[float]:
    """When a drain begins to run, or to run deeper, and when a well changes its rate by `WHOLE` or more."""
    for drain in model.drains:
        yield from (model.periods[number].starts for number in drain.onsets)
    if model.wells:
        whole = np.flatnonzero(changes_of([one.rates for one in model.wells]) >= WHOLE)
        yield from (model.periods[int(number)].starts for number in whole)


def _sum(values: dict[str, Numbers], count: int) -> Numbers:
    return np.asarray(sum((np.abs(one) for one in values.values()), np.zeros(count)))


def _in_wells(model: NumericalModel) -> Iterator[tuple[str, str]]:
    wells = {cell[1:]: well.id for well in model.wells for cell, _ in well.cells}
    for one in model.observed:
        at = _plan_cell(model, one)
        if at in wells:
            yield one.place, wells[at]


def _plan_cell(model: NumericalModel, one: Observed) -> tuple[int, int]:
    return cell_at(model.grid, one.position, one.id)


def _depletion(
    model: NumericalModel, baseline: Outcome, stressed: Outcome, steps: NDArray[np.int64]
) -> dict[str, Numbers]:
    waters = [one.id for one in model.rivers] + [one.id for one in model.streams]
    return {id: (stressed.budget[id] - baseline.budget[id])[steps] for id in waters}


def _pumped(stressed: Outcome) -> Numbers:
    return np.asarray(sum(stressed.well_rates.values(), np.zeros_like(stressed.time)))


def _field(model: NumericalModel, baseline: Outcome, stressed: Outcome) -> Numbers:
    field = baseline.heads - stressed.heads
    for well in model.wells:
        for layer, row, column in (cell for cell, _ in well.cells):
            field[:, layer, row, column] = np.nan
    return field
