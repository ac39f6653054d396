"""Least and greatest of answers over the whole box of uncertain parameters, where no answer need rise or fall steadily.

Drawdown far off rises and then falls with T, and what a pumping leaves behind does so with every parameter: an end of a
range is then no extreme. Every corner of the box is worked out; from the best of them each parameter in turn is looked
at on a lattice (even in its logarithm), closer and closer around the best point, until none moves:
the extremes are good to some 0.1 %.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Self

import numpy as np
from numpy.typing import NDArray

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion
from models.quantity import Quantity

MOST_RANGES = 8
DECADE_PARTS = 5
"""Lattice points in a factor of ten: the answers are smooth in a logarithm, their humps wider than a decade."""
FEWEST, MOST, EVEN = 3, 20, 8
"""Parts of the coarsest lattice: bounds, and of a range from 0 or below, which has no logarithm."""
CLOSER = 2
"""Times that the lattice is made three times as close: to 1/45 of a decade, where a hump is flat to 1e-3 of itself."""
BESIDE_AN_END = 0.002
"""Looked at beside each end too: a hump may stand between it and the first point of the lattice."""
ROUNDS, ENOUGH = 6, 1e-4
"""Turns around the parameters, and the share of an answer below which another turn is not worth it."""

Values = dict[str, float]
Evaluate = Callable[[Sequence[Values]], Numbers]
"""Sets of values -> float64[set, answer]; NaN is more than any number (the well is dry)."""


@dataclass(frozen=True)
class Ranges:
    """Low, best and high of every parameter.

    Parameters
    ----------
    ends : parameter -> low, best, high; all three alike where it has no range.
    steady : parameters in which every answer is known to rise or fall throughout: their ends are enough.
    """

    ends: Mapping[str, tuple[float, float, float]]
    steady: frozenset[str] = frozenset()

    @classmethod
    def of(cls, quantities: Mapping[str, Quantity], steady: Collection[str] = ()) -> Self:
        ends = {name: (float(one.low), one.value, float(one.high)) for name, one in quantities.items()}
        return cls(ends, frozenset(steady))

    @property
    def best(self) -> Values:
        return {name: best for name, (_, best, _) in self.ends.items()}

    @property
    def ranged(self) -> tuple[str, ...]:
        """The parameters with a range."""
        return tuple(name for name, (low, _, high) in self.ends.items() if low != high)

    def corners(self) -> list[Values]:
        """The best estimates first, then every combination of the ends; one only where nothing has a range.

        Raises
        ------
        BadQuestion : more than eight parameters with a range.
        """
        names = self.ranged
        if len(names) > MOST_RANGES:
            raise BadQuestion("too many parameters with a range", found=len(names), allowed=[f"at most {MOST_RANGES}"])
        if not names:
            return [self.best]
        ends = product(*((self.ends[name][0], self.ends[name][2]) for name in names))
        return [self.best, *({**self.best, **dict(zip(names, one, strict=True))} for one in ends)]

    def at(self, name: str, part: float) -> float:
        """A value a part of the way from low to high, in the logarithm where there is one; the ends exact."""
        low, _, high = self.ends[name]
        if part in (0.0, 1.0):
            return high if part else low
        return float(low * (high / low) ** part) if low > 0 else low + (high - low) * part

    def part(self, name: str, value: float) -> float:
        """The inverse of `at`."""
        low, _, high = self.ends[name]
        return float(np.log(value / low) / np.log(high / low)) if low > 0 else (value - low) / (high - low)

    def parts(self, name: str) -> int:
        """Of the coarsest lattice."""
        low, _, high = self.ends[name]
        return int(np.clip(np.ceil(DECADE_PARTS * np.log10(high / low)), FEWEST, MOST)) if low > 0 else EVEN


@dataclass(frozen=True)
class Extremes:
    """float64[answer] each; NaN is dry. ``worked``: sets of values worked out; ``where``: those of the extremes."""

    best: Numbers
    low: Numbers
    high: Numbers
    worked: int
    where: tuple[Values, ...]


def extremes(evaluate: Evaluate, ranges: Ranges) -> Extremes:
    """Best, least and greatest of every answer over the box.

    Raises
    ------
    BadQuestion : more than eight parameters with a range.
    """
    search = _Search(evaluate, ranges)
    corners = ranges.corners()
    points = np.array([[ranges.part(name, one[name]) for name in ranges.ranged] for one in corners])
    known = search.worked_out(points, corners)
    if len(corners) == 1:
        only = _dry_as_nan(known[0])
        return Extremes(only, only, only, 1, (ranges.best,))
    (low, lows), (high, highs) = (search.extreme(points, known, sign) for sign in (-1.0, 1.0))
    where = np.unique(np.concatenate([lows, highs]), axis=0)
    return Extremes(
        _dry_as_nan(known[0]), _dry_as_nan(low), _dry_as_nan(high), search.count, tuple(map(search.values, where))
    )


def _dry_as_nan(found: Numbers) -> Numbers:
    return np.where(np.isposinf(found), np.nan, found)


class _Search:
    """The search of one box; a point is its parts of the way from low to high, one for every ranged parameter."""

    def __init__(self, evaluate: Evaluate, ranges: Ranges) -> None:
        self.evaluate, self.ranges, self.names, self.count = evaluate, ranges, ranges.ranged, 0

    def values(self, point: Numbers) -> Values:
        found = {name: self.ranges.at(name, float(part)) for name, part in zip(self.names, point, strict=True)}
        return {**self.ranges.best, **found}

    def worked_out(self, points: Numbers, exact: Sequence[Values] = ()) -> Numbers:
        """float64[point, answer]; dry is infinite. ``exact``: the values of the points, where they are known."""
        self.count += len(points)
        found = np.asarray(self.evaluate(exact or [self.values(one) for one in points]), np.float64)
        return np.where(np.isnan(found), np.inf, found)

    def extreme(self, points: Numbers, known: Numbers, sign: float) -> tuple[Numbers, Numbers]:
        """Every answer's extreme, and where it is, float64[answer, parameter]."""
        first = (sign * known).argmax(axis=0)
        at, top = points[first].copy(), sign * known[first, np.arange(known.shape[1])]
        going = np.isfinite(top)
        for turn in range(ROUNDS):
            before = top.copy()
            for column, name in enumerate(self.names):
                if name not in self.ranges.steady:
                    self._along(column, at, top, going, sign, whole=turn == 0)
            going = going & np.isfinite(top)
            going[going] = top[going] > before[going] + ENOUGH * np.abs(before[going])
            if not going.any():
                break
        return sign * top, at

    def _along(
        self, column: int, at: Numbers, top: Numbers, going: NDArray[np.bool_], sign: float, *, whole: bool
    ) -> None:
        """One parameter, every answer from where it is: the whole range at first, then closer around the best."""
        parts, moving = self.ranges.parts(self.names[column]), going
        if whole:
            start, lattice = at[:, column].copy(), _lattice(parts)
            self._try(column, at, top, going, sign, lambda _: lattice)
            moving = going & ((at[:, column] != start) | ((start > 0) & (start < 1)))
        step = 1 / parts
        for _ in range(CLOSER):
            step /= 3
            beside = step * np.array([-2, -1, 1, 2])
            self._try(column, at, top, moving, sign, lambda part, by=beside: np.unique(np.clip(part + by, 0, 1)))  # type: ignore[misc]
            moving = moving & (at[:, column] > 0) & (at[:, column] < 1)

    def _try(
        self,
        column: int,
        at: Numbers,
        top: Numbers,
        going: NDArray[np.bool_],
        sign: float,
        parts: Callable[[float], Numbers],
    ) -> None:
        """Move every answer to the best of the parts tried around it; answers that stand together share the work."""
        asked = np.flatnonzero(going)
        if not asked.size:
            return
        bases, member = np.unique(at[asked], axis=0, return_inverse=True)
        tried = [_moved(base, column, parts(float(base[column]))) for base in bases]
        found = sign * self.worked_out(np.concatenate(tried))
        first = np.cumsum([0, *map(len, tried)])
        for number, points in enumerate(tried):
            mine = asked[member.ravel() == number]
            block = found[first[number] : first[number + 1]][:, mine]
            winner = block.argmax(axis=0)
            better = block[winner, np.arange(mine.size)] > top[mine]
            at[mine[better]] = points[winner[better]]
            top[mine[better]] = block[winner[better], np.flatnonzero(better)]


def _moved(base: Numbers, column: int, parts: Numbers) -> Numbers:
    points = np.repeat(base[np.newaxis], len(parts), axis=0)
    points[:, column] = parts
    return points


def _lattice(parts: int) -> Numbers:
    return np.unique(np.r_[np.linspace(0, 1, parts + 1), BESIDE_AN_END, 1 - BESIDE_AN_END])
