"""``headwater nightly``: the whole night."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Any
from zoneinfo import ZoneInfo

import click

from models.errors import BadQuestion
from pipelines import catch_up, night
from pipelines.database import default_url, opened
from pipelines.fetch import for_night
from pipelines.site_folder import open_site
from pipelines.smtp import sender
from pipelines.terminal import as_json, emit, say, site_option
from reports.night_summary import night_summary


@click.command()
@click.option("--as-of", type=click.DateTime(["%Y-%m-%d"]), help="Civil day to judge; default yesterday.")
@click.option("--page", is_flag=True, help="Write the public page too, as `serve` does.")
@click.option("--no-fetch", is_flag=True, help="Ask no service; read what is in the inbox.")
@click.option("--dry-run", is_flag=True, help="Show what would be found and mailed; change nothing.")
@site_option
@as_json
def nightly(as_of: datetime | None, page: bool, no_fetch: bool, dry_run: bool, site_dir: Path, as_json: bool) -> int:
    """Ask the services the site declares, read the inbox, judge every rule in force, keep the cases, and mail the town.

    With --as-of D the night knows what was known at the end of civil day D. Nights run forward
    only; a repeated night adds nothing. Exit code 3: done, but something was left out.
    """
    folder = open_site(site_dir)
    clock = _now
    local = clock().astimezone(ZoneInfo(folder.law.zone))
    on = as_of.date() if as_of else local.date() - timedelta(days=1)
    if on > local.date():
        raise BadQuestion(
            "this day is still to come", key="--as-of", found=on.isoformat(), allowed=[f"up to {local.date()}"]
        )
    known = min(night.end_of(on, folder.law), clock()) if as_of else clock()
    with opened(default_url(site_dir, os.environ)) as engine:
        if dry_run:
            summary = night.rehearse(folder, on, known, engine)
        else:
            # A night of the past must not know what is fetched today.
            present = not no_fetch and (as_of is None or on == local.date())
            fetch = for_night(folder, engine, os.environ) if present else None
            with sender(os.environ, folder.outbox) as send:
                summary = catch_up.run_alone(
                    folder, on, known, engine, send=send, clock=clock, fetch=fetch, say=say, page=page, pause=sleep
                )
    say("")
    emit(summary, lambda: night_summary(summary), json_wanted=as_json)
    return _exit_code(summary)


def _now() -> datetime:
    return datetime.now(UTC)


def _exit_code(summary: dict[str, Any]) -> int:
    return 3 if summary["left_out"] or summary.get("not_sent") else 0
