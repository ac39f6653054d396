"""Depletion of a stream in a shallow aquifer by a well in a deep one below it (Ward & Lough 2011).

Two aquifers in which water flows sideways, with a leaky layer between them that stores nothing; the stream lies on
the upper one (conductance lambda), the well pumps the lower. With a leaky layer that lets everything through they are
one aquifer of T1 + T2 and S1 + S2, and the solution is Hunt (1999).

Inverted numerically from the Laplace plane (`models.aquifer.laplace.talbot`).

References
----------
Ward & Lough (2011), Stream depletion from pumping a semiconfined aquifer in a two-layer leaky aquifer system,
J. Hydrologic Engng 16(11), 955-959.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, not_negative, positive
from models.aquifer.elapsed import since_start
from models.aquifer.laplace import Complex, talbot


@dataclass(frozen=True)
class TwoLayers:
    """The two aquifers; every value a number or an array, all broadcast.

    Parameters
    ----------
    upper_transmissivity_m2_per_d, upper_storativity : T1 [m2/d], S1 [-] (its specific yield), above 0.
    lower_transmissivity_m2_per_d, lower_storativity : T2 [m2/d], S2 [-], above 0.
    leakance_per_d : K'/B' of the layer between [1/d], 0 or above; 0 parts them.

    Raises
    ------
    BadQuestion : a value outside its range, by name.
    """

    upper_transmissivity_m2_per_d: ArrayLike
    upper_storativity: ArrayLike
    lower_transmissivity_m2_per_d: ArrayLike
    lower_storativity: ArrayLike
    leakance_per_d: ArrayLike

    def __post_init__(self) -> None:
        self.values()

    def values(self) -> tuple[Numbers, ...]:
        """T1, S1, T2, S2, K'/B', checked."""
        *aquifers, _ = vars(self).items()
        return (*(positive(key, v) for key, v in aquifers), not_negative("leakance_per_d", self.leakance_per_d))


def ward_lough_depletion_fraction(
    layers: TwoLayers, distance_m: ArrayLike, streambed_conductance_m_per_d: ArrayLike, time_d: ArrayLike
) -> Numbers:
    """Share of the pumping rate that comes out of the stream, q/Q [-].

    Parameters
    ----------
    distance_m : d from well to stream [m], 0 or above.
    streambed_conductance_m_per_d : lambda [m/d], 0 or above.
    time_d : t since pumping began [d]; the share is 0 where it is not above 0.

    Returns
    -------
    float64 array, broadcast of all arguments

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    Notes
    -----
    Along the stream integrated, the heads obey s'' = A s with A = [(S1 p + k)/T1, -k/T1; -k/T2, (S2 p + k)/T2]. With
    g12 the upper head at the stream for a unit draft of the well and g11 for one of the stream itself,
    q(p)/Q = lambda g12(d) / [p (1 + lambda g11(0))].
    """
    given = _checked(layers, distance_m, streambed_conductance_m_per_d)
    return since_start(time_d, lambda t, *g: talbot(lambda p: _share(p, *g), t), *given)


def ward_lough_volume_fraction(
    layers: TwoLayers, distance_m: ArrayLike, streambed_conductance_m_per_d: ArrayLike, time_d: ArrayLike
) -> Numbers:
    """The stream's share of the volume pumped so far, v/(Q t) [-].

    Parameters and errors as in `ward_lough_depletion_fraction`.
    """
    given = _checked(layers, distance_m, streambed_conductance_m_per_d)
    return since_start(time_d, lambda t, *g: talbot(lambda p: _share(p, *g) / p, t) / t, *given)


def _checked(layers: TwoLayers, distance: ArrayLike, bed: ArrayLike) -> tuple[Numbers, ...]:
    d, conductance = not_negative("distance_m", distance), not_negative("streambed_conductance_m_per_d", bed)
    return (*layers.values(), d, conductance)


def _share(
    p: Complex, t1: Numbers, s1: Numbers, t2: Numbers, s2: Numbers, k: Numbers, d: Numbers, bed: Numbers
) -> Complex:
    """g = A^-1/2 exp(-x A^1/2) / (2 T); at x = 0 by the square root of a 2 x 2 matrix, (A + sqrt(det)) / trace."""
    a11, a22, det = (s1 * p + k) / t1, (s2 * p + k) / t2, p * (s1 * s2 * p + k * (s1 + s2)) / (t1 * t2)
    slow, fast = _roots(a11, a22, k**2 / (t1 * t2), det)
    volume = 2 * slow * fast * (slow + fast)
    g11 = (a22 + slow * fast) / (t1 * volume)
    g12 = k / (t1 * t2) * _divided(slow, fast, d) / volume
    return np.asarray(bed * g12 / (p * (1 + bed * g11)))


def _roots(a11: Complex, a22: Complex, across: Numbers, det: Complex) -> tuple[Complex, Complex]:
    """The square roots of the eigenvalues, the one that decays slower first; the smaller from the determinant."""
    mean = (a11 + a22) / 2
    half = np.sqrt(((a11 - a22) / 2) ** 2 + across)
    larger = mean + np.where((np.conj(mean) * half).real < 0, -half, half)
    one, other = np.sqrt(larger), np.sqrt(det / larger)
    swap = one.real < other.real
    return np.where(swap, one, other), np.where(swap, other, one)


def _divided(slow: Complex, fast: Complex, d: Numbers) -> Complex:
    """[slow exp(-fast d) - fast exp(-slow d)] / (slow - fast), smooth where the two meet."""
    gap = (fast - slow) * d
    mean = np.where(gap == 0, 1.0, -np.expm1(-gap) / np.where(gap == 0, 1.0, gap))
    return np.asarray(np.exp(-slow * d) * (np.exp(-gap) + fast * d * mean))
