"""``headwater verify``: a row changed, removed or cut off in any sealed log is found and named."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from pipelines import cli, schema
from pipelines.database import opened, reading, transaction
from pipelines.health import examine
from pipelines.ledger import append
from pipelines.seals import LOGS
from sample_data import demo

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
Verify = Callable[..., tuple[int, Any]]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site with three rows in every log."""
    monkeypatch.delenv("HEADWATER_DATABASE_URL", raising=False)
    demo.fresh_site(tmp_path / "site")
    with opened(url(tmp_path / "site")) as engine, transaction(engine) as connection:
        for table, column in LOGS.values():
            for number in range(3):
                append(connection, table, row(table, column, f"k{number}"))
    return tmp_path / "site"


def url(site: Path) -> str:
    return f"sqlite:///{site / 'headwater.db'}"


def row(table: Any, column: str, key: str) -> dict[str, Any]:
    needed = [one for one in table.columns if not one.nullable]
    made: dict[str, Any] = {one.name: key if one.type.python_type is str else 1 for one in needed}
    return {name: value for name, value in made.items() if name not in {"id", "prev_hash", "hash"}} | {column: key}


@pytest.fixture
def verify(site: Path, capsys: pytest.CaptureFixture[str]) -> Verify:
    def run(*arguments: str) -> tuple[int, Any]:
        code = cli.run(["verify", *arguments, "--site", str(site), "--json"])
        return code, json.loads(capsys.readouterr().out or "null")

    return run


def changed(site: Path, statement: str) -> None:
    with opened(url(site)) as engine, transaction(engine) as connection:
        connection.execute(text(statement))


def test_every_table_with_a_seal_is_checked() -> None:
    sealed = {one.name for one in schema.metadata.tables.values() if {"prev_hash", "hash"} <= set(one.columns.keys())}
    assert {table.name for table, _ in LOGS.values()} == sealed


def test_untouched_logs_are_intact(verify: Verify) -> None:
    code, found = verify()
    assert code == 0
    assert [(one["log"], one["rows"], one["says"]) for one in found] == [(one, 3, "intact") for one in LOGS]


@pytest.mark.parametrize("log", LOGS)
def test_a_row_that_was_changed_is_named_by_log_row_and_key(site: Path, verify: Verify, log: str) -> None:
    table, column = LOGS[log]
    other = next(one.name for one in table.columns if one.name not in {"id", "prev_hash", "hash", column})
    changed(site, f"update {table.name} set {other} = '9' where id = 2")
    code, found = verify()
    assert code == 1
    assert [one["says"] for one in found if not one["intact"]] == ["BROKEN at row 2, key k1"]
    assert [one["log"] for one in found if not one["intact"]] == [log]


def test_a_row_that_was_taken_out_shows_at_the_next(site: Path, verify: Verify) -> None:
    changed(site, "delete from fund_line where id = 2")
    found = verify()[1]
    assert [one["says"] for one in found if not one["intact"]] == ["BROKEN at row 3, key k2"]


def test_rows_cut_off_the_end_show_against_a_seal_printed_before(site: Path, verify: Verify) -> None:
    head = next(one["seal"] for one in verify()[1] if one["log"] == "fund lines")
    changed(site, "delete from fund_line where id = 3")
    assert verify()[0] == 0, "the chain alone cannot tell"
    code, found = verify("--head", f"fund lines={head}")
    assert (code, [one["log"] for one in found if not one["intact"]]) == (1, ["fund lines"])


@pytest.mark.parametrize("head", ["fund lines", "fund lines=", "money=abc"])
def test_what_is_no_seal_of_a_log(verify: Verify, head: str) -> None:
    assert verify("--head", head)[0] == 2


def test_doctor_names_a_broken_log(site: Path) -> None:
    def seals() -> list[tuple[str, str]]:
        return [(one.state, one.says) for one in examine(site, dict(os.environ), NOW) if one.probe == "seals"]

    assert seals() == [("ok", "21 rows of 7 logs as they were recorded")]
    changed(site, "update household_access set reader = 'nobody' where id = 1")
    assert seals() == [("fail", "household reads: BROKEN at row 1, key k0")]


def test_a_ledger_whose_amounts_were_changed_adds_up_nothing(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    changed(site, "delete from fund_line")
    record = [
        "funds",
        "record",
        "post",
        "--fund",
        "water",
        "--amount",
        "1000",
        "--document",
        "bond 17",
        "--by",
        "clerk",
    ]
    assert cli.run([*record, "--at", "2025-05-01", "--site", str(site)]) == 0
    changed(site, "update fund_line set body = replace(body, '1000.00', '900000.00')")
    capsys.readouterr()
    assert cli.run(["funds", "--site", str(site)]) == 4
    said = capsys.readouterr()
    assert "was changed after it was recorded: `headwater verify` says where" in said.err
    assert "900000" not in said.out
    with opened(url(site)) as engine, reading(engine) as connection:
        assert connection.execute(text("select count(*) from fund_line")).scalar_one() == 2
