"""A long schedule as a few changes for every instant asked for: the same for any aquifer.

The response F(tau) of a diffusion is known at every elapsed time from a few (`superposition_nodes`), s = sum_i dq_i
F(t - t_i) is therefore sum_k A_k(t) F(tau_k), with A of the schedule alone. Once A is known the sum for other values
of the aquifer, or another place, asks for nothing but F at the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from models.aquifer.admissible import Numbers, finite
from models.aquifer.superposition import step_changes
from models.aquifer.superposition_nodes import Nodes

PAIRS_AT_ONCE = 1 << 18


@dataclass(frozen=True)
class Spread:
    """Elapsed times float64[node] [T] and, for each instant, what acts at them, float64[node, instant] [L^3/T]."""

    elapsed: Numbers
    acting: Numbers

    @classmethod
    def of(cls, times: ArrayLike, rates: ArrayLike, at: ArrayLike) -> Self:
        """Of a schedule (`step_changes`) at instants float64[m], in any order [T].

        Raises
        ------
        BadQuestion : as in `step_changes`; an instant that is not finite.
        """
        (starts, changes), wanted = step_changes(times, rates), finite("at", at)
        begun = np.searchsorted(starts, wanted).astype(np.int64)  # how many changes lie before each instant
        later = np.flatnonzero(begun)
        if not later.size:
            return cls(np.empty(0), np.empty((0, wanted.size)))
        newest = wanted[later] - starts[begun[later] - 1]
        nodes = Nodes.between(float(newest.min()), float(wanted.max() - starts[0]))
        acting = np.zeros((wanted.size, nodes.times.size))
        size = max(1, PAIRS_AT_ONCE // starts.size)
        for first in range(0, later.size, size):
            some = later[first : first + size]
            acting[some] = _acting(nodes, starts, changes, wanted[some], begun[some])
        return cls(nodes.times, acting.T)

    def of_responses(self, responses: ArrayLike) -> Numbers:
        """The sum float64[row, instant] of responses at the elapsed times, float64[row, node]."""
        return np.asarray(np.asarray(responses, np.float64) @ self.acting)


def _acting(nodes: Nodes, starts: Numbers, changes: Numbers, at: Numbers, begun: NDArray[np.int64]) -> Numbers:
    """float64[instant, node]."""
    instant, change = np.nonzero(np.arange(starts.size) < begun[:, np.newaxis])
    elapsed = np.clip(at[instant] - starts[change], nodes.low, nodes.high)
    order = np.argsort(elapsed, kind="stable")
    weights = nodes.at(elapsed[order]).sparse_weights
    which = sparse.csr_array((changes[change[order]], (instant[order], np.arange(order.size))), (at.size, order.size))
    return np.asarray((which @ weights).toarray())
