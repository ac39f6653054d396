"""``headwater rejects``: what was not taken."""

from __future__ import annotations

from pathlib import Path

import click

from pipelines import casebook, delivery_reply, open_rejects
from pipelines.database import reading
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table


@click.command()
@click.option("--file", "file_name", help="Only this file.")
@click.option("--all", "history", is_flag=True, help="Also those whose row was taken since.")
@click.option("--reply", "reply_to", metavar="FILE", help="Print the text for the sender of this file instead.")
@site_option
@as_json
def rejects(file_name: str | None, history: bool, reply_to: str | None, site_dir: Path, as_json: bool) -> int:
    """Rows and files that were not taken and still wait: file, row, column, raw text and reason.

    A reject is settled when its file is read again with success, because site.toml names what was missing, or when a
    corrected file arrives: one of the same name that repeats every value the earlier one brought (or, where that
    brought none, takes the rows it could not). What the corrected file rejects itself is listed. Nothing is forgotten:
    --all lists the settled ones too.

    --reply prints what the sender of the latest file of a name may be told of it, with what still waits; nothing is
    sent.
    """
    if reply_to is not None:
        return _reply(site_dir, reply_to, as_json=as_json)
    with site_store(site_dir) as (_, engine), reading(engine) as connection:
        frame = open_rejects.listed(connection, history=history)
    rows = [
        {**{str(name): cell for name, cell in row.items()}, "arrived_at": casebook.utc(row["arrived_at"])}
        for row in frame.to_dict("records")
        if file_name is None or row["file"] == file_name
    ]
    columns = ["file", "row", "column", "raw", "reason", "arrived_at", *(["open"] if history else [])]
    nothing = "nothing was rejected" if history else "no reject is open"
    emit(rows, lambda: text_table(rows, columns) if rows else nothing, json_wanted=as_json)
    return 0


def _reply(site_dir: Path, file: str, *, as_json: bool) -> int:
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        text = delivery_reply.reply_to_latest(connection, folder, file)
    emit({"file": file, "reply": text}, lambda: text.rstrip("\n"), json_wanted=as_json)
    return 0
