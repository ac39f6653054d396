"""Chapter 2: water levels. Depth is below land surface [ft]; tape, logger and published values are told apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from reports.annual.figures import level_figure
from reports.annual.record import AnnualRecord, Levels
from reports.annual.table import Chapter, Column, Row, Section, Table, row_span

KINDS = {"hand": "tape", "logger": "logger", "daily": "daily value"}
NOT_AT_REST = "Pumping"
QUARTERS = {1: "January to March", 2: "April to June", 3: "July to September", 4: "October to December"}
DEPTH = Column("Depth [ft below land]", "number", 2)
ROWS = Column("Rows", "rows")

SAYS = (
    "Depth is from land surface to water. Tape readings, logger readings (freed of air pressure) and published daily "
    "values are never mixed into one number. Readings taken while the pump ran, dry holes and readings without a depth "
    "are counted apart and stay out of the statistics.",
)


def chapter(record: AnnualRecord) -> Chapter:
    """Statistics, seasons, every tape reading and a hydrograph per well."""
    tables = (_statistics(record), _seasons(record), _tape(record), _daily(record), _other(record))
    figures = tuple(level_figure(record, one) for one in record.levels if _at_rest(one).size)
    return Chapter(2, "Water levels", SAYS, (Section("", (), tables), Section("Hydrographs", (), (), figures)))


def _at_rest(one: Levels) -> pd.DataFrame:
    frame = one.readings
    return frame[frame["depth_ft"].notna() & ~frame["marks"].str.contains(NOT_AT_REST, regex=False)]


def _groups(record: AnnualRecord) -> Iterator[tuple[str, str, pd.DataFrame, pd.DataFrame]]:
    """Well, kind, all its readings, and those at rest."""
    for one in record.levels:
        rest = _at_rest(one)
        for kind in KINDS:
            of_kind = one.readings[one.readings["kind"] == kind]
            if len(of_kind):
                yield one.well.id, kind, of_kind, rest[rest["kind"] == kind]


def _statistics(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"), Column("By"), Column("Readings used", "count"), Column("Left out", "count"),
        Column("First", "date"), Column("Last", "date"), Column("Shallowest [ft below land]", "number", 2),
        Column("On", "date"), Column("Deepest [ft below land]", "number", 2), Column("On", "date"),
        Column("Mean [ft below land]", "number", 2), Column("Mean elevation [ft]", "number", 2), ROWS,
    )  # fmt: skip
    rows = [_statistics_row(*group) for group in _groups(record)]
    with_none = [one.well.id for one in record.levels if not len(one.readings)]
    note = (f"No water level is recorded in the year at {', '.join(with_none)}.",) if with_none else ()
    return Table("2.1", "Water levels by well", "Levels by well", columns, rows, note)


def _statistics_row(well: str, kind: str, every: pd.DataFrame, rest: pd.DataFrame) -> Row:
    out = len(every) - len(rest)
    if rest.empty:
        return (well, KINDS[kind], 0, out, *[None] * 8, row_span(every["row_id"].tolist()))
    depth = rest["depth_ft"].to_numpy()
    low, high = rest.iloc[int(depth.argmin())], rest.iloc[int(depth.argmax())]
    return (
        well, KINDS[kind], len(rest), out, rest["day"].iloc[0], rest["day"].iloc[-1], float(low["depth_ft"]),
        low["day"], float(high["depth_ft"]), high["day"], float(rest["depth_ft"].mean()), _mean(rest["elevation_ft"]),
        row_span(every["row_id"].tolist()),
    )  # fmt: skip


def _mean(values: pd.Series) -> float | None:
    known = values.dropna()
    return float(known.mean()) if len(known) else None


def _seasons(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"), Column("By"), Column("Quarter"), Column("Readings", "count"),
        Column("Shallowest [ft below land]", "number", 2), Column("Mean [ft below land]", "number", 2),
        Column("Deepest [ft below land]", "number", 2), ROWS,
    )  # fmt: skip
    rows = [row for well, kind, _, rest in _groups(record) for row in _season_rows(well, kind, rest)]
    return Table("2.2", "Water levels by season", "Levels by season", columns, rows)


def _season_rows(well: str, kind: str, rest: pd.DataFrame) -> Iterator[Row]:
    quarter = rest["day"].map(lambda day: (day.month + 2) // 3).astype("int64")
    for number, part in rest.groupby(quarter):
        depth = part["depth_ft"]
        numbers = (float(depth.min()), float(depth.mean()), float(depth.max()))
        yield (well, KINDS[kind], QUARTERS[int(str(number))], len(part), *numbers, row_span(part["row_id"].tolist()))


def _tape(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"), Column(f"Read at ({record.law.zone})", "instant"), DEPTH,
        Column("Elevation [ft]", "number", 2), Column("Remark"), ROWS,
    )  # fmt: skip
    rows = [
        (one.well.id, record.local(int(row.time_ms)), _number(row.depth_ft), _number(row.elevation_ft), row.marks,
         row.row_id)
        for one in record.levels
        for row in _tuples(one.readings[one.readings["kind"] == "hand"])
    ]  # fmt: skip
    return Table("2.3", "Every tape reading", "Tape readings", columns, rows)


def _tuples(frame: pd.DataFrame) -> list[Any]:
    return list(frame.itertuples(index=False))


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _daily(record: AnnualRecord) -> Table:
    columns = (
        Column("Well", "id"), Column("By"), Column("Day", "date"), Column("Readings", "count"),
        Column("Shallowest [ft below land]", "number", 2), Column("Mean [ft below land]", "number", 2),
        Column("Deepest [ft below land]", "number", 2), Column("Mean elevation [ft]", "number", 2), ROWS,
    )  # fmt: skip
    groups = [group for group in _groups(record) if group[1] != "hand"]
    rows = [row for well, kind, _, rest in groups for row in _day_rows(well, kind, rest)]
    return Table("2.4", "Logger and published levels by day", "Levels by day", columns, rows, in_page=False)


def _day_rows(well: str, kind: str, rest: pd.DataFrame) -> Iterator[Row]:
    summary = rest.groupby("day").agg(
        n=("depth_ft", "size"), low=("depth_ft", "min"), mean=("depth_ft", "mean"), high=("depth_ft", "max"),
        elevation=("elevation_ft", "mean"), rows=("row_id", list),
    )  # fmt: skip
    for day in summary.itertuples():
        one: Any = day
        yield (
            well, KINDS[kind], one.Index, int(one.n), float(one.low), float(one.mean), float(one.high),
            _number(one.elevation), row_span(one.rows),
        )  # fmt: skip


def _other(record: AnnualRecord) -> Table:
    columns = (
        Column("Station", "id"), Column("Measured"), Column("Unit"), Column("Readings", "count"),
        Column("Lowest", "number", 2), Column("Mean", "number", 2), Column("Highest", "number", 2), ROWS,
    )  # fmt: skip
    rows = [
        (one.station, one.parameter, one.unit, len(one.values), float(one.values.min()), float(one.values.mean()),
         float(one.values.max()), row_span(one.rows))
        for one in record.other
        if len(one.values)
    ]  # fmt: skip
    return Table("2.5", "Other continuous sensors in wells", "Other sensors", columns, rows)
