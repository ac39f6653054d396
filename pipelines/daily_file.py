"""Daily records out of any file that `read` understands, or out of a gauge of the site: one way in for every command.

A published daily value stands as it came; instants become means of civil days, with every code of the day beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
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
from models.observation import PERIODS, Flags, Reject
from models.site import Gauge, Site
from models.streamflow.daily_mean import DailyMean, daily_means
from models.streamflow.day_states import DailyFlow, Quantity
from models.streamflow.practice import PRACTICE, Practice
from models.units import convert
from pipelines import daily
from pipelines.database import reading
from pipelines.known_at import instant_ms
from pipelines.recall import Recall, civil_days, flags_of_instants
from pipelines.terminal import site_store

Record = list[DailyFlow]
BARE = "1"
"""The unit of a csv that names none."""
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
    days = days_of(published_or_instants(rows), zone, _hole_rule(unit) if quantity == "stage" else None)
    return each_once([in_unit(one, unit, UNIT[quantity]) for one in days], file)


def is_daily_or_instant(rows: pd.DataFrame, quantity: str) -> pd.Series:
    """A daily maximum or minimum is no mean, a monthly value no day, and a bare csv may hold either quantity."""
    daily_mean = (rows["statistic"] == "mean") & (rows["clock"] == "day")
    wanted = (rows["parameter"] == quantity) | (rows["unit"] == BARE)
    return wanted & (daily_mean | (rows["clock"] == "utc"))


def published_or_instants(rows: pd.DataFrame) -> pd.DataFrame:
    """The published days of a series, or where it has none its instants."""
    published = rows[rows["clock"] == "day"]
    return published if len(published) else rows


def unit_of(rows: pd.DataFrame, file: str) -> str:
    """The one unit of a series.

    Raises
    ------
    BadQuestion : there are several.
    """
    units = rows["unit"].unique().tolist()
    if len(units) > 1:
        raise BadQuestion("several units in one series", file=file, found=", ".join(units), allowed=["one"])
    return str(units[0])


def in_unit(day: DailyFlow, unit: str, wanted: str) -> DailyFlow:
    """The day in another unit; a value that names none stands."""
    if unit in (BARE, wanted) or day.value is None:
        return day
    return replace(day, value=convert(day.value, unit, wanted))


def each_once(days: Sequence[DailyFlow], file: str) -> Record:
    """One row a day: a row written twice is one, two that differ are a question only a person can answer.

    Raises
    ------
    BadQuestion : two rows of one day that differ.
    """
    by_day: dict[date, DailyFlow] = {}
    for one in days:
        had = by_day.setdefault(one.day, one)
        if replace(had, version="") != replace(one, version=""):
            rows, found = (f"rows {had.version} and {one.version}", f"{had.value} and {one.value}")
            key = f"{rows}: {one.day}" if one.version else one.day.isoformat()
            raise BadQuestion("two rows of one day differ", file=file, key=key, found=found)
    return list(by_day.values())


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


def unit_notes(units: Iterable[str], wanted: str) -> Iterator[str]:
    """What became of units."""
    for unit in dict.fromkeys(units):
        if unit == BARE:
            yield f"the file names no unit: taken as {wanted}"
        elif unit != wanted:
            yield f"converted from {unit} to {wanted}"


def left_out(rejects: Sequence[Reject]) -> Iterator[str]:
    """Rows that could not be taken, in words."""
    for one in rejects[:REJECTS_SHOWN]:
        yield f"row {one.row}: {one.column} {one.raw!r}: {one.reason}"
    if len(rejects) > REJECTS_SHOWN:
        yield f"and {len(rejects) - REJECTS_SHOWN} more rows"


def _hole_rule(unit: str) -> Practice:
    """The practice for a stage in the unit of its file: what the edges of a hole may differ by is in feet."""
    within = PRACTICE.stage_uncertainty_ft
    return PRACTICE if unit in (BARE, "ft") else replace(PRACTICE, stage_uncertainty_ft=convert(within, "ft", unit))


def days_of(rows: pd.DataFrame, zone: ZoneInfo, stage: Practice | None = None) -> Iterator[DailyFlow]:
    """One series day by day: as published, or our own means where it holds instants.

    ``stage``: of a stage, the practice in the unit of its rows.
    """
    published = rows["clock"].isin(PERIODS)
    if not published.all():
        yield from _own_means(rows[~published], zone, stage)
        return
    bare = (rows["unit"] == BARE).all()
    columns = (rows[name] for name in ("time_ms", "value_text", "flags", "row"))
    for time_ms, text, flags_text, row in zip(*columns, strict=True):
        flags = Flags.parse(flags_text)
        coverage = flags.facts.get("coverage")
        yield DailyFlow(
            datetime.fromtimestamp(time_ms / 1000, UTC).date(),
            Decimal(text) if text else None,
            "bare" if bare else "published",
            flags.qualifiers,
            flags.approval,
            None if coverage is None else Decimal(coverage),
            version=str(row),
        )


def _own_means(rows: pd.DataFrame, zone: ZoneInfo, stage: Practice | None) -> Iterator[DailyFlow]:
    once = rows.drop_duplicates("time_ms")
    flags = _flags_by_day(once, zone)
    times, values = once["time_ms"].to_numpy(), once["value"].to_numpy()
    quantity: Quantity = "stage" if stage else "discharge"
    for one in daily_means(times, values, zone, quantity=quantity, practice=stage or PRACTICE):
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
    unlike = rows.assign(day=civil_days(rows["time_ms"], zone), blank=rows["value"].isna())
    groups = unlike.drop_duplicates(["day", "flags", "blank"]).groupby("day", sort=False)
    return {group["day"].iloc[0]: flags_of_instants(group) for _, group in groups}


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
