"""The well function W(u) = E1(u) by table: some 10 ns a value, where the library's series and fraction take 500.

g(u) = exp(u) E1(u) = int_0^inf exp(-s) / (s + u) ds varies like a logarithm. Every octave of u from 2^-50 to 2^10 is
cut into 2^``PIECE_BITS`` pieces, each with the polynomial through g at Chebyshev points; the piece of a double is read
off the leading bits of its own pattern, with no logarithm taken. W = exp(-u) g holds at every u, so that one formula
serves the cone and its far edge, down to the smallest double.

Error
-----
On a piece of centre c and half-width h, c / h is 129 or more. g is analytic off the negative axis and
|g(z)| <= g(Re z) <= 8 g(c) where Re z >= c / 8, so the ellipse with foci c - h, c + h that reaches down to c / 8 has
rho = a + sqrt(a^2 - 1), a = 129 * 7 / 8, rho > 225, and interpolation of degree n = 6 errs by less than
4 * 8 g(c) / (rho^n (rho - 1)) < 1.2e-15 g(c) (Trefethen 2013, theorem 8.2; g falls by less than 1.6 % over a piece).
Rounding adds a few units in the last place. Altogether |error| < 1e-14 W(u) for u < 700, below 1e-307 beyond, where W
is no longer a normal number, and W is 0 from 740 on, below half the smallest double: a drawdown of 1,000 m is right to
1e-11 m.

References
----------
Abramowitz & Stegun (1964), 5.1.11 (series), 5.1.22 (continued fraction).
Trefethen (2013), Approximation Theory and Approximation Practice, theorem 8.2.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import exp1

from models.aquifer.admissible import Numbers

PIECE_BITS = 6
DEGREE = 6
LOWEST_OCTAVE, OCTAVES = -50, 60
SMALLEST, LARGEST = 2.0**LOWEST_OCTAVE, 1000.0
"""u below which W is -gamma - ln u to the last bit (the next term is u itself), and above which W is 0."""

BLOCK = 8192
"""Values taken at once, so that what lies between two steps stays in the nearest memory."""

_SHIFT = 52 - PIECE_BITS
_FIRST_PIECE = (1023 + LOWEST_OCTAVE) << PIECE_BITS
_PIECE = np.int64(-1 << _SHIFT)
_MIDDLE = np.int64(1 << (_SHIFT - 1))


def well_function_by_table(u: Numbers) -> Numbers:
    """W(u) [-] of u 0 or above (not looked at again), float64 of the same shape; infinite at 0."""
    flat = np.ascontiguousarray(u, np.float64).ravel()
    found = np.empty(flat.shape)
    scratch = _Scratch(min(BLOCK, flat.size))
    for start in range(0, flat.size, BLOCK):
        scratch.fill(flat[start : start + BLOCK], found[start : start + BLOCK])
    _below_the_table(flat, found)
    return found.reshape(np.shape(u))


def _below_the_table(u: Numbers, found: Numbers) -> None:
    if u.size and u.min() < SMALLEST:
        below = u < SMALLEST
        with np.errstate(divide="ignore"):
            found[below] = -np.euler_gamma - np.log(u[below])


class _Scratch:
    """Room for one block; every step writes into it, so that none asks for memory."""

    def __init__(self, size: int) -> None:
        self._u, self._offset, self._term = np.empty(size), np.empty(size), np.empty(size)
        self._piece, self._centre = np.empty(size, np.int64), np.empty(size, np.int64)

    def fill(self, u: Numbers, found: Numbers) -> None:
        n = u.size
        clipped = np.clip(u, SMALLEST, LARGEST, out=self._u[:n])
        bits = clipped.view(np.int64)
        piece = np.right_shift(bits, _SHIFT, out=self._piece[:n])
        piece -= _FIRST_PIECE
        centre = np.bitwise_and(bits, _PIECE, out=self._centre[:n])
        centre |= _MIDDLE
        offset = np.subtract(clipped, centre.view(np.float64), out=self._offset[:n])
        _polynomial(piece, offset, self._term[:n], found)
        np.negative(clipped, out=clipped)
        found *= np.exp(clipped, out=clipped)


def _polynomial(piece: NDArray[np.int64], offset: Numbers, term: Numbers, found: Numbers) -> None:
    """Horner; ``mode`` only spares a copy, for no piece lies outside the table."""
    highest, *lower = _coefficients()[::-1]
    highest.take(piece, out=found, mode="clip")
    for power in lower:
        found *= offset
        found += power.take(piece, out=term, mode="clip")


@cache
def _coefficients() -> Numbers:
    """float64[power, piece]: g about the centre of each piece."""
    nodes = np.cos(np.pi * (2 * np.arange(DEGREE + 1) + 1) / (2 * DEGREE + 2))
    octave = 2.0 ** (LOWEST_OCTAVE + np.arange(OCTAVES))[:, np.newaxis]
    pieces = 2**PIECE_BITS
    centre = (octave * (1 + (np.arange(pieces) + 0.5) / pieces)).ravel()
    half = np.repeat(octave.ravel() * 0.5 / pieces, pieces)
    values = _scaled_integral(centre + half * nodes[:, np.newaxis])
    found: Numbers = np.linalg.solve(np.vander(nodes, increasing=True), values)
    found /= half ** np.arange(DEGREE + 1)[:, np.newaxis]
    return found


def _scaled_integral(u: Numbers) -> Numbers:
    """g(u) = exp(u) E1(u): from the library below 2, by continued fraction above, where E1 alone would underflow."""
    small, large = np.minimum(u, 2.0), np.maximum(u, 2.0)
    rest = np.zeros(u.shape)
    for n in range(100, 0, -1):  # at u = 2 the tail of 100 terms is below 1e-17
        rest = n**2 / (large + 2 * n + 1 - rest)
    return np.where(u < 2, np.exp(small) * exp1(small), 1 / (large + 1 - rest))
