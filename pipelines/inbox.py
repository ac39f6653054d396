"""Files in, once each: read, place, store, and move out of the way, in that order.

A file is recognised by its content. It is moved only after its rows are committed, so a killed run
finds it again and, knowing its hash, stores nothing twice. A file that is no data is recorded with
its reason and moved to ``inbox/rejected/``; one that the machine will not open stays; the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine

from ingest.arrival import Arrival, place
from ingest.decoding import load
from ingest.formats import read
from ingest.laboratory.mapped import TableMap
from ingest.reading import NOTHING, Reading, Told
from models.errors import BadFile
from models.household import Households
from models.observation import Reject
from models.site import Site
from pipelines import arrival_notes, marks, observations, open_rejects, origins, refused_lines, superseded
from pipelines.database import storable, transaction
from pipelines.household_guard import Guard, Guarded
from pipelines.level_arrival import logger_notes
from pipelines.moving import identity, move
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
NOBODY = Households()


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
    told: Told = NOTHING, table_map: TableMap | None = None, households: Households = NOBODY,
) -> Receipt:  # fmt: skip
    """Store one file in a transaction of its own."""
    with transaction(engine) as connection:
        return store(
            connection, site, zone, path, known_at, format=format, told=told, table_map=table_map,
            households=households,
        )  # fmt: skip


def store(
    connection: Connection, site: Site, zone: ZoneInfo, path: Path, known_at: int, *, format: str | None = None,
    told: Told = NOTHING, table_map: TableMap | None = None, name: str = "", origin: Origin = NOWHERE,
    households: Households = NOBODY,
) -> Receipt:  # fmt: skip
    """Read one file and store its rows and rejects on an open transaction.

    Two readers of one content: the second waits for the first one's transaction, and finds the content seen.

    Parameters
    ----------
    name : what it is told and stored as, where that is not the file's own name.
    origin : what it came in.
    households : whose names nothing that is kept or told of it may hold.
    """
    guard = Guard(households)
    name = guard.text(storable(name or path.name))
    if not path.is_file():
        return Receipt(name, "", error=str(BadFile("not a file" if path.exists() else GONE, file=name)), waits=True)
    try:
        looked = look(path)
        sha256, size = identity(path)
    except OSError as caught:
        why = GONE if isinstance(caught, FileNotFoundError) else f"cannot be read: {caught.strerror}"
        return Receipt(name, "", error=str(BadFile(why, file=name)), waits=True)
    reading = _read(path, format, told, table_map)
    if look(path) != looked or (isinstance(reading, Reading) and reading.sha256 != sha256):
        return Receipt(name, "", error=str(BadFile(WRITTEN if path.exists() else GONE, file=name)), waits=True)
    if isinstance(reading, BadFile):
        reading = guard.error(reading)
    if (known := observations.source_seen(connection, sha256)) is not None:
        return replace(_again(connection, known, name, reading, site, zone, known_at, guard), sha256=sha256)
    found = "" if isinstance(reading, BadFile) else reading.format
    id = observations.record_source(connection, sha256=sha256, file=name, format=found, size=size, arrived_at=known_at)
    origins.note(connection, id, origin)
    if isinstance(reading, BadFile):
        _refuse(connection, id, reading)
    else:
        _insert(connection, id, reading, site, zone, known_at, partial(_lines, path, sha256, guard), guard)
    return replace(of_source(connection, id), sha256=sha256)


def store_unread(
    connection: Connection, name: str, content: tuple[str, int], known_at: int, origin: Origin, *,
    format: str = "", error: BadFile | None = None, note: str = "", households: Households = NOBODY,
) -> Receipt:  # fmt: skip
    """Put on record what no reader is given: a document, a message, a part of which nothing may be taken.

    Parameters
    ----------
    content : its hash and size.
    error : why nothing of it is taken.
    note : what else to say of it.
    """
    (sha256, size), guard = content, Guard(households)
    name, note = guard.text(storable(name)), guard.text(note)
    known = observations.source_seen(connection, sha256)
    if known is not None:
        before = replace(of_source(connection, known), file=name, seen=True, sha256=sha256)
        if error is not None or not before.error:
            return before
        open_rejects.read_again(connection, known, [])  # what it brought was refused then, and taken now
        return Receipt(name, format, seen=True, note=note, sha256=sha256)
    id = observations.record_source(connection, sha256=sha256, file=name, format=format, size=size, arrived_at=known_at)
    origins.note(connection, id, origin)
    if error is not None:
        _refuse(connection, id, guard.error(error))
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
    lines: Callable[[], Sequence[str]], guard: Guard,
) -> None:  # fmt: skip
    arrival = _placed(reading, site, zone, guard)
    counts = observations.insert(connection, arrival.frame, source_id=id, known_at=known_at)
    rejects = [guard.reject(one) for one in (*arrival.rejects, *_withheld(reading, counts))]
    rejected = observations.record_rejects(connection, id, rejects)
    told = replace(counts, duplicate=counts.duplicate + arrival.duplicates)
    rows = arrival.rows + arrival_notes.rows_set_apart(reading)
    observations.record_counts(connection, id, told, rows=rows, rejected=rejected)
    marks.note_arrivals(connection, counts.changed)
    arrival_notes.note(connection, id, reading, arrival.frame, logger_notes(site, arrival.frame, zone), guard.text)
    open_rejects.answered(connection, id, arrival.frame, counts.withheld)
    open_rejects.corrected(connection, id, guard.text(storable(reading.file)), arrival.frame, lines)
    if rejects and not counts.accepted + counts.revised:
        refused_lines.keep(connection, id, {one.row for one in rejects}, lines())


def _placed(reading: Reading, site: Site, zone: ZoneInfo, guard: Guard) -> Arrival:
    arrival = place(reading, site, zone=zone)
    return replace(arrival, frame=guard.frame(arrival.frame))


def _lines(path: Path, sha256: str, guard: Guard) -> Sequence[str]:
    """The lines of a file as its rows are numbered; none where it is not the file any more that was read."""
    try:
        source = load(path)
    except BadFile:
        return ()
    return Guarded(source.text.split("\n") if source.sha256 == sha256 else (), guard)


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


def _stands(
    connection: Connection, id: int, reading: Reading | BadFile, site: Site, zone: ZoneInfo, guard: Guard
) -> str:
    """Of a content that was taken whole: what of it was replaced since. It changes nothing when it comes again."""
    if isinstance(reading, BadFile):
        return ""  # it was understood with other words than it comes with now
    return superseded.replaced(connection, _placed(reading, site, zone, guard).frame, id, zone)


def _again(
    connection: Connection, id: int, name: str, reading: Reading | BadFile, site: Site, zone: ZoneInfo, known_at: int,
    guard: Guard,
) -> Receipt:  # fmt: skip
    """A content that was here before adds only what was left out of it then: the site file may name the station now."""
    before = of_source(connection, id)
    if not before.left_out:
        said = [one for one in (_stands(connection, id, reading, site, zone, guard), before.note) if one]
        return Receipt(name, before.format, seen=True, note="; ".join(said))
    if isinstance(reading, BadFile):
        return _refused_again(connection, id, replace(before, file=name), reading)
    arrival = _placed(reading, site, zone, guard)
    left_out = superseded.not_taken(connection, arrival.frame, id)
    counts = observations.insert(connection, left_out, source_id=id, known_at=known_at)
    rejects = [guard.reject(one) for one in (*arrival.rejects, *_withheld(reading, counts))]
    left = open_rejects.read_again(connection, id, rejects)
    marks.note_arrivals(connection, counts.changed)
    duplicate = counts.duplicate + len(arrival.frame) - len(left_out) if counts.changed else 0
    again = Receipt(name, reading.format, counts.accepted, 0, duplicate, counts.revised, seen=True)
    stands = superseded.replaced(connection, arrival.frame, id, zone)
    note = "; ".join(one for one in (stands, "" if counts.changed else before.note) if one)
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
        if receipt.sha256 and identity(path)[0] != receipt.sha256:
            return [str(BadFile(WRITTEN, file=receipt.file))]
        move(path, (home or path.parent) / (REJECTED if receipt.error else DONE))
    except OSError as caught:
        if not path.exists():
            return []  # another reader of the same content was quicker
        return [f"{receipt.file}: stored, but it cannot be moved out of the inbox: {caught.strerror}"]
    return []
