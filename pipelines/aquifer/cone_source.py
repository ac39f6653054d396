"""Where the cone's scenario comes from: a file, or the site's own record, and what of it anybody may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from models.aquifer.flow_field import FittedSlope, fitted_slope
from models.checks.water_level import LEVELS, depth_below_land_ft
from models.cone.public import Ring
from models.errors import BadQuestion
from models.place import may_be_shown
from models.quantity import DEPTH, read_quantity
from models.question import stored_rows
from models.scenario.noun import Gradient, Kind, ObservedPoint, Scenario, civil_day, day_number
from models.site import Site, Well
from pipelines import excerpt
from pipelines.aquifer.scenario_file import open_scenario
from pipelines.aquifer.scenario_of_site import NO_END, pumped_by_well, scenario_of_site
from pipelines.database import reading
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from pipelines.terminal import site_store

BASELINE_DAYS = 365
"""The regional slope is that of the median levels of the last year before mining."""


NOT_TIMED = (
    "low and high hold the aquifer's ranges alone, not that a volume may have been pumped on other days of its time: "
    "`headwater drawdown` and `depletion` hold both"
)


@dataclass(frozen=True)
class ConeSource:
    """A scenario, and how it may be told.

    Parameters
    ----------
    rings : private wells as the site file knows them.
    latest : the last instant of the record (`models.scenario.noun.day_number`); None: no record.
    notes : where its numbers come from.
    """

    scenario: Scenario
    rings: tuple[Ring, ...]
    latest: float | None
    notes: tuple[str, ...]


def from_file(path: Path, kind: Kind, permitted: Mapping[str, str]) -> ConeSource:
    """A scenario file: it knows no rings, so that nothing of its private wells is public."""
    scenario = open_scenario(path, kind, permitted)
    private = sum(one.kind == "private" for one in scenario.point)
    which = "1 private well" if private == 1 else f"{private} private wells"
    words = f"{which} of the scenario: told in the table only, not in pages and maps"
    return ConeSource(scenario, (), None, (words,) if private else ())


def from_site(site_dir: Path, kind: Kind, permitted: Mapping[str, str], on: date | None) -> ConeSource:
    """The site's own pumping up to the end of a day, or to the last reading; private wells at their exact places."""
    scenario = scenario_of_site(site_dir, kind, permitted)
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        recall = Recall(connection, ZoneInfo(folder.law.zone), None)
        fitted = None if scenario.gradient else _slope(recall, folder)
        points = tuple(_point(recall, folder, one) for one in scenario.point)
        latest = _latest(recall, folder, on or NO_END) if kind == "metered" else None
    scenario = scenario.model_copy(update={"point": points})
    if isinstance(fitted, FittedSlope):
        scenario = scenario.model_copy(update={"gradient": _gradient(fitted)})
    notes = (*_slope_says(fitted), *((NOT_TIMED,) if any(one.spans for one in scenario.well) else ()))
    return ConeSource(scenario, tuple(_rings(folder.site, scenario.to_metres)), latest, notes)


def _latest(recall: Recall, folder: SiteFolder, on: date) -> float | None:
    """The last instant of which a volume is known, in civil time, of what a day's record holds."""
    known = pumped_by_well(folder, recall, on).values()
    read = [record[-1].end_ms for one in known for record in one.records]
    return day_number(datetime.fromtimestamp(max(read) / 1000, recall.zone)) if read else None


def record_ends(source: ConeSource, asked: float) -> tuple[str, ...]:
    """That nothing is known of pumping after the record, where an instant asked for is not before its end."""
    if source.latest is None or asked < source.latest:
        return ()
    last = civil_day(source.latest)
    return (f"the last reading or report is of {last}: nothing is known of pumping after it",)


def _point(recall: Recall, folder: SiteFolder, point: ObservedPoint) -> ObservedPoint:
    """A private well at its exact place, where the household file knows it, with its water and its pump's depth."""
    well = next(one for one in folder.site.well if one.id == point.id)
    if well.use != "private":
        return point
    exact = next((one.position for one in folder.households.well if one.well == well.id), well.position)
    deepest, intake = _deepest_ft(recall, folder, well), well.pump_intake_ft or well.depth_ft
    told = {
        "water_depth": None if deepest is None else read_quantity(f"{deepest:.3f} ft", DEPTH),
        "pump_intake": None if intake is None else read_quantity(f"{intake:f} ft", DEPTH),
    }
    return point.model_copy(update={"position": exact, **told})


def _deepest_ft(recall: Recall, folder: SiteFolder, well: Well) -> float | None:
    """The deepest baseline reading below land [ft], as the night counts what is above the intake."""
    last = folder.site.permit.mining_began - timedelta(days=1)
    rows = stored_rows(recall.rows([well.id], LEVELS, None, last))
    depths = [depth for row in rows if (depth := depth_below_land_ft(well, row)) is not None]
    return max(0.0, max(depths)) if depths else None


def _rings(site: Site, to_metres: float) -> Iterator[Ring]:
    """A private well whose place is told too exactly has no ring: a small one would give it away."""
    for well in filter(may_be_shown, site.wells("private")):
        centre = well.position[0] * to_metres, well.position[1] * to_metres
        where = well.quarter_quarter or "quarter-quarter not stated"
        yield Ring(well.id, where, centre, float(well.position_accuracy_ft) * to_metres)


def _slope(recall: Recall, folder: SiteFolder) -> FittedSlope | BadQuestion:
    """The plane through the monitoring wells' levels before mining, or why there is none."""
    last = folder.site.permit.mining_began - timedelta(days=1)
    found = []
    for well in folder.site.wells("monitoring"):
        levels = excerpt.water_levels(recall, folder, well, last - timedelta(days=BASELINE_DAYS), last)["elevation_ft"]
        if levels.notna().any():
            found.append((well.position, float(levels.median())))
    try:
        return fitted_slope([place for place, _ in found], [level for _, level in found])
    except BadQuestion as caught:
        return caught


def _gradient(fitted: FittedSlope) -> Gradient:
    slope = fitted.slope
    return Gradient.model_validate({"slope": f"{slope.slope:.6f}", "toward_degrees": slope.toward})


def _slope_says(fitted: FittedSlope | BadQuestion | None) -> tuple[str, ...]:
    if isinstance(fitted, FittedSlope):
        return (
            f"Regional slope {fitted.slope.slope:.4f} toward {fitted.slope.toward:.0f}°: the plane through the median "
            f"levels of {fitted.wells} monitoring wells in the year before mining, which it misses by "
            f"{fitted.rmse:.2f} ft (root mean square)",
        )
    return () if fitted is None else (f"no regional slope: {fitted.reason}; flow is that of the cone alone",)
