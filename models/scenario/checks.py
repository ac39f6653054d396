"""Is a scenario possible? Its schema is right; these are the things a schema cannot see."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from models.errors import BadSite
from models.scenario.noun import Edge, Point, PumpedWell, Scenario
from models.units import convert

ON_THE_SPOT = 1e-9
"""Closer than this, in the scenario's unit, is the same place."""


def check_scenario(scenario: Scenario, file: str) -> None:
    """Refuse what cannot be.

    Raises
    ------
    BadSite : the first fault, naming file, key, what was found and what is allowed.
    """
    for key, found, reason, allowed in _faults(scenario):
        raise BadSite(reason, file=file, key=key, found=found, allowed=[allowed])


Fault = tuple[str, object, str, str]


def _faults(scenario: Scenario) -> Iterator[Fault]:
    yield from _shapes(scenario)
    for well in scenario.well:
        yield from _inside(scenario, well)
        yield from _streams_through(scenario, well)
        yield from _rates(well)
    yield from _same_place(scenario)
    for edge in scenario.edge:
        yield from _sides(scenario, edge)


def _shapes(scenario: Scenario) -> Iterator[Fault]:
    polygons = {"boundary": scenario.boundary, "pit.polygon": scenario.pit.polygon if scenario.pit else ()}
    for key, corners in polygons.items():
        if corners and (len(corners) < 3 or not shapely.Polygon(corners).is_valid or not shapely.Polygon(corners).area):
            yield key, len(corners), "encloses nothing, or crosses itself", "three corners or more, in order"
    lines = {one.id: one.line for one in scenario.stream} | {one.id: one.line for one in scenario.edge}
    for name, line in lines.items():
        if not shapely.LineString(line).length:
            yield f"{name}.line", line[0], "has no length", "two different points"


def _inside(scenario: Scenario, well: PumpedWell) -> Iterator[Fault]:
    if scenario.boundary and not shapely.Polygon(scenario.boundary).covers(shapely.Point(well.position)):
        yield f"well[{well.id}].position", well.position, "a pumping well outside the boundary", "inside the boundary"


def _streams_through(scenario: Scenario, well: PumpedWell) -> Iterator[Fault]:
    least = radius_of(scenario, well) or ON_THE_SPOT
    for stream in scenario.stream:
        distance = float(shapely.distance(shapely.LineString(stream.line), shapely.Point(well.position)))
        if distance <= least:
            reason = f"the stream {stream.id} runs through the well: the models hold for a well beside a stream"
            yield (
                f"well[{well.id}].position",
                well.position,
                reason,
                f"above {least:.3g} {scenario.unit} from the stream",
            )


def _rates(well: PumpedWell) -> Iterator[Fault]:
    for step in well.steps:
        if step.rate.ranged:
            yield f"well[{well.id}].rate", step.rate.text, "a rate of a scenario has no range", "one number"
    if well.permitted is not None and (well.permitted.ranged or well.permitted.best <= 0):
        yield f"well[{well.id}].permitted", well.permitted.text, "not a permitted rate", "one number above 0"


def _same_place(scenario: Scenario) -> Iterator[Fault]:
    """A point in a pumping well has no finite drawdown unless the well has a radius."""
    for well in scenario.well:
        for point in scenario.point:
            if apart(point.position, well.position) <= ON_THE_SPOT and well.radius is None:
                reason = f"stands in the pumping well {well.id}: the drawdown in a line well has no limit"
                yield f"point[{point.id}].position", point.position, reason, f"give {well.id} its radius"


def _sides(scenario: Scenario, edge: Edge) -> Iterator[Fault]:
    """Everything lies on one side of an edge; the first well says which."""
    wells = {one.id: one.position for one in scenario.well}
    places = wells | {one.id: one.position for one in scenario.point}
    sides = [(name, side_of(edge, place)) for name, place in places.items()]
    for name, side in sides:
        if name in wells and side == 0:
            yield f"well[{name}].position", None, f"stands on the edge {edge.id}", "off the edge"
        if side * sides[0][1] < 0:
            reason = f"{name} lies beyond the edge {edge.id}, outside the aquifer"
            yield f"{name}.position", None, reason, f"on the side of {sides[0][0]}"


def side_of(edge: Edge, point: Point) -> float:
    """Signed distance of a point from an edge's line, in the scenario's unit."""
    (ax, ay), (bx, by) = edge.line
    return float(((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) / np.hypot(bx - ax, by - ay))


def apart(one: Point, other: Point) -> float:
    """Distance of two places, in the scenario's unit."""
    return float(np.hypot(one[0] - other[0], one[1] - other[1]))


def radius_of(scenario: Scenario, well: PumpedWell) -> float:
    """The well's radius in the scenario's unit; 0 where it has none."""
    return 0.0 if well.radius is None else float(convert(well.radius.best, "m", scenario.unit))
