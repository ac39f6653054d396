"""The doctor: every line says how it stands and what to do, whatever is broken."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sqlite3
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from pipelines import catch_up, cli, health, watchdog
from pipelines.database import default_url, opened
from pipelines.health import Answer
from pipelines.maildir import Maildir
from pipelines.site_folder import open_site
from sample_data import demo

PROBES = {
    *("python", "packages", "chromium", "mail", "clock", "disk", "inbox", "site files", "zone", "database", "seals"),
    *("stations", "last night"),
}  # fmt: skip
NOW = datetime(2025, 7, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site whose night of 30 June is over. Look, do not touch."""
    site = tmp_path_factory.mktemp("doctor") / "site"
    demo.fresh_site(site)
    demo.deliver(site, [demo.SAMPLE / "baseline" / f"usgs-{n}-dv-2025-06-30.rdb" for n in ("05999101", "05999202")])
    folder = open_site(site)
    with opened(default_url(site, {})) as engine:
        catch_up.run_alone(
            folder, date(2025, 6, 30), NOW, engine, send=Maildir(folder.outbox), clock=lambda: NOW - timedelta(hours=4)
        )
    return site


@pytest.fixture
def site(finished: Path, tmp_path: Path) -> Path:
    copy = Path(shutil.copytree(finished, tmp_path / "site"))
    for one in copy.iterdir():
        os.utime(one, (NOW.timestamp(), NOW.timestamp()))
    return copy


def probe(site: Path, name: str, **env: str) -> list[Answer]:
    """The answers of one probe."""
    everything = health.examine(site, {"PATH": os.environ["PATH"], **env}, NOW)
    return [one for one in everything if one.probe == name]


def test_a_healthy_site(site: Path) -> None:
    answers = health.examine(site, dict(os.environ), NOW)
    assert {one.probe for one in answers} == PROBES
    assert [one for one in answers if one.state == "fail"] == []
    assert all(one.do for one in answers if one.state != "ok")


@pytest.mark.parametrize("name", ["missing", "a file"])
def test_a_folder_that_is_no_site_is_answered_too(tmp_path: Path, name: str) -> None:
    (tmp_path / "a file").write_text("")
    answers = health.examine(tmp_path / name, dict(os.environ), NOW)
    assert {"site files", "clock", "inbox", "last night", "database"} <= {
        one.probe for one in answers if one.state == "fail"
    }
    assert not any("report this line" in one.do for one in answers)


def test_site_files(site: Path) -> None:
    with (site / "events.csv").open("a") as file:
        file.write("howard.remedy/R-1/2025-08-11,town_receipt,some day,2025-08-11T09:40:00-05:00,clerk,,,\n")
    (one, _) = probe(site, "site files") + probe(site, "zone")
    assert (one.state, "1 lines of events.csv" in one.says) == ("warn", True)
    (site / "site.toml").write_text("id = 1\n")
    (one,) = probe(site, "site files")
    assert one.state == "fail"
    assert "site.toml" in one.says


# The store -----------------------------------------------------------------------------------------------------------


def test_a_database_that_is_not_there_is_not_made(site: Path) -> None:
    for one in site.glob("headwater.db*"):
        one.unlink()
    (answer,) = probe(site, "database")
    assert answer.state == "warn"
    assert not (site / "headwater.db").exists()


def test_a_database_that_is_something_else(site: Path) -> None:
    for one in site.glob("headwater.db*"):
        one.unlink()
    (site / "headwater.db").write_bytes(b"not a database " * 100)
    (answer,) = probe(site, "database")
    assert answer.state == "fail"
    (site / "headwater.db").unlink()
    with sqlite3.connect(site / "headwater.db") as connection:
        connection.execute("CREATE TABLE music (id)")
    connection.close()
    (answer,) = probe(site, "database")
    assert (answer.state, "something else" in answer.says) == ("fail", True)


def test_a_database_server(site: Path, postgresql_url: str) -> None:
    (answer,) = probe(site, "database", HEADWATER_DATABASE_URL=postgresql_url)
    assert (answer.state, answer.says.startswith("postgresql, schema ")) == ("ok", True)
    (answer,) = probe(site, "database", HEADWATER_DATABASE_URL="postgresql://town:secret@127.0.0.1:1/headwater")
    assert answer.state == "fail"
    assert "secret" not in answer.says


def test_stale_gauges_are_named(site: Path) -> None:
    later = NOW + timedelta(days=9)
    (one,) = [one for one in health.examine(site, dict(os.environ), later) if one.probe == "stations"]
    assert one.state == "warn"
    assert "LMC-1 since 2025-06-" in one.says


def test_last_night(site: Path) -> None:
    assert [one.state for one in probe(site, "last night")] == ["ok"]
    (site / watchdog.HEARTBEAT).unlink()
    assert [one.state for one in probe(site, "last night")] == ["fail"]


# The machine ---------------------------------------------------------------------------------------------------------


def test_an_inbox_that_is_missing(site: Path) -> None:
    shutil.rmtree(site / "inbox")
    (one,) = probe(site, "inbox")
    assert (one.state, one.do.startswith("mkdir ")) == ("fail", True)


def test_a_folder_that_may_not_be_written(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # the tests may run as root, who may everything
    (one,) = probe(site, "inbox")
    assert one.state == "fail"


def test_a_full_disk(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type(shutil.disk_usage(site))
    for free, state in ((1_000, "fail"), (1_000_000_000, "warn"), (9_000_000_000, "ok")):
        monkeypatch.setattr(shutil, "disk_usage", lambda _, free=free: usage(10, 10, free))
        assert [one.state for one in probe(site, "disk")] == [state]


def test_a_clock_that_was_set_back(site: Path) -> None:
    assert [one.state for one in probe(site, "clock")] == ["ok"]
    ahead = NOW.timestamp() + 3600
    os.utime(site / "site.toml", (ahead, ahead))
    (one,) = probe(site, "clock")
    assert (one.state, "set back" in one.says) == ("fail", True)


def test_no_browser(site: Path, tmp_path: Path) -> None:
    (one,) = probe(site, "chromium", PATH=str(tmp_path))
    assert (one.state, "PDF" in one.do) == ("warn", True)


def test_old_and_missing_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    stated = ["numpy>=99.1", "absent-package>=1", 'prefect-absent>=3.9; extra == "serve"']
    stated += ['psycopg-absent[binary]>=3.2; extra == "postgresql"', "click>=8.1"]
    monkeypatch.setattr(health, "requires", lambda _: stated)
    found = {one.says.split()[0]: one for one in health.packages({})}
    assert {name: one.state for name, one in found.items()} == {
        "numpy": "fail", "absent-package": "fail", "prefect-absent": "warn", "psycopg-absent": "warn",
    }  # fmt: skip
    assert found["prefect-absent"].do == "pip install 'headwater[serve]'"
    found = {one.says.split()[0]: one for one in health.packages({"HEADWATER_DATABASE_URL": "postgresql://x"})}
    assert found["psycopg-absent"].state == "fail"


# Mail ----------------------------------------------------------------------------------------------------------------


def test_without_a_mail_server_mails_stay_in_the_maildir(site: Path) -> None:
    (one,) = probe(site, "mail")
    assert (one.state, str(site / "outbox") in one.says) == ("ok", True)


def test_a_mail_server_that_does_not_answer(site: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    (one,) = probe(site, "mail", **_smtp(port), HEADWATER_SMTP_USER="town", HEADWATER_SMTP_PASSWORD="hush-hush")
    assert (one.state, "HEADWATER_SMTP_" in one.do) == ("fail", True)
    assert str(port) in one.says
    assert "hush-hush" not in one.says


def test_settings_that_are_none(site: Path) -> None:
    (one,) = probe(site, "mail", HEADWATER_SMTP_HOST="mail.howard.example", HEADWATER_SMTP_SECURITY="rot13")
    assert (one.state, "HEADWATER_SMTP_SECURITY" in one.says) == ("fail", True)


def test_a_mail_server_that_answers_is_sent_nothing(site: Path) -> None:
    from aiosmtpd.controller import Controller

    taken: list[bytes] = []

    class Takes:
        async def handle_DATA(self, _: Any, __: Any, envelope: Any) -> str:  # noqa: N802
            taken.append(envelope.content)
            return "250 OK"

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(Takes(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        (one,) = probe(site, "mail", **_smtp(port))
    finally:
        controller.stop()
    assert (one.state, f"127.0.0.1:{port} answers" in one.says) == ("ok", True), one
    assert taken == []


def _smtp(port: int) -> dict[str, str]:
    return {
        "HEADWATER_SMTP_HOST": "127.0.0.1", "HEADWATER_SMTP_PORT": str(port), "HEADWATER_SMTP_SECURITY": "none",
        "HEADWATER_SMTP_FROM": "Headwater <headwater@howard.example>",
    }  # fmt: skip


# The command ---------------------------------------------------------------------------------------------------------


def test_exit_codes_and_json(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.run(["doctor", "--site", str(site), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert code == 1  # its last night was long ago
    assert found["ok"] is False
    assert {one["probe"] for one in found["probes"]} == PROBES
    assert {one["state"] for one in found["probes"]} <= {"ok", "warn", "fail"}
    last = datetime.now(UTC).date() - timedelta(days=1)
    watchdog.note(site, watchdog.Heartbeat("pine-hollow", "America/Chicago", last, datetime.now(UTC), "done"))
    assert cli.run(["doctor", "--site", str(site)]) == 0
    out = capsys.readouterr().out
    assert "what to do" in out.splitlines()[0]
    assert "warn " in out
