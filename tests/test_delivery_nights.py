"""Expected deliveries and replies through whole nights and the command line."""

import json
import mailbox
from pathlib import Path
from typing import Any

import pytest

from pipelines import cli

RULE = "howard.network.levels.delivery"
WELLS = "".join(
    f'\n[[well]]\nid = "MW-{k}"\nuse = "monitoring"\nposition = [{k}00.0, 100.0]\n' for k in range(1, 21)
)  # fmt: skip
ONE = """
[[delivery]]
id = "levels-{k}"
rule = "{rule}"
sender = "Northwoods Field Services"
stations = ["MW-{k}"]
group = "levels"
every_months = 1
first_due = 2025-07-10
first_period_ends = 2025-06-30
required_by = {{ decision = "Plan Commission, minutes", on = 2024-11-12 }}
"""
HEAD = "station,parameter,unit,date,value\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    assert cli.run(["init", str(folder)]) == 0
    with (folder / "site.toml").open("a", encoding="utf-8") as text:
        text.write(WELLS + "".join(ONE.format(k=k, rule=RULE) for k in range(1, 21)))
    return folder


def drop(folder: Path, name: str, *rows: str) -> None:
    lines = [f"{row.split()[0]},depth_below_mp,ft,{row.split()[1]},20.0\n" for row in rows]
    (folder / "inbox" / name).write_text(HEAD + "".join(lines), encoding="utf-8")


def night(folder: Path, on: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert cli.run(["nightly", "--site", str(folder), "--as-of", on, "--json"]) in {0, 3}
    return json.loads(capsys.readouterr().out)


def clock(folder: Path, on: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert cli.run(["clock", "--site", str(folder), "--as-of", on, "--json"]) == 0
    return [one for one in json.loads(capsys.readouterr().out) if one["step"] == RULE]


def test_twenty_late_deliveries_are_one_mail_and_end_one_by_one(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop(folder, "first.csv", "MW-1 2025-05-20")
    mails = [len(night(folder, f"2025-07-{day}", capsys)["mails"]) for day in ("09", "10", "11", "12")]
    assert mails == [0, 0, 1, 0]
    alerts = [str(one["subject"]) for one in mailbox.Maildir(folder / "outbox", create=False)]
    assert sum("Data of the monitoring program have not come" in one for one in alerts) == 1
    rows = clock(folder, "2025-07-12", capsys)
    assert [one["standing"] for one in rows].count("overdue") == 20
    assert {one["plain_due"] for one in rows if one["standing"] == "running"} == {"2025-08-10"}
    drop(folder, "second.csv", "MW-1 2025-06-20", "MW-2 2025-06-20")
    changes = night(folder, "2025-07-14", capsys)["changes"]
    assert [(one["change"], one["measured"]) for one in changes if one["rule"] == RULE] == [
        ("ended", "known 2025-07-14, late by no more than 4 days")
    ] * 2
    assert [one["standing"] for one in clock(folder, "2025-07-14", capsys)].count("overdue") == 18


def test_a_first_load_accuses_nobody_of_what_was_due_before_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop(folder, "first.csv", "MW-1 2025-05-20")
    night(folder, "2025-09-05", capsys)
    assert [one for one in night(folder, "2025-09-06", capsys)["changes"] if one["rule"] == RULE] == []


def test_the_night_writes_replies_beside_done_and_speaks_of_no_folder(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop(folder, "first.csv", "MW-1 2025-05-20", "MW-99 2025-05-20")
    night(folder, "2025-07-01", capsys)
    (reply,) = (folder / "inbox" / "replies").iterdir()
    text = reply.read_text(encoding="utf-8")
    assert "  1  accepted" in text
    assert 'row 3, column station: "MW-99" (unknown station; 1 row left out)' in text
    assert not any("replies" in line for line in night(folder, "2025-07-02", capsys)["left_out"])


def test_check_names_a_delivery_under_a_rule_that_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (folder / "site.toml").open("a", encoding="utf-8") as text:
        text.write(ONE.format(k=1, rule="howard.fee").replace("levels-1", "odd"))
    capsys.readouterr()
    assert cli.run(["check", "--site", str(folder)]) == 2
    assert "delivery[odd].rule: no such rule for deliveries (found 'howard.fee')" in capsys.readouterr().err


def test_the_doctor_speaks_of_what_has_not_come(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drop(folder, "first.csv", "MW-1 2025-05-20")
    night(folder, "2025-07-01", capsys)
    capsys.readouterr()
    cli.run(["doctor", "--site", str(folder)])
    assert "levels-1, due 2025-07-10 (2.08(1)(c)4): days 2025-06-01 to 2025-06-30" in capsys.readouterr().out
