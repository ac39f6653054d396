"""Exactly one copy in the maildir, killed at whatever line."""

from __future__ import annotations

import subprocess
import sys
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from pipelines.maildir import Maildir
from pipelines.outbox import Message

ROOT = Path(__file__).resolve().parents[1]
MESSAGE = Message(1, "k", "<k@headwater.invalid>", "clerk@town.example", "Water low", "W-101\n", 1_717_243_200_000)

KILL_AT_EVERY_LINE = """
import os, signal, sys
from pathlib import Path
from pipelines.database import open_store, reading, transaction
from pipelines.maildir import Maildir
from pipelines.outbox import compose, deliver, pending

def deliver_until(url, folder, lines):
    ours = ("maildir.py", "outbox.py")
    left = [lines]
    def trace(frame, event, _):
        if not frame.f_code.co_filename.endswith(ours):
            return None
        if event == "line":
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace
    engine = open_store(url)
    sys.settrace(trace)
    deliver(engine, Maildir(folder), now=1)
    os._exit(0)

root, survived, killed = Path(sys.argv[1]), False, 0
while not survived:
    url, folder = f"sqlite:///{root}/{killed}.db", root / f"mail-{killed}"
    engine = open_store(url)
    with transaction(engine) as connection:
        compose(connection, "k", "clerk@town.example", "Water low", "W-101", 1717243200000)
    engine.dispose()
    child = os.fork()
    if not child:
        deliver_until(url, folder, killed + 1)
    survived = os.WIFEXITED(os.waitpid(child, 0)[1])
    engine = open_store(url)
    deliver(engine, Maildir(folder), now=2)
    with reading(engine) as connection:
        assert pending(connection) == []
    engine.dispose()
    found = [one.name for name in ("tmp", "new", "cur") for one in (folder / name).iterdir()]
    assert len(found) == 1, (killed, found)
    killed += not survived
print(killed)
"""


def held(folder: Path) -> list[Path]:
    return [one for name in ("new", "cur") for one in (folder / name).iterdir()]


def test_a_mail_is_delivered_whole_and_privately(tmp_path: Path) -> None:
    Maildir(tmp_path / "town")(MESSAGE)
    (one,) = held(tmp_path / "town")
    mail = message_from_bytes(one.read_bytes(), policy=default)
    assert (mail["To"], mail["Subject"], mail.get_content()) == ("clerk@town.example", "Water low", "W-101\n")
    assert one.stat().st_mode & 0o077 == 0
    assert list((tmp_path / "town" / "tmp").iterdir()) == []


@pytest.mark.parametrize("seen", ["", ":2,", ":2,RS"])
def test_a_mail_the_clerk_has_opened_is_not_delivered_again(tmp_path: Path, seen: str) -> None:
    mail = Maildir(tmp_path)
    mail(MESSAGE)
    (one,) = held(tmp_path)
    one.rename(tmp_path / "cur" / (one.name + seen))
    mail(MESSAGE)
    assert len(held(tmp_path)) == 1


def test_a_fragment_left_by_a_kill_is_overwritten(tmp_path: Path) -> None:
    mail = Maildir(tmp_path)
    mail(MESSAGE)
    (one,) = held(tmp_path)
    whole = one.read_bytes()
    one.rename(tmp_path / "tmp" / one.name)
    (tmp_path / "tmp" / one.name).write_bytes(whole * 2)
    mail(MESSAGE)
    assert [one.read_bytes() for one in held(tmp_path)] == [whole]


def test_a_kill_at_any_line_leaves_exactly_one_mail(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILL_AT_EVERY_LINE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 40
