"""A long schedule on no lattice, N log N: its changes are moved to a lattice, and what lies near is put right.

A diffusion's response F(tau) is analytic in the right half plane. The Lagrange polynomial through the ``POINTS`` = 16
lattice points about an instant reproduces it, at a distance of D steps or more, to

    M product_k |x - k| / (0.9 (D - 8))^16 <= 6.3e7 M / (0.9 (D - 8))^16,

M the bound of |F| in the disc of 0.9 tau about tau. Both ends are moved (changes on to the lattice, times off it), so
``FAR`` = 40 steps leave D - 16 = 24 and an error below 6e-14 M. Pairs nearer than that are summed as they are, less
what the lattice made of them. A schedule of which most pairs are near is no case for this (`gridded_sums` -> None).

References
----------
Dutt & Rokhlin (1993), SIAM J. Sci. Comput. 14(6), 1368-1393, for the idea of a lattice with local corrections.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from models.aquifer.admissible import Numbers
from models.aquifer.superposition_lattice import LatticeSums, lattice_step
from models.aquifer.superposition_nodes import Interpolation
from models.aquifer.superposition_pairs import PairSums, Places

POINTS = 16
FAR = 40
LEAST = 4096
"""Steps of the lattice: a transform costs less than near pairs."""
PAIRS_AT_ONCE = 1 << 14
MOST_NEAR = 32
"""One near pair in so many: each costs about as much as that many far ones."""

_STEPS = np.arange(POINTS)
_APART = _STEPS[:, np.newaxis] - _STEPS
_SCALE = 1 / np.prod(np.where(_APART == 0, 1, _APART).astype(np.float64), axis=1)


@dataclass(frozen=True)
class Moved:
    """Instants as shares of lattice points: ``first`` of the 16 points of each, and float64[instant, 16] ``shares``."""

    first: Places
    shares: Numbers

    def matrix(self, points: int) -> sparse.csr_array:
        """float64[instant, lattice point]."""
        columns = (self.first[:, np.newaxis] + _STEPS).ravel()
        ends = np.arange(self.first.size + 1) * POINTS
        return sparse.csr_array((self.shares.ravel(), columns, ends), shape=(self.first.size, points))


@dataclass(frozen=True)
class GridSums:
    """The sums that the lattice alone would give; ``wanted``, ``elapsed``, `sums` and `spread` as of `LatticeSums`."""

    lattice: LatticeSums
    changes: sparse.csr_array
    times: sparse.csr_array

    @property
    def elapsed(self) -> Numbers:
        return self.lattice.elapsed

    @property
    def wanted(self) -> Places:
        return np.arange(self.times.shape[0])

    def sums(self, responses: Numbers, changes: Numbers) -> Numbers:
        """float64[row, wanted] of responses float64[row, k] and changes float64[row or 1, n]."""
        return np.asarray((self.times @ self.lattice.sums(responses, (self.changes.T @ changes.T).T).T).T)

    def spread(self, interpolation: Interpolation, changes: Numbers) -> list[Numbers]:
        """float64[node, wanted] of each row of changes: what acts, at the nodes, like the changes."""
        weights = interpolation.weights
        return [self.sums(weights, change[np.newaxis]) for change in changes]


def gridded_sums(instants: Numbers, times: Numbers) -> list[GridSums | PairSums] | None:
    """Sums to be added up; None where too many pairs are near.

    Parameters
    ----------
    instants : float64[n], ascending [T]: when the rate changes.
    times : float64[m], all above ``instants[0]`` [T].
    """
    order = np.argsort(times, kind="stable")
    step = _step(instants, times[order])
    origin = times.max() - step * np.ceil((times.max() - instants[0]) / step)
    from_, to = _moved((instants - origin) / step), _moved((times - origin) / step)
    lowest = min(int(from_.first.min()), int(to.first.min()))
    from_, to = Moved(from_.first - lowest, from_.shares), Moved(to.first - lowest, to.shares)
    near_first = np.searchsorted(from_.first, to.first - FAR)
    near_end = np.searchsorted(from_.first, to.first + POINTS)
    if (near_end - near_first).sum() > instants.size * times.size // MOST_NEAR:
        return None
    near = _near(instants, times, from_, to, step, near_first, near_end - near_first)
    return [_grid(from_, to, step), *near]


def _grid(from_: Moved, to: Moved, step: float) -> GridSums:
    points = max(int(from_.first.max()), int(to.first.max())) + POINTS
    everywhere = np.arange(points)
    elapsed = np.arange(1.0, points) * step
    return GridSums(
        LatticeSums(elapsed, everywhere, everywhere, everywhere, True), from_.matrix(points), to.matrix(points)
    )


def _near(
    instants: Numbers, times: Numbers, from_: Moved, to: Moved, step: float, first: Places, count: Places
) -> Iterator[PairSums]:
    """What the near pairs are, less what the lattice makes of them, in blocks of times."""
    block = np.cumsum(count) // PAIRS_AT_ONCE
    for number in np.unique(block):
        some = np.flatnonzero(block == number)
        end = np.repeat(some, count[some])
        change = np.arange(end.size) - np.repeat(np.cumsum(count[some]) - count[some], count[some]) + first[end]
        yield _corrected(instants, times, from_, to, step, change, end)


def _corrected(
    instants: Numbers, times: Numbers, from_: Moved, to: Moved, step: float, change: Places, end: Places
) -> PairSums:
    exact, true = times[end] - instants[change], np.flatnonzero(times[end] > instants[change])
    shares = np.zeros((end.size, 2 * POINTS - 1))
    for k in range(POINTS):
        shares[:, POINTS - 1 - k : 2 * POINTS - 1 - k] -= from_.shares[change, k, np.newaxis] * to.shares[end]
    apart = (to.first[end] - from_.first[change])[:, np.newaxis] + np.arange(1 - POINTS, POINTS)
    pair, column = np.nonzero((apart > 0) & (shares != 0))
    lattice = np.arange(1, max(int(apart.max()), 1) + 1) * step
    elapsed, place = np.unique(np.concatenate([lattice, exact[true]]), return_inverse=True)
    return PairSums(
        elapsed,
        np.arange(times.size),
        np.concatenate([place[lattice.size :], place[apart[pair, column] - 1]]),
        np.concatenate([change[true], change[pair]]),
        np.concatenate([end[true], end[pair]]),
        np.concatenate([np.ones(true.size), shares[pair, column]]),
    )


def _moved(place: Numbers) -> Moved:
    """Lagrange shares of the 16 lattice points about each place; a place on the lattice is itself."""
    first = np.floor(place).astype(np.int64) - (POINTS // 2 - 1)
    apart = (place - first)[:, np.newaxis] - _STEPS
    before = np.cumprod(np.hstack([np.ones((place.size, 1)), apart[:, :-1]]), axis=1)
    after = np.cumprod(np.hstack([np.ones((place.size, 1)), apart[:, :0:-1]]), axis=1)[:, ::-1]
    return Moved(first, before * after * _SCALE)


def _step(instants: Numbers, times: Numbers) -> float:
    """A whole part of the times' own step where they keep one (then they need not be moved), else of the span."""
    span = float(times[-1] - instants[0])
    steps = max(LEAST, instants.size, times.size)
    kept: NDArray[np.float64] = np.unique(times)
    own = lattice_step(kept) if kept.size > 1 else None
    if own is None or span / own > 2 * steps:
        return span / (2 * steps)
    return float(own / np.ceil(own * steps / span))
