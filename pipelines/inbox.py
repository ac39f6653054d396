"""Files in, once each: read, place, store, and move out of the way, in that order.

A file is recognised by its content. It is moved only after its rows are committed, so a killed run
finds it again and, knowing its hash, stores nothing twice. A file that is no data is recorded with
its reason and moved to ``inbox/rejected/``; one that the machine will not open stays; the others go on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Connection, Engine, func, select

from ingest.arrival import place
from ingest.decoding import load
from ingest.formats import read
from ingest.laboratory.mapped import TableMap
from ingest.reading import NOTHING, Reading, Told
from models.errors import BadFile
from models.observation import Reject
from models.site import Site
from pipelines import arrival_notes, marks, observations, open_rejects, refused_lines, schema
from pipelines.database import storable, transaction
from pipelines.level_arrival import logger_notes
from pipelines.observations import Counts

DONE, REJECTED = "done", "rejected"
EVENTS = "events"
"""Format of the entries under which refused lines of events.csv are kept; no delivery."""
WRITTEN = "still being written; the next night takes it"
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Receipt:
    """What became of one file.

    Accepted, rejected, duplicate, revised and set apart are its values, each counted once. ``set_apart``: rows of
    quality control and of other media than water. ``error`` is why nothing of it was taken, ``first_reject`` why its
    first bad row was not; of a file that came before (``seen``), what still waits of it. ``waits``: it is still where
    it was. ``note``: what else it brought (``pipelines.arrival_notes``). ``sha256``: the bytes that were read.
    """

    file: str
    format: str
    accepted: int = 0
    rejected: int = 0
    duplicate: int = 0
    revised: int = 0
    set_apart: int = 0
    error: str = ""
    first_reject: str = ""
    seen: bool = False
    waits: bool = False
    note: str = ""
    sha256: str = ""

    @property
    def left_out(self) -> bool:
        """Whether anything of it was not taken: a row, a cell, or all of it."""
        return bool(self.error or self.rejected or self.first_reject)


def waiting(inbox: Path) -> Iterator[Path]:
    """Files to read, by name; folders, hidden files and what was read before are not."""
    if inbox.is_dir():
        yield from sorted(one for one in inbox.iterdir() if one.is_file() and not one.name.startswith("."))


def passed_over(inbox: Path) -> list[str]:
    """What lies in the inbox and is no file: nobody reads it, and somebody should be told."""
    others = (one.name for one in inbox.iterdir() if not one.is_file()) if inbox.is_dir() else ()
    return sorted(storable(name) for name in others if name not in {DONE, REJECTED} and not name.startswith("."))


def take(
    engine: Engine, site: Site, zone: ZoneInfo, path: Path, known_at: int, *, format: str | None = None,
    told: Told = NOTHING, table_map: TableMap | None = None,
) -> Receipt:  # fmt: skip
    """Store one file in a transaction of its own."""
    with transaction(engine) as connection:
        return store(connection, site, zone, path, known_at, format=format, told=told, table_map=table_map)


def store(
    connection: Connection, site: Site, zone: ZoneInfo, path: Path, known_at: int, *, format: str | None = None,
    told: Told = NOTHING, table_map: TableMap | None = None,
) -> Receipt:  # fmt: skip
    """Read one file and store its rows and rejects on an open transaction."""
    name = storable(path.name)
    if not path.is_file():
        return Receipt(name, "", error=str(BadFile("not a file", file=name)), waits=True)
    try:
        looked = _look(path)
        sha256, size = _identity(path)
    except OSError as caught:
        return Receipt(name, "", error=str(BadFile(f"cannot be read: {caught.strerror}", file=name)), waits=True)
    known = observations.source_seen(connection, sha256)
    if known is not None and (whole := _taken_whole(connection, known)):
        return replace(whole, file=name, sha256=sha256)
    reading = _read(path, format, told, table_map)
    if _look(path) != looked or (isinstance(reading, Reading) and reading.sha256 != sha256):
        return Receipt(name, "", error=str(BadFile(WRITTEN, file=name)), waits=True)
    if known is not None:
        return replace(_again(connection, known, name, reading, site, zone, known_at), sha256=sha256)
    found = "" if isinstance(reading, BadFile) else reading.format
    id = observations.record_source(connection, sha256=sha256, file=name, format=found, size=size, arrived_at=known_at)
    if isinstance(reading, BadFile):
        _refuse(connection, id, reading)
    else:
        _insert(connection, id, reading, site, zone, known_at, partial(_lines, path, sha256))
    return replace(_on_record(connection, schema.source.c.id == id)[0], sha256=sha256)


def _look(path: Path) -> tuple[int, int] | None:
    """Size and last change: what differs between two looks is still being written. None: it is gone."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_size, found.st_mtime_ns


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
    before = _on_record(connection, schema.source.c.id == id)[0]
    return None if before.left_out else Receipt("", before.format, seen=True, note=before.note)


def _again(
    connection: Connection, id: int, name: str, reading: Reading | BadFile, site: Site, zone: ZoneInfo, known_at: int
) -> Receipt:
    """A content that was here before adds only what was left out of it then: the site file may name the station now."""
    before = _on_record(connection, schema.source.c.id == id)[0]
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


def unreported(connection: Connection) -> list[Receipt]:
    """What became of each delivery that no night's summary has listed yet, as the store knows it.

    Not as this process knows it: a night killed and run again reports the files that the killed one took.
    """
    source = schema.source.c
    last = int(marks.get(connection, marks.REPORTED) or 0)
    return _on_record(connection, (source.id > last) & (source.format != EVENTS))


def reported(connection: Connection) -> None:
    """Every delivery so far is listed in a summary."""
    newest = connection.execute(select(func.max(schema.source.c.id))).scalar()
    marks.put(connection, marks.REPORTED, str(newest or 0))


def _on_record(connection: Connection, which: ColumnElement[bool]) -> list[Receipt]:
    """Receipts of deliveries, in order, from what is stored of them."""
    source, reject = schema.source.c, schema.reject.c
    its_rejects = schema.reject.alias().c
    first = select(func.min(its_rejects.id)).where(its_rejects.source_id == source.id).scalar_subquery()
    counts = source["id", "file", "format", "accepted", "rejected", "duplicate", "revised", "rows"].values()
    query = select(*counts, *reject["row", "column_name", "raw", "reason"].values())
    rows = connection.execute(
        query.outerjoin_from(schema.source, schema.reject, reject.id == first).where(which).order_by(source.id)
    )
    notes = arrival_notes.noted(connection)
    return [replace(_receipt(row[1:8], row[8:]), note=notes.get(row[0], "")) for row in rows]


def _receipt(facts: Sequence[Any], first_reject: Sequence[Any]) -> Receipt:
    *counted, rows = facts
    receipt = Receipt(*counted)
    receipt = replace(receipt, set_apart=max(rows - sum(counted[2:]), 0))
    row, column, raw, reason = first_reject
    if reason is None:
        return receipt
    why = BadFile(reason, row=row or None, key=column or None, found=raw or None)
    return (
        replace(receipt, first_reject=str(why))
        if receipt.format
        else replace(receipt, error=str(why.at(file=receipt.file)))
    )


def put_away(path: Path, receipt: Receipt) -> list[str]:
    """Move a file that was committed; where it cannot be moved, say so: its rows are in, and nothing is lost."""
    try:
        if receipt.sha256 and _identity(path)[0] != receipt.sha256:
            return [str(BadFile(WRITTEN, file=receipt.file))]
        _move(path, receipt)
    except OSError as caught:
        return [f"{receipt.file}: stored, but it cannot be moved out of the inbox: {caught.strerror}"]
    return []


def _move(path: Path, receipt: Receipt) -> None:
    """A name already taken there gets the start of the content's hash."""
    if receipt.waits:
        return
    folder = path.parent / (REJECTED if receipt.error else DONE)
    folder.mkdir(exist_ok=True)
    target = folder / path.name
    if target.exists():
        target = folder / f"{_identity(path)[0][:12]}-{path.name[-_LONGEST_NAME:]}"
    path.replace(target)


def _identity(path: Path) -> tuple[str, int]:
    """Content hash and size, without holding the file in memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size
