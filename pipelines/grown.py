"""Files of ``done`` and ``rejected`` that went on being written after they were read: a rename does not stop a writer.

An upload that pauses longer than ``inbox_settles`` looks whole, is read and moved, and gets its rest where nobody
looks. The nights after it compare what was moved with the hashes on record. A file that begins with what was read, and
goes on, is put back into the inbox and read again: what was taken of it is a duplicate, and the rest is new. One that
reads otherwise was changed by somebody, and is told.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, or_, select

from pipelines import origins, schema
from pipelines.database import storable

WATCHED = timedelta(days=14)
"""How long after its move, or its last change, a file is looked at."""
_PREFIXED = re.compile(r"([0-9a-f]{12})-(.+)", re.DOTALL)
"""Name of a file that was moved where its own name was taken (``pipelines.inbox``)."""
_PIECE = 2**20


@dataclass(frozen=True)
class _Before:
    """What is on record under the name of a file."""

    sha256: str
    size: int


def put_back(connection: Connection, inbox: Path, folders: Sequence[str], now: datetime) -> list[str]:
    """Return what grew to the inbox, to be read again; a line for each, and for each that was changed otherwise.

    Parameters
    ----------
    folders : names of the folders that files are moved to.
    now : the machine's time, aware.
    """
    held = origins.zips(connection)
    return [
        line
        for folder in folders
        for path in _lately(inbox / folder, now)
        if (line := _looked_at(connection, inbox, path, held))
    ]


def _lately(folder: Path, now: datetime) -> Iterator[Path]:
    since = (now - WATCHED).timestamp()
    there = sorted(folder.iterdir()) if folder.is_dir() else []
    for path in there:
        if path.is_file() and not path.is_symlink():
            stat = path.stat()
            if max(stat.st_mtime, stat.st_ctime) >= since:
                yield path


def _looked_at(connection: Connection, inbox: Path, path: Path, held: frozenset[str]) -> str:
    told = f"inbox/{path.parent.name}/{storable(path.name)}"
    try:
        sha256 = _hash(path)
        if sha256 in held or _on_record(connection, sha256):
            return ""
        before = _before(connection, path.name)
        if not before:
            return ""  # somebody put it there
        if not any(_goes_on(path, one) for one in before):
            return f"{told}: changed after it was read; put it into the inbox if what it says now counts"
        target = _free(inbox, path)
        if target is None:
            return f"{told}: more was written to it after it was read; it waits for the file of its name in the inbox"
        path.rename(target)
    except OSError as caught:
        return f"{told}: cannot be compared with what was read of it: {caught.strerror}"
    return f"{told}: more was written to it after it was read; it is read again"


def _free(inbox: Path, path: Path) -> Path | None:
    named = _PREFIXED.fullmatch(path.name)
    return next((one for one in (inbox / (named[2] if named else path.name),) if not one.exists()), None)


def _on_record(connection: Connection, sha256: str) -> bool:
    query = select(schema.source.c.id).where(schema.source.c.sha256 == sha256)
    return connection.execute(query).first() is not None


def _before(connection: Connection, name: str) -> list[_Before]:
    """Contents that came under a name."""
    one, named = schema.source.c, _PREFIXED.fullmatch(name)
    which = one.file == storable(name)
    if named:
        which = or_(which, one.sha256.startswith(named[1]))
    rows = connection.execute(select(one.sha256, one.size).where(which).order_by(one.id.desc()))
    return [_Before(str(sha256), int(size)) for sha256, size in rows]


def _goes_on(path: Path, before: _Before) -> bool:
    """Whether a file begins with a content and has more behind it."""
    return 0 < before.size < path.stat().st_size and _hash(path, before.size) == before.sha256


def _hash(path: Path, size: int = -1) -> str:
    """Of a file, or of so many bytes of its beginning."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE if size < 0 else min(_PIECE, size)):
            found.update(piece)
            size -= len(piece) if size > 0 else 0
            if size == 0:
                break
    return found.hexdigest()
