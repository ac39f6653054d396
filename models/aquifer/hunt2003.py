"""Depletion of a stream in an aquitard above the pumped aquifer (Hunt 2003).

The well draws from a confined aquifer; above it lies a thin aquitard whose water table yields (specific yield sigma)
and in which a narrow stream stands, its bed in touch with the aquifer below through the conductance lambda. Flow in
the aquitard is vertical only. Early the depletion is Hunt's of 1999 with S, late with S + sigma, between them the
aquitard drains: by using 1999 with S alone one may be wrong by a factor of seven.

Inverted numerically from the Laplace plane (`models.aquifer.laplace.talbot`), and not from the printed series, whose
integrals are hard to take well.

References
----------
Hunt (2003), Unsteady stream depletion when pumping from semiconfined aquifer, J. Hydrologic Engng 8(1), 12-19.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, not_negative, positive
from models.aquifer.elapsed import since_start
from models.aquifer.laplace import Complex, talbot


def hunt2003_depletion_fraction(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    distance_m: ArrayLike,
    streambed_conductance_m_per_d: ArrayLike,
    leakance_per_d: ArrayLike,
    aquitard_specific_yield: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """Share of the pumping rate that comes out of the stream, q/Q [-].

    Parameters
    ----------
    transmissivity_m2_per_d, storativity : T [m2/d], S [-] of the pumped aquifer, above 0.
    distance_m : d from well to stream [m], 0 or above.
    streambed_conductance_m_per_d : lambda = K' w / B'' [m/d], 0 or above, B'' from the bed to the aquifer.
    leakance_per_d : K'/B' of the aquitard [1/d], 0 or above; 0 is Hunt (1999).
    aquitard_specific_yield : sigma [-], above 0.
    time_d : t since pumping began [d]; the share is 0 where it is not above 0.

    Returns
    -------
    float64 array, broadcast of all arguments

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    Notes
    -----
    Q_s(p)/Q = lambda exp(-m d) / [p (2 T m + lambda)], m^2 = [S p + k sigma p / (sigma p + k)] / T, k = K'/B'.
    """
    given = _checked(
        transmissivity_m2_per_d, storativity, distance_m, streambed_conductance_m_per_d, leakance_per_d,
        aquitard_specific_yield,
    )  # fmt: skip
    return since_start(time_d, lambda t, *g: talbot(lambda p: _share(p, *g), t), *given)


def hunt2003_volume_fraction(
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    distance_m: ArrayLike,
    streambed_conductance_m_per_d: ArrayLike,
    leakance_per_d: ArrayLike,
    aquitard_specific_yield: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """The stream's share of the volume pumped so far, v/(Q t) [-]: the mean over time of q/Q.

    Parameters and errors as in `hunt2003_depletion_fraction`.
    """
    given = _checked(
        transmissivity_m2_per_d, storativity, distance_m, streambed_conductance_m_per_d, leakance_per_d,
        aquitard_specific_yield,
    )  # fmt: skip
    return since_start(time_d, lambda t, *g: talbot(lambda p: _share(p, *g) / p, t) / t, *given)


def _share(p: Complex, t_l2: Numbers, s_: Numbers, d: Numbers, bed: Numbers, k: Numbers, sigma: Numbers) -> Complex:
    m = np.sqrt((s_ * p + k * sigma * p / (sigma * p + k)) / t_l2)
    return np.asarray(bed * np.exp(-m * d) / (p * (2 * t_l2 * m + bed)))


def _checked(
    t_l2: ArrayLike, s_: ArrayLike, d: ArrayLike, bed: ArrayLike, leakance: ArrayLike, sigma: ArrayLike
) -> tuple[Numbers, ...]:
    return (
        positive("transmissivity_m2_per_d", t_l2),
        positive("storativity", s_),
        not_negative("distance_m", d),
        not_negative("streambed_conductance_m_per_d", bed),
        not_negative("leakance_per_d", leakance),
        positive("aquitard_specific_yield", sigma),
    )
