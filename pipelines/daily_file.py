"""Daily records out of any file that `read` understands, or out of a gauge of the site: one way in for every command.

A published daily value stands as it came; instants become means of civil days, with every code of the day beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pandas as pd

from ingest.formats import read
from ingest.local_time import instants
from ingest.reading import Reading
from models.checks.gauge_days import as_judged
from models.checks.surface_level_days import practice as own_practice
from models.checks.surface_level_days import raised
from models.errors import BadQuestion
from models.observation import Reject
from models.site import Gauge, Site
from models.streamflow.practice import Practice
from pipelines import daily
from pipelines.database import reading
from pipelines.known_at import instant_ms
from pipelines.recall import Recall
from pipelines.series_days import (
    Record,
    days_of,
    each_once,
    hole_rule,
    in_unit,
    is_daily_or_instant,
    published_or_instants,
    unit_notes,
    unit_of,
)
from pipelines.terminal import site_store

UNIT = {"discharge": "cfs", "stage": "ft"}
"""The unit in which a quantity is judged."""
VERSIONED = "date-value"
"""The csv whose series are versions of one record."""
REJECTS_SHOWN = 20
_NUMBERS = re.compile(r"([0-9]+)")


@dataclass(frozen=True)
class FileRecords:
    """Every daily record of a file.

    Parameters
    ----------
    records : by station and version (a csv) or sensor [cfs or ft].
    speaking : those that are asked: the last version of each station, and every series of a file without versions.
    notes : what was taken for granted.
    left_out : rows that could not be taken.
    """

    records: dict[tuple[str, str], Record]
    speaking: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def gauge_record(station: str, site_dir: Path, quantity: str, known_at: str | None) -> tuple[Record, Practice]:
    """The daily record of a gauge as it was known and as a night judges it, and the site's policy.

    Discharge [cfs]: a surrogate's transferred, the rating's error and the record's with it. Stage [ft]: above NAVD88
    where the gauge states its zero, else as its staff reads.

    Raises
    ------
    BadQuestion : neither a file nor a gauge of this quantity.
    """
    with site_store(site_dir) as (folder, engine), reading(engine) as connection:
        gauge = _gauge(folder.site, station, quantity)
        zone = ZoneInfo(folder.law.zone)
        known = None if known_at is None else instant_ms(known_at, zone)
        margin = folder.policy.uncertainty(gauge.record_rating)
        practice = replace(folder.policy.practice(), discharge_uncertainty=margin)
        days = daily.as_known(Recall(connection, zone, known), folder.path, gauge, practice, quantity)
        if quantity == "stage" and gauge.gauge_zero:
            return [raised(gauge, one) for one in days], own_practice(practice, gauge)
        return as_judged(gauge, days) if quantity == gauge.judged == "discharge" else days, practice


def _gauge(site: Site, station: str, quantity: str) -> Gauge:
    found = next((one for one in site.gauge if one.id == station), None)
    if found is None:
        raise BadQuestion("neither a file nor a gauge", found=station, allowed=[one.id for one in site.gauge])
    if quantity not in (found.measures, found.judged):
        raise BadQuestion(f"this gauge gives no {quantity}", key="--quantity", found=station, allowed=[found.measures])
    return found


def localised(got: Reading, zone: ZoneInfo) -> tuple[pd.DataFrame, list[Reject]]:
    """Observations of a file with its wall-clock readings as instants, and the readings of which the hour is unclear.

    Daily values keep their day.
    """
    naive = got.observations["clock"] == "naive"
    if not naive.any():
        return got.observations, []
    moved, rejects = instants(got.observations[naive], {}, zone, got.file)
    return pd.concat([got.observations[~naive], moved]).sort_index(), rejects


def file_records(path: Path, quantity: str, zone: ZoneInfo, format: str | None) -> FileRecords:
    """Every record of daily means in a file.

    Parameters
    ----------
    quantity : ``discharge`` or ``stage``; a bare csv may be either.

    Raises
    ------
    BadQuestion : no daily or continuous values of it, two rows of one day that differ, several units in one series.
    """
    got = read(path, format=format)
    rows, late = localised(got, zone)
    groups = dict(grouped(rows[is_daily_or_instant(rows, quantity)]))
    if not groups:
        raise BadQuestion(f"no daily mean or continuous {quantity} in it", file=got.file)
    speaking = last_versions(groups) if got.format == VERSIONED else tuple(groups)
    units = {key: unit_of(group, got.file) for key, group in groups.items()}
    records = {key: _record(group, units[key], quantity, zone, got.file) for key, group in groups.items()}
    notes = [*unit_notes(units.values(), UNIT[quantity]), *_version_notes(groups, speaking)]
    return FileRecords(records, speaking, tuple(notes), tuple(left_out([*got.rejects, *late])))


def _record(rows: pd.DataFrame, unit: str, quantity: str, zone: ZoneInfo, file: str) -> Record:
    days = days_of(published_or_instants(rows), zone, hole_rule(unit) if quantity == "stage" else None)
    return each_once([in_unit(one, unit, UNIT[quantity]) for one in days], file)


def last_versions(groups: Mapping[tuple[str, str], pd.DataFrame]) -> tuple[tuple[str, str], ...]:
    """The last version of each station: by the numbers in its name, v9 before v10; else the one written last."""
    by_station: dict[str, list[tuple[str, str]]] = {}
    for key in groups:
        by_station.setdefault(key[0], []).append(key)
    return tuple(_last(keys, groups) for keys in by_station.values())


def _last(keys: Sequence[tuple[str, str]], groups: Mapping[tuple[str, str], pd.DataFrame]) -> tuple[str, str]:
    words = {_NUMBERS.sub("#", version) for _, version in keys}
    if len(words) == 1:
        return max(keys, key=lambda one: [int(number) for number in _NUMBERS.findall(one[1])])
    return max(keys, key=lambda one: int(groups[one]["row"].max()))


def _version_notes(
    groups: Mapping[tuple[str, str], pd.DataFrame], speaking: Sequence[tuple[str, str]]
) -> Iterator[str]:
    for station, version in speaking:
        others = [other for name, other in groups if name == station and (name, other) not in speaking]
        if others:
            yield f"{station} version {version} is judged; before it: {', '.join(others)}".strip()


def left_out(rejects: Sequence[Reject]) -> Iterator[str]:
    """Rows that could not be taken, in words."""
    for one in rejects[:REJECTS_SHOWN]:
        yield f"row {one.row}: {one.column} {one.raw!r}: {one.reason}"
    if len(rejects) > REJECTS_SHOWN:
        yield f"and {len(rejects) - REJECTS_SHOWN} more rows"


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
