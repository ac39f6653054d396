"""The edges of columns or rows: fine where something is asked or pumped, widening steadily away from it.

A cell is about as wide as a fine stretch's cells plus ln(growth) times the distance from it, whichever stretch asks for
least: neighbours then differ by ``growth``. A well lies in the middle of a cell of its own; a pit's sides lie on edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import log

import numpy as np

from models.aquifer.admissible import Numbers
from models.errors import BadQuestion

SAMPLES = 4_000
"""Places at which the wanted width is looked at between two fine stretches."""
MOST_CELLS = 2_000
"""Along an axis; more is a mistake in the question."""


@dataclass(frozen=True)
class Fine:
    """A stretch of the axis [m] with cells no wider than ``width``: a well's own cell, a stream, a pit."""

    low: float
    high: float
    width: float

    @classmethod
    def around(cls, centre: float, width: float) -> Fine:
        """One cell with a place in its middle."""
        return cls(centre - width / 2, centre + width / 2, width)


def edges(fine: Sequence[Fine], low: float, high: float, growth: float, most: float) -> Numbers:
    """Edges from ``low`` to ``high``, increasing [m].

    Parameters
    ----------
    fine : stretches in any order; they may lie over each other.
    growth : ratio of neighbouring widths, above 1.
    most : no cell is wider [m].

    Raises
    ------
    BadQuestion : a stretch outside the axis, a growth of 1 or below, or more than `MOST_CELLS` cells.
    """
    if growth <= 1:
        raise BadQuestion("cells must widen", key="growth", found=growth, allowed=["above 1, as 1.2"])
    if not fine or min(one.low for one in fine) <= low or max(one.high for one in fine) >= high:
        raise BadQuestion("reaches beyond the grid", key="fine", found=[(one.low, one.high) for one in fine])
    wanted = _Wanted(fine, growth, most)
    own = {one.low: one for one in _own_cells(fine)}
    found = [low]
    for start, end in pairwise(_cuts(fine, list(own.values()), low, high, wanted)):
        found += _even(own[start], wanted) if start in own else wanted.between(start, end)
    if len(found) > MOST_CELLS:
        words = f"up to {MOST_CELLS}: wider cells (--fine '50 m'), which widen faster (--growth 1.5), or fewer wells"
        raise BadQuestion("too many cells along one axis", key="--fine", found=len(found), allowed=[words])
    return np.array(found)


def _own_cells(fine: Sequence[Fine]) -> list[Fine]:
    """Single cells that must be cells, west to east and apart from each other.

    One that lies over another at least half as narrow only asks for its width; two alike become one stretch.
    """
    found: list[Fine] = []
    for one in sorted(fine, key=lambda stretch: stretch.width):
        finer = any(_touch(one, other) and one.width >= 2 * other.width for other in fine)
        if finer or one.high - one.low > one.width * (1 + 1e-9):
            continue
        near = [one, *(other for other in found if _touch(one, other))]
        found = [other for other in found if other not in near]
        found.append(Fine(min(x.low for x in near), max(x.high for x in near), min(x.width for x in near)))
    return sorted(found, key=lambda stretch: stretch.low)


def _touch(one: Fine, other: Fine) -> bool:
    """They overlap, or leave less than half a cell between them."""
    gap = min(one.width, other.width) / 2
    return one.low < other.high + gap and other.low < one.high + gap


def _cuts(fine: Sequence[Fine], own: Sequence[Fine], low: float, high: float, wanted: _Wanted) -> list[float]:
    """The ends of the axis, of own cells, and of stretches where that leaves at least half a cell on each side."""
    found = [low, high, *(end for one in own for end in (one.low, one.high))]
    for end in (end for one in sorted(fine, key=lambda one: one.width) for end in (one.low, one.high)):
        room = float(wanted.at(np.array([end]))[0]) / 2
        inside = any(one.low < end < one.high for one in own)
        if not inside and min(abs(end - other) for other in found) >= room:
            found.append(end)
    return sorted(found)


def _even(one: Fine, wanted: _Wanted) -> list[float]:
    """The edges after the first of a stretch of equal cells, so many that what it stands for lies inside them.

    Two feet of one straight line share their middle, and an even number of cells would put it on an edge.
    """
    width = min(one.width, float(wanted.at(np.linspace(one.low, one.high, 3)).min()))
    least = max(1, int(np.ceil((one.high - one.low) / width - 1e-9)))
    middles = _middles(one, wanted.fine)
    count = min((least, least + 1), key=lambda cells: _off_middle(cells, middles))
    return [float(edge) for edge in np.linspace(one.low, one.high, count + 1)[1:]]


def _middles(one: Fine, fine: Sequence[Fine]) -> Numbers:
    """Where the single cells in a stretch have theirs, as shares of it."""
    length, off = one.high - one.low, one.width * 1e-6
    within = [other for other in fine if one.low - off <= other.low and other.high <= one.high + off]
    single = [other for other in within if other.high - other.low <= other.width * (1 + 1e-9)]
    return np.array([((other.low + other.high) / 2 - one.low) / length for other in single])


def _off_middle(cells: int, middles: Numbers) -> float:
    """How far the worst of them lies from the middle of its cell, in cells; rounded, lest rounding decide."""
    return round(float(np.abs(middles * cells % 1 - 0.5).max(initial=0.0)), 6)


@dataclass(frozen=True)
class _Wanted:
    """The width a cell may have at a place [m]."""

    fine: Sequence[Fine]
    growth: float
    most: float

    @cached_property
    def stretches(self) -> Numbers:
        """Low end, high end and width, each a column over the stretches."""
        return np.array([(one.low, one.high, one.width) for one in self.fine]).T[:, :, np.newaxis]

    def at(self, x: Numbers) -> Numbers:
        low, high, width = self.stretches
        away = np.maximum(np.maximum(low - x, x - high), 0.0)
        return np.asarray(np.minimum((width + log(self.growth) * away).min(axis=0), self.most))

    def between(self, low: float, high: float) -> list[float]:
        """Edges after ``low`` up to ``high``: equal parts of the integral of one cell per wanted width."""
        x = _looked_at(low, high)
        cells = 1 / self.at(x)
        counted = np.concatenate([[0.0], np.cumsum((cells[1:] + cells[:-1]) / 2 * np.diff(x))])
        number = max(1, int(np.ceil(counted[-1] - 1e-9)))
        parts = np.interp(np.arange(1, number) / number * counted[-1], counted, x)
        return [float(edge) for edge in (*parts, high)]


def _looked_at(low: float, high: float) -> Numbers:
    """Places from one end to the other, close together near both, where widths change most."""
    off = np.geomspace(1e-7, 1.0, SAMPLES // 2) * (high - low)
    return np.unique(np.concatenate([[low], low + off, high - off[::-1], [high]]).clip(low, high))
