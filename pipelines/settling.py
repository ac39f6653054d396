"""When a file in the inbox may be read: its name is not that of an upload under way, and it has stood still a while.

Size and time of change must not have moved for the town's ``inbox_settles``. A file that was last changed longer ago is
ready at once, so a copy that keeps an old time waits for nobody. For the others the night waits once, as long as the
youngest needs, and looks again: what changed meanwhile is left to the next night, and said. A time of change that is
still to come says nothing; such a file is watched for the whole while, and said too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipelines.database import storable

UNFINISHED = (".part", ".partial", ".filepart", ".tmp", ".temp", ".crdownload", ".download", ".upload", ".swp")
"""Endings under which browsers, WinSCP, rsync and others write until a file is whole."""
OPEN_ELSEWHERE = "~$"
"""Beginning of the file that an office program keeps beside one it has open."""

Pause = Callable[[float], None]
"""Lets so many seconds pass."""


@dataclass(frozen=True)
class Look:
    """What differs between two looks at a file that is being written."""

    size: int
    mtime_ns: int

    def changed(self) -> datetime | None:
        """When it was last changed; None for a time no calendar has."""
        try:
            return datetime.fromtimestamp(self.mtime_ns / 1e9, UTC)
        except (OverflowError, OSError, ValueError):
            return None


@dataclass(frozen=True)
class Settled:
    """Files to read now; ``left``: a line for each that waits; ``notes``: a line for each with a strange time."""

    ready: Sequence[Path]
    left: Sequence[str] = ()
    notes: Sequence[str] = ()


def is_unfinished(name: str) -> bool:
    """Whether a name says that its file is being written, or is no file of its own."""
    return name.startswith((".", OPEN_ELSEWHERE)) or name.casefold().endswith(UNFINISHED)


def look(path: Path) -> Look | None:
    """None where the file is gone, or cannot be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Look(found.st_size, found.st_mtime_ns)


def settled(
    paths: Iterable[Path],
    settles: timedelta,
    now: datetime,
    pause: Pause,
    say: Callable[[str], None] = lambda _: None,
    called: Callable[[Path], str] = lambda path: storable(path.name),
) -> Settled:
    """Wait, once, until what was changed lately has stood still.

    Parameters
    ----------
    settles : how long a file must have stood still.
    now : aware; times of change are measured against it.
    pause : lets time pass; not called where nothing is young.
    called : what a file is told as.
    """
    first = {path: look(path) for path in paths}
    needed = {path: _needed(seen, settles, now) for path, seen in first.items() if seen is not None}
    young = {path: wait for path, wait in needed.items() if wait > timedelta()}
    if young:
        longest = max(young.values()).total_seconds()
        say(f"waiting {longest:.0f} s until {len(young)} file{'s' * (len(young) != 1)} of the inbox stand still")
        pause(longest)
    moved = [path for path in young if look(path) not in {first[path], None}]
    ahead = [(path, seen) for path, seen in first.items() if seen is not None and _ahead(seen, settles, now)]
    return Settled(
        [path for path in first if path not in moved],
        [f"{called(path)}: it is still being written; left for the next night" for path in moved],
        [f"{called(path)}: last changed {_told(seen)}, which is still to come: a clock is wrong" for
         path, seen in ahead],
    )  # fmt: skip


def _needed(seen: Look, settles: timedelta, now: datetime) -> timedelta:
    """How long it must still stand; all of it where its time of change says nothing."""
    changed = seen.changed()
    return settles if changed is None or changed > now else max(settles - (now - changed), timedelta())


def _ahead(seen: Look, settles: timedelta, now: datetime) -> bool:
    """Further than a copy from another machine's clock would be while it settles."""
    changed = seen.changed()
    return changed is None or changed > now + max(settles, timedelta(seconds=5))


def _told(seen: Look) -> str:
    changed = seen.changed()
    return "at no time of this calendar" if changed is None else f"{changed:%Y-%m-%dT%H:%M:%SZ}"
