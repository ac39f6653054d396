"""The order of day, month and year in a HOBO export, which HOBOware's preferences decide and the file does not state.

One order holds for a whole column: a number above 12 can only be a day. Years of two digits may stand in front as well:
then the last numbers change more often than the first. Where no date decides, month first is taken only of an export
that is American in all else: a clock of 12 hours, under a heading that states its offset from GMT; and it is said. A
first number that changes more often than the second is no month.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.loggers.clock import CENTURY
from ingest.reading import DateOrder, Source

ASSUMED = "month first, as an export with a 12-hour clock and a GMT offset is written; no date decides it"

_NUMBERS = re.compile(r"([0-9]{1,4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,4})")
_MONTHS = 12


@dataclass(frozen=True)
class Dates:
    """Dates of one order, each with the year in full where the year stands in front."""

    days: Sequence[str]
    order: DateOrder
    assumed: bool = False


def in_one_order(source: Source, days: Sequence[str], american: bool) -> Dates:
    """A file's dates, in the order that they or a person tell.

    Parameters
    ----------
    american : a 12-hour clock under a heading that states its offset from GMT.

    Raises
    ------
    BadFile : they contradict each other, or what was told; one date could have its year in front or behind; or nothing
        tells their order.
    """
    told = source.told.date_order
    matches = (_NUMBERS.fullmatch(text) for text in dict.fromkeys(days))
    numbers = [(match[1], int(match[2]), match[3]) for match in matches if match is not None]
    short = [one for one in numbers if max(len(one[0]), len(one[2])) <= 2]
    if short and (told == "ymd" or (told is None and _year_first(source, short))):
        return Dates([f"{CENTURY // 100}{day}" if _is_short(day) else day for day in days], "ymd")
    order = _decided(source, [(int(first), second) for first, second, _ in numbers if len(first) <= 2])
    if told not in {None, "ymd"} and order not in {None, told}:
        raise source.bad(f"contradictory dates: some can only be {order}, and --date-order says {told}")
    if told or order or not any(len(one[0]) <= 2 for one in numbers):
        return Dates(days, told or order or "mdy")
    if not american or len({first for first, _, _ in numbers}) > len({second for _, second, _ in numbers}):
        raise source.bad("dates could be day first or month first; say which with --date-order", found=days[0])
    return Dates(days, "mdy", assumed=True)


def _is_short(text: str) -> bool:
    match = _NUMBERS.fullmatch(text)
    return match is not None and max(len(match[1]), len(match[3])) <= 2


def _year_first(source: Source, short: Sequence[tuple[str, int, str]]) -> bool:
    firsts, lasts = {first for first, _, _ in short}, {last for _, _, last in short}
    if len(short) == 1 and int(short[0][0]) > _MONTHS >= short[0][1]:
        raise source.bad("the year of this date may stand in front or behind; say which with --date-order")
    return len(lasts) > len(firsts)


def _decided(source: Source, pairs: Sequence[tuple[int, int]]) -> DateOrder | None:
    day_first = any(first > _MONTHS >= second for first, second in pairs)
    month_first = any(second > _MONTHS >= first for first, second in pairs)
    if day_first and month_first:
        raise source.bad("contradictory dates: some can only be month first, some only day first")
    return "dmy" if day_first else "mdy" if month_first else None
