"""``headwater cases`` and ``headwater case``: where cases stand, and people's acts as events."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from models.case import Case, CaseId, allowed, reading, table_of
from models.clock import deadlines
from models.event import Event
from pipelines import acts, casebook
from pipelines.casebook import ms
from pipelines.clocks import clock_row
from pipelines.commands.case_record import open_case, record
from pipelines.database import reading as reading_store
from pipelines.judgement import all_cases, calendar
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also closed and retracted cases.")
@click.option("--incident", default=None, help="Only cases of this incident.")
@click.option("--subject", default=None, help="Only cases about this property, gauge or site.")
@site_option
@as_json
def list_cases(everything: bool, incident: str | None, subject: str | None, site_dir: Path, as_json: bool) -> int:
    """Cases and where they stand, and apart from them the registers of what was filed and paid.

    Status is derived from the recorded acts. A register is a book and no dispute; `headwater clock` says what is due
    by it, and `headwater case show ID` what stands in it.
    """
    with site_store(site_dir) as (folder, engine), reading_store(engine) as connection:
        found = all_cases(casebook.events(connection), folder)
    rows = [
        _row(case)
        for case in found
        if (everything or case.status == "open")
        and incident in (None, case.incident)
        and subject in (None, CaseId.parse(case.id).subject)
    ]
    emit(rows, lambda: _listed(rows), json_wanted=as_json)
    return 0


def _listed(rows: list[dict[str, Any]]) -> str:
    columns = ["case", "clause", "title", "status", "state", "last_act", "last_at", "contradictions"]
    disputes = [row for row in rows if not row["register"]]
    books = [row for row in rows if row["register"]]
    parts = [text_table(disputes, columns) if disputes else "no open case"]
    if books:
        parts.append(f"Registers\n{text_table(books, [one for one in columns if one != 'state'])}")
    return "\n\n".join(parts)


def _row(case: Case) -> dict[str, Any]:
    last = (case.events or case.recorded)[-1]
    return {
        "case": case.id, "clause": case.kind.clause, "title": case.kind.title, "status": case.status,
        "state": case.state, "incident": case.incident, "last_act": last.name,
        "last_at": casebook.utc(ms(last.happened_at)), "contradictions": len(case.contradictions) or None,
        "register": case.kind.is_register,
    }  # fmt: skip


@click.group()
def case() -> None:
    """Show one case, open one, or record an act in it.

    \b
      headwater case open howard.remedy R-1 --at 2025-08-11T09:15 --method hand
      headwater case record howard.remedy/R-1/2025-08-11 operator_receipt --at 2025-08-12T14:00 \\
          --by owner:R-1 --method "certified mail"
      headwater case show howard.remedy/R-1/2025-08-11
    """


case.add_command(open_case)
case.add_command(record)


@case.command()
@click.argument("case_id")
@click.option("--acts", "every_act", is_flag=True, help="Also every act of this kind of case and what it must state.")
@site_option
@as_json
def show(case_id: str, every_act: bool, site_dir: Path, as_json: bool) -> int:
    """The acts of CASE_ID in order, its duties and clocks, and what may be recorded now."""
    with site_store(site_dir) as (folder, engine), reading_store(engine) as connection:
        events = casebook.events(connection)
    found = next((one for one in all_cases(events, folder) if one.id == case_id), None)
    if found is None:
        raise acts.unknown_case(case_id, events)
    data = _row(found) | _parts(found, folder) | ({"acts": _acts(found)} if every_act else {})
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 0


def _parts(case: Case, folder: SiteFolder) -> dict[str, Any]:
    zone, now = ZoneInfo(folder.law.zone), datetime.now(UTC)
    clocks = deadlines(case.id, folder.law.steps(case.kind.id), case.events, calendar(folder), now)
    return {
        "events": [_event_row(one, case, zone) for one in case.recorded],
        "contradictions": [f"{one.event.name}: {one.reason}" for one in case.contradictions],
        "clocks": [clock_row(one, zone) for one in clocks] if case.status != "retracted" else [],
        "allowed": _allowed(case, folder, now),
    }


def _event_row(event: Event, case: Case, zone: ZoneInfo) -> dict[str, Any]:
    """An act, and what became of it: corrected, withdrawn, or contradicted by the others."""
    other = case.overridden.get(event.key())
    impossible = next((one.reason for one in case.contradictions if one.event == event), None)
    counts = f"corrected by {other[: acts.SHOWN_KEY]}" if other else "contradicted" if impossible else None
    return acts.event_row(event, zone) | {"counts": counts, "contradiction": impossible}


def _allowed(case: Case, folder: SiteFolder, now: datetime) -> list[str]:
    table = table_of(CaseId.parse(case.id), folder.law, calendar(folder))
    at = Event(case.id, "", now, now, "")
    return allowed(reading(case.recorded, table), table, at)


def _acts(case: Case) -> list[dict[str, str]]:
    return [
        {
            "act": one.name, "clause": one.clause or case.kind.clause, "whose": one.who, "means": one.means,
            "must_state": ", ".join(one.requires), "may_state": ", ".join(one.facts),
        }
        for one in case.kind.event
    ]  # fmt: skip


def _text(data: dict[str, Any]) -> str:
    columns = ["key", "event", "happened_at", "recorded_at", "by", "method", "document", "counts", "note"]
    events = text_table(data["events"], columns, width=40)
    due = ["clause", "title", "who", "standing", "runs_from", "started", "plain", "statutory", "waited_days"]
    head = f"{data['case']}: {data['title']} ({data['clause']}), {data['status']}"
    state = [data["state"].capitalize() + "."] if data["state"] else []
    wrong = [f"CONTRADICTION, left out until it is put right: {one}" for one in data["contradictions"]]
    parts = ["\n".join([head, *state, *wrong]), events, text_table(data["clocks"], due, width=50)]
    if "acts" in data:
        parts.append(text_table(data["acts"], ["act", "whose", "must_state", "may_state", "means"], width=70))
    return "\n\n".join([*parts, f"May be recorded now: {', '.join(data['allowed']) or 'nothing'}"])
