"""USGS NWIS tab-delimited RDB: daily values (``nwis-rdb-dv``) and unit values (``nwis-rdb-uv``).

Comment lines, a row of column names, a row of column types (``5s 15s 20d 14n 10s``), then data. A time
series is a pair of columns: ``154887_00060_00003`` (series, parameter, statistic) and ``…_cd`` (its codes).
Several sites come as several such tables in one file. Source: USGS, "About the tab-delimited output format".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ingest.cells import BadCell, Column, read_column
from ingest.rdb_values import Cells, Series, values_frame
from ingest.reading import Parts, Source, stacked
from ingest.table import in_order
from ingest.times import ZONE_HOURS, iso_day, iso_minute, zone_offset
from models.observation import Reject
from models.parameters import find_parameter

STATISTICS = {"00001": "max", "00002": "min", "00003": "mean", "00006": "sum"}
"""USGS statistic codes that a daily value is kept under (NWIS help, ``stat_cd``)."""

MAX_COLUMNS = 500
MAX_TABLES = 1000
MAX_TYPES = 10_000
_CHUNK = 100_000  # rows split at a time: bounds the memory a file full of tabs can take

_TYPES = re.compile(r"[0-9]+[sdn]s?(?:\t[0-9]+[sdn]s?)*", re.IGNORECASE)
_DATA = re.compile(r"([0-9]+)_([0-9]{5})(?:_([0-9]{5}))?")
_SITE = re.compile(r"[0-9A-Za-z-]{1,40}")


@dataclass
class Body:
    """The data lines under one set of column names."""

    header: tuple[str, ...]
    row: int
    rows: list[int] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)


def sniff_uv(head: str) -> bool:
    """A table with ``tz_cd`` beside ``datetime``."""
    return any({"datetime", "tz_cd"} <= set(line.split("\t")) for line in _headers(head))


def sniff_dv(head: str) -> bool:
    """Any other RDB, however broken: its parser says what is wrong with it."""
    first, second = (*[line for line in head.split("\n") if line.strip() and not line.startswith("#")][:2], "", "")[:2]
    looks = first.startswith(("agency_cd\t", "USGS\t")) or _is_types(first) or _is_types(second)
    return ((looks and "\t" in first) or _says_usgs(head)) and not sniff_uv(head)


def parse_dv(source: Source) -> Parts:
    """Daily values: one civil day each, in the station's own local day."""
    return _parse(source, daily=True)


def parse_uv(source: Source) -> Parts:
    """Unit values: instants, each with the zone code of its row."""
    return _parse(source, daily=False)


def _parse(source: Source, daily: bool) -> Parts:
    bodies, rejects = _bodies(source)
    frames, zones = [], set[str]()
    for body in bodies:
        series, unknown = _series(source, body, daily)
        rejects += unknown
        for cells in _chunks(source, body, rejects):
            zones |= set() if daily else set(cells.column("tz_cd")) & ZONE_HOURS.keys()
            times, refused = _times(source, cells, daily)
            rejects += refused
            for one in series:
                frame, refused = values_frame(source, cells, one.place, one, times, "day" if daily else "utc")
                frames.append(frame)
                rejects += refused
    return Parts(stacked(frames), in_order(rejects), _facts(source), "/".join(sorted(zones)) or None)


def _headers(head: str) -> list[str]:
    return [line for line in head.split("\n") if line.startswith("agency_cd\t")]


def _is_types(line: str) -> bool:
    return len(line) <= MAX_TYPES and _TYPES.fullmatch(line.rstrip()) is not None


def _says_usgs(head: str) -> bool:
    return head.startswith("#") and "U.S. Geological Survey" in head


def _bodies(source: Source) -> tuple[list[Body], list[Reject]]:
    """Data lines by their column names; tables that repeat a header run on."""
    found: dict[str, Body] = {}
    body: Body | None = None
    lines = source.text.split("\n")
    types = -1
    for place, line in enumerate(lines):
        if line.startswith("agency_cd\t") or (body is None and _is_types("".join(lines[place + 1 : place + 2]))):
            body = found.setdefault(line, Body(tuple(line.rstrip().split("\t")), place + 1))
            types = place + 1
        elif place == types:
            _require_types(source, line, place)
        elif line and not line.startswith("#") and not line.isspace():
            _add(source, body, place, line)
    _require_tables(source, found, types < len(lines))
    return list(found.values()), _truncated(source, found)


def _add(source: Source, body: Body | None, place: int, line: str) -> None:
    if body is None:
        raise source.bad("RDB data without the row of column names above it", row=place + 1, found=line)
    body.rows.append(place + 1)
    body.lines.append(line)


def _require_types(source: Source, line: str, place: int) -> None:
    if not _is_types(line):
        raise source.bad("RDB without the row of column types under its names", row=place + 1, found=line)


def _require_tables(source: Source, found: dict[str, Body], typed: bool) -> None:
    if not found or not typed:
        raise source.bad("RDB without a row of column names and a row of types: no data in it")
    if len(found) > MAX_TABLES or any(len(body.header) > MAX_COLUMNS for body in found.values()):
        raise source.bad(f"RDB of more than {MAX_TABLES} tables or {MAX_COLUMNS} columns")


def _truncated(source: Source, found: dict[str, Body]) -> list[Reject]:
    """A last line cut inside a pair of columns has the right number of them, but a value without its code."""
    last = max(found.values(), key=lambda body: body.rows[-1] if body.rows else 0)
    if source.text.endswith("\n") or not last.lines:
        return []
    cells = last.lines[-1].split("\t")
    if len(cells) != len(last.header) or cells[-1] or not cells[-2]:
        return []
    last.lines.pop()
    return [source.reject(last.rows.pop(), last.header[-1], "\t".join(cells), "truncated row")]


def _series(source: Source, body: Body, daily: bool) -> tuple[list[Series], list[Reject]]:
    series, rejects = [], []
    matches = [(place, name, _DATA.fullmatch(name)) for place, name in enumerate(body.header)]
    wanted = [(place, name, match) for place, name, match in matches if match and bool(match[3]) == daily]
    if not wanted or not {"site_no", "datetime", *(() if daily else ("tz_cd",))} <= set(body.header):
        raise source.bad("RDB of a kind not read yet", row=body.row, found=" ".join(body.header))
    for place, name, match in wanted:
        try:
            series.append(_one_series(body.header, place, match))
        except BadCell as bad:
            rejects.append(source.reject(body.row, name, name, bad.reason))
    return series, rejects


def _one_series(header: Sequence[str], place: int, match: re.Match[str]) -> Series:
    known = find_parameter("usgs", match[2])
    if known is None:
        raise BadCell(f"unknown parameter code {match[2]}")
    if match[3] and match[3] not in STATISTICS:
        raise BadCell(f"unknown statistic code {match[3]}; allowed: {', '.join(STATISTICS)}")
    if place + 1 >= len(header) or header[place + 1] != f"{match[0]}_cd":
        raise BadCell("no column of codes beside it")
    return Series(place, match[0], match[1], known.id, known.canonical_unit, STATISTICS.get(match[3] or "", "instant"))


def _chunks(source: Source, body: Body, rejects: list[Reject]) -> Iterator[Cells]:
    """The body as cells, some rows at a time; rows of another width are refused."""
    width = len(body.header)
    for start in range(0, len(body.lines), _CHUNK):
        lines, rows = body.lines[start : start + _CHUNK], body.rows[start : start + _CHUNK]
        lines = [_fitted(line, width) for line in lines]
        fits = [line.count("\t") == width - 1 for line in lines]
        rejects.extend(
            source.reject(row, "", line, _misfit(line, width))
            for line, row, fit in zip(lines, rows, fits, strict=True)
            if not fit
        )
        good = [line for line, fit in zip(lines, fits, strict=True) if fit]
        if good:
            yield Cells(body.header, "\t".join(good).split("\t"), np.asarray(rows)[np.asarray(fits)])


def _fitted(line: str, width: int) -> str:
    """Blank cells after the last column are nothing."""
    if not line.endswith("\t"):
        return line
    extra = line.count("\t") - width + 1
    return line[:-extra] if extra > 0 and line.endswith("\t" * extra) else line


def _misfit(line: str, width: int) -> str:
    found = line.count("\t") + 1
    return "truncated row" if found < width else f"{found} columns where the header has {width}"


def _times(source: Source, cells: Cells, daily: bool) -> tuple[Column, list[Reject]]:
    """UTC or civil-day milliseconds of each row; a row without site or time is refused once, for all its series."""
    time = read_column(cells.column("datetime"), iso_day if daily else iso_minute, np.int64, 0)
    refused = [("datetime", time), ("site_no", read_column(cells.column("site_no"), _site, object, ""))]
    values = time.values
    if not daily:
        zone = read_column(cells.column("tz_cd"), zone_offset, np.int64, 0)
        refused.append(("tz_cd", zone))
        values = values - zone.values
    reasons = np.full(len(values), "", dtype=object)
    rejects: list[Reject] = []
    for name, column in refused:
        rejects += _refused(source, cells, name, column, reasons)
        reasons = np.where(column.bad, column.reasons, reasons)
    return Column(values, reasons), rejects


def _refused(source: Source, cells: Cells, name: str, column: Column, already: np.ndarray[Any, Any]) -> list[Reject]:
    places = column.bad_places(already == "")
    texts = cells.column(name) if places else []
    return [source.reject(int(cells.rows[place]), name, texts[place], column.reasons[place]) for place in places]


def _site(text: str) -> str:
    if _SITE.fullmatch(text) is None:
        raise BadCell("not a site number")
    return text


def _facts(source: Source) -> dict[str, str]:
    """The ``retrieved:`` line of the comments, where there is one."""
    match = re.search(r"^# *retrieved: *([^\n(]{1,60})", source.text[:20_000], re.MULTILINE)
    return {"retrieved": match[1].strip()} if match else {}
