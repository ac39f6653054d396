"""A schedule on no lattice: the sum over its changes, pair by pair of a time and a change before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from models.aquifer.admissible import Numbers
from models.aquifer.superposition_nodes import Interpolation

Places = NDArray[np.int64]


@dataclass(frozen=True)
class PairSums:
    """Sums wanted at some times.

    Parameters
    ----------
    elapsed : float64[k], ascending and distinct, above 0: where the response must be known [T].
    wanted : positions among the times asked for.
    place : position in ``elapsed`` of every pair.
    change, end : the change and the wanted time of every pair.
    share : how much of the change acts, float64[pair].
    """

    elapsed: Numbers
    wanted: Places
    place: Places
    change: Places
    end: Places
    share: Numbers

    def sums(self, responses: Numbers, changes: Numbers) -> Numbers:
        """float64[row, wanted] of responses float64[row, k] and changes float64[row or 1, n]."""
        if len(changes) == 1:
            return np.asarray((self._acting(changes[0]) @ responses.T).T)
        rows = zip(responses, changes, strict=True)
        return np.array([self._acting(change) @ one for one, change in rows])

    def spread(self, interpolation: Interpolation, changes: Numbers) -> list[Numbers]:
        """float64[node, wanted] of each row of changes: what acts, at the nodes, like the changes."""
        weights = interpolation.sparse_weights
        return [(self._acting(change) @ weights).toarray().T for change in changes]

    def _acting(self, changes: Numbers) -> sparse.csr_array:
        """float64[wanted, k]: the change of every pair."""
        shape = self.wanted.size, self.elapsed.size
        return sparse.coo_array((changes[self.change] * self.share, (self.end, self.place)), shape=shape).tocsr()


def pair_sums(instants: Numbers, times: Numbers, at_once: int) -> Iterator[PairSums]:
    """Blocks of times; a block holds ``at_once`` pairs, and one time at least.

    Parameters
    ----------
    instants : float64[n], ascending [T]: when the rate changes.
    times : float64[m] [T].
    """
    rows = max(1, at_once // instants.size)
    for first in range(0, times.size, rows):
        apart = times[first : first + rows, np.newaxis] - instants
        end, change = np.nonzero(apart > 0)
        elapsed, place = np.unique(apart[end, change], return_inverse=True)
        yield PairSums(elapsed, np.arange(first, min(first + rows, times.size)), place, change, end, np.ones(end.size))
