"""Two nights at once for one site: the second says who is at work since when, and stops; a killed one holds nothing."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from sqlalchemy import Engine, create_engine

from models.errors import EnvironmentFailed
from pipelines import cli, night_lock
from pipelines.database import default_url, opened
from sample_data import demo

ROOT = Path(__file__).resolve().parents[1]
NOW = datetime(2025, 8, 13, 7, 10, tzinfo=UTC)
HOLDER = """
import sys, time
from datetime import UTC, datetime
from pathlib import Path
from pipelines.database import opened
from pipelines.night_lock import alone
since = datetime(2025, 8, 13, 7, 10, tzinfo=UTC)
with opened(sys.argv[2]) as engine, alone(Path(sys.argv[1]), "howard", engine, since):
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def held(folder: Path, url: str) -> Iterator[subprocess.Popen[str]]:
    """Another process holds the night of the site."""
    command = [sys.executable, "-c", HOLDER, str(folder), url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_the_second_stops_and_a_kill_frees(tmp_path: Path, store_url: str, store: Engine) -> None:
    with held(tmp_path, store_url) as process:
        with pytest.raises(EnvironmentFailed) as caught, night_lock.alone(tmp_path, "howard", store, NOW):
            pytest.fail("two nights at once")
        assert caught.value.exit_code == 4
        assert f"process {process.pid} on " in str(caught.value)
        assert "since 2025-08-13T07:10:00Z" in str(caught.value)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with night_lock.alone(tmp_path, "howard", store, NOW):  # at once, though a server may not have noticed yet
            pass


def test_postgresql_keeps_another_machine_out(tmp_path: Path, postgresql_url: str) -> None:
    """Another machine: the same database, a site folder of its own."""
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    with held(tmp_path / "there", postgresql_url) as process, opened(postgresql_url) as engine:
        with (
            pytest.raises(EnvironmentFailed, match=f"process {process.pid} on .* since 2025-08-13T07:10"),
            night_lock.alone(tmp_path / "here", "howard", engine, NOW),
        ):
            pytest.fail("two nights at once")
        with night_lock.alone(tmp_path / "here", "another-site", engine, NOW):
            pass
        process.kill()
        process.wait()
        with night_lock.alone(tmp_path / "here", "howard", engine, NOW):
            pass


def test_released_after_a_night_and_after_one_that_failed(tmp_path: Path, store: Engine) -> None:
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), night_lock.alone(tmp_path, "howard", store, NOW):
            raise ZeroDivisionError
    assert not (tmp_path / night_lock.LOCK).exists()


def test_what_a_killed_night_left_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / night_lock.LOCK).write_text("process 1 on a machine of long ago, with a longer line than ours " * 9)
    with night_lock.alone(tmp_path, "howard", create_engine("sqlite://"), NOW):
        assert (tmp_path / night_lock.LOCK).read_text().count("process") == 1


def test_many_at_once_hold_it_one_after_the_other(tmp_path: Path) -> None:
    """The file is removed at each release; nobody may hold a removed one while another holds its successor."""
    program = (
        "import sys; from pathlib import Path; from pipelines.night_lock import file_lock\n"
        "from models.errors import EnvironmentFailed\n"
        "here = Path(sys.argv[1])\n"
        "for _ in range(3000):\n"
        "    try:\n"
        "        with file_lock(here / 'lock', 'me', 'taken'):\n"
        "            (here / 'inside').mkdir(); (here / 'inside').rmdir()\n"
        "    except EnvironmentFailed: pass\n"
    )
    many = [subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], cwd=ROOT) for _ in range(4)]
    assert [one.wait(60) for one in many] == [0, 0, 0, 0]


def test_other_sites_do_not_wait(tmp_path: Path) -> None:
    engine = create_engine("sqlite://")
    (tmp_path / "other").mkdir()
    with night_lock.alone(tmp_path, "howard", engine, NOW), night_lock.alone(tmp_path / "other", "other", engine, NOW):
        pass


def test_the_command_says_it_in_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    demo.fresh_site(tmp_path / "site")
    arguments = ["nightly", "--site", str(tmp_path / "site"), "--as-of", "2025-06-30"]
    with held(tmp_path / "site", default_url(tmp_path / "site", {})):
        assert cli.run(arguments) == 4
        _, err = capfd.readouterr()
        assert re.fullmatch(r"headwater: another night is at work on this site; .*: process \d+ on .* since .*Z\n", err)
        assert cli.run([*arguments, "--dry-run"]) == 0
    capfd.readouterr()
    assert cli.run(arguments) == 0
    assert date.fromisoformat("2025-06-30").isoformat() in (tmp_path / "site" / "last_night.json").read_text()
