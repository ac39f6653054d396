"""Figures of a cone of depression: its plan, and a section through the deepest well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from models.aquifer.admissible import Numbers
from models.aquifer.contours import Window
from models.aquifer.flow_field import Flow
from models.cone.answer import ConeAnswer
from reports import figure_parts as parts
from reports.aquifer.map_plan import MapPlan, outline, window_around
from reports.figure_parts import Figure, Parts

LABEL_TOWARD = 215.0
"""Contours carry their number on this side, degrees clockwise from north: away from most legends and scale bars."""
ARROW_SHARE, HEAD_SHARE, HEAD_DEGREES = 0.8, 0.26, 24.0
SHADES = "rgba(0,114,178,{})"


@dataclass(frozen=True)
class ConePlan(MapPlan):
    """The plan of a cone."""

    answer: ConeAnswer


def plan_window(answer: ConeAnswer, half_mile: shapely.Polygon | None) -> Window:
    """The square of the map that holds the outermost contour and the half mile around the site [m]."""
    scale = answer.scenario.to_metres
    shapes: list[BaseGeometry] = [
        answer.contours[0].area,
        shapely.MultiPoint([w.well.position for w in answer.model.wells]),
    ]
    if half_mile is not None:
        shapes.append(shapely.transform(half_mile, lambda at: at * scale))
    return window_around(shapes)


def plan(of: MapPlan) -> Figure:
    """Contours with their numbers, wells, streams, boundary, half-mile line, flow arrows, scale and north."""
    k, window = of.per_metre, of.window
    ticks = {"tickformat": ",d", "nticks": 6, "ticks": "", "tickfont": {"size": 11, "color": parts.GREY}}
    x, y, half = window.x * k, window.y * k, window.half * k
    frame = parts.layout(
        "",
        xaxis=parts.axis("", range=[x - half, x + half], ticklabelposition="inside right", constrain="domain", **ticks),
        yaxis=parts.axis("", range=[y - half, y + half], scaleanchor="x", ticklabelposition="inside top",
                         constrain="domain", **ticks),
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
    )  # fmt: skip
    frame["legend"]["y"] = -0.02
    frame["annotations"] = [_north(of), *_contour_labels(of)]
    data = [*_cone(of), *_site(of), *_streams(of), *_arrows(of), *_rings(of), *_wells(of), _scale_bar(of)]
    return {"data": data, "layout": frame}


def _cone(of: MapPlan) -> list[Parts]:
    found = []
    for number, one in enumerate(of.drawn):
        says = f"{of.shown.level(one.level)} of drawdown"
        found.append(
            {
                **parts.trace("Drawdown contour", outline(one.area, of.per_metre)),
                "mode": "lines",
                "fill": "toself",
                "fillcolor": SHADES.format(0.10),
                "legendgroup": "cone",
                "showlegend": number == 0,
                "line": {"color": parts.BLUE, "width": 2.4 if number == 0 else 1.3},
                "hoverinfo": "text",
                "text": says,
                "hoveron": "fills",
            }
        )
    return found


def _contour_labels(of: MapPlan) -> list[Parts]:
    """Each contour's number where a ray from its middle leaves it."""
    found = []
    for one in of.drawn:
        for part in one.area.geoms:
            at = _on_ray(part, LABEL_TOWARD)
            found.append(
                {
                    "x": at[0] * of.per_metre,
                    "y": at[1] * of.per_metre,
                    "text": of.shown.level(one.level),
                    "showarrow": False,
                    "font": {"size": 12, "color": "#00517f"},
                    "bgcolor": "rgba(255,255,255,0.85)",
                    "borderpad": 1,
                }
            )
    return found


def _on_ray(part: shapely.Polygon, toward: float) -> tuple[float, float]:
    middle = part.representative_point() if not part.contains(part.centroid) else part.centroid
    west, south, east, north = part.bounds
    reach, angle = (east - west) + (north - south), np.radians(toward)
    ray = shapely.LineString(
        [(middle.x, middle.y), (middle.x + reach * np.sin(angle), middle.y + reach * np.cos(angle))]
    )
    ends = shapely.get_coordinates(shapely.intersection(ray, part.exterior))
    far = ends[np.argmax(np.hypot(ends[:, 0] - middle.x, ends[:, 1] - middle.y))]
    return float(far[0]), float(far[1])


def _site(of: MapPlan) -> list[Parts]:
    scenario, found = of.answer.scenario, []
    if scenario.boundary:
        at = outline(shapely.Polygon(scenario.boundary), 1.0)
        line = {"color": parts.INK, "width": 2}
        found.append(parts.trace("Site boundary", at, mode="lines", line=line, hoverinfo="skip"))
    if of.half_mile is not None:
        line = {"color": parts.GREY, "width": 1.6, "dash": "dash"}
        at = outline(of.half_mile, 1.0)
        found.append(parts.trace("1/2 mile from the site", at, mode="lines", line=line, hoverinfo="skip"))
    for edge in scenario.edge:
        line = {"color": "#7a5230", "width": 3}
        at = tuple(np.round(np.array(edge.line), 1).T.tolist())
        found.append(parts.trace(f"Edge {edge.id}", at, mode="lines", line=line, hoverinfo="skip"))
    return found


def _streams(of: MapPlan) -> list[Parts]:
    return [
        {
            **parts.trace("Stream", tuple(np.round(np.array(one.line), 1).T.tolist())), "mode": "lines",
            "line": {"color": parts.SKY, "width": 4}, "legendgroup": "stream", "showlegend": number == 0,
            "text": [parts.plain(one.name or one.id)] * len(one.line), "hovertemplate": "%{text}<extra></extra>",
        }
        for number, one in enumerate(of.answer.scenario.stream)
    ]  # fmt: skip


def _arrows(of: MapPlan) -> list[Parts]:
    """Flow as arrows whose length grows with the rate, the longest as long as the lattice is wide."""
    flow, k = of.flow.lattice, of.per_metre
    if not flow.x.size or not float(flow.rate.max()):
        return []
    spacing = 2 * of.window.half / 16
    long = float(np.quantile(flow.rate, 0.9))
    x, y = _arrow_lines(flow, ARROW_SHARE * spacing * np.minimum(flow.rate / long, 1.0))
    name = f"Groundwater flow (longest arrow {of.shown.flow.says(long)} or more)"
    at = [None if v is None else round(v * k, 1) for v in x], [None if v is None else round(v * k, 1) for v in y]
    return [parts.trace(name, at, mode="lines", line={"color": "#8796a5", "width": 1.1}, hoverinfo="skip")]


def _arrow_lines(flow: Flow, length: Numbers) -> tuple[list[float | None], list[float | None]]:
    rate = np.where(flow.rate > 0, flow.rate, 1.0)
    ux, uy = flow.qx / rate, flow.qy / rate
    tip_x, tip_y = flow.x + length / 2 * ux, flow.y + length / 2 * uy
    x: list[float | None] = []
    y: list[float | None] = []
    angle = np.radians(180 - HEAD_DEGREES)
    cos, sin, head = np.cos(angle), np.sin(angle), HEAD_SHARE * length
    left = tip_x + head * (ux * cos - uy * sin), tip_y + head * (ux * sin + uy * cos)
    right = tip_x + head * (ux * cos + uy * sin), tip_y + head * (-ux * sin + uy * cos)
    tail = flow.x - length / 2 * ux, flow.y - length / 2 * uy
    for n in range(flow.x.size):
        x += [float(tail[0][n]), float(tip_x[n]), float(left[0][n]), float(tip_x[n]), float(right[0][n]), None]
        y += [float(tail[1][n]), float(tip_y[n]), float(left[1][n]), float(tip_y[n]), float(right[1][n]), None]
    return x, y


def _rings(of: MapPlan) -> list[Parts]:
    """Where private wells may stand."""
    if not of.rings:
        return []
    x: list[float | None] = []
    y: list[float | None] = []
    for one in of.rings:
        circle = shapely.Point(one.ring.centre).buffer(one.ring.radius_m, quad_segs=16)
        east, north = outline(circle, of.per_metre)
        x, y = x + east, y + north
    style = {"mode": "lines", "line": {"color": parts.PURPLE, "width": 1.2, "dash": "dot"}, "hoverinfo": "skip"}
    centres = [tuple(round(v * of.per_metre, 1) for v in one.ring.centre) for one in of.rings]
    marker = {"symbol": "square-open", "size": 11, "color": parts.PURPLE, "line": {"width": 1.8}}
    return [
        parts.trace("Ring in which a private well stands", (x, y), **style),
        _named("Private well (centre of its quarter-quarter)", [one.ring.id for one in of.rings], centres, marker),
    ]


def _wells(of: MapPlan) -> list[Parts]:
    scenario = of.answer.scenario
    star = {"symbol": "star", "size": 16, "color": parts.VERMILION, "line": {"width": 1, "color": "#ffffff"}}
    dot = {"symbol": "circle", "size": 9, "color": parts.GREEN, "line": {"width": 1, "color": "#ffffff"}}
    found = [_named("Pumping well", [one.id for one in scenario.well], [one.position for one in scenario.well], star)]
    if scenario.point:
        ids, at = [one.id for one in scenario.point], [one.position for one in scenario.point]
        found.append(_named("Monitoring well or point", ids, at, dot))
    return found


def _named(name: str, ids: Sequence[str], at: Sequence[tuple[float, ...]], marker: Parts) -> Parts:
    return {
        **parts.trace(name, ([p[0] for p in at], [p[1] for p in at])), "mode": "markers+text", "text": list(ids),
        "textposition": "top center", "textfont": {"size": 11, "color": parts.INK}, "marker": marker,
        "hovertemplate": f"%{{text}}<br>{name}<extra></extra>",
    }  # fmt: skip


def _scale_bar(of: MapPlan) -> Parts:
    """A round length of about a quarter of the map, true under zoom."""
    k, window, unit = of.per_metre, of.window, of.shown.length
    wanted = 2 * window.half * unit.per / 4
    step = 10 ** np.floor(np.log10(wanted))
    length = step * max(one for one in (1, 2, 5) if one * step <= wanted)
    bar = length / unit.per * k
    x0, y0, tick = (window.x - 0.95 * window.half) * k, (window.y - 0.95 * window.half) * k, 0.012 * window.half * k
    x = [x0, x0, x0, x0 + bar / 2, x0 + bar, x0 + bar, x0 + bar]
    y = [y0 + tick, y0 - tick, y0, y0, y0, y0 + tick, y0 - tick]
    return {
        **parts.trace("", (x, y)), "mode": "lines+text", "showlegend": False,
        "line": {"color": parts.INK, "width": 2.5},
        "text": [f"{length:,.0f} {unit.name}", *[""] * 6], "textposition": "top right", "hoverinfo": "skip",
        "textfont": {"size": 12, "color": parts.INK},
    }  # fmt: skip


def _north(of: MapPlan) -> Parts:
    k, window = of.per_metre, of.window
    corner = {"x": (window.x + 0.97 * window.half) * k, "y": (window.y + 0.97 * window.half) * k}
    return {
        **corner, "xanchor": "right", "yanchor": "top", "text": "▲<br><b>N</b>", "showarrow": False,
        "font": {"size": 15, "color": parts.INK}, "bgcolor": "rgba(255,255,255,0.8)",
    }  # fmt: skip
