"""Can the pumping wells give their rates? The drawdown in each of them against the thickness of the aquifer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.extremes import Values
from models.errors import BadQuestion
from models.quantity import DISTANCE, fixed, to_unit
from models.scenario.noun import PumpedWell, Scenario
from models.scenario.response import Solution, drawdowns_m

LEAST_RADIUS = fixed(Decimal("0.15"), "m", DISTANCE)
"""Of a well whose radius is not told: half a foot."""


def thickness_marks(scenario: Scenario, solution: Solution, every: Sequence[Values], days: Numbers) -> list[str]:
    """What is wrong with the drawdown in the pumping wells on the days asked for, in words.

    Parameters
    ----------
    every : sets of values, the best estimates first.
    days : `models.scenario.noun.day_number`.

    Raises
    ------
    BadQuestion : an unconfined aquifer that gives a well less than its rate, by the best estimates.
    """
    if scenario.aquifer.thickness is None:
        return []
    return list(_marks(scenario, _in_wells_m(scenario, solution, every, days)))


def _in_wells_m(scenario: Scenario, solution: Solution, every: Sequence[Values], days: Numbers) -> Numbers:
    """The largest drawdown in each well before Jacob's correction, float64[well, set] [m]."""
    wells = tuple(_with_radius(well) for well in scenario.well)
    reached = scenario.model_copy(update={"well": wells})
    linear = [{name: value for name, value in values.items() if name != "b"} for values in every]
    return np.array([drawdowns_m(reached, well.position, solution, linear, days).max(axis=1) for well in wells])


def _with_radius(well: PumpedWell) -> PumpedWell:
    return well if well.radius is not None else well.model_copy(update={"radius": LEAST_RADIUS})


def _marks(scenario: Scenario, depths_m: Numbers) -> Iterator[str]:
    for well, depths in zip(scenario.well, depths_m, strict=True):
        if scenario.aquifer.kind == "unconfined":
            yield from _water_table(scenario, well, depths)
        else:
            yield from _confined(scenario, well, depths)


def _water_table(scenario: Scenario, well: PumpedWell, depths: Numbers) -> Iterator[str]:
    """Jacob's correction has no answer beyond half of the thickness."""
    thickness = scenario.aquifer.thickness
    assert thickness is not None
    unit = scenario.unit
    if depths[0] > thickness.value / 2:
        most = f"{to_unit(thickness.value / 2, 'm', unit):.3g} {unit} before Jacob's correction, half the thickness"
        found = f"{to_unit(float(depths[0]), 'm', unit):.3g} {unit}"
        reason = f"more drawdown than aquifer: {well.id} cannot give this rate"
        raise BadQuestion(reason, key=f"well[{well.id}].rate", found=found, allowed=[f"at most {most}"])
    if depths.max() > float(thickness.low) / 2:
        yield f"within the stated ranges {well.id} may be pumped dry: it cannot then give its rate"


def _confined(scenario: Scenario, well: PumpedWell, depths: Numbers) -> Iterator[str]:
    thickness, unit = scenario.aquifer.thickness, scenario.unit
    assert thickness is not None
    if depths[0] > thickness.value:
        deep, thick = (f"{to_unit(one, 'm', unit):.1f} {unit}" for one in (float(depths[0]), thickness.value))
        yield (
            f"the drawdown in {well.id} is {deep}, more than the layer is thick ({thick}): it stays confined only "
            "where its water stands that far above its top"
        )
