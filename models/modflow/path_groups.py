"""Particle paths by where they start: how far they go in the marked years, where they end, and how soon.

Where a particle goes does not depend on porosity, only how soon it is there: v = q / n, so every time is in proportion
to n. The range of the porosity is the range of all times, and no particle need be followed twice. Metres, days.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from models.modflow.answer import Check
from models.modflow.numerical import NumericalModel
from models.modflow.particles import DAYS_PER_YEAR, WAYS, End, Path, Way, limit_years
from models.quantity import Quantity

Span = tuple[float, float, float]
"""At the low, best and high porosity."""


@dataclass(frozen=True, eq=False)
class Particles:
    """Every path of an answer, all checks passed. ``steady`` : the field they follow; ``program`` : which mp7."""

    steady: NumericalModel
    porosity: Quantity
    paths: tuple[Path, ...]
    checks: tuple[Check, ...]
    program: str

    @property
    def shares(self) -> Span:
        """Of a time at the best porosity, that at the low, best and high one."""
        one = self.porosity
        return float(one.low / one.best), 1.0, float(one.high / one.best)

    @property
    def limits(self) -> Span:
        """Years after which a particle that is still on its way is left there."""
        return limit_years(self.porosity)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Backward ones first, in the order of their starts."""
        keys = dict.fromkeys(
            (one.start.way, one.start.of) for way in WAYS for one in self.paths if one.start.way == way
        )
        return tuple(
            Group(of, way, tuple(one for one in self.paths if (one.start.way, one.start.of) == (way, of)), self.shares)
            for way, of in keys
        )

    def years(self, path: Path) -> Span:
        """From the start of a path to its end."""
        low, best, high = (float(path.day[-1]) / DAYS_PER_YEAR * one for one in self.shares)
        return low, best, high


@dataclass(frozen=True, eq=False)
class Group:
    """The paths of one well, the pit or one place."""

    of: str
    way: Way
    paths: tuple[Path, ...]
    shares: Span

    @property
    def ends(self) -> list[tuple[End, int]]:
        """How many paths end how, the most first."""
        return Counter(one.end for one in self.paths).most_common()

    @property
    def passed(self) -> dict[str, int]:
        """Stream or pit -> paths that pass through its cells and go on."""
        return dict(sorted(Counter(id for one in self.paths for id in one.passed).items()))

    def reach(self, years: float) -> Span:
        """How far, straight from its start, the farthest has gone after so many years [m]: the less the higher n is."""
        low, best, high = (self._farthest(years * DAYS_PER_YEAR / one) for one in self.shares)
        return low, best, high

    def _farthest(self, day: float) -> float:
        return max(_gone(one, day) for one in self.paths)

    def soonest(self) -> tuple[End, Span] | None:
        """Of the paths that end at something, the quickest, and its years; None where none does."""
        ended = [one for one in self.paths if one.end.kind not in {"still on its way", "dry", "no way on"}]
        if not ended:
            return None
        first = min(ended, key=lambda one: float(one.day[-1]))
        low, best, high = (float(first.day[-1]) / DAYS_PER_YEAR * one for one in self.shares)
        return first.end, (low, best, high)


def _gone(path: Path, day: float) -> float:
    at = path.at(day)
    if at is None:
        return path.reach
    return float(np.hypot(at[0] - path.x[0], at[1] - path.y[0]))
