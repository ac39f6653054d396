"""Where a diffusion's step response must be known, so that it is known at every elapsed time.

The response F(tau) of a diffusion (Theis, Hantush, Hunt, Glover, ...) is analytic and bounded in every sector
|arg tau| < theta < pi/2 of the complex plane: the singularities of its Laplace transform lie on the negative axis. In
x = ln tau it is analytic in a strip of half-width pi/2, whatever the aquifer, and Chebyshev points in x reach the last
bits. Over ``OCTAVES`` = 3 octaves of tau (half-width 3 ln 2 / 2 in x) the ellipse within |Im x| < 1.5 has rho > 3.19,
and ``POINTS`` = 32 of them err by less than 4 M / (rho^31 (rho - 1)) < 5e-16 M, where M bounds |F| in the sector
|arg tau| < 1.5. For Theis |E1(z)| <= E1(Re z), hence M <= Q / 4 pi T (W(u) + 2.7). Ten years of days need 128 elapsed
times and not 3,650, the same at every point of a map.

References
----------
Trefethen (2013), Approximation Theory and Approximation Practice, theorem 8.2.
Berrut & Trefethen (2004), Barycentric Lagrange interpolation, SIAM Review 46(3), 501-517.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import sparse

from models.aquifer.admissible import Numbers

OCTAVES = 3
POINTS = 32


@dataclass(frozen=True)
class Nodes:
    """Elapsed times that stand for all between two: ``at(elapsed).of(F(times))`` is F(elapsed).

    Parameters
    ----------
    low, high : the elapsed times stood for [T].
    pieces : equal pieces of their logarithm, of ``POINTS`` Chebyshev points each.
    """

    low: float
    high: float
    pieces: int

    @classmethod
    def between(cls, low: float, high: float) -> Nodes:
        return cls(low, high, max(1, int(np.ceil((np.log2(high) - np.log2(low)) / OCTAVES))))

    @property
    def times(self) -> Numbers:
        """float64[node] [T]."""
        middle = np.log(self.low) + self._half * (2 * np.arange(self.pieces) + 1)
        return np.asarray(np.exp(middle[:, np.newaxis] + self._half * chebyshev_points(POINTS)).ravel())

    def at(self, elapsed: Numbers) -> Interpolation:
        """To elapsed times float64[k], ascending and between ``low`` and ``high`` [T]."""
        width = 2 * self._half or 1.0
        place = (np.log(elapsed) - np.log(self.low)) / width
        ends = [0, *np.searchsorted(place, np.arange(1, self.pieces)), elapsed.size]
        parts = [
            (
                slice(number * POINTS, (number + 1) * POINTS),
                slice(first, end),
                lagrange(POINTS, 2 * (place[first:end] - number) - 1),
            )
            for number, (first, end) in enumerate(pairwise(ends))
            if end > first
        ]
        return Interpolation(self.pieces * POINTS, elapsed.size, parts)

    @property
    def _half(self) -> float:
        """Half the width of a piece, in the logarithm."""
        return float(np.log(self.high) - np.log(self.low)) / (2 * self.pieces)


@dataclass(frozen=True)
class Interpolation:
    """From ``nodes`` to ``elapsed`` times; of every piece its nodes, its elapsed times and the Lagrange polynomials."""

    nodes: int
    elapsed: int
    parts: Sequence[tuple[slice, slice, Numbers]]

    def of(self, known: Numbers) -> Numbers:
        """F at the elapsed times, float64[row, k], of F at the nodes, float64[row, node]."""
        found = np.empty((len(known), self.elapsed))
        for nodes, some, lagrange in self.parts:
            np.matmul(known[:, nodes], lagrange, out=found[:, some])
        return found

    @property
    def weights(self) -> Numbers:
        """float64[node, k]."""
        found = np.zeros((self.nodes, self.elapsed))
        for nodes, some, lagrange in self.parts:
            found[nodes, some] = lagrange
        return found

    @property
    def sparse_weights(self) -> sparse.csr_array:
        """float64[k, node], the other way round."""
        data = np.concatenate([lagrange.T.ravel() for _, _, lagrange in self.parts])
        columns = [np.tile(np.arange(nodes.start, nodes.stop), some.stop - some.start) for nodes, some, _ in self.parts]
        ends = np.arange(self.elapsed + 1) * POINTS
        return sparse.csr_array((data, np.concatenate(columns), ends), shape=(self.elapsed, self.nodes))


def chebyshev_points(count: int) -> Numbers:
    """float64[count], descending, within -1 and 1."""
    return np.asarray(np.cos(_angles(count)))


def lagrange(count: int, x: Numbers) -> Numbers:
    """float64[count, k]: the Lagrange polynomials of the Chebyshev points at x, by the second barycentric formula."""
    apart = x - chebyshev_points(count)[:, np.newaxis]
    on_point = apart == 0
    signed = np.where(np.arange(count) % 2, -1.0, 1.0) * np.sin(_angles(count))
    terms = signed[:, np.newaxis] / np.where(on_point, 1.0, apart)
    weights = terms / terms.sum(axis=0)
    return np.asarray(np.where(on_point.any(axis=0), on_point.astype(np.float64), weights))


def _angles(count: int) -> Numbers:
    return np.asarray(np.pi * (2 * np.arange(count) + 1) / (2 * count))
