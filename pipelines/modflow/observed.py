"""Levels measured at a site's monitoring wells, beside the heads of a run. No private well is read.

Elevations where both the well and the run's zero are tied to NAVD88: the water table that ``[[layer]]`` states, else
the plane through the levels of the year before mining, which is the run's undisturbed water table. Else the change
since the first reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np

from models.aquifer.flow_field import Slope
from models.checks.logger_days import logger_days
from models.checks.well_levels import LEVELS, Level, day_levels
from models.levels import land_navd88_ft, measuring_point_on
from models.modflow.answer import Answer
from models.modflow.measured import Levels, Measured, beside
from models.modflow.numerical import Observed as ObservedHead
from models.modflow.through_cells import cell_at
from models.question import Changed, Question, stored_rows
from models.scenario.noun import civil_day, day_number
from models.site import Well
from models.stratigraphy import water_table_ft
from models.units import factor
from pipelines import excerpt
from pipelines.aquifer.cone_source import BASELINE_DAYS
from pipelines.database import reading
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from pipelines.terminal import site_store

FOOT_M = float(factor("ft", "m"))
NOON = 0.5


@dataclass(frozen=True)
class Observed:
    """Measured levels by well, the run's zero [ft above NAVD88] where it is known, and what is to be said."""

    wells: tuple[Measured, ...]
    zero_ft: float | None
    notes: tuple[str, ...]


def observed(site_dir: Path, answer: Answer, known_at: int | None = None) -> Observed:
    """What was measured during a site's run.

    Parameters
    ----------
    known_at : epoch milliseconds; None for all there is.
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        recall = Recall(connection, ZoneInfo(folder.law.zone), known_at)
        zero, says = _zero_ft(recall, folder, answer)
        asked = _Asked(folder, answer, _question(recall, folder, answer), zero)
        told = {one.id for one in answer.scenario.point}
        found = [_well(asked, one) for one in folder.site.wells("monitoring") if one.id in told]
    wells = tuple(one for one, _ in found if one is not None)
    notes = (says,) if wells else ()
    return Observed(wells, zero, (*notes, *(why for _, why in found if why)))


@dataclass(frozen=True)
class _Asked:
    folder: SiteFolder
    answer: Answer
    question: Question
    zero_ft: float | None


def _question(recall: Recall, folder: SiteFolder, answer: Answer) -> Question:
    """Up to the run's last day."""
    on = civil_day(float(answer.quantities.day[-1]))
    moment = datetime(on.year, on.month, on.day, tzinfo=UTC)
    return Question(folder.site, folder.law, folder.policy, recall, on, moment, Changed())


# The run's zero -------------------------------------------------------------------------------------------------------


def _zero_ft(recall: Recall, folder: SiteFolder, answer: Answer) -> tuple[float | None, str]:
    """Elevation of the undisturbed water table at the first well [ft above NAVD88], and where it comes from."""
    aquifer, layers = folder.site.aquifer, folder.site.layer
    if layers and aquifer is not None:
        stated = float(water_table_ft(layers, aquifer.saturated_thickness_ft))
        return stated, f"0 is {stated:.2f} ft above NAVD88, the undisturbed water table over the layers of the site"
    zero = None if answer.scenario.gradient is None else _plane_ft(recall, folder, answer)
    if zero is None:
        return None, "no elevation of the undisturbed water table is known: measured levels are changes"
    last = folder.site.permit.mining_began - timedelta(days=1)
    return zero, (
        f"0 is {zero:.2f} ft above NAVD88, at the first well: the plane through the wells' median levels of the "
        f"{BASELINE_DAYS} days to {last}, to which the run's undisturbed water table is thereby tied"
    )


def _plane_ft(recall: Recall, folder: SiteFolder, answer: Answer) -> float | None:
    """A plane of least squares goes through the mean of its places at the mean of its levels; None without levels."""
    scenario = answer.scenario
    assert scenario.gradient is not None
    last = folder.site.permit.mining_began - timedelta(days=1)
    medians = [(one.position, _median_ft(recall, folder, one, last)) for one in folder.site.wells("monitoring")]
    known = [(place, level) for place, level in medians if np.isfinite(level)]
    if not known:
        return None
    x, y = np.mean([place for place, _ in known], axis=0)
    first = scenario.well[0].position
    dx, dy = Slope(scenario.gradient.slope.value, scenario.gradient.toward_degrees).gradient
    return float(np.mean([level for _, level in known]) + dx * (first[0] - x) + dy * (first[1] - y))


def _median_ft(recall: Recall, folder: SiteFolder, well: Well, last: date) -> float:
    levels = excerpt.water_levels(recall, folder, well, last - timedelta(days=BASELINE_DAYS), last)["elevation_ft"]
    return float(levels.median()) if levels.notna().any() else np.nan


# One well -------------------------------------------------------------------------------------------------------------


def _well(asked: _Asked, well: Well) -> tuple[Measured | None, str]:
    """What was measured, or nothing and why."""
    read = _read(asked.question, well)
    if not read:
        return None, f"{well.id}: no level was measured by the day asked for"
    if well.id in asked.answer.quantities.in_well:
        return None, f"{well.id} stands in the cell of {asked.answer.quantities.in_well[well.id]}: not compared"
    own = _own(asked, well)
    if own is None and len(asked.answer.pair.strata.layers) > 1:
        return None, f"{well.id}: in which layer it is screened is not known: not compared"
    levels = _levels(asked, well, read)
    found = beside(levels, asked.answer.stressed, own)
    if found is None:
        return None, f"{well.id}: too few levels were measured during the run to hold against it"
    return found, "" if levels.surveyed else _tied(asked, well, found)


def _tied(asked: _Asked, well: Well, found: Measured) -> str:
    why = "the run's zero has no elevation" if asked.zero_ft is None else "it has no surveyed elevation on NAVD88"
    assert found.tied_on is not None
    return (
        f"{well.id}: {why}: its levels are changes since {civil_day(found.tied_on)}, when it is set to the run's head"
    )


def _read(question: Question, well: Well) -> list[Level]:
    rows = stored_rows(question.observations.rows([well.id], LEVELS, None, question.on))
    return day_levels(well, [*rows, *logger_days(question, well)], question.zone)


def _levels(asked: _Asked, well: Well, read: list[Level]) -> Levels:
    day = np.array([_instant(one, asked.question.zone) for one in read])
    land = [_land_ft(well, one.day) for one in read]
    surveyed = asked.zero_ft is not None and all(one is not None for one in land)
    zero = asked.zero_ft if surveyed and asked.zero_ft is not None else 0.0
    above = [(land_ft if surveyed and land_ft is not None else 0.0) for land_ft in land]
    level = np.array([(up - one.depth_ft - zero) * FOOT_M for up, one in zip(above, read, strict=True)])
    return Levels(well.id, day, level, surveyed)


def _instant(level: Level, zone: ZoneInfo) -> float:
    """By the civil clock; a level of a whole day stands for its noon."""
    at = day_number(datetime.fromtimestamp(level.time_ms / 1000, zone))
    return at + NOON if at == day_number(level.day) else at


def _land_ft(well: Well, day: date) -> float | None:
    point = measuring_point_on(well, day)
    land = None if point is None else land_navd88_ft(well, point)
    return None if land is None else float(land)


def _own(asked: _Asked, well: Well) -> ObservedHead | None:
    """What of a run of several layers is the head of the layer a well is screened in; None where that is not known."""
    grid, strata = asked.answer.pair.stressed.grid, asked.answer.pair.strata
    land, top, bottom = _land_ft(well, asked.question.on), well.screen_top_ft, well.screen_bottom_ft
    if len(strata.layers) == 1 or land is None or top is None or bottom is None or asked.zero_ft is None:
        return None
    middle_m = (land - float(top + bottom) / 2 - asked.zero_ft) * FOOT_M
    row, column = cell_at(grid, asked.answer.scenario.metres(well.position), well.id)
    layer = min(int(np.sum(middle_m < grid.bottoms[:, row, column])), len(strata.layers) - 1)
    seen = [one for one in asked.answer.pair.stressed.observed if one.place == well.id]
    return next(one for one in seen if one.layer == layer)


def every_note(found: Observed | None) -> Iterator[str]:
    """What is to be said of the comparison."""
    yield from found.notes if found is not None else ()
