"""What a numerical answer must pass before a figure of it leaves: one function a check, each with its number.

The bounds are the project's own and rule over those of the literature. Where one run is held against another, a change
below `LEAST_M` of drawdown, or below `LEAST_SHARE` of what is pumped and drained, counts as none: two figures of
depletion and a tenth of a foot are all that is printed, and a share of next to nothing says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.modflow.answer import Check
from models.modflow.build import Pair
from models.modflow.closed_form import Compared
from models.modflow.outcome import Outcome
from models.modflow.quantities import Quantities
from models.scenario.noun import Scenario

Numbers = NDArray[np.float64]

MOST_IMBALANCE_PERCENT = 0.1
MOST_FAR_PERCENT = 1.0
MOST_CHANGE_PERCENT = 2.0
MOST_COARSE_PERCENT = 5.0
MOST_RATE_PERCENT = 0.1
MOST_OFF_CLOSED_PERCENT = 5.0
LEAST_M, LEAST_SHARE, LEAST_OF_LARGEST = 0.003, 0.001, 0.01
NO_LEVEL_M = 1e20
"""mf6 writes 1e30 for a cell that is none; no water table stands so high."""
FAR = "far"
SHORTER_PERIODS = "shorter stress periods (--periods daily) where changes of pumping are spread over longer ones"
SHORTER_STEPS = "shorter steps (--first-step '0.1 h' --step-growth 1.02)"
"""Shorter than what a question gets where it says nothing (`models.modflow.calendar.drawdown_stepping`)."""
FINER_CELLS = "finer cells (--fine '1 m' --growth 1.1)"
WIDER_GRID = "a wider grid (--reach 12)"
"""Twice what a question gets where it says nothing."""


def mass_balance(quantities: Quantities, runs: tuple[Outcome, ...]) -> Check:
    """What came in against what went out, of every step and of all steps so far.

    A run in which next to nothing flows is held against what is pumped: a share of nothing says nothing.
    """
    least = LEAST_SHARE * quantities.stress
    worst = max(_imbalance(one, least) for one in runs)
    return Check(
        "mass balance", worst, MOST_IMBALANCE_PERCENT, "%", worst < MOST_IMBALANCE_PERCENT,
        f"in against out is {worst:.2g} % at most, of any step and cumulative, in {len(runs)} runs",
        f"{SHORTER_STEPS}, or --no-newton",
    )  # fmt: skip


def _imbalance(run: Outcome, least: float) -> float:
    """The largest share [percent]; of a step with next to no flow, of ``least``."""
    share = np.where(run.turnover > 0, run.turnover / np.maximum(run.turnover, least), 1.0)
    steps, total = np.abs(run.discrepancy) * share, np.abs(run.cumulative) * share
    return float(np.max(np.nan_to_num(np.maximum(steps, total), nan=np.inf)))


def convergence(runs: tuple[Outcome, ...]) -> Check:
    """Every step of every run ended by itself, and before the last iteration allowed."""
    ended = all(one.terminated and one.converged for one in runs)
    most = max(int(one.outer_iterations.max()) for one in runs)
    allowed = min(one.most_outer for one in runs)
    return Check(
        "convergence", float(most), float(allowed), "outer iterations", ended and most < allowed,
        f"the hardest step took {most} of {allowed} outer iterations" if ended else "a step did not converge",
        f"{SHORTER_STEPS}, or --no-newton",
    )  # fmt: skip


def boundary_influence(quantities: Quantities, baseline: Outcome, stressed: Outcome) -> Check:
    """What pumping draws through the far ends of the grid, of what is pumped."""
    felt = np.abs(stressed.budget[FAR] - baseline.budget[FAR]) if FAR in stressed.budget else np.zeros(1)
    change = float(felt.max())
    percent = 100 * change / quantities.stress if quantities.stress > 0 else np.inf
    return Check(
        "boundary influence", percent, MOST_FAR_PERCENT, "% of pumping", percent < MOST_FAR_PERCENT,
        f"pumping changes the flow through the far ends by {percent:.2g} % of itself",
        f"{WIDER_GRID}, or a stream that the scenario leaves out",
    )  # fmt: skip


def no_flow_ends(scenario: Scenario) -> Check:
    """The far ends keep their level; an edge without flow is the scenario's own, and belongs to the question."""
    own = [one.id for one in scenario.edge if one.kind == "no_flow"]
    but = f"; {', '.join(own)}, without flow, the scenario states: the drawdown at it is asked for" if own else ""
    return Check(
        "drawdown at no-flow ends", None, 5.0, "% of the smallest drawdown", True,
        f"does not apply: the grid ends in cells that keep their level{but or ', none without flow'}", applies=False,
    )  # fmt: skip


def domain_doubled(told: Quantities, doubled: Quantities) -> Check:
    """Every reported quantity against that of a grid that reaches twice as far."""
    return _unchanged("domain doubled", told, doubled, "with twice the reach", WIDER_GRID)


def grid_coarsened(told: Quantities, coarse: Quantities) -> Check:
    """Every reported quantity against that of cells about twice as wide.

    Where an edge or a stream runs aslant through cells, the error shrinks as their width does: what a grid twice as
    coarse differs by, the grid itself errs by. Elsewhere it shrinks as their square: to a third of the difference.
    Before the day asked for, a change below `LEAST_OF_LARGEST` of the largest that is told of a quantity counts as
    none: where wider cells feel a front a little sooner or later, the first trace of it is many times as much.
    """
    check = _unchanged("grid coarsened", told, coarse, "on cells twice as wide", FINER_CELLS, _coarse_floor)
    near = [f"{id} lies in the cell of {well} there" for id, well in coarse.in_well.items() if id not in told.in_well]
    return replace(
        check, limit=MOST_COARSE_PERCENT, passed=check.measured is not None and check.measured < MOST_COARSE_PERCENT,
        says="; ".join([check.says, *near]),
    )  # fmt: skip


def _coarse_floor(told: Numbers, least: float) -> Numbers:
    floor = np.full(told.size, max(least, LEAST_OF_LARGEST * float(np.max(np.abs(np.nan_to_num(told)), initial=0.0))))
    floor[-1:] = least
    return floor


def steps_halved(told: Quantities, halved: Quantities) -> Check:
    """Every reported quantity against that of a run with each step cut in two."""
    return _unchanged("time steps halved", told, halved, "with half the steps' length", SHORTER_STEPS)


def _unchanged(
    name: str, told: Quantities, other: Quantities, words: str, remedy: str,
    floor: Callable[[Numbers, float], Numbers] = lambda told, least: np.full(told.size, least),
) -> Check:  # fmt: skip
    at = np.searchsorted(other.day, told.day - 1e-9 * np.maximum(1.0, np.abs(told.day)))
    if not np.allclose(other.day[at], told.day, rtol=0, atol=1e-6):
        raise ValueError("the two runs have no common steps")
    found = [(_change_percent(one, values[at], floor(one, least)), id) for id, one, values, least in _both(told, other)]
    worst, where = max(found, default=(0.0, ""))
    none = f"no reported quantity changes by more than {LEAST_M} m or {LEAST_SHARE:.1%} of the pumping"
    said = f"{where} changes by {worst:.2g} %" if worst > 0 else none
    return Check(name, worst, MOST_CHANGE_PERCENT, "%", worst < MOST_CHANGE_PERCENT, f"{said} {words}", remedy)


def _both(told: Quantities, other: Quantities) -> Iterator[tuple[str, Numbers, Numbers, float]]:
    """Every reported quantity of two answers, and the change of it that counts as none."""
    for id, values in told.drawdown.items():
        if id not in told.in_well and id not in other.in_well:
            yield f"drawdown at {id}", values, other.drawdown[id], LEAST_M
    least = LEAST_SHARE * told.stress
    for id, values in told.depletion.items():
        yield f"depletion of {id}", values, other.depletion[id], least
    for id, values in told.inflow.items():
        yield f"inflow of {id}", values, other.inflow[id], least


def _change_percent(told: Numbers, other: Numbers, least: float | Numbers) -> float:
    """The largest share by which one differs from the other; dry in one of both only is a change without limit."""
    if np.any(np.isnan(told) != np.isnan(other)):
        return float(np.inf)
    change = np.abs(told - other)
    counts = change > least
    if not counts.any():
        return 0.0
    size = np.maximum(np.abs(other), least)[counts]
    return float(100 * np.max(change[counts] / size))


def well_rates(pair: Pair, stressed: Outcome) -> Check:
    """What each well really gave against what it was told to give, at every step; no bore is pumped from below itself.

    Nothing reduces what a multi-aquifer well gives: where its layers cannot, the level in it sinks below its end.
    """
    found = []
    for well in pair.stressed.wells:
        asked, most = well.rates[stressed.period], float(np.abs(well.rates).max())
        short = float(np.max(np.abs(asked - stressed.well_rates[well.id])))
        found.append((100 * short / most if most > 0 else 100 * short, well.id))
    if not found:
        return Check("well rates", None, MOST_RATE_PERCENT, "%", True, "does not apply: no well", applies=False)
    worst, where = max(found)
    bores = [(one.id, one.multi_aquifer.base) for one in pair.stressed.wells if one.multi_aquifer is not None]
    empty = [id for id, base in bores if float(np.min(stressed.bore_level[id])) <= base]
    says = f"; the level in the bore of {', '.join(empty)} would stand below its lower end" if empty else ""
    return Check(
        "well rates", worst, MOST_RATE_PERCENT, "% of the rate", worst < MOST_RATE_PERCENT and not empty,
        f"{where} gives what it is told to within {worst:.2g} %{says}",
        "the aquifer cannot give that rate there: a lower rate, or more wells",
    )  # fmt: skip


def dry_cells(quantities: Quantities, baseline: Outcome, stressed: Outcome) -> Check:
    """No mark of a cell without water is taken for a level, and no place asked about was dry before any pumping.

    A place that pumping makes dry is no fault of the model: it is named, and has no drawdown.
    """
    leaks = [
        id for id, one in _levels(quantities, baseline, stressed) if np.any(np.abs(one[~np.isnan(one)]) > NO_LEVEL_M)
    ]
    before = [
        place
        for place, one in quantities.observed.items()
        if place not in quantities.in_well and np.isnan(baseline.hydrographs[one.id]).any()
    ]
    wrong = [f"{id} holds a mark of mf6 for a cell without water" for id in leaks]
    wrong += [f"{id} is dry without any pumping" for id in before]
    says = "; ".join(wrong) or _dry_says(quantities, stressed)
    return Check(
        "dry cells",
        float(len(wrong)),
        0.0,
        "places",
        not wrong,
        says,
        "thicker layers, or a place that stands in water",
    )


def _levels(quantities: Quantities, baseline: Outcome, stressed: Outcome) -> Iterator[tuple[str, Numbers]]:
    yield "the field of drawdown", quantities.field
    for words, one in (("without pumping", baseline), ("with pumping", stressed)):
        yield f"the heads {words}", one.heads
        for id, values in one.hydrographs.items():
            yield f"{id} {words}", values
    for id, values in (*quantities.drawdown.items(), *quantities.depletion.items(), *quantities.inflow.items()):
        yield id, values


def _dry_says(quantities: Quantities, stressed: Outcome) -> str:
    cells = int(stressed.dry.max(initial=0))
    words = f"{cells} cells fall dry" if cells else "no cell falls dry"
    return f"{words}; {', '.join(quantities.dry)} dry: told without a drawdown" if quantities.dry else words


def closed_forms(compared: tuple[Compared, ...]) -> Check:
    """The homogeneous version on the same grid and steps against Theis, Hunt, or Jacob and Lohman."""
    found = [
        (_change_percent(one.modelled, one.closed, one.least), f"{one.quantity} against {one.form}") for one in compared
    ]
    worst, where = max(found, default=(np.inf, "nothing could be compared"))
    return Check(
        "closed form", worst, MOST_OFF_CLOSED_PERCENT, "%", worst < MOST_OFF_CLOSED_PERCENT,
        f"worst of {len(found)}: {where}, {worst:.2g} % off, on the homogeneous version",
        f"{FINER_CELLS}, {SHORTER_STEPS}, or {SHORTER_PERIODS}",
    )  # fmt: skip
