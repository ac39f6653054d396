"""One measuring round of a site, read from the store: a level of each monitoring well, and why some have none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Protocol, cast

import pandas as pd

from models.checks.level_rounds import LEAST_WELLS, elevation_ft, read_twice, rounds
from models.checks.well_levels import NEAR_FT, from_noon_ms
from models.errors import BadQuestion
from models.question import Changed, Question
from models.site import Well
from pipelines import excerpt
from pipelines.known_at import civil_day
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder

KINDS = ("hand", "daily", "logger")
"""Which level speaks for a well on a day: a tape before a published daily value before a logger."""
FIRST_DAY = date(1900, 1, 1)


class Reading(Protocol):
    """One row of ``excerpt.water_levels``."""

    time_ms: int
    day: date
    depth_ft: float
    kind: str
    dry: bool
    row_id: str


@dataclass(frozen=True)
class RoundLevel:
    """The level that speaks for a well [ft above NAVD88]: of which day and kind, and the row it stands in.

    ``others_ft``: what else was read there that day by like means, a logger's readings left out.
    """

    well: Well
    day: date
    elevation_ft: float
    kind: str
    row: str
    others_ft: tuple[float, ...] = ()


@dataclass(frozen=True)
class LeftOut:
    """A monitoring well without a level in the round, or another reading of one that has one, and why."""

    well: str
    reason: str


def there_is(recall: Recall, folder: SiteFolder, on: date) -> list[dict[str, Any]]:
    """Every day with hand or published levels in three monitoring wells that make a plane."""
    now = datetime.combine(on + timedelta(days=1), time(), recall.zone)
    question = Question(folder.site, folder.law, folder.policy, recall, on, now, Changed())
    return [
        {"round": one.day.isoformat(), "wells": len(one.levels)} for one in rounds(question, FIRST_DAY, on)
    ]  # fmt: skip


def round_of(recall: Recall, folder: SiteFolder, day: date, within: int) -> tuple[list[RoundLevel], list[LeftOut]]:
    """The levels of one day, or within so many days of it the nearest of each well.

    Raises
    ------
    BadQuestion : levels in fewer than three monitoring wells; says of each other well why it has none.
    """
    wells = folder.site.wells("monitoring")
    found = [_level(recall, folder, one, day, within) for one in wells]
    levels = [one for one in found if isinstance(one, RoundLevel)]
    left_out = [one for one in found if isinstance(one, LeftOut)]
    twice = [_read_twice(one) for one in levels if one.others_ft]
    if len(levels) < LEAST_WELLS:
        why = "; ".join(f"{one.well}: {one.reason}" for one in left_out) or "the site has too few monitoring wells"
        raise BadQuestion(f"a gradient needs levels in three monitoring wells; {why}", key="--round", found=len(levels))
    return levels, [*left_out, *twice]


def _read_twice(one: RoundLevel) -> LeftOut:
    return LeftOut(one.well.id, read_twice(one.well.id, one.elevation_ft, one.others_ft))


def last_day(recall: Recall) -> date:
    """The last civil day that may be known."""
    return civil_day(recall.known_at, recall.zone)


def _level(recall: Recall, folder: SiteFolder, well: Well, day: date, within: int) -> RoundLevel | LeftOut:
    span = timedelta(days=within)
    rows = excerpt.water_levels(recall, folder, well, day - span, day + span)
    if not len(rows):
        return LeftOut(well.id, "no level")
    told = _by_nearness(recall, rows, day)
    for one in told:
        elevation = None if one.depth_ft != one.depth_ft else elevation_ft(well, one.day, float(one.depth_ft))
        if elevation is not None:
            others = _others(well, one, elevation, told)
            return RoundLevel(well, one.day, elevation, str(one.kind), str(one.row_id), others)
    return LeftOut(well.id, _why(told))


def _others(well: Well, spoke: Reading, elevation: float, told: list[Reading]) -> tuple[float, ...]:
    """Elevations of the day's other readings of one kind that differ [ft above NAVD88]."""
    alike = [one for one in told if (one.day, one.kind) == (spoke.day, spoke.kind) and one.kind != "logger"]
    known = [elevation_ft(well, one.day, float(one.depth_ft)) for one in alike if one.depth_ft == one.depth_ft]
    return tuple(sorted({round(one, 2) for one in known if one is not None and abs(one - elevation) > NEAR_FT}))


def _by_nearness(recall: Recall, rows: pd.DataFrame, day: date) -> list[Reading]:
    """The nearest day first, then the surer kind, then the reading nearest to its day's noon, then the earlier."""

    def order(one: Reading) -> tuple[int, int, int, int]:
        noon = from_noon_ms(one.day, one.time_ms, recall.zone)
        return abs((one.day - day).days), KINDS.index(one.kind), noon, one.time_ms

    return sorted(cast("Iterator[Reading]", rows.itertuples(index=False)), key=order)


def _why(told: list[Reading]) -> str:
    if any(one.dry for one in told):
        return "dry"
    if all(one.depth_ft != one.depth_ft for one in told):
        return "no reading of the water table at rest, or no air pressure beside it"
    return "no surveyed elevation on NAVD88 ([[well]] measuring_point)"
