"""A bare csv ``date,value,qualifier`` (``date-value``), with optional ``coverage``, ``station`` and ``version``.

What is measured and in which unit is the question of the command that reads it: rows come as
``discharge`` in unit ``1``, and are never placed at a site as they are.
"""

from __future__ import annotations

import math

from ingest.cells import BadCell, code_flags, number
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, take_rows
from ingest.times import iso_day
from models.observation import Flags

REQUIRED = {"date", "value"}
OPTIONAL = {"qualifier", "coverage", "station", "version"}
MISSING = {"", "na", "n/a", "null"}
SENTINELS = {-9999.0, -99999.0, -999999.0}


def sniff(head: str) -> bool:
    header = set(header_of(head))
    return header >= REQUIRED and header <= REQUIRED | OPTIONAL


def parse(source: Source) -> Parts:
    """Daily values; ``NA``, a blank and the known sentinels are missing days.

    Raises
    ------
    BadFile : no date or value column.
    """
    table = read_table(source)
    require(source, table, *sorted(REQUIRED))
    return take_rows(source, table, _day)


def _day(row: Row) -> Observation:
    time_ms = row.read("date", iso_day)
    value, sentinel = row.read("value", _value)
    coded = code_flags(row.text("qualifier"))
    qualifiers = (*coded.qualifiers, *((sentinel,) if sentinel else ()))
    flags = Flags(coded.approval, qualifiers, {"coverage": row.read("coverage", _coverage)}).text()
    text = "" if math.isnan(value) else row.text("value")
    return (
        row.text("station"), "discharge", "mean", row.text("version"),
        time_ms, "day", value, text, "1", flags, row.number,
    )  # fmt: skip


def _value(text: str) -> tuple[float, str]:
    if text.casefold() in MISSING:
        return math.nan, ""
    value = number(text)
    return (math.nan, text) if value in SENTINELS else (value, "")


def _coverage(text: str) -> str:
    """A share of the day, ``0.85`` or ``85 %``, as a fraction."""
    if not text:
        return ""
    share = number(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    if not 0 <= share <= 1:
        raise BadCell("a coverage is a share between 0 and 1, or a percentage")
    return f"{share:g}"
