"""The site on a map in the county system: what is measured where, and how far the modelled cone reaches.

Axes are equal and in the system's own unit (US survey feet for EPSG:7595), north up. A private well is a
square at the centre of its quarter-quarter section, which is all the site file knows of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import numpy as np
import shapely
from numpy.typing import NDArray

from models.place import FEET_IN_A_MILE, may_be_shown
from models.site import Gauge, Point, Site, Well
from reports import figure_parts as parts
from reports.figure_parts import Figure, Parts

MARGIN_FT = 0.75 * FEET_IN_A_MILE
"""The map opens with this much around the site."""
FAR_FT = 1.5 * FEET_IN_A_MILE
"""The cone is computed this far around the site; what is measured further out is listed beside the map."""
LEVELS_FT = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0)
SMALL_LEVELS_FT = (0.1, 0.2, 0.3)
"""Contours: closer where the cone is flat, because its reach is asked for more than its depth."""


@dataclass(frozen=True)
class Marker:
    """How one kind of place is drawn: shape and colour both tell it apart."""

    kind: str
    symbol: str
    colour: str
    size: int = 11


MARKERS = (
    Marker("Monitoring well", "circle", parts.BLUE),
    Marker("Production well", "star", parts.VERMILION, 16),
    Marker("Private well (centre of its quarter-quarter)", "square-open", parts.PURPLE, 12),
    Marker("Index well", "diamond", parts.GREEN, 12),
    Marker("Stream gauge", "triangle-up", parts.INK, 13),
    Marker("Reference gauge", "triangle-up-open", parts.INK, 13),
)
_KIND_OF_USE = {"monitoring": 0, "production": 1, "private": 2, "index": 3}


@dataclass(frozen=True)
class Place:
    """One thing on the map. ``where`` says in words how well its place is known."""

    id: str
    kind: str
    position: Point
    accuracy_ft: float
    where: str


@dataclass(frozen=True)
class Cone:
    """Modelled drawdown [ft] on the grid of two axes [ft], at the end of a civil day.

    ``drawdown`` is float64[len(y), len(x)]; ``model`` says which model and which numbers.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    drawdown: NDArray[np.float64]
    on: date
    model: str

    def levels_ft(self) -> list[float]:
        """The contours drawn, from the outermost in."""
        most = float(self.drawdown.max(initial=0.0))
        return [level for level in (LEVELS_FT if most >= LEVELS_FT[0] else SMALL_LEVELS_FT) if level <= most]


def places(site: Site) -> list[Place]:
    """Wells and gauges with a position, the private ones only as their quarter-quarter and else not at all."""
    return [
        *(_well_place(one) for one in site.well if may_be_shown(one)),
        *(_gauge_place(one, one.position) for one in site.gauge if one.position),
    ]


def _well_place(well: Well) -> Place:
    kind = MARKERS[_KIND_OF_USE[well.use]].kind
    where = well.quarter_quarter or "quarter-quarter not stated" if well.use == "private" else "surveyed"
    return Place(well.id, kind, well.position, float(well.position_accuracy_ft), where)


def _gauge_place(gauge: Gauge, position: Point) -> Place:
    return Place(gauge.id, MARKERS[4 if gauge.role == "compliance" else 5].kind, position, 0.0, "surveyed")


def extent(site: Site, margin_ft: float) -> tuple[float, float, float, float]:
    """West, south, east and north of the site with a margin around it [ft]."""
    west, south, east, north = shapely.Polygon(site.boundary).buffer(margin_ft).bounds
    return float(west), float(south), float(east), float(north)


def beyond(site: Site) -> list[Place]:
    """What is measured further out than ``FAR_FT``."""
    west, south, east, north = extent(site, FAR_FT)
    return [p for p in places(site) if not (west <= p.position[0] <= east and south <= p.position[1] <= north)]


def site_map(site: Site, lines_mi: Sequence[Decimal] = (), cone: Cone | None = None) -> Figure:
    """Boundary, the law's distance lines, waters, gauges, wells by use, and contours of the cone.

    Parameters
    ----------
    lines_mi : distances from the boundary that the ordinance draws [mi].
    cone : modelled drawdown; None draws none.
    """
    west, south, east, north = extent(site, MARGIN_FT)
    ticks = {"tickformat": ",d", "nticks": 6, "ticks": "", "tickfont": {"size": 11, "color": parts.GREY}}
    frame = parts.layout(
        "",
        xaxis=parts.axis("", range=[west, east], ticklabelposition="inside right", **ticks),
        yaxis=parts.axis("", range=[south, north], scaleanchor="x", ticklabelposition="inside top", **ticks),
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
    )
    frame["legend"]["y"] = -0.02
    frame["annotations"] = [_north()]
    data = [*_contours(cone), *_lines(site, lines_mi), *_streams(site), *_accuracy(site), *_markers(site)]
    return {"data": [*data, _scale_bar(west, south)], "layout": frame}


def _contours(cone: Cone | None) -> list[Parts]:
    """One trace for each level: Plotly itself only draws levels at equal steps."""
    if cone is None:
        return []
    x, y, z = (np.round(one, places).tolist() for one, places in ((cone.x, 1), (cone.y, 1), (cone.drawdown, 2)))
    label = {"showlabels": True, "labelfont": {"size": 12, "color": parts.INK}, "coloring": "lines"}
    return [
        {
            "type": "contour", "name": "Modelled drawdown, ft", "legendgroup": "cone", "showlegend": number == 0,
            "x": x, "y": y, "z": z, "contours": {"start": level, "end": level, "size": 1, **label},
            "autocontour": False, "colorscale": [[0, parts.BLUE], [1, parts.BLUE]], "showscale": False,
            "line": {"width": 1.3, "dash": "dot", "color": parts.BLUE}, "hoverinfo": "skip",
        }
        for number, level in enumerate(cone.levels_ft())
    ]  # fmt: skip


def _lines(site: Site, lines_mi: Sequence[Decimal]) -> list[Parts]:
    boundary = shapely.Polygon(site.boundary)
    edge = _ring("Site boundary", boundary, {"color": parts.INK, "width": 2})
    around = [
        _ring(
            f"{miles.normalize():f} mile from the site",
            boundary.buffer(float(miles) * FEET_IN_A_MILE, quad_segs=24),
            {"color": parts.GREY, "width": 1.5, "dash": "dash"},
        )
        for miles in lines_mi
    ]
    return [{**edge, "fill": "toself", "fillcolor": "rgba(230,159,0,0.14)"}, *around]


def _ring(name: str, polygon: shapely.Polygon, line: Parts) -> Parts:
    x, y = np.round(shapely.get_coordinates(polygon.exterior), 1).T.tolist()
    return {**parts.trace(name, (x, y)), "mode": "lines", "line": line, "hoverinfo": "skip"}


def _streams(site: Site) -> list[Parts]:
    return [
        {
            **parts.trace("Stream", tuple(np.round(np.array(one.line), 1).T.tolist())), "mode": "lines",
            "line": {"color": parts.SKY, "width": 4}, "legendgroup": "stream", "showlegend": number == 0,
            "text": [parts.plain(one.name)] * len(one.line), "hovertemplate": "%{text}<extra></extra>",
        }
        for number, one in enumerate(site.stream)
    ]  # fmt: skip


def _accuracy(site: Site) -> list[Parts]:
    """A thin ring around each private well: within it the well may stand."""
    x: list[float | None] = []
    y: list[float | None] = []
    for well in filter(may_be_shown, site.wells("private")):
        ring = shapely.Point(well.position).buffer(float(well.position_accuracy_ft), quad_segs=16)
        easting, northing = np.round(shapely.get_coordinates(ring), 1).T.tolist()
        x += [*easting, None]
        y += [*northing, None]
    style = {"mode": "lines", "line": {"color": parts.PURPLE, "width": 1, "dash": "dot"}, "hoverinfo": "skip"}
    return [parts.trace("Ring in which a private well stands", (x, y), **style)] if x else []


def _markers(site: Site) -> list[Parts]:
    found = [(marker, [one for one in places(site) if one.kind == marker.kind]) for marker in MARKERS]
    return [_marker_trace(marker, chosen) for marker, chosen in found if chosen]


def _marker_trace(marker: Marker, chosen: Sequence[Place]) -> Parts:
    at = [round(p.position[0], 1) for p in chosen], [round(p.position[1], 1) for p in chosen]
    return {
        **parts.trace(marker.kind, at), "mode": "markers+text", "text": [p.id for p in chosen],
        "textposition": "top center", "textfont": {"size": 11, "color": parts.INK},
        "marker": {"symbol": marker.symbol, "size": marker.size, "color": marker.colour, "line": {"width": 1.8}},
        "hovertemplate": f"%{{text}}<br>{marker.kind}<extra></extra>",
    }  # fmt: skip


def _scale_bar(west: float, south: float) -> Parts:
    """Half a mile, drawn in the map's own unit so that it stays true under zoom."""
    x0, y0, tick, half = west + 700, south + 500, 120, FEET_IN_A_MILE / 2
    x = [x0, x0, x0, x0 + half / 2, x0 + half, x0 + half, x0 + half]
    y = [y0 + tick, y0 - tick, y0, y0, y0, y0 + tick, y0 - tick]
    return {
        **parts.trace("", (x, y)), "mode": "lines+text", "line": {"color": parts.INK, "width": 2}, "showlegend": False,
        "text": [f"1/2 mi = {half:,.0f} ft", *[""] * 6], "textposition": "top right", "hoverinfo": "skip",
    }  # fmt: skip


def _north() -> Parts:
    paper = {"xref": "paper", "yref": "paper", "x": 0.98, "y": 0.98, "xanchor": "right", "yanchor": "top"}
    return {**paper, "text": "▲<br><b>N</b>", "showarrow": False, "font": {"size": 15, "color": parts.INK}}
