"""Where the cells of a scenario's grid are fine: at wells, across the pit, and where streams and edges come nearest."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from models.modflow.axis import Fine
from models.modflow.turned import Point, endless, inward
from models.place import stream_frame
from models.scenario.noun import Scenario

FINE_M = 2.0
"""Width of a well's cell where nobody asks for another; a finer or wider one makes all cells finer or wider by so much:
a pit's, a stream's and an edge's too."""
STREAM_SHARE, MOST_STREAM_SHARE = 0.05, 0.2
"""Cells at a stream or an edge over its distance from a well or the pit."""
PIT_CELLS, LEAST_PIT_CELLS, MOST_PIT_CELLS = 20, 4, 160
"""Across a pit's shorter side; Jacob and Lohman's inflow within 3 % (`benchmarks.modflow`). Along the longer one no
more than the last, for which cells there may be wider."""
Numbers = NDArray[np.float64]
Places = list[tuple[Fine, Fine]]


def fine_places(scenario: Scenario, fine_m: float, turn: float) -> tuple[list[Fine], list[Fine]]:
    """Fine stretches of both axes, in the coordinates of a grid turned by so many degrees.

    Parameters
    ----------
    fine_m : width of a pumped well's cell [m].
    """
    wells = [scenario.metres(one.position) for one in scenario.well]
    found: Places = [_around(place, fine_m) for place in inward(np.array(wells).reshape(-1, 2), turn)]
    pit = [] if scenario.pit is None else [scenario.metres(one) for one in scenario.pit.polygon]
    if pit:
        found.append(_across_pit(inward(np.array(pit), turn), fine_m))
    for at, line in _lines(scenario):
        near = [*feet([line], wells), *_feet_of_pit(line, pit)]
        found += [at(inward(foot, turn), _nearest(apart, fine_m)) for foot, apart in near]
    return [one for one, _ in found], [one for _, one in found]


def _lines(scenario: Scenario) -> Iterator[tuple[Callable[[Numbers, float], tuple[Fine, Fine]], list[Point]]]:
    """Streams and edges, and how the cell of each lies at it."""
    for stream in scenario.stream:
        yield _around, [scenario.metres(one) for one in stream.line]
    for edge in scenario.edge:
        yield _beside if edge.kind == "no_flow" else _around, endless([scenario.metres(one) for one in edge.line])


def _feet_of_pit(line: Sequence[Point], pit: Sequence[Point]) -> Iterator[tuple[Numbers, float]]:
    """As `feet`: the point of a line nearest to a pit, and how far off it is [m]."""
    if pit:
        way = shapely.shortest_line(shapely.LineString(line), shapely.Polygon(pit))
        if way.length > 0:
            yield shapely.get_coordinates(way)[0], float(way.length)


def feet(lines: Sequence[Sequence[Point]], wells: Sequence[Point]) -> Iterator[tuple[Numbers, float]]:
    """The point of each line nearest to each well, on the map, and how far apart they are [m]; none if they touch."""
    for line in lines:
        for well in wells:
            apart, foot, _ = stream_frame(line, well)
            if apart > 0:
                yield np.array(foot), apart


def _nearest(apart: float, fine_m: float) -> float:
    """Width of the cell of a line that comes so near to a well or the pit [m]."""
    return max(apart * min(STREAM_SHARE * fine_m / FINE_M, MOST_STREAM_SHARE), fine_m)


def _around(place: Numbers, width: float) -> tuple[Fine, Fine]:
    """A cell with the place in its middle."""
    return Fine.around(float(place[0]), width), Fine.around(float(place[1]), width)


def _beside(place: Numbers, width: float) -> tuple[Fine, Fine]:
    """A cell with its side at the place, as a wall has it."""
    x, y = place.tolist()
    return Fine(x, x + width, width), Fine(y, y + width, width)


def _across_pit(corners: Numbers, fine_m: float) -> tuple[Fine, Fine]:
    (west, south), (east, north) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    width = min(east - west, north - south) / max(PIT_CELLS * FINE_M / fine_m, LEAST_PIT_CELLS)
    most = MOST_PIT_CELLS * max(1.0, FINE_M / fine_m)
    across, up = (max(width, side / most) for side in (east - west, north - south))
    return Fine(west, east, across), Fine(south, north, up)
