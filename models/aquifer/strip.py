"""A well between two parallel edges of the aquifer, with or without a third across: the sum over all images.

The images of a strip go on for ever, and the further ones count as the cone grows: with n pairs the sum is good while
sqrt(4 T t / S) is well below n widths. Here the images are summed inside the time integral,
s = Q/S int_0^t G_x G_y dtau, with G the response of one dimension to a pulse: few images while the pulse is narrower
than the strip, and its few modes (the same sum by Poisson's formula) when it is wider.

References
----------
Ferris, Knowles, Brown & Stallman (1962), USGS Water-Supply Paper 1536-E, 144-166 (images).
Carslaw & Jaeger (1959), Conduction of heat in solids, sections 10.3 and 14.5 (product of one-dimensional solutions).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, at_most, finite, not_negative, off_the_well, positive
from models.aquifer.bounded import Edge, sign
from models.aquifer.elapsed import since_start
from models.aquifer.quadrature import integrate

_LOST = 40.0  # exp(-40) of the pulse is left out
_PANELS = 16
_IMAGES = range(-3, 4)
_MODES = range(6)
_NARROW = 0.25  # T tau / S over the width squared: below it images, above it modes; either is then exact to 1e-15


def strip_drawdown(
    rate_m3_per_d: ArrayLike,
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    width_m: ArrayLike,
    edges: tuple[Edge, Edge],
    well_m: tuple[ArrayLike, ArrayLike],
    x_m: ArrayLike,
    y_m: ArrayLike,
    time_d: ArrayLike,
    *,
    across: Edge | None = None,
) -> Numbers:
    """Drawdown in the aquifer 0 <= x <= width between edges along x = 0 and x = width [m].

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    transmissivity_m2_per_d, storativity : T [m2/d], S [-], above 0.
    width_m : between the edges [m], above 0.
    edges : along x = 0 and along x = width, ``constant_head`` or ``no_flow``.
    well_m : (x, y) of the well [m].
    x_m, y_m : where [m].
    time_d : t since pumping began [d]; the drawdown is 0 where it is not above 0.
    across : an edge along y = 0, which bounds the strip to y >= 0; None is no such edge.

    Returns
    -------
    float64 array, broadcast of all arguments

    Raises
    ------
    BadQuestion : an argument outside its range, by name; the place of the well itself.
    """
    t_l2, s_ = positive("transmissivity_m2_per_d", transmissivity_m2_per_d), positive("storativity", storativity)
    width, end = positive("width_m", width_m), sign("across", across)
    wx, x = _inside("well_x_m", well_m[0], width), _inside("x_m", x_m, width)
    wy, y = (not_negative(k, v) if end else finite(k, v) for k, v in (("well_y_m", well_m[1]), ("y_m", y_m)))
    off_the_well("x_m, y_m", np.hypot(x - wx, y - wy), time_d)
    signs = sign("edges", edges[0]), sign("edges", edges[1])
    rate = finite("rate_m3_per_d", rate_m3_per_d)
    return since_start(time_d, _response(signs, end), rate, t_l2, s_, width, wx, wy, x, y)


def _response(signs: tuple[int, int], end: int) -> Callable[..., Numbers]:
    def response(*given: Numbers) -> Numbers:
        t, rate, t_l2, s_, width, wx, wy, x, y = given
        whole = t_l2 * t / s_  # D t [m2]
        u = ((x - wx) ** 2 + (y - wy) ** 2) / (4 * whole)

        def pulse(v: Numbers) -> Numbers:
            spread = whole * np.exp(-v)
            along = _gauss(y - wy, spread) + end * _gauss(y + wy, spread)
            return np.asarray(spread * along * _between(signs, x, wx, width, spread))

        return np.asarray(rate / t_l2 * integrate(pulse, np.log1p(_LOST / u), _PANELS))

    return response


def _between(signs: tuple[int, int], x: Numbers, well: Numbers, width: Numbers, spread: Numbers) -> Numbers:
    """The pulse between the edges [1/m]: its images, or its modes once it is wide."""
    narrow = spread / width**2 < _NARROW
    images = _images(signs, x, well, width, np.where(narrow, spread, _NARROW * width**2))
    modes = _modes(signs, x / width, well / width, np.where(narrow, _NARROW, spread / width**2)) / width
    return np.where(narrow, images, modes)


def _images(signs: tuple[int, int], x: Numbers, well: Numbers, width: Numbers, spread: Numbers) -> Numbers:
    left, right = signs
    total = np.zeros(np.shape(x))
    for k in _IMAGES:
        turned = (left * right) ** abs(k)
        shifted = x - 2 * k * width
        total += turned * (_gauss(shifted - well, spread) + left * _gauss(shifted + well, spread))
    return total


def _modes(signs: tuple[int, int], x: Numbers, well: Numbers, spread: Numbers) -> Numbers:
    """Sums of sin or cos, of whole waves or of odd quarters, all lengths in widths."""
    left, right = signs
    shape = np.cos if left > 0 else np.sin
    shift = 0.0 if left == right else 0.5
    first = 0 if left > 0 or left != right else 1
    total = np.zeros(np.shape(x))
    for n in _MODES:
        wave = (n + first + shift) * np.pi
        weight = 1.0 if wave == 0 else 2.0
        total += weight * shape(wave * x) * shape(wave * well) * np.exp(-(wave**2) * spread)
    return total


def _gauss(distance: Numbers, spread: Numbers) -> Numbers:
    return np.asarray(np.exp(-(distance**2) / (4 * spread)) / np.sqrt(4 * np.pi * spread))


def _inside(key: str, value: ArrayLike, width: Numbers) -> Numbers:
    return at_most(key, not_negative(key, value), width, "0 to width_m")
