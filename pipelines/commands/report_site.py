"""``headwater report site``: the public page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from pipelines import night
from pipelines.public_page import FOLDER, write_site_page
from pipelines.terminal import as_json, emit, site_option, site_store


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help=f"Folder to write; default {FOLDER}/ in the site."
)
@click.option(
    "--as-of", type=click.DateTime(["%Y-%m-%d"]), help="As known at the end of this civil day; default yesterday, now."
)
@site_option
@as_json
def site(out: Path | None, as_of: datetime | None, site_dir: Path, as_json: bool) -> int:
    """Write the public page of the site: map, findings, clocks, stations, hydrographs, results over a standard.

    One folder of static files that loads nothing from elsewhere. It holds no household's name, phone, address or
    exact place. It is written whole or not at all, and the same record gives the same bytes.
    """
    with site_store(site_dir) as (folder, engine):
        now = night.end_of(as_of.date(), folder.law) if as_of else datetime.now(UTC)
        on = as_of.date() if as_of else now.astimezone(ZoneInfo(folder.law.zone)).date() - timedelta(days=1)
        told = write_site_page(folder, engine, on, now, out or folder.path / FOLDER)
    emit(told, lambda: f"{told['page']}: as of {on}, {told['bytes'] / 1e6:.1f} MB", json_wanted=as_json)
    return 0
