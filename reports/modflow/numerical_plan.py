"""The plan of a numerical model: the cone's, with the pit and the property line on it."""

from __future__ import annotations

from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from models.aquifer.contours import Contour, Window
from models.scenario.noun import Scenario
from reports import figure_parts as parts
from reports.aquifer.cone_figures import plan
from reports.aquifer.map_plan import MapPlan, outline, window_around
from reports.figure_parts import Figure, Parts


@dataclass(frozen=True)
class Contoured:
    """A scenario without its private wells, and contours of drawdown, the outermost first [m]."""

    scenario: Scenario
    contours: tuple[Contour, ...]


def numerical_window(answer: Contoured, half_mile: shapely.Polygon | None) -> Window:
    """The square of the map that holds the outermost contour, wells, pit and the half mile around the site [m]."""
    scenario, scale = answer.scenario, answer.scenario.to_metres
    shapes: list[BaseGeometry] = [one for one in (answer.contours[0].area,) if not one.is_empty]
    shapes += [shapely.Point(scenario.metres(one.position)) for one in scenario.well]
    if scenario.pit is not None:
        shapes.append(shapely.Polygon([scenario.metres(one) for one in scenario.pit.polygon]))
    if half_mile is not None:
        shapes.append(shapely.transform(half_mile, lambda at: at * scale))
    if answer.contours[0].area.is_empty:
        shapes += [shapely.Point(scenario.metres(one.position)) for one in scenario.point]
    return window_around(shapes)


def numerical_plan(of: MapPlan) -> Figure:
    """Contours, wells, streams, boundary, half-mile line, flow arrows, scale and north; pit and property line."""
    drawn = plan(of)
    return {**drawn, "data": [*drawn["data"], *_pit(of.answer.scenario), *_property(of.answer.scenario)]}


def _pit(scenario: Scenario) -> list[Parts]:
    if scenario.pit is None:
        return []
    line = {"color": "#7a5230", "width": 2.2}
    at = outline(shapely.Polygon(scenario.pit.polygon), 1.0)
    return [parts.trace("Pit", at, mode="lines", line=line, hoverinfo="skip")]


def _property(scenario: Scenario) -> list[Parts]:
    """Where it is another than the site's boundary."""
    if not scenario.property_line or scenario.property_line == scenario.boundary:
        return []
    line = {"color": parts.ORANGE, "width": 2, "dash": "dashdot"}
    at = outline(shapely.Polygon(scenario.property_line), 1.0)
    return [parts.trace("Property line", at, mode="lines", line=line, hoverinfo="skip")]
