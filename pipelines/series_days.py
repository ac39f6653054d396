"""One series of a file day by day: published daily values as they came, instants as means of civil days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pandas as pd

from models.errors import BadQuestion
from models.observation import PERIODS, Flags
from models.streamflow.daily_mean import DailyMean, daily_means
from models.streamflow.day_states import DailyFlow, Quantity
from models.streamflow.practice import PRACTICE, Practice
from models.units import convert
from pipelines.recall import civil_days, flags_of_instants

Record = list[DailyFlow]
BARE = "1"
"""The unit of a csv that names none."""


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


def unit_notes(units: Iterable[str], wanted: str) -> Iterator[str]:
    """What became of units."""
    for unit in dict.fromkeys(units):
        if unit == BARE:
            yield f"the file names no unit: taken as {wanted}"
        elif unit != wanted:
            yield f"converted from {unit} to {wanted}"


def hole_rule(unit: str) -> Practice:
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
