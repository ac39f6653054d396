"""A command in a process of its own that dies by SIGKILL at a chosen instant, and what such kills must leave behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event

from pipelines import cli

Kill = tuple[Any, str] | int | None
"""After the first call of a function (its owner and name), after a statement given to the database, or not at all."""


def command(arguments: Sequence[str], kill: Kill = None, note: Path | None = None) -> int:
    """Run a command in a child, so that what it prints and holds open goes with it; its wait status.

    ``note``: where the number of statements it took is written.
    """
    child = os.fork()
    if not child:
        _run(arguments, kill, note)
    return os.waitpid(child, 0)[1]


def _run(arguments: Sequence[str], kill: Kill, note: Path | None) -> None:
    code = 9
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        counted = _counting(kill if isinstance(kill, int) else 0)
        if isinstance(kill, tuple):
            _kill_after(*kill)
        code = cli.run(list(arguments))
        if note is not None:
            note.write_text(str(counted[0]))
    finally:
        os._exit(code)


def _counting(deadly: int) -> list[int]:
    """Count the statements given to the database; die right after the deadly one."""
    counted = [0]

    @event.listens_for(Engine, "after_cursor_execute")
    def count(*_: object) -> None:
        counted[0] += 1
        if counted[0] == deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    return counted


def _kill_after(owner: Any, name: str) -> None:
    """Die by SIGKILL right after the first call of a function of the program."""
    original = getattr(owner, name)

    def deadly(*arguments: Any, **options: Any) -> Any:
        original(*arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, deadly)


def whole_or_nothing(found: Sequence[dict[str, Any]]) -> None:
    """After each kill all of it is on record or nothing; run again, all of it, once."""
    for one in found:
        assert one["died"], one
        assert one["found"] in (one["before"], one["after"]), one
        assert one["again"] == one["after"], one
        assert one["before"] != one["after"], one
    # Some die before the commit and some after it, or the test looks at one side only.
    assert {one["found"] == one["after"] for one in found} == {True, False}
