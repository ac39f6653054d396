"""The frame of a USGS RDB file: comments, a row of column names, a row of column types, data; and that again.

``5s 15s 20d 14n 10s`` are types: a width and ``s``\\ tring, ``d``\\ ate or ``n``\\ umber. Several sites come as several
such tables in one file, each with its own comments. Source: USGS, "About the tab-delimited output format".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import numpy as np
import pandas as pd

from ingest.cells import LONGEST_RAW, BadCell
from ingest.rdb.cells import Cells, Ints, cut
from ingest.reading import Source, beside_row
from ingest.table import Row, Table
from models.observation import Reject

MAX_COLUMNS = 500
MAX_TABLES = 1000
MAX_TYPES = 10_000

_BLOCK = 8_000_000  # characters cut at a time: bounds the memory a file full of tabs can take
_TYPES = re.compile(r"[0-9]+[sdn]s?(?:\t[0-9]+[sdn]s?)*", re.IGNORECASE)
_LEAD = re.compile(r"(?:#[^\n]*\n|[^\S\n]*\n)*+")
_NONE_FOUND = re.compile(r"^#\W*(no (?:sites?|data)\b[^\n]{0,80})", re.IGNORECASE | re.MULTILINE)
_RETRIEVED = re.compile(r"^#[ /]*retrieved: *([^\n(\t]{1,60})", re.IGNORECASE | re.MULTILINE)
_SITE = re.compile(r"[0-9A-Za-z-]{1,40}")


@dataclass(frozen=True)
class Span:
    """A stretch of the text that begins at the start of a line."""

    start: int
    end: int
    row: int
    lines: int = 0


@dataclass
class Body:
    """The data under one set of column names; tables that repeat a header run on."""

    header: tuple[str, ...]
    row: int
    spans: list[Span] = field(default_factory=list)


def is_types(line: str) -> bool:
    """A row of column types."""
    return len(line) <= MAX_TYPES and _TYPES.fullmatch(line.rstrip()) is not None


def headers(head: str) -> Iterator[frozenset[str]]:
    """Column names of each table that begins in the head of a file."""
    lead = _LEAD.match(head)
    place = lead.end() if lead else 0
    first, second = (*head[place : place + 2 * MAX_TYPES].split("\n", 2), "", "")[:2]
    if first.startswith("agency_cd\t") or is_types(second):
        yield frozenset(first.rstrip().split("\t"))
    for match in re.finditer(r"\n(agency_cd\t[^\n]*)", head[place:]):
        yield frozenset(match[1].rstrip().split("\t"))


def bodies(source: Source) -> list[Body]:
    """Every table of a file by its column names.

    Raises
    ------
    BadFile : no table in it, or one without its row of types.
    """
    found: dict[str, Body] = {}
    starts = _header_starts(source)
    row, counted = 1, 0
    for start, end in zip(starts, [*starts[1:], len(source.text)], strict=True):
        row, counted = row + source.text.count("\n", counted, start), start
        line, data = _under_header(source, start, row)
        body = found.setdefault(line, Body(tuple(line.rstrip().split("\t")), row))
        body.spans += [Span(data, end, row + 2)] if data < end else []
        if len(found) > MAX_TABLES or len(body.header) > MAX_COLUMNS:
            raise source.bad(f"RDB of more than {MAX_TABLES} tables or {MAX_COLUMNS} columns")
    return list(found.values())


def cells(source: Source, body: Body, rejects: list[Reject]) -> Iterator[Cells]:
    """The rows of a table, some at a time; rows of another width are refused."""
    for text, rows in _blocks(source, body, rejects):
        fitting, others = cut(text, rows, body.header)
        rejects += [source.reject(row, "", line, _misfit(line, len(body.header))) for row, line in others]
        if len(fitting):
            yield fitting


def table(source: Source, body: Body, needed: str | None = None) -> Table:
    """A table of a few thousand rows, row by row.

    Parameters
    ----------
    needed : columns after this one may be missing from a row where they are blank: editors strip what ends a line.
    """
    width = len(body.header)
    least = body.header.index(needed) + 1 if needed else width
    found: list[Row] = []
    rejects: list[Reject] = []
    for text, numbers in _blocks(source, body, rejects):
        fitting, others = cut(text, numbers, body.header)
        found += [
            _row(body, *one) for one in zip(fitting.rows.tolist(), map(fitting.line, range(len(fitting))), strict=True)
        ]
        for number, line in others:
            if least <= line.count("\t") + 1 < width and not _ends_open(source, number):
                found.append(_row(body, number, line))
            else:
                rejects.append(source.reject(number, "", line, _misfit(line, width)))
    return Table(body.header, tuple(sorted(found, key=lambda row: row.number)), tuple(rejects))


def _row(body: Body, number: int, line: str) -> Row:
    values = [cell.strip() for cell in line.split("\t")]
    return Row(number, dict(zip_longest(body.header, values, fillvalue="")))


def text_frame(header: tuple[str, ...], rows: Sequence[Row]) -> pd.DataFrame:
    """Rows as they are written, with their ``row`` in the file."""
    names = zip(beside_row(header), header, strict=True)
    columns = {own: pd.array([row.text(name) for row in rows], dtype="str") for own, name in names}
    return pd.DataFrame({"row": np.array([row.number for row in rows], dtype=np.int64), **columns})


def require_columns(source: Source, body: Body, *names: str) -> None:
    """Refuse a table that lacks a column.

    Raises
    ------
    BadFile : naming what is missing.
    """
    missing = [name for name in names if name not in body.header]
    if missing:
        found = " ".join(body.header)
        raise source.bad(f"RDB of another kind: its header lacks {', '.join(missing)}", row=body.row, found=found)


def site_number(text: str) -> str:
    """A site number, as text: its zeros count."""
    if _SITE.fullmatch(text) is None:
        raise BadCell("not a site number")
    return text


def file_facts(source: Source) -> dict[str, str]:
    """The ``retrieved:`` line of the comments, where there is one."""
    match = _RETRIEVED.search(source.text[:20_000])
    return {"retrieved": match[1].strip()} if match else {}


def is_cut(source: Source, some: Cells) -> bool:
    """The last of these rows ends the file without a line end, blank in its last column and not in the one before.

    Of a pair of columns (value, code) it lost the code: it is not known whether the value is whole either.
    """
    if len(some.header) < 2 or not _ends_open(source, int(some.rows[-1])):
        return False
    cells = some.line(-1).split("\t")
    return not cells[-1] and bool(cells[-2])


def _ends_open(source: Source, row: int) -> bool:
    """This row ends the file without a line end: it may have been cut."""
    return not source.text.endswith("\n") and row > source.text.count("\n")


def _header_starts(source: Source) -> list[int]:
    """Where headers begin: the first line of data, and every later line that starts with ``agency_cd``."""
    lead = _LEAD.match(source.text)
    place = lead.end() if lead else 0
    line, after = _line(source.text, place)
    if not line or line.startswith("#"):
        said = _NONE_FOUND.search(source.text[:20_000])
        if said is not None:
            raise source.bad("RDB without data: the service found none", found=said[1].strip())
        raise source.bad("RDB without a row of column names and a row of types: no data in it")
    if not line.startswith("agency_cd\t") and not is_types(_line(source.text, after)[0]):
        row = source.text.count("\n", 0, place) + 1
        raise source.bad("RDB data without the row of column names above it", row=row, found=line[:80])
    starts = []
    while place >= 0:
        starts.append(place)
        place = source.text.find("\nagency_cd\t", place) + 1 or -1
    return starts


def _under_header(source: Source, start: int, row: int) -> tuple[str, int]:
    """A line of column names, and where the data under its types begin."""
    line, types = _line(source.text, start)
    if line.count("\t") > MAX_COLUMNS:
        raise source.bad(f"RDB of more than {MAX_COLUMNS} columns", row=row)
    under, data = _line(source.text, types)
    if not is_types(under):
        raise source.bad("RDB without the row of column types under its names", row=row + 1, found=under[:80])
    return line, data


def _line(text: str, start: int) -> tuple[str, int]:
    """A line, and where the next one begins."""
    after = _after_line(text, start)
    return text[start:after].removesuffix("\n"), after


def _after_line(text: str, start: int) -> int:
    return text.find("\n", start) + 1 or len(text)


def _blocks(source: Source, body: Body, rejects: list[Reject]) -> Iterator[tuple[str, Ints]]:
    """Text of whole lines of about ``_BLOCK`` characters, with the row of each line."""
    pieces: list[Span] = []
    size = 0
    for piece in _pieces(source.text, body):
        length = piece.end - piece.start
        if length > _BLOCK:
            rejects += _overlong(source, piece)
            continue
        if size + length > _BLOCK:
            yield _joined(source.text, pieces)
            pieces, size = [], 0
        pieces.append(piece)
        size += length
    if pieces:
        yield _joined(source.text, pieces)


def _overlong(source: Source, piece: Span) -> list[Reject]:
    if source.text.startswith("#", piece.start):
        return []
    line = source.text[piece.start : piece.start + LONGEST_RAW + 1]
    return [source.reject(piece.row, "", line, f"a line of {piece.end - piece.start} characters")]


def _pieces(text: str, body: Body) -> Iterator[Span]:
    """Spans in pieces of at most ``_BLOCK`` characters, or of one line where a line is longer."""
    for span in body.spans:
        start, row = span.start, span.row
        while start < span.end:
            end = span.end
            if end - start > _BLOCK:
                end = text.rfind("\n", start, start + _BLOCK) + 1 or _after_line(text, start)
            lines = text.count("\n", start, end) + (text[end - 1] != "\n")
            yield Span(start, end, row, lines)
            start, row = end, row + lines


def _joined(text: str, pieces: list[Span]) -> tuple[str, Ints]:
    rows = [one.row + np.arange(one.lines) for one in pieces]
    return "".join([text[one.start : one.end] for one in pieces]), np.concatenate(rows)


def _misfit(line: str, width: int) -> str:
    found = line.count("\t") + 1
    return "truncated row" if found < width else f"{found} columns where the header has {width}"
