"""Dates with slashes: one order of day, month and year for a whole column, or an error; and the times behind them.

``05/02/2024`` is the fifth of February or the second of May. The column's other dates say which: one value with a
number over 12 rules an order out for all rows. Where none does, somebody must say; where two rows rule out both, the
file is refused. A month written as a word (``15-Jun-2025``) leaves nothing open.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ingest.cells import BadCell
from ingest.reading import DateOrder, Source
from ingest.times import HOUR_MS, MINUTE_MS, civil_day, clock_time, to_utc
from models.errors import BadFile

_DATE = re.compile(r"([0-9]{1,4})([-/.])([0-9]{1,2})\2([0-9]{1,4})")
_MOMENT = re.compile(
    r"(?P<day>[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4})"
    r"(?:(?:T|\s+)(?P<clock>[0-9][0-9:.,]*)\s*(?P<half>[AP]M)?\s*(?P<zone>[A-Z][A-Z/_a-z]*|[-+][0-9:]+)?)?",
    re.IGNORECASE,
)
_OFFSET = re.compile(r"(?:UTC|GMT)?\s*([-+])([0-9]{1,2})(?::?([0-9]{2}))?", re.IGNORECASE)
_MONTHS, _LONGEST_OFFSET = 12, 14 * HOUR_MS
_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
_WORDED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<day>[0-9]{{1,2}})[-/. ]\s*{_MONTH}\.?[-/., ]\s*(?P<year>[0-9]{{4}})",
        rf"{_MONTH}\.?[-/. ]\s*(?P<day>[0-9]{{1,2}})[-/., ]\s*(?P<year>[0-9]{{4}})",
        rf"(?P<year>[0-9]{{4}})[-/. ]{_MONTH}[-/. ](?P<day>[0-9]{{1,2}})",
    )
)
"""Dates whose month is an English word, at the beginning of a text."""


def column_order(source: Source, column: str, cells: Iterable[tuple[int, str]]) -> DateOrder:
    """The order of every date of one column; ``ymd`` where there is nothing to decide.

    What was told settles what the dates leave open. A date with the year in front leaves nothing open, and says
    nothing of a date beside it that is written otherwise.

    Parameters
    ----------
    cells : row in the file, and text that begins with a date.

    Raises
    ------
    BadFile : rows that contradict each other or what was told, or nothing that decides.
    """
    evidence: dict[DateOrder, int] = {}
    undecided = 0
    for row, text in cells:
        orders = _possible(text)
        if len(orders) == 1:
            evidence.setdefault(orders[0], row)
        elif orders and not undecided:
            undecided = row
    told = source.told.date_order
    year_first = set(evidence) <= {"ymd"}
    if len(evidence) > 1 or (told and told not in evidence and not year_first):
        raise _contradiction(source, column, evidence, told)
    if undecided and year_first and told in {None, "ymd"}:
        raise BadFile(
            "the dates read day first as well as month first; say which with --date-order",
            file=source.file, row=undecided, key=column, allowed=("dmy", "mdy"),
        )  # fmt: skip
    return told if told else next(iter(evidence), "ymd")


def moment(text: str, order: DateOrder) -> tuple[int, str, str]:
    """A date, or a date and a time: wall clock [ms], ``day`` or ``naive``, and the zone written behind it.

    Raises
    ------
    BadCell : not a date in this order, or no such time of day.
    """
    match = _MOMENT.fullmatch(_in_numbers(text))
    if match is None:
        raise BadCell("not a date, or a date and a time")
    start = day_in_order(match["day"], order)
    if match["clock"] is None:
        return start, "day", ""
    return start + _time_of_day(match["clock"], match["half"]), "naive", match["zone"] or ""


def day_in_order(text: str, order: DateOrder) -> int:
    """Midnight that starts a day written in an order [ms]; the same text twice (05/05) needs none."""
    match = _DATE.fullmatch(_in_numbers(text))
    if match is None:
        raise BadCell("not a date")
    one, two, three = match[1], match[3], match[4]
    if len(one) == 4:
        return civil_day(int(one), int(two), int(three))
    if len(three) != 4:
        raise BadCell("a year needs four digits")
    day, month = (two, one) if order == "mdy" else (one, two)
    return civil_day(int(three), int(month), int(day))


def _in_numbers(text: str) -> str:
    """A date with its month in words as one in numbers, year first; any other text as it is."""
    if not any(map(str.isalpha, text[:8])):
        return text
    match = next((found for pattern in _WORDED if (found := pattern.match(text))), None)
    if match is None:
        return text
    month = _NAMES.index(match["month"][:3].casefold()) + 1
    return f"{match['year']}-{month:02}-{int(match['day']):02}{text[match.end() :]}"


def instant(wall_ms: int, zone: str) -> int:
    """UTC of a wall clock in ``-06:00``, ``UTC-6``, ``Z``, ``CST`` or an IANA zone [ms]."""
    match = _OFFSET.fullmatch(zone)
    if match is None:
        return to_utc(wall_ms, zone)
    offset = int(match[2]) * HOUR_MS + int(match[3] or 0) * MINUTE_MS
    if offset > _LONGEST_OFFSET or int(match[3] or 0) > 59:
        raise BadCell("no such offset from UTC")
    return wall_ms + offset if match[1] == "-" else wall_ms - offset


def _time_of_day(clock: str, half: str | None) -> int:
    after = clock_time(clock)
    if half is None:
        return after
    if not HOUR_MS <= after < 13 * HOUR_MS:
        raise BadCell("no such time of a 12 hour clock")
    return after % (12 * HOUR_MS) + (12 * HOUR_MS if half.upper() == "PM" else 0)


def _possible(text: str) -> tuple[DateOrder, ...]:
    """Orders a date can be read in; none where it is no date or reads the same in all."""
    match = _DATE.match(text)
    if match is None:
        return ()
    one, two = int(match[1]), int(match[3])
    if len(match[1]) == 4:
        return ("ymd",)
    if one == two:
        return ()
    if min(one, two) > _MONTHS:
        return ()
    return ("dmy",) if one > _MONTHS else ("mdy",) if two > _MONTHS else ("dmy", "mdy")


def _contradiction(source: Source, column: str, evidence: dict[DateOrder, int], told: DateOrder | None) -> BadFile:
    said = [f"row {row} can only be {order}" for order, row in sorted(evidence.items(), key=lambda one: one[1])]
    said += [f"--date-order says {told}"] if told else []
    return BadFile(f"contradictory dates: {', '.join(said)}", file=source.file, key=column)
