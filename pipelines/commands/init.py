"""``headwater init``: a site folder with commented skeletons, filled from files where there are any."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import click

from ingest.places.columns import ROLES, private_kind
from ingest.places.place import Use
from models.errors import BadQuestion
from models.household import FILE as HOUSEHOLDS
from models.observation import Reject
from models.rules import Ordinance, SamplingRule, ordinance
from pipelines.site_folder import open_site
from pipelines.site_from_files.fill import filled
from pipelines.site_from_files.filling import Fact, Filled
from pipelines.site_from_files.put import checked, put, read_text
from pipelines.site_from_files.systems import Said
from pipelines.site_from_files.text import difference
from pipelines.terminal import as_json, emit
from reports.text_table import one_line, text_table

SITE = "site.toml"
SKELETONS = (SITE, "policy.toml", HOUSEHOLDS, "events.csv")
EXAMPLE = "howard"
"""The ordinance the skeletons are written for."""
MOST_SHOWN = 40
REASON = 120
LEFT_OUT = 3


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@click.argument("more", nargs=-1, type=click.Path(path_type=Path), metavar="")
@click.option("--ordinance", "town", default=EXAMPLE, show_default=True, help="The ordinance the site is under.")
@click.option(
    "--from", "sources", multiple=True, type=click.Path(path_type=Path), metavar="FILE…",
    help="Fill site.toml from lists of wells (csv, xlsx, RDB), shapefiles, GeoJSON; a site that is there is added to.",
)  # fmt: skip
@click.option("--crs", default="", help="The coordinate system of files that do not name theirs, as EPSG:3070.")
@click.option("--use", type=click.Choice(get_args(Use)), help="The use of wells of which the file does not say it.")
@click.option(
    "--within", "within_mi", type=click.FloatRange(0, 500), default=10.0, show_default=True,
    help="How many miles from the boundary, or the area of the county's system, anything may lie.",
)  # fmt: skip
@click.option("--column", "columns", multiple=True, metavar="ROLE=HEADING", help="What a column says, as id=site_seq.")
@click.option("--dry-run", is_flag=True, help="Show what would be added, and write nothing.")
@as_json
def init(
    directory: Path, more: tuple[Path, ...], town: str, sources: tuple[Path, ...], crs: str, use: Use | None,
    within_mi: float, columns: tuple[str, ...], dry_run: bool, as_json: bool,
) -> int:  # fmt: skip
    """Make DIRECTORY a site: commented site.toml, policy.toml, households.toml, events.csv, inbox/ and outbox/.

    Nothing that is there is overwritten. With --from, what files say of wells, gauges, parcels and the boundary is
    added, each with its source; names of people and exact places of private wells go to households.toml alone.

    Exit code 3: something of the files was left out, and is listed.
    """
    law = ordinance(town)
    if not sources:
        if more or crs or use or columns or dry_run:
            raise BadQuestion("needs files to take from", key="--from")
        return _made(directory, law, as_json)
    before = _there(directory) or _skeletons(law)
    found = filled(before[SITE], before[HOUSEHOLDS], (*sources, *more), Said(crs, use, within_mi, _roles(columns)))
    after = before | {SITE: found.site, HOUSEHOLDS: found.households}
    checked(after)
    written = [] if dry_run else _written(directory, after)
    data = _told(found, written, difference(before[SITE], found.site, SITE) if dry_run else None)
    emit(data, lambda: _text(data, directory), json_wanted=as_json)
    return LEFT_OUT if any(one.rows for one in found.rejects) else 0


def _made(directory: Path, law: Ordinance, as_json: bool) -> int:
    _refuse_taken(directory)
    _written(directory, _skeletons(law))
    made = [str(directory / name) for name in (*SKELETONS, "inbox", "outbox")]
    lines = [*made, "", f"next: fill in site.toml, then headwater check --site {directory}"]
    emit({"made": made}, lambda: "\n".join(map(one_line, lines)), json_wanted=as_json)
    return 0


def _refuse_taken(directory: Path) -> None:
    taken = [name for name in SKELETONS if (directory / name).exists()]
    if taken:
        raise BadQuestion("already there; nothing was written", file=str(directory / taken[0]))


def _there(directory: Path) -> dict[str, str] | None:
    """The files of a site that is sound; None where there is none.

    Raises
    ------
    BadSite : a site with a fault: nothing is added to it.
    """
    if not (directory / SITE).exists():
        _refuse_taken(directory)
        return None
    open_site(directory)
    texts = {name: read_text(directory / name) for name in SKELETONS if (directory / name).exists()}
    return {HOUSEHOLDS: _head_of(_skeleton(HOUSEHOLDS))} | texts


def _head_of(text: str) -> str:
    """The lines of a skeleton above its first blank one."""
    return text.partition("\n\n")[0] + "\n"


def _skeleton(name: str) -> str:
    return (files("pipelines") / "skeleton" / name).read_text(encoding="utf-8")


def _skeletons(law: Ordinance) -> dict[str, str]:
    texts = {name: _skeleton(name) for name in SKELETONS}
    return texts if law.id == EXAMPLE else {name: under(law, text) for name, text in texts.items()}


def _written(directory: Path, texts: Mapping[str, str]) -> list[str]:
    """Write what changes, and the folders of a new site; what was written."""
    if not (directory / SITE).exists():
        for folder in (directory / "inbox", directory / "outbox"):
            folder.mkdir(parents=True, exist_ok=True)
    return put(directory, texts)


def _roles(columns: tuple[str, ...]) -> dict[str, str]:
    """``id=site_seq`` as heading by role.

    Raises
    ------
    BadQuestion : no such role, or a column about people, which says nothing else.
    """
    found = {}
    for one in columns:
        role, equals, heading = one.partition("=")
        if role not in ROLES or not equals or not heading:
            raise BadQuestion("not a role and a heading", key="--column", found=one, allowed=sorted(ROLES))
        if private_kind(heading):
            raise BadQuestion("a column about people says nothing else", key="--column", found=heading)
        found[role] = heading
    return found


def _told(found: Filled, written: list[str], diff: str | None) -> dict[str, Any]:
    return {
        "written": written,
        "added": [_fact(one) for one in found.added],
        "waiting": [_fact(one) for one in found.waiting],
        "already_there": [_fact(one) for one in found.already],
        "private": found.private,
        "left_out": [_reject(one) for one in found.rejects],
        "not_read": found.unread,
        **({} if diff is None else {"difference": diff}),
    }


def _fact(one: Fact) -> dict[str, Any]:
    return {"table": one.table, "id": one.id, "file": one.origin.file, "row": one.origin.row, "why": one.said}


def _reject(one: Reject) -> dict[str, Any]:
    """Without its raw text, which may name somebody."""
    return {"file": one.file, "row": one.row, "column": one.column, "reason": one.reason, "rows": one.rows}


def _text(data: dict[str, Any], directory: Path) -> str:
    dry = "difference" in data
    none = "nothing was written" + ("" if dry else ": all of it is there")
    tables = [
        _listed("added", data["added"], ["table", "id", "file", "row"]),
        _listed("waiting for what is missing (site.toml says what)", data["waiting"], ["id", "file", "row", "why"]),
        _listed("there already", data["already_there"], ["id", "file", "row", "why"]),
        _listed("left out", data["left_out"], ["file", "row", "column", "reason"]),
    ]
    people = [f"rows with something private, for {HOUSEHOLDS}: {data['private']}"] if data["private"] else []
    unread = [one_line(f"not read of {file}: {', '.join(at)}") for file, at in data["not_read"].items() if at]
    last = [] if dry else [one_line(f"next: read site.toml, then headwater check --site {directory}")]
    head = ["\n".join(map(one_line, data["written"])) or none, data.get("difference", "")]
    return "\n\n".join(filter(None, [*head, *tables, *people, *unread, *last]))


def _listed(title: str, rows: list[dict[str, Any]], columns: list[str]) -> str:
    if not rows:
        return ""
    more = f"\n… and {len(rows) - MOST_SHOWN} more (--json lists all)" if len(rows) > MOST_SHOWN else ""
    return f"{title}: {len(rows)}\n{text_table(rows[:MOST_SHOWN], columns, width=REASON)}{more}"


def under(law: Ordinance, skeleton: str) -> str:
    """A skeleton for a site under another ordinance than the example's: its name, coordinates, permit and mail."""
    example, name = ordinance(EXAMPLE), law.jurisdiction.partition(",")[0]
    for old, new in (
        (f'ordinance = "{example.id}"', f'ordinance = "{law.id}"'),
        ("NAD83(2011) / WISCRS Chippewa (ftUS)", "the coordinate system of the ordinance"),
        (example.crs, law.crs),
        (example.jurisdiction.partition(",")[0], name),
        (f"@{example.id}.example", f"@{law.id}.example"),
        (example.rule[0].id, law.rule[0].id),
        (_sampled_under(example), _sampled_under(law)),
        (f"{example.id}.delivery", f"{law.id}.delivery"),
        ("# at most three years, and never past the lease", ""),
    ):
        skeleton = skeleton.replace(old, new)
    return "\n".join(line.rstrip() for line in skeleton.split("\n"))


def _sampled_under(law: Ordinance) -> str:
    """The rule that a sampling calendar stands under."""
    return next((rule.id for rule in law.rule if isinstance(rule, SamplingRule)), "…")
