"""What a plan of drawdown is drawn from, whichever model it comes from; nothing private is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from models.aquifer.contours import Contour, Window
from models.cone.flow import FlowTold
from models.cone.public import RingReach
from models.scenario.noun import Scenario
from reports.shown_units import Shown

HALF_MILE_FT = 2640.0
LEAST_DRAWN = 0.09
"""A contour narrower than this share of the map is left to the section: its number would hide the well."""


class Mapped(Protocol):
    """What the plan needs of an answer: the scenario, and contours of drawdown, the outermost first [m]."""

    @property
    def scenario(self) -> Scenario: ...

    @property
    def contours(self) -> tuple[Contour, ...]: ...


@dataclass(frozen=True)
class MapPlan:
    """What the plan draws.

    ``half_mile`` and ``window`` are in the map's own unit and in metres; ``shown`` says how numbers are printed.
    """

    answer: Mapped
    rings: Sequence[RingReach]
    flow: FlowTold
    window: Window
    half_mile: shapely.Polygon | None
    shown: Shown

    @property
    def per_metre(self) -> float:
        """Map units in a metre."""
        return 1 / self.answer.scenario.to_metres

    @property
    def drawn(self) -> list[Contour]:
        """The contours that are wide enough to be read, the outermost always."""
        first, *deeper = self.answer.contours
        least = np.pi * (LEAST_DRAWN * self.window.half) ** 2
        return [first, *(one for one in deeper if one.area.area >= least)]

    def too_narrow(self, where_else: str = "") -> str:
        """Says which contours are there and not drawn, and where else they are told; blank where all are drawn."""
        left_out = [self.shown.level(one.level) for one in self.answer.contours if one not in self.drawn]
        return f" Too narrow to draw here: {', '.join(left_out)}{where_else}." if left_out else ""


def half_mile_line(boundary: Sequence[tuple[float, float]], to_metres: float) -> shapely.Polygon | None:
    """Half a mile (2,640 ft) around the site, in the map's unit; a foot map's own foot counts."""
    if not boundary:
        return None
    feet = 1.0 if abs(to_metres - 0.3048) < 1e-5 else 0.3048 / to_metres
    return shapely.Polygon(boundary).buffer(HALF_MILE_FT * feet, quad_segs=32)


def window_around(shapes: Sequence[BaseGeometry]) -> Window:
    """The square of the map that holds shapes [m], with a margin."""
    west, south, east, north = shapely.total_bounds(np.array(shapes, object))
    half = 1.06 * max(east - west, north - south, 50.0) / 2
    return Window(float(west + east) / 2, float(south + north) / 2, float(half))


def outline(shape: BaseGeometry, scale: float) -> tuple[list[float | None], list[float | None]]:
    """Every ring or line of a shape, None between them."""
    x: list[float | None] = []
    y: list[float | None] = []
    lines = shape.boundary if isinstance(shape, shapely.Polygon | shapely.MultiPolygon) else shape
    for one in shapely.get_parts(lines):
        east, north = np.round(shapely.get_coordinates(one).T * scale, 1).tolist()
        x += [*east, None]
        y += [*north, None]
    return x, y
