"""Probes of the store: does it open, is it ours, can it be written, how large is it, how old is what it holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Engine, make_url, select, text

from pipelines import casebook, fetch_record, schema
from pipelines.database import HEAD, default_url, opened, reading, transaction
from pipelines.delivery_rows import about_deliveries
from pipelines.inbox import waiting
from pipelines.recall import Recall
from pipelines.seals import chains
from pipelines.site_folder import SiteFolder

Row = tuple[str, Literal["ok", "warn", "fail"], str, str]
"""Probe, state, what it says, what to do."""


def about_store(folder: SiteFolder, env: Mapping[str, str], now: datetime) -> Iterator[Row]:
    """Database and freshness; a database that does not exist yet is not made."""
    url = default_url(folder.path, env)
    path = _sqlite_file(url)
    if path is not None and not path.exists():
        yield "database", "warn", f"there is no {path.name} yet", "the first night makes it"
        return
    with opened(url) as engine:
        with transaction(engine):
            size = _bytes(engine, path)
        yield "database", "ok", f"{engine.dialect.name}, schema {HEAD}, writable, {size / 1e6:.1f} MB", ""
        with reading(engine) as connection:
            yield _sealed(connection)
            yield from _unfinished(connection, folder)
            yield from _not_fetched(connection, folder)
            yield _freshness(connection, folder, now)
            yield from about_deliveries(connection, folder, now)


def _sealed(connection: Connection) -> Row:
    """Whether every log is as it was recorded."""
    found = chains(connection)
    broken = [f"{one.log}: {one.says()}" for one in found if not one.intact]
    if broken:
        return "seals", "fail", "; ".join(broken), "restore a backup; `headwater verify` shows every log"
    return "seals", "ok", f"{sum(one.rows for one in found)} rows of {len(found)} logs as they were recorded", ""


def _sqlite_file(url: str) -> Path | None:
    database = make_url(url).database
    return Path(database) if url.startswith("sqlite") and database else None


def _bytes(engine: Engine, path: Path | None) -> int:
    if path is not None:
        return sum(one.stat().st_size for one in path.parent.glob(f"{path.name}*"))
    with reading(engine) as connection:
        return int(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())


def _unfinished(connection: Connection, folder: SiteFolder) -> Iterator[Row]:
    nights = casebook.nights(connection, folder.site.id)
    open_ones = sorted({str(one["on_day"]) for one in nights[-1:] if not one["finished_at"]})
    for day in open_ones:
        yield "database", "warn", f"the night of {day} did not finish", f"headwater nightly --as-of {day}"


def _not_fetched(connection: Connection, folder: SiteFolder) -> Iterator[Row]:
    """Sources whose last answer was none, or not whole."""
    for one in fetch_record.entries(connection, folder.site):
        if one.missed():
            yield "fetch", "warn", one.missed(), "headwater fetch"


def _freshness(connection: Connection, folder: SiteFolder, now: datetime) -> Row:
    """The last day each gauge says something of, against the town's own patience."""
    zone = ZoneInfo(folder.law.zone)
    yesterday = now.astimezone(zone).date() - timedelta(days=1)
    recall, patience = Recall(connection, zone), int(folder.policy.stale_after.value)
    last = {one.id: recall.last_known_day(one.id, one.judged, yesterday) for one in folder.site.gauge}
    stale = {id: day for id, day in last.items() if day is None or (yesterday - day).days > patience}
    if stale:
        unread = {id for id, day in stale.items() if day is None} & _unread(connection, folder)
        to_read = unread or any(waiting(folder.inbox))
        do = "headwater nightly" if to_read else "look for their files in inbox/ and inbox/rejected/"
        said = [f"{id} {'with values no night has read yet' if id in unread else _since(stale[id])}" for id in stale]
        return "stations", "warn", f"stale: {', '.join(said)}", do
    return "stations", "ok", f"{len(last)} gauges have a value of the last {patience} days", ""


def _unread(connection: Connection, folder: SiteFolder) -> set[str]:
    """Stations of which the store took values after the last night: `headwater fetch` stores, and judges nothing."""
    ended = max((one["finished_at"] or 0 for one in casebook.nights(connection, folder.site.id)), default=0)
    series, observation = schema.series.c, schema.observation.c
    newer = select(observation.series_id).where(observation.known_at > ended)
    return set(connection.execute(select(series.station).where(series.id.in_(newer))).scalars())


def _since(day: date | None) -> str:
    return "without any value" if day is None else f"since {day}"
