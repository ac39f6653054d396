"""USGS field measurements of stage and discharge (``nwis-rdb-measurements``), as ``rdb`` and as ``rdb_expanded``.

One measurement a row; the expanded layout has one row for each channel of it, repeating the stage and the total.
``measured_rating_diff`` is how good the hydrographer rated the measurement, in spite of its name.
Source: USGS, "Streamflow measurement data, output formats".
"""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from ingest.cells import plain
from ingest.rdb.table import bodies, file_facts, headers, require_columns, site_number, table, text_frame
from ingest.reading import Parts, Source, stacked
from ingest.table import Observation, Row, Table, in_order, take_rows
from ingest.times import ZONE_HOURS, sheet_time
from models.observation import Flags, Reject

VALUES = {"gage_height_va": ("stage", "ft"), "discharge_va": ("discharge", "cfs")}
FACTS = (
    "measurement_nu", "measured_rating_diff", "q_meas_used_fg", "gage_va_change", "gage_va_time", "control_type_cd",
    "discharge_cd", "site_visit_coll_agency_cd",
)  # fmt: skip
"""Columns kept as facts beside both values, under their own names; ``party_nm`` is the fact ``by``."""

_MEASUREMENT = ("site_no", "measurement_nu", "measurement_dt", "tz_cd", *VALUES)


def sniff(head: str) -> bool:
    """A table of numbered, dated measurements."""
    return any({"measurement_nu", "measurement_dt"} <= names for names in headers(head))


def parse(source: Source) -> Parts:
    """Stage and discharge of every measurement; what is said of its channels in ``tables["channels"]``."""
    frames: list[pd.DataFrame] = []
    channels: list[pd.DataFrame] = []
    rejects: list[Reject] = []
    zones = set[str]()
    for body in bodies(source):
        require_columns(source, body, "site_no", "measurement_nu", "measurement_dt", *VALUES)
        rows = table(source, body, "discharge_va")
        parts = take_rows(source, _once(rows), *map(_taker, VALUES))
        zones |= {row.text("tz_cd") for row in rows.rows} & ZONE_HOURS.keys()
        frames.append(parts.observations)
        rejects += parts.rejects
        channels += [text_frame(body.header, rows.rows)] if "chan_nu" in body.header else []
    tables = {"channels": pd.concat(channels, ignore_index=True).fillna("")} if channels else {}
    zone = "/".join(sorted(zones)) or None
    return Parts(stacked(frames), in_order(rejects), file_facts(source), zone, tables=tables)


def _once(rows: Table) -> Table:
    """The first row of each measurement: those of its other channels repeat the total."""
    if "chan_nu" not in rows.header:
        return rows
    first = {tuple(row.text(name) for name in _MEASUREMENT): row for row in reversed(rows.rows)}
    return Table(rows.header, tuple(sorted(first.values(), key=lambda row: row.number)), rows.rejects)


def _taker(column: str) -> Callable[[Row], Observation | None]:
    parameter, unit = VALUES[column]

    def take(row: Row) -> Observation | None:
        station = row.read("site_no", site_number)
        time, clock = _time(row)
        if not row.text(column):
            return None
        found = row.read(column, lambda text: plain(text, parameter))
        flags = _flags(row).with_words(found.qualifiers).text()
        return station, parameter, "instant", "field", time, clock, found.value, found.text, unit, flags, row.number

    return take


def _time(row: Row) -> tuple[int, str]:
    """``YYYY-MM-DD`` alone, or with a clock time in the zone of the row."""
    day, _, clock = row.text("measurement_dt").partition(" ")
    row.read("measurement_dt", lambda _: sheet_time(day, clock, ""))
    return row.read("tz_cd", lambda zone: sheet_time(day, clock, zone))


def _flags(row: Row) -> Flags:
    return Flags("", (), {name: row.text(name) for name in FACTS} | {"by": row.text("party_nm")})
