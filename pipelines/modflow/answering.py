"""From a scenario to an answer: the pair of runs, the runs the gate asks for, and the pit's sensitivity.

The grid widens itself, up to `MOST_DOUBLINGS` times, while its ends are felt; steps are cut in two, up to
`MOST_HALVINGS` times, while that changes what is told or while the closed form is missed. What still fails then is
refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

from models.modflow import gate
from models.modflow.answer import Answer, Check, Sensitivity
from models.modflow.build import Choices, Pair, pair_of
from models.modflow.closed_form import compared
from models.modflow.numerical import NumericalModel, Period
from models.modflow.outcome import Outcome
from models.modflow.quantities import Quantities, quantities
from models.modflow.reaching import holding, wider
from models.modflow.twin import twins
from models.scenario.noun import Scenario
from pipelines.modflow.runs import Runs

MOST_DOUBLINGS, MOST_HALVINGS = 3, 3
FACTORS = (0.1, 10.0)
"""On the conductance of a pit's drain."""


@dataclass(frozen=True, eq=False)
class Told:
    """A pair, its runs, and what they tell."""

    choices: Choices
    pair: Pair
    baseline: Outcome
    stressed: Outcome
    quantities: Quantities


def answered(scenario: Scenario, choices: Choices, runs: Runs, said: tuple[str, ...] = ()) -> Answer:
    """What the scenario's model says, once every check has passed.

    Parameters
    ----------
    said : what was taken for granted before.

    Raises
    ------
    GateFailed : a check failed, or MODFLOW gave up; no figure leaves.
    BadQuestion : a scenario that cannot be modelled; names the key.
    EnvironmentFailed : a run failed for the machine's sake.
    """
    asked = holding(scenario, choices)
    told, wide = _wide_enough(scenario, _told(pair_of(scenario, asked), asked, runs, "as asked"), runs)
    told, fine, closed = _fine_enough(scenario, told, runs)
    both = told.baseline, told.stressed
    checks = (
        gate.mass_balance(told.quantities, both), gate.convergence(both),
        gate.boundary_influence(told.quantities, *both), gate.no_flow_ends(told.pair), wide,
        gate.well_rates(told.pair, told.stressed), fine, gate.dry_cells(told.quantities, *both),
        closed,
    )  # fmt: skip
    assumed = (*told.pair.assumed, *said, *_widened(asked, told))
    sensitivity = tuple(_sensitivity(told, runs)) if all(one.passed for one in checks) else ()
    return Answer(
        scenario, told.choices, told.pair, *both, told.quantities, checks, sensitivity, assumed, runs.program.says
    )


def _told(pair: Pair, choices: Choices, runs: Runs, what: str) -> Told:
    baseline = runs.of(pair.baseline, f"{what}, without pumping")
    stressed = runs.of(pair.stressed, f"{what}, with pumping")
    return Told(choices, pair, baseline, stressed, quantities(pair, baseline, stressed))


def _wide_enough(scenario: Scenario, told: Told, runs: Runs) -> tuple[Told, Check]:
    """A grid whose ends are not felt, and the check that says so."""
    for _ in range(MOST_DOUBLINGS + 1):
        choices = wider(told.choices, told.pair)
        doubled = _told(pair_of(scenario, choices), choices, runs, "domain doubled")
        check = gate.domain_doubled(told.quantities, doubled.quantities)
        far = gate.boundary_influence(told.quantities, told.baseline, told.stressed)
        if check.passed and far.passed:
            break
        last, told = told, doubled
    else:
        told = last
    return told, check


def _fine_enough(scenario: Scenario, told: Told, runs: Runs) -> tuple[Told, Check, Check]:
    """Steps that are short enough, and the two checks that say so."""
    for _ in range(MOST_HALVINGS + 1):
        closed = _closed(scenario, told.pair, runs)
        finer = _told(halved(told.pair), told.choices, runs, "steps halved")
        check = gate.steps_halved(told.quantities, finer.quantities)
        if check.passed and closed.passed:
            break
        last, told = told, finer
    else:
        told = last
    return told, check, closed


def halved(pair: Pair) -> Pair:
    """The same with each step of each period cut in two: the square root of the growth keeps the old ends."""
    return replace(pair, baseline=_halved(pair.baseline), stressed=_halved(pair.stressed))


def _halved(model: NumericalModel) -> NumericalModel:
    keep = tuple((period, 2 * step + 1 - model.periods[period].steady) for period, step in model.keep)
    return replace(model, periods=tuple(_cut(one) for one in model.periods), keep=keep)


def _cut(period: Period) -> Period:
    return period if period.steady else replace(period, steps=2 * period.steps, growth=sqrt(period.growth))


def _closed(scenario: Scenario, pair: Pair, runs: Runs) -> Check:
    found = [compared(one, runs.of(one.model, f"homogeneous version, {one.form}")) for one in twins(scenario, pair)]
    return gate.closed_forms(tuple(one for each in found for one in each))


def _sensitivity(told: Told, runs: Runs) -> Iterator[Sensitivity]:
    """The inflow on the day asked for under other conductances of the drain."""
    model = told.pair.stressed
    for factor in FACTORS if model.drains else ():
        drains = tuple(replace(one, conductance=one.conductance * factor) for one in model.drains)
        run = runs.of(replace(model, drains=drains), f"conductance of the drain times {factor:g}")
        for one in drains:
            yield Sensitivity(one.id, factor, -float(run.budget[one.id][-1]))


def _widened(asked: Choices, told: Told) -> Iterator[str]:
    if told.choices.reach != asked.reach:
        yield f"the grid reaches {told.choices.reach:.3g} times sqrt(T t / S): its ends were felt at {asked.reach:.3g}"
    steps = sum(one.steps for one in told.pair.stressed.periods)
    yield f"{steps} time steps in {len(told.pair.stressed.periods)} stress periods, the first of them steady"
