"""``headwater clock``: what is due."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click

from pipelines import casebook, night
from pipelines.clocks import clock_row
from pipelines.database import reading
from pipelines.judgement import all_deadlines
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table

DONE = {"done", "done_late", "window_passed"}


@click.command()
@click.option(
    "--as-of", type=click.DateTime(["%Y-%m-%d"]), help="As it stood at the end of this civil day; default now."
)
@click.option("--who", type=click.Choice(["town", "operator", "owner"]), help="Only what this party owes.")
@click.option("--all", "everything", is_flag=True, help="Also what is done.")
@site_option
@as_json
def clock(as_of: datetime | None, who: str | None, everything: bool, site_dir: Path, as_json: bool) -> int:
    """What is due, by whom, from which recorded act, under which clause.

    Plain is the day to plan by; statutory, computed as the ordinance's computing rule says, is the
    day after which it is overdue.
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        now = night.end_of(as_of.date(), folder.law) if as_of else datetime.now(UTC)
        found = all_deadlines(casebook.events(connection), folder, now)
    shown = [one for one in found if who in (None, one.who) and (everything or one.standing not in DONE)]
    rows = [clock_row(one, ZoneInfo(folder.law.zone)) for one in shown]
    columns = ["case", "clause", "title", "who", "runs_from", "standing", "plain_due", "statutory_due"]
    emit(rows, lambda: text_table(rows, columns, width=50) if rows else "nothing is due", json_wanted=as_json)
    return 0
