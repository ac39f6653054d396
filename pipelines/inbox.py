"""Files in, once each: read, place, store, and move out of the way, in that order.

A file is recognised by its content. It is moved only after its rows are committed, so a killed run
finds it again and, knowing its hash, stores nothing twice. A file that cannot be read is recorded
with its reason and moved to ``inbox/rejected/``; the others go on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine

from ingest.arrival import Arrival, place
from ingest.formats import read
from models.errors import BadFile, EnvironmentFailed
from models.observation import Reject
from models.site import Site
from pipelines import marks, observations
from pipelines.database import transaction
from pipelines.observations import Counts

DONE, REJECTED = "done", "rejected"


@dataclass(frozen=True)
class Receipt:
    """What became of one file."""

    file: str
    format: str
    accepted: int = 0
    rejected: int = 0
    duplicate: int = 0
    revised: int = 0
    error: str = ""
    seen: bool = False


def waiting(inbox: Path) -> Iterator[Path]:
    """Files to read, by name; folders, hidden files and what was read before are not."""
    if inbox.is_dir():
        yield from sorted(one for one in inbox.iterdir() if one.is_file() and not one.name.startswith("."))


def take(
    engine: Engine, site: Site, zone: ZoneInfo, path: Path, known_at: int, *, format: str | None = None
) -> Receipt:
    """Store one file in a transaction of its own."""
    with transaction(engine) as connection:
        return store(connection, site, zone, path, known_at, format=format)


def store(
    connection: Connection, site: Site, zone: ZoneInfo, path: Path, known_at: int, *, format: str | None = None
) -> Receipt:
    """Read one file and store its rows and rejects on an open transaction."""
    sha256, size = _identity(path)
    if observations.source_seen(connection, sha256) is not None:
        return Receipt(path.name, "", seen=True)
    try:
        reading = read(path, format=format)
    except BadFile as caught:
        return _refused(connection, path, sha256, size, known_at, caught)
    source_id = observations.record_source(
        connection, sha256=sha256, file=path.name, format=reading.format, size=size, arrived_at=known_at
    )
    arrival = place(reading, site, zone=zone)
    return _stored(connection, source_id, path.name, reading.format, arrival, known_at)


def _stored(
    connection: Connection,
    source_id: int,
    file: str,
    format: str,
    arrival: Arrival,
    known_at: int,
) -> Receipt:
    counts = observations.insert(connection, arrival.frame, source_id=source_id, known_at=known_at)
    rejected = observations.record_rejects(connection, source_id, arrival.rejects)
    observations.record_counts(connection, source_id, counts, rows=len(arrival.frame) + rejected, rejected=rejected)
    marks.note_arrivals(connection, counts.changed)
    return Receipt(file, format, counts.accepted, rejected, counts.duplicate, counts.revised)


def _refused(connection: Connection, path: Path, sha256: str, size: int, known_at: int, error: BadFile) -> Receipt:
    source_id = observations.record_source(
        connection, sha256=sha256, file=path.name, format="", size=size, arrived_at=known_at
    )
    why = Reject(path.name, error.row or 0, error.key or "", str(error.found or ""), error.reason)
    observations.record_rejects(connection, source_id, [why])
    observations.record_counts(connection, source_id, Counts(), rows=0, rejected=1)
    return Receipt(path.name, "", rejected=1, error=str(error))


def put_away(path: Path, receipt: Receipt) -> None:
    """Move a file that was committed; a name already taken there gets the start of the content's hash."""
    folder = path.parent / (REJECTED if receipt.error else DONE)
    folder.mkdir(exist_ok=True)
    target = folder / path.name
    if target.exists():
        target = folder / f"{_identity(path)[0][:12]}-{path.name}"
    path.replace(target)


def _identity(path: Path) -> tuple[str, int]:
    """Content hash and size, without holding the file in memory."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size
    except OSError as caught:
        raise EnvironmentFailed(f"cannot be read: {caught.strerror}", file=str(path)) from None
