"""The one daily record of discharge that a command is asked about, in cfs: of a file, or of a gauge of the site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import pandas as pd

from ingest.formats import read
from ingest.reading import Told
from models.errors import BadQuestion
from models.observation import PERIODS, Reject
from models.policy import default_policy
from models.streamflow.day_states import DailyFlow
from models.streamflow.practice import Practice
from models.units import convert
from pipelines.daily_file import BARE, days_of, gauge_record, grouped, localised, zone_of
from pipelines.known_at import only_for_stations

CFS = "cfs"
REJECTS_SHOWN = 20
VERSIONED = "date-value"
"""The csv whose series are versions of one record."""


@dataclass(frozen=True)
class Asked:
    """Which daily discharge is meant.

    Parameters
    ----------
    source : a file, or a gauge of the site.
    station, series : the one wanted where a file holds several; ``station`` also names the only one of a bare csv.
    unit : where the file does not say; none is cfs.
    first, last : days outside are left out.
    """

    source: str
    site_dir: Path
    station: str = ""
    series: str = ""
    unit: str = ""
    zone: str = "America/Chicago"
    format: str | None = None
    known_at: str | None = None
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True)
class DailySeries:
    """Daily mean discharge of one gauge.

    Parameters
    ----------
    station, series : as the file names them; either may be empty.
    days : in order [cfs].
    practice : the thresholds and codes by which a day is unknown.
    notes : what was taken for granted.
    left_out : rows of the file that could not be taken.
    """

    station: str
    series: str
    days: Sequence[DailyFlow]
    practice: Practice
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Station and series in one."""
        return " ".join(part for part in (self.station, self.series) if part)


def daily_discharge(asked: Asked) -> DailySeries:
    """The one daily record of discharge [cfs] that was asked for.

    Raises
    ------
    BadQuestion : none, or several (named), or a day twice, or no day in the span asked for.
    """
    path = Path(asked.source)
    of_file = path.exists() or not (asked.site_dir / "site.toml").is_file()
    found = _of_file(path, asked) if of_file else _of_gauge(asked)
    days = [one for one in found.days if (asked.first or date.min) <= one.day <= (asked.last or date.max)]
    if not days:
        said = f"{found.days[0].day} to {found.days[-1].day}"
        raise BadQuestion("no day in this span", key="--from, --to", file=asked.source, allowed=[said])
    return replace(found, days=_each_once(days, asked.source))


def _of_file(path: Path, asked: Asked) -> DailySeries:
    only_for_stations(asked.known_at, asked.source)
    got = read(path, format=asked.format, told=Told(station=asked.station, unit=asked.unit))
    rows, late = localised(got, zone_of(asked.zone))
    key, series = _chosen(rows[_is_daily_or_instant(rows)], asked, got.format == VERSIONED)
    published = series[series["clock"] == "day"]
    chosen = published if len(published) else series
    unit = str(chosen["unit"].iloc[0])
    days = [_in_cfs(one, unit) for one in days_of(chosen, zone_of(asked.zone))]
    return DailySeries(
        *key, days, default_policy().practice(), tuple(_notes(unit, series)), tuple(_left_out([*got.rejects, *late]))
    )


def _of_gauge(asked: Asked) -> DailySeries:
    if asked.station or asked.series:
        raise BadQuestion("a gauge of the site has one daily record", key="--station, --series", found=asked.source)
    days, practice = gauge_record(asked.source, asked.site_dir, "discharge", asked.known_at)
    if not days:
        raise BadQuestion("no discharge on record for this gauge", found=asked.source)
    return DailySeries(asked.source, "", days, practice)


def _is_daily_or_instant(rows: pd.DataFrame) -> pd.Series:
    """A daily maximum or minimum is no mean, and a monthly value no day."""
    daily_mean = (rows["statistic"] == "mean") & (rows["clock"] == "day")
    return (rows["parameter"] == "discharge") & (daily_mean | (rows["clock"] == "utc"))


def _chosen(rows: pd.DataFrame, asked: Asked, versioned: bool) -> tuple[tuple[str, str], pd.DataFrame]:
    groups = dict(grouped(rows))
    if not groups:
        raise BadQuestion("no daily or continuous discharge in it", file=asked.source)
    wanted = {key: one for key, one in groups.items() if _matches(key, asked)}
    if versioned and len({station for station, _ in wanted}) == 1:
        return list(wanted.items())[-1]  # the last version speaks
    if len(wanted) != 1:
        key = "--station, --series"
        found = " ".join(part for part in (asked.station, asked.series) if part) or None
        reason = "several series of discharge in it; say which" if len(wanted) > 1 else "no such series in it"
        raise BadQuestion(reason, file=asked.source, key=key, found=found, allowed=[_named(one) for one in groups])
    return wanted.popitem()


def _matches(key: tuple[str, str], asked: Asked) -> bool:
    station, series = key
    return asked.station in ("", station) and asked.series in ("", series)


def _named(key: tuple[str, str]) -> str:
    return " ".join(part for part in key if part) or "(not named)"


def _in_cfs(day: DailyFlow, unit: str) -> DailyFlow:
    if unit in (BARE, CFS) or day.value is None:
        return day
    return replace(day, value=convert(day.value, unit, CFS))


def _each_once(days: Sequence[DailyFlow], source: str) -> list[DailyFlow]:
    """One row a day: a row written twice is one, two that differ are a question only a person can answer."""
    by_day: dict[date, DailyFlow] = {}
    for one in days:
        if by_day.setdefault(one.day, one) != one:
            found = f"{by_day[one.day].value} and {one.value}"
            raise BadQuestion("two rows of one day differ", file=source, key=one.day.isoformat(), found=found)
    return list(by_day.values())


def _notes(unit: str, rows: pd.DataFrame) -> Iterator[str]:
    if unit == BARE:
        yield "the file names no unit: taken as cfs (--unit says otherwise)"
    elif unit != CFS:
        yield f"converted from {unit} to cfs"
    instants = ~rows["clock"].isin(PERIODS)
    if instants.all():
        yield "daily means of civil days are our own, from the instants of the file"
    elif instants.any():
        yield "the daily values of the file are used, its instants are not"


def _left_out(rejects: Sequence[Reject]) -> Iterator[str]:
    for one in rejects[:REJECTS_SHOWN]:
        yield f"row {one.row}: {one.column} {one.raw!r}: {one.reason}"
    if len(rejects) > REJECTS_SHOWN:
        yield f"and {len(rejects) - REJECTS_SHOWN} more rows"
