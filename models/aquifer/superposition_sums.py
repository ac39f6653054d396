"""How a sum over changes is taken: by convolution on a lattice, with a lattice, or pair by pair.

On a lattice of equal steps it is an exact convolution (`superposition_lattice`). A long schedule on none is summed with
the help of one where the response is that of a diffusion (`superposition_gridded`), else pair by pair
(`superposition_pairs`). Cost: N log N but for the last, N^2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from models.aquifer.admissible import Numbers
from models.aquifer.superposition_gridded import GridSums, gridded_sums
from models.aquifer.superposition_lattice import LatticeSums, lattice_sums
from models.aquifer.superposition_nodes import Nodes
from models.aquifer.superposition_pairs import PairSums, pair_sums

Part = LatticeSums | GridSums | PairSums

FEW_PAIRS = 4
"""A lattice of more than one elapsed time for so many pairs of a time and a change is not worth its transform."""

MANY_PAIRS = 1 << 16
"""Pairs off the lattice from which a diffusion's are summed with the help of one."""

PAIRS_AT_ONCE = 1 << 15


@dataclass(frozen=True)
class Sums:
    """How the sums over changes at ``instants`` are taken at ``times``.

    Parameters
    ----------
    diffusive : the response is that of a diffusion.
    cheap : it costs no more than to interpolate it, some 100 ns a value: not worth it for a few rows.
    """

    instants: Numbers
    times: Numbers
    diffusive: bool
    cheap: bool = False

    @cached_property
    def later(self) -> NDArray[np.int64]:
        """Positions of the times at which anything has happened."""
        return np.flatnonzero(self.times > self.instants.min(initial=np.inf))

    def begun(self, changes: Numbers) -> NDArray[np.bool_]:
        """bool[well, later time]: before a well's first change there is no round-off of it either."""
        first = np.where(changes.any(axis=1), self.instants[np.argmax(changes != 0, axis=1)], np.inf)
        found: NDArray[np.bool_] = self.times[self.later] > first[:, np.newaxis]
        return found

    @cached_property
    def _kept(self) -> Sequence[Part] | None:
        """The parts to be added up; None where they are too many to keep, and are made one after the other."""
        instants, at = self.instants, self.times[self.later]
        pairs = instants.size * at.size
        if pairs == 0:
            return []
        found: Sequence[Part] | None = lattice_sums(instants, at, pairs // FEW_PAIRS)
        if found is None and self.diffusive and pairs > MANY_PAIRS:
            found = gridded_sums(instants, at)
        return found

    @property
    def parts(self) -> Iterable[Part]:
        if self._kept is None:
            return pair_sums(self.instants, self.times[self.later], PAIRS_AT_ONCE)
        return self._kept

    @cached_property
    def nodes(self) -> Nodes | None:
        """None where the elapsed times are no more than the nodes would be, or the response may not allow it."""
        if not self.diffusive or not self.later.size:
            return None
        nodes = Nodes.between(*self._range)
        return nodes if self._asked > nodes.times.size else None

    @property
    def row_nodes(self) -> Nodes | None:
        """The nodes from which the responses themselves are to be interpolated."""
        return None if self.cheap else self.nodes

    @property
    def _range(self) -> tuple[float, float]:
        """The shortest and the longest elapsed time."""
        if self._kept is not None:
            return min(one.elapsed[0] for one in self._kept), max(one.elapsed[-1] for one in self._kept)
        at = self.times[self.later]
        before = self.instants[np.searchsorted(self.instants, at) - 1]
        return float((at - before).min()), float(at.max() - self.instants[0])

    @property
    def _asked(self) -> int:
        if self._kept is None:
            return self.instants.size * self.later.size
        return sum(one.elapsed.size for one in self._kept)
