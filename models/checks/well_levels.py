"""Levels of a well as depth below land: what a tape, a logger or a published level says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from models.level_status import level_status
from models.levels import land_navd88_ft, measuring_point_on
from models.observation import Flags
from models.question import Question, StoredRow, stored_rows
from models.site import Well

ELEVATION = "water_elevation_navd88"
LEVELS = ("depth_below_mp", "depth_to_water", ELEVATION)
NO_LEVEL = {"dry", "disturbed"}
"""A tape reading under these says nothing about how deep the water table stands at rest."""


@dataclass(frozen=True)
class Level:
    """One level: depth to water below land surface [ft] at an instant of a civil day."""

    day: date
    time_ms: int
    depth_ft: float
    row: str


def levels_by_well(question: Question, wells: Sequence[Well]) -> dict[str, list[Level]]:
    """Every level up to tonight of every well by its id, in order of time; one read for all."""
    known = {one.id: one for one in wells}
    found: dict[str, list[Level]] = {id: [] for id in known}
    for row in stored_rows(question.observations.rows(list(known), LEVELS, None, question.on)):
        depth = depth_below_land_ft(known[row.station], row)
        if depth is not None:
            found[row.station].append(Level(row.day, row.time_ms, depth, row.row_id))
    return found


def depth_below_land_ft(well: Well, row: StoredRow) -> float | None:
    """A level row as depth below land surface [ft]: below the measuring point less its height above ground.

    An elevation is below land by what land lies above it; None where the well has no measuring point on that day, or
    one whose own elevation is on NGVD29 and cannot be moved to NAVD88.
    """
    if (
        row.parameter not in LEVELS
        or row.value != row.value
        or level_status(Flags.parse(row.flags)).meaning in NO_LEVEL
    ):
        return None
    if row.parameter == "depth_to_water":
        return float(row.value)
    point = measuring_point_on(well, row.day)
    if point is None:
        return None
    if row.parameter == ELEVATION:
        land = land_navd88_ft(well, point)
        return None if land is None else float(land) - float(row.value)
    return float(row.value) - float(point.height_above_land_ft)
