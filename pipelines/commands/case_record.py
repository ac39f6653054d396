"""``headwater case open`` and ``headwater case record``: people's acts, each with its law."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Connection

from models.admission import nearness
from models.case import CaseId
from models.case_duties import case_deadlines
from models.errors import BadQuestion
from pipelines import act_doubts, acts, casebook
from pipelines.acts import Taken
from pipelines.casebook import ms, utc
from pipelines.clocks import clock_row
from pipelines.database import transaction
from pipelines.duty_rows import duty_rows, rows_read_by
from pipelines.judgement import all_cases, calendar
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table

F = TypeVar("F", bound=Callable[..., Any])
LEFT_OUT = 3

_OPTIONS = (
    click.option("--at", required=True, help="When it happened, local or with offset: 2025-08-29T10:00."),
    click.option("--method", default="", help="How it was done or served: certified mail, by hand, e-mail, told."),
    click.option("--proof", default="", help="Proof of service: the number of a return receipt, an affidavit."),
    click.option("--document", default="", help="The paper: a file here (its hash is kept), or where it is filed."),
    click.option("--note", default="", help="Plain words; no names, phones or addresses."),
    click.option("--body", default="", help="Which body determined it: town board, plan commission."),
    click.option("--meeting", default="", help="Day of its meeting: 2025-09-18."),
    click.option("--vote", default="", help="Its vote, ayes-noes: 3-0."),
    click.option("--until", default="", help="A new last day, or the end of a term: 2027-12-29."),
    click.option("--clause", default="", help="The clause, where it is not the kind's own."),
    click.option("--fact", "facts", multiple=True, metavar="NAME=VALUE", help="What else it states; again for each."),
    click.option("--party", "parties", multiple=True, help="Another property or party it concerns; again for each."),
    click.option("--incident", default="", help="A label that the cases of one incident share."),
)  # fmt: skip


def _said(command: F) -> F:
    """Everything an act may state."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command("record")
@click.argument("case_id")
@click.argument("event")
@click.option(
    "--by", required=True, help="Whose act it is: clerk, town board, operator, owner:PROPERTY. No person's name."
)
@click.option("--corrects", default="", metavar="KEY", help="The entry it replaces; `case show` prints keys.")
@click.option("--also", multiple=True, metavar="CASE_ID", help="The same act in another case too; again for each.")
@_said
@site_option
@as_json
def record(
    case_id: str, event: str, by: str, corrects: str, also: tuple[str, ...], site_dir: Path, as_json: bool,
    **said: Any,
) -> int:  # fmt: skip
    """Record that EVENT happened in CASE_ID (kind/subject/YYYY-MM-DD).

    What the clause does not allow is refused with the reason and with what it allows. An act may be recorded late:
    it counts from when it happened. `headwater case show CASE_ID --acts` lists every act and what it must state.

    \b
    The town's notice to the operator, by certified mail:
      headwater case record howard.baseflow/LMC-1/2025-08-25 town_notice_given \\
          --at 2025-08-29T10:00 --by clerk --method "certified mail" --proof 9407-1 --document notice.pdf
    An owner's notice told at the counter, or by e-mail:
      headwater case record howard.remedy/R-1/2025-08-11 operator_receipt \\
          --at 2025-08-12T14:00 --by owner:R-1 --method e-mail
    A determination of the town:
      headwater case record howard.remedy/R-1/2025-08-11 report_denied --at 2025-09-18T19:10 \\
          --by "town board" --body "town board" --meeting 2025-09-18 --vote 3-0 --document minutes.pdf
    A wrong entry put right, or taken back:
      headwater case record howard.remedy/R-1/2025-08-11 operator_receipt --at 2025-08-13T14:00 \\
          --by owner:R-1 --method e-mail --corrects 1f0c9a2b7d3e
      headwater case record howard.remedy/R-1/2025-08-11 entry_withdrawn --at 2025-08-20T09:00 \\
          --by clerk --corrects 1f0c9a2b7d3e --note "entered in the wrong case"
    """
    with site_store(site_dir) as (folder, engine), transaction(engine) as connection:
        cells = _cells(said, folder) | {"event": event, "by": by, "corrects": corrects.strip().casefold()}
        taken = acts.take(connection, folder, cells, said["facts"], [case_id, *also])
        data = _answer(connection, folder, taken)
    emit(data, lambda: _text(data), json_wanted=as_json)
    return LEFT_OUT if data["contradictions"] else 0


@click.command("open")
@click.argument("kind")
@click.argument("subject")
@click.option("--by", default="", help="Whose act it is; the owner of the property where the law asks for an owner.")
@click.option("--event", default="", help="The act that opens it, where the kind knows several.")
@click.option("--another", is_flag=True, help="A second case of the same subject and day.")
@_said
@site_option
@as_json
def open_case(
    kind: str, subject: str, by: str, event: str, another: bool, site_dir: Path, as_json: bool, **said: Any
) -> int:
    """Open a case of KIND about SUBJECT (a property, or the site) by the act that begins it.

    `headwater case kinds` lists the kinds of this site's ordinance, their subjects and the acts that open them.

    The id of the case is made here and printed. For a property the distance of its parcel decides: within 1/2 mile an
    owner gives notice, beyond it an owner applies.

    \b
    An owner's notice that the town received by hand:
      headwater case open howard.remedy R-1 --at 2025-08-11T09:15 --method hand --document notice.pdf
    The operator received it first:
      headwater case open howard.remedy R-1 --event operator_receipt --at 2025-08-11T09:15 --method "certified mail"
    The register of what the operator files and pays, from the first day it speaks for:
      headwater case open howard.register pine-hollow --at 2024-12-30T09:00
    """
    with site_store(site_dir) as (folder, engine), transaction(engine) as connection:
        sort = acts.kind_of(folder, kind)
        near = nearness(sort, subject, folder.site)
        name = event or acts.opening_act(sort, near)
        act = sort.event_of(name)
        who = by or acts.usual_actor(sort, act, subject)
        cells = _cells(said, folder) | {"event": name, "by": who, "corrects": ""}
        case_id = acts.new_id(connection, folder, sort, subject, acts.local(said["at"], folder), another=another)
        data = _answer(connection, folder, acts.take(connection, folder, cells, said["facts"], [case_id], opening=True))
    data |= {"distance_ft": near and round(near.distance_ft), "within": near and near.within}
    emit(data, lambda: _text(data), json_wanted=as_json)
    return 0


def _cells(said: dict[str, Any], folder: SiteFolder) -> dict[str, str]:
    """The options as columns of events.csv."""
    name, sha256 = acts.document(said["document"])
    if any(";" in one for one in said["parties"]):
        raise BadQuestion("one party each", key="--party", found=";".join(said["parties"]))
    texts = {key: said[key] for key in ("method", "proof", "note", "body", "meeting", "vote", "until", "clause")}
    recorded = _now().isoformat()
    return texts | {
        "incident": said["incident"], "document": name, "sha256": sha256, "parties": ";".join(said["parties"]),
        "happened_at": acts.local(said["at"], folder).isoformat(), "recorded_at": recorded,
    }  # fmt: skip


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _answer(connection: Connection, folder: SiteFolder, taken: list[Taken]) -> dict[str, Any]:
    first, zone = taken[0], ZoneInfo(folder.law.zone)
    ids = [one.event.case for one in taken]
    events = casebook.events(connection)
    found = [one for one in all_cases(events, folder) if one.id in ids]
    running = [
        clock_row(deadline, zone)
        for case in found
        if case.status == "open"
        for deadline in case_deadlines(case, folder.law.steps(case.kind.id), calendar(folder), _now())
        if deadline.to_tell
    ]
    duties, kind = duty_rows(folder, events, _now()), CaseId.parse(ids[0]).kind
    today = _now().astimezone(zone).date()
    return {
        "duties": rows_read_by(duties, folder, kind, first.event.name),
        "case": ids[0], "cases": ids, "event": first.event.name, "key": first.event.key(),
        "happened_at": utc(ms(first.event.happened_at)), "recorded": any(one.new for one in taken),
        "document": first.event.document or None, "sha256": first.event.sha256 or None,
        "status": {one.id: one.status for one in found}, "state": {one.id: one.state_on(today) for one in found},
        "contradictions": [line for one in taken for line in one.contradicts],
        "doubts": [line for one in taken for line in act_doubts.doubts(connection, folder, one.event)],
        "clocks": running,
    }  # fmt: skip


def _text(data: dict[str, Any]) -> str:
    word = "recorded" if data["recorded"] else "already on record"
    lines = [f"{word}: {data['event']} in {', '.join(data['cases'])} (entry {data['key'][: acts.SHOWN_KEY]})"]
    stands = [(id, status, data["state"][id]) for id, status in data["status"].items()]
    lines += [f"{id}: {status}" + (f"; {state}" if state else "") for id, status, state in stands]
    if data.get("within"):
        lines.append(f"the parcel lies {data['distance_ft']:,} ft from the mine site: {data['within']} the line")
    if data["document"] and not data["sha256"]:
        lines.append(f"{data['document']}: no file here, kept as the name of a paper without a hash")
    lines += [f"DOUBT: {one}" for one in data["doubts"]]
    lines += data["contradictions"]
    columns = ["case", "clause", "title", "who", "standing", "plain", "statutory"]
    rows = [*data["clocks"], *data["duties"]]
    return "\n".join(lines) + ("\n\n" + text_table(rows, columns, width=50) if rows else "")
