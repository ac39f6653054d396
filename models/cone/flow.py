"""Flow directions and rates under a scenario: the cone on the regional slope, at places of the map. Metres, days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from models.aquifer.cone_tables import WellTable
from models.aquifer.contours import Window
from models.aquifer.flow_field import Crossing, Flow, Slope, crossing, flow_at
from models.cone.model import ConeModel, Point
from models.scenario.noun import Scenario

ARROWS = 17
"""Along a side of the map."""
STEP_M = 1.0
"""Half the distance over which the gradient is taken at a place."""
CLEAR_M = 15.0
"""No flow is told nearer to a pumping well: the model's well is a line there."""
LEVEL = Slope(0.0, 0.0)


@dataclass(frozen=True)
class FlowPlace:
    """A named place at which flow is told; ``position`` [m]."""

    name: str
    position: Point


@dataclass(frozen=True)
class FlowTold:
    """Flow at named places and on a lattice, and across the site's boundary (None: no boundary).

    ``regional_rate``: q of the slope without pumping [m2/d].
    """

    places: tuple[FlowPlace, ...]
    at_places: Flow
    lattice: Flow
    regional: Slope
    regional_rate: float
    boundary: Crossing | None


def flow_told(scenario: Scenario, model: ConeModel, tables: Sequence[WellTable], window: Window) -> FlowTold:
    """Flow under the best estimate, on a level water table where no regional slope is told.

    Where the thickness shrinks by s the flow is K (b - s) grad s = T grad (s - s^2 / 2b): the gradient of the linear
    drawdown carries the correction.
    """
    values, regional = model.values[0], model.regional or LEVEL
    drawdown = model.linear(tables, values)
    places = [one for one in _places(scenario) if _clear(model, one.position)]
    at = np.array([one.position for one in places], np.float64).reshape(-1, 2)
    lattice = np.array(list(_lattice(model, window)), np.float64).reshape(-1, 2)
    ring = [scenario.metres(one) for one in scenario.boundary]
    return FlowTold(
        tuple(places),
        flow_at(drawdown, regional, values.transmissivity, at[:, 0], at[:, 1], STEP_M),
        flow_at(drawdown, regional, values.transmissivity, lattice[:, 0], lattice[:, 1], STEP_M),
        regional,
        regional.slope * values.transmissivity,
        crossing(drawdown, regional, values.transmissivity, ring) if ring else None,
    )


def _places(scenario: Scenario) -> Iterator[FlowPlace]:
    """What is not private: points, the middle of each side of the boundary, each stream where it is nearest a well."""
    for point in scenario.point:
        if point.kind != "private":
            yield FlowPlace(point.id, scenario.metres(point.position))
    corners = [scenario.metres(one) for one in scenario.boundary]
    for name, position in _side_middles(corners):
        yield FlowPlace(name, position)
    for stream in scenario.stream:
        line = shapely.LineString([scenario.metres(one) for one in stream.line])
        wells = shapely.MultiPoint([scenario.metres(one.position) for one in scenario.well])
        near = shapely.get_coordinates(shapely.shortest_line(line, wells))
        inward = near[0] + (near[1] - near[0]) * min(1.0, 2 * STEP_M / float(np.hypot(*(near[1] - near[0]))))
        yield FlowPlace(f"{stream.id}, nearest the wells", (float(inward[0]), float(inward[1])))


def _side_middles(corners: Sequence[Point]) -> Iterator[tuple[str, Point]]:
    """The northernmost, easternmost, southernmost and westernmost of the middles of the boundary's sides."""
    if not corners:
        return
    ring = np.array([*corners, corners[0]])
    middles = (ring[1:] + ring[:-1]) / 2
    for name, axis, sign in (("north", 1, 1), ("east", 0, 1), ("south", 1, -1), ("west", 0, -1)):
        x, y = middles[np.argmax(sign * middles[:, axis])]
        yield f"boundary, {name} side", (float(x), float(y))


def _lattice(model: ConeModel, window: Window) -> Iterator[Point]:
    x, y = window.axes(ARROWS)
    for north in y:
        for east in x:
            inside = model.aquifer is None or bool(shapely.intersects_xy(model.aquifer, east, north))
            if inside and _clear(model, (float(east), float(north))):
                yield float(east), float(north)


def _clear(model: ConeModel, place: Point) -> bool:
    return all(
        np.hypot(one.well.position[0] - place[0], one.well.position[1] - place[1]) >= CLEAR_M for one in model.wells
    )
