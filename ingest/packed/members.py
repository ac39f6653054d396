"""The files of a zip, each a delivery of its own: a bad one says why, and the others are read."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

from ingest.decoding import MAX_BYTES, bytes_of
from ingest.packed import workbook
from ingest.packed.archive import MAGIC, member, opened
from ingest.packed.delivery import begins_as_zip, is_hidden, is_junk
from models.errors import BadFile

_DOCUMENTS = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff")
_OFFICE = {"[Content_Types].xml", "mimetype", workbook.BINARY_WORKBOOK}


@dataclass(frozen=True)
class Member:
    """One file of a zip under the name it has there; ``reason``: why nothing of it may be taken."""

    name: str
    content: bytes
    reason: str = ""


@dataclass(frozen=True)
class Members:
    """The files of one zip, by name. ``sha256``: of the zip."""

    sha256: str
    files: tuple[Member, ...]


def members_of(path: Path, max_bytes: int = MAX_BYTES) -> Members | None:
    """The files of a zip; None for a file of another kind, a workbook among them.

    Raises
    ------
    BadFile : it cannot be opened safely.
    """
    if path.is_dir() or not begins_as_zip(path):
        return None
    file = os.fsencode(path.name).decode("utf-8", "replace")
    data = bytes_of(path, file, max_bytes)
    archive = opened(data, file)
    if workbook.is_workbook(archive) or _OFFICE & set(archive.namelist()):
        return None
    inside = [one.filename for one in archive.infolist() if not one.is_dir() and not is_junk(one.filename)]
    return Members(hashlib.sha256(data).hexdigest(), tuple(_member(archive, name, file) for name in sorted(inside)))


def is_document(content: bytes) -> bool:
    """A report or a picture that comes beside the data."""
    return content.startswith(_DOCUMENTS)


def _member(archive: ZipFile, name: str, file: str) -> Member:
    """A hidden file is told: somebody may miss it."""
    try:
        content = member(archive, name, file)
    except BadFile as broken:
        return Member(name, b"", broken.reason)
    if is_hidden(name):
        return Member(name, content, "a hidden file, or in a hidden folder: not read; pack it under a plain name")
    return Member(name, content, "a zip inside a zip: deliver its files in one" if _is_zip(content) else "")


def _is_zip(content: bytes) -> bool:
    """A zip of files, not the one that a workbook is; a broken one is said by whoever reads it."""
    if not content.startswith(MAGIC):
        return False
    try:
        archive = opened(content, "")
    except BadFile:
        return False
    return not (workbook.is_workbook(archive) or _OFFICE & set(archive.namelist()))
