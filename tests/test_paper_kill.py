"""SIGKILL at every statement of composing and of releasing a paper: on record whole or not at all; run again, once.

Run as a script, this module is the driver: it imports the program once and forks a child for each command.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from sqlalchemy import select

from pipelines import casebook, household_access, ledger, paper_book, paper_files, paper_record, schema
from pipelines.commands import report_notice
from pipelines.database import opened, reading
from tests.deadly import command as run_command
from tests.deadly import whole_or_nothing
from tests.kill_stores import Stores, driven, of_driver
from tests.test_papers_results import CASE, NITRATE, lab
from tests.town import Town

STORES = of_driver() if __name__ == "__main__" else Stores()
FLOW = "howard.baseflow/LMC-1/2025-07-06"
LOW = ["4.90", "4.85", "4.80", "4.75", "4.70", "4.65"]
ACCEPT = ["review", "accept", "LMC-1", "--days", "2025-07-01..2025-07-06", "--by", "A. Geologist", "--licence", "PG",
          "--number", "77"]  # fmt: skip
NOTICE = ["report", "notice", FLOW]
COMMANDS: dict[str, list[list[str]]] = {
    "a notice composed": [ACCEPT, NOTICE],
    "a letter handed out": [["report", "notice", CASE, "--by", "clerk"]],
    "a notice released": [ACCEPT, NOTICE, ["report", "release", "NUMBER", "--by", "clerk"]],
}
"""The last command of each is killed; those before it are run first."""
STEPS: dict[str, tuple[Any, str]] = {
    "sealed, not written": (ledger, "_seal"),
    "committed": (report_notice, "emit"),
}
OF_COMMAND: dict[str, dict[str, tuple[Any, str]]] = {
    "a notice composed": {
        "written, not committed": (paper_book, "compose"), "a file staged": (paper_files, "_print"),
        "files in place": (paper_files, "_moved"),
    },
    "a letter handed out": {"the look written, not committed": (household_access, "note_read")},
    "a notice released": {"recorded, not committed": (paper_book, "release")},
}  # fmt: skip


# The test ------------------------------------------------------------------------------------------------------------


def test_killed_at_every_step_and_every_statement() -> None:
    _whole_or_nothing(json.loads(driven(__file__)))


def test_killed_at_every_step_and_at_statements_on_postgresql(postgresql: Any) -> None:
    _whole_or_nothing(json.loads(driven(__file__, postgresql)))


def _whole_or_nothing(found: list[dict[str, Any]]) -> None:
    assert {one["command"] for one in found} == set(COMMANDS)
    assert {one["kill"] for one in found} >= set(STEPS) | {step for steps in OF_COMMAND.values() for step in steps}
    whole_or_nothing(found)
    for one in found:
        assert one["files_again"] == one["files_after"], one


# The driver ----------------------------------------------------------------------------------------------------------


class Stored(Town):
    """A town whose store is where the driver was told."""

    @property
    def url(self) -> str:
        return STORES.url(self.folder)


def main() -> None:
    """Every command under every kill; print what was found."""
    os.environ["HEADWATER_CHROMIUM"] = "no-such-browser"
    found = []
    with tempfile.TemporaryDirectory() as folder:
        town = _town(Path(folder) / "town")
        for number, name in enumerate(COMMANDS):
            found += _killed_everywhere(town.folder, Path(folder) / str(number), name)
    sys.stdout.write(json.dumps(found))


def _town(folder: Path) -> Town:
    """Six provisional days below base flow, and nitrate over the standard in a household's well."""
    town = Stored(folder)
    STORES.fresh(folder)
    town.daily("flow.rdb", "2025-06-30", ["6.00", *LOW, "6.00"])
    town.night("2025-07-07")
    lab(town, "july.csv", ("PVT-1", NITRATE, "11.2"))
    town.night("2025-07-15")
    return town


def _killed_everywhere(town: Path, folder: Path, name: str) -> list[dict[str, Any]]:
    ready, calm, note = folder / "ready", folder / "calm", folder / "note"
    STORES.copied(town, ready)
    for earlier in COMMANDS[name][:-1]:
        assert _run(ready, name, earlier, None) in {0, 3 << 8}
    STORES.copied(ready, calm)
    before = _state(calm)
    assert _run(calm, name, COMMANDS[name][-1], None, note) in {0, 3 << 8}
    after, files = _state(calm), _files(calm)
    kills: list[str | int] = [*STEPS, *OF_COMMAND[name], *range(1, int(note.read_text()) + 1, STORES.every)]
    return [
        _one(ready, folder / f"kill-{n}", name, kill) | {"before": before, "after": after, "files_after": files}
        for n, kill in enumerate(kills)
    ]


def _one(ready: Path, site: Path, name: str, kill: str | int) -> dict[str, Any]:
    STORES.copied(ready, site)
    status = _run(site, name, COMMANDS[name][-1], kill)
    found = _state(site)
    assert _run(site, name, COMMANDS[name][-1], None) in {0, 3 << 8}
    again = _state(site)
    STORES.gone(site)
    return {
        "command": name, "kill": kill, "died": os.WIFSIGNALED(status), "found": found, "again": again,
        "files_again": _files(site),
    }  # fmt: skip


def _run(folder: Path, name: str, command: list[str], kill: str | int | None, note: Path | None = None) -> int:
    """Run a command in a child, so that what it prints and holds open goes with it; its wait status."""
    os.environ["HEADWATER_DATABASE_URL"] = STORES.url(folder)
    number = _number(folder) if "NUMBER" in command else ""
    arguments = [number if one == "NUMBER" else one for one in command]
    at = (STEPS | OF_COMMAND[name])[kill] if isinstance(kill, str) else kill
    return run_command([*arguments, "--site", str(folder)], at, note)


def _number(folder: Path) -> str:
    with opened(STORES.url(folder)) as engine, reading(engine) as connection:
        return next(one.number for one in paper_record.papers(connection) if one.case == FLOW)


def _state(folder: Path) -> list[Any]:
    """The papers, the acts and the looks on record; a seal that does not hold is a failure."""
    with opened(STORES.url(folder)) as engine, reading(engine) as connection:
        for table in (schema.paper, schema.event, schema.household_access):
            assert ledger.verify(connection, table) is None
        papers = [[one.number, one.case, one.sha256, list(one.draft)] for one in paper_record.papers(connection)]
        events = sorted([one.case, one.name, one.fact("paper")] for one in casebook.events(connection))
        looks = connection.execute(select(schema.household_access.c.household)).scalars().all()
    return [papers, events, sorted(set(looks))]


def _files(folder: Path) -> list[list[str]]:
    """The papers' files with their content; what a killed run staged is no paper."""
    files = [one for one in sorted((folder / "papers").glob("*")) if one.is_file()]
    return [[one.name, hashlib.sha256(one.read_bytes()).hexdigest()] for one in files]


if __name__ == "__main__":
    main()
