"""A site folder and its stored meter readings as a pumping scenario."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from zoneinfo import ZoneInfo

from models.metered_volumes import Interval, intervals
from models.question import stored_rows
from models.scenario.noun import Kind, Scenario
from models.scenario.of_site import site_scenario
from models.site import Meter
from pipelines.aquifer.scenario_file import finished
from pipelines.database import reading
from pipelines.known_at import instant_ms
from pipelines.recall import Recall
from pipelines.terminal import site_store


def scenario_of_site(site_dir: Path, kind: Kind, permitted: Mapping[str, str], known_at: str | None = None) -> Scenario:
    """The site with its production wells as metered, checked, and of the kind asked for.

    Parameters
    ----------
    permitted : well -> permitted rate with its unit, over what the site file says.
    known_at : only what was known then; None for all there is.

    Raises
    ------
    BadSite, BadQuestion : the site breaks its schema, declares no aquifer, has no reading, or cannot be had of that
        kind.
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        zone = ZoneInfo(folder.law.zone)
        recall = Recall(connection, zone, None if known_at is None else instant_ms(known_at, zone))
        found: dict[str, list[list[Interval]]] = {}
        for meter in folder.site.meter:
            found.setdefault(meter.well, []).append(_intervals(recall, meter))
        scenario = site_scenario(folder.site, found, permitted, zone, kind)
    return finished(scenario, kind, permitted, "site.toml")


def _intervals(recall: Recall, meter: Meter) -> list[Interval]:
    return intervals(meter, stored_rows(recall.rows([meter.id], ["meter_reading"], None, None)))
