"""A numerical model's answer as layers of a map, with the columns of `cone` where they mean the same."""

from __future__ import annotations

import shapely

from models.modflow.quantities import Quantities
from pipelines.aquifer.cone_layers import plan_layers
from pipelines.geo_files import Cell, Feature, Layer
from pipelines.modflow.path_layers import path_layers
from reports.modflow.numerical_page import NumericalPage


def numerical_layers(page: NumericalPage) -> list[Layer]:
    """The cone's layers, in the map's unit, with the pit and the property line; the same drawdown is the best one."""
    layers = [*plan_layers(page.of, _wells(page), _streams(page)), _pit(page), _property(page)]
    layers += [] if page.particles is None else path_layers(page.particles, page.of.answer.scenario)
    return [one for one in layers if one.features]


def _wells(page: NumericalPage) -> Layer:
    scenario, unit = page.of.answer.scenario, page.of.shown.drawdown
    found = [Feature(shapely.Point(one.position), {"id": one.id, "kind": "pumping"}) for one in scenario.well]
    for one in scenario.point:
        told: dict[str, Cell] = {"id": one.id, "kind": one.kind, f"drawdown_best_{unit.name}": _drawdown(page, one.id)}
        told |= _layer(page, one.id)
        found.append(Feature(shapely.Point(one.position), told))
    return Layer("wells", "Point", found)


def _layer(page: NumericalPage, id: str) -> dict[str, Cell]:
    """Of several layers, whose drawdown it is."""
    told = next(one for one in page.data["points"] if one["id"] == id)
    return {"layer": told["layer"]} if "layer" in told else {}


def _drawdown(page: NumericalPage, id: str) -> float | None:
    value = float(page.quantities.drawdown[id][-1])
    return None if value != value else round(page.of.shown.drawdown.of(value), 3)  # NaN: dry, or a well's own cell


def _streams(page: NumericalPage) -> Layer:
    unit, lost = page.of.shown.stream, page.quantities.depletion
    column = f"depletion_{unit.name.replace('/', '_per_')}"
    found = [
        Feature(
            shapely.LineString(one.line), {"id": one.id, "name": one.name, column: unit.of(float(lost[one.id][-1]))}
        )
        for one in page.of.answer.scenario.stream
    ]
    return Layer("streams", "MultiLineString", found)


def _pit(page: NumericalPage) -> Layer:
    pit, unit = page.of.answer.scenario.pit, page.of.shown.pumping
    if pit is None:
        return Layer("pit", "MultiPolygon", [])
    column = f"inflow_{unit.name.replace('³', '3').replace('/', '_per_')}"
    told: dict[str, Cell] = {"id": "pit", column: unit.of(_inflow(page.quantities))}
    return Layer("pit", "MultiPolygon", [Feature(shapely.Polygon(pit.polygon), told)])


def _inflow(told: Quantities) -> float:
    return sum(float(one[-1]) for one in told.inflow.values())


def _property(page: NumericalPage) -> Layer:
    line = page.of.answer.scenario.property_line
    found = [Feature(shapely.Polygon(line), {"id": "property line"})] if line else []
    return Layer("property_line", "MultiPolygon", found)
