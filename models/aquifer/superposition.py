"""A changing pumping rate as a sum of steps: Duhamel's principle, exact for rates that are constant in pieces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from models.aquifer.admissible import Numbers, finite
from models.errors import BadQuestion

UnitResponse = Callable[[Numbers], Numbers]

# Elapsed times computed at once: bounds the memory of a long record to some tens of megabytes.
BLOCK = 1_000_000


def step_changes(day_numbers: ArrayLike, rates: ArrayLike) -> tuple[Numbers, Numbers]:
    """The instants at which the rate changes, and by how much; the first day changes from nothing.

    Parameters
    ----------
    day_numbers : float64[n], strictly increasing [T]; ``rates[i]`` is held from ``day_numbers[i]`` until the next,
        the last for ever: end with a rate of 0 where pumping stops.
    rates : float64[n] [L^3/T].

    Returns
    -------
    (float64[m], float64[m])
        Instants [T] and changes [L^3/T]; steps of zero are left out.

    Raises
    ------
    BadQuestion : unequal lengths, a number that is not finite, or days out of order.
    """
    days, held = finite("day_numbers", day_numbers), finite("rates", rates)
    if days.ndim != 1 or days.shape != held.shape:
        raise BadQuestion("days and rates differ in length", key="rates", found=held.shape, allowed=[days.shape])
    if (np.diff(days) <= 0).any():
        raise BadQuestion("days must increase", key="day_numbers", allowed=["strictly increasing"])
    changes = np.diff(held, prepend=0.0)
    return days[changes != 0], changes[changes != 0]


def superpose(times: ArrayLike, rates: ArrayLike, at: ArrayLike, unit_response: UnitResponse) -> Numbers:
    """Response to a pumping schedule: sum over the changes of dq_i F(t - t_i).

    Parameters
    ----------
    times, rates : the schedule, as in `step_changes` [T], [L^3/T].
    at : instants at which the response is wanted [T], any shape.
    unit_response : F, the response at elapsed times above 0 (float64[k] -> float64[k]) to a rate of 1 held from 0 on.
        Called with each distinct elapsed time once, so a daily grid costs one call per day and not per pair.

    Returns
    -------
    float64 array shaped as ``at``
        In the unit of F times [L^3/T]. A change acts only after its instant.

    References
    ----------
    Jenkins (1968), USGS TWRI 4-D1; Carslaw & Jaeger (1959), section 1.14.
    """
    starts, changes = step_changes(times, rates)
    wanted = finite("at", at)
    rows = max(1, BLOCK // max(1, starts.size))
    blocks = range(0, wanted.size, rows)
    parts = [_sum_of_steps(wanted.ravel()[k : k + rows], starts, changes, unit_response) for k in blocks]
    return np.concatenate([*parts, np.empty(0)]).reshape(wanted.shape)


def _sum_of_steps(at: Numbers, starts: Numbers, changes: Numbers, unit_response: UnitResponse) -> Numbers:
    elapsed = at[:, np.newaxis] - starts
    acting = elapsed > 0
    distinct, place = np.unique(elapsed[acting], return_inverse=True)
    response = np.zeros(elapsed.shape)
    if distinct.size:
        response[acting] = np.asarray(unit_response(distinct))[place]
    return response @ changes
