"""SIGKILL at any instant of a night, then the same command again: store, maildir and inbox end as undisturbed.

Run as a script, this module is the driver: it imports the program once and forks a child for each night, so that a kill
falls into the night itself and not into the imports.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Engine, event, select

from pipelines import (
    casebook,
    cli,
    database,
    delivery_reply,
    inbox,
    ledger,
    maildir,
    marks,
    night,
    outbox,
    parcels,
    post,
    schema,
)
from pipelines.database import opened, reading
from sample_data import demo

ROOT = Path(__file__).resolve().parents[1]
HTML = "<!DOCTYPE html>\n<html><head><title>503 Service Unavailable</title></head><body>Try later.</body></html>\n"
DELIVERIES = {
    "2025-06-30": [
        "baseline/usgs-05999101-dv-2025-06-30.rdb",
        "baseline/hand-levels-2025-06-30.csv",
        "baseline/totalizer-2025-06-30.csv",
        "baseline/grn-export-2025-04-29.csv",
    ],
    "2025-08-12": [
        "nights/2025-07-15/usgs-05999101-dv-2025-07-15.rdb",
        "nights/2025-07-28/usgs-05999101-dv-2025-07-28.rdb",
        "nights/2025-08-11/usgs-05999101-dv-2025-08-11.rdb",
        "nights/2025-08-11/hand-levels-2025-08-11.csv",
        "nights/2025-08-11/owner-log-2025-08-11.csv",
        "nights/2025-08-12/usgs-05999101-uv-2025-08-12.rdb",
    ],
    "2025-08-29": [
        "nights/2025-08-26/usgs-05999101-dv-2025-08-26.rdb",
        "nights/2025-08-29/usgs-05999101-dv-2025-08-29.rdb",
        "nights/2025-08-29/hand-levels-2025-08-29.csv",
        "nights/2025-08-29/grn-export-2025-07-29.csv",
    ],
}
"""A tenth of the sample record that still opens, amends and mails; each night also gets a broken file."""

STEPS: dict[str, tuple[Any, str]] = {
    "migrated, not committed": (database, "_migrate"),
    "a file stored, not committed": (inbox, "store"),
    "a file committed, not moved": (parcels, "take"),
    "a file moved": (inbox, "put_away"),
    "judged, nothing composed": (night, "judge"),
    "composed, not committed": (post, "compose"),
    "summary written, not committed": (casebook, "write_night"),
    "a mail half delivered": (maildir, "_write"),
    "a mail delivered, not marked": (maildir.Maildir, "__call__"),
    "a mail marked, not committed": (outbox, "mark_sent"),
    "committed, nothing sent": (outbox, "reading"),
    "everything sent": (outbox, "deliver"),
    "finished, not committed": (casebook, "finish_night"),
}
KILLS = [
    ("2025-06-30", "migrated, not committed", 1),
    ("2025-06-30", "a file stored, not committed", 3),
    ("2025-06-30", "a file committed, not moved", 1),
    ("2025-06-30", "a file moved", 5),
    ("2025-06-30", "judged, nothing composed", 1),
    ("2025-06-30", "a mail delivered, not marked", 1),
    ("2025-08-12", "a file committed, not moved", 7),
    ("2025-08-12", "a file moved", 2),
    ("2025-08-12", "composed, not committed", 1),
    ("2025-08-12", "a mail half delivered", 2),
    ("2025-08-12", "a mail delivered, not marked", 5),
    ("2025-08-12", "everything sent", 1),
    ("2025-08-29", "a file stored, not committed", 5),
    ("2025-08-29", "a file committed, not moved", 2),
    ("2025-08-29", "summary written, not committed", 1),
    ("2025-08-29", "committed, nothing sent", 1),
    ("2025-08-29", "a mail marked, not committed", 2),
    ("2025-08-29", "finished, not committed", 1),
]
"""Every step, some for a later file (the last one is the broken one) or mail: (night, step, nth time it is done)."""

MIGRATING, WORKING = 3, 7
SEED = 20250812


@dataclass
class Kill:
    """Where a night dies: after the nth call of a step, after the nth statement, or after some seconds."""

    step: str = ""
    nth: int = 0
    statement: int = 0
    seconds: float = 0.0


@dataclass
class Plan:
    """One run of all nights, each killed at most once and then run again; and what became of it."""

    folder: str
    url: str
    kills: dict[str, Kill] = field(default_factory=dict)
    deaths: list[str] = field(default_factory=list)
    spent: dict[str, float] = field(default_factory=dict)
    statements: dict[str, int] = field(default_factory=dict)


# The tests -----------------------------------------------------------------------------------------------------------


def test_killed_at_every_step_on_sqlite(tmp_path: Path) -> None:
    _killed_at_every_step(tmp_path, partial(_sqlite, tmp_path))


def test_killed_at_every_step_on_postgresql(tmp_path: Path, postgresql: Any) -> None:
    _killed_at_every_step(tmp_path, lambda _: _new_database(postgresql))


def _killed_at_every_step(tmp_path: Path, url: Callable[[str], str]) -> None:
    assert {step for _, step, _ in KILLS} == set(STEPS)
    kills = [(on, Kill(step=step, nth=nth)) for on, step, nth in KILLS]
    calm, *killed = _drive([Plan(str(tmp_path / "calm"), url("calm")), *_plans(tmp_path, url, kills)])
    assert [one.deaths for one in killed] == [sorted(one.kills) for one in killed]
    wanted = _end_state(calm)
    assert any(mail.startswith("new/") for mail in wanted["mails"])
    assert len([file for file in wanted["files"] if file.startswith("inbox/rejected/")]) == len(DELIVERIES)
    for one in killed:
        assert _end_state(one) == wanted, one.kills


def test_killed_at_ten_seeded_instants(tmp_path: Path) -> None:
    """Three instants of the very first migration and seven of all three nights, by the clock."""
    draw, url = random.Random(SEED), partial(_sqlite, tmp_path)
    (calm,) = _drive([Plan(str(tmp_path / "calm"), url("calm"))])
    shares, first = [draw.random() for _ in range(MIGRATING + WORKING)], next(iter(DELIVERIES))
    instants = [(first, share * calm.spent["migration"]) for share in shares[:MIGRATING]]
    instants += [_instant(calm, share) for share in shares[MIGRATING:]]
    kills = [(on, Kill(seconds=max(seconds, 1e-4))) for on, seconds in instants]
    wanted = _end_state(calm)
    for one in _drive(_plans(tmp_path, url, kills)):
        assert _end_state(one) == wanted, one.kills


def test_killed_at_ten_seeded_statements(tmp_path: Path) -> None:
    """By the count of statements given to the database: the same on every machine; two are of the first migration."""
    draw, url = random.Random(SEED), partial(_sqlite, tmp_path)
    (calm,) = _drive([Plan(str(tmp_path / "calm"), url("calm"))])
    first, *others = DELIVERIES
    kills = [(first, Kill(statement=at)) for at in (5, 15)]
    kills += [(on, Kill(statement=draw.randint(1, calm.statements[on]))) for on in [first, first, *others * 3]]
    killed = _drive(_plans(tmp_path, url, kills))
    assert [one.deaths for one in killed] == [sorted(one.kills) for one in killed]
    wanted = _end_state(calm)
    for one in killed:
        assert _end_state(one) == wanted, one.kills


def _instant(calm: Plan, share: float) -> tuple[str, float]:
    """The night that a share of the whole run falls into, and how far into it [s]."""
    at = share * sum(calm.spent[on] for on in DELIVERIES)
    for on in DELIVERIES:
        if at < calm.spent[on]:
            break
        at -= calm.spent[on]
    return on, at


def _plans(tmp_path: Path, url: Callable[[str], str], kills: list[tuple[str, Kill]]) -> list[Plan]:
    """As few runs as hold all kills, none of them two of one night."""
    sets: list[dict[str, Kill]] = []
    for on, kill in kills:
        free = next((one for one in sets if on not in one), None)
        if free is None:
            sets.append(free := {})
        free[on] = kill
    return [Plan(str(tmp_path / f"killed-{n}"), url(f"killed-{n}"), one) for n, one in enumerate(sets)]


def _drive(plans: list[Plan]) -> list[Plan]:
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps([asdict(one) for one in plans]),
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return _of_json(done.stdout)


def _of_json(text: str) -> list[Plan]:
    return [
        Plan(**one | {"kills": {on: Kill(**kill) for on, kill in one["kills"].items()}}) for one in json.loads(text)
    ]


def _sqlite(tmp_path: Path, name: str) -> str:
    return f"sqlite:///{tmp_path / name / 'headwater.db'}"


def _new_database(server: Any) -> str:
    name = f"kill_{uuid.uuid4().hex}"
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return str(server.get_uri(name))


def _end_state(plan: Plan) -> dict[str, Any]:
    """Everything that lasts, without surrogate keys and the machine's own times."""
    folder = Path(plan.folder)
    with opened(plan.url) as engine:
        rows = _rows(engine)
    assert [path for path in (folder / "inbox").iterdir() if path.is_file()] == []
    return {
        "rows": rows,
        "mails": {str(one.relative_to(folder / "outbox")): one.read_text() for one in _files(folder / "outbox")},
        "files": sorted(str(one.relative_to(folder)) for one in _files(folder / "inbox")),
    }


def _files(folder: Path) -> Iterator[Path]:
    return (one for one in sorted(folder.rglob("*")) if one.is_file())


def _rows(engine: Engine) -> dict[str, list[str]]:
    """Rows of every table as text; an id is left out, or replaced by what it stands for."""
    with reading(engine) as connection:
        for table in (schema.finding, schema.event, schema.outbox):
            assert ledger.verify(connection, table) is None
        sources = {row.id: row.sha256 for row in connection.execute(select(schema.source))}
        series = {row.id: row.key for row in connection.execute(select(schema.series))}
        stands_for = {"source_id": sources, "series_id": series}
        found = {
            one.name: [dict(row) for row in connection.execute(select(one)).mappings()]
            for one in schema.metadata.sorted_tables
        }
    for mark in found["mark"]:
        if mark["name"] in OF_LAST_SOURCE:
            mark["value"] = sources[int(mark["value"])]
        kind, _, id = mark["name"].partition(":")
        if kind in OF_EACH_SOURCE:
            mark["name"] = f"{kind}:{sources[int(id)]}"
    return {
        name: sorted(
            repr({key: stands_for.get(key, {}).get(cell, cell) for key, cell in row.items() if key not in NOT_LASTING})
            for row in rows
        )
        for name, rows in found.items()
    }


OF_LAST_SOURCE = {marks.REPORTED, delivery_reply.REPLIED}
OF_EACH_SOURCE = {"origin"}
"""Marks that name a delivery by its id, which PostgreSQL does not give twice after a transaction that was undone."""
NOT_LASTING = {"id", "started_at", "finished_at", "attempts", "sent_at"}


# The driver ----------------------------------------------------------------------------------------------------------


def main() -> None:
    """Run the plans on standard input; print them with what became of them."""
    plans = _of_json(sys.stdin.read())
    with tempfile.TemporaryDirectory() as folder:
        _warm_up(Path(folder))
    for plan in plans:
        _run(plan)
    sys.stdout.write(json.dumps([asdict(one) for one in plans]))


def _warm_up(folder: Path) -> None:
    """One night in this very process, so that no child imports anything."""
    os.environ["HEADWATER_DATABASE_URL"] = f"sqlite:///{folder / 'site' / 'headwater.db'}"
    demo.fresh_site(folder / "site")
    _deliver(folder / "site", "2025-06-30")
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        cli.run(["nightly", "--as-of", "2025-06-30", "--site", str(folder / "site")])


def _deliver(folder: Path, on: str) -> None:
    for name in DELIVERIES[on]:
        shutil.copy(demo.SAMPLE / name, folder / "inbox")
    (folder / "inbox" / f"usgs-{on}.rdb").write_text(HTML.replace("503", on))
    for file in (folder / "inbox").iterdir():
        if file.is_file():
            os.utime(file, (0, 0))  # they have stood still: the night waits for nothing, and a kill falls into its work


def _run(plan: Plan) -> None:
    demo.fresh_site(Path(plan.folder))
    os.environ["HEADWATER_DATABASE_URL"] = plan.url
    for on in DELIVERIES:
        _deliver(Path(plan.folder), on)
        if _killed(plan, on, plan.kills.get(on)):
            plan.deaths.append(on)
            _killed(plan, on, None)


def _killed(plan: Plan, on: str, kill: Kill | None) -> bool:
    """Run one night in a child; whether it was killed. Other ends than death and a full night are errors."""
    note, started = Path(plan.folder) / "note.json", time.perf_counter()
    child = os.fork()
    if not child:
        _child(plan, on, kill, note)
    if kill and kill.seconds:
        time.sleep(kill.seconds)
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and kill:
        return True
    assert os.WIFEXITED(status), status
    assert os.WEXITSTATUS(status) == 3, os.WEXITSTATUS(status)  # the broken file was left out
    plan.spent[on] = time.perf_counter() - started
    counted = json.loads(note.read_text())
    plan.statements[on] = counted["statements"]
    plan.spent.setdefault("migration", counted["migration"])
    return False


def _child(plan: Plan, on: str, kill: Kill | None, note: Path) -> None:
    code = 70
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        counted = _counted(kill.statement if kill else 0)
        if kill and kill.step:
            _kill_after(*STEPS[kill.step], kill.nth)
        code = cli.run(["nightly", "--as-of", on, "--site", plan.folder])
        note.write_text(json.dumps(counted))
    finally:
        os._exit(code)


def _counted(deadly: int) -> dict[str, float]:
    """Count the statements this process gives a database and time its opening; die right after the deadly one."""
    counted: dict[str, float] = {"statements": 0, "migration": 0.0}
    bring, started = database._bring_to_head, time.perf_counter()

    @event.listens_for(Engine, "after_cursor_execute")
    def count(*_: object) -> None:
        counted["statements"] += 1
        if counted["statements"] == deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    def timed(engine: Engine) -> None:
        bring(engine)
        counted["migration"] = time.perf_counter() - started

    database._bring_to_head = timed
    return counted


def _kill_after(owner: Any, name: str, nth: int) -> None:
    """Die by SIGKILL right after the nth call of a function of the program."""
    original, left = getattr(owner, name), [nth]

    def deadly(*arguments: Any, **options: Any) -> Any:
        answer = original(*arguments, **options)
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    setattr(owner, name, deadly)


if __name__ == "__main__":
    main()
