"""A grid turned against the map, so that its columns follow the stream, edge or pit side that decides the answer.

A line that runs aslant through cells lies beside their centres: at 37 degrees the depletion of a stream errs by 0.004
to 0.007 of the pumping where it errs by 0.0003 to 0.0006 along a column (`benchmarks.modflow`). Metres, degrees
anticlockwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import atan2, cos, degrees, hypot, radians, sin

import numpy as np
import shapely
from numpy.typing import NDArray

from models.place import stream_frame
from models.scenario.noun import PumpedWell, Scenario

Numbers = NDArray[np.float64]
Point = tuple[float, float]
FAR_M = 1e7
"""No grid reaches so far from a scenario."""
LEAST_TURN = 1e-6
"""A smaller turn is rounding: it moves the end of a line of 100 km by 2 mm."""


def inward(points: Numbers, turn: float) -> Numbers:
    """From the map's coordinates to the grid's own, float64[..., 2]."""
    return _turned(points, -turn) if turn else points


def outward(points: Numbers, turn: float) -> Numbers:
    """From the grid's own coordinates, or directions, to the map's, float64[..., 2]."""
    return _turned(points, turn) if turn else points


def _turned(points: Numbers, turn: float) -> Numbers:
    c, s = cos(radians(turn)), sin(radians(turn))
    x, y = points[..., 0], points[..., 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=-1)


def endless(line: Sequence[Point]) -> list[Point]:
    """The straight line through two points, far beyond any grid [m]."""
    (ax, ay), (bx, by) = line
    length = hypot(bx - ax, by - ay)
    ux, uy = FAR_M * (bx - ax) / length, FAR_M * (by - ay) / length
    return [(ax - ux, ay - uy), (ax + ux, ay + uy)]


def turn_of(scenario: Scenario) -> float:
    """By how much the grid of a scenario is turned, between -45 and 45.

    Square to the shortest way from the well that pumps most to a stream, as Hunt's solution has it; without a stream to
    an edge; without either along a side of the pit's smallest box.
    """
    angle = next(_across(scenario), 0.0)
    turn = angle - 90.0 * round(angle / 90.0)
    return 0.0 if abs(turn) < LEAST_TURN else turn


def _across(scenario: Scenario) -> Iterator[float]:
    """Directions square to what the grid should follow, the first one first."""
    place = _pumped_most(scenario)
    streams = [[scenario.metres(at) for at in one.line] for one in scenario.stream]
    edges = [endless([scenario.metres(at) for at in one.line]) for one in scenario.edge]
    for lines in (streams, edges):
        frames = [stream_frame(line, place) for line in lines] if place else []
        if frames:
            apart, _, (ux, uy) = min(frames, key=lambda one: one[0])
            if apart > 0:
                yield degrees(atan2(uy, ux))
    if scenario.pit is not None:
        corners = [scenario.metres(one) for one in scenario.pit.polygon]
        (ax, ay), (bx, by) = shapely.get_coordinates(shapely.oriented_envelope(shapely.Polygon(corners)))[:2].tolist()
        yield degrees(atan2(by - ay, bx - ax))


def _pumped_most(scenario: Scenario) -> Point | None:
    """The well that ever pumps most, or the pit's middle."""
    if scenario.well:
        return scenario.metres(max(scenario.well, key=_most).position)
    if scenario.pit is None:
        return None
    middle = shapely.Polygon([scenario.metres(one) for one in scenario.pit.polygon]).centroid
    return middle.x, middle.y


def _most(well: PumpedWell) -> float:
    return max((abs(rate) for rate in well.schedule[1]), default=0.0)
