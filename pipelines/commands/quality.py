"""``headwater quality``: NR 140 verdicts ad hoc."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
import pandas as pd

from ingest.formats import read
from models.checks.groundwater_quality import plain_reading, substances_of, verdict_rows
from models.errors import BadQuestion
from pipelines import excerpt
from pipelines.database import reading
from pipelines.recall import Recall
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table

STANDARDS = "nr140"


@click.command()
@click.argument("source")
@click.option("--format", "format_name", help="Do not detect the file's format by content.")
@click.option("--notable", is_flag=True, help="Leave out what is not attained.")
@site_option
@as_json
def quality(source: str, format_name: str | None, notable: bool, site_dir: Path, as_json: bool) -> int:
    """Compare every result of SOURCE (a laboratory file, or a station of the site) with NR 140.

    A file is judged by NR 140 alone (attained at the standard or over); a station by its clause too.
    """
    path = Path(source)
    verdicts = _of_file(path, format_name) if path.is_file() else _of_station(source, site_dir)
    shown = [one for one in verdicts if not notable or one["nr140_status"] != "not_attained"]
    columns = [
        "station",
        "substance",
        "sampled",
        "value_text",
        "unit",
        "lod_text",
        "loq_text",
        "standard_text",
        "kind",
        "table",
        "nr140_status",
        "verdict",
        "paragraph",
    ]
    emit(
        {"verdicts": shown}, lambda: text_table(shown, columns) if shown else "no result to judge", json_wanted=as_json
    )
    return 0


def _of_file(path: Path, format_name: str | None) -> list[dict[str, Any]]:
    rows = read(path, format=format_name).observations
    days = pd.to_datetime(rows["time_ms"], unit="ms").dt.date
    return verdict_rows(plain_reading(STANDARDS), rows.assign(day=days, row_id=rows["row"].astype(str)))


def _of_station(station: str, site_dir: Path) -> list[dict[str, Any]]:
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        well = next((one for one in folder.site.well if one.id == station), None)
        if well is None:
            known = [one.id for one in folder.site.well]
            raise BadQuestion("neither a file nor a well of the site", found=station, allowed=known)
        zone = ZoneInfo(folder.law.zone)
        rule = excerpt.rule_for(folder, well, datetime.now(zone).date())
        return verdict_rows(rule, Recall(connection, zone).rows([station], substances_of(rule), None, None))
