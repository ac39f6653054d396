"""``headwater households``: what is held of whom, every look at it on record, and its redacted release."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Connection

from models.case import CaseId
from models.errors import BadQuestion
from models.household import FILE
from models.site import Property
from pipelines import household_access, household_file, paper_files, paper_record
from pipelines.database import reading, transaction
from pipelines.household_record import NO_CASE, Holding, check, holding, holdings, wells_of
from pipelines.household_release import redacted
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.records_release import release_text
from reports.text_table import text_table

by_option = click.option("--by", "reader", required=True, help="Who is shown it: an office or a function.")
purpose_option = click.option("--purpose", required=True, help="What for.")


@click.group()
def households() -> None:
    """Private data of households: who is on file, who looked, what may be released, what is to be forgotten.

    \b
    headwater households list
    headwater households show R-1 --by clerk --purpose "call about the interim supply"
    headwater households export R-1 --by clerk --purpose "records request of 3 March"
    """


@households.command(name="list")
@site_option
@as_json
def list_them(site_dir: Path, as_json: bool) -> int:
    """Which properties are on file, how long, and whether they are held back. Nothing of what is private is shown."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        rows = [_listed(one) for one in holdings(folder, connection, _today(folder))]
    columns = ["property", "parcel", "on_file", "last_act", "kept_until", "waits", "hold", "due"]
    emit(rows, lambda: text_table(rows, columns) if rows else "no household is on file", json_wanted=as_json)
    return 0


@households.command()
@click.argument("property")
@by_option
@purpose_option
@site_option
@as_json
def show(property: str, reader: str, purpose: str, site_dir: Path, as_json: bool) -> int:
    """Name, phone, address, exact well positions of PROPERTY, and why it is held, after the look is put on record."""
    with site_store(site_dir) as (folder, engine):
        _known(folder.site.property, property)
        check(folder, reader, purpose)
        with transaction(engine) as connection:
            household_access.note_read(connection, "households show", property, reader, purpose, datetime.now(UTC))
        with reading(engine) as connection:
            found = holding(folder, connection, property, _today(folder))
    data = found.private()
    emit(data, lambda: text_table([data], list(data)), json_wanted=as_json)
    return 0


@households.command()
@click.argument("property", required=False)
@site_option
@as_json
def reads(property: str | None, site_dir: Path, as_json: bool) -> int:
    """Every recorded look at a household's data, of all or of PROPERTY."""
    with site_store(site_dir) as (_, engine), reading(engine) as connection:
        rows = list(household_access.reads(connection, property))
    columns = ["read_at", "household", "reader", "command", "purpose"]
    emit(rows, lambda: text_table(rows, columns) if rows else "nobody has looked", json_wanted=as_json)
    return 0


@households.command()
@click.argument("property")
@click.option("--reveal", multiple=True, help="A private field the custodian decided to release (repeat).")
@by_option
@purpose_option
@site_option
@as_json
def export(property: str, reveal: tuple[str, ...], reader: str, purpose: str, site_dir: Path, as_json: bool) -> int:
    """All the town holds of PROPERTY, for a records request: what is private is redacted, each with its ground.

    Acts of every case that concerns it, findings, reviews, money, papers, measurements, mails, and who looked. A line
    in which somebody wrote a household's name, phone, address or place is redacted too.
    """
    with site_store(site_dir) as (folder, engine):
        _known(folder.site.property, property)
        check(folder, reader, purpose)
        with reading(engine) as connection:
            data = redacted(folder, connection, property, reveal, _today(folder))
        with transaction(engine) as connection:
            what = f"{purpose} (revealed: {', '.join(reveal) or 'nothing'})"
            household_access.note_read(connection, "households export", property, reader, what, datetime.now(UTC))
    emit(data, lambda: release_text(data), json_wanted=as_json)
    return 0


@households.command()
@click.argument("property")
@by_option
@purpose_option
@site_option
def forget(property: str, reader: str, purpose: str, site_dir: Path) -> int:
    """Take PROPERTY's private data out of households.toml and papers/, once their time is out and nothing holds them.

    Papers written to another folder (`--out`), printed or sent, and backups are not reached. The papers on record in
    the store name nobody and stay.
    """
    with site_store(site_dir) as (folder, engine):
        _known(folder.site.property, property)
        check(folder, reader, purpose)
        with reading(engine) as connection:
            _may_go(holding(folder, connection, property, _today(folder)))
            written = _papers(connection, property)
        with transaction(engine) as connection:
            household_access.note_read(connection, "households forget", property, reader, purpose, datetime.now(UTC))
        gone = paper_files.forget(folder.path / paper_files.FOLDER, written)
        wells = frozenset(well.id for well in wells_of(folder, property))
        if not household_file.forget(folder.path, property, wells) and not gone:
            raise BadQuestion("nothing private is held of this property", key="PROPERTY", found=property)
    papers = f", {len(gone)} file{'s' * (len(gone) != 1)} of its papers taken out of {paper_files.FOLDER}/"
    click.echo(
        f"{property}: private data taken out of {FILE}{papers if gone else ''}; "
        "backups and papers written elsewhere keep them until they expire"
    )
    return 0


def _papers(connection: Connection, property: str) -> list[str]:
    """Names of the files of every paper in a case of the property."""
    of_case = [one for one in paper_record.papers(connection) if "/" in one.case]
    return [one.file for one in of_case if CaseId.parse(one.case).subject == property]


def _may_go(found: Holding) -> None:
    if found.hold:
        raise BadQuestion("held back from deletion; `headwater households show` says why", key="hold")
    if not found.due:
        until = found.kept_until.isoformat() if found.kept_until else found.waits
        if found.waits == NO_CASE:
            until += ": take it out of households.toml by hand once nothing needs it"
        raise BadQuestion("its time is not out", key="kept_until", found=until)


def _known(properties: tuple[Property, ...], id: str) -> None:
    known = [one.id for one in properties]
    if id not in known:
        raise BadQuestion("no such property", key="PROPERTY", found=id, allowed=known)


def _listed(one: Holding) -> dict[str, Any]:
    return {
        "property": one.property, "parcel": one.parcel, "on_file": ", ".join(one.on_file()), "last_act": one.last_act,
        "kept_until": one.kept_until, "hold": one.hold, "due": one.due, "waits": one.waits,
    }  # fmt: skip


def _today(folder: SiteFolder) -> date:
    """The civil day of the ordinance's zone: retention ends with a day of the town's."""
    return datetime.now(UTC).astimezone(ZoneInfo(folder.law.zone)).date()
