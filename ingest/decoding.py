"""Bytes to text: what is not a text file of data is refused in one line."""

from __future__ import annotations

import hashlib
import os
import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from pathlib import Path

from ingest.reading import Source
from models.errors import BadFile

MAX_BYTES = 128 * 2**20

_HEAD = 4096
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
"""Compound files: workbooks before 2007, and newer ones under a password."""
_MAGIC = (b"PK\x03\x04", b"%PDF", b"\x89PNG", b"\x1f\x8b", b"SQLite format 3", b"\x7fELF")
_TEXT_CONTROLS = frozenset(b"\t\n\r\f\x1a")
_HTML = ("<!doctype html", "<html")
_REPORT = "isi-data-table"
"""The one page that is data: an instrument's report marks its table so (``ingest.loggers.vusitu_html``)."""
_SEPARATOR = re.compile(r"\A[ \t]*\"?sep=[,;\t]\"?[ \t]*(?=\n)", re.IGNORECASE)
"""A first line that tells a spreadsheet what stands between the cells; which of them it is the header shows too."""
_MOST_ODD = 0.02  # of one byte in two of UTF-16 that is mostly Latin, those that are not zero


def load(path: Path, max_bytes: int = MAX_BYTES) -> Source:
    """Read one file whole, as text.

    Raises
    ------
    BadFile : missing, unreadable, too large, empty, binary, or a web page.
    """
    file = os.fsencode(path.name).decode("utf-8", "replace")
    data = bytes_of(path, file, max_bytes)
    if not data or data.isspace():
        raise BadFile("the file is empty", file=file)
    text, encoding = text_of(data, file)
    return Source(file, text, hashlib.sha256(data).hexdigest(), encoding)


def text_of(data: bytes, file: str) -> tuple[str, str]:
    """The text of a file and its encoding; every line end is ``\\n``.

    Raises
    ------
    BadFile : binary, or a web page.
    """
    text, encoding = _decoded(data, file)
    if any(mark in text[:_HEAD].lower() for mark in _HTML) and _REPORT not in text:
        raise BadFile("an HTML page, not data", file=file)
    return _without_nul(_SEPARATOR.sub("", _plain_lines(text), count=1)), encoding


def bytes_of(path: Path, file: str, max_bytes: int = MAX_BYTES) -> bytes:
    """A file's bytes.

    Raises
    ------
    BadFile : missing, unreadable, no file, or too large.
    """
    try:
        if not path.is_file():
            raise BadFile("no such file" if not path.exists() else "not a regular file", file=file)
        with path.open("rb") as handle:
            data = handle.read(max_bytes + 1)
    except (OSError, ValueError) as failed:
        raise BadFile("the file cannot be opened", file=file, found=type(failed).__name__) from None
    if len(data) > max_bytes:
        raise BadFile(f"the file is larger than {max_bytes} bytes", file=file)
    return data


def _decoded(data: bytes, file: str) -> tuple[str, str]:
    if wide := _wide(data):
        return _unicode(data, wide, file), wide
    if data.startswith(_OLD_EXCEL):
        raise BadFile("an old or a locked workbook (.xls): save it as .xlsx without a password, or as csv", file=file)
    if _is_binary(data[:_HEAD]):
        raise BadFile("a binary file, not text", file=file)
    return _text(data.removeprefix(BOM_UTF8))


def _wide(data: bytes) -> str:
    """Which Unicode of two or four bytes a character it is: by its mark, else by the zero in every second byte."""
    if data.startswith((BOM_UTF32_LE, BOM_UTF32_BE)):
        return "utf-32"
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16"
    for first, encoding in ((0, "utf-16-le"), (1, "utf-16-be")):
        said, zeros = data[first:_HEAD:2], data[1 - first : _HEAD : 2]
        odd = len(zeros) - zeros.count(0)
        if len(data) % 2 == 0 and zeros and odd <= _MOST_ODD * len(zeros) and not _is_binary(said):
            return encoding
    return ""


def _unicode(data: bytes, encoding: str, file: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        raise BadFile(f"broken {encoding.upper()} text", file=file) from None


def _text(data: bytes) -> tuple[str, str]:
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def _is_binary(head: bytes) -> bool:
    controls = sum(byte < 32 and byte not in _TEXT_CONTROLS for byte in head)
    return head.startswith(_MAGIC) or b"\x00" in head or controls > len(head) // 10


def _plain_lines(text: str) -> str:
    """CRLF, LF and a bare CR each end a row, even mixed in one file."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _without_nul(text: str) -> str:
    """A logger that lost power leaves NULs, and no database stores one: each becomes the mark of a lost character."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}") if "\0" in text else text
