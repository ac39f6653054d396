"""Files in, once each: read, place, store, and move out of the way, in that order.

A file is recognised by its content. It is moved only after its rows are committed, so a killed run
finds it again and, knowing its hash, stores nothing twice. A file that is no data is recorded with
its reason and moved to ``inbox/rejected/``; one that the machine will not open stays; the others go on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine

from ingest.arrival import place
from ingest.decoding import load
from ingest.formats import read
from ingest.laboratory.mapped import TableMap
from ingest.reading import NOTHING, Reading, Told
from models.errors import BadFile
from models.observation import Reject
from models.site import Site
from pipelines import arrival_notes, marks, observations, open_rejects, origins, refused_lines
from pipelines.database import storable, transaction
from pipelines.level_arrival import logger_notes
from pipelines.observations import Counts
from pipelines.origins import Origin
from pipelines.receipts import EVENTS, Receipt, of_source, reported, unreported
from pipelines.settling import is_unfinished, look

__all__ = ["EVENTS", "Receipt", "reported", "unreported"]

DONE, REJECTED = "done", "rejected"
MAIL, REPLIES = "mail", "replies"
"""Folders in the inbox: a maildir; a text for each delivery, which a person reads and sends or does not."""
"""A maildir in the inbox (``pipelines.mail_drop``)."""
WRITTEN = "still being written; the next night takes it"
GONE = "it is gone: another reader took it, or somebody moved it"
NOWHERE: Origin = {}
_LONGEST_NAME = 60


def waiting(inbox: Path) -> Iterator[Path]:
    """Files to read, by name; folders, hidden files, uploads under way and what was read before are not."""
    if inbox.is_dir():
        yield from sorted(one for one in inbox.iterdir() if one.is_file() and not is_unfinished(one.name))


def passed_over(inbox: Path) -> list[str]:
    """What lies in the inbox and is no file: nobody reads it, and somebody should be told."""
    others = (one.name for one in inbox.iterdir() if not one.is_file()) if inbox.is_dir() else ()
    return sorted(storable(name) for name in others if name not in {DONE, REJECTED, MAIL, REPLIES} and name[0] != ".")


def unfinished(inbox: Path) -> list[str]:
    """Files whose name says that they are not whole: read by nobody until they get another."""
    there = (one.name for one in inbox.iterdir() if one.is_file()) if inbox.is_dir() else ()
    return sorted(storable(name) for name in there if is_unfinished(name) and name[0] not in ".~")


def take(
    engine: Engine, site: Site, zone: ZoneInfo, path: Path, known_at: int, *, format: str | None = None,
    told: Told = NOTHING, table_map: TableMap | None = None,
) -> Receipt:  # fmt: skip
    """Store one file in a transaction of its own."""
    with transaction(engine) as connection:
        return store(connection, site, zone, path, known_at, format=format, told=told, table_map=table_map)


def store(
    connection: Connection, site: Site, zone: ZoneInfo, path: Path, known_at: int, *, format: str | None = None,
    told: Told = NOTHING, table_map: TableMap | None = None, name: str = "", origin: Origin = NOWHERE,
) -> Receipt:  # fmt: skip
    """Read one file and store its rows and rejects on an open transaction.

    Two readers of one content: the second waits for the first one's transaction, and finds the content seen.

    Parameters
    ----------
    name : what it is told and stored as, where that is not the file's own name.
    origin : what it came in.
    """
    name = storable(name or path.name)
    if not path.is_file():
        return Receipt(name, "", error=str(BadFile("not a file" if path.exists() else GONE, file=name)), waits=True)
    try:
        looked = look(path)
        sha256, size = _identity(path)
    except OSError as caught:
        why = GONE if isinstance(caught, FileNotFoundError) else f"cannot be read: {caught.strerror}"
        return Receipt(name, "", error=str(BadFile(why, file=name)), waits=True)
    known = observations.source_seen(connection, sha256)
    if known is not None and (whole := _taken_whole(connection, known)):
        return replace(whole, file=name, sha256=sha256)
    reading = _read(path, format, told, table_map)
    if look(path) != looked or (isinstance(reading, Reading) and reading.sha256 != sha256):
        return Receipt(name, "", error=str(BadFile(WRITTEN if path.exists() else GONE, file=name)), waits=True)
    if known is not None:
        return replace(_again(connection, known, name, reading, site, zone, known_at), sha256=sha256)
    found = "" if isinstance(reading, BadFile) else reading.format
    id = observations.record_source(connection, sha256=sha256, file=name, format=found, size=size, arrived_at=known_at)
    origins.note(connection, id, origin)
    if isinstance(reading, BadFile):
        _refuse(connection, id, reading)
    else:
        _insert(connection, id, reading, site, zone, known_at, partial(_lines, path, sha256))
    return replace(of_source(connection, id), sha256=sha256)


def store_unread(
    connection: Connection, name: str, content: tuple[str, int], known_at: int, origin: Origin, *,
    format: str = "", error: BadFile | None = None, note: str = "",
) -> Receipt:  # fmt: skip
    """Put on record what no reader is given: a document, a message, a part of which nothing may be taken.

    Parameters
    ----------
    content : its hash and size.
    error : why nothing of it is taken.
    note : what else to say of it.
    """
    sha256, size = content
    known = observations.source_seen(connection, sha256)
    if known is not None:
        before = replace(of_source(connection, known), file=storable(name), seen=True, sha256=sha256)
        if error is not None or not before.error:
            return before
        open_rejects.read_again(connection, known, [])  # what it brought was refused then, and taken now
        return Receipt(storable(name), format, seen=True, note=note, sha256=sha256)
    id = observations.record_source(connection, sha256=sha256, file=name, format=format, size=size, arrived_at=known_at)
    origins.note(connection, id, origin)
    if error is not None:
        _refuse(connection, id, error)
    if note:
        arrival_notes.put(connection, id, [note])
    return replace(of_source(connection, id), sha256=sha256)


def _read(path: Path, format: str | None, told: Told, table_map: TableMap | None) -> Reading | BadFile:
    try:
        return read(path, format=format, told=told, table_map=table_map)
    except BadFile as caught:
        return caught
    except Exception as caught:  # noqa: BLE001 whatever is wrong with one file must not keep the others back
        return BadFile(f"a fault of the program, {type(caught).__name__}: {caught}", file=storable(path.name))


def _insert(
    connection: Connection, id: int, reading: Reading, site: Site, zone: ZoneInfo, known_at: int,
    lines: Callable[[], Sequence[str]],
) -> None:  # fmt: skip
    arrival = place(reading, site, zone=zone)
    counts = observations.insert(connection, arrival.frame, source_id=id, known_at=known_at)
    rejects = [*arrival.rejects, *_withheld(reading, counts)]
    rejected = observations.record_rejects(connection, id, rejects)
    told = replace(counts, duplicate=counts.duplicate + arrival.duplicates)
    rows = arrival.rows + arrival_notes.rows_set_apart(reading)
    observations.record_counts(connection, id, told, rows=rows, rejected=rejected)
    marks.note_arrivals(connection, counts.changed)
    arrival_notes.note(connection, id, reading, arrival.frame, logger_notes(site, arrival.frame, zone))
    open_rejects.answered(connection, id, arrival.frame, counts.withheld)
    open_rejects.corrected(connection, id, storable(reading.file), arrival.frame, lines)
    if rejects and not counts.accepted + counts.revised:
        refused_lines.keep(connection, id, {one.row for one in rejects}, lines())


def _lines(path: Path, sha256: str) -> Sequence[str]:
    """The lines of a file as its rows are numbered; none where it is not the file any more that was read."""
    try:
        source = load(path)
    except BadFile:
        return ()
    return source.text.split("\n") if source.sha256 == sha256 else ()


def _withheld(reading: Reading, counts: Counts) -> Iterator[Reject]:
    """Values of an older file that would have undone a review: kept out, and said."""
    reason = "provisional, where an approved value stands: not taken"
    for one in counts.withheld:
        yield Reject(reading.file, one.row, open_rejects.WITHHELD, one.value_text, reason)


def _refuse(connection: Connection, id: int, error: BadFile) -> None:
    observations.record_rejects(connection, id, [_whole(error)])
    observations.record_counts(connection, id, Counts(), rows=0, rejected=1)


def _whole(error: BadFile) -> Reject:
    return Reject(error.file or "", error.row or 0, error.key or "", str(error.found or ""), error.reason)


def _taken_whole(connection: Connection, id: int) -> Receipt | None:
    """A content of which nothing was left out has nothing more to give: it need not be read again."""
    before = of_source(connection, id)
    return None if before.left_out else Receipt("", before.format, seen=True, note=before.note)


def _again(
    connection: Connection, id: int, name: str, reading: Reading | BadFile, site: Site, zone: ZoneInfo, known_at: int
) -> Receipt:
    """A content that was here before adds only what was left out of it then: the site file may name the station now."""
    before = of_source(connection, id)
    if isinstance(reading, BadFile):
        return _refused_again(connection, id, replace(before, file=name), reading)
    arrival = place(reading, site, zone=zone)
    counts = observations.insert(connection, arrival.frame, source_id=id, known_at=known_at)
    left = open_rejects.read_again(connection, id, [*arrival.rejects, *_withheld(reading, counts)])
    marks.note_arrivals(connection, counts.changed)
    duplicate = counts.duplicate if counts.changed else 0
    again = Receipt(name, reading.format, counts.accepted, 0, duplicate, counts.revised, seen=True)
    note = "" if counts.changed else before.note
    return replace(again, rejected=sum(one.rows for one in left), first_reject=_first(left), note=note)


def _refused_again(connection: Connection, id: int, before: Receipt, error: BadFile) -> Receipt:
    """Under the name it has now; a content that another reading took something of is no refused file."""
    again = Receipt(before.file, before.format, seen=True, note=before.note)
    if not before.error:
        waiting = open_rejects.waiting(connection, id)
        return replace(again, rejected=len(waiting), first_reject=before.first_reject if waiting else "")
    open_rejects.read_again(connection, id, [_whole(error)])
    return replace(again, error=str(error))


def _first(rejects: Sequence[Reject]) -> str:
    return next(
        (
            str(BadFile(one.reason, row=one.row or None, key=one.column or None, found=one.raw or None))
            for one in rejects
        ),
        "",
    )


def put_away(path: Path, receipt: Receipt, home: Path | None = None) -> list[str]:
    """Move a file that was committed; where it cannot be moved, say so: its rows are in, and nothing is lost.

    ``home``: the folder that holds ``done`` and ``rejected``, where that is not the file's own.
    """
    try:
        if receipt.waits:
            return []
        if receipt.sha256 and _identity(path)[0] != receipt.sha256:
            return [str(BadFile(WRITTEN, file=receipt.file))]
        _move(path, (home or path.parent) / (REJECTED if receipt.error else DONE))
    except OSError as caught:
        if not path.exists():
            return []  # another reader of the same content was quicker
        return [f"{receipt.file}: stored, but it cannot be moved out of the inbox: {caught.strerror}"]
    return []


def _move(path: Path, folder: Path) -> None:
    """By one rename: it is here or there, wherever the program is killed. A name already taken there gets the start of
    the content's hash; under that, what stands there is the same file.
    """
    folder.mkdir(exist_ok=True)
    target = folder / path.name
    if target.exists():
        target = folder / f"{_identity(path)[0][:12]}-{path.name[-_LONGEST_NAME:]}"
    path.replace(target)


def _identity(path: Path) -> tuple[str, int]:
    """Content hash and size, without holding the file in memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size
