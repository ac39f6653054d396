"""A schedule on a lattice of equal steps: the sum over its changes is a convolution, N log N by FFT.

Daily rates, weekly readings on whole days and readings to the minute all lie on a lattice, days missing or not. The
round-off of the FFT is some eps * log2(N) * |changes| * |F| in the Euclidean norm: far below a nanometre for rates of
10^5 m3/d over decades; a response too early or too far to be felt reads as that noise and not as 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from models.aquifer.admissible import Numbers
from models.aquifer.superposition_nodes import Interpolation

MS_PER_DAY = 86_400_000.0
AT_ONCE = 1 << 22
"""Numbers a transform may hold at once (32 MB)."""

_ROUNDING = 4 * np.finfo(np.float64).eps

Places = NDArray[np.int64]


@dataclass(frozen=True)
class LatticeSums:
    """Sums wanted at one phase of the lattice.

    Parameters
    ----------
    elapsed : float64[k], ascending, above 0: where the response must be known [T].
    wanted : positions among the times asked for.
    starts : lattice position of every change, from 0.
    ends : lattice position of every wanted time, rounded down.
    on_step : the wanted times lie on the lattice itself, where the newest change has no response yet.
    """

    elapsed: Numbers
    wanted: Places
    starts: Places
    ends: Places
    on_step: bool

    def sums(self, responses: Numbers, changes: Numbers) -> Numbers:
        """float64[row, wanted] of responses float64[row, k] and changes float64[row or 1, n]."""
        size = fft.next_fast_len(2 * self.elapsed.size - 1, real=True)
        felt = self.starts < self.elapsed.size
        steps = np.zeros((len(changes), self.elapsed.size))
        steps[:, self.starts[felt]] = changes[:, felt]
        found = np.empty((len(responses), self.ends.size))
        for some in _blocks(len(responses), size):
            spectrum = fft.rfft(steps[some] if len(steps) > 1 else steps, size)
            spectrum = spectrum * fft.rfft(responses[some], size)
            found[some] = fft.irfft(spectrum, size, overwrite_x=True)[:, self.ends - self.on_step]
        return np.where(self.ends >= self.on_step, found, 0.0)  # none has acted yet on the first step itself

    def spread(self, interpolation: Interpolation, changes: Numbers) -> list[Numbers]:
        """float64[node, wanted] of each row of changes: what acts, at the nodes, like the changes."""
        weights = interpolation.weights
        return [self.sums(weights, change[np.newaxis]) for change in changes]


def lattice_sums(instants: Numbers, times: Numbers, most: int) -> list[LatticeSums] | None:
    """One `LatticeSums` for every phase of the lattice at which times lie; None without a lattice.

    Parameters
    ----------
    instants : float64[n], ascending [T]: when the rate changes.
    times : float64[m], all above ``instants[0]`` [T].
    most : None too where more elapsed times than this would be needed.
    """
    step = lattice_step(instants if instants.size > 1 else np.unique(np.append(instants, times)))
    if step is None or (times.max() - instants[0]) / step > most:
        return None
    starts = np.rint((instants - instants[0]) / step).astype(np.int64)
    found = _phases(starts, (times - instants[0]) / step, step, _noise(instants, times) / step)
    return found if sum(one.elapsed.size for one in found) <= most else None


def _phases(starts: Places, place: Numbers, step: float, noise: float) -> list[LatticeSums]:
    """Times one rounding from the lattice lie on it: that is the resolution of the clock they are written on."""
    whole = np.floor(place + noise)
    phase = np.maximum(place - whole, 0.0)
    phase[phase <= noise] = 0.0
    _, first, group = np.unique(np.rint(phase / noise), return_index=True, return_inverse=True)
    found = []
    for number, representative in enumerate(first):
        wanted, on_step = np.flatnonzero(group == number), bool(phase[representative] == 0)
        ends = whole[wanted].astype(np.int64)
        elapsed = (np.arange(int(on_step), ends.max() + 1) + phase[representative]) * step
        found.append(LatticeSums(elapsed, wanted, starts, ends, on_step))
    return found


def lattice_step(instants: Numbers) -> float | None:
    """Whole milliseconds where all gaps are (of days), else the shortest gap where all are multiples of it.

    To the rounding of the instants.

    Parameters
    ----------
    instants : float64[n], n above 1, ascending and distinct [T].
    """
    noise, offsets = _noise(instants, instants), instants - instants[0]
    shortest, last = float(np.diff(instants).min()), float(offsets[-1])
    if noise > 1e-3 * shortest:
        return None
    if _all_whole(offsets * MS_PER_DAY, max(noise * MS_PER_DAY, 1e-6)):
        return float(np.gcd.reduce(np.rint(offsets * MS_PER_DAY).astype(np.int64))) / MS_PER_DAY
    return (
        last / np.rint(last / shortest) if _all_whole(offsets / shortest, last / shortest * noise / shortest) else None
    )


def _all_whole(numbers: Numbers, noise: float) -> bool:
    return bool((np.abs(numbers - np.rint(numbers)) <= noise).all())


def _noise(instants: Numbers, times: Numbers) -> float:
    return float(_ROUNDING * max(np.abs(instants).max(), np.abs(times).max()))


def _blocks(rows: int, columns: int) -> list[slice]:
    size = max(1, AT_ONCE // columns)
    return [slice(first, first + size) for first in range(0, rows, size)]
