"""``headwater report papers``: every paper on record and what became of it."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Connection

from models.case import CaseId
from pipelines import paper_record
from pipelines.database import reading
from pipelines.household_record import holding
from pipelines.paper_record import Paper
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table

COLUMNS = ["number", "name", "case", "composed", "state", "released", "by", "newer", "kept_until"]


@click.command()
@click.argument("case_id", metavar="[CASE]", required=False)
@site_option
@as_json
def papers(case_id: str | None, site_dir: Path, as_json: bool) -> int:
    """Papers on record, of all cases or of CASE: drafts, blank forms, those that wait, those a person let go.

    ``newer``: the paper that says the same thing as its case stood later. ``kept until``: from when `headwater
    households forget` takes the files out of papers/; empty while no time runs, and of a paper that names nobody.
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        found = paper_record.papers(connection, case_id)
        until = _kept_until(connection, folder, found)
        rows = [_row(connection, folder, one, found) | {"kept_until": until.get(one.case)} for one in found]
    emit(rows, lambda: text_table(rows, COLUMNS) if rows else "no paper on record", json_wanted=as_json)
    return 0


def _kept_until(connection: Connection, folder: SiteFolder, found: list[Paper]) -> dict[str, date | None]:
    """How long the files of papers about a property are kept, by case."""
    subjects = {one.case: CaseId.parse(one.case).subject for one in found if "/" in one.case}
    known = {one.id for one in folder.site.property} & set(subjects.values())
    today = datetime.now(ZoneInfo(folder.law.zone)).date()
    held = {one: holding(folder, connection, one, today).kept_until for one in known}
    return {case: held[subject] for case, subject in subjects.items() if subject in held}


def _row(connection: Connection, folder: SiteFolder, one: Paper, found: list[Paper]) -> dict[str, Any]:
    zone, act = ZoneInfo(folder.law.zone), paper_record.released(connection, folder, one)
    same = [other.number for other in found if (other.case, other.name) == (one.case, one.name)]
    kind = folder.law.paper_of(one.name)
    return {
        "number": one.number, "name": one.name, "title": kind.title if kind else one.name, "case": one.case,
        "to": list(kind.to) if kind else [], "composed": one.composed_at.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
        "state": "released" if act else "draft" if one.draft else "blank" if kind and kind.blank else "waits",
        "draft": list(one.draft), "released": act and act.happened_at.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
        "by": act and act.by, "newer": same[-1] if same[-1] != one.number else None, "sha256": one.sha256,
    }  # fmt: skip
