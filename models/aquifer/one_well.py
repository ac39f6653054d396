"""One well by any model of the table: pumped for ever, for a while, or by a table of rates. Metres and days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.band import Curve
from models.aquifer.catalogue import Model
from models.aquifer.extremes import Ranges, Values
from models.aquifer.superposition import superpose
from models.aquifer.unconfined import is_dewatered, unconfined_drawdown_m
from models.errors import BadQuestion
from models.quantity import Quantity

THICKNESS = "b"
"""Given to a model that may have it, the aquifer is unconfined and its drawdown corrected."""


MOST_OF_THICKNESS = 0.4
"""Within 2.1 % of MODFLOW 6 (Newton) to s/b = 0.38 (b = 20 m, 10 to 365 d)."""


@dataclass(frozen=True)
class Pumping:
    """When the well pumps: Q for ever, ``pumped_d`` of it and then rest, or rates [m3/d] held from days on."""

    pumped_d: float | None = None
    days: Sequence[float] = ()
    rates: Sequence[float] = ()

    def schedule(self, values: Mapping[str, float]) -> tuple[Numbers, Numbers]:
        """Days and the rate held from each [m3/d]."""
        if self.days:
            return np.asarray(self.days, np.float64), np.asarray(self.rates, np.float64)
        if self.pumped_d is None:
            return np.zeros(1), np.array([values["Q"]])
        return np.array([0.0, self.pumped_d]), np.array([values["Q"], 0.0])

    @property
    def constant(self) -> bool:
        return self.pumped_d is None and not self.days

    @property
    def stop_d(self) -> float | None:
        """When the well comes to rest for good; None while it pumps."""
        if self.days:
            pumping = np.flatnonzero(self.rates)
            return None if self.rates[-1] or not pumping.size else float(self.days[int(pumping[-1]) + 1])
        return self.pumped_d


def ranges(model: Model, quantities: Mapping[str, Quantity]) -> Ranges:
    """The parameters' ranges; a linear model's answer rises or falls throughout with Q, Jacob's correction with b."""
    steady = {"Q"} if model.linear else set()
    return Ranges.of(quantities, steady | ({THICKNESS} if THICKNESS in model.may else set()))


def curve(model: Model, pumping: Pumping) -> Curve:
    """The model's answer under a pumping: drawdown [m], or depletion where the model's answer is a share [m3/d].

    Raises
    ------
    BadQuestion : rates that change, in a model in which rates do not superpose.
    """
    if not pumping.constant and (model.steady or not model.linear):
        raise BadQuestion(f"in {model.name} a rate does not change with time", key="--pumped, --rates, --stops")

    def answer(values: Values, times: Numbers) -> Numbers:
        found = (
            _superposed(model, pumping, values, times)
            if model.linear and not model.steady
            else model.answer(values, times)
        )
        return water_table(found, values[THICKNESS]) if THICKNESS in model.may and THICKNESS in values else found

    return answer


def water_table(confined_m: Numbers, thickness_m: float) -> Numbers:
    """Jacob's unconfined drawdown [m]; NaN where it asks for more than the thickness."""
    dry = is_dewatered(confined_m, thickness_m)
    return np.where(dry, np.nan, unconfined_drawdown_m(np.where(dry, 0.0, confined_m), thickness_m))


def thin_marks(drawdown_m: float, thickness_m: float) -> list[str]:
    """Where Jacob's correction goes beyond what it has been checked for."""
    share = drawdown_m / thickness_m
    if share <= MOST_OF_THICKNESS:
        return []
    return [f"drawdown is {100 * share:.0f} % of the saturated thickness; Jacob's correction is checked to 40 %"]


def _superposed(model: Model, pumping: Pumping, values: Values, times: Numbers) -> Numbers:
    """A depletion model answers with a share of the rate, so that a rate of 1 is what both kinds are asked for."""
    if pumping.constant and model.volume is None and model.output != "Q":
        return model.answer(values, times)
    days, rates = pumping.schedule(values)
    one = {**values, "Q": 1.0}
    return superpose(days, rates, times, lambda elapsed: model.answer(one, elapsed))
