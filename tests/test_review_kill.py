"""SIGKILL at every statement of a review act: all of it is on record or nothing; run again, all of it, once.

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

from pipelines import ledger, marks, review_acts, review_book, schema
from pipelines.commands import review
from pipelines.database import opened, reading
from tests.deadly import command as run_command
from tests.deadly import whole_or_nothing
from tests.kill_stores import Stores, driven, of_driver
from tests.test_review import DRAFT
from tests.town import LOW, Town

STORES = of_driver() if __name__ == "__main__" else Stores()
SIGNED = ["--by", "Pat Example", "--licence", "PG", "--number", "1234"]
ESTIMATE = ["review", "estimate", "LMC-1", "2025-08-06", "4.05", "--unit", "cfs", "--method", "recession", *SIGNED]
ACTS: dict[str, list[list[str]]] = {
    "accept": [["review", "accept", "LMC-1", "--days", "2025-08-03..2025-08-05", *SIGNED]],
    "estimate": [ESTIMATE],
    "withdraw an estimate": [ESTIMATE, ["review", "withdraw", "KEY", "--reason", "wrong day", "--by", "Pat Example"]],
    "sign a finding": [["review", "sign", "howard.baseflow|LMC-1|discharge|base flow", *SIGNED]],
    "sign a base flow": [["review", "sign", "DRAFT", *SIGNED]],
}
"""The last command of each is killed; those before it are recorded first."""
STEPS: dict[str, tuple[Any, str]] = {
    "sealed, not written": (ledger, "_seal"),
    "written, not committed": (review_book, "append"),
    "all written, not committed": (review_acts, "put_on_record"),
    "committed": (review, "emit"),
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


class Stored(Town):
    """A town whose store is where the driver was told."""

    @property
    def url(self) -> str:
        return STORES.url(self.folder)


def main() -> None:
    """Every act under every kill; print what was found."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        town = Stored(Path(folder) / "town")
        STORES.fresh(town.folder)
        town.daily("first.rdb", "2025-08-01", [LOW, LOW, LOW, LOW, LOW, "", LOW, LOW])
        town.night("2025-08-12")
        for number, name in enumerate(ACTS):
            found += _killed_everywhere(town.folder, Path(folder) / str(number), name)
    sys.stdout.write(json.dumps(found))


def _killed_everywhere(town: Path, folder: Path, name: str) -> list[dict[str, Any]]:
    calm = _site(town, folder / "calm", name)
    before = _state(calm)
    counted = _statements(calm, name)
    after = _state(calm)
    kills: list[str | int] = [*STEPS, *range(1, counted + 1, STORES.every)]
    return [_one(town, folder / f"kill-{n}", name, kill, before, after) for n, kill in enumerate(kills)]


def _one(town: Path, folder: Path, name: str, kill: str | int, before: Any, after: Any) -> dict[str, Any]:
    site = _site(town, folder, name)
    status = _run(site, ACTS[name][-1], kill)
    found = _state(site)
    assert _run(site, ACTS[name][-1], None) == 0
    again = _state(site)
    STORES.gone(site)
    return {
        "act": name, "kill": kill, "died": os.WIFSIGNALED(status), "before": before, "after": after, "found": found,
        "again": again,
    }  # fmt: skip


def _site(town: Path, folder: Path, name: str) -> Path:
    STORES.copied(town, folder)
    (folder / "draft.toml").write_text(DRAFT, encoding="utf-8")
    for earlier in ACTS[name][:-1]:
        assert _run(folder, earlier, None) == 0
    return folder


def _run(folder: Path, command: list[str], kill: str | int | None, note: Path | None = None) -> int:
    """Run a command in a child, so that what it prints and holds open goes with it; its wait status."""
    os.environ["HEADWATER_DATABASE_URL"] = STORES.url(folder)
    named = {"DRAFT": str(folder / "draft.toml"), "KEY": _first_key(folder) if "KEY" in command else ""}
    arguments = [named.get(one, one) for one in command]
    at = STEPS[kill] if isinstance(kill, str) else kill
    return run_command([*arguments, "--site", str(folder)], at, note)


def _first_key(folder: Path) -> str:
    with opened(STORES.url(folder)) as engine, reading(engine) as connection:
        return review_book.acts(connection)[0].key()


def _statements(folder: Path, name: str) -> int:
    """How many statements recording takes, with the act recorded."""
    note = folder.parent / "note"
    assert _run(folder, ACTS[name][-1], None, note) == 0
    return int(note.read_text())


def _state(folder: Path) -> list[Any]:
    """The acts, every value of the missing day, its deliveries, and what waits for the night."""
    table, source = schema.observation.c, schema.source.c
    with opened(STORES.url(folder)) as engine, reading(engine) as connection:
        assert ledger.verify(connection, schema.review) is None
        keys = sorted(one.key() for one in review_book.acts(connection))
        values = connection.execute(select(table.series_id, table.time_ms, table.value_text, table.flags)).all()
        sources = connection.execute(select(source.sha256, source.accepted)).all()
        waiting = [[id, *span] for id, span in sorted(marks.arrivals(connection).items())]
    rows = sorted([list(one) for one in values]), sorted([list(one) for one in sources])
    return [keys, *rows, waiting]


if __name__ == "__main__":
    main()
