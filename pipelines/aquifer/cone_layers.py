"""A cone of depression as layers of a map, for anybody: what is private is not in what they are made from."""

from __future__ import annotations

from collections.abc import Callable

import shapely
from shapely.geometry.base import BaseGeometry

from pipelines.geo_files import Feature, Layer
from reports.aquifer.cone_figures import ConePlan
from reports.aquifer.cone_told import REACHED
from reports.aquifer.map_plan import MapPlan


def cone_layers(of: ConePlan) -> list[Layer]:
    """Contours, areas, wells, rings of private wells, streams, boundary, half-mile line and flow, in the map's unit."""
    return plan_layers(of, _wells(of), _streams(of))


def plan_layers(of: MapPlan, wells: Layer, streams: Layer) -> list[Layer]:
    """The same of any plan, with what its own model says of wells and streams; a layer without shapes is left out."""
    layers = [_contours(of), _areas(of), wells, _rings(of), streams, *_site(of), _flow(of)]
    return [one for one in layers if one.features]


def _to_map(of: MapPlan) -> Callable[[BaseGeometry], BaseGeometry]:
    return lambda shape: shapely.transform(shape, lambda at: at * of.per_metre)


def _contours(of: MapPlan) -> Layer:
    unit, move = of.shown.drawdown, _to_map(of)
    found = [
        Feature(move(one.lines), {f"drawdown_{unit.name}": round(unit.of(one.level), 6), "closed": one.closed})
        for one in of.answer.contours
    ]  # fmt: skip
    return Layer("contours", "MultiLineString", found)


def _areas(of: MapPlan) -> Layer:
    unit, move = of.shown.drawdown, _to_map(of)
    found = [
        Feature(move(one.area), {f"drawdown_at_least_{unit.name}": round(unit.of(one.level), 6),
                                 f"area_{of.shown.area.name}": round(of.shown.area.of(one.area.area), 3)})
        for one in of.answer.contours
    ]  # fmt: skip
    return Layer("cone", "MultiPolygon", found)


def _wells(of: ConePlan) -> Layer:
    scenario, unit = of.answer.scenario, of.shown.drawdown
    found = [Feature(shapely.Point(one.position), {"id": one.id, "kind": "pumping"}) for one in scenario.well]
    for one in of.answer.reaches:
        numbers = {"low": one.drawdown_m.low, "best": one.drawdown_m.best, "high": one.drawdown_m.high}
        told = {f"drawdown_{name}_{unit.name}": round(unit.of(value), 3) for name, value in numbers.items()}
        found.append(Feature(shapely.Point(one.point.position), {"id": one.point.id, "kind": one.point.kind, **told}))
    return Layer("wells", "Point", found)


def _rings(of: MapPlan) -> Layer:
    unit, move = of.shown.drawdown, _to_map(of)
    found = [
        Feature(
            move(shapely.Point(one.ring.centre).buffer(one.ring.radius_m, quad_segs=16)),
            {"id": one.ring.id, "place": one.ring.where, "cone": REACHED[one.reached],
             f"drawdown_low_{unit.name}": round(unit.of(one.drawdown_m.low), 1),
             f"drawdown_high_{unit.name}": round(unit.of(one.drawdown_m.high), 1)},
        )
        for one in of.rings
    ]  # fmt: skip
    return Layer("private_wells", "MultiPolygon", found)


def _streams(of: ConePlan) -> Layer:
    unit = of.shown.stream
    lost = {one.stream: unit.of(one.rate.best) for one in of.answer.losses if one.rate is not None}
    column = f"depletion_{unit.name.replace('/', '_per_')}"
    found = [
        Feature(shapely.LineString(one.line), {"id": one.id, "name": one.name, column: lost.get(one.id)})
        for one in of.answer.scenario.stream
    ]
    return Layer("streams", "MultiLineString", found)


def _site(of: MapPlan) -> list[Layer]:
    if not of.answer.scenario.boundary:
        return []
    boundary = Layer(
        "boundary", "MultiPolygon", [Feature(shapely.Polygon(of.answer.scenario.boundary), {"id": "site"})]
    )
    if of.half_mile is None:
        return [boundary]
    line = shapely.LineString(of.half_mile.exterior)
    return [boundary, Layer("half_mile", "MultiLineString", [Feature(line, {"id": "1/2 mile from the site"})])]


def _flow(of: MapPlan) -> Layer:
    flow, k = of.flow.lattice, of.per_metre
    column = "rate_" + of.shown.flow.name.replace("²", "2").replace("/", "_per_")
    rows = zip(flow.x.tolist(), flow.y.tolist(), flow.toward.tolist(), flow.rate.tolist(), strict=True)
    found = [
        Feature(
            shapely.Point(x * k, y * k), {"toward_degrees": round(toward, 1), column: round(of.shown.flow.of(rate), 4)}
        )
        for x, y, toward, rate in rows
    ]
    return Layer("flow", "Point", found)
