"""``headwater findings``: what the rules found."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from models.errors import BadQuestion
from pipelines import casebook, review_acts, review_book, review_told
from pipelines.database import reading
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.information import verdict_counts
from reports.text_table import text_table


@click.command()
@click.option("--all", "everything", is_flag=True, help="Also information, and findings that were withdrawn.")
@click.option("--rule", help="Only this rule, e.g. howard.baseflow.")
@click.option("--station", help="Only this station.")
@click.option(
    "--since", type=click.DateTime(["%Y-%m-%d"]), help="Only conditions that came to be on or after this day."
)
@click.option("--evidence", is_flag=True, help="Print each finding in full, with its evidence.")
@site_option
@as_json
def findings(
    everything: bool,
    rule: str | None,
    station: str | None,
    since: datetime | None,
    evidence: bool,
    site_dir: Path,
    as_json: bool,
) -> int:
    """What stands: rule, clause, station, period, measured, limit, verdict and the reason for it."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        found = _reviewed(review_acts.room(connection, folder), casebook.versions(connection))
        _known("--rule", rule, [one.id for one in folder.law.rule])
        _known("--station", station, [one.id for one in folder.site.stations()])
    first = since.date().isoformat() if since else ""
    asked = [
        one
        for one in found
        if rule in (None, one["rule"]) and station in (None, one["station"]) and one["opened_on"] >= first
    ]
    shown = [one for one in asked if everything or _told(one)]
    more = "" if everything else _not_listed(asked)
    emit(shown, lambda: _text(shown, evidence) + more, json_wanted=as_json)
    return 0


def _reviewed(room: review_acts.Room, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Findings with what reviewers did about them."""
    known, newest = review_book.acts(room.connection), review_book.newest_versions(room.connection)
    return [one | {"review": review_told.of_finding(room, one, known, newest)} for one in found]


def _told(one: dict[str, Any]) -> bool:
    """What stands, and which gauge is silent now: where nothing was seen, no finding is no answer."""
    silent = one["status"] == "OUTAGE" and one["ongoing"]
    return one["change"] not in casebook.GONE and (silent or not one["information"])


def _not_listed(asked: list[dict[str, Any]]) -> str:
    """What is left out of the list because its clause is information."""
    left = [one for one in asked if one["change"] not in casebook.GONE and not _told(one)]
    counts = verdict_counts(one["verdict"] for one in left)
    return f"\nnot listed, for information: {counts} (--all)" if counts else ""


def _known(option: str, asked: str | None, known: list[str]) -> None:
    if asked is not None and asked not in known:
        raise BadQuestion("not of this site", key=option, found=asked, allowed=known)


def _text(shown: list[dict[str, Any]], evidence: bool) -> str:
    if not shown:
        return "no finding"
    if evidence:
        return "\n\n".join(map(_in_full, shown))
    columns = [
        "opened_on",
        "rule",
        "clause",
        "station",
        "parameter",
        "aspect",
        "measured",
        "limit",
        "verdict",
        "status",
        "provisional",
        "change",
    ]
    rows = [one | {"review": one["review"]["says"]} for one in shown]
    columns += ["review"] * any(one["review"] for one in rows)
    return text_table(sorted(rows, key=lambda one: (one["opened_on"], one["key"])), columns, width=40)


def _in_full(one: dict[str, Any]) -> str:
    end = "now" if one["ongoing"] else one["end"]
    lines = [
        f"{one['rule']} ({one['clause']}) {one['station']} {one['parameter']} {one['aspect']}",
        f"  {one['start']} to {end}: {one['measured']}; limit {one['limit']}",
        f"  verdict {one['verdict']} ({one['status']}){'; provisional' if one['provisional'] else ''}: {one['reason']}",
        *(f"  - {line['line']}: {line['says']}" for line in one["evidence"]),
        *(f"    {name}: {value}" for name, value in one["facts"].items() if value is not None),
        *([f"  review: {one['review']['says']}"] if one["review"]["says"] else []),
        f"  {one['change']}, known {one['known_at']}",
    ]
    return "\n".join(lines)
