"""From a scenario to an answer: the pair of runs, the runs the gate asks for, and the pit's sensitivity.

The grid widens itself, up to `MOST_DOUBLINGS` times, while its ends are felt; steps are cut in two, up to
`MOST_HALVINGS` times, while that changes what is told or while the closed form is missed; cells become half as wide, up
to `MOST_REFINEMENTS` times, while wider ones change what is told or the closed form is missed. What still fails then is
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

MOST_DOUBLINGS, MOST_HALVINGS, MOST_REFINEMENTS = 3, 3, 1
AS_ASKED, DOUBLED, HALVED = "as asked", "domain doubled", "steps halved"
COARSENED, REFINED = "grid coarsened", "finer cells"
FACTORS = (0.1, 10.0)
"""On the conductance of a pit's drain."""


Job = tuple[NumericalModel, str]


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
    told, wide = _wide_enough(scenario, asked, runs)
    told, fine = _fine_enough(scenario, told, runs)
    both = told.baseline, told.stressed
    checks = (
        gate.mass_balance(told.quantities, both), gate.convergence(both),
        gate.boundary_influence(told.quantities, *both), gate.no_flow_ends(scenario), wide,
        fine.grid, gate.well_rates(told.pair, told.stressed), fine.steps, gate.dry_cells(told.quantities, *both),
        fine.closed,
    )  # fmt: skip
    assumed = (*told.pair.assumed, *said, *_changed(asked, told))
    sensitivity = tuple(_sensitivity(told, runs)) if all(one.passed for one in checks) else ()
    return Answer(
        scenario, told.choices, told.pair, *both, told.quantities, checks, sensitivity, assumed, runs.program.says
    )


def _told(pair: Pair, choices: Choices, runs: Runs, what: str) -> Told:
    runs.ahead(_jobs(pair, what))
    stressed, baseline = (runs.of(model, words) for model, words in _jobs(pair, what))
    return Told(choices, pair, baseline, stressed, quantities(pair, baseline, stressed))


def _jobs(pair: Pair, what: str) -> list[Job]:
    """The longer one first."""
    return [(pair.stressed, f"{what}, with pumping"), (pair.baseline, f"{what}, without pumping")]


def _wide_enough(scenario: Scenario, choices: Choices, runs: Runs) -> tuple[Told, Check]:
    """A grid whose ends are not felt, and the check that says so."""
    pair = pair_of(scenario, choices)
    for _ in range(MOST_DOUBLINGS + 1):
        wide = wider(choices, pair)
        doubled = pair_of(scenario, wide)
        runs.ahead([*_jobs(pair, AS_ASKED), *_jobs(doubled, DOUBLED)])
        told, other = _told(pair, choices, runs, AS_ASKED), _told(doubled, wide, runs, DOUBLED)
        check = gate.domain_doubled(told.quantities, other.quantities)
        far = gate.boundary_influence(told.quantities, told.baseline, told.stressed)
        if check.passed and far.passed:
            break
        pair, choices = doubled, wide
    return told, check


@dataclass(frozen=True)
class Fineness:
    """The checks of cells and steps, and the closed form, which both decide."""

    grid: Check
    steps: Check
    closed: Check

    @property
    def passed(self) -> bool:
        return self.cells_passed and self.steps.passed

    @property
    def cells_passed(self) -> bool:
        """What wider or finer cells could change."""
        return self.grid.passed and self.closed.passed


def _fine_enough(scenario: Scenario, told: Told, runs: Runs) -> tuple[Told, Fineness]:
    """Cells and steps that are fine enough, and the checks that say so.

    Steps that change what is told are cut; what they do not explain, finer cells may.
    """
    halvings, refinements = MOST_HALVINGS, MOST_REFINEMENTS
    while True:
        found, shorter = _fineness(scenario, told, runs)
        if found.passed or not (halvings or refinements):
            return told, found
        if refinements and not found.cells_passed and (found.steps.passed or not halvings):
            told, refinements = _refined(scenario, told, runs), refinements - 1
        elif halvings and not (found.steps.passed and found.closed.passed):
            told, halvings = shorter, halvings - 1
        else:
            return told, found


def _fineness(scenario: Scenario, told: Told, runs: Runs) -> tuple[Fineness, Told]:
    """The checks, and what shorter steps tell."""
    shorter, choices = halved(told.pair), coarser(told.choices)
    wide = _on_steps_of(pair_of(scenario, choices), told.pair)
    homogeneous = [(one, f"homogeneous version, {one.form}") for one in twins(scenario, told.pair)]
    runs.ahead([
        *_jobs(shorter, HALVED), *((one.model, what) for one, what in homogeneous), *_jobs(wide, COARSENED),
    ])  # fmt: skip
    other = _told(shorter, told.choices, runs, HALVED)
    coarse = _told(wide, choices, runs, COARSENED)
    compared_all = [compared(one, runs.of(one.model, what)) for one, what in homogeneous]
    return Fineness(
        gate.grid_coarsened(told.quantities, coarse.quantities), gate.steps_halved(told.quantities, other.quantities),
        gate.closed_forms(tuple(one for each in compared_all for one in each)),
    ), other  # fmt: skip


def _refined(scenario: Scenario, told: Told, runs: Runs) -> Told:
    choices = finer(told.choices)
    return _told(_on_steps_of(pair_of(scenario, choices), told.pair), choices, runs, REFINED)


def coarser(choices: Choices) -> Choices:
    """Cells about twice as wide, a quarter as many."""
    return replace(choices, fine_m=2 * choices.fine_m, growth=choices.growth**2)


def finer(choices: Choices) -> Choices:
    """Cells about half as wide."""
    return replace(choices, fine_m=choices.fine_m / 2, growth=sqrt(choices.growth))


def _on_steps_of(pair: Pair, like: Pair) -> Pair:
    """The pair on the steps of another one of the same question."""
    periods, keep = like.stressed.periods, like.stressed.keep
    baseline, stressed = (replace(one, periods=periods, keep=keep) for one in (pair.baseline, pair.stressed))
    return replace(pair, baseline=baseline, stressed=stressed)


def halved(pair: Pair) -> Pair:
    """The same with each step of each period cut in two: the square root of the growth keeps the old ends."""
    return replace(pair, baseline=_halved(pair.baseline), stressed=_halved(pair.stressed))


def _halved(model: NumericalModel) -> NumericalModel:
    keep = tuple((period, 2 * step + 1 - model.periods[period].steady) for period, step in model.keep)
    return replace(model, periods=tuple(_cut(one) for one in model.periods), keep=keep)


def _cut(period: Period) -> Period:
    return period if period.steady else replace(period, steps=2 * period.steps, growth=sqrt(period.growth))


def _sensitivity(told: Told, runs: Runs) -> Iterator[Sensitivity]:
    """The inflow on the day asked for under other conductances of the drain."""
    model = told.pair.stressed
    others = {factor: _drained(model, factor) for factor in FACTORS if model.drains}
    runs.ahead((other, _drain_says(factor)) for factor, other in others.items())
    for factor, other in others.items():
        run = runs.of(other, _drain_says(factor))
        for one in other.drains:
            yield Sensitivity(one.id, factor, -float(run.budget[one.id][-1]))


def _drained(model: NumericalModel, factor: float) -> NumericalModel:
    drains = tuple(replace(one, conductance=one.conductance * factor) for one in model.drains)
    return replace(model, drains=drains)


def _drain_says(factor: float) -> str:
    return f"conductance of the drain times {factor:g}"


def _changed(asked: Choices, told: Told) -> Iterator[str]:
    if told.choices.reach != asked.reach:
        yield f"the grid reaches {told.choices.reach:.3g} times sqrt(T t / S): its ends were felt at {asked.reach:.3g}"
    if told.choices.fine_m != asked.fine_m:
        yield f"cells became half as wide (--fine '{told.choices.fine_m:g} m' --growth {told.choices.growth:.3g})"
    steps = sum(one.steps for one in told.pair.stressed.periods)
    yield f"{steps} time steps in {len(told.pair.stressed.periods)} stress periods, the first of them steady"
