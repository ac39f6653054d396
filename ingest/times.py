"""Dates, clock times and zones as files write them, in milliseconds since 1970-01-01T00:00."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones

from ingest.cells import BadCell
from models.observation import DAY_MS

FIRST_YEAR, LAST_YEAR = 1800, 2200
HOUR_MS, MINUTE_MS, SECOND_MS = 3_600_000, 60_000, 1_000

ZONE_HOURS = {
    "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    "AKST": -9, "AKDT": -8, "HST": -10, "UTC": 0, "GMT": 0, "Z": 0,
}  # fmt: skip
"""Hours east of Greenwich of the zone codes USGS and US field sheets use (NWIS help, ``tz_cd``)."""

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_MINUTE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}")
_SPLIT = re.compile(r"(\S+)[ T](\S+)")
_CLOCK = re.compile(r"([0-9]{1,2}):?([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,6}))?)?")
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - a wall clock, whose zone is applied by the caller
_MS = timedelta(milliseconds=1)


def civil_day(year: int, month: int, day: int) -> int:
    """Midnight that starts a civil day [ms].

    Raises
    ------
    BadCell : no such day, or a year outside 1800 to 2200.
    """
    if not FIRST_YEAR <= year <= LAST_YEAR:
        raise BadCell(f"the year is outside {FIRST_YEAR} to {LAST_YEAR}")
    try:
        return (date(year, month, day).toordinal() - _EPOCH_DAY) * DAY_MS
    except ValueError:
        raise BadCell("no such day") from None


@lru_cache(maxsize=65536)
def iso_day(text: str) -> int:
    """``YYYY-MM-DD`` as its midnight [ms]."""
    match = _DAY.fullmatch(text)
    if match is None:
        raise BadCell("not a date written YYYY-MM-DD")
    return civil_day(int(match[1]), int(match[2]), int(match[3]))


@lru_cache(maxsize=65536)
def clock_time(text: str) -> int:
    """``HH:MM``, ``HHMM`` or ``HH:MM:SS[.f]`` after midnight [ms]; 24:00 is the midnight that ends the day."""
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise BadCell("not a time written HH:MM")
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    ms = int((match[4] or "0").ljust(3, "0")[:3])
    after = hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS + ms
    if minute > 59 or second > 59 or after > DAY_MS:
        raise BadCell("no such time of day")
    return after


def iso_minute(text: str) -> int:
    """``YYYY-MM-DD HH:MM[:SS]`` on the wall clock [ms]."""
    if _MINUTE.fullmatch(text) and FIRST_YEAR <= int(text[:4]) <= LAST_YEAR:
        try:
            return (datetime.fromisoformat(text) - _EPOCH) // _MS
        except ValueError:
            pass  # the careful path below says what is wrong, or takes 24:00
    match = _SPLIT.fullmatch(text)
    if match is None:
        raise BadCell("not a time written YYYY-MM-DD HH:MM")
    return iso_day(match[1]) + clock_time(match[2])


def zone_offset(code: str) -> int:
    """Offset of a fixed zone code [ms to add to UTC]."""
    try:
        return ZONE_HOURS[code.upper()] * HOUR_MS
    except KeyError:
        raise BadCell(f"unknown time zone; allowed: {', '.join(ZONE_HOURS)}") from None


@cache
def zone_info(name: str) -> ZoneInfo:
    """A zone of the IANA table; only listed names are opened, so a hostile name reaches no file."""
    if name not in _zone_names():
        raise BadCell("unknown time zone")
    return ZoneInfo(name)


@cache
def _zone_names() -> frozenset[str]:
    return frozenset(available_timezones())  # it walks folders: once, and not for every row of a bad file


def to_utc(wall_ms: int, zone: str) -> int:
    """The instant of a wall clock reading in a fixed code (CST) or an IANA zone (America/Chicago) [ms].

    Raises
    ------
    BadCell : unknown zone, or a reading that the clock change skipped or repeated.
    """
    if zone.upper() in ZONE_HOURS:
        return wall_ms - zone_offset(zone)
    info = zone_info(zone) if len(zone) <= 64 else zone_info("")
    early, late = (_instant(wall_ms, info, fold) for fold in (0, 1))
    if early == late:
        return early
    raise BadCell("the clock reading happened twice" if early < late else "the clock skipped this reading")


def sheet_time(day: str, time: str, zone: str) -> tuple[int, str]:
    """Time and clock of a field sheet row: a day alone, a naive reading, or an instant."""
    start = iso_day(day)
    if not time:
        return start, "day"
    wall = start + clock_time(time)
    return (to_utc(wall, zone), "utc") if zone else (wall, "naive")


def _instant(wall_ms: int, zone: ZoneInfo, fold: int) -> int:
    local = (_EPOCH + wall_ms * _MS).replace(tzinfo=zone, fold=fold)
    return (local.astimezone(UTC).replace(tzinfo=None) - _EPOCH) // _MS
