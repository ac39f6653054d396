"""ISO 8601 times as services write them: with or without an offset, or a day, month or year alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ingest.cells import BadCell
from ingest.times import HOUR_MS, MINUTE_MS, civil_day, clock_time, iso_day

_WRITTEN = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})(?:[T ]([0-9:.]+) ?(Z|[-+][0-9:]+)?)?)?)?")
_TAIL = re.compile(r"(?<=[0-9])(?:Z|[-+][0-9]{2}:?[0-9]{2})$")
_OFFSET = re.compile(r"([-+])([0-9]{2}):?([0-9]{2})?")


class Written(NamedTuple):
    """A time as written: the wall clock [ms], ``naive`` or the period it names, and the offset [ms], if any."""

    wall_ms: int
    clock: str
    offset_ms: int | None


def written(text: str) -> Written:
    """``YYYY``, ``YYYY-MM``, ``YYYY-MM-DD`` or ``YYYY-MM-DDTHH:MM[:SS[.f]][Z|±HH[:]MM]``, also with a blank for the T.

    Raises
    ------
    BadCell : it is not one, or names no such day, time or offset.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise BadCell("not an ISO 8601 time")
    year, month, day, time, offset = match.groups()
    if day is None:
        return Written(civil_day(int(year), int(month or 1), 1), "month" if month else "year", None)
    start = iso_day(text[:10])
    if time is None:
        return Written(start, "day", None)
    return Written(start + clock_time(time), "naive", None if offset is None else offset_ms(offset))


def moment(text: str) -> tuple[int, str]:
    """Time [ms] and clock of a tidy row: an offset makes it ``utc``."""
    return resolved(written(text))


def resolved(time: Written, default_offset_ms: int | None = None) -> tuple[int, str]:
    """Time [ms] and clock; the default offset is for wall clocks without one of their own."""
    offset = default_offset_ms if time.offset_ms is None else time.offset_ms
    return (time.wall_ms, time.clock) if time.clock != "naive" or offset is None else (time.wall_ms - offset, "utc")


def stated_zone(times: Iterable[str]) -> str | None:
    """The offsets that times carry, such as ``-05:00`` or ``-04:00/-05:00``; None where none does."""
    return "/".join(sorted({match[0] for match in map(_TAIL.search, set(times)) if match})) or None


@lru_cache(maxsize=256)
def offset_ms(text: str) -> int:
    """``Z``, ``-05:00``, ``-0500`` or ``-05`` as what is added to UTC [ms]."""
    if text == "Z":
        return 0
    match = _OFFSET.fullmatch(text)
    if match is None or int(match[2]) > 14 or int(match[3] or 0) > 59:
        raise BadCell("not an offset written ±HH:MM")
    ms = int(match[2]) * HOUR_MS + int(match[3] or 0) * MINUTE_MS
    return -ms if match[1] == "-" else ms
