"""The pumping that observed levels imply, beside the pumping that was metered.

Drawdown is linear in the rates, so that levels give back the factor by which each metered history must be multiplied to
explain them: least squares over all readings of all wells, once for every corner of the aquifer's stated range. What
draws one well's level up or down for other reasons (season, air pressure, a wet year) stays for months: the readings of
one well err together, and more readings of it make nothing surer.

References
----------
Menke (2012), Geophysical Data Analysis: Discrete Inverse Theory, 3rd ed., chapter 3 (weighted least squares and the
covariance of its answer).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.aquifer.admissible import Numbers, finite, positive
from models.errors import BadQuestion

DEVIATIONS = 2.0
"""Standard deviations of the wells' noise on either side: 95 %."""

WORST_CONDITION = 30.0
"""Of the columns scaled to one length: above it two meters draw the levels down too much alike to be told apart."""


@dataclass(frozen=True)
class Implied:
    """Factors by which metered pumping must be multiplied to explain the levels [-], one for each metered history.

    Parameters
    ----------
    best : float64[column], under the best estimate of the aquifer.
    low, high : float64[column], over all corners and two standard deviations of noise.
    """

    best: Numbers
    low: Numbers
    high: Numbers

    def agrees(self, column: int = 0) -> bool:
        """Whether the metered pumping itself is among what explains the levels."""
        return bool(self.low[column] <= 1 <= self.high[column])

    def tells(self, column: int = 0) -> bool:
        """Whether the levels could tell the metered pumping from none at all."""
        return bool(not (self.low[column] <= 0 and self.agrees(column)))


def implied_factors(modelled: ArrayLike, observed: ArrayLike, well: ArrayLike, noise: ArrayLike) -> Implied | None:
    """Factors of the metered histories by least squares on observed drawdowns.

    Parameters
    ----------
    modelled : float64[corner, reading, column], drawdown at each reading by each metered history; the best estimate of
        the aquifer is the first corner [L].
    observed : float64[reading], drawdown against the level without pumping [L].
    well : int[reading], 0 to the number of wells less one: whose reading.
    noise : float64[well], standard deviation of a well's level for other reasons than pumping, above 0 [L].

    Returns
    -------
    None where the columns cannot be told apart in some corner, or one draws no reading down at all.

    Raises
    ------
    BadQuestion : shapes that do not fit; a number that is not finite; a noise not above 0.

    Notes
    -----
    f = (G' W G)^-1 G' W d, W = 1 / noise^2 of the reading's well; with H = (G' W G)^-1 G' W and readings of one well
    in step, Var f = sum over wells of (H e_j)^2 noise_j^2, e_j the readings of well j.
    """
    g, d = finite("modelled", modelled), finite("observed", observed)
    of_well, deviation = np.asarray(well, np.int64), positive("noise", noise)
    if g.ndim != 3 or d.shape != g.shape[1:2] or of_well.shape != d.shape:
        raise BadQuestion("one row a reading", key="modelled", found=g.shape, allowed=[f"(corner, {d.size}, column)"])
    if d.size < g.shape[2]:
        return None
    member = (of_well[:, np.newaxis] == np.arange(deviation.size)).astype(np.float64)
    found = [_solved(one, d, deviation[of_well], member * deviation) for one in g]
    if any(one is None for one in found):
        return None
    factors = np.array([one[0] for one in found if one is not None])
    spread = DEVIATIONS * np.array([one[1] for one in found if one is not None])
    return Implied(factors[0], (factors - spread).min(axis=0), (factors + spread).max(axis=0))


def _solved(g: Numbers, d: Numbers, deviation: Numbers, shared: Numbers) -> tuple[Numbers, Numbers] | None:
    """Factors and their standard deviations in one corner; ``shared``: float64[reading, well], errors in step."""
    weighted = g / deviation[:, np.newaxis]
    lengths = np.sqrt((weighted**2).sum(axis=0))
    if not (lengths > 0).all():
        return None
    unit: NDArray[np.float64] = weighted / lengths
    if np.linalg.cond(unit) > WORST_CONDITION:
        return None
    hat = np.linalg.pinv(unit) / lengths[:, np.newaxis] / deviation
    return hat @ d, np.sqrt(((hat @ shared) ** 2).sum(axis=1))
