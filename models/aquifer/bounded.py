"""Wells beside straight edges of the aquifer, by image wells (Ferris et al. 1962).

An edge is a stream that keeps its level (``constant_head``: the image injects) or a wall (``no_flow``: the image
pumps). One edge has one image, two at right angles have three; two parallel edges have images without end and are in
`models.aquifer.strip`.

References
----------
Ferris, Knowles, Brown & Stallman (1962), Theory of aquifer tests, USGS Water-Supply Paper 1536-E, 144-166.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite, not_negative
from models.aquifer.theis import theis_drawdown
from models.errors import BadQuestion

Edge = Literal["constant_head", "no_flow"]

SIGNS: dict[Edge, int] = {"constant_head": -1, "no_flow": 1}
"""The rate of an image over that of its well."""


def sign(key: str, edge: Edge | None) -> int:
    """The sign of the image beyond an edge; 0 where there is none.

    Raises
    ------
    BadQuestion : no such edge.
    """
    if edge is not None and edge not in SIGNS:
        raise BadQuestion("no such edge", key=key, found=edge, allowed=[*SIGNS, "none"])
    return 0 if edge is None else SIGNS[edge]


def half_plane_drawdown(
    rate_m3_per_d: ArrayLike,
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    well_x_m: ArrayLike,
    edge: Edge,
    x_m: ArrayLike,
    y_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """Drawdown of a well at (well_x, 0) in the aquifer x >= 0 with one edge along x = 0 [m].

    Parameters
    ----------
    rate_m3_per_d : Q, abstraction above 0 [m3/d].
    transmissivity_m2_per_d, storativity : T [m2/d], S [-], above 0.
    well_x_m : of the well from the edge [m], 0 or above.
    edge : ``constant_head`` or ``no_flow``.
    x_m, y_m : where [m]; x 0 or above.
    time_d : t since pumping began [d]; the drawdown is 0 where it is not above 0.

    Raises
    ------
    BadQuestion : an argument outside its range, by name; the place of the well itself.
    """
    aquifer = rate_m3_per_d, transmissivity_m2_per_d, storativity
    return quarter_plane_drawdown(*aquifer, (well_x_m, 0.0), (edge, None), x_m, y_m, time_d)


def quarter_plane_drawdown(
    rate_m3_per_d: ArrayLike,
    transmissivity_m2_per_d: ArrayLike,
    storativity: ArrayLike,
    well_m: tuple[ArrayLike, ArrayLike],
    edges: tuple[Edge | None, Edge | None],
    x_m: ArrayLike,
    y_m: ArrayLike,
    time_d: ArrayLike,
) -> Numbers:
    """Drawdown in the aquifer x >= 0, y >= 0 with edges along x = 0 and y = 0 [m].

    Parameters
    ----------
    well_m : (x, y) of the well [m], 0 or above toward an edge that is there.
    edges : along x = 0 and along y = 0; None is no edge, and the aquifer goes on.
    others : as in `half_plane_drawdown`.

    Raises
    ------
    BadQuestion : an argument outside its range, by name; the place of the well itself.
    """
    signs = sign("edges", edges[0]), sign("edges", edges[1])
    wx, x = _on_this_side("well_x_m", well_m[0], signs[0]), _on_this_side("x_m", x_m, signs[0])
    wy, y = _on_this_side("well_y_m", well_m[1], signs[1]), _on_this_side("y_m", y_m, signs[1])
    total = _theis(rate_m3_per_d, transmissivity_m2_per_d, storativity, x - wx, y - wy, time_d)
    for factor, image_x, image_y in _images(signs, wx, wy):
        rate = factor * finite("rate_m3_per_d", rate_m3_per_d)
        total = total + _theis(rate, transmissivity_m2_per_d, storativity, x - image_x, y - image_y, time_d)
    return total


def _images(signs: tuple[int, int], wx: Numbers, wy: Numbers) -> list[tuple[int, Numbers, Numbers]]:
    """Sign and place of every image: beyond each edge, and beyond their corner."""
    across, along = signs
    every = [(across, -wx, wy), (along, wx, -wy), (across * along, -wx, -wy)]
    return [image for image in every if image[0]]


def _theis(rate: ArrayLike, t_l2: ArrayLike, s_: ArrayLike, dx: Numbers, dy: Numbers, time: ArrayLike) -> Numbers:
    return theis_drawdown(rate, t_l2, s_, np.hypot(dx, dy), time)


def _on_this_side(key: str, value: ArrayLike, edge: int) -> Numbers:
    return not_negative(key, value) if edge else finite(key, value)
