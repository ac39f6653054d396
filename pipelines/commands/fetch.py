"""``headwater fetch``: ask the services the site declares, and store what they give."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Engine

from models.errors import BadQuestion, EnvironmentFailed
from pipelines import fetch as fetching
from pipelines import inbox, night_lock
from pipelines.casebook import ms
from pipelines.fetch import Fetched, Wish
from pipelines.fetch_record import MISSED
from pipelines.inbox import Receipt
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, complain, emit, say, site_option, site_store
from reports.text_table import text_table

STORING = "a fetch"
"""What a night is told that comes while a fetch stores: asking keeps no night waiting."""
COLUMNS = ["station", "collection", "state", "values", "new", "first", "last", "asked_from", "message"]


@click.command()
@click.option("--station", "stations", multiple=True, help="Only this station; may be repeated.")
@click.option("--since", type=click.DateTime(["%Y-%m-%d"]), help="Ask from this day on, whatever is stored.")
@click.option("--revision-days", type=click.IntRange(0, 36_500), help="Days before the last value asked again.")
@click.option("--download-only", is_flag=True, help="Leave the files in the inbox for the night.")
@site_option
@as_json
def fetch(
    stations: tuple[str, ...], since: datetime | None, revision_days: int | None, download_only: bool, site_dir: Path,
    as_json: bool,
) -> int:  # fmt: skip
    """Pull what the site's USGS and WQP stations need since the last value.

    Stations are declared in [[fetch]] tables of site.toml. An answer is taken whole or not at all. Exit code 0:
    every station was answered; 3: some were not, or rows were left out; 4: no station was answered.
    """
    wish = Wish(since.date() if since else None, revision_days, stations)
    with site_store(site_dir) as (folder, engine):
        _declared(folder, stations)
        rows = fetching.run(folder, engine, fetching.webs(folder.site, os.environ), clock=_now, say=say, wish=wish)
        receipts = [] if download_only else _stored(folder, engine, rows)
    told = [_with_new(one, receipts) for one in rows] if not download_only else rows
    say("")
    answer = {"fetched": [asdict(one) for one in told], "files": [asdict(one) for one in receipts]}
    emit(answer, lambda: _text(answer["fetched"], receipts), json_wanted=as_json)
    return _exit_code(told, receipts)


def _declared(folder: SiteFolder, stations: Sequence[str]) -> None:
    there = [one.station for one in folder.site.fetch]
    if not there:
        raise BadQuestion("declares no station to fetch; add a [[fetch]] table", file="site.toml", key="fetch")
    for one in stations:
        if one not in there:
            raise BadQuestion("no such station to fetch", key="--station", found=one, allowed=there)


def _stored(folder: SiteFolder, engine: Engine, rows: Sequence[Fetched]) -> list[Receipt]:
    """Take what was delivered into the store, as the night would; a night that came between has taken it already.

    Raises
    ------
    EnvironmentFailed : a night is at work; the files wait in the inbox.
    """
    if not any(one.files for one in rows):
        return []
    with ExitStack() as held:
        try:
            held.enter_context(night_lock.alone(folder.path, folder.site.id, engine, _now(), STORING))
        except EnvironmentFailed as busy:
            raise EnvironmentFailed(f"what was fetched waits in inbox/ for the next night: {busy.reason}") from None
        there = [path for one in rows for name in one.files if (path := folder.inbox / name).exists()]
        return _taken(folder, engine, there)


def _taken(folder: SiteFolder, engine: Engine, paths: Sequence[Path]) -> list[Receipt]:
    zone, receipts = ZoneInfo(folder.law.zone), []
    for path in paths:
        say(f"storing {path.name}")
        receipts.append(inbox.take(engine, folder.site, zone, path, ms(_now()), households=folder.households))
        for line in inbox.put_away(path, receipts[-1]):
            complain(line)
    return receipts


def _with_new(row: Fetched, receipts: Sequence[Receipt]) -> Fetched:
    """The row with how many values changed the store; an answer that changed nothing is called so."""
    mine = [one for one in receipts if one.file in row.files]
    if len(mine) < len(row.files):
        return row  # a night took them, and its summary says what was new
    new = sum(one.accepted + one.revised for one in mine)
    left_out = any(one.left_out for one in mine)
    if row.state == "new data" and not new and not left_out:
        return replace(row, new=0, state="unchanged")
    return replace(row, new=new)


def _text(rows: Sequence[dict[str, Any]], receipts: Sequence[Receipt]) -> str:
    refused = [one.error or f"{one.file}: {one.rejected} rejected, the first: {one.first_reject}" for one in receipts
               if one.left_out]  # fmt: skip
    left_out = "\n\nLeft out\n" + "\n".join(f"  {line}" for line in refused) if refused else ""
    return text_table(rows, COLUMNS, width=100) + left_out


def _exit_code(rows: Sequence[Fetched], receipts: Sequence[Receipt]) -> int:
    missed = [one for one in rows if one.state in MISSED]
    if missed and len(missed) == len(rows):
        return 4
    return 3 if missed or any(one.left_out for one in receipts) else 0


def _now() -> datetime:
    return datetime.now(UTC)
