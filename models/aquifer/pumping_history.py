"""What a history of pumping does: drawdown at points, depletion of a stream. Metres, days, m3/d."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite, not_negative, positive
from models.aquifer.hunt import hunt_depletion_fraction
from models.aquifer.superposition import superposed_at_points, superposed_each
from models.aquifer.theis import theis_drawdown
from models.errors import BadQuestion


def drawdown_history(
    wells_xy: ArrayLike,
    rates: ArrayLike,
    step_edges_d: ArrayLike,
    points_xy: ArrayLike,
    times_d: ArrayLike,
    transmissivity: float,
    storativity: float,
    *,
    nearest_m: float = 0.0,
) -> Numbers:
    """Theis drawdown of all wells together, by points and times.

    Parameters
    ----------
    wells_xy : float64[well, 2] [m].
    rates : float64[well, step] [m3/d]; abstraction above 0, return below, 0 at rest.
    step_edges_d : float64[step + 1], strictly increasing, evenly spaced or not [d]; ``rates[:, i]`` is held from edge
        i to edge i + 1; an infinite last edge holds the last rate for ever.
    points_xy : float64[point, 2] [m].
    times_d : float64[time], in any order [d].
    transmissivity, storativity : T [m2/d] and S [-], above 0.
    nearest_m : no point is taken nearer to a well than this, its radius [m]; 0 refuses a point in a well.

    Returns
    -------
    float64[point, time]
        Drawdown, lowering above 0 [m]; 0 up to the first pumping. Within 1e-12 of the sum of |dq_i| W / 4 pi T.

    Raises
    ------
    BadQuestion : an argument outside its range or of the wrong shape, by name.
    """
    wells, points = _places("wells_xy", wells_xy), _places("points_xy", points_xy)
    positive("transmissivity", transmissivity), positive("storativity", storativity)
    least = float(not_negative("nearest_m", nearest_m))
    _one_row_each("rates", rates, len(wells))

    def response(well: int, some: slice, elapsed: Numbers) -> Numbers:
        distance = np.maximum(np.hypot(*(points[some] - wells[well]).T), least)
        return theis_drawdown(1.0, transmissivity, storativity, distance[:, np.newaxis], elapsed)

    return superposed_at_points(rates, step_edges_d, times_d, len(points), response, diffusive=True, cheap=True)


def depletion_history(
    rates: ArrayLike,
    step_edges_d: ArrayLike,
    times_d: ArrayLike,
    transmissivity: ArrayLike,
    storativity: ArrayLike,
    distance_m: ArrayLike,
    streambed_conductance: ArrayLike,
) -> Numbers:
    """Hunt (1999) depletion of the stream by every well; their sum over the wells is the whole.

    Parameters
    ----------
    rates, step_edges_d, times_d : as in `drawdown_history`.
    transmissivity, storativity : T [m2/d] and S [-], above 0; one, or one per well.
    distance_m : from well to stream, one or one per well [m].
    streambed_conductance : lambda, one or one per well [m/d].

    Returns
    -------
    float64[well, time]
        Water taken from the stream [m3/d]; 0 up to the first pumping.

    Raises
    ------
    BadQuestion : an argument outside its range or of the wrong shape, by name.
    """
    wells = len(np.atleast_2d(np.asarray(rates, np.float64)))
    t, s = _column("transmissivity", transmissivity, wells), _column("storativity", storativity, wells)
    d, conductance = (
        _column("distance_m", distance_m, wells),
        _column("streambed_conductance", streambed_conductance, wells),
    )

    def response(elapsed: Numbers) -> Numbers:
        return hunt_depletion_fraction(t, s, d, conductance, elapsed)

    return superposed_each(rates, step_edges_d, times_d, response, diffusive=True, cheap=True)


def _places(key: str, value: ArrayLike) -> Numbers:
    places = finite(key, value)
    if places.ndim != 2 or places.shape[1] != 2:
        raise BadQuestion("one row (x, y) each", key=key, found=places.shape, allowed=["(n, 2)"])
    return places


def _one_row_each(key: str, value: ArrayLike, wells: int) -> None:
    shape = np.shape(value)
    if len(shape) != 2 or shape[0] != wells:
        raise BadQuestion("one row per well", key=key, found=shape, allowed=[f"({wells}, step)"])


def _column(key: str, value: ArrayLike, wells: int) -> Numbers:
    """One value per well, as a column."""
    given = np.asarray(value, np.float64)
    if given.shape not in ((), (wells,)):
        raise BadQuestion("one value, or one per well", key=key, found=given.shape, allowed=["()", f"({wells},)"])
    return np.broadcast_to(given.reshape(-1, 1), (wells, 1))
