"""Changing pumping rates as a sum of steps: Duhamel's principle, exact for rates that are constant in pieces.

s(t) = sum over the changes of dq_i F(t - t_i), F the response to a rate of 1 held from 0 on. `superposition_sums` says
how the sum is taken; a response is asked for once per elapsed time and well, not once per pair; that of a diffusion is
known everywhere from a few elapsed times (`superposition_nodes`), so that a map of points costs little more than those.

References
----------
Jenkins (1968), USGS TWRI 4-D1; Carslaw & Jaeger (1959), section 1.14.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.aquifer.admissible import Numbers, finite
from models.aquifer.superposition_nodes import Nodes
from models.aquifer.superposition_sums import Sums
from models.errors import BadQuestion

UnitResponse = Callable[[Numbers], Numbers]
"""Elapsed times above 0, float64[k] [T] -> the response to a rate of 1 held from 0 on, float64[k] or [series, k]."""

PointResponse = Callable[[int, slice, Numbers], Numbers]
"""(well, points, elapsed times float64[k]) -> float64[point, k]: the same of one well at some of the points."""

NUMBERS_AT_ONCE = 1 << 21
"""Responses held at once (16 MB)."""


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


def rate_changes(rates: ArrayLike, step_edges: ArrayLike) -> tuple[Numbers, Numbers]:
    """The instants at which any well changes its rate, and by how much each does.

    Parameters
    ----------
    rates : float64[well, step] [L^3/T]; abstraction above 0, return below, 0 at rest.
    step_edges : float64[step + 1], strictly increasing [T]: ``rates[:, i]`` is held from edge i to edge i + 1. The
        last edge may be infinite: the last rate is held for ever. Before the first edge and after the last nothing is
        pumped.

    Returns
    -------
    (float64[m], float64[well, m])
        Instants [T] and changes [L^3/T]; instants at which none changes are left out.

    Raises
    ------
    BadQuestion : shapes that do not fit, a number that is not finite, or edges out of order.
    """
    held, edges = finite("rates", rates), np.asarray(step_edges, np.float64)
    if held.ndim != 2 or edges.shape != (held.shape[1] + 1,):
        shapes = ["(well, step) and (step + 1,)"]
        raise BadQuestion(
            "rates and edges do not fit", key="step_edges", found=(held.shape, edges.shape), allowed=shapes
        )
    finite("step_edges", edges[:-1])
    if not (np.diff(edges) > 0).all():
        raise BadQuestion("edges must increase", key="step_edges", allowed=["strictly increasing"])
    changes = np.diff(held, prepend=0.0, append=0.0, axis=1)
    kept = (changes != 0).any(axis=0) & np.isfinite(edges)
    return edges[kept], changes[:, kept]


def superpose(
    times: ArrayLike, rates: ArrayLike, at: ArrayLike, unit_response: UnitResponse, *, diffusive: bool = False
) -> Numbers:
    """Response to one pumping schedule.

    Parameters
    ----------
    times, rates : the schedule, as in `step_changes` [T], [L^3/T].
    at : instants at which the response is wanted [T], any shape.
    unit_response : F. Each elapsed time is asked for once, not once per pair.
    diffusive : F is the response of a diffusion, as in `superposition_nodes`: fewer elapsed times are asked for.

    Returns
    -------
    float64 array shaped as ``at``
        In the unit of F times [L^3/T]. A change acts only after its instant.

    Raises
    ------
    BadQuestion : as in `step_changes`; an instant that is not finite.
    """
    wanted = finite("at", at)

    def row(elapsed: Numbers) -> Numbers:
        return np.asarray(unit_response(elapsed))[np.newaxis]

    return superpose_rows(times, rates, wanted.ravel(), row, 1, diffusive=diffusive).reshape(wanted.shape)


def superpose_rows(
    times: ArrayLike, rates: ArrayLike, at: ArrayLike, responses: UnitResponse, rows: int, *, diffusive: bool = False
) -> Numbers:
    """Several responses to one pumping schedule: receptors, or values of uncertain properties.

    Parameters
    ----------
    times, rates, diffusive : as in `superpose`.
    at : float64[m] [T].
    responses : elapsed times float64[k] -> float64[row, k].
    rows : how many.

    Returns
    -------
    float64[row, m]
        In the unit of the responses times [L^3/T].

    Raises
    ------
    BadQuestion : as in `superpose`.
    """
    starts, changes = step_changes(times, rates)
    return _each(Sums(starts, finite("at", at), diffusive), changes[np.newaxis], responses, rows)


def superposed_each(
    rates: ArrayLike,
    step_edges: ArrayLike,
    times: ArrayLike,
    response: UnitResponse,
    *,
    diffusive: bool = False,
    cheap: bool = False,
) -> Numbers:
    """Every well's own response to its own history: the depletion each causes, the drawdown in each by itself.

    Parameters
    ----------
    rates, step_edges : the history, as in `rate_changes` [L^3/T], [T].
    times : float64[m] [T], in any order.
    response : elapsed times float64[k] -> float64[well, k].
    diffusive : as in `superpose`.
    cheap : the response is elementary: it is asked for as it is rather than interpolated.

    Returns
    -------
    float64[well, m]
        In the unit of the response times [L^3/T]; 0 up to the first change.

    Raises
    ------
    BadQuestion : as in `rate_changes`; a time that is not finite.
    """
    instants, changes = rate_changes(rates, step_edges)
    return _each(Sums(instants, finite("times", times), diffusive, cheap), changes, response, len(changes))


def superposed_at_points(
    rates: ArrayLike,
    step_edges: ArrayLike,
    times: ArrayLike,
    points: int,
    response: PointResponse,
    *,
    diffusive: bool = False,
    cheap: bool = False,
) -> Numbers:
    """All wells together at every point: drawdown by any unit response (leaky, beside a stream, unconfined, ...).

    Parameters
    ----------
    rates, step_edges : the history, as in `rate_changes` [L^3/T], [T].
    times : float64[m] [T], in any order.
    points : how many.
    response : of one well at some of the points, ``response(well, points, elapsed)`` -> float64[point, k].
    diffusive, cheap : as in `superposed_each`.

    Returns
    -------
    float64[point, m]
        In the unit of the response times [L^3/T]; 0 up to the first change.

    Raises
    ------
    BadQuestion : as in `rate_changes`; a time that is not finite.
    """
    instants, changes = rate_changes(rates, step_edges)
    sums = Sums(instants, finite("times", times), diffusive, cheap)
    found = np.zeros((points, sums.times.size))
    if sums.nodes is not None and points > sums.nodes.times.size:
        _add_by_nodes(found, sums, sums.nodes, changes, response)
    else:
        _add_by_responses(found, sums, changes, response)
    return found


def _each(sums: Sums, changes: Numbers, response: UnitResponse, rows: int) -> Numbers:
    """Row by row; one row of changes acts on every response."""
    total = np.zeros((rows, sums.later.size))
    nodes = sums.row_nodes
    known = None if nodes is None else np.asarray(response(nodes.times))
    for part in sums.parts:
        if nodes is None or known is None:
            responses = np.asarray(response(part.elapsed))
        else:
            responses = nodes.at(part.elapsed).of(known)
        total[:, _run(part.wanted)] += part.sums(responses, changes)
    found = np.zeros((rows, sums.times.size))
    if total.size:
        found[:, _run(sums.later)] = np.where(sums.begun(changes), total, 0.0)
    return found


def _add_by_nodes(found: Numbers, sums: Sums, nodes: Nodes, changes: Numbers, response: PointResponse) -> None:
    """Many points: the changes are spread over the nodes first, once for all points; one product does the rest."""
    spread = _spread(sums, nodes, changes)
    size, columns = nodes.times.size, _run(sums.later)
    for points in _blocks(len(found), len(spread) + sums.later.size):
        responses = np.empty((points.stop - points.start, len(spread)))
        for well in range(len(changes)):
            responses[:, well * size : (well + 1) * size] = response(well, points, nodes.times)
        found[points, columns] = responses @ spread


def _spread(sums: Sums, nodes: Nodes, changes: Numbers) -> Numbers:
    """float64[well and node, later time]: the changes that act like the history, at elapsed times of the nodes."""
    spread = np.zeros((len(changes), nodes.times.size, sums.later.size))
    for part in sums.parts:
        columns = _run(part.wanted)
        for well, acting in enumerate(part.spread(nodes.at(part.elapsed), changes)):
            spread[well][:, columns] += acting
    spread *= sums.begun(changes)[:, np.newaxis]
    return spread.reshape(-1, sums.later.size)


def _add_by_responses(found: Numbers, sums: Sums, changes: Numbers, response: PointResponse) -> None:
    """Few points, or a response of which nothing is known: every elapsed time by itself."""
    for part in sums.parts:
        respond, columns = _responding(sums.row_nodes, part.elapsed, response), _run(sums.later[part.wanted])
        begun = sums.begun(changes)[:, part.wanted]
        for points in _blocks(len(found), part.elapsed.size):
            for well, change in enumerate(changes):
                found[points, columns] += part.sums(respond(well, points), change[np.newaxis]) * begun[well]


def _responding(nodes: Nodes | None, elapsed: Numbers, response: PointResponse) -> Callable[[int, slice], Numbers]:
    if nodes is None:
        return lambda well, points: response(well, points, elapsed)
    interpolation, times = nodes.at(elapsed), nodes.times
    return lambda well, points: interpolation.of(response(well, points, times))


def _run(positions: NDArray[np.int64]) -> slice | NDArray[np.int64]:
    """Positions one after the other as a slice, which is not copied."""
    whole = positions.size > 0 and bool((np.diff(positions) == 1).all())
    return slice(positions[0], positions[-1] + 1) if whole else positions


def _blocks(rows: int, columns: int) -> list[slice]:
    size = max(1, NUMBERS_AT_ONCE // max(columns, 1))
    return [slice(first, min(first + size, rows)) for first in range(0, rows, size)]
