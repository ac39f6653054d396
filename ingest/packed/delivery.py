"""One delivery of several tables: a workbook, a zip file or a folder, each table a source of text."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zipfile import ZipFile

from ingest.decoding import MAX_BYTES, bytes_of, text_of
from ingest.packed import workbook
from ingest.packed.archive import EMPTY, MAGIC, MAX_MEMBERS, MAX_UNPACKED, member, opened
from ingest.packed.sheet_scan import Merged
from ingest.packed.workbook import LeftOut
from ingest.reading import NOTHING, Source, Told
from models.errors import BadFile

_JUNK = ("._", "~$")
_JUNK_NAMES = {"thumbs.db", "desktop.ini", ".ds_store"}


@dataclass(frozen=True)
class Sheet:
    """One table: the name of its sheet or member, and its text. Rows count as in the sheet or member."""

    name: str
    source: Source
    left_out: tuple[LeftOut, ...] = ()
    merged: tuple[Merged, ...] = ()


@dataclass(frozen=True)
class Delivery:
    """Tables delivered together; ``unread``: members that hold no text (a report as PDF).

    A hidden sheet is none of them: nobody who looks at the workbook sees it.
    """

    file: str
    sha256: str
    sheets: tuple[Sheet, ...]
    unread: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


def delivery_of(path: Path, told: Told = NOTHING, max_bytes: int = MAX_BYTES) -> Delivery | None:
    """A workbook, zip file or folder; None for a file of another kind.

    Raises
    ------
    BadFile : it cannot be opened safely, or nothing in it is a table.
    """
    file = os.fsencode(path.name).decode("utf-8", "replace")
    if path.is_dir():
        members = list(_of_folder(path, file, max_bytes))
        named = "".join(f"{name}\0{hashlib.sha256(data).hexdigest()}\n" for name, data in members)
        return _together(file, hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest(), members, told)
    if not begins_as_zip(path):
        return None
    data = bytes_of(path, file, max_bytes)
    sha256 = hashlib.sha256(data).hexdigest()
    archive = opened(data, file)
    if workbook.is_workbook(archive):
        return _of_workbook(file, sha256, data, archive, told)
    _no_other_office_file(archive, file)
    members = list(_of_zip(archive, file))
    if not members:
        raise BadFile("an empty zip file: no file to read in it", file=file)
    return _together(file, sha256, members, told)


def begins_as_zip(path: Path) -> bool:
    """Whether a file begins as zip files, and workbooks, do."""
    try:
        if not path.is_file():  # a pipe would be waited for
            return False
        with path.open("rb") as handle:
            return handle.read(len(MAGIC)) in {MAGIC, EMPTY}
    except (OSError, ValueError):
        return False  # said by ``load``, which opens the same file


def _of_workbook(file: str, sha256: str, data: bytes, archive: ZipFile, told: Told) -> Delivery:
    found = workbook.sheets_of(data, archive, file)
    sheets = tuple(_sheets(found, file, sha256, told))
    hidden = _hidden(found)
    if not sheets and hidden:
        raise BadFile("every sheet with a cell in it is hidden: unhide what counts", file=file, found=hidden[:120])
    if not sheets:
        raise BadFile("a workbook without a cell in it", file=file)
    columns = ", ".join(f"{one.name}!{column}" for one in found if not one.hidden for column in one.hidden_columns)
    facts = {
        "hidden_sheets": hidden, "hidden_columns": columns,
        "macros": "in the workbook, not run" if _macros(archive) else "",
    }  # fmt: skip
    return Delivery(file, sha256, sheets, (), {name: text for name, text in facts.items() if text})


def _sheets(found: list[workbook.SheetText], file: str, sha256: str, told: Told) -> list[Sheet]:
    """Sheets that are shown and hold anything, if only rows that are left out."""
    return [
        Sheet(one.name, Source(file, one.text, sha256, "xlsx", told), one.left_out, one.merged)
        for one in found
        if not one.hidden and (one.text.strip() or one.left_out)
    ]


def _hidden(found: list[workbook.SheetText]) -> str:
    """Hidden sheets that hold anything, by name."""
    return ", ".join(one.name for one in found if one.hidden and (one.text.strip() or one.left_out))


def _macros(archive: ZipFile) -> bool:
    return workbook.MACROS in archive.namelist()


def _no_other_office_file(archive: ZipFile, file: str) -> None:
    names = set(archive.namelist())
    if workbook.BINARY_WORKBOOK in names:
        raise BadFile("a binary workbook (.xlsb): save it as .xlsx or csv", file=file)
    if "[Content_Types].xml" in names or "mimetype" in names:
        raise BadFile("an office file that is no Excel workbook: save its table as .xlsx or csv", file=file)


def _of_zip(archive: ZipFile, file: str) -> Iterator[tuple[str, bytes]]:
    for one in archive.infolist():
        if not one.is_dir() and is_data(one.filename):
            data = member(archive, one.filename, file)
            if data.startswith(MAGIC) and "xl/" not in one.filename and not one.filename.casefold().endswith(_BOOKS):
                raise BadFile("a zip inside a zip: deliver its files in one", file=file, key=one.filename[:80])
            yield one.filename, data


_BOOKS = (".xlsx", ".xlsm")


def _of_folder(path: Path, file: str, max_bytes: int) -> Iterator[tuple[str, bytes]]:
    names = sorted(one.name for one in path.iterdir() if one.is_file() and not one.is_symlink())
    if len(names) > MAX_MEMBERS:
        raise BadFile(f"a folder of more than {MAX_MEMBERS} files", file=file)
    size = 0
    for name in filter(is_data, names):
        data = bytes_of(path / name, file, max_bytes)
        size += len(data)
        if size > MAX_UNPACKED:
            raise BadFile(f"a folder of more than {MAX_UNPACKED} bytes", file=file)
        yield name, data


def is_data(name: str) -> bool:
    """Whether a member's name is one of data: neither hidden nor what a desktop or an archiver leaves beside it."""
    return not is_junk(name) and not is_hidden(name)


def is_junk(name: str) -> bool:
    """What a desktop or an archiver leaves beside the data, under names of its own: nobody misses it."""
    *folders, last = _path(name) or [""]
    return "__MACOSX" in folders or last.startswith(_JUNK) or last.casefold() in _JUNK_NAMES


def is_hidden(name: str) -> bool:
    """A file or a folder whose name begins with a dot; ``./`` before a name is no folder's name."""
    return any(one.startswith(".") for one in _path(name))


def _path(name: str) -> list[str]:
    return [one for one in name.replace("\\", "/").split("/") if one not in {"", "."}]


def _together(file: str, sha256: str, members: list[tuple[str, bytes]], told: Told) -> Delivery:
    sheets: list[Sheet] = []
    unread: list[str] = []
    hidden: list[str] = []
    for name, data in sorted(members):
        found, unseen = _tables(name, data, file, sha256, told)
        sheets += found
        unread += [] if found else [name]
        hidden += [f"{name}!{unseen}"] if unseen else []
    if not members:
        raise BadFile("not a regular file, and no file in it", file=file)
    if not sheets:
        raise BadFile("nothing in it is a table of text or a workbook", file=file, found=", ".join(unread)[:120])
    return Delivery(file, sha256, tuple(sheets), tuple(unread), {"hidden_sheets": ", ".join(hidden)} if hidden else {})


def _tables(name: str, data: bytes, file: str, sha256: str, told: Told) -> tuple[list[Sheet], str]:
    """The tables of one member, none where it is neither text nor a workbook; and its hidden sheets."""
    if data.startswith(MAGIC):
        archive = opened(data, file)
        found = workbook.sheets_of(data, archive, file) if workbook.is_workbook(archive) else []
        return _sheets(found, file, sha256, told), _hidden(found)
    if not data.strip():
        return [], ""
    try:
        text, encoding = text_of(data, file)
    except BadFile:
        return [], ""  # named by ``unread``
    return [Sheet(name, Source(file, text, sha256, encoding, told))], ""
