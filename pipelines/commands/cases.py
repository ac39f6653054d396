"""``headwater cases`` and ``headwater case``: where cases stand, and people's acts as events."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from models.case import Case, CaseId, Event, admit, cases
from models.errors import BadQuestion
from pipelines import casebook
from pipelines.casebook import ms
from pipelines.clocks import clock_row
from pipelines.database import reading, transaction
from pipelines.judgement import all_deadlines
from pipelines.site_folder import SiteFolder, event_from_text
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also closed and retracted cases.")
@site_option
@as_json
def list_cases(everything: bool, site_dir: Path, as_json: bool) -> int:
    """Cases and where they stand. Status is derived from the recorded acts."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        found = cases(casebook.events(connection), folder.law)
    rows = [_row(case) for case in found if everything or case.status == "open"]
    columns = ["case", "clause", "title", "status", "last_act", "last_at"]
    emit(rows, lambda: text_table(rows, columns) if rows else "no open case", json_wanted=as_json)
    return 0


def _row(case: Case) -> dict[str, Any]:
    last = case.events[-1]
    return {
        "case": case.id, "clause": case.kind.clause, "title": case.kind.title, "status": case.status,
        "last_act": last.name, "last_at": casebook.utc(ms(last.happened_at)),
    }  # fmt: skip


@click.group()
def case() -> None:
    """Show one case, or record an act in it."""


@case.command()
@click.argument("case_id")
@site_option
@as_json
def show(case_id: str, site_dir: Path, as_json: bool) -> int:
    """The acts of CASE_ID in order, its duties and clocks."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        events = casebook.events(connection)
    found = next((one for one in cases(events, folder.law) if one.id == case_id), None)
    if found is None:
        raise BadQuestion(
            "no such case", found=case_id, allowed=sorted({event.case for event in events}) or ["none yet"]
        )
    data = _row(found) | {"events": [_event_row(one, folder) for one in found.events], "clocks": _clocks(found, folder)}
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 0


def _clocks(case: Case, folder: SiteFolder) -> list[dict[str, Any]]:
    zone = ZoneInfo(folder.law.zone)
    return [clock_row(one, zone) for one in all_deadlines(case.events, folder, datetime.now(UTC))]


def _event_row(event: Event, folder: SiteFolder) -> dict[str, Any]:
    zone = ZoneInfo(folder.law.zone)
    happened, recorded = (
        one.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z") for one in (event.happened_at, event.recorded_at)
    )
    return {
        "event": event.name, "happened_at": happened, "recorded_at": recorded, "by": event.by,
        "method": event.method, "document": event.document, "note": event.note,
    }  # fmt: skip


def _text(data: dict[str, Any]) -> str:
    events = text_table(
        data["events"], ["event", "happened_at", "recorded_at", "by", "method", "document", "note"], width=40
    )
    clocks = text_table(data["clocks"], ["clause", "title", "who", "standing", "plain_due", "statutory_due"], width=50)
    return f"{data['case']}: {data['title']} ({data['clause']}), {data['status']}\n\n{events}\n\n{clocks}"


@case.command()
@click.argument("case_id")
@click.argument("event")
@click.option("--at", required=True, help="When it happened, local or with offset: 2025-08-29T10:00.")
@click.option(
    "--by", required=True, help="Whose act it is: clerk, town board, operator, owner:PROPERTY. No person's name."
)
@click.option("--method", default="", help="How it was done or served: certified mail, by hand, e-mail.")
@click.option("--document", default="", help="Where the paper is.")
@click.option("--note", default="", help="Plain words; no names.")
@site_option
@as_json
def record(
    case_id: str, event: str, at: str, by: str, method: str, document: str, note: str, site_dir: Path, as_json: bool
) -> int:
    """Record that EVENT happened in CASE_ID (kind/subject/YYYY-MM-DD).

    An owner's notice opens a case: headwater case record howard.remedy/R-1/2025-08-11 town_receipt
    --at 2025-08-11T09:15 --by owner:R-1. `headwater case show CASE_ID` then shows what runs.
    """
    CaseId.parse(case_id)
    recorded_at = datetime.now(UTC).replace(microsecond=0)
    cells = {
        "case": case_id, "event": event, "recorded_at": recorded_at.isoformat(),
        "by": by, "method": method, "document": document, "note": note,
    }  # fmt: skip
    with site_store(site_dir) as (folder, engine), transaction(engine) as connection:
        act = event_from_text(cells | {"happened_at": _with_offset(at, folder)})
        admit(act, casebook.events(connection), folder.site, folder.law)
        new = casebook.append_event(connection, act, ms(recorded_at))
    data = {"case": case_id, "event": event, "happened_at": casebook.utc(ms(act.happened_at)), "recorded": new}
    emit(data, lambda: f"{'recorded' if new else 'already on record'}: {event} in {case_id}", json_wanted=as_json)
    return 0


def _with_offset(text: str, folder: SiteFolder) -> str:
    """A time without an offset is the town's local time; an hour that the clock showed twice is refused."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise BadQuestion("not a time", key="--at", found=text, allowed=["YYYY-MM-DDTHH:MM"]) from None
    if when.tzinfo is not None:
        return when.isoformat()
    zone = ZoneInfo(folder.law.zone)
    first, second = (when.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        allowed = [f"{when.isoformat(timespec='minutes')}{one.strftime('%z')[:3]}:00" for one in (first, second)]
        raise BadQuestion("the clock change makes this time unclear", key="--at", found=text, allowed=allowed)
    return first.isoformat()
