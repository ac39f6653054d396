"""A bare csv ``date,value,qualifier`` (``date-value``), with optional ``coverage``, ``station`` and ``version``.

The value's column may also be called ``flow``, ``discharge`` or ``q``, the qualifier's ``flag``.

What is measured and in which unit is the question of the command that reads it: rows come as ``discharge`` in unit
``1``, and are placed at a site only where somebody says the unit.
"""

from __future__ import annotations

import math
from functools import partial

from ingest.cells import MISSING, BadCell, code_flags, is_sentinel, number
from ingest.date_order import column_order, day_in_order
from ingest.headings import parameter_of
from ingest.reading import DateOrder, Parts, Source, Told
from ingest.table import Observation, Row, header_of, read_table, require, take_rows
from models.observation import Flags

VALUE_NAMES = ("value", "flow", "discharge", "q")
OPTIONAL = {"qualifier", "flag", "coverage", "station", "version"}


def sniff(head: str) -> bool:
    rest = set(header_of(head)) - OPTIONAL
    return "date" in rest and len(rest) == 2 and bool(rest & set(VALUE_NAMES))


def parse(source: Source) -> Parts:
    """Daily values; ``NA``, a blank and the known sentinels are missing days.

    Raises
    ------
    BadFile : no date or value column, or dates whose order nobody can tell.
    """
    table = read_table(source)
    value = next((name for name in VALUE_NAMES if name in table.header), VALUE_NAMES[0])
    require(source, table, "date", value)
    order = column_order(source, "date", ((row.number, row.text("date")) for row in table.rows))
    return take_rows(source, table, partial(_day, source.told, order, value))


def _day(told: Told, order: DateOrder, column: str, row: Row) -> Observation:
    time_ms = row.read("date", lambda text: day_in_order(text, order))
    value, sentinel = row.read(column, _value)
    coded = code_flags(row.text("qualifier") or row.text("flag"))
    qualifiers = (*coded.qualifiers, *((sentinel,) if sentinel else ()))
    flags = Flags(coded.approval, qualifiers, {"coverage": row.read("coverage", _coverage)}).text()
    text = "" if math.isnan(value) else row.text(column)
    return (
        row.text("station") or told.station, parameter_of(told.parameter or "discharge"), "mean", row.text("version"),
        time_ms, "day", value, text, told.unit or "1", flags, row.number,
    )  # fmt: skip


def _value(text: str) -> tuple[float, str]:
    if text.casefold() in MISSING:
        return math.nan, ""
    value = number(text)
    return (math.nan, text) if is_sentinel(value) else (value, "")


def _coverage(text: str) -> str:
    """A share of the day, ``0.85`` or ``85 %``, as a fraction."""
    if not text:
        return ""
    share = number(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    if not 0 <= share <= 1:
        raise BadCell("a coverage is a share between 0 and 1, or a percentage")
    return f"{share:g}"
