"""Levels measured at wells beside the heads a run simulates there: what is left over, which calibrates nothing.

Metres above the run's own zero, and days (`models.scenario.noun.day_number`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.modflow.numerical import Observed
from models.modflow.outcome import Outcome
from models.scenario.noun import civil_day

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Levels:
    """What was measured at a well.

    Parameters
    ----------
    day : float64[n], increasing.
    level : float64[n] [m] above the run's zero, or above anything where ``surveyed`` is False.
    """

    id: str
    day: Numbers
    level: Numbers
    surveyed: bool


@dataclass(frozen=True, eq=False)
class Measured:
    """Levels of a well at the instants of a run, and the run's heads at the same.

    Parameters
    ----------
    day, level, simulated : float64[n]; ``simulated`` is with pumping, NaN where the place is dry in the run.
    tied_on : None where the levels are elevations; else the instant on which the first of them is set to the run's
        head: what follows is its change since.
    observed : what of the run it is beside, in the well's own layer; None where the run has one layer.
    """

    id: str
    day: Numbers
    level: Numbers
    simulated: Numbers
    tied_on: float | None
    observed: Observed | None = None

    @property
    def residuals(self) -> Numbers:
        """Measured less simulated of every level that says something of the run [m]: not the one that was set to it."""
        left = (self.level - self.simulated)[1 if self.tied_on is not None else 0 :]
        return np.asarray(left[np.isfinite(left)])


@dataclass(frozen=True)
class Residuals:
    """How many, their mean, and the root of their mean square [m] (Anderson, Woessner & Hunt 2015, ch. 9)."""

    count: int
    bias: float
    rmse: float


def residuals_of(found: Sequence[Measured]) -> Residuals | None:
    """Of all their levels together; None where there is none."""
    every = np.concatenate([one.residuals for one in found]) if found else np.zeros(0)
    if not every.size:
        return None
    return Residuals(int(every.size), float(every.mean()), float(np.sqrt(np.mean(every**2))))


def beside(levels: Levels, run: Outcome, observed: Observed | None = None) -> Measured | None:
    """The levels measured during a run beside its heads; None where there is none, or none to hold one against.

    ``observed`` : what of the run it is beside; None is the well's own id. The run's head at an instant lies on the
    straight line between the ends of its steps.
    """
    ends = run.model.periods[0].starts + run.time
    during = (levels.day >= ends[0]) & (levels.day <= ends[-1])
    day, level = levels.day[during], levels.level[during]
    simulated = np.interp(day, ends, run.hydrographs[levels.id if observed is None else observed.id])
    if levels.surveyed:
        return Measured(levels.id, day, level, simulated, None, observed) if day.size else None
    if day.size < 2 or not np.isfinite(simulated[0]):
        return None
    return Measured(levels.id, day, level - level[0] + simulated[0], simulated, float(day[0]), observed)


def as_said(one: Measured) -> str:
    """What the levels are, in a word or two."""
    return "elevation" if one.tied_on is None else f"change since {civil_day(one.tied_on)}"
