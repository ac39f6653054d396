"""``headwater clock``: what is due."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from models.checks.delivery_entries import check_deliveries
from pipelines import casebook, night
from pipelines.clocks import clock_row
from pipelines.database import reading
from pipelines.delivery_rows import delivery_rows
from pipelines.due_list import owed_by
from pipelines.duty_rows import duty_rows, unkept
from pipelines.judgement import all_deadlines
from pipelines.sampling_rows import sampling_rows
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table

DONE = {"done", "done_late", "done_cannot_tell", "window_passed", "not_owed"}


@click.command()
@click.option(
    "--as-of", type=click.DateTime(["%Y-%m-%d"]), help="As it stood at the end of this civil day; default now."
)
@click.option(
    "--who",
    default=None,
    metavar="PARTY",
    help="Only what they owe or may do: town, operator, owner, a party of site.toml by its id, owner:PROPERTY.",
)
@click.option("--all", "everything", is_flag=True, help="Also what is done, and the clocks of closed cases.")
@site_option
@as_json
def clock(as_of: datetime | None, who: str | None, everything: bool, site_dir: Path, as_json: bool) -> int:
    """What is due, by whom, from which recorded act, under which clause.

    Plain is the day to plan by; statutory, computed as the ordinance's computing rule says, is the
    day after which it is overdue. The clock of a case runs only from a recorded act; the dated duties of the
    ordinance (reports, fees, the permit's own days) stand beside them, judged from the register the town keeps,
    and the sampling events of the site's calendar: overdue ones, and the next of each.
    "no register": the town keeps none, and nothing is said of what was done (`headwater case open --help`).

    \b
    What the operator owes, as it stood at the end of 3 September:
      headwater clock --who operator --as-of 2025-09-03
    What one of several operators owes, by its id in site.toml:
      headwater clock --who pine-hollow-sand
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        check_deliveries(folder.site, folder.law, datetime.now(ZoneInfo(folder.law.zone)).date())
        now = night.end_of(as_of.date(), folder.law) if as_of else datetime.now(UTC)
        events = [one for one in casebook.events(connection) if one.recorded_at <= now]
        sampling = sampling_rows(connection, folder, events, now)
        deliveries = delivery_rows(connection, folder, events, now)
    theirs = owed_by(who, folder, events, now)
    steps = [
        clock_row(one, ZoneInfo(folder.law.zone)) | {"case_status": status}
        for status in (("open", "closed") if everything else ("open",))
        for one in all_deadlines(events, folder, now, status=status)
    ]
    found = [*steps, *duty_rows(folder, events, now), *sampling, *deliveries]
    rows = [row for row in found if theirs(row) and (everything or _to_show(row))]
    rows.sort(key=lambda row: (row["who"], row["plain_due"] or "9999", row["case"], row["step"]))
    silent = unkept(folder, events, now)
    columns = ["who", "plain", "statutory", "standing", "title", "clause", "runs_from", "started", "case"]
    columns += ["case_status"] if everything else []
    table = (
        text_table(rows, columns, width=50) if rows else "nothing is known to be due" if silent else "nothing is due"
    )
    emit(rows, lambda: "\n\n".join([table, *silent]), json_wanted=as_json)
    return 0


def _to_show(row: dict[str, Any]) -> bool:
    """What is owed or may be done, and a power that passed and nobody used: it is on no other list."""
    return row["standing"] not in DONE or (row["standing"] == "window_passed" and row["done_by"] is None)
