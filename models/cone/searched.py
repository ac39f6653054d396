"""Low, best and high of whatever a cone's model answers, over the whole of its stated ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from models.aquifer.admissible import Numbers
from models.aquifer.cone_tables import AquiferValues
from models.aquifer.extremes import Extremes, Ranges, extremes
from models.cone.model import ConeModel


@dataclass(frozen=True)
class Ranged:
    """Low, best and high of one number."""

    low: float
    best: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Ranged:
        """Best first, then others."""
        return cls(float(min(values)), float(values[0]), float(max(values)))

    @classmethod
    def each(cls, found: Extremes) -> list[Ranged]:
        """Of every answer; one without end is infinite."""
        low, best, high = (np.nan_to_num(one, nan=np.inf) for one in (found.low, found.best, found.high))
        return [cls(*map(float, one)) for one in zip(low, best, high, strict=True)]


def searched(
    model: ConeModel, answers: Callable[[AquiferValues], Numbers | Sequence[float]], ranges: Ranges | None = None
) -> Extremes:
    """Extremes of the answers to one set of values, float64[answer], over the model's ranges."""
    return extremes(lambda every: np.array([answers(model.at(one)) for one in every]), ranges or model.ranges)
