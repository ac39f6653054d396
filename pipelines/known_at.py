"""``--known-at``: an answer as it would have been given then."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import click

from models.errors import BadQuestion
from pipelines.recall import midnight_ms

FIRST_YEAR, LAST_YEAR = 1900, 9998
ONE_NIGHT_MS = 999
"""What the night of a day stores is known at the midnight that ends the day, a revision of it some ms later."""

known_at_option = click.option(
    "--known-at", help="Of a station: by what was known at the end of this day, or at this instant (2025-08-11T06:00Z)."
)


def instant_ms(text: str, zone: ZoneInfo) -> int:
    """The end of a civil day, its own night included, or an instant [epoch ms].

    Without an offset a time is in the ordinance's zone.

    Raises
    ------
    BadQuestion : neither.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min  # noqa: DTZ901 - refused below for its year
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        allowed = ["YYYY-MM-DD", "YYYY-MM-DDTHH:MM with Z or an offset"]
        raise BadQuestion("not a day or an instant", key="--known-at", found=text, allowed=allowed)
    if len(text) == len("YYYY-MM-DD"):
        return midnight_ms(moment.date() + timedelta(days=1), zone) + ONE_NIGHT_MS
    aware = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    return round(aware.timestamp() * 1000)


def civil_day(known_at: int | None, zone: ZoneInfo) -> date:
    """The last day that an instant knows of: at its midnight, the day that ends; today where none is asked for."""
    if known_at is None:
        return datetime.now(zone).date()
    return datetime.fromtimestamp((known_at - ONE_NIGHT_MS - 1) / 1000, zone).date()


def only_for_stations(known_at: str | None, file: str) -> None:
    """A file says what it says.

    Raises
    ------
    BadQuestion : an instant of knowledge was given with a file.
    """
    if known_at is not None:
        raise BadQuestion("a file has no history; give a station of the site", key="--known-at", found=file)
