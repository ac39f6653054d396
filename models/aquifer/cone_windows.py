"""Windows around a cone of depression that may be in parts far from each other, and how finely they must be sampled.

One grid over wells a day's drive apart steps over the cones between its nodes. Every part of the contour therefore has
a window of its own, unless windows overlap; those are one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import shapely
from shapely.geometry.base import BaseGeometry

from models.aquifer.cone_measures import Measures, measures, together
from models.aquifer.contours import COARSE, MARGIN, Contour, Field, Grid, Window, contour, fit_window, joined

MOST_TURNS = 8
LEAST_NODES = 121
"""Along a side of any window, however many there are."""
FINER = 4
"""How many times as many nodes a side may have where the grid does not resolve the contour."""
RESOLVED = 0.01
"""A contour is resolved where the area by every other node is this near to it, as a share."""

Place = tuple[float, float]


@dataclass(frozen=True)
class Search:
    """Where a part of the cone is looked for: a window, and the wells in it."""

    window: Window
    peaks: tuple[Place, ...]


@dataclass(frozen=True)
class FittedParts:
    """Windows that do not overlap and hold the contour of a level; ``closed``: all of it."""

    windows: tuple[Window, ...]
    closed: bool


def fit_windows(
    field: Field, level: float, starts: Sequence[Search], most: float, within: BaseGeometry | None = None
) -> FittedParts:
    """A window around every part of the contour of a level, `fit_window` for each.

    Parameters
    ----------
    starts : where to begin; they may overlap.
    others : as in `fit_window`.
    """
    groups = merged(starts)
    for _ in range(MOST_TURNS):
        fitted = [fit_window(field, level, one.window, most, within, one.peaks) for one in groups]
        found = [Search(fit.window, one.peaks) for fit, one in zip(fitted, groups, strict=True)]
        parts = merged([part for one in found for part in _parts(field, level, one, within)])
        if len(merged(found)) == len(groups) >= len(parts):
            return FittedParts(tuple(one.window for one in fitted), all(one.closed for one in fitted))
        groups = parts if len(parts) != len(groups) else merged(found)
    whole = merged([Search(_square([one.window for one in groups]), tuple(p for one in groups for p in one.peaks))])[0]
    last = fit_window(field, level, whole.window, most, within, whole.peaks)
    return FittedParts((last.window,), last.closed)


def _parts(field: Field, level: float, one: Search, within: BaseGeometry | None) -> Iterator[Search]:
    """A search around every part of the contour, a coarse grid and the wells say how many; the same where it is one."""
    cell = 2 * one.window.half / (COARSE - 1)
    area = contour(one.window.sampled(field, COARSE), level, within).area
    wells = [shapely.Point(place).buffer(1.5 * cell, quad_segs=2) for place in one.peaks]
    joint = shapely.get_parts(shapely.union_all([area, *wells]))
    if len(joint) < 2:
        yield one
        return
    for shape in joint:
        west, south, east, north = shape.bounds
        half = max(MARGIN * max(east - west, north - south) / 2, cell)
        window = Window((west + east) / 2, (south + north) / 2, half)
        yield Search(window, tuple(place for place in one.peaks if shape.covers(shapely.Point(place))))


def merged(searches: Sequence[Search]) -> list[Search]:
    """Searches of which no two overlap: those that do are one square around both."""
    found: list[Search] = []
    for one in searches:
        new = one
        while overlapping := [other for other in found if _overlap(other.window, new.window)]:
            found = [other for other in found if other not in overlapping]
            peaks = tuple(dict.fromkeys(place for other in [*overlapping, new] for place in other.peaks))
            new = Search(_square([other.window for other in [*overlapping, new]]), peaks)
        found.append(new)
    return found


def _overlap(one: Window, other: Window) -> bool:
    reach = one.half + other.half
    return abs(one.x - other.x) < reach and abs(one.y - other.y) < reach


def _square(windows: Sequence[Window]) -> Window:
    west, east = min(one.x - one.half for one in windows), max(one.x + one.half for one in windows)
    south, north = min(one.y - one.half for one in windows), max(one.y + one.half for one in windows)
    return Window((west + east) / 2, (south + north) / 2, max(east - west, north - south) / 2)


@dataclass(frozen=True)
class Sampled:
    """The field on every window."""

    grids: tuple[Grid, ...]
    within: BaseGeometry | None

    @classmethod
    def of(cls, field: Field, windows: Sequence[Window], nodes: int, within: BaseGeometry | None) -> Sampled:
        """``nodes`` along the side of one window; fewer each where there are many."""
        each = max(LEAST_NODES, int(nodes / len(windows) ** 0.5) // 2 * 2 + 1)
        return cls(tuple(one.sampled(field, each) for one in windows), within)

    def contour(self, level: float) -> Contour:
        """All parts of one contour."""
        return joined(level, [contour(one, level, self.within) for one in self.grids])

    def measures(self, level: float) -> Measures:
        """Of all parts of one contour."""
        return together([measures(one, contour(one, level, self.within)) for one in self.grids])

    def resolves(self, level: float) -> bool:
        """Whether every other node finds the same area."""
        fine = sum(contour(one, level, self.within).area.area for one in self.grids)
        coarse = sum(contour(_every_other(one), level, self.within).area.area for one in self.grids)
        return abs(fine - coarse) <= RESOLVED * fine


def _every_other(grid: Grid) -> Grid:
    return Grid(grid.x[::2], grid.y[::2], grid.values[::2, ::2])


def resolved(field: Field, windows: Sequence[Window], nodes: int, level: float, within: BaseGeometry | None) -> Sampled:
    """The field on the windows, with more nodes where the contour asks for them; see `Sampled.resolves`."""
    found = Sampled.of(field, windows, nodes, within)
    for finer in range(2, FINER + 1):
        if found.resolves(level):
            break
        found = Sampled.of(field, windows, finer * (nodes - 1) + 1, within)
    return found
