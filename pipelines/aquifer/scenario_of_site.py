"""A site folder and what is stored of its pumping as a pumping scenario."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from models.known_volumes import KnownVolumes, known_at_wells, speaking
from models.question import Changed, Question
from models.scenario.noun import Kind, Scenario
from models.scenario.of_site import site_scenario
from pipelines.aquifer.scenario_file import finished
from pipelines.database import reading
from pipelines.known_at import instant_ms
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from pipelines.terminal import site_store

NO_END = date(9998, 12, 31)


def scenario_of_site(site_dir: Path, kind: Kind, permitted: Mapping[str, str], known_at: str | None = None) -> Scenario:
    """The site with its production wells as they were pumped, checked, and of the kind asked for.

    Parameters
    ----------
    permitted : well -> permitted rate with its unit, over what the site file says.
    known_at : only what was known then; None for all there is.

    Raises
    ------
    BadSite, BadQuestion : the site breaks its schema, declares no aquifer, has no known volume, or cannot be had of
        that kind.
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        zone = ZoneInfo(folder.law.zone)
        recall = Recall(connection, zone, None if known_at is None else instant_ms(known_at, zone))
        known = pumped_by_well(folder, recall)
        found = {id: one.records for id, one in known.items()}
        by = {id: one.says for id, one in known.items() if one.method != "meter"}
        scenario = site_scenario(folder.site, found, permitted, zone, kind, by)
    return finished(scenario, kind, permitted, "site.toml")


def pumped_by_well(folder: SiteFolder, recall: Recall, last: date = NO_END) -> dict[str, KnownVolumes]:
    """Volumes by well up to a civil day, by the record that speaks; without the wells of which nothing is known."""
    now = datetime.now(UTC) if recall.known_at is None else datetime.fromtimestamp(recall.known_at / 1000, UTC)
    question = Question(folder.site, folder.law, folder.policy, recall, last, now, Changed())
    wells = folder.site.wells("production")
    known = known_at_wells(question, wells, last)
    spoken = {one.id: speaking(known[one.id], one.volumes_by) for one in wells}
    return {id: one for id, one in spoken.items() if one is not None}
