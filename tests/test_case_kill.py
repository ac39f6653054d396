"""SIGKILL at every step of recording an act: the case is as before or as after, never between; run again, it is after.

Run as a script, this module is the driver: it imports the program once and forks a child for each act.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import select

from models.case import cases
from models.rules import ordinance
from pipelines import acts, casebook, ledger, schema
from pipelines.commands import case_record
from pipelines.database import opened, reading
from sample_data import demo
from tests.deadly import command, whole_or_nothing
from tests.kill_stores import Stores, driven, of_driver

STORES = of_driver() if __name__ == "__main__" else Stores()
CASE, OTHER = "howard.remedy/R-1/2025-08-11", "howard.remedy/R-2/2025-08-11"
OPEN = ["case", "open", "howard.remedy", "R-1", "--at", "2025-08-11T09:15", "--method", "hand", "--document", "notice"]
SAME = ["--at", "2025-08-12T14:00", "--by", "clerk", "--method", "certified mail", "--proof", "receipt 1"]
ACTS = {
    "a case opened": ([], OPEN),
    "one act in two cases": (
        [OPEN, [*OPEN[:3], "R-2", *OPEN[4:]]],
        ["case", "record", CASE, "operator_receipt", "--also", OTHER, *SAME],
    ),
    "a correction": (
        [OPEN],
        ["case", "record", CASE, "town_receipt", "--at", "2025-08-11T10:15", "--by", "owner:R-1", "--method", "hand",
         "--corrects", "KEY"],
    ),
}  # fmt: skip
STEPS: dict[str, tuple[Any, str]] = {
    "admitted, not written": (acts, "made_impossible"),
    "sealed, not written": (ledger, "_seal"),
    "written, not committed": (casebook, "append_event"),
    "all written, not committed": (acts, "take"),
    "committed": (case_record, "emit"),
}


# The test ------------------------------------------------------------------------------------------------------------


def test_killed_at_every_step_and_every_statement() -> None:
    _whole_or_nothing(json.loads(driven(__file__)))


def test_killed_at_every_step_and_at_statements_on_postgresql(postgresql: Any) -> None:
    _whole_or_nothing(json.loads(driven(__file__, postgresql)))


def _whole_or_nothing(found: list[dict[str, Any]]) -> None:
    assert {one["act"] for one in found} == set(ACTS)
    assert {one["kill"] for one in found} >= set(STEPS)
    whole_or_nothing(found)


# The driver ----------------------------------------------------------------------------------------------------------


def main() -> None:
    """Every act under every kill; print what was found."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(ACTS):
            found += _killed_everywhere(Path(folder) / str(number), name)
    sys.stdout.write(json.dumps(found))


def _killed_everywhere(folder: Path, name: str) -> list[dict[str, Any]]:
    ready, calm = _site(folder / "ready", name), folder / "calm"
    STORES.copied(ready, calm)
    before = _state(calm)
    counted = _statements(calm, name)
    after = _state(calm)
    kills: list[str | int] = [*STEPS, *range(1, counted + 1, STORES.every)]
    return [_one(ready, folder / f"kill-{n}", name, kill, before, after) for n, kill in enumerate(kills)]


def _one(ready: Path, site: Path, name: str, kill: str | int, before: Any, after: Any) -> dict[str, Any]:
    STORES.copied(ready, site)
    died = _run(site, name, kill)
    found = _state(site)
    assert not _run(site, name, None)
    again = _state(site)
    STORES.gone(site)
    return {
        "act": name, "kill": kill, "died": died, "before": before, "after": after, "found": found, "again": again,
    }  # fmt: skip


def _site(folder: Path, name: str) -> Path:
    demo.fresh_site(folder)
    (folder / "policy.toml").unlink()
    STORES.fresh(folder)
    os.environ["HEADWATER_DATABASE_URL"] = STORES.url(folder)
    for earlier in ACTS[name][0]:
        assert command([*earlier, "--site", str(folder)]) == 0
    return folder


def _recorded(folder: Path, name: str, kill: str | int | None, note: Path | None = None) -> int:
    """Record the act in a child; its wait status."""
    os.environ["HEADWATER_DATABASE_URL"] = STORES.url(folder)
    arguments = [one.replace("KEY", _first_key(folder)) for one in ACTS[name][1]]
    at = STEPS[kill] if isinstance(kill, str) else kill
    return command([*arguments, "--site", str(folder)], at, note)


def _run(folder: Path, name: str, kill: str | int | None) -> bool:
    """Whether recording was killed. A case opened a second time says that it is there."""
    status = _recorded(folder, name, kill)
    if os.WIFSIGNALED(status):
        return True
    assert os.WEXITSTATUS(status) in {0, 2}, os.WEXITSTATUS(status)
    return False


def _first_key(folder: Path) -> str:
    with opened(STORES.url(folder)) as engine, reading(engine) as connection:
        events = casebook.events(connection)
    return events[0].key() if events else ""


def _statements(folder: Path, name: str) -> int:
    """How many statements recording takes, with the act recorded."""
    note = folder / "note"
    assert _recorded(folder, name, None, note) == 0
    return int(note.read_text())


def _state(folder: Path) -> list[Any]:
    """The cases as derived, and every event that lasts; a seal that does not hold is a failure."""
    with opened(STORES.url(folder)) as engine, reading(engine) as connection:
        assert ledger.verify(connection, schema.event) is None
        events = casebook.events(connection)
        rows = connection.execute(select(schema.event.c.event_key, schema.event.c.case_id)).all()
    found = cases(events, ordinance("howard"))
    derived = [[one.id, one.status, one.state, len(one.events), len(one.contradictions)] for one in found]
    return [sorted([row.event_key, row.case_id] for row in rows), derived]


if __name__ == "__main__":
    main()
