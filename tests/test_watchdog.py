"""The watchdog: complains when last night did not finish, and needs nothing that a night needs."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from email import policy
from email.parser import BytesParser
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from aiosmtpd.controller import Controller

from models.errors import EnvironmentFailed
from pipelines import cli, watchdog, watchdog_mail
from pipelines.watchdog import Heartbeat

ROOT = Path(__file__).resolve().parents[1]
CHICAGO = ZoneInfo("America/Chicago")
SIX = time(6)
MORNING = datetime(2025, 8, 13, 6, 30, tzinfo=CHICAGO)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site whose night of 12 August finished at 02:11 on the 13th; its database is a file that begins as one."""
    (tmp_path / "headwater.db").write_bytes(b"SQLite format 3\0" + bytes(84))
    watchdog.note(tmp_path, beat(date(2025, 8, 12)))
    return tmp_path


def beat(day: date, status: str = "done", hour: int = 7) -> Heartbeat:
    finished = datetime(day.year, day.month, day.day, hour, 11, tzinfo=UTC) + timedelta(days=1)
    return Heartbeat("howard", "America/Chicago", day, finished, status)


def said(site: Path, now: datetime = MORNING, by: time = SIX, url: str = "") -> list[str]:
    return watchdog.complaints(site, now, by, {"HEADWATER_DATABASE_URL": url} if url else {})


def test_silent_when_last_night_finished(site: Path) -> None:
    assert said(site) == []


@pytest.mark.parametrize(
    ("now", "by", "expected"),
    [
        (datetime(2025, 8, 14, 5, 59, tzinfo=CHICAGO), SIX, None),  # before the hour: yesterday's is not due yet
        (datetime(2025, 8, 14, 6, 0, tzinfo=CHICAGO), SIX, "2025-08-13"),
        (datetime(2025, 8, 14, 5, 59, tzinfo=CHICAGO), time(5), "2025-08-13"),
        (datetime(2025, 8, 15, 5, 59, tzinfo=CHICAGO), SIX, "2025-08-13"),
        (datetime(2025, 8, 20, 12, 0, tzinfo=CHICAGO), SIX, "2025-08-19"),
        (datetime(2025, 8, 14, 11, 0, tzinfo=UTC), SIX, "2025-08-13"),  # 06:00 CDT, whatever zone the machine has
        (datetime(2025, 8, 14, 10, 59, tzinfo=UTC), SIX, None),
    ],
)
def test_the_set_hour_is_the_ordinances(site: Path, now: datetime, by: time, expected: str | None) -> None:
    found = said(site, now, by)
    assert len(found) == (expected is not None)
    assert all(f"the night of {expected} has not finished" in one for one in found)


@pytest.mark.parametrize("day", [date(2025, 3, 9), date(2025, 11, 2)])
def test_a_clock_change_moves_the_hour_with_it(site: Path, day: date) -> None:
    watchdog.note(site, beat(day - timedelta(days=2), hour=9))
    six = datetime(day.year, day.month, day.day, 6, tzinfo=CHICAGO)
    assert said(site, six - timedelta(seconds=1)) == []
    assert len(said(site, six)) == 1


def test_without_a_heartbeat_it_complains(tmp_path: Path) -> None:
    assert any("no night has finished here" in one for one in said(tmp_path))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"day": 1}', '{"site":"a","zone":"Mars/Olympus"}', "\0"])
def test_a_damaged_heartbeat_is_a_complaint(site: Path, text: str) -> None:
    (site / watchdog.HEARTBEAT).write_text(text)
    (one,) = said(site)
    assert "last_night.json cannot be read" in one


def test_a_night_of_a_day_to_come_blocks_all_others(site: Path) -> None:
    watchdog.note(site, beat(date(2030, 1, 1)))
    (one,) = said(site)
    assert "a day to come, 2030-01-01" in one


def test_mails_that_did_not_go_are_a_complaint_and_files_left_out_are_not(site: Path) -> None:
    watchdog.note(site, beat(date(2025, 8, 12), "left_out"))
    assert said(site) == []
    watchdog.note(site, beat(date(2025, 8, 12), "not_sent"))
    (one,) = said(site)
    assert "mails were not sent" in one


def test_a_repeated_night_leaves_the_heartbeat_as_it_was(site: Path) -> None:
    before = (site / watchdog.HEARTBEAT).stat()
    watchdog.note(site, beat(date(2025, 8, 12), hour=20))
    after = (site / watchdog.HEARTBEAT).stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


# The database --------------------------------------------------------------------------------------------------------


def test_the_database_is_gone(site: Path) -> None:
    (site / "headwater.db").unlink()
    (one,) = said(site)
    assert one == f"the database is gone: {site}/headwater.db: No such file or directory"


@pytest.mark.parametrize("content", [b"", b"<html>", bytes(1000)])
def test_something_else_lies_where_the_database_was(site: Path, content: bytes) -> None:
    (site / "headwater.db").write_bytes(content)
    (one,) = said(site)
    assert "headwater.db is not a database" in one


def test_a_database_server_that_is_down(site: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert said(site, url=f"postgresql://town:secret@127.0.0.1:{port}/headwater") == []
    (one,) = said(site, url=f"postgresql://town:secret@127.0.0.1:{port}/headwater")
    assert "the database is gone: Connection refused" in one
    assert "secret" not in one
    (one,) = said(site, url=f"postgresql://town:secret@/headwater?host={tmp_path}")
    assert "the database is gone" in one


def test_a_database_server_that_is_up(site: Path, postgresql_url: str) -> None:
    assert said(site, url=postgresql_url) == []


def test_an_address_that_is_none_is_not_repeated(site: Path) -> None:
    (one,) = said(site, url="postgresql://town:secret@host:notaport/x")
    assert "secret" not in one


# The command ---------------------------------------------------------------------------------------------------------


def test_it_imports_nothing_heavy(site: Path) -> None:
    program = (
        "import sys; from pipelines.cli import run; code = run(sys.argv[1:]);"
        "heavy = {'sqlalchemy', 'pandas', 'numpy', 'pydantic', 'prefect', 'jinja2', 'pint'} & set(sys.modules);"
        "sys.exit(f'{code} {heavy}' if heavy or code != 1 else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "watchdog", "--site", site, "--mail-to", "clerk@howard.example"],
        capture_output=True, text=True, cwd=ROOT, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_exit_codes_and_lines(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["watchdog", "--site", str(site)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("headwater: watchdog: the night of ")
    assert len(err.splitlines()) == 1
    watchdog.note(site, beat((datetime.now(CHICAGO) - timedelta(days=1)).date()))
    assert cli.run(["watchdog", "--site", str(site), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"ok": True, "complaints": []}
    assert cli.run(["watchdog", "--site", str(site)]) == 0
    assert "finished at" in capsys.readouterr().out


@pytest.mark.parametrize("by", ["6", "6:00", "25:00", "06:60", "noon", ""])
def test_an_hour_that_is_none(site: Path, by: str) -> None:
    assert cli.run(["watchdog", "--site", str(site), "--by", by]) == 2


# Its mail ------------------------------------------------------------------------------------------------------------


def mails(site: Path) -> list[bytes]:
    return [one.read_bytes() for one in sorted((site / "outbox" / "new").iterdir())]


def test_a_mail_lies_in_the_outbox_once_a_day(site: Path) -> None:
    for minute in (0, 1, 2):
        now = MORNING + timedelta(minutes=minute)
        watchdog_mail.send(site, ["the database is gone"], ["clerk@howard.example"], now, env={})
    (content,) = mails(site)
    mail = BytesParser(policy=policy.default).parsebytes(content)
    assert (mail["To"], mail["Auto-Submitted"]) == ("clerk@howard.example", "auto-generated")
    body = mail.get_content()
    assert "the database is gone" in body
    assert "not the town's notice and starts no deadline" in body
    watchdog_mail.send(site, ["the database is gone"], ["clerk@howard.example"], MORNING + timedelta(days=1), env={})
    assert len(mails(site)) == 2


def test_a_mail_that_was_read_is_not_put_there_again(site: Path) -> None:
    watchdog_mail.send(site, ["x"], ["clerk@howard.example"], MORNING, env={})
    (new,) = (site / "outbox" / "new").iterdir()
    new.rename(site / "outbox" / "cur" / f"{new.name}:2,S")
    watchdog_mail.send(site, ["x"], ["clerk@howard.example"], MORNING, env={})
    assert mails(site) == []


def test_a_program_takes_the_mail(site: Path, tmp_path: Path, program: Callable[[str], Path]) -> None:
    taker = program(f'echo "$@" > {tmp_path}/arguments; cat > {tmp_path}/mail')
    watchdog_mail.send(
        site, ["x"], ["clerk@howard.example", "board@howard.example"], MORNING, sendmail=str(taker), env={}
    )
    assert (tmp_path / "arguments").read_text() == "-i -- clerk@howard.example board@howard.example\n"
    assert b"clerk@howard.example, board@howard.example" in (tmp_path / "mail").read_bytes()


def test_over_smtp_where_a_server_is_set(site: Path) -> None:
    taken: list[Any] = []

    class Takes:
        async def handle_DATA(self, _: Any, __: Any, envelope: Any) -> str:  # noqa: N802
            taken.append(envelope)
            return "250 OK"

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = {"HEADWATER_SMTP_HOST": "127.0.0.1", "HEADWATER_SMTP_PORT": str(port), "HEADWATER_SMTP_SECURITY": "none"}
    env["HEADWATER_SMTP_FROM"] = "headwater@howard.example"
    to = ["clerk@howard.example", "board@howard.example"]
    controller = Controller(Takes(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        watchdog_mail.send(site, ["the database is gone"], to, MORNING, env=env)
    finally:
        controller.stop()
    assert [one.rcpt_tos for one in taken] == [[one] for one in to]
    assert all(b"the database is gone" in one.content for one in taken)
    with pytest.raises(EnvironmentFailed, match="the mail was not taken"):
        watchdog_mail.send(site, ["the database is gone"], to, MORNING, env=env)


@pytest.mark.parametrize("script", ["exit 75", None])
def test_a_program_that_does_not(site: Path, program: Callable[[str], Path], script: str | None) -> None:
    taker = program(script) if script else site / "absent"
    arguments = ["--site", str(site), "--mail-to", "clerk@howard.example", "--sendmail", str(taker)]
    assert cli.run(["watchdog", *arguments]) == 4


@pytest.mark.parametrize("to", ["-oQ/tmp@x", "a@b c@d", "a@b\nBcc: x@y", "clerk", "ü@howard.example"])
def test_an_address_that_is_none(site: Path, to: str) -> None:
    assert cli.run(["watchdog", "--site", str(site), f"--mail-to={to}"]) == 2
    assert not (site / "outbox").exists()


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """A shell script as a mail program."""

    def make(script: str) -> Path:
        path = tmp_path / "sendmail"
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    return make


def test_a_kill_while_writing_leaves_the_old_heartbeat(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        watchdog.note(site, beat(date(2025, 8, 13)))
    assert watchdog.read(site).day == date(2025, 8, 12)
