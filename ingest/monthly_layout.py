"""What the columns of a table of months are: twelve of a year side by side, or a month in each row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ingest.cells import BadCell
from ingest.headings import LABELS, ROLES, plain_name
from ingest.table import Row
from ingest.times import civil_day

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
LONG_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
               "november", "december")  # fmt: skip
ANNUAL = {"annual", "total", "yearly", "sum"}
"""First word of a column, or the month of a row, that is the sum of a year."""
VALUES = ("volume", "withdrawal", "withdrawn", "pumped", "pumpage", "abstraction", "wdrl", "value", "discharge",
          "gal", "gpm", "gpd", "mgd", "mg", "m3", "rate", "pumping")  # fmt: skip
"""How the name of a column of numbers begins."""
_MONTH_COLUMNS = ("month", "year_month", "period")
_YEAR = re.compile(r"[0-9]{4}")
_YEAR_MONTH = re.compile(r"(?P<year>[0-9]{4})[-/](?P<month>[0-9]{1,2})(?:-01)?|(?P<m>[0-9]{1,2})/(?P<y>[0-9]{4})")


@dataclass(frozen=True)
class Layout:
    """Columns by what they say: ``months`` twelve in order, or ``value`` and ``month``; "" where there is none."""

    station: str
    year: str
    unit: str
    months: tuple[str, ...] = ()
    annual: str = ""
    month: str = ""
    value: str = ""


def layout_of(header: Iterable[str]) -> Layout | None:
    """The layout of a header; None where it is no table of months."""
    names = {plain_name(column): column for column in header}
    station, year, unit = (
        next((names[one] for one in wanted if one in names), "")
        for wanted in (ROLES["station"], ("year",), ROLES["unit"])
    )
    months = tuple(column for month in range(12) for name, column in names.items() if _first(name) in _names(month))
    annual = [column for name, column in names.items() if _first(name) in ANNUAL]
    if len(months) == 12 and year and len(annual) <= 1:
        return Layout(station, year, unit, months, annual[0] if annual else "")
    month = next((names[one] for one in _MONTH_COLUMNS if one in names), "")
    rest = [
        column for name, column in names.items() if name not in LABELS and column not in {station, year, unit, month}
    ]
    if month and len(rest) == 1 and plain_name(rest[0]).startswith(VALUES):
        return Layout(station, year, unit, month=month, value=rest[0])
    return None


def _first(name: str) -> str:
    return name.split("_", maxsplit=1)[0]


def _names(month: int) -> set[str]:
    return {MONTHS[month], LONG_MONTHS[month]}


def year_of(text: str) -> int:
    """A year of four digits."""
    if _YEAR.fullmatch(text) is None:
        raise BadCell("not a year")
    civil_day(int(text), 1, 1)
    return int(text)


def month_of(layout: Layout, row: Row) -> tuple[int, int]:
    """Year and month of a row, from one column or two."""
    if layout.year:
        year = row.read(layout.year, year_of)
        return year, row.read(layout.month, _month_number)
    return row.read(layout.month, _year_and_month)


def is_total(layout: Layout, row: Row) -> bool:
    """Whether a row is the sum of a year's."""
    return bool(layout.month) and plain_name(row.text(layout.month)) in ANNUAL


def _year_and_month(text: str) -> tuple[int, int]:
    match = _YEAR_MONTH.fullmatch(text)
    if match is None:
        raise BadCell("not a month written 2024-05 or 05/2024")
    year, month = int(match["year"] or match["y"]), int(match["month"] or match["m"])
    civil_day(year, month, 1)
    return year, month


def _month_number(text: str) -> int:
    name = text.casefold().rstrip(".")
    number = next((month for month in range(12) if name in _names(month)), None)
    if number is None and re.fullmatch(r"0?[1-9]|1[0-2]", text) is None:
        raise BadCell("not a month: 1 to 12, or its name")
    return int(text) if number is None else number + 1
