"""Expected deliveries and replies through whole nights and the command line."""

import json
import mailbox
from datetime import date
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pipelines import casebook, cli
from pipelines.arrivals import Arrivals
from pipelines.database import opened, reading

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
    cli.run(["doctor", "--site", str(folder), "--json"])
    said = capsys.readouterr().out
    assert "levels-1, due 2025-07-10 (2.08(1)(c)4): days 2025-06-01 to 2025-06-30" in said
    assert "the inbox was last read at the end of 2025-07-01: whether it came cannot be told" in said


# What the town itself left undone: nights that did not run, and entries that site.toml lacked.


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Levels of MW-1 for June, due on 2025-07-10, a Thursday; what comes in July is due in August."""
    folder = tmp_path / "small"
    assert cli.run(["init", str(folder)]) == 0
    with (folder / "site.toml").open("a", encoding="utf-8") as text:
        text.write(WELLS.split("\n\n")[0] + ONE.format(k=1, rule=RULE))
    return folder


def told(summary: Any) -> list[tuple[str, str]]:
    return [(one["change"], one["measured"]) for one in summary["changes"] if one["rule"] == RULE]


def post(folder: Path, station: str = "MW-1", **headers: str) -> None:
    """A mail in the maildir with June's level; its headers stand as a server and a sender write them."""
    mail = EmailMessage()
    mail["From"] = "results@lab.example"
    for name, value in headers.items():
        mail[name] = value
    mail.set_content("The levels of June.")
    mail.add_attachment(
        f"{HEAD}{station},depth_below_mp,ft,2025-06-20,20.0\n".encode(), "text", "csv", filename="june.csv"
    )
    box = folder / "inbox" / "mail" / "new"
    box.mkdir(parents=True)
    (box / "1752100000.M1.host").write_bytes(mail.as_bytes())


def test_a_file_that_lay_there_while_the_machine_was_down_is_not_told_as_late(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop(small, "may.csv", "MW-1 2025-05-20")
    night(small, "2025-07-09", capsys)
    drop(small, "june.csv", "MW-1 2025-06-20")
    summary = night(small, "2025-07-14", capsys)
    assert told(summary) == [("opened", (
        "known 2025-07-14; the inbox was not read from the end of 2025-07-09 to the end of 2025-07-14: "
        "whether it came in time cannot be told"
    ))]  # fmt: skip
    assert [(one["verdict"], one["status"]) for one in summary["changes"] if one["rule"] == RULE] == [
        ("indeterminate", "INDETERMINATE")
    ]
    assert [one["standing"] for one in clock(small, "2025-07-14", capsys)] == ["running"]


def test_a_night_that_found_nothing_after_the_due_day_makes_it_late(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop(small, "may.csv", "MW-1 2025-05-20")
    night(small, "2025-07-01", capsys)
    night(small, "2025-07-10", capsys)
    drop(small, "june.csv", "MW-1 2025-06-20")
    assert told(night(small, "2025-07-14", capsys)) == [("opened", "known 2025-07-14, late by no more than 4 days")]


def test_a_file_that_the_machine_would_not_open_was_there_all_the_same(
    small: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    drop(small, "may.csv", "MW-1 2025-05-20")
    night(small, "2025-07-09", capsys)
    drop(small, "june.csv", "MW-1 2025-06-20")
    monkeypatch.setattr("pipelines.inbox.identity", cannot_be_read)
    assert "june.csv: cannot be read: Permission denied" in str(night(small, "2025-07-10", capsys)["left_out"])
    monkeypatch.undo()
    ((_, measured),) = told(night(small, "2025-07-14", capsys))
    assert "whether it came in time cannot be told" in measured


def cannot_be_read(path: Path) -> tuple[str, int]:
    raise PermissionError(13, "Permission denied", str(path))


def test_the_stamp_of_the_towns_mail_server_proves_that_it_came_in_time(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop(small, "may.csv", "MW-1 2025-05-20")
    night(small, "2025-07-09", capsys)
    post(small, Received="from lab.example by mail.howard.example; Thu, 10 Jul 2025 23:58:00 -0500")
    assert told(night(small, "2025-07-14", capsys)) == []
    assert [(one["due"], one["standing"]) for one in clock(small, "2025-07-14", capsys)] == [("2025-08-10", "running")]


@pytest.mark.parametrize(
    "headers",
    [
        {"Date": "Thu, 10 Jul 2025 09:00:00 -0500"},
        {"Received": "from lab.example by mail.howard.example; Sat, 12 Jul 2025 09:00:00 -0500"},
        {"Received": "from lab.example by mail.howard.example; no date"},
    ],
)
def test_what_a_sender_writes_proves_nothing_and_a_late_stamp_does_not_convict(
    small: Path, headers: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A server that is down takes a mail in days after it was sent."""
    drop(small, "may.csv", "MW-1 2025-05-20")
    night(small, "2025-07-09", capsys)
    post(small, **headers)
    ((_, measured),) = told(night(small, "2025-07-14", capsys))
    assert "whether it came in time cannot be told" in measured
    shown = standing(small)["evidence"]
    assert ("dates the mail, which proves nothing, 2025-07-10 09:00 CDT" in str(shown)) is ("Date" in headers)


def test_a_stamp_that_a_later_reading_gainsays_proves_nothing(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drop(small, "may.csv", "MW-1 2025-05-20")
    night(small, "2025-07-01", capsys)
    night(small, "2025-07-11", capsys)
    post(small, Received="from lab.example by mail.howard.example; Thu, 10 Jul 2025 12:00:00 -0500")
    ((change, measured),) = told(night(small, "2025-07-14", capsys))
    assert change == "amended"
    assert "took june.csv in 2025-07-10 12:00 CDT, and the inbox read after that held none" in measured


def test_a_gainsaid_stamp_takes_nothing_from_when_the_content_was_first_here(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop(small, "may.csv", "MW-1 2025-05-20")
    night(small, "2025-07-05", capsys)
    post(small, "B-17", Received="from lab.example by mail.howard.example; Thu, 3 Jul 2025 12:00:00 -0500")
    night(small, "2025-07-08", capsys)
    entered(small, "B-17")
    drop(small, "again.csv", "B-17 2025-06-20")
    assert told(night(small, "2025-07-20", capsys)) == []
    assert [one["due"] for one in clock(small, "2025-07-20", capsys)] == ["2025-08-10"]


@pytest.mark.parametrize("command", ["check", "nightly", "clock", "doctor"])
def test_what_is_said_to_have_come_on_a_day_to_come_is_refused(
    small: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    night(small, "2025-07-01", capsys)
    with (small / "site.toml").open("a", encoding="utf-8") as text:
        text.write('received = [{ due = 2025-07-10, on = 2199-01-01, record = "date stamp" }]\n')
    capsys.readouterr()
    code = cli.run([command, "--site", str(small), *(["--no-fetch"] if command == "nightly" else [])])
    said = " ".join("".join(capsys.readouterr()).split())
    assert code in ({1} if command == "doctor" else {2})
    assert "site.toml: delivery[levels-1].received[due = 2025-07-10].on: not a day on which it came" in said


def standing(folder: Path) -> Any:
    with opened(f"sqlite:///{folder / 'headwater.db'}") as engine, reading(engine) as connection:
        (found,) = (one for one in casebook.versions(connection) if one["rule"] == RULE)
    return found


def entered(folder: Path, name: str) -> None:
    """The town writes into its site.toml what a laboratory calls MW-1."""
    path = folder / "site.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('\nid = "MW-1"\n', f'\nid = "MW-1"\nidentifiers = ["{name}"]\n'), encoding="utf-8")


def test_what_waited_for_an_entry_in_site_toml_came_when_it_first_came(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drop(small, "june.csv", "B-17 2025-06-20")
    night(small, "2025-07-08", capsys)
    for day in ("2025-07-10", "2025-07-11"):
        summary = night(small, day, capsys)
    ((_, measured),) = told(summary)
    assert measured == (
        "nothing has come; 1 file came and refused whole; june.csv came, and waits for an entry of the town in "
        "site.toml"
    )
    entered(small, "B-17")
    drop(small, "june-again.csv", "B-17 2025-06-20")
    assert told(night(small, "2025-07-20", capsys))[0][0] == "retracted"
    assert [(one["due"], one["standing"]) for one in clock(small, "2025-07-20", capsys)] == [("2025-08-10", "running")]


def test_a_file_that_was_bad_itself_has_not_come_until_a_good_one_does(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (small / "inbox" / "june.csv").write_text(HEAD + "MW-1,depth_below_mp,ft,2025-06-20,bad\n", encoding="utf-8")
    night(small, "2025-07-08", capsys)
    night(small, "2025-07-11", capsys)
    drop(small, "june.csv", "MW-1 2025-06-20")
    assert told(night(small, "2025-07-20", capsys)) == [("ended", "known 2025-07-20, late by no more than 10 days")]


def test_a_content_that_was_understood_only_with_other_words_leaves_it_open(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names no station: whose want that was, nobody can tell from the file."""
    path = small / "inbox" / "june.csv"
    path.write_text("parameter,unit,date,value\ndepth_below_mp,ft,2025-06-20,20.0\n", encoding="utf-8")
    night(small, "2025-07-08", capsys)
    assert told(night(small, "2025-07-11", capsys))[0][0] == "opened"
    (done,) = (one for one in (small / "inbox").rglob("june.csv"))
    assert cli.run(["ingest", str(done), "--station", "MW-1", "--site", str(small)]) == 0
    with opened(f"sqlite:///{small / 'headwater.db'}") as engine, reading(engine) as connection:
        record = Arrivals(connection, ZoneInfo("America/Chicago"))
        (row,) = record.arrived(["MW-1"], date(2025, 6, 1), date(2025, 6, 30)).to_dict("records")
    assert row["doubt"] == "june.csv was first here by 2025-07-09 00:00 CDT and not understood then"
    assert row["not_before"] == 0
