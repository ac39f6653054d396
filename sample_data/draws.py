"""Random numbers that stay the same for ever: raw PCG64 words, turned into numbers here."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Numbers = NDArray[np.float64]


class Draws:
    """One named stream of the seed; NumPy promises the raw words of PCG64, not its distributions."""

    def __init__(self, seed: int, stream: int) -> None:
        self._bits = np.random.PCG64([seed, stream])

    def uniform(self, n: int) -> Numbers:
        """Numbers in (0, 1)."""
        words = self._bits.random_raw(n) >> np.uint64(11)
        return (words.astype(np.float64) + 0.5) * 2.0**-53

    def normal(self, n: int) -> Numbers:
        """Standard normal numbers."""
        return ndtri(self.uniform(n))

    def wander(self, n: int, keep: float) -> Numbers:
        """A first-order autoregressive series of unit variance; ``keep`` is its day-to-day correlation."""
        fresh = self.normal(n) * np.sqrt(1.0 - keep**2)
        out = np.empty(n)
        last = 0.0
        for i in range(n):
            last = keep * last + fresh[i]
            out[i] = last
        return out
