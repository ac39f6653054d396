"""Measuring rounds: days on which levels were taken in enough wells to make a plane of the water table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from models.checks.well_levels import LEVELS, depth_below_land_ft
from models.errors import BadQuestion
from models.levels import land_navd88_ft, measuring_point_on
from models.potentiometric import LEVEL_ERROR_FT, Plane, fitted_plane
from models.question import Question, StoredRow, stored_rows
from models.site import Well

LEAST_WELLS = 3


@dataclass(frozen=True)
class WellLevel:
    """The water level of one well in a round [ft above NAVD88]."""

    well: Well
    elevation_ft: float
    row: str


@dataclass(frozen=True)
class Round:
    """The levels of one civil day, and the plane through them."""

    day: date
    levels: tuple[WellLevel, ...]
    plane: Plane

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(one.row for one in self.levels)


def elevation_ft(well: Well, day: date, depth_ft: float) -> float | None:
    """A depth below land as an elevation above NAVD88 [ft]; None where the well has no surveyed land surface."""
    point = measuring_point_on(well, day)
    land = None if point is None else land_navd88_ft(well, point)
    return None if land is None else round(float(land) - depth_ft, 6)


def rounds(question: Question, start: date, end: date) -> list[Round]:
    """Every round of the monitoring wells from one day to another; days whose wells make no plane are left out."""
    wells = {one.id: one for one in question.site.wells("monitoring")}
    last = min(end, question.on)
    if not wells or last < start:
        return []
    days: dict[date, dict[str, WellLevel]] = defaultdict(dict)
    for row in stored_rows(question.observations.rows(list(wells), LEVELS, start, last)):
        level = _level(wells[row.station], row)
        if level is not None:
            days[row.day][row.station] = level
    found = (_round(day, list(levels.values())) for day, levels in sorted(days.items()))
    return [one for one in found if one is not None]


def around(found: Sequence[Round], day: date) -> list[Round]:
    """The last round up to a day and the first after it, where there are such."""
    before, after = [one for one in found if one.day <= day], [one for one in found if one.day > day]
    return [*before[-1:], *after[:1]]


def season_around(day: date, days: int = 366) -> tuple[date, date]:
    """A year to each side of a day: a round further off tells of another year's water table."""
    return day - timedelta(days=days), day + timedelta(days=days)


def _level(well: Well, row: StoredRow) -> WellLevel | None:
    depth = depth_below_land_ft(well, row)
    found = None if depth is None else elevation_ft(well, row.day, depth)
    return None if found is None else WellLevel(well, found, row.row_id)


def _round(day: date, levels: list[WellLevel]) -> Round | None:
    if len(levels) < LEAST_WELLS:
        return None
    try:
        plane = fitted_plane(
            [one.well.position for one in levels], [one.elevation_ft for one in levels], LEVEL_ERROR_FT
        )
    except BadQuestion:  # wells on one line make no plane; the day is no round
        return None
    return Round(day, tuple(levels), plane)
