"""``headwater ingest``: store files now, outside the night; the next night judges them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import click
from sqlalchemy import Engine

from ingest.cells import counted
from ingest.formats import FORMATS
from ingest.laboratory.mapped import load_map
from ingest.reading import DateOrder, DecimalMark
from models.errors import BadQuestion
from pipelines import delivery_reply, inbox, parcels
from pipelines.casebook import ms
from pipelines.database import reading
from pipelines.file_options import table_options, told, told_options
from pipelines.household_names import refuse_named
from pipelines.inbox import Receipt
from pipelines.site_folder import SiteFolder
from pipelines.terminal import as_json, complain, emit, say, site_option, site_store
from reports.text_table import one_line, text_table

BETWEEN = f"\n\n{'-' * 78}\n\n"
"""Between two replies."""


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format", "format_name", type=click.Choice(sorted(FORMATS)), help="Do not detect the format by content."
)
@told_options
@table_options
@click.option("--reply", "as_reply", is_flag=True, help="Print the text for the sender of each file; nothing is sent.")
@site_option
@as_json
def ingest(
    paths: tuple[Path, ...], format_name: str | None, date_order: DateOrder | None, station: str, parameter: str,
    unit: str, decimal: DecimalMark | None, map_file: Path | None, as_reply: bool, site_dir: Path, as_json: bool,
) -> int:  # fmt: skip
    """Read, check and store PATHS (files, zips of files, or folders of them). Files stay where they are.

    --reply prints, in place of the table, what each sender may be told: what was taken, what was not, row by row, and
    what to do about it. It names no household and nobody else's data.

    Exit code 0: all taken; 3: some rows or files were left out; 2: nothing could be read.
    """
    files, known_at, said = _files(paths), ms(datetime.now(UTC)), told(date_order, station, parameter, unit, decimal)
    table_map = None if map_file is None else load_map(map_file)
    with site_store(site_dir) as (folder, engine):
        zone = ZoneInfo(folder.law.zone)
        for file in files:
            refuse_named(file, folder.households)
        desk = parcels.desk(
            engine, folder.site, zone, known_at, folder.households, format=format_name, told=said, table_map=table_map
        )
        receipts = [one for file in files for one in _taken(desk, file)]
        replies = _replies(engine, folder, receipts) if as_reply else []
    rows = [asdict(one) for one in receipts]
    if replies:
        rows = [row | {"reply": text} for row, text in zip(rows, replies, strict=True)]
    columns = ["file", "format", "accepted", "rejected", "duplicate", "revised", "set_apart", "seen", "error"]
    notes = [f"{one.file}: {one.note}" for one in receipts if one.note]
    emit(
        rows,
        lambda: (
            BETWEEN.join(text.rstrip("\n") for text in replies)
            or "\n".join([text_table(rows, columns), *map(one_line, [*notes, *_left_out(receipts)])])
        ),
        json_wanted=as_json,
    )
    for one in receipts:
        if one.error:
            complain(one.error)
    return _exit_code(receipts)


def _replies(engine: Engine, folder: SiteFolder, receipts: list[Receipt]) -> list[str]:
    with reading(engine) as connection:
        return [delivery_reply.reply(connection, folder, one) for one in receipts]


def _left_out(receipts: list[Receipt]) -> Iterator[str]:
    """Why the first row of each file was not taken, and where all of them are."""
    refused = [one for one in receipts if one.first_reject and not one.error]
    for one in refused:
        yield f"{one.file}: {counted(one.rejected, 'row')} rejected and waiting, the first: {one.first_reject}"
    if refused:
        yield "`headwater rejects` lists every one"


def _taken(desk: parcels.Desk, file: Path) -> Sequence[Receipt]:
    """Of a file, or of each that a zip holds."""
    say(f"reading {file.name}")
    return parcels.take(desk, file).receipts


def _files(paths: tuple[Path, ...]) -> list[Path]:
    missing = next((path for path in paths if not path.exists()), None)
    if missing is not None:
        raise BadQuestion("no such file or folder", file=str(missing))
    return [file for path in paths for file in (inbox.waiting(path) if path.is_dir() else [path])]


def _exit_code(receipts: list[Receipt]) -> int:
    refused = [one for one in receipts if one.error]
    if receipts and len(refused) == len(receipts):
        return 2
    return 3 if any(one.left_out for one in receipts) else 0
