"""The network map as one SVG drawing: no tiles, no request, the same bytes every time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from models.place import QUARTER_QUARTER_FT, may_be_shown
from models.site import Point, Site, Well

WIDTH = 640.0
MARGIN_FT = 900.0
MILE_FT = 5280.0
Place = Callable[[Point], tuple[float, float]]


def network_map(site: Site, ring: Sequence[Point]) -> tuple[str, list[str]]:
    """The drawing, and the ids of stations beyond its edge.

    Parameters
    ----------
    ring : the line the ordinance draws around the site, in the coordinates of the site.
    """
    xs, ys = zip(*(ring or site.boundary), strict=True)
    left, right = min(xs) - MARGIN_FT, max(xs) + MARGIN_FT
    bottom, top = min(ys) - MARGIN_FT, max(ys) + MARGIN_FT
    scale = WIDTH / (right - left)
    height = (top - bottom) * scale

    def place(point: Point) -> tuple[float, float]:
        return round((point[0] - left) * scale, 1), round((top - point[1]) * scale, 1)

    def inside(point: Point) -> bool:
        return bool(left <= point[0] <= right and bottom <= point[1] <= top)

    parts = [*_lines(site, ring, place), *_stations(site, place, inside, scale), *_scale_bar(scale, height)]
    placed = [*((one.id, one.position) for one in site.well), *((one.id, one.position) for one in site.gauge)]
    beyond = [id for id, position in placed if position and not inside(position)]
    size = f'viewBox="0 0 {WIDTH:.0f} {height:.0f}"'
    return f'<svg class="map" role="img" aria-labelledby="map-title" {size}>{"".join(parts)}</svg>', beyond


def _lines(site: Site, ring: Sequence[Point], place: Place) -> Iterator[str]:
    yield '<title id="map-title">Monitoring network</title>'
    yield f'<polygon class="ring" points="{_points(ring, place)}"/>'
    yield f'<polygon class="site" points="{_points(site.boundary, place)}"/>'
    for stream in site.stream:
        yield f'<polyline class="stream" points="{_points(stream.line, place)}"/>'
    x, y = place(min(site.boundary, key=lambda point: (point[1], point[0])))
    yield f'<text x="{x - 4}" y="{y + 12}" text-anchor="end">site boundary</text>'
    x, y = place(max(ring or site.boundary, key=lambda point: point[1]))
    yield f'<text x="{x + 4}" y="{y - 5}">line of the ordinance</text>'


def _points(line: Sequence[Point], place: Place) -> str:
    return " ".join("{:.1f},{:.1f}".format(*place(point)) for point in line)


def _stations(site: Site, place: Place, inside: Callable[[Point], bool], scale: float) -> Iterator[str]:
    for well in filter(may_be_shown, site.well):
        if inside(well.position):
            yield _well(well, place, scale)
    for gauge in site.gauge:
        if gauge.position and inside(gauge.position):
            x, y = place(gauge.position)
            yield f'<path class="gauge" d="M{x - 6} {y - 5}h12l-6 11z"/>{_label(gauge.id, x, y)}'


def _well(well: Well, place: Place, scale: float) -> str:
    x, y = place(well.position)
    if well.use == "private":
        half = QUARTER_QUARTER_FT * scale / 2
        box = f'x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}"'
        return f'<rect class="private" {box}/>{_label(well.id, x - 12, y)}'
    if well.use == "production":
        return f'<rect class="production" x="{x - 5}" y="{y - 5}" width="10" height="10"/>{_label(well.id, x, y)}'
    return f'<circle class="{well.use}" cx="{x}" cy="{y}" r="5"/>{_label(well.id, x, y)}'


def _label(id: str, x: float, y: float) -> str:
    return f'<text class="id" x="{x + 8:.1f}" y="{y + 4:.1f}">{escape(id)}</text>'


def _scale_bar(scale: float, height: float) -> Iterator[str]:
    length = MILE_FT / 4 * scale
    y = height - 14
    yield f'<path class="bar" d="M12 {y - 5:.1f}v5h{length:.1f}v-5"/>'
    yield f'<text x="{16 + length:.1f}" y="{y + 2:.1f}">1/4 mile</text>'
    yield f'<path class="bar" d="M{WIDTH - 24:.1f} {y:.1f}v-34m-5 9l5 -9l5 9"/>'
    yield f'<text x="{WIDTH - 28:.1f}" y="{y - 38:.1f}">N</text>'
