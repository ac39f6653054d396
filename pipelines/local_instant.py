"""A time as a clerk writes it: local to the town unless it states its offset; an hour shown twice is refused."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from models.errors import BadQuestion

FIRST_YEAR, LAST_YEAR = 1900, 9998


def local_instant(text: str, zone: str, *, key: str = "--at") -> datetime:
    """An aware instant from ``YYYY-MM-DD``, ``YYYY-MM-DDTHH:MM`` or one with an offset.

    Raises
    ------
    BadQuestion : no time, an implausible year, or a local time that the clock change makes unclear.
    """
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise BadQuestion("not a time", key=key, found=text, allowed=["YYYY-MM-DDTHH:MM"]) from None
    if not FIRST_YEAR <= when.year <= LAST_YEAR:
        raise BadQuestion("not a plausible year", key=key, found=text, allowed=[f"{FIRST_YEAR} to {LAST_YEAR}"])
    if when.tzinfo is not None:
        return when
    first, second = (when.replace(tzinfo=ZoneInfo(zone), fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        allowed = [f"{when.isoformat(timespec='minutes')}{one.strftime('%z')[:3]}:00" for one in (first, second)]
        raise BadQuestion("the clock change makes this time unclear", key=key, found=text, allowed=allowed)
    return first
