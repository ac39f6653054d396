"""The straight frames in which the closed forms are written: beside a stream, beside and between edges. Metres."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from models.aquifer.bounded import Edge, quarter_plane_drawdown
from models.aquifer.strip import strip_drawdown
from models.aquifer.superposition import UnitResponse
from models.errors import BadQuestion
from models.place import stream_frame

Place = tuple[float, float]
Line = Sequence[Place]

PARALLEL = 1e-6
"""Sine of the angle below which two edges are parallel, and cosine below which they are at right angles."""


def beside_stream(line: Line, well: Place, point: Place) -> tuple[float, float, float]:
    """Hunt's frame: distance from well to stream, and the point's x (above 0 on the well's side) and y [m]."""
    distance, foot, (ux, uy) = stream_frame(line, well)
    dx, dy = point[0] - foot[0], point[1] - foot[1]
    return distance, dx * ux + dy * uy, dy * ux - dx * uy


def across(edge: Line, stream: Line, well: Place) -> float:
    """Cosine between the edge's normal and the way from the stream to the well: 0 where the edge stands across it."""
    (ax, ay), (bx, by) = edge
    _, _, (ux, uy) = stream_frame(stream, well)
    return float(((ay - by) * ux + (bx - ax) * uy) / np.hypot(bx - ax, by - ay))


def mirrored(edge: Line, point: Place) -> Place:
    """The mirror image of a place behind an edge."""
    (ax, ay), (bx, by) = edge
    length = float(np.hypot(bx - ax, by - ay))
    nx, ny = (ay - by) / length, (bx - ax) / length
    off = 2 * ((point[0] - ax) * nx + (point[1] - ay) * ny)
    return point[0] - off * nx, point[1] - off * ny


def beside_edges(
    edges: Sequence[tuple[Edge, Line]], well: Place, point: Place, aquifer: tuple[float, float]
) -> UnitResponse:
    """Drawdown at a point for a rate of 1, by image wells beside one edge, two at right angles or two parallel.

    Parameters
    ----------
    edges : kind and two points of each.
    aquifer : T [m2/d] and S [-].

    Raises
    ------
    BadQuestion : edges for which there is no closed form here.
    """
    offsets = [_from_edge(line, well, point) for _, line in edges]
    kinds = [kind for kind, _ in edges]
    if len(edges) == 1:
        (wx, _), (x, y) = offsets[0]
        return lambda t: quarter_plane_drawdown(1.0, *aquifer, (wx, 0.0), (kinds[0], None), x, y, t)
    if len(edges) > 2:
        raise BadQuestion("no closed form for so many edges", key="edge", found=len(edges), allowed=["one or two"])
    sine = _sine(edges[0][1], edges[1][1])
    if abs(sine) < PARALLEL:
        return _strip(kinds, edges, offsets, aquifer)
    if np.sqrt(1 - sine**2) > PARALLEL:
        raise BadQuestion(
            "no closed form for edges at this angle", key="edge", allowed=["parallel, or at right angles"]
        )
    ((wx, _), (x, _)), ((wy, _), (y, _)) = offsets
    return lambda t: quarter_plane_drawdown(1.0, *aquifer, (wx, wy), (kinds[0], kinds[1]), x, y, t)


def _strip(
    kinds: list[Edge],
    edges: Sequence[tuple[Edge, Line]],
    offsets: list[tuple[Place, Place]],
    aquifer: tuple[float, float],
) -> UnitResponse:
    (wx, _), (x, y) = offsets[0]
    width = abs(_from_edge(edges[0][1], edges[1][1][0], edges[1][1][0])[0][0])
    return lambda t: strip_drawdown(1.0, *aquifer, width, (kinds[0], kinds[1]), (wx, 0.0), x, y, t)


def _from_edge(line: Line, well: Place, point: Place) -> tuple[Place, Place]:
    """(x, y) of well and point with x from the edge on the well's side, y along it from the well."""
    (ax, ay), (bx, by) = line
    length = float(np.hypot(bx - ax, by - ay))
    ux, uy = (bx - ax) / length, (by - ay) / length

    def off(place: Place) -> Place:
        dx, dy = place[0] - ax, place[1] - ay
        return ux * dy - uy * dx, ux * dx + uy * dy

    (wx, wy), (x, y) = off(well), off(point)
    side = 1.0 if wx >= 0 else -1.0
    return (side * wx, 0.0), (side * x, y - wy)


def _sine(one: Line, other: Line) -> float:
    a = np.subtract(one[1], one[0])
    b = np.subtract(other[1], other[0])
    return float((a[0] * b[1] - a[1] * b[0]) / (np.hypot(*a) * np.hypot(*b)))
