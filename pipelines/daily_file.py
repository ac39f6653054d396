"""Daily records out of any file that `read` understands, or out of a gauge of the site: one way in for every command.

A published daily value stands as it came; instants become means of civil days, with every code of the day beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pandas as pd

from ingest.local_time import instants
from ingest.reading import Reading
from models.errors import BadQuestion
from models.observation import PERIODS, Flags, Reject
from models.streamflow.daily_mean import DailyMean, daily_means
from models.streamflow.day_states import DailyFlow
from models.streamflow.practice import Practice
from pipelines import daily
from pipelines.database import reading
from pipelines.known_at import instant_ms
from pipelines.recall import Recall, civil_days
from pipelines.terminal import site_store

Record = list[DailyFlow]
BARE = "1"
"""The unit of a csv that names none."""


def gauge_record(station: str, site_dir: Path, quantity: str, known_at: str | None) -> tuple[Record, Practice]:
    """The daily record of a gauge as it was known [cfs or ft], and the site's policy for days that are not complete.

    Raises
    ------
    BadQuestion : neither a file nor a gauge of this quantity.
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        gauges = [one for one in folder.site.gauge if quantity in (one.measures, one.judged)]
        gauge = next((one for one in gauges if one.id == station), None)
        if gauge is None:
            raise BadQuestion("neither a file nor a gauge", found=station, allowed=[one.id for one in gauges])
        zone = ZoneInfo(folder.law.zone)
        known = None if known_at is None else instant_ms(known_at, zone)
        practice = folder.policy.practice()
        return daily.as_known(Recall(connection, zone, known), folder.path, gauge, practice, quantity), practice


def localised(got: Reading, zone: ZoneInfo) -> tuple[pd.DataFrame, list[Reject]]:
    """Observations of a file with its wall-clock readings as instants, and the readings of which the hour is unclear.

    Daily values keep their day.
    """
    naive = got.observations["clock"] == "naive"
    if not naive.any():
        return got.observations, []
    moved, rejects = instants(got.observations[naive], {}, zone, got.file)
    return pd.concat([got.observations[~naive], moved]).sort_index(), rejects


def records(rows: pd.DataFrame, quantity: str, zone: ZoneInfo) -> dict[tuple[str, str], Record]:
    """Daily records in the file's own unit, by station and version (a csv) or sensor.

    Parameters
    ----------
    rows : tidy observations, as `localised` gives them.
    quantity : ``discharge`` or ``stage``; a bare csv may be either.
    """
    wanted = rows[(rows["parameter"] == quantity) | (rows["unit"] == BARE)]
    return {key: list(days_of(group, zone)) for key, group in grouped(wanted)}


def days_of(rows: pd.DataFrame, zone: ZoneInfo) -> Iterator[DailyFlow]:
    """One series day by day: as published, or our own means where it holds instants."""
    published = rows["clock"].isin(PERIODS)
    if not published.all():
        yield from _own_means(rows[~published], zone)
        return
    bare = (rows["unit"] == BARE).all()
    for time_ms, text, flags_text in zip(rows["time_ms"], rows["value_text"], rows["flags"], strict=True):
        flags = Flags.parse(flags_text)
        coverage = flags.facts.get("coverage")
        yield DailyFlow(
            datetime.fromtimestamp(time_ms / 1000, UTC).date(),
            Decimal(text) if text else None,
            "computed" if bare else "published",
            flags.qualifiers,
            flags.approval,
            None if coverage is None else Decimal(coverage),
        )


def _own_means(rows: pd.DataFrame, zone: ZoneInfo) -> Iterator[DailyFlow]:
    once = rows.drop_duplicates("time_ms")
    flags = _flags_by_day(once, zone)
    for one in daily_means(once["time_ms"].to_numpy(), once["value"].to_numpy(), zone):
        yield _own_mean(one, flags.get(one.day, [Flags()]))


def _own_mean(one: DailyMean, flags: Sequence[Flags]) -> DailyFlow:
    """A code on any instant of a day speaks for the day; it is approved where every instant is."""
    approvals = {flag.approval for flag in flags}
    return DailyFlow(
        one.day,
        None if one.mean is None else Decimal(repr(one.mean)),
        "computed",
        tuple(sorted({mark for flag in flags for mark in flag.qualifiers})),
        approvals.pop() if len(approvals) == 1 else "P",
        one.coverage,
        one.hole_too_long,
    )


def _flags_by_day(rows: pd.DataFrame, zone: ZoneInfo) -> dict[date, list[Flags]]:
    unlike = rows.assign(day=civil_days(rows["time_ms"], zone))[["day", "flags"]].drop_duplicates()
    found: dict[date, list[Flags]] = {}
    for day, text in zip(unlike["day"], unlike["flags"], strict=True):
        found.setdefault(day, []).append(Flags.parse(text))
    return found


def zone_of(name: str) -> ZoneInfo:
    """A zone by its IANA name.

    Raises
    ------
    BadQuestion : there is no such zone.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise BadQuestion("no such zone", key="--zone", found=name, allowed=["America/Chicago", "…"]) from None


def grouped(rows: pd.DataFrame) -> Iterator[tuple[tuple[str, str], pd.DataFrame]]:
    """Rows by station and series, each in order of time."""
    groups = rows.sort_values("time_ms", kind="stable").groupby(["station", "series"], sort=False)
    for (station, series), group in groups:
        yield (str(station), str(series)), group
