"""USGS NWIS tab-delimited RDB: daily values (``nwis-rdb-dv``) and unit values (``nwis-rdb-uv``).

A time series is a pair of columns: ``154887_00060_00003`` (series, parameter, statistic) and ``…_cd`` (its codes);
unit values have no statistic in the name, and a zone code in each row. Source: USGS, "About the tab-delimited output
format".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from ingest.cells import BadCell
from ingest.rdb.cells import Cells
from ingest.rdb.codes import code_unit
from ingest.rdb.table import Body, bodies, cells, file_facts, headers, is_cut, is_types, require_columns, site_number
from ingest.rdb.times import days, minutes
from ingest.rdb.values import Series, Times, values, values_frame
from ingest.reading import Parts, Source, stacked
from ingest.table import in_order
from ingest.times import ZONE_HOURS, zone_offset
from models.observation import Reject
from models.parameters import parameter_id

STATISTICS = {"00001": "max", "00002": "min", "00003": "mean", "00006": "sum"}
"""USGS statistic codes that a daily value is kept under (NWIS help, ``stat_cd``)."""

ZONE = "tz_cd"

_DATA = re.compile(r"([0-9]+)_([0-9]{5})(?:_([0-9]{5}))?")


def sniff_uv(head: str) -> bool:
    """A table with ``tz_cd``, or a series without a statistic, beside ``datetime``."""
    return any("datetime" in names and ("tz_cd" in names or any(map(_is_unit_value, names))) for names in headers(head))


def _is_unit_value(name: str) -> bool:
    match = _DATA.fullmatch(name)
    return match is not None and match[3] is None


def sniff_dv(head: str) -> bool:
    """Any other RDB, however broken: its parser says what is wrong with it."""
    first, second = (*[line for line in head.split("\n") if line.strip() and not line.startswith("#")][:2], "", "")[:2]
    looks = first.startswith(("agency_cd\t", "USGS\t")) or is_types(first) or is_types(second)
    return ((looks and "\t" in first) or _says_usgs(head)) and not sniff_uv(head)


def parse_dv(source: Source) -> Parts:
    """Daily values: one civil day each, in the station's own local day."""
    return _parse(source, daily=True)


def parse_uv(source: Source) -> Parts:
    """Unit values: instants, each with the zone code of its row; without one, the station's own wall clock."""
    return _parse(source, daily=False)


def _parse(source: Source, daily: bool) -> Parts:
    frames: list[pd.DataFrame] = []
    rejects: list[Reject] = []
    zones = set[str]()
    for body in bodies(source):
        series, unknown = _series(source, body, daily)
        of_series: list[list[dict[str, Any]]] = [[] for _ in series]
        lines = 0
        for some in _whole(source, cells(source, body, rejects), rejects):
            lines += len(some)
            zones |= set(some.coded(ZONE).texts) & ZONE_HOURS.keys() if ZONE in some.header else set()
            times, refused = _times(source, some, daily)
            rejects += [replace(one, rows=len(series)) for one in refused]
            for one, taken in zip(series, of_series, strict=True):
                columns, refused = values(source, some, one, times)
                taken.append(columns)
                rejects += refused
        rejects += [replace(one, rows=lines) for one in unknown]
        clock = "day" if daily else "utc"
        frames += [values_frame(one, taken, clock) for one, taken in zip(series, of_series, strict=True) if taken]
    return Parts(stacked(frames), in_order(rejects), file_facts(source), "/".join(sorted(zones)) or None)


def _says_usgs(head: str) -> bool:
    return head.startswith("#") and "U.S. Geological Survey" in head


def _whole(source: Source, blocks: Iterator[Cells], rejects: list[Reject]) -> Iterator[Cells]:
    """All rows but a last one that was cut between a value and its code."""
    for some in blocks:
        if is_cut(source, some):
            rejects.append(source.reject(int(some.rows[-1]), some.header[-1], some.line(-1), "truncated row"))
            some = some[:-1]
        if len(some):
            yield some


def _series(source: Source, body: Body, daily: bool) -> tuple[list[Series], list[Reject]]:
    series, rejects = [], []
    require_columns(source, body, "site_no", "datetime")
    matches = [(place, _DATA.fullmatch(name)) for place, name in enumerate(body.header)]
    wanted = [(place, match) for place, match in matches if match and bool(match[3]) == daily]
    if not wanted:
        kind = "daily" if daily else "unit"
        raise source.bad(f"RDB without a column of {kind} values", row=body.row, found=" ".join(body.header))
    for place, match in wanted:
        try:
            series.append(_one_series(source, body.header, place, match))
        except BadCell as bad:
            rejects.append(source.reject(body.row, match[0], match[0], bad.reason))
    return series, rejects


def _one_series(source: Source, header: Sequence[str], place: int, match: re.Match[str]) -> Series:
    if match[3] and match[3] not in STATISTICS:
        raise BadCell(f"unknown statistic code {match[3]}; allowed: {', '.join(STATISTICS)}")
    if place + 1 >= len(header) or header[place + 1] != f"{match[0]}_cd":
        raise BadCell("no column of codes beside it")
    statistic = STATISTICS.get(match[3] or "", "instant")
    return Series(place, match[0], match[1], parameter_id("usgs", match[2]), code_unit(source, match[2]), statistic)


def _times(source: Source, some: Cells, daily: bool) -> tuple[Times, list[Reject]]:
    """UTC or civil-day milliseconds of each row; a row without site or time is refused once, for all its series."""
    time = days(some, "datetime") if daily else minutes(some, "datetime")
    columns = {"datetime": time, "site_no": some.coded("site_no").read(site_number, object, "")}
    utc, naive = time.values, np.full(len(some), not daily)
    if not daily and ZONE in some.header:
        columns[ZONE] = some.coded(ZONE).read(_offset, np.int64, 0)
        utc = utc - columns[ZONE].values
        naive = some.coded(ZONE).read(lambda text: not text.strip(), np.bool_, False).values
    good = np.ones(len(some), dtype=bool)
    rejects: list[Reject] = []
    for name, column in columns.items():
        texts = some.coded(name) if column.refused else None
        for at, reason in column.refused.items():
            if good[at] and texts is not None:
                rejects.append(source.reject(int(some.rows[at]), name, texts.at(at), reason))
                good[at] = False
    return Times(utc, good, naive), rejects


def _offset(zone: str) -> int:
    """Milliseconds from UTC; a blank zone moves nothing, since its clock is not known here."""
    return zone_offset(zone) if zone.strip() else 0
