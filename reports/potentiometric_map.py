"""The potentiometric surface of one round on a map: control wells with their levels, contours of the plane, one arrow.

Contours are straight, since the surface is a plane, and are drawn only about the wells it rests on. The wedge around
the arrow is the interval of the direction. Axes are equal, in the map's own unit, north up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from models.aquifer.contours import Window
from models.potentiometric import Plane
from reports import figure_parts as parts
from reports.figure_parts import Figure, Parts

WANTED_LINES = 7
STEPS = (1, 2, 5)
AROUND = 0.12
"""Contours reach this share of the map beyond the wells."""
ARROW = 0.36
"""Length of the arrow, of half the map."""
HEAD_SHARE, HEAD_DEGREES = 0.16, 24.0
Place = tuple[float, float]


@dataclass(frozen=True)
class ControlWell:
    """One posted level [ft above NAVD88]."""

    id: str
    position: Place
    elevation_ft: float


@dataclass(frozen=True)
class SurfaceMap:
    """What the map draws; streams by name."""

    wells: Sequence[ControlWell]
    plane: Plane
    boundary: Sequence[Place]
    streams: Sequence[tuple[str, Sequence[Place]]]

    @property
    def window(self) -> Window:
        """The square that holds the wells and the boundary."""
        places = np.array([*(one.position for one in self.wells), *self.boundary])
        low, high = places.min(axis=0), places.max(axis=0)
        middle, half = (low + high) / 2, 1.15 * float((high - low).max()) / 2
        return Window(float(middle[0]), float(middle[1]), half)


def surface_map(of: SurfaceMap) -> Figure:
    """The figure."""
    window = of.window
    ticks = {"tickformat": ",d", "nticks": 6, "ticks": "", "tickfont": {"size": 11, "color": parts.GREY}}
    west_east = [window.x - window.half, window.x + window.half]
    south_north = [window.y - window.half, window.y + window.half]
    frame = parts.layout(
        "",
        xaxis=parts.axis("", range=west_east, constrain="domain", ticklabelposition="inside right", **ticks),
        yaxis=parts.axis(
            "", range=south_north, scaleanchor="x", constrain="domain", ticklabelposition="inside top", **ticks
        ),
        margin={"l": 4, "r": 4, "t": 4, "b": 4},
    )
    frame["legend"]["y"] = -0.02
    lines, labels = _contours(of)
    frame["annotations"] = [_north(window), *labels, *_postings(of)]
    data = [*_site(of), *lines, *_direction(of), _wells(of), _scale_bar(window)]
    return {"data": data, "layout": frame}


def contour_levels(low: float, high: float) -> list[float]:
    """Round elevations between two, about ``WANTED_LINES`` of them [ft]."""
    if high - low < 1e-6:
        return []
    rough = (high - low) / WANTED_LINES
    decade = 10.0 ** np.floor(np.log10(rough))
    step = next((decade * one for one in STEPS if decade * one >= rough), decade * 10)
    first, last = np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9)
    return [round(float(k * step), 6) for k in np.arange(first, last + 1)]


def _contours(of: SurfaceMap) -> tuple[list[Parts], list[Parts]]:
    """The lines as one trace, and each line's number at its northern end."""
    area = _told_area(of)
    corners = shapely.get_coordinates(area)
    heights = [of.plane.level(float(x), float(y)).best for x, y in corners]
    x: list[float | None] = []
    y: list[float | None] = []
    labels = []
    for level in contour_levels(min(heights), max(heights)):
        ends = _line(of, area, level)
        if len(ends) < 2:
            continue
        x, y = [*x, *(round(at[0], 1) for at in ends), None], [*y, *(round(at[1], 1) for at in ends), None]
        top = max(ends, key=lambda at: at[1])
        labels.append(
            {
                "x": round(top[0], 1), "y": round(top[1], 1), "text": f"{level:g}", "showarrow": False,
                "font": {"size": 12, "color": "#00517f"}, "bgcolor": "rgba(255,255,255,0.85)", "borderpad": 1,
            }
        )  # fmt: skip
    line = {"color": parts.BLUE, "width": 1.6}
    name = "Water level [ft above NAVD88], plane of least squares"
    return ([parts.trace(name, (x, y), mode="lines", line=line, hoverinfo="skip")] if x else []), labels


def _told_area(of: SurfaceMap) -> shapely.Polygon:
    hull = shapely.MultiPoint([one.position for one in of.wells]).convex_hull
    area = hull.buffer(AROUND * of.window.half)
    assert isinstance(area, shapely.Polygon)
    return area


def _line(of: SurfaceMap, area: shapely.Polygon, level: float) -> list[Place]:
    """The contour of one level across the area: it lies square to the gradient."""
    a, b, middle_level = (float(one) for one in of.plane.coefficients)
    gradient = a * a + b * b
    share = (level - middle_level) / gradient
    x, y = float(of.plane.middle[0]) + a * share, float(of.plane.middle[1]) + b * share
    reach = 4 * of.window.half / np.sqrt(gradient)
    whole = shapely.LineString([(x - b * reach, y + a * reach), (x + b * reach, y - a * reach)])
    return [(float(px), float(py)) for px, py in shapely.get_coordinates(shapely.intersection(whole, area))]


def _direction(of: SurfaceMap) -> list[Parts]:
    """The arrow from the middle of the wells and its wedge; nothing where no direction is told."""
    plane, half = of.plane, of.window.half
    if not plane.tells_direction:
        return []
    length, start = ARROW * half, (float(plane.middle[0]), float(plane.middle[1]))
    error = min(plane.spread * plane.toward_error, 180.0)
    fan = [start, *(_from(start, plane.toward + one, length) for one in np.linspace(-error, error, 25)), start]
    tip = _from(start, plane.toward, length)
    barbs = [_from(tip, plane.toward + 180 + turn, HEAD_SHARE * length) for turn in (-HEAD_DEGREES, HEAD_DEGREES)]
    arrow = [start, tip, barbs[0], tip, barbs[1]]
    wedge = {"mode": "lines", "fill": "toself", "fillcolor": "rgba(213,94,0,0.16)", "line": {"width": 0}}
    line = {"color": parts.VERMILION, "width": 3}
    return [
        parts.trace("Interval of the direction (95 %)", _columns(fan), hoverinfo="skip", **wedge),
        parts.trace(f"Flow toward {plane.toward:.0f}°", _columns(arrow), mode="lines", line=line, hoverinfo="skip"),
    ]


def _from(start: Place, toward: float, length: float) -> Place:
    angle = np.radians(toward)
    return start[0] + length * float(np.sin(angle)), start[1] + length * float(np.cos(angle))


def _columns(places: Sequence[Place]) -> tuple[list[float], list[float]]:
    return [round(one[0], 1) for one in places], [round(one[1], 1) for one in places]


def _site(of: SurfaceMap) -> list[Parts]:
    ring = [*of.boundary, of.boundary[0]]
    line = {"color": parts.INK, "width": 2}
    found = [parts.trace("Site boundary", _columns(ring), mode="lines", line=line, hoverinfo="skip")]
    for number, (name, places) in enumerate(of.streams):
        style = {"mode": "lines", "line": {"color": parts.SKY, "width": 4}, "legendgroup": "stream"}
        text = {"text": [parts.plain(name)] * len(places), "hovertemplate": "%{text}<extra></extra>"}
        found.append(parts.trace("Stream", _columns(places), **style, **text, showlegend=number == 0))
    return found


def _wells(of: SurfaceMap) -> Parts:
    text = [_posted(one) for one in of.wells]
    mark = {"symbol": "circle", "size": 10, "color": parts.GREEN, "line": {"width": 1, "color": "#ffffff"}}
    at = _columns([one.position for one in of.wells])
    more = {"mode": "markers", "marker": mark, "text": text, "hovertemplate": "%{text}<extra></extra>"}
    return parts.trace("Control well and its level [ft]", at, **more)


def _posted(one: ControlWell) -> str:
    return f"<b>{parts.plain(one.id)}</b> {one.elevation_ft:.2f}"


def _postings(of: SurfaceMap) -> list[Parts]:
    """Each well's level under it, on white so that no line crosses the number."""
    return [
        {
            "x": one.position[0], "y": one.position[1], "text": _posted(one), "showarrow": False, "yshift": -16,
            "font": {"size": 12, "color": parts.INK}, "bgcolor": "rgba(255,255,255,0.85)", "borderpad": 1,
        }
        for one in of.wells
    ]  # fmt: skip


def _scale_bar(window: Window) -> Parts:
    """A round length of about a quarter of the map."""
    decade = 10.0 ** np.floor(np.log10(window.half / 2))
    length = float(decade * max(one for one in STEPS if one * decade <= window.half / 2))
    x, y, tick = window.x - 0.95 * window.half, window.y - 0.95 * window.half, 0.012 * window.half
    at = [x, x, x, x + length, x + length, x + length], [y + tick, y - tick, y, y, y + tick, y - tick]
    return {
        **parts.trace("", at), "mode": "lines+text", "showlegend": False, "line": {"color": parts.INK, "width": 2.5},
        "text": [f"{length:,.0f} ft", *[""] * 5], "textposition": "top right", "hoverinfo": "skip",
        "textfont": {"size": 12, "color": parts.INK},
    }  # fmt: skip


def _north(window: Window) -> Parts:
    return {
        "x": window.x + 0.97 * window.half, "y": window.y + 0.97 * window.half, "xanchor": "right", "yanchor": "top",
        "text": "▲<br><b>N</b>", "showarrow": False, "font": {"size": 15, "color": parts.INK},
        "bgcolor": "rgba(255,255,255,0.8)",
    }  # fmt: skip
