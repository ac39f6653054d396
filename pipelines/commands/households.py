"""``headwater households``: what is held of whom, every look at it on record, and its redacted release."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click

from models.errors import BadQuestion
from models.site import Property
from pipelines import household_access, household_file
from pipelines.database import reading, transaction
from pipelines.household_record import Holding, check, holding, holdings, redacted
from pipelines.terminal import as_json, emit, site_option, site_store
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
    """Which properties are on file, how long, and what is held back. No name, phone, address or place is shown."""
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        rows = [_listed(one) for one in holdings(folder, connection, _today())]
    columns = ["property", "parcel", "on_file", "last_act", "kept_until", "hold", "due"]
    emit(rows, lambda: text_table(rows, columns) if rows else "no household is on file", json_wanted=as_json)
    return 0


@households.command()
@click.argument("property")
@by_option
@purpose_option
@site_option
@as_json
def show(property: str, reader: str, purpose: str, site_dir: Path, as_json: bool) -> int:
    """Name, phone, address and exact well positions of PROPERTY. The look is recorded before anything is shown."""
    with site_store(site_dir) as (folder, engine):
        _known(folder.site.property, property)
        check(folder, reader, purpose)
        with transaction(engine) as connection:
            household_access.note_read(connection, "households show", property, reader, purpose, datetime.now(UTC))
        with reading(engine) as connection:
            found = holding(folder, connection, property, _today())
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
    """What the town holds of PROPERTY, for a records request: private fields redacted, each with its ground."""
    with site_store(site_dir) as (folder, engine):
        _known(folder.site.property, property)
        check(folder, reader, purpose)
        with reading(engine) as connection:
            data = redacted(folder, connection, property, reveal, _today())
        with transaction(engine) as connection:
            what = f"{purpose} (revealed: {', '.join(reveal) or 'nothing'})"
            household_access.note_read(connection, "households export", property, reader, what, datetime.now(UTC))
    emit(data, lambda: _told(data), json_wanted=as_json)
    return 0


@households.command()
@click.argument("property")
@by_option
@purpose_option
@site_option
def forget(property: str, reader: str, purpose: str, site_dir: Path) -> int:
    """Take PROPERTY's private data out of households.toml, once their time is out and nothing holds them."""
    with site_store(site_dir) as (folder, engine):
        _known(folder.site.property, property)
        check(folder, reader, purpose)
        with reading(engine) as connection:
            _may_go(holding(folder, connection, property, _today()))
        with transaction(engine) as connection:
            household_access.note_read(connection, "households forget", property, reader, purpose, datetime.now(UTC))
        wells = frozenset(well.id for well in folder.site.wells("private") if well.property == property)
        household_file.forget(folder.path, property, wells)
    click.echo(f"{property}: private data taken out of {household_file.NAME}; backups keep them until they expire")
    return 0


def _may_go(found: Holding) -> None:
    if found.hold:
        raise BadQuestion("held back from deletion", key="hold", found=found.hold)
    if not found.due:
        until = found.kept_until.isoformat() if found.kept_until else "a case is open"
        if found.last_act is None:
            until = "no case of it was ever closed: take it out of households.toml by hand once nothing needs it"
        raise BadQuestion("its time is not out", key="kept_until", found=until)


def _known(properties: tuple[Property, ...], id: str) -> None:
    known = [one.id for one in properties]
    if id not in known:
        raise BadQuestion("no such property", key="PROPERTY", found=id, allowed=known)


def _listed(one: Holding) -> dict[str, Any]:
    return {
        "property": one.property, "parcel": one.parcel, "on_file": ", ".join(one.on_file()), "last_act": one.last_act,
        "kept_until": one.kept_until, "hold": one.hold, "due": one.due,
    }  # fmt: skip


def _told(data: dict[str, Any]) -> str:
    parts = [f"{data['property']} (parcel {data['parcel']}), as of {data['as_of']}", data["custodian"], ""]
    for title, columns in _TABLES.items():
        parts += [title.upper(), text_table(data[title], columns) if data[title] else "nothing", ""]
    return "\n".join(parts)


_TABLES = {
    "private": ["field", "value"],
    "redactions": ["field", "ground"],
    "wells": ["well", "quarter_quarter"],
    "acts": ["case", "happened_at", "event", "by", "method", "document", "note"],
    "findings": ["rule", "station", "start", "end", "verdict", "measured", "limit"],
    "money": ["happened_at", "act", "fund", "amount", "use", "document"],
}


def _today() -> date:
    return datetime.now(UTC).date()
