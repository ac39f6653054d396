"""Wisconsin high-capacity well reports (``wi-monthly-volumes``): a row per well and year, a volume [gal] per month."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from functools import partial

from ingest.cells import BadCell, not_negative
from ingest.reading import Parts, Source
from ingest.table import Observation, Row, header_of, read_table, require, take_rows
from ingest.times import civil_day

MONTHS = tuple(
    f"{name}_wdrl_total_gallons"
    for name in ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
)
ANNUAL = "annual_wdrl_total_gallons"

_YEAR = re.compile(r"[0-9]{4}")


def sniff(head: str) -> bool:
    return {"site_no", "year", MONTHS[0]} <= set(header_of(head))


def parse(source: Source) -> Parts:
    """Monthly volumes; a blank month is no report. The annual column only checks them.

    Raises
    ------
    BadFile : a month column is missing.
    """
    table = read_table(source)
    require(source, table, "site_no", "year", *MONTHS)
    takers: list[Callable[[Row], Observation | None]] = [
        partial(_volume, month=month, column=column) for month, column in enumerate(MONTHS, 1)
    ]
    return take_rows(source, table, *takers, _annual)


def _volume(row: Row, month: int, column: str) -> Observation | None:
    if not row.text(column):
        return None
    station = row.required("site_no")
    time_ms = civil_day(row.read("year", _year), month, 1)
    value = row.read(column, not_negative)
    return (station, "withdrawal", "sum", "", time_ms, "month", value, row.text(column), "gal", "", row.number)


def _year(text: str) -> int:
    if _YEAR.fullmatch(text) is None:
        raise BadCell("not a year")
    civil_day(int(text), 1, 1)
    return int(text)


def _annual(row: Row) -> None:
    """The months load either way; a total that differs is said beside them."""
    if not row.text(ANNUAL):
        return
    row.read(ANNUAL, not_negative)
    try:
        total = sum((_decimal(row, column) for column in MONTHS), Decimal(0))
    except BadCell:
        return  # a month was refused already, and the sum with it
    if total != _decimal(row, ANNUAL):
        raise BadCell(f"months add to {total:f}, annual says {row.text(ANNUAL)}", ANNUAL)


def _decimal(row: Row, column: str) -> Decimal:
    row.read(column, lambda text: not_negative(text or "0"))
    return Decimal(row.text(column) or "0")
