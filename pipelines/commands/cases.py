"""``headwater cases`` and ``headwater case``: where cases stand, and people's acts as events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click

from models.admission import subjects
from models.case import Case, CaseId
from models.case_duties import case_deadlines
from models.clock import Deadline
from models.event import Event
from pipelines import acts, casebook
from pipelines.casebook import ms
from pipelines.clocks import clock_row
from pipelines.commands.case_record import open_case, record
from pipelines.database import reading
from pipelines.duty_rows import duty_rows, rows_read_by
from pipelines.judgement import all_cases, calendar
from pipelines.site_folder import SiteFolder, open_site
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.decision_words import page_command, waiting_line, window_lines
from reports.text_table import text_table

KINDS_SHOWN = 3
STATED = ("clause", "body", "meeting", "vote", "until", "proof", "sha256", "corrects", "incident")


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
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        found = all_cases(casebook.events(connection), folder)
    rows = [
        _row(case, ZoneInfo(folder.law.zone))
        for case in found
        if (everything or case.status == "open")
        and incident in (None, case.incident)
        and subject in (None, CaseId.parse(case.id).subject)
    ]
    emit(rows, lambda: _listed(rows), json_wanted=as_json)
    return 0


def _listed(rows: list[dict[str, Any]]) -> str:
    columns = ["case", "clause", "title", "status", "state", "last_act", "last", "contradictions"]
    disputes = [row for row in rows if not row["register"]]
    books = [row for row in rows if row["register"]]
    parts = [text_table(disputes, columns) if disputes else "no open case"]
    if books:
        parts.append(f"Registers\n{text_table(books, [one for one in columns if one != 'state'])}")
    return "\n\n".join(parts)


def _row(case: Case, zone: ZoneInfo) -> dict[str, Any]:
    last = (case.events or case.recorded)[-1]
    return {
        "case": case.id, "clause": case.kind.clause, "title": case.kind.title, "status": case.status,
        "state": case.state_on(datetime.now(zone).date()), "incident": case.incident, "last_act": last.name,
        "last_at": casebook.utc(ms(last.happened_at)),
        "last": last.happened_at.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z"),
        "contradictions": len(case.contradictions) or None, "register": case.kind.is_register,
    }  # fmt: skip


@click.group()
def case() -> None:
    """Show one case, open one, or record an act in it.

    `headwater case kinds` lists what may be opened under the ordinance of this site, `headwater cases` what is open,
    and `headwater case show ID --acts` what may be recorded in one. The examples are of a site under Howard's:

    \b
      headwater case open howard.register pine-hollow --at 2025-01-02T09:00
      headwater case record howard.register/pine-hollow/2025-01-02 annual_report_received \\
          --at 2026-11-16T10:00 --by operator --fact year=2025 --document report-2025.pdf
      headwater case open howard.remedy R-1 --at 2025-08-11T09:15 --method hand
      headwater case record howard.remedy/R-1/2025-08-11 operator_receipt --at 2025-08-12T14:00 \\
          --by owner:R-1 --method "certified mail"
      headwater case show howard.remedy/R-1/2025-08-11
    """


case.add_command(open_case)
case.add_command(record)


@case.command()
@site_option
@as_json
def kinds(site_dir: Path, as_json: bool) -> int:
    """The kinds of case of this site's ordinance: what each is about, and by which act it opens.

    A register is a book of what was filed, paid and told; dated duties are judged from it.
    """
    folder = open_site(site_dir)
    rows: list[dict[str, Any]] = [
        {
            "kind": one.id, "clause": one.clause, "title": one.title, "register": one.is_register,
            "subject": one.subject, "subjects": subjects(one, folder.site), "opened_by": one.opened_by,
            "opens_by": list(one.opening_events) or ["a finding"],
        }
        for one in folder.law.case
    ]  # fmt: skip
    told = [row | {"subjects": _some(row["subjects"]), "opens_by": _some(row["opens_by"])} for row in rows]
    columns = ["kind", "clause", "title", "subject", "subjects", "opens_by"]
    emit(rows, lambda: text_table(told, columns, width=60) if rows else "no kind of case", json_wanted=as_json)
    return 0


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:KINDS_SHOWN])
    return f"{shown}, … ({len(names)})" if len(names) > KINDS_SHOWN else shown


@case.command()
@click.argument("case_id")
@click.option("--acts", "every_act", is_flag=True, help="Also every act of this kind of case and what it must state.")
@site_option
@as_json
def show(case_id: str, every_act: bool, site_dir: Path, as_json: bool) -> int:
    """The acts of CASE_ID in order, its duties and clocks, and what may be recorded now."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        events = casebook.events(connection)
    found = next((one for one in all_cases(events, folder) if one.id == case_id), None)
    if found is None:
        raise acts.unknown_case(case_id, events)
    data = _row(found, ZoneInfo(folder.law.zone)) | _parts(found, folder, events)
    data |= {"acts": _acts(found)} if every_act else {}
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 0


def _parts(case: Case, folder: SiteFolder, events: Sequence[Event]) -> dict[str, Any]:
    zone, now = ZoneInfo(folder.law.zone), datetime.now(UTC)
    clocks = case_deadlines(case, folder.law.steps(case.kind.id), calendar(folder), now)
    return {
        "events": [_event_row(one, case, zone) for one in case.recorded],
        "contradictions": [one.told(case.kind.event_of(one.event.name)) for one in case.contradictions],
        "clocks": [clock_row(one, zone) for one in clocks] if case.status != "retracted" else [],
        "costs_of_waiting": list(_waiting(clocks, folder)),
        "deciding": list(_deciding(clocks, folder)),
        "lapsed": [f"{one.title} ({one.clause}): {one.says}" for one in clocks if one.lapsed],
        "duties": rows_read_by(duty_rows(folder, events, now), folder, case.kind.id),
        "allowed": acts.allowed_now(case, folder, now),
    }


def _waiting(clocks: Sequence[Deadline], folder: SiteFolder) -> Iterator[str]:
    """What a day of the town's review costs where the law states no time: supply goes on as long."""
    said = (waiting_line(one, folder.law, folder.policy) for one in clocks)
    yield from (line for line in said if line)


def _deciding(clocks: Sequence[Deadline], folder: SiteFolder) -> Iterator[str]:
    """How soon the town may meet to use a window in hours that is still open."""
    for one in clocks:
        if one.standing == "window_open" and (lines := window_lines(one, folder.law)):
            yield from [*lines, page_command(one.case)]


def _event_row(event: Event, case: Case, zone: ZoneInfo) -> dict[str, Any]:
    """An act, and what became of it: corrected, withdrawn, or contradicted by the others."""
    other = case.overridden.get(event.key())
    impossible = next((one.reason for one in case.contradictions if one.event == event), None)
    stands = event in case.events
    gone = f"corrected by {other[: acts.SHOWN_KEY]}" if other else "contradicted" if impossible else None
    counts = f"stands, though {gone}" if gone and stands else gone
    act = case.kind.event_of(event.name)
    clause = event.clause or (act.clause if act else "") or case.kind.clause
    return acts.event_row(event, zone) | {"clause": clause, "counts": counts, "contradiction": impossible}


def _acts(case: Case) -> list[dict[str, str]]:
    return [
        {
            "act": one.name, "clause": one.clause or case.kind.clause, "whose": one.who, "means": one.means,
            "must_state": ", ".join(one.requires), "may_state": ", ".join(one.facts),
        }
        for one in case.kind.event
    ]  # fmt: skip


def _stated(rows: Sequence[dict[str, Any]]) -> str:
    """Clause, body, meeting, vote, proof, hash and facts of each act, whole, a line for each."""
    lines = []
    for row in rows:
        facts = [f"{name}={text}" for name, text in row.get("facts", {}).items()]
        said = [f"{name} {row[name]}" for name in STATED if row.get(name)]
        said += [", ".join(row["parties"])] if row.get("parties") else []
        lines += [f"  {row['key']} {row['event']}: {'; '.join([*said, *facts])}"] if said or facts else []
    return "\n".join(lines)


def _text(data: dict[str, Any]) -> str:
    columns = ["key", "event", "happened_at", "recorded_at", "by", "method", "document", "counts", "note"]
    events = text_table(data["events"], columns, width=40)
    due = ["clause", "title", "who", "standing", "runs_from", "started", "plain", "statutory", "waited_days"]
    head = f"{data['case']}: {data['title']} ({data['clause']}), {data['status']}"
    state = [data["state"].capitalize() + "."] if data["state"] else []
    wrong = [f"CONTRADICTION, to be put right: {one}" for one in data["contradictions"]]
    parts = ["\n".join([head, *state, *wrong]), events]
    parts += [f"What they state\n{said}"] if (said := _stated(data["events"])) else []
    parts += [text_table(data["clocks"], due, width=50)] if data["clocks"] else []
    parts += ["\n".join(lines) for lines in (data["lapsed"], data["costs_of_waiting"], data["deciding"]) if lines]
    if data["duties"]:
        columns = ["title", "clause", "who", "standing", "plain", "statutory", "done_by"]
        parts.append(f"Dated duties read from it\n{text_table(data['duties'], columns, width=50)}")
    if "acts" in data:
        parts.append(text_table(data["acts"], ["act", "whose", "must_state", "may_state", "means"], width=70))
    return "\n\n".join([*parts, f"May be recorded now: {', '.join(data['allowed']) or 'nothing'}"])
