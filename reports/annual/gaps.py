"""Chapter 7: what is not in the tables: rejected rows, days without data, silent stations, unadopted thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from itertools import groupby

import pandas as pd

from models.parameters import parameter
from models.streamflow.day_states import DayState
from reports.annual.record import AnnualRecord, Levels
from reports.annual.streamflow import Day, days_of
from reports.annual.table import Chapter, Column, Row, Section, Table, row_span

SAYS = (
    "A row that could not be read is kept with its reason and is not in any table above. A gap is said, never filled.",
)
ONE_DAY = timedelta(days=1)
ROWS = Column("Rows", "rows")


def chapter(record: AnnualRecord) -> Chapter:
    """Five tables of what is missing."""
    tables = (_rejects(record), _flow_gaps(record), _level_gaps(record), _last_seen(record), _thresholds(record))
    return Chapter(7, "Rejects and gaps", SAYS, (Section("", (), tables),))


def _rejects(record: AnnualRecord) -> Table:
    columns = (
        Column("File"), Column("Row", "count"), Column("Column"), Column("As it stood"), Column("Reason"),
        Column("Arrived", "date"),
    )  # fmt: skip
    rows = [
        (one["file"], one["row"], one["column"], one["raw"], one["reason"], record.local(one["arrived_at"]).date())
        for one in record.rejects
    ]
    note = f"Of files that arrived from {record.start} to {record.on}. Row 0 is a whole file."
    return Table("7.1", "Rejected rows", "Rejected rows", columns, rows, (note,), "no row was rejected")


def _flow_gaps(record: AnnualRecord) -> Table:
    columns = (
        Column("Gauge", "id"),
        Column("From", "date"),
        Column("To", "date"),
        Column("Days", "count"),
        Column("Why"),
        ROWS,
    )
    rows = [row for one in record.flows for row in _unknown_runs(one.gauge.id, days_of(record, one))]
    return Table("7.2", "Days without a known flow", "Flow gaps", columns, rows, empty="every day is known")


def _unknown_runs(gauge: str, days: Iterable[Day]) -> Iterator[Row]:
    unknown = [day for day in days if day.state is DayState.UNKNOWN]
    for _, group in groupby(enumerate(unknown), lambda pair: (pair[1].day.toordinal() - pair[0], pair[1].why)):
        run = [day for _, day in group]
        rows = row_span(day.row for day in run)
        yield gauge, run[0].day, run[-1].day, len(run), run[0].why, rows


def _level_gaps(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"),
        Column("By"),
        Column("From", "date"),
        Column("To", "date"),
        Column("Days", "count"),
    )
    rows = [row for one in record.levels for row in _level_rows(record, one)]
    note = "Loggers: days without a depth. Tape: calendar months without a reading that gave a depth or a dry hole."
    return Table("7.3", "Water levels missing", "Level gaps", columns, rows, (note,), "no gap")


def _level_rows(record: AnnualRecord, one: Levels) -> Iterator[Row]:
    if one.well.logger:
        logged = one.readings[(one.readings["kind"] == "logger") & one.readings["depth_ft"].notna()]
        yield from _missing_days(record, one.well.id, logged)
    if one.well.use in {"monitoring", "private"}:
        tape = one.readings[(one.readings["kind"] == "hand") & (one.readings["depth_ft"].notna() | one.readings["dry"])]
        read = {day.month for day in tape["day"]}
        for month in sorted(set(range(1, record.end.month + 1)) - read):
            first = date(record.year, month, 1)
            last = min(date.fromordinal((first + timedelta(days=32)).replace(day=1).toordinal() - 1), record.end)
            yield one.well.id, "tape", first, last, (last - first).days + 1


def _missing_days(record: AnnualRecord, well: str, logged: pd.DataFrame) -> Iterator[Row]:
    known = {day.toordinal() for day in logged["day"]}
    missing = [n for n in range(record.start.toordinal(), record.end.toordinal() + 1) if n not in known]
    for _, group in groupby(enumerate(missing), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield well, "logger", date.fromordinal(run[0]), date.fromordinal(run[-1]), len(run)


_HOUSEHOLDS = {parameter("pump_status").name}
"""What a household noted of its own water is not told."""


def _last_seen(record: AnnualRecord) -> Table:
    columns = (
        Column("Station", "id"), Column("Measured"), Column("Last value", "date"),
        Column("Days before the end", "count"), Column("Remark"),
    )  # fmt: skip
    limit = record.policy.stale_after.value
    gauges = {gauge.id for gauge in record.site.gauge}
    rows: list[Row] = []
    for station, measured, last in record.last_seen:
        if measured in _HOUSEHOLDS:
            continue
        silent = (record.end - last).days
        remark = "silent longer than the threshold" if station in gauges and silent > limit else ""
        rows.append((station, measured, last, silent, remark))
    heard = {station for station, _, _ in record.last_seen}
    rows += [
        (one.id, "", None, None, "no value in the record") for one in record.site.stations() if one.id not in heard
    ]
    note = f"The end is {record.end}. A gauge is silent after {record.policy.stale_after.says()}."
    return Table("7.4", "Last value of every station", "Last values", columns, rows, (note,))


def _thresholds(record: AnnualRecord) -> Table:
    columns = (Column("Threshold"), Column("Value", "number"), Column("Unit"), Column("Standing"))
    rows = [
        (name.replace("_", " "), getattr(record.policy, name).value, getattr(record.policy, name).unit, "not adopted")
        for name in record.policy.unadopted()
    ]
    note = "What the ordinance leaves open and nobody has adopted: the program's defaults were used."
    return Table("7.5", "Thresholds not adopted", "Thresholds", columns, rows, (note,), "every threshold is adopted")
