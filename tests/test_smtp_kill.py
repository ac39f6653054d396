"""SIGKILL at every line from composing to marking: over SMTP nothing is lost, and at most the same mail comes again."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.smtp_servers import Town, serving

ROOT = Path(__file__).resolve().parents[1]

KILL_AT_EVERY_LINE = """
import json, os, shutil, signal, sys
from pathlib import Path
from pipelines.database import open_store, reading, transaction
from pipelines.outbox import compose, deliver, pending
from pipelines.smtp import Smtp

root, where = Path(sys.argv[1]), json.loads(sys.argv[2])
OURS = ("outbox.py", "smtp.py", "ledger.py", "database.py", "smtplib.py")

def night(url, key):
    engine = open_store(url)
    with transaction(engine) as connection:
        compose(connection, key, "clerk@town.example", key, "W-101", 1717243200000, html="<p>W-101</p>")
    with Smtp(where, time_limit_s=20) as smtp:
        deliver(engine, smtp, now=1)
    with reading(engine) as connection:
        assert pending(connection) == []
    engine.dispose()

def killed_night(url, key, lines):
    left = [lines]
    def trace(frame, event, _):
        if not frame.f_code.co_filename.endswith(OURS):
            return None
        if event == "line":
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
        return trace
    sys.settrace(trace)
    night(url, key)
    os._exit(0)

open_store(f"sqlite:///{root}/empty.db").dispose()
survived, line, deaths = False, 1, 0
while not survived:
    key, file = f"mail-{line}", root / f"{line}.db"
    shutil.copy(root / "empty.db", file)
    child = os.fork()
    if not child:
        killed_night(f"sqlite:///{file}", key, line)
    survived = os.WIFEXITED(os.waitpid(child, 0)[1])
    night(f"sqlite:///{file}", key)
    file.unlink()
    deaths += not survived
    line += STEP
print(json.dumps(deaths))
"""
STEP = 3
"""Every third line: the steps themselves are many lines each."""


def test_a_kill_at_any_line_loses_no_mail_and_repeats_at_most_the_same(tmp_path: Path) -> None:
    town = Town()
    with serving(town) as port:
        names = {"HOST": "127.0.0.1", "PORT": str(port), "SECURITY": "none", "FROM": "night@town.example"}
        where = json.dumps({f"HEADWATER_SMTP_{name}": value for name, value in names.items()})
        done = subprocess.run(
            [sys.executable, "-c", KILL_AT_EVERY_LINE.replace("STEP", str(STEP)), str(tmp_path), where],
            cwd=ROOT, capture_output=True, text=True, timeout=500,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    deaths = json.loads(done.stdout)
    assert deaths > 100
    seen = Counter(str(one["Subject"]) for one in town.accepted)
    assert set(seen) == {f"mail-{1 + STEP * n}" for n in range(deaths + 1)}
    assert set(seen.values()) == {1, 2}  # some kills fell between the server's answer and the mark
    ids = {str(one["Subject"]): set() for one in town.accepted}
    for one in town.accepted:
        ids[str(one["Subject"])].add(str(one["Message-ID"]))
    assert all(len(one) == 1 for one in ids.values())
