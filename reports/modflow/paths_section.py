"""The section of the page with particle paths on a plan: wells, pit and stated places only, nothing private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from models.aquifer.contours import Window
from models.aquifer.flow_field import Flow
from models.modflow.particles import DAYS_PER_YEAR, MARKED_YEARS, Path, Way
from models.modflow.path_groups import Particles
from reports import figure_parts as parts
from reports.aquifer.cone_page import PLAN_PIXELS
from reports.aquifer.map_plan import MapPlan, window_around
from reports.figure_page import Drawn, PageTable, Section
from reports.figure_parts import Figure, Parts
from reports.modflow import paths_told as told
from reports.modflow.answer_told import Row, check_rows
from reports.modflow.numerical_plan import numerical_plan

LEAST_SHARE = 1 / 1000
"""Of the map's width: a path is drawn to within that."""
COLOURS: dict[Way, str] = {"backward": parts.BLUE, "forward": parts.ORANGE}
LEGEND: dict[Way, str] = {
    "backward": "Backward: where pumped water comes from",
    "forward": "Forward: where water goes",
}
NO_ARROWS = Flow(*np.empty((4, 0)))
MARKS = dict(zip(MARKED_YEARS, ("circle", "square", "diamond"), strict=True))


@dataclass(frozen=True)
class PathsPage:
    """What the section is made from: the page's plan, and the paths."""

    of: MapPlan
    particles: Particles

    @property
    def names(self) -> Mapping[str, str]:
        """Streams as people call them."""
        return told.stream_names(self.of.answer.scenario)


def paths_section(page: PathsPage) -> list[Section]:
    """None where there is no path."""
    found = page.particles
    if not found.paths:
        return []
    rows = told.path_rows(found, page.names, page.of.shown)
    says = "; ".join(f"{one['from']}, {one['paths']}: {one['come_from_or_go_to']}" for one in rows)
    caption = (
        f"Ways of water at an effective porosity of {float(found.porosity.best):g}. Marks: where it is "
        f"{_years()} before it reaches the well or pit, or after it leaves the place."
    )
    drawn = Drawn(caption, f"{says}.", paths_plan(page))
    tables = [
        _table("Where water comes from and goes to", rows, "Distances are straight from the start to the farthest "
               "path; in brackets the range of the porosity."),
        _table("Checks of the paths", check_rows(found.checks)),
    ]  # fmt: skip
    words = [told.FIELD, told.NOT_IN_IT, told.WEAK]
    return [Section("Particle paths", words, drawn, PLAN_PIXELS, tables)]


def _years() -> str:
    *first, last = (f"{one:g}" for one in MARKED_YEARS)
    return f"{', '.join(first)} and {last} years"


def _table(heading: str, rows: Sequence[Row], words: str = "") -> PageTable:
    names = [name for name in rows[0] if any(row[name] for row in rows)]
    heads = [name.replace("_", " ").capitalize() for name in names]
    return PageTable(heading, heads, [[row[name] for name in names] for row in rows], words)


def paths_plan(page: PathsPage) -> Figure:
    """The plan without drawdown and arrows, and every path on it, cut at the map's edge."""
    of = replace(page.of, window=_window(page), flow=replace(page.of.flow, lattice=NO_ARROWS))
    drawn = numerical_plan(of)
    ground = [one for one in drawn["data"] if one.get("legendgroup") != "cone"]
    frame = {**drawn["layout"], "annotations": drawn["layout"]["annotations"][:1]}
    return {"data": [*_lines(page, of), *ground, *_marks(page, of)], "layout": frame}


def _window(page: PathsPage) -> Window:
    """What holds every path for ten years, its wells and places."""
    scenario = page.of.answer.scenario
    days = MARKED_YEARS[-1] * DAYS_PER_YEAR
    points: list[BaseGeometry] = [shapely.Point(scenario.metres(one.position)) for one in scenario.well]
    points += [shapely.Point(scenario.metres(one.position)) for one in scenario.point]
    for one in page.particles.paths:
        early = one.day <= days
        points.append(shapely.MultiPoint(np.column_stack([one.x[early], one.y[early]])))
    return window_around(points)


def _lines(page: PathsPage, of: MapPlan) -> list[Parts]:
    window, k = of.window, of.per_metre
    box = shapely.box(window.x - window.half, window.y - window.half, window.x + window.half, window.y + window.half)
    found = []
    for way, colour in COLOURS.items():
        x: list[float | None] = []
        y: list[float | None] = []
        for one in page.particles.paths:
            for line in _inside(one, box, 2 * window.half * LEAST_SHARE) if one.start.way == way else ():
                east, north = np.round(shapely.get_coordinates(line).T * k, 1).tolist()
                x, y = [*x, *east, None], [*y, *north, None]
        if x:
            style = {"mode": "lines", "line": {"color": colour, "width": 1.1}, "hoverinfo": "skip"}
            found.append(parts.trace(LEGEND[way], (x, y), **style))
    return found


def _inside(path: Path, box: shapely.Polygon, tolerance: float) -> list[shapely.LineString]:
    if path.x.size < 2:
        return []
    line = shapely.simplify(shapely.LineString(np.column_stack([path.x, path.y])), tolerance)
    return [one for one in shapely.get_parts(shapely.intersection(line, box)) if isinstance(one, shapely.LineString)]


def _marks(page: PathsPage, of: MapPlan) -> list[Parts]:
    """Of each marked year a trace."""
    found, k = [], of.per_metre
    for years, symbol in MARKS.items():
        at = [(one.start.of, at) for one in page.particles.paths if (at := one.at(years * DAYS_PER_YEAR)) is not None]
        if at:
            x, y = ([round(place[axis] * k, 1) for _, place in at] for axis in (0, 1))
            marker = {"symbol": symbol, "size": 7, "color": parts.INK, "line": {"width": 0.8, "color": "#ffffff"}}
            name = told.marked_says(years)
            found.append(
                {
                    **parts.trace(name, (x, y)), "mode": "markers", "marker": marker,
                    "text": [parts.plain(of) for of, _ in at],
                    "hovertemplate": f"%{{text}}: {name}<extra></extra>",
                }
            )  # fmt: skip
    return found
