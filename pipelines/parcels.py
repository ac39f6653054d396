"""Deliveries that hold others: each file of a zip is a delivery of its own, each with its receipt.

A bad file of it is rejected and the others are taken. A zip whose tables belong together (EQuIS sections), and one that
cannot be opened safely, is one delivery. A file inside is told as ``batch.zip/levels.csv``, but for a name that gives a
household away. One file of it at a time lies in a private temporary folder while it is read.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine

from ingest.laboratory import equis
from ingest.laboratory.mapped import TableMap
from ingest.message import safe_name
from ingest.packed.delivery import delivery_of
from ingest.packed.members import Member, Members, is_document, members_of
from ingest.reading import NOTHING, Told
from models.errors import BadFile
from models.household import Households
from models.privacy import private_part
from models.site import Site
from pipelines import inbox, origins
from pipelines.database import transaction
from pipelines.origins import Origin
from pipelines.receipts import Receipt
from pipelines.settling import look

DOCUMENT = "document"
"""Format of a report or a picture that came beside the data: on record, and not read."""
NOT_READ = "a document: kept with its delivery, not read"
NO_DATA = "nothing in it was taken"
LAID_OUT = "headwater-parcel-"
"""Beginning of the name of a folder that a file is read in."""
_ABANDONED = 86_400
"""Age [s] of such a folder whose reader was killed: no file is read for a day."""


@dataclass(frozen=True)
class Desk:
    """What every file is read with.

    ``open`` gives a transaction for each; ``households``: whose names no file's name may carry into the store.
    """

    site: Site
    zone: ZoneInfo
    known_at: int
    open: Callable[[], AbstractContextManager[Connection]]
    households: Households = field(default_factory=Households)
    format: str | None = None
    told: Told = NOTHING
    table_map: TableMap | None = None


@dataclass(frozen=True)
class Taken:
    """Receipts of all that a file held; ``whole``: of the file itself, by which it is moved."""

    receipts: Sequence[Receipt]
    whole: Receipt


def desk(
    engine: Engine, site: Site, zone: ZoneInfo, known_at: int, households: Households | None = None, *,
    format: str | None = None, told: Told = NOTHING, table_map: TableMap | None = None,
) -> Desk:  # fmt: skip
    """A desk that stores each file in a transaction of its own."""
    opener = partial(transaction, engine)
    return Desk(site, zone, known_at, opener, households or Households(), format, told, table_map)


def rehearsal(connection: Connection, site: Site, zone: ZoneInfo, known_at: int, households: Households) -> Desk:
    """A desk on one open transaction."""
    return Desk(site, zone, known_at, lambda: nullcontext(connection), households)


def take(desk: Desk, path: Path, name: str = "", origin: Origin = inbox.NOWHERE) -> Taken:
    """Store a file, or every file that a zip holds.

    Parameters
    ----------
    name : what it is told as, where that is not its own name.
    origin : what it came in.
    """
    inside = members(path)
    origin = origin or _changed(path)
    if inside is None:
        with desk.open() as connection:
            receipt = inbox.store(
                connection, desk.site, desk.zone, path, desk.known_at, format=desk.format, told=desk.told,
                table_map=desk.table_map, name=name, origin=origin, households=desk.households,
            )  # fmt: skip
        return Taken([receipt], receipt)
    within = {**origin, origins.ZIP: inside.sha256}
    name = name or path.name
    receipts = [_take_member(desk, one, f"{name}/{member_name(one, desk.households)}", within) for one in inside.files]
    if stopped := waiting(receipts):
        return Taken(receipts, Receipt(name, "zip", error=stopped, waits=True))
    error = NO_DATA if all(one.error for one in receipts) else ""
    return Taken(receipts, Receipt(name, "zip", error=error, sha256=inside.sha256))


def _changed(path: Path) -> Origin:
    """Of a file that lay in the inbox itself, when it says it was last changed."""
    seen = look(path)
    changed = None if seen is None else seen.changed()
    return {} if changed is None else {origins.CHANGED: changed.strftime(origins.INSTANT)}


def waiting(receipts: Sequence[Receipt]) -> str:
    """Why something of a delivery was not read, so that all of it waits for the next night; "" where all was."""
    return next((one.error for one in receipts if one.waits), "")


def take_content(desk: Desk, content: bytes, name: str, origin: Origin) -> list[Receipt]:
    """Store bytes that came in something else under a name, or every file of the zip that they are."""
    if is_document(content):
        return [_unread(desk, content, name, origin, format=DOCUMENT, note=NOT_READ)]
    try:
        folder = tempfile.mkdtemp(prefix=LAID_OUT)
    except OSError as caught:
        return [_not_laid_out(name, caught)]
    try:
        return _taken_in(desk, Path(folder) / safe_name(name, content), content, name, origin)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _taken_in(desk: Desk, path: Path, content: bytes, name: str, origin: Origin) -> list[Receipt]:
    """Lay bytes out as a file that only this user may open, and take it."""
    try:
        path.write_bytes(content)
    except OSError as caught:
        return [_not_laid_out(name, caught)]
    return list(take(desk, path, name, origin).receipts)


def _not_laid_out(name: str, caught: OSError) -> Receipt:
    why = f"the temporary folder does not take it to be read, it waits: {caught.strerror}"
    return Receipt(name, "", error=str(BadFile(why, file=name)), waits=True)


def sweep() -> None:
    """Remove what readers that were killed left in the temporary folder: files may be a household's."""
    before = time.time() - _ABANDONED
    for folder in _laid_out():
        try:
            found = folder.lstat()
        except OSError:
            continue  # its reader was quicker
        if found.st_uid == os.getuid() and found.st_mtime < before and folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


def _laid_out() -> list[Path]:
    try:
        return list(Path(tempfile.gettempdir()).glob(f"{LAID_OUT}*"))
    except OSError:
        return []  # no temporary folder: said by whoever needs one


def refuse(desk: Desk, content: bytes, name: str, origin: Origin, reason: str) -> Receipt:
    """Put on record that nothing of some bytes is taken."""
    return refuse_unseen(desk, (hashlib.sha256(content).hexdigest(), len(content)), name, origin, reason)


def refuse_unseen(desk: Desk, identity: tuple[str, int], name: str, origin: Origin, reason: str) -> Receipt:
    """The same of bytes that nobody holds, by their hash and number."""
    return _on_record(desk, identity, name, origin, error=BadFile(reason, file=name))


def put_on_record(desk: Desk, content: bytes, name: str, origin: Origin, format: str, note: str) -> Receipt:
    """Note bytes that brought others and are no data themselves."""
    return _unread(desk, content, name, origin, format=format, note=note)


def harmless(name: str, content: bytes, households: Households) -> str:
    """A file's name as it may be told: it leads nowhere and names no household."""
    plain = safe_name(name, content)
    if private_part(plain, households) is None and private_part(name, households) is None:
        return plain
    return safe_name(f"withheld-{hashlib.sha256(content).hexdigest()[:12]}{_ending(plain)}", content)


def _ending(name: str) -> str:
    ending = Path(name).suffix.casefold()
    return ending if ending[1:].isascii() and ending[1:].isalnum() and len(ending) <= 8 else ""


def members(path: Path) -> Members | None:
    """The files of a zip that are deliveries of their own; None of a file that is one delivery."""
    try:
        inside = members_of(path)
    except BadFile:
        return None  # said by the reader, which opens it the same way
    if inside is None or all(is_document(one.content) for one in inside.files) or _together(path):
        return None
    return inside


def _together(path: Path) -> bool:
    try:
        delivery = delivery_of(path)
    except BadFile:
        return False
    return delivery is not None and equis.sniff_delivery(delivery)


def _take_member(desk: Desk, one: Member, name: str, origin: Origin) -> Receipt:
    if one.reason:
        content = one.content or f"{origin[origins.ZIP]}/{one.name}".encode("utf-8", "replace")
        return refuse(desk, content, name, origin, one.reason)
    (receipt,) = take_content(desk, one.content, name, origin)
    return receipt


def member_name(one: Member, households: Households) -> str:
    """Its path in the zip; one name for all of it where a household is named over several of its folders."""
    parts = [harmless(part, one.content, households) for part in one.name.replace("\\", "/").split("/")
             if part not in {"", "."}]  # fmt: skip
    spoken = one.name.replace("/", " ")
    return "/".join(parts) if private_part(spoken, households) is None else harmless(spoken, one.content, households)


def _unread(
    desk: Desk, content: bytes, name: str, origin: Origin, *, format: str = "", note: str = ""
) -> Receipt:  # fmt: skip
    identity = hashlib.sha256(content).hexdigest(), len(content)
    return _on_record(desk, identity, name, origin, format=format, note=note)


def _on_record(
    desk: Desk, identity: tuple[str, int], name: str, origin: Origin, *, format: str = "",
    error: BadFile | None = None, note: str = "",
) -> Receipt:  # fmt: skip
    with desk.open() as connection:
        return inbox.store_unread(
            connection, name, identity, desk.known_at, origin, format=format, error=error, note=note,
            households=desk.households,
        )  # fmt: skip
