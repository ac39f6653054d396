"""``headwater verify``: whether anything that was recorded for good was changed, taken out or slipped in since."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from models.errors import BadQuestion
from pipelines.database import reading
from pipelines.seals import LOGS, Chain, chains
from pipelines.terminal import as_json, emit, site_option, site_store
from reports.text_table import text_table


@click.command()
@click.option(
    "--head", "heads", multiple=True, help='A seal printed earlier, as in "fund lines=3fa2…": is it still on?'
)
@site_option
@as_json
def verify(heads: tuple[str, ...], site_dir: Path, as_json: bool) -> int:
    """Check the seal of every row of findings, events, mails, fund lines, reviews, household reads and papers.

    Each row is sealed over the one before it. Exit 1 names the first broken link of a log by its row and key. Rows cut
    off the end of a log show only against a seal printed earlier: keep the last column, and ask for it by --head.
    """
    with site_store(site_dir) as (_, engine), reading(engine) as connection:
        found = chains(connection, _earlier(heads))
    emit([_row(one) for one in found], lambda: _text(found), json_wanted=as_json)
    return 0 if all(one.intact for one in found) else 1


def _earlier(heads: Iterable[str]) -> dict[str, list[str]]:
    given: dict[str, list[str]] = {}
    for text in heads:
        log, equals, seal = (part.strip() for part in text.partition("="))
        if not (equals and seal):
            raise BadQuestion(
                "not a log and its seal", key="--head", found=text, allowed=[f"{one}=SEAL" for one in LOGS]
            )
        given.setdefault(log, []).append(seal)
    return given


def _row(one: Chain) -> dict[str, Any]:
    return {
        "log": one.log, "rows": one.rows, "intact": one.intact, "broken_row": one.broken_row,
        "broken_key": one.broken_key or None, "says": one.says(), "seal": one.head or None,
    }  # fmt: skip


def _text(found: Iterable[Chain]) -> str:
    rows = [_row(one) | {"seal": one.head or "none yet"} for one in found]
    return text_table(rows, ["log", "rows", "says", "seal"])
