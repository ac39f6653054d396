"""What it does to the answer that some changes of pumping are spread evenly over the stress period they lie in.

Told by a closed form (Theis, beside a stream Hunt): the rates as they were held less the rates as the stress periods
have them, superposed, at every place asked about that is public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.extremes import Values
from models.aquifer.superposition import UnitResponse, superpose
from models.modflow.calendar import mean_rates
from models.modflow.pumping_changes import spread
from models.modflow.strata import Strata
from models.scenario.noun import PumpedWell, Scenario
from models.scenario.response import Solution, quantities, unit_depletion, unit_drawdown

LOOKED_AT = 200
"""Instants at which the difference is looked at, of the changes that are spread."""
LEAST_M, LEAST_SHARE = 0.003, 0.001
"""Of drawdown, and of the pumping as depletion: less than that is told as nothing."""


@dataclass(frozen=True)
class Felt:
    """What spreading does to one drawdown [m] or depletion [m3/d]: by the day asked for, and at most before it."""

    name: str
    unit: str
    last: float
    most: float
    of: float

    @property
    def percent(self) -> float:
        """Of the quantity itself on the day asked for."""
        return 100 * abs(self.last) / abs(self.of) if self.of else np.inf


def spreading_says(scenario: Scenario, strata: Strata, instants: Sequence[float]) -> tuple[str, ...]:
    """That changes are spread, over how long, and what that does; nothing where none is.

    Parameters
    ----------
    instants : edges of the stress periods after the steady one.
    """
    lost = spread(scenario, instants)
    if not lost:
        return ()
    lengths = np.diff(instants)[np.searchsorted(instants, lost) - 1]
    said = f"{len(lost)} changes of pumping are spread evenly over stress periods of up to {lengths.max():.0f} days"
    felt = list(spreading_felt(scenario, strata, instants))
    least = LEAST_SHARE * _largest(scenario)
    worth = [one for one in felt if one.most > (LEAST_M if one.unit == "m" else least)]
    if not worth:
        return (f"{said}, which moves no answer by more than {LEAST_M} m or {LEAST_SHARE:.1%} of the pumping",)
    return (f"{said}: {'; '.join(_told(one) for one in worth)} (closed form); --periods daily spreads less",)


def _told(one: Felt) -> str:
    return (
        f"{one.name} moves by {abs(one.last):.2g} {one.unit} ({one.percent:.2g} %) on the day asked for, and by "
        f"{one.most:.2g} {one.unit} at most before it"
    )


def spreading_felt(scenario: Scenario, strata: Strata, instants: Sequence[float]) -> Iterator[Felt]:
    """The difference at every public place asked about and of every stream."""
    every = np.array(spread(scenario, instants))
    looked = every[np.unique(np.linspace(0, every.size - 1, min(every.size, LOOKED_AT)).astype(np.int64))]
    values, solution = _values(scenario, strata), _solution(scenario)
    asked = _Asked(scenario.well, instants, np.array([*looked, instants[-1]]))
    for point in scenario.point:
        if point.kind != "private" and all(point.position != well.position for well in scenario.well):
            responses = [unit_drawdown(scenario, one, point.position, solution, values) for one in scenario.well]
            yield asked.felt(f"drawdown at {point.id}", "m", responses)
    for stream in scenario.stream:
        responses = [unit_depletion(scenario, one, stream, values) for one in scenario.well]
        yield asked.felt(f"depletion of {stream.id}", "m3/d", responses)


@dataclass(frozen=True, eq=False)
class _Asked:
    """Wells, the edges of the stress periods, and the instants looked at, the last one the day asked for."""

    wells: Sequence[PumpedWell]
    instants: Sequence[float]
    days: Numbers

    def felt(self, name: str, unit: str, responses: Sequence[UnitResponse]) -> Felt:
        held, means = np.zeros(self.days.size), np.zeros(self.days.size)
        for well, response in zip(self.wells, responses, strict=True):
            held += superpose(*well.schedule, self.days, response, diffusive=True)
            means += superpose(self.instants[:-1], mean_rates(well, self.instants), self.days, response, diffusive=True)
        off = held - means
        return Felt(name, unit, float(off[-1]), float(np.abs(off).max()), float(held[-1]))


def _values(scenario: Scenario, strata: Strata) -> Values:
    """Best estimates, with T and S of the layers."""
    told = {name: one.value for name, one in quantities(scenario).items() if name.startswith("lam:")}
    return {**told, "T": strata.transmissivity, "S": strata.storativity}


def _solution(scenario: Scenario) -> Solution:
    """Hunt's beside a stream; the edges of an aquifer, of which not all have a closed form, are left out."""
    return "hunt" if scenario.stream and not scenario.edge else "theis"


def _largest(scenario: Scenario) -> float:
    return max((abs(rate) for well in scenario.well for rate in well.schedule[1]), default=0.0)
