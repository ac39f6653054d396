"""``headwater report decision``: the page before a decision of the town."""

from __future__ import annotations

import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from models.errors import EnvironmentFailed
from models.privacy import private_part
from pipelines import acts, decision_facts
from pipelines.database import reading
from pipelines.terminal import as_json, emit, site_option, site_store

FOLDER = "decisions"


@click.command()
@click.argument("case_id", metavar="CASE")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help=f"Folder to write to; default SITE/{FOLDER}."
)
@click.option("--at", default=None, help="As known at this time, local unless it has an offset; default now.")
@site_option
@as_json
def decision(case_id: str, out: Path | None, at: str | None, site_dir: Path, as_json: bool) -> int:
    """Write the page for a meeting that decides in CASE: one file that works offline and prints.

    What is asked with the clause's own words, plain and statutory time, how soon the town may meet, what may be
    drawn and what a day of waiting costs, what is known and what is not. It names no household, decides nothing and
    starts no deadline. A case in which nothing waits for a determination of the town is refused.

    \b
      headwater report decision howard.remedy/R-1/2025-08-11
      headwater report decision howard.remedy/R-1/2025-08-11 --at 2025-08-11T12:00
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        now = acts.local(at, folder) if at else datetime.now(UTC).replace(microsecond=0)
        page = decision_facts.page(connection, folder, case_id, now)
        if part := private_part(page, folder.households):  # nothing it is made of should hold one: the last door
            raise EnvironmentFailed(f"the page would hold a household's {part} and is not written", key=case_id)
    file = _write(page, out or site_dir / FOLDER, f"decision-{case_id.replace('/', '-')}.html")
    data: dict[str, Any] = {
        "case": case_id,
        "known_at": now.isoformat(),
        "file": str(file),
        "bytes": len(page.encode()),
    }
    emit(data, lambda: f"wrote {file} ({data['bytes']:,} bytes)", json_wanted=as_json)
    return 0


def _write(page: str, out: Path, name: str) -> Path:
    """The file whole or not at all, for the town's eyes (mode 0600)."""
    try:
        out.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, stage = tempfile.mkstemp(prefix=".decision-", dir=out)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(page)
        return Path(stage).replace(out / name)
    except OSError as caught:
        raise EnvironmentFailed(f"cannot be written: {caught.strerror}", file=str(out)) from None
