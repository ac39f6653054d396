"""Levels of a well as depth below land: what a tape, a logger or a published level says of it.

Of published daily values the mean is a level; the highest and the lowest of a day are none. Where a well was read more
than once on a day one reading speaks, everywhere alike: a tape before a published daily value before a logger, then
the nearest to noon, then the earlier.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from models.checks.logger_days import LOGGER, logger_days
from models.level_status import level_status
from models.levels import land_navd88_ft, measuring_point_on
from models.observation import Flags
from models.question import Question, StoredRow, stored_rows
from models.site import Well

ELEVATION = "water_elevation_navd88"
LEVELS = ("depth_below_mp", "depth_to_water", ELEVATION)
NO_LEVEL = {"dry", "disturbed"}
"""A tape reading under these says nothing about how deep the water table stands at rest."""
EXTREMES = {"min", "max"}
"""Of a day: no level at rest."""
NEAR_FT = 0.005
"""Two depths that round to one hundredth of a foot are one reading."""


@dataclass(frozen=True)
class Level:
    """The level that speaks for a well on a civil day: depth to water below land surface [ft] at an instant of it.

    ``others_ft``: what else was read there that day by like means.
    """

    day: date
    time_ms: int
    depth_ft: float
    row: str
    others_ft: tuple[float, ...] = ()


def level_rows(question: Question) -> Mapping[str, Sequence[StoredRow]]:
    """Every level row up to tonight of every well but production wells, by the well's id, in order; read once a night.

    Of monitoring and index wells the days of their loggers too.

    Rows of one instant are in the order of what they say, whatever order they were stored in.
    """

    def work() -> dict[str, list[StoredRow]]:
        found: dict[str, list[StoredRow]] = defaultdict(list)
        wells = question.site.wells("private", "monitoring", "index")
        for row in stored_rows(question.observations.rows([one.id for one in wells], LEVELS, None, question.on)):
            if row.statistic not in EXTREMES:
                found[row.station].append(row)
        for well in wells:
            found[well.id].extend(logger_days(question, well))
        return {well: sorted(rows, key=in_order) for well, rows in found.items()}

    return question.once(("level_rows",), work)


def in_order(row: StoredRow) -> tuple[int, str, str, str]:
    """A sorting key of rows of one well that no order of storage moves."""
    return row.time_ms, row.parameter, row.series, row.value_text


def depths(well: Well, rows: Iterable[StoredRow]) -> list[tuple[date, float]]:
    """Day and depth below land [ft] of every level at rest."""
    found = ((row.day, depth_below_land_ft(well, row)) for row in rows)
    return [(day, depth) for day, depth in found if depth is not None]


def day_levels(well: Well, rows: Iterable[StoredRow], zone: ZoneInfo) -> list[Level]:
    """The level of every day on which one was read, in order of days."""
    by_day: dict[date, list[tuple[StoredRow, float]]] = defaultdict(list)
    for row in rows:
        depth = depth_below_land_ft(well, row)
        if depth is not None:
            by_day[row.day].append((row, depth))
    return [_speaking(by_day[day], zone) for day in sorted(by_day)]


def _speaking(read: Sequence[tuple[StoredRow, float]], zone: ZoneInfo) -> Level:
    (row, depth), *rest = sorted(read, key=lambda one: _surest(one[0], zone))
    alike = {round(each, 2) for other, each in rest if _kind(other) == _kind(row) and abs(each - depth) > NEAR_FT}
    return Level(row.day, row.time_ms, depth, row.row_id, tuple(sorted(alike)))


def _surest(row: StoredRow, zone: ZoneInfo) -> tuple[int, int, tuple[int, str, str, str]]:
    return _kind(row), from_noon_ms(row.day, row.time_ms, zone), in_order(row)


def from_noon_ms(day: date, time_ms: int, zone: ZoneInfo) -> int:
    """How far an instant is from the noon of a civil day."""
    return abs(time_ms - round(datetime.combine(day, time(12), zone).timestamp() * 1000))


def _kind(row: StoredRow) -> int:
    """0 for a tape, 1 for a published daily value, 2 for the day of a logger."""
    return 2 if row.series == LOGGER else int(row.clock == "day")


def levels_by_well(
    question: Question, wells: Sequence[Well], start: date | None = None, last: date | None = None
) -> dict[str, list[Level]]:
    """The level of every day from ``start`` to ``last`` (tonight) of every well by its id, in order; one read for all.

    By tape or published: the days of loggers are not among them.
    """
    rows: dict[str, list[StoredRow]] = defaultdict(list)
    for row in stored_rows(question.observations.rows([one.id for one in wells], LEVELS, start, last or question.on)):
        rows[row.station].append(row)
    return {well.id: day_levels(well, rows.get(well.id, ()), question.zone) for well in wells}


def depth_below_land_ft(well: Well, row: StoredRow) -> float | None:
    """A level row as depth below land surface [ft]: below the measuring point less its height above ground.

    An elevation is below land by what land lies above it; None where the well has no measuring point on that day, or
    one whose own elevation is on NGVD29 and cannot be moved to NAVD88; None of the highest or lowest of a day.
    """
    if (
        row.parameter not in LEVELS
        or row.value != row.value
        or row.statistic in EXTREMES
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
