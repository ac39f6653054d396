"""A well beside a stream with a clogged bed that does not fully penetrate the aquifer (Hunt 1999).

The stream is the line x = 0, infinitely long and of constant stage; the aquifer is infinite on both sides.
The well stands at (d, 0). ``streambed_conductance`` is lambda = K' w / b' [L/T]: bed conductivity times
stream width over bed thickness, so that the stream loses lambda * s(0, y) per unit length. lambda = 0 is
no stream at all (Theis), lambda without bound is a constant-head stream (Glover & Balmer 1954).
Any one set of units [L, T].

References
----------
Hunt (1999), Unsteady stream depletion from ground water pumping, Ground Water 37(1), 98-102.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import erfc, erfcx

from models.aquifer.admissible import Numbers, finite, not_negative, off_the_well, positive
from models.aquifer.theis import theis_drawdown

Marks = NDArray[np.bool_]

# Double-exponential quadrature of the half line, theta = exp(tau - exp(-tau)) (Takahasi & Mori 1974). A step of 0.05
# reaches 1e-14 while the distance to the image well is above 1e-6 of the width of the cone.
_STEP = 0.05
_TAU = np.arange(-3.7, 3.7 + _STEP / 2, _STEP)
_NODES = np.exp(_TAU - np.exp(-_TAU))
_WEIGHTS = _STEP * _NODES * (1 + np.exp(-_TAU))


def hunt_depletion_fraction(
    transmissivity: ArrayLike,
    storativity: ArrayLike,
    distance: ArrayLike,
    streambed_conductance: ArrayLike,
    time: ArrayLike,
) -> Numbers:
    """Share of the pumping rate that comes out of the stream, q/Q (eq. 20).

    Parameters
    ----------
    transmissivity : T [L^2/T], above 0.
    storativity : S [-], above 0.
    distance : d from well to stream [L], 0 or above.
    streambed_conductance : lambda [L/T], 0 or above.
    time : t since pumping began [T]; the share is 0 where it is not above 0.

    Returns
    -------
    float64 array, broadcast of all arguments
        q/Q [-], 0 to 1.

    Raises
    ------
    BadQuestion : an argument outside its range, by name.

    Notes
    -----
    q/Q = erfc(a) - exp(b + c) erfc(sqrt(b) + a) overflows; with b + c = (sqrt(b) + a)^2 - a^2 it becomes
    exp(-a^2) [erfcx(a) - erfcx(a + sqrt(b))], where a^2 = S d^2 / 4 T t and b = lambda^2 t / 4 S T.
    """
    a, root_b, pumped = _a_and_root_b(transmissivity, storativity, distance, streambed_conductance, time)
    share = np.exp(-(a**2)) * (erfcx(a) - erfcx(a + root_b))
    return np.where(pumped, share, 0.0)


def hunt_volume_fraction(
    transmissivity: ArrayLike,
    storativity: ArrayLike,
    distance: ArrayLike,
    streambed_conductance: ArrayLike,
    time: ArrayLike,
) -> Numbers:
    """Share of the volume pumped so far that came out of the stream, v/(Q t): the mean over time of q/Q.

    Parameters, units and errors as in `hunt_depletion_fraction`.

    Notes
    -----
    v/(Q t) = int_0^inf exp(-theta) J(a + theta / (2 sqrt b)) dtheta, where J(z) = (1 + 2 z^2) erfc(z) -
    2 z exp(-z^2) / sqrt(pi) is the volume share of a constant-head stream (Jenkins 1968, USGS TWRI 4-D1): in the
    Laplace plane h / (sqrt p + h) = int_0^inf exp(-theta - theta sqrt(p) / h) dtheta, with h^2 t = b.
    """
    a, root_b, pumped = _a_and_root_b(transmissivity, storativity, distance, streambed_conductance, time)
    scale = (1 / (1 + 2 * root_b))[..., np.newaxis]
    further, rate = scale * _NODES, 2 * root_b[..., np.newaxis]
    share = np.sum(_WEIGHTS * scale * rate * np.exp(-rate * further) * _jenkins(a[..., np.newaxis] + further), axis=-1)
    return np.where(pumped, share, 0.0)


def hunt_drawdown(
    rate: ArrayLike,
    transmissivity: ArrayLike,
    storativity: ArrayLike,
    distance: ArrayLike,
    streambed_conductance: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    time: ArrayLike,
) -> Numbers:
    """Drawdown at (x, y) of a well at (d, 0) beside the stream x = 0 (eq. 30).

    Parameters
    ----------
    rate : Q, abstraction above 0 [L^3/T].
    transmissivity, storativity, distance, streambed_conductance : as in `hunt_depletion_fraction`.
    x, y : where [L]; x above 0 on the well's side of the stream, below 0 beyond it.
    time : t since pumping began [T]; the drawdown is 0 where it is not above 0.

    Returns
    -------
    float64 array, broadcast of all arguments
        Drawdown s, lowering above 0 [L].

    Raises
    ------
    BadQuestion : an argument outside its range, by name; the place of the well itself.

    Notes
    -----
    s = Q/4 pi T {W[near] - int_0^inf exp(-theta) W[A(theta)] dtheta}, where
    A = ((d + |x| + 2 T theta / lambda)^2 + y^2) S / 4 T t. By parts the integral is W[A(0)] less a positive one, so
    s = near - image + what the bed holds back: no two large numbers cancel beyond the stream, and the integrand is
    elementary. lambda = 0 is Theis to the last bit.
    """
    offset = np.hypot(finite("x", x) - not_negative("distance", distance), finite("y", y))
    near = theis_drawdown(rate, transmissivity, storativity, off_the_well("x, y", offset, time), time)
    cone = _cone(rate, transmissivity, storativity, distance, streambed_conductance, x, y, time)
    through = cone.connected & cone.pumped
    mirrored = theis_drawdown(cone.rate, cone.transmissivity, storativity, np.where(through, cone.image, 1.0), time)
    return np.where(through, near - mirrored + cone.held_back(), near)


@dataclass(frozen=True)
class _Cone:
    """The arguments of eq. 30, broadcast to one shape.

    ``across`` is d + |x| [L], ``per_length`` is sqrt(S / 4 T t) [1/L], ``decay`` is lambda / 2 T [1/L].
    """

    rate: Numbers
    transmissivity: Numbers
    across: Numbers
    along: Numbers
    per_length: Numbers
    decay: Numbers
    pumped: Marks

    @property
    def connected(self) -> Marks:
        return self.decay > 0

    @property
    def image(self) -> Numbers:
        """Distance to the image well beyond the stream [L]."""
        return np.hypot(self.across, self.along)

    def held_back(self) -> Numbers:
        """Drawdown above that of a constant-head stream [L]: Q/4 pi T int exp(-w lambda/2T) exp(-A)/A dA/dw dw."""
        scale = (1 / (self.decay + self.per_length))[..., np.newaxis]
        further = scale * _NODES
        reach, along = self.across[..., np.newaxis] + further, self.along[..., np.newaxis]
        square = reach**2 + along**2
        exponent = self.decay[..., np.newaxis] * further + self.per_length[..., np.newaxis] ** 2 * square
        integral = np.sum(_WEIGHTS * scale * np.exp(-exponent) * 2 * reach / square, axis=-1)
        return np.asarray(self.rate / (4 * np.pi * self.transmissivity) * integral)


def _cone(
    rate: ArrayLike,
    transmissivity: ArrayLike,
    storativity: ArrayLike,
    distance: ArrayLike,
    streambed_conductance: ArrayLike,
    x: ArrayLike,
    y: ArrayLike,
    time: ArrayLike,
) -> _Cone:
    transmissivity, time = np.asarray(transmissivity, np.float64), np.asarray(time, np.float64)
    conductance = not_negative("streambed_conductance", streambed_conductance)
    pumped = time > 0
    per_length = np.sqrt(np.asarray(storativity, np.float64) / (4 * transmissivity * np.where(pumped, time, 1.0)))
    across, decay = np.asarray(distance, np.float64) + np.abs(x), conductance / (2 * transmissivity)
    return _Cone(
        *np.broadcast_arrays(
            np.asarray(rate, np.float64), transmissivity, across, np.asarray(y, np.float64), per_length, decay, pumped
        )
    )


def _a_and_root_b(
    transmissivity: ArrayLike,
    storativity: ArrayLike,
    distance: ArrayLike,
    streambed_conductance: ArrayLike,
    time: ArrayLike,
) -> tuple[Numbers, Numbers, Marks]:
    """a = d sqrt(S / 4 T t), sqrt(b) = lambda sqrt(t / 4 S T), and where t is above 0."""
    t_l2, s_ = positive("transmissivity", transmissivity), positive("storativity", storativity)
    d, conductance = not_negative("distance", distance), not_negative("streambed_conductance", streambed_conductance)
    t = finite("time", time)
    after = np.where(t > 0, t, 1.0)
    a, root_b = d * np.sqrt(s_ / (4 * t_l2 * after)), conductance * np.sqrt(after / (4 * s_ * t_l2))
    a, root_b, pumped = np.broadcast_arrays(a, root_b, t > 0)
    return a, root_b, pumped


def _jenkins(z: Numbers) -> Numbers:
    return np.asarray((1 + 2 * z**2) * erfc(z) - 2 * z / np.sqrt(np.pi) * np.exp(-(z**2)))
