"""``headwater rejects``: what was not taken."""

from __future__ import annotations

from pathlib import Path

import click

from pipelines import casebook, observations
from pipelines.database import reading
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table


@click.command()
@click.option("--file", "file_name", help="Only this file.")
@site_option
@as_json
def rejects(file_name: str | None, site_dir: Path, as_json: bool) -> int:
    """Rows and files that were not taken: file, row, column, raw text and reason."""
    with site_store(site_dir) as (_, engine), reading(engine) as connection:
        frame = observations.rejects(connection)
    rows = [
        {**{str(name): cell for name, cell in row.items()}, "arrived_at": casebook.utc(row["arrived_at"])}
        for row in frame.to_dict("records")
        if file_name is None or row["file"] == file_name
    ]
    columns = ["file", "row", "column", "raw", "reason", "arrived_at"]
    emit(rows, lambda: text_table(rows, columns) if rows else "nothing was rejected", json_wanted=as_json)
    return 0
