"""One night for each civil day, whatever the scheduler delivers.

The date key of a scheduled run is yesterday in the ordinance's zone. A scheduler may deliver two runs for one day (the
hour that a clock change repeats) or, after an outage, all it missed: the first run judges everything that waits, the
others find that night finished and return.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Engine

from pipelines import casebook, night, night_lock, public_page, watchdog
from pipelines.database import reading
from pipelines.outbox import Message
from pipelines.settling import Pause
from pipelines.site_folder import SiteFolder


def yesterday(now: datetime, zone: ZoneInfo) -> date:
    """The date key: the last whole civil day."""
    return now.astimezone(zone).date() - timedelta(days=1)


def due_day(now: datetime, at: time, zone: ZoneInfo) -> date:
    """The last civil day whose night should have begun by now, with nights beginning at a local time of day.

    A time that a clock change skips stands for the instant it would have been: 02:10 is then 03:10.
    """
    today = now.astimezone(zone).date()
    begins = datetime.combine(today, at, zone).astimezone(UTC)
    return today - timedelta(days=1 if now >= begins else 2)


def finished(engine: Engine, site: str, day: date) -> bool:
    """Whether the night of that day, or a later one, ran to its end."""
    with reading(engine) as connection:
        nights = casebook.nights(connection, site)
    last = max((one["on_day"] for one in nights), default="")
    return last >= day.isoformat() and all(one["finished_at"] for one in nights if one["on_day"] == last)


def missed(engine: Engine, site: str, now: datetime, at: time, zone: ZoneInfo) -> bool:
    """Whether a night should have run and did not. A site that never had one waits for its hour."""
    with reading(engine) as connection:
        any_night = bool(casebook.nights(connection, site))
    return any_night and not finished(engine, site, due_day(now, at, zone))


def scheduled(
    folder: SiteFolder,
    engine: Engine,
    now: datetime,
    *,
    send: Callable[[Message], None],
    clock: Callable[[], datetime],
    fetch: night.Fetch | None = None,
    say: night.Say = lambda _: None,
    pause: Pause | None = None,
) -> dict[str, Any] | None:
    """Run yesterday's night unless it is finished: its summary, or None.

    Raises
    ------
    EnvironmentFailed : another night is at work.
    """
    on = yesterday(now, ZoneInfo(folder.law.zone))
    with night_lock.alone(folder.path, folder.site.id, engine, clock()) as killed:
        if finished(engine, folder.site.id, on):
            return None
        return _to_its_end(folder, on, now, engine, send, clock, fetch, say, True, pause, killed)


def run_alone(
    folder: SiteFolder,
    on: date,
    now: datetime,
    engine: Engine,
    *,
    send: Callable[[Message], None],
    clock: Callable[[], datetime],
    fetch: night.Fetch | None = None,
    say: night.Say = lambda _: None,
    page: bool = False,
    pause: Pause | None = None,
) -> dict[str, Any]:
    """`night.run` while no other night is at work on the site; at its end the heartbeat, and the page if asked for.

    Raises
    ------
    EnvironmentFailed : another night is at work.
    """
    with night_lock.alone(folder.path, folder.site.id, engine, clock()) as killed:
        return _to_its_end(folder, on, now, engine, send, clock, fetch, say, page, pause, killed)


def _to_its_end(
    folder: SiteFolder,
    on: date,
    now: datetime,
    engine: Engine,
    send: Callable[[Message], None],
    clock: Callable[[], datetime],
    fetch: night.Fetch | None,
    say: night.Say,
    page: bool,
    pause: Pause | None,
    killed: str,
) -> dict[str, Any]:
    summary = night.run(folder, on, now, engine, send=send, clock=clock, fetch=fetch, say=say, pause=pause)
    if killed:
        summary["notes"] = [*summary["notes"], f"the last run on this site was killed ({killed}); its lock is freed"]
    if page:
        say("writing the public page")
        summary["left_out"] = [*summary["left_out"], *public_page.after_the_night(folder, engine, on, now)]
    status = watchdog.status_of(summary)
    watchdog.note(folder.path, watchdog.Heartbeat(folder.site.id, folder.law.zone, on, clock(), status))
    return summary
