"""The pumped well itself: losses at its screen, and its efficiency (Jacob 1947, Rorabaugh 1953).

References
----------
Jacob (1947), Drawdown test to determine effective radius of artesian well, Trans. ASCE 112, 1047-1064.
Rorabaugh (1953), Graphical and theoretical analysis of step-drawdown test of artesian well, Proc. ASCE 79(362).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, at_least, finite, not_negative, positive


def well_drawdown_m(
    rate_m3_per_d: ArrayLike, aquifer_loss_d_per_m2: ArrayLike, well_loss: ArrayLike, exponent: ArrayLike = 2.0
) -> Numbers:
    """s_w = B Q + C Q |Q|^(P-1) [m]: odd in the rate, so that an injection well rises by as much.

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    aquifer_loss_d_per_m2 : B [d/m2], 0 or above; it holds for the time it was found at.
    well_loss : C [d^P m^(1 - 3P)], 0 or above; d2/m5 for P = 2.
    exponent : P [-], at least 1; 2 is Jacob's, 1.5 to 3.5 Rorabaugh's.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    q, p = finite("rate_m3_per_d", rate_m3_per_d), at_least("exponent", exponent, 1.0, "at least 1")
    b, c = not_negative("aquifer_loss_d_per_m2", aquifer_loss_d_per_m2), not_negative("well_loss", well_loss)
    return np.asarray(b * q + c * q * np.abs(q) ** (p - 1))


def well_efficiency(
    rate_m3_per_d: ArrayLike, aquifer_loss_d_per_m2: ArrayLike, well_loss: ArrayLike, exponent: ArrayLike = 2.0
) -> Numbers:
    """B Q / (B Q + C Q^P) = 1 / (1 + (C/B) |Q|^(P-1)) [-]: the aquifer's share of the drawdown in the well, 1 at rest.

    Parameters as in `well_drawdown_m`, with B above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    q, p = finite("rate_m3_per_d", rate_m3_per_d), at_least("exponent", exponent, 1.0, "at least 1")
    ratio = not_negative("well_loss", well_loss) / positive("aquifer_loss_d_per_m2", aquifer_loss_d_per_m2)
    return np.asarray(1 / (1 + ratio * np.abs(q) ** (p - 1)))
