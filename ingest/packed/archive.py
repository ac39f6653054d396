"""A zip file opened only after its table of contents was looked at: sizes, ratios, names, links, passwords.

Nothing is unpacked to disk, so a member's name can lead nowhere; one that tries to is the mark of a file nobody should
take anything from, and the whole is refused. Sizes are those the archive declares: a member that turns out longer does
not match its checksum and is refused while it is read.
"""

from __future__ import annotations

import lzma
import stat
import zlib
from collections.abc import Iterator
from io import BytesIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from models.errors import BadFile

MAX_MEMBERS = 2_000
MAX_UNPACKED = 400 * 2**20
MAX_RATIO = 250
"""Unpacked over packed size of a member above ``SMALL``; sheets of equal rows reach about 100, a bomb 1000."""
SMALL = 2**20
MAGIC = b"PK\x03\x04"
EMPTY = b"PK\x05\x06"
"""With what a zip begins that holds no file."""

_UNIX = 3
_BROKEN = (
    BadZipFile, zlib.error, lzma.LZMAError, OSError, EOFError, ValueError, OverflowError, RuntimeError,
)  # fmt: skip
"""What ``zipfile`` raises of bytes that are not as a zip's should be: its own error and that of each decompressor (of
bzip2 an ``OSError``), ``ValueError`` of a name in no encoding or a place before the file, ``OverflowError`` of one far
behind it, ``RuntimeError`` of what it does not read."""


def opened(data: bytes, file: str) -> ZipFile:
    """An archive that is safe to read.

    Raises
    ------
    BadFile : broken, too large unpacked, locked, or with names that lead out of it.
    """
    try:
        archive = ZipFile(BytesIO(data))
    except _BROKEN as failed:
        raise BadFile("a broken zip file: binary, not text", file=file, found=type(failed).__name__) from None
    for problem in _problems(archive.infolist()):
        raise BadFile(problem, file=file)
    return archive


def member(archive: ZipFile, name: str, file: str) -> bytes:
    """One member whole.

    Raises
    ------
    BadFile : it is not what the table of contents says.
    """
    try:
        return archive.read(name)
    except _BROKEN as failed:
        raise BadFile("a broken zip file", file=file, key=name[:80], found=type(failed).__name__) from None


def _problems(members: list[ZipInfo]) -> Iterator[str]:
    if len(members) > MAX_MEMBERS:
        yield f"a zip of more than {MAX_MEMBERS} members"
    if sum(one.file_size for one in members) > MAX_UNPACKED:
        yield f"a zip of more than {MAX_UNPACKED} bytes when unpacked"
    if len({one.filename for one in members}) < len(members):
        yield "a zip with two members of one name"
    for one in members:
        yield from _problems_of(one)


def _problems_of(one: ZipInfo) -> Iterator[str]:
    name = one.filename[:80]
    if one.flag_bits & 1:
        yield f"a zip locked with a password: {name}"
    if one.file_size > SMALL and one.file_size > MAX_RATIO * max(one.compress_size, 1):
        yield f"a zip bomb: {name} is {one.file_size} bytes packed into {one.compress_size}"
    if _leads_out(one.filename):
        yield f"a zip whose member leads out of it: {name}"
    if one.create_system == _UNIX and stat.S_ISLNK(one.external_attr >> 16):
        yield f"a zip that holds a link: {name}"


def _leads_out(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or name.startswith(("/", "\\")) or ":" in parts[0]
