"""USGS discrete groundwater levels (``nwis-rdb-gwlevels``): one measured level a row, as depth or as elevation.

Two layouts: that of the NWIS extract (``lev_dt`` ``YYYYMMDD``, ``lev_tm`` ``HHMM``, the word ``null`` for nothing,
``parameter_code``) and that of the web service (``YYYY-MM-DD``, ``HH:MM``, blanks, sometimes ``parameter_cd``).
``lev_va`` is depth below land surface, ``sl_lev_va`` elevation above ``sl_datum_cd`` [ft]. A time is kept only as far
as ``lev_dt_acy_cd`` vouches for it: the extract writes 12:00 where just the day is known.
Source: USGS, "Groundwater levels, RDB format"; NWIS help, ``lev_*`` codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pandas as pd

from ingest.cells import APPROVALS, BadCell, Measurement, plain
from ingest.rdb.codes import code_unit
from ingest.rdb.table import Body, bodies, file_facts, headers, require_columns, site_number, table
from ingest.reading import Parts, Source, stacked
from ingest.table import Observation, Row, in_order, take_rows
from ingest.times import ZONE_HOURS, civil_day, clock_time, to_utc
from models.level_status import STATUS
from models.observation import Flags, Reject
from models.parameters import parameter_id

DEPTH, ELEVATION = "lev_va", "sl_lev_va"
DEPTH_CODE = "72019"
DATUMS = {"62610": "NGVD29", "62611": "NAVD88"}
"""Vertical datum of an elevation's parameter code."""

FACTS = {STATUS: "lev_status_cd"} | {
    name: name
    for name in (
        "lev_meth_cd", "lev_src_cd", "lev_agency_cd", "lev_acy_cd", "lev_dt_acy_cd", "lev_ent_cd", "sl_datum_cd",
    )
}  # fmt: skip
"""Codes kept as facts beside a level, under their own names: by fact, the column."""

_DATE = re.compile(r"([0-9]{4})(?:-?([0-9]{2})(?:-?([0-9]{2}))?)?")
_NOTHING = {"", "null"}
NO_LEVEL = Measurement(np.nan, "")
_PERIODS = ("day", "month", "year")
_ACCURATE_TO = {"D": "day", "M": "month", "Y": "year"}


def sniff(head: str) -> bool:
    """A table of ``lev_dt`` and a level."""
    return any("lev_dt" in names and (DEPTH in names or ELEVATION in names) for names in headers(head))


def parse(source: Source) -> Parts:
    """Depths and elevations, each where its own column is filled."""
    frames: list[pd.DataFrame] = []
    rejects: list[Reject] = []
    zones = set[str]()
    for body in bodies(source):
        require_columns(source, body, "site_no", "lev_dt")
        rows = table(source, body)
        parts = take_rows(source, rows, *_takers(source, body))
        zones |= {row.text("lev_tz_cd") for row in rows.rows} & ZONE_HOURS.keys()
        frames.append(parts.observations)
        rejects += parts.rejects
    return Parts(stacked(frames), in_order(rejects), file_facts(source), "/".join(sorted(zones)) or None)


def _takers(source: Source, body: Body) -> list[Callable[[Row], Observation | None]]:
    """One for the depth and one for the elevation of a row."""
    coded = next((name for name in ("parameter_cd", "parameter_code") if name in body.header), "")
    unit = cache(lambda code: code_unit(source, code))

    def take(row: Row, column: str, code_of: Callable[[Row, str], str]) -> Observation | None:
        flags = _flags(row)
        if not _says(row, column, coded, flags):
            return None
        station = row.read("site_no", site_number)
        time, clock = _time(row)
        code = code_of(row, coded)
        parameter = parameter_id("usgs", code)
        found = _number(row, column, parameter)
        return (
            station, parameter, "instant", "field", time, clock, found.value, found.text, unit(code),
            flags.with_words(found.qualifiers).text(), row.number,
        )  # fmt: skip

    return [lambda row: take(row, DEPTH, _depth_code), lambda row: take(row, ELEVATION, _elevation_code)]


def _number(row: Row, column: str, parameter: str) -> Measurement:
    """A level, NaN where none stands."""
    return row.read(column, lambda text: NO_LEVEL if text in _NOTHING else plain(text, parameter))


def _says(row: Row, column: str, coded: str, flags: Flags) -> bool:
    """A level stands in this column; or in neither, and a code tells why in the place where it would."""
    if _cell(row, DEPTH) or _cell(row, ELEVATION):
        return bool(_cell(row, column))
    return bool(flags.qualifiers or STATUS in flags.facts) and (column == ELEVATION) == (_cell(row, coded) in DATUMS)


def _cell(row: Row, column: str) -> str:
    """A cell; the word ``null`` is nothing."""
    text = row.text(column)
    return "" if text in _NOTHING else text


def _code(row: Row, coded: str) -> str:
    code = _cell(row, coded)
    if code and re.fullmatch(r"[0-9]{5}", code) is None:
        raise BadCell("not a parameter code of five digits", coded)
    return code


def _depth_code(row: Row, coded: str) -> str:
    code = _code(row, coded)
    if code not in DATUMS:
        return code or DEPTH_CODE
    if not _cell(row, ELEVATION):
        raise BadCell("a depth under the parameter code of an elevation", coded)
    return DEPTH_CODE


def _elevation_code(row: Row, coded: str) -> str:
    """The code of the row, else that of its datum; they must not contradict each other.

    Raises
    ------
    BadCell : no datum is said, or two.
    """
    code, datum = _code(row, coded), _cell(row, "sl_datum_cd")
    if code and not _cell(row, DEPTH):
        if parameter_id("usgs", code).startswith("depth"):
            raise BadCell("an elevation under the parameter code of a depth", coded)
        if datum and DATUMS.get(code, datum) != datum:
            raise BadCell(f"the parameter code {code} means {DATUMS[code]}", "sl_datum_cd")
        return code
    by_datum = {name: known for known, name in DATUMS.items()}
    if datum not in by_datum:
        raise BadCell(f"an elevation above an unknown datum; allowed: {', '.join(by_datum)}", "sl_datum_cd")
    return by_datum[datum]


def _time(row: Row) -> tuple[int, str]:
    """Time and clock: an instant only where a clock time stands and the accuracy code does not call it a filler."""
    start, clock = row.read("lev_dt", _partial_date)
    vouched = _ACCURATE_TO.get(_cell(row, "lev_dt_acy_cd"), "")
    if vouched or clock != "day" or not _cell(row, "lev_tm"):
        return _widened(start, max(clock, vouched or clock, key=_PERIODS.index))
    wall = start + row.read("lev_tm", clock_time)
    if not _cell(row, "lev_tz_cd"):
        return wall, "naive"
    return row.read("lev_tz_cd", lambda zone: to_utc(wall, zone)), "utc"


def _partial_date(text: str) -> tuple[int, str]:
    """``YYYYMMDD``, ``YYYY-MM-DD``, ``YYYY-MM`` or ``YYYY``: its first day [ms] and how long a period it is."""
    match = _DATE.fullmatch(text)
    if match is None:
        raise BadCell("not a date written YYYY-MM-DD or YYYYMMDD")
    clock = "day" if match[3] else "month" if match[2] else "year"
    return civil_day(int(match[1]), int(match[2] or 1), int(match[3] or 1)), clock


def _widened(day_ms: int, clock: str) -> tuple[int, str]:
    """The first day of the period of a day."""
    first = np.datetime64(day_ms, "ms").astype({"day": "M8[D]", "month": "M8[M]", "year": "M8[Y]"}[clock])
    return int(first.astype("M8[ms]").astype(np.int64)), clock


def _flags(row: Row) -> Flags:
    """Age code as approval, the other codes as facts."""
    age = _cell(row, "lev_age_cd")
    approval, other = (age, "") if age in APPROVALS else ("", age)
    facts = {name: text for name, column in FACTS.items() if (text := _cell(row, column))}
    return Flags(approval, (other,) if other else (), facts)
