"""``headwater doctor``: everything a night needs, one line each."""

from __future__ import annotations

import os
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from pipelines.health import Answer, examine
from pipelines.terminal import as_json, emit, site_option
from reports.text_table import text_table


@click.command()
@site_option
@as_json
def doctor(site_dir: Path, as_json: bool) -> int:
    """Look at the machine, the settings and the site; each line says how it stands and what to do.

    Nothing is sent; an older database is brought up to date, as by any command. Exit code 1: something fails.
    """
    answers = examine(site_dir, os.environ, datetime.now(UTC))
    failed = any(one.state == "fail" for one in answers)
    data = {"ok": not failed, "probes": [asdict(one) for one in answers]}
    emit(data, lambda: _text(answers), json_wanted=as_json)
    return 1 if failed else 0


def _text(answers: list[Answer]) -> str:
    rows = [asdict(one) | {"what_to_do": one.do} for one in answers]
    return text_table(rows, ["state", "probe", "says", "what_to_do"], width=100)
