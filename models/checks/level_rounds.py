"""Measuring rounds: days on which levels were taken in enough wells to make a plane of the water table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from models.checks.well_levels import Level, levels_by_well
from models.errors import BadQuestion
from models.levels import land_navd88_ft, measuring_point_on
from models.potentiometric import Plane, fitted_plane
from models.question import Question
from models.site import Well

LEAST_WELLS = 3


@dataclass(frozen=True)
class WellLevel:
    """The water level of one well in a round [ft above NAVD88]; ``others_ft``: what else was read there that day."""

    well: Well
    elevation_ft: float
    row: str
    others_ft: tuple[float, ...] = ()


@dataclass(frozen=True)
class Round:
    """The levels of one civil day, and the plane through them."""

    day: date
    levels: tuple[WellLevel, ...]
    plane: Plane

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(one.row for one in self.levels)

    @property
    def read_twice(self) -> str:
        """Wells whose readings of the day differ, in words; empty where there are none."""
        return "; ".join(
            read_twice(one.well.id, one.elevation_ft, one.others_ft) for one in self.levels if one.others_ft
        )


def read_twice(well: str, elevation_ft: float, others_ft: Sequence[float]) -> str:
    """That a well was read more than once on a day with different results [ft], and which of them speaks."""
    others = ", ".join(f"{one:.2f}" for one in others_ft)
    return f"{well} was also read {others} ft that day: {elevation_ft:.2f} ft, the nearest to noon, speaks"


def elevation_ft(well: Well, day: date, depth_ft: float) -> float | None:
    """A depth below land as an elevation above NAVD88 [ft]; None where the well has no surveyed land surface."""
    point = measuring_point_on(well, day)
    land = None if point is None else land_navd88_ft(well, point)
    return None if land is None else round(float(land) - depth_ft, 6)


def rounds(question: Question, start: date, end: date) -> list[Round]:
    """Every round of the monitoring wells from one day to another; days whose wells make no plane are left out."""
    wells = question.site.wells("monitoring")
    last = min(end, question.on)
    if not wells or last < start:
        return []
    read = levels_by_well(question, wells, start, last)
    days: dict[date, list[WellLevel]] = defaultdict(list)
    for well in wells:
        for one in read[well.id]:
            days[one.day] += _level(well, one)
    error_ft = float(question.policy.level_error.value)
    found = (_round(day, levels, error_ft) for day, levels in sorted(days.items()))
    return [one for one in found if one is not None]


def around(found: Sequence[Round], day: date) -> list[Round]:
    """The last round up to a day and the first after it, where there are such."""
    before, after = [one for one in found if one.day <= day], [one for one in found if one.day > day]
    return [*before[-1:], *after[:1]]


def season_around(day: date, days: int = 366) -> tuple[date, date]:
    """A year to each side of a day: a round further off tells of another year's water table."""
    return day - timedelta(days=days), day + timedelta(days=days)


def _level(well: Well, one: Level) -> list[WellLevel]:
    found = elevation_ft(well, one.day, one.depth_ft)
    if found is None:
        return []
    return [WellLevel(well, found, one.row, tuple(round(found + one.depth_ft - other, 2) for other in one.others_ft))]


def _round(day: date, levels: list[WellLevel], error_ft: float) -> Round | None:
    if len(levels) < LEAST_WELLS:
        return None
    try:
        plane = fitted_plane([one.well.position for one in levels], [one.elevation_ft for one in levels], error_ft)
    except BadQuestion:  # wells on one line make no plane; the day is no round
        return None
    return Round(day, tuple(levels), plane)
