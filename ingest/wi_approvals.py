"""Wisconsin's register of high-capacity wells and intakes (``wi-high-capacity-register``): a table, no observations.

Dates are written ``Thursday, March 28, 2024`` or as a year; beside each stands the same as ``YYYY-MM-DD``. The unit of
``max_approved`` is not in the file and is not guessed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date

import pandas as pd

from ingest.cells import BadCell, not_negative
from ingest.monthly_layout import LONG_MONTHS
from ingest.reading import Parts, Source, beside_row
from ingest.table import Row, header_of, in_order, read_table, require
from models.observation import Reject, tidy

REGISTER = "high_capacity_register"
NEEDED = ("hicap_num", "well_num", "status", "source", "approval_year", "max_approved")
DATES = {"approval_year": "approved_on", "construction_year": "constructed_on", "abandoned_year": "abandoned_on"}
"""Columns of dates, and the column that takes each as YYYY-MM-DD."""
NOT_STATED = "not stated in the file"
_LONG = re.compile(r"(?P<weekday>[A-Z][a-z]+), (?P<month>[A-Z][a-z]+) (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4})")
_YEAR, _THOUSANDS = re.compile(r"[12][0-9]{3}"), re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def sniff(head: str) -> bool:
    return set(NEEDED) <= set(header_of(head))


def parse(source: Source) -> Parts:
    """The register as text. A date or an amount that cannot be one is said; its row is kept as written.

    Raises
    ------
    BadFile : not this header.
    """
    table = read_table(source)
    require(source, table, *NEEDED)
    dates = [name for name in DATES if name in table.header]
    columns = [*beside_row(table.header), *(DATES[name] for name in dates)]
    rejects: list[Reject] = []
    rows = [
        (row.number, *(row.text(name) for name in table.header), *_dates(source, row, dates, rejects))
        for row in table.rows
    ]
    rejects += [one for row in table.rows for one in _said(source, row, "max_approved", _amount)]
    numbers = Counter(row.text("hicap_num") for row in table.rows)
    facts = {"max_approved_unit": NOT_STATED, "hicap_num_used_twice": str(sum(one > 1 for one in numbers.values()))}
    frame = pd.DataFrame(rows, columns=["row", *columns]).astype("str")
    return Parts(tidy([]), in_order((*table.rejects, *rejects)), facts, tables={REGISTER: frame})


def _dates(source: Source, row: Row, names: Sequence[str], rejects: list[Reject]) -> list[str]:
    found = []
    for name in names:
        wrong = _said(source, row, name, written_day)
        rejects += wrong
        found.append("" if wrong or not row.text(name) else written_day(row.text(name)))
    return found


def _amount(text: str) -> float:
    """``1,100`` as well as ``1100``."""
    return not_negative(text.replace(",", "") if _THOUSANDS.fullmatch(text) else text)


def _said(source: Source, row: Row, column: str, reader: Callable[[str], object]) -> list[Reject]:
    """What is wrong with a cell that is not blank; the row is kept."""
    try:
        if row.text(column):
            reader(row.text(column))
    except BadCell as bad:
        return [source.reject(row.number, column, row.text(column), bad.reason, 0)]
    return []


def written_day(text: str) -> str:
    """``Thursday, March 28, 2024`` as 2024-03-28, a year as itself; a weekday that is another day's is refused.

    Raises
    ------
    BadCell : neither.
    """
    if _YEAR.fullmatch(text):
        return text
    match = _LONG.fullmatch(text)
    month = match["month"].casefold() if match else ""
    if match is None or month not in LONG_MONTHS:
        raise BadCell("not a date written as Thursday, March 28, 2024, nor a year")
    try:
        day = date(int(match["year"]), LONG_MONTHS.index(month) + 1, int(match["day"]))
    except ValueError:
        raise BadCell("no such day") from None
    if _WEEKDAYS[day.weekday()] != match["weekday"]:
        raise BadCell(f"{day} is a {_WEEKDAYS[day.weekday()]}")
    return day.isoformat()
