"""``headwater report notice`` and ``report release``: papers written, and let go by a person. Nothing is sent."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Connection

from models.rules import Ordinance
from pipelines import acts, paper_book, paper_files
from pipelines.casebook import ms, utc
from pipelines.database import transaction
from pipelines.paper_record import Paper
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, emit, say, site_option, site_store
from reports.papers.sheet import Written

LEFT_OUT = 3


@click.command()
@click.argument("case_id", metavar="CASE")
@click.option("--paper", "name", default=None, help="Only this paper; default every paper that is due as it stands.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder to write to; default SITE/papers."
)
@click.option("--by", default=None, help="Who is shown a household's name in it; default the account that asks.")
@click.option("--no-pdf", is_flag=True, help="Page and plain text only.")
@site_option
@as_json
def notice(
    case_id: str, name: str | None, out: Path | None, by: str | None, no_pdf: bool, site_dir: Path, as_json: bool
) -> int:
    """Write the papers of CASE: numbered, as page, PDF and plain text. Nothing is sent and nothing is released.

    The same state of a case gives the same paper under the same number. A paper that rests on provisional days no
    reviewer has accepted is a DRAFT, and says so. Files are for the town alone (mode 0600). Without a browser, or
    with one that does not print in time, there is no PDF: exit code 3.

    \b
    The town's notice to the operator:
      headwater report notice howard.baseflow/LMC-1/2025-08-25
    The operator's 20-day demand alone, and the blank form for an owner:
      headwater report notice howard.remedy/R-1/2025-08-11 --paper demand
      headwater report notice howard.remedy
    """
    now, reader = _now(), by or f"account {getpass.getuser()}"
    with site_store(site_dir) as (folder, engine):
        with transaction(engine) as connection:
            found = list(_handed_out(connection, folder, case_id, name, reader, now))
        where = out or site_dir / paper_files.FOLDER
        rows = [_row(one, new, written, where, folder.law, pdf=not no_pdf) for one, new, written in found]
    say("")
    left_out = [line for row in rows for line in row["left_out"]]
    data = {"case": case_id, "papers": rows, "left_out": left_out}
    emit(data, lambda: _text(rows), json_wanted=as_json)
    return LEFT_OUT if left_out else 0


def _handed_out(
    connection: Connection, folder: SiteFolder, case_id: str, name: str | None, reader: str, now: datetime
) -> Iterator[tuple[Paper, bool, Written]]:
    """Each paper, whether it is new, and its forms with the names in them; every household named is read on record."""
    for kind in paper_book.to_write(connection, folder, case_id, name):
        one, new = paper_book.compose(connection, folder, case_id, kind, now)
        forms = paper_book.handed_out(connection, folder, one, command="report notice", reader=reader, at=now)
        yield one, new, forms


def _row(one: Paper, new: bool, written: Written, out: Path, law: Ordinance, *, pdf: bool) -> dict[str, Any]:
    say(f"writing {one.file}")
    kind = law.paper_of(one.name)
    return {
        "number": one.number, "name": one.name, "title": kind.title if kind else one.name, "case": one.case,
        "to": list(kind.to) if kind else [], "new": new, "draft": list(one.draft), "sha256": one.sha256,
        **paper_files.write(written, out, one.file, os.environ, pdf=pdf),
    }  # fmt: skip


def _text(rows: list[dict[str, Any]]) -> str:
    return "\n".join(line for row in rows for line in _lines(row))


def _lines(row: dict[str, Any]) -> list[str]:
    state = "DRAFT" if row["draft"] else "composed" if row["new"] else "as composed before"
    to = ", ".join(row["to"]) or "nobody (blank)"
    return [
        f"paper {row['number']}: {row['title']} ({row['name']}), {state}, to {to}",
        *(f"  draft: {one}" for one in row["draft"]),
        *(f"  wrote {one['name']} ({one['bytes']:,} bytes)" for one in row["files"]),
        *(f"  left out: {one}" for one in row["left_out"]),
        *([f"  to let it go: headwater report release {row['number']} --by OFFICE"] if _may_go(row) else []),
    ]


def _may_go(row: dict[str, Any]) -> bool:
    return bool(row["to"]) and not row["draft"]


@click.command()
@click.argument("number")
@click.option("--by", required=True, help="Who lets it go: an office of the town, as clerk.")
@click.option("--at", default=None, help="When, local time unless it has an offset; default now.")
@click.option("--method", default="", help="How it goes out: hand, certified mail.")
@site_option
@as_json
def release(number: str, by: str, at: str | None, method: str, site_dir: Path, as_json: bool) -> int:
    """Record that a person let paper NUMBER go, as an act of its case. Nothing is sent: serve it, then record that.

    A draft, a blank form, and a paper whose case has moved on since are refused.

    \b
      headwater report release 2025-003 --by clerk --method "certified mail"
    """
    now = _now()
    with site_store(site_dir) as (folder, engine), transaction(engine) as connection:
        when = acts.local(at, folder) if at else now
        event, new = paper_book.release(connection, folder, number, by=by, at=when, method=method, now=now)
        data = {
            "number": number, "case": event.case, "recorded": new, "released_at": utc(ms(event.happened_at)),
            "by": event.by, "method": event.method or None, "document": event.document, "sha256": event.sha256,
        }  # fmt: skip
        local = event.happened_at.astimezone(ZoneInfo(folder.law.zone)).strftime("%Y-%m-%d %H:%M %Z")
    word = "released" if new else "was released before"
    emit(data, lambda: f"paper {number} {word}, {local}, by {event.by} ({event.case})", json_wanted=as_json)
    return 0


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
