"""Daily rain of a Dutch rain gauge (``knmi-rain``), KNMI.

``RD`` is in tenths of a millimetre, from 08:00 UTC of the day before to 08:00 UTC of the dated day; a value stays on
the day it is dated. -1 is less than 0.05 mm, blanks are missing. Definition: the bilingual header of the file itself.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from decimal import Decimal

from ingest.cells import BadCell
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, read_table, require, take_rows
from ingest.times import civil_day
from models.observation import Flags

STATION, DAY, RAIN = "STN", "YYYYMMDD", "RD"
TENTHS = Decimal("0.1")
TRACE = "-1"
FIRST_LINES = 100

_HEADER = re.compile(r"#?\s*STN\s*,\s*YYYYMMDD\s*,(?:.*,)?\s*RD\s*(?:,.*)?")
_TENTHS_SAID = ("in 0.1 mm", "tiende millimeters", "tenth of a mm", "tenths of")
_DAY = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")


def sniff(head: str) -> bool:
    return _header_row(head.split("\n", FIRST_LINES)[:FIRST_LINES]) is not None


def parse(source: Source) -> Parts:
    """Daily sums in mm.

    Raises
    ------
    BadFile : no table header, or a header that does not say that RD is in tenths of a millimetre.
    """
    lines = source.text.split("\n")
    header = _header_row(lines[:FIRST_LINES])
    if header is None:
        raise source.bad("no header STN,YYYYMMDD,RD")
    if not any(said in " ".join(lines[:header]) for said in _TENTHS_SAID):
        raise source.bad("the header does not say that RD is in 0.1 mm")
    table = read_table(_plain_header(source, lines, header), header)
    require(source, table, STATION, DAY, RAIN)
    unread = " ".join(name for name in table.header if name not in {STATION, DAY, RAIN})
    facts = {"day_ends": "08:00 UTC of the dated day", **({"columns_not_read": unread} if unread else {})}
    return replace(take_rows(source, table, _day), facts=facts)


def _header_row(lines: list[str]) -> int | None:
    return next((place for place, line in enumerate(lines) if len(line) < 500 and _HEADER.fullmatch(line)), None)


def _plain_header(source: Source, lines: list[str], header: int) -> Source:
    """Newer files write the header behind a ``#``."""
    if not lines[header].startswith("#"):
        return source
    return replace(source, text="\n".join([*lines[:header], lines[header].lstrip("# "), *lines[header + 1 :]]))


def _day(row: Row) -> Observation:
    station, time = row.required(STATION), row.read(DAY, _date)
    value, text, words = row.read(RAIN, _rain)
    flags = Flags("", words).text()
    return (station, "precipitation", "sum", "", time, "day", value, text, "mm", flags, row.number)


def _date(text: str) -> int:
    match = _DAY.fullmatch(text)
    if match is None:
        raise BadCell("not a date written YYYYMMDD")
    return civil_day(int(match[1]), int(match[2]), int(match[3]))


def _rain(text: str) -> tuple[float, str, tuple[str, ...]]:
    """13 is 1.3 mm; a trace is rain seen, too little to measure."""
    if not text:
        return math.nan, "", ()
    if text == TRACE:
        return 0.0, "T", ("T",)
    if re.fullmatch(r"[0-9]{1,5}", text) is None:
        raise BadCell("not a whole number of tenths, -1 or blank")
    tenths = str(Decimal(text) * TENTHS)
    return float(tenths), tenths, ()
