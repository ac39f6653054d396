"""The cone of depression of metered wells on a map grid: superposed Hunt (1999) drawdown at one instant.

Each pumping well sees one stream of its own, the straight line through the nearest point of the water at
right angles to the line from there to the well (Hunt's infinite stream); the aquifer is one layer without
edges. Recharge, other wells and bends of the stream are not in it. Any one set of units [L, T].

The sum of steps is linear in the unit response, s = sum dq_i F(t - t_i), and F is smooth in the logarithm
of elapsed time. A long schedule is therefore spread over ``NODES`` elapsed times by a cubic spline first:
the cost follows the grid and not the length of the record.

Of one step s = W(near) - W(image) + what the bed holds back, all over Q/4 pi T. With the image well at distance R and
c the cosine of the angle at it, the last is int_0^inf exp(-theta) [W(R^2) - W(R^2 + 2 R w c + w^2)] dtheta, w
proportional to theta: analytic in ln R^2 within |Im| < pi/2, and in c but for c <= -1. A large grid therefore takes it
from nodes in R^2 (as `superposition_nodes` in time) and ``ANGLES`` in c, to some 1e-12 of the whole.

References
----------
Hunt (1999), Unsteady stream depletion from ground water pumping, Ground Water 37(1), 98-102.
Jenkins (1968), USGS TWRI 4-D1 (superposition).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.interpolate import CubicSpline

from models.aquifer.admissible import Numbers, finite
from models.aquifer.hunt import hunt_drawdown
from models.aquifer.superposition import step_changes
from models.aquifer.superposition_nodes import Nodes, chebyshev_points, lagrange
from models.aquifer.theis import theis_drawdown

NODES = 33
"""Elapsed times a long schedule is spread over: within 0.1 % of the exact sum for day- to decade-long records."""


ANGLES = 24
"""Chebyshev points in c, 0 to 1; the singularity at -1 leaves 4 M / 4^23."""


@dataclass(frozen=True)
class PumpedWell:
    """A pumping well, the stream it faces, and its schedule.

    Parameters
    ----------
    position : (x, y) on the map [L].
    distance : to the stream [L].
    foot : the nearest point of the stream (x, y) [L].
    toward : unit vector from the foot to the well.
    times, rates : the schedule as in `models.aquifer.superposition.step_changes` [T], [L^3/T].
    """

    position: tuple[float, float]
    distance: float
    foot: tuple[float, float]
    toward: tuple[float, float]
    times: Numbers
    rates: Numbers


def cone(
    wells: Sequence[PumpedWell],
    transmissivity: float,
    storativity: float,
    streambed_conductance: float,
    x: ArrayLike,
    y: ArrayLike,
    at: float,
    *,
    nearest: float,
) -> Numbers:
    """Drawdown of all wells together on the grid of two axes.

    Parameters
    ----------
    wells : the pumping wells; none gives a grid of zeros.
    transmissivity, storativity, streambed_conductance : T [L^2/T], S [-], lambda [L/T], as in `hunt_drawdown`.
    x, y : the axes of the grid, float64[n], float64[m] [L].
    at : the instant [T], on the clock of the schedules.
    nearest : no node is taken nearer to a well than this [L], because a line well has no drawdown in itself.

    Returns
    -------
    float64[m, n]
        Drawdown, lowering above 0 [L].

    Raises
    ------
    BadQuestion : an argument outside its range, by name.
    """
    columns, rows = np.meshgrid(finite("x", x), finite("y", y))
    aquifer = (transmissivity, storativity, streambed_conductance)
    total = np.zeros(columns.shape)
    for well in wells:
        across, along = stream_coordinates(well, columns, rows, nearest)
        elapsed, changes = spread_steps(well, at)
        total += _drawdown(aquifer, well.distance, across, along, elapsed, changes)
    return total


def _drawdown(
    aquifer: tuple[float, float, float], distance: float, x: Numbers, y: Numbers, elapsed: Numbers, changes: Numbers
) -> Numbers:
    """Of one well in its own frame: point by point where they are few or one lies at the image well."""
    t, s, conductance = aquifer
    image = np.hypot(distance + np.abs(x), y)
    nearest = float(image.min(initial=np.inf) ** 2)
    if nearest > 0 and image.size:
        nodes = Nodes.between(nearest, float(image.max() ** 2))
        if x.size > nodes.times.size * ANGLES:
            return _by_nodes(aquifer, np.hypot(x - distance, y), image, distance + np.abs(x), nodes, elapsed, changes)
    total = np.zeros(x.shape)
    for tau, change in zip(elapsed, changes, strict=True):
        total += change * hunt_drawdown(1.0, t, s, distance, conductance, x, y, tau)
    return total


def _by_nodes(
    aquifer: tuple[float, float, float],
    near: Numbers,
    image: Numbers,
    across: Numbers,
    nodes: Nodes,
    elapsed: Numbers,
    changes: Numbers,
) -> Numbers:
    """Well less image well, point by point, and what the bed holds back, from nodes."""
    t, s, _ = aquifer
    order = np.argsort(image, axis=None)
    along_radius = nodes.at(image.ravel()[order] ** 2).of(_held_back(aquifer, nodes.times, elapsed, changes).T)
    cosine = lagrange(ANGLES, 2 * (across / image).ravel()[order] - 1)
    held = np.empty(image.size)
    held[order] = np.einsum("ap,ap->p", along_radius, cosine)
    total: Numbers = held.reshape(image.shape)
    for tau, change in zip(elapsed, changes, strict=True):
        total += theis_drawdown(change, t, s, near, tau) - theis_drawdown(change, t, s, image, tau)
    return total


def _held_back(aquifer: tuple[float, float, float], square: Numbers, elapsed: Numbers, changes: Numbers) -> Numbers:
    """float64[node, angle]: Hunt's drawdown on the stream itself, where well and image well cancel, of all steps."""
    t, s, conductance = aquifer
    image, cosine = np.sqrt(square)[:, np.newaxis], (1 + chebyshev_points(ANGLES)) / 2
    across, along = image * cosine, image * np.sqrt(1 - cosine**2)
    total = np.zeros(across.shape)
    for tau, change in zip(elapsed, changes, strict=True):
        total += change * hunt_drawdown(1.0, t, s, across, conductance, 0.0, along, tau)
    return total


def stream_coordinates(well: PumpedWell, x: Numbers, y: Numbers, nearest: float) -> tuple[Numbers, Numbers]:
    """Map positions in Hunt's frame of one well: across the stream (positive on the well's side) and along it [L]."""
    (ux, uy), dx, dy = well.toward, x - well.foot[0], y - well.foot[1]
    across, along = dx * ux + dy * uy, dy * ux - dx * uy
    within = np.hypot(across - well.distance, along) < nearest
    return np.where(within, well.distance, across), np.where(within, nearest, along)


def spread_steps(well: PumpedWell, at: float) -> tuple[Numbers, Numbers]:
    """Elapsed times and changes of rate that act like the schedule: itself when short, else its weights on nodes.

    Returns
    -------
    (float64[k], float64[k])
        Elapsed times [T] and changes of rate [L^3/T], k at most ``NODES``.
    """
    starts, changes = step_changes(well.times, well.rates)
    elapsed, changes = at - starts[starts < at], changes[starts < at]
    if elapsed.size <= NODES:
        return elapsed, changes
    nodes = np.geomspace(elapsed.min(), elapsed.max(), NODES)
    weights = CubicSpline(np.log(nodes), np.eye(NODES))(np.log(np.clip(elapsed, nodes[0], nodes[-1])))
    return nodes, changes @ weights
