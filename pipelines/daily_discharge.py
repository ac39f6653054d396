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
from models.observation import PERIODS
from models.policy import default_policy
from models.streamflow.day_states import DailyFlow
from models.streamflow.practice import Practice
from pipelines.daily_file import UNIT, VERSIONED, gauge_record, grouped, last_versions, left_out, localised, zone_of
from pipelines.known_at import only_for_stations
from pipelines.series_days import (
    BARE,
    days_of,
    each_once,
    in_unit,
    is_daily_or_instant,
    published_or_instants,
    unit_notes,
    unit_of,
)

DISCHARGE = "discharge"
CFS = UNIT[DISCHARGE]


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
    return replace(found, days=each_once(days, asked.source))


def _of_file(path: Path, asked: Asked) -> DailySeries:
    only_for_stations(asked.known_at, asked.source)
    got = read(path, format=asked.format, told=Told(station=asked.station, unit=asked.unit))
    rows, late = localised(got, zone_of(asked.zone))
    key, series = _chosen(rows[is_daily_or_instant(rows, DISCHARGE)], asked, got.format == VERSIONED)
    unit = unit_of(series, asked.source)
    days = [in_unit(one, unit, CFS) for one in days_of(published_or_instants(series), zone_of(asked.zone))]
    return DailySeries(
        *key, days, default_policy().practice(), tuple(_notes(unit, series)), tuple(left_out([*got.rejects, *late]))
    )


def _of_gauge(asked: Asked) -> DailySeries:
    if asked.station or asked.series:
        raise BadQuestion("a gauge of the site has one daily record", key="--station, --series", found=asked.source)
    days, practice = gauge_record(asked.source, asked.site_dir, DISCHARGE, asked.known_at)
    if not days:
        raise BadQuestion("no discharge on record for this gauge", found=asked.source)
    return DailySeries(asked.source, "", days, practice)


def _chosen(rows: pd.DataFrame, asked: Asked, versioned: bool) -> tuple[tuple[str, str], pd.DataFrame]:
    groups = dict(grouped(rows))
    if not groups:
        raise BadQuestion("no daily or continuous discharge in it", file=asked.source)
    wanted = {key: one for key, one in groups.items() if _matches(key, asked)}
    if versioned and len({station for station, _ in wanted}) == 1:
        (last,) = last_versions(wanted)
        return last, wanted[last]
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


def _notes(unit: str, rows: pd.DataFrame) -> Iterator[str]:
    for one in unit_notes([unit], CFS):
        yield f"{one} (--unit says otherwise)" if unit == BARE else one
    instants = ~rows["clock"].isin(PERIODS)
    if instants.all():
        yield "daily means of civil days are our own, from the instants of the file"
    elif instants.any():
        yield "the daily values of the file are used, its instants are not"
