"""What is known of a record, read from the store on demand: the ``Observations`` a check is given."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
from sqlalchemy import Connection, select

from models.observation import Flags
from models.streamflow.day_states import DailyFlow
from models.streamflow.practice import VISIT
from pipelines import observations, schema

EPOCH = date(1970, 1, 1)
HASH_SHOWN = 10
DERIVED = "derived"
"""The series name of the one daily record a station has, assembled from what was published and what was computed."""


class Recall:
    """Reads through one connection, as known at one instant.

    Parameters
    ----------
    connection : an open transaction.
    zone : the ordinance's zone: its civil days.
    known_at : epoch milliseconds; None for all there is.
    """

    def __init__(self, connection: Connection, zone: ZoneInfo, known_at: int | None = None) -> None:
        self.connection, self.zone, self.known_at = connection, zone, known_at

    def daily(self, station: str, parameter: str, start: date | None, end: date) -> list[DailyFlow]:
        """See ``models.question.Observations``."""
        id = derived_series(self.connection, station, parameter)
        if id is None:
            return []
        first = None if start is None else day_number(start)
        frame = observations.daily_read(self.connection, id, first, day_number(end), self.known_at)
        return [
            daily_flow(*row)
            for row in frame[["day", "value_text", "flags", "origin"]].itertuples(index=False, name=None)
        ]

    def rows(
        self, stations: Sequence[str], parameters: Sequence[str], start: date | None, end: date | None
    ) -> pd.DataFrame:
        """See ``models.question.Observations``."""
        frame = observations.read(
            self.connection,
            stations=stations,
            parameters=parameters,
            start_ms=None if start is None else midnight_ms(start, self.zone),
            end_ms=None if end is None else midnight_ms(end + timedelta(days=1), self.zone) - 1,
            known_at=self.known_at,
        )
        frame = frame.assign(**self._origin(frame), day=civil_days(frame["time_ms"], self.zone))
        return frame.sort_values(["station", "time_ms", "series"], ignore_index=True)

    def last_known_day(self, station: str, parameter: str, on: date) -> date | None:
        """The last civil day of a station's daily record that carries a value."""
        id = derived_series(self.connection, station, parameter)
        day = schema.daily.c
        known = (
            select(day.day)
            .where(day.series_id == id, day.value_text != "", day.day <= day_number(on))
            .order_by(day.day.desc())
            .limit(1)
        )
        found = self.connection.execute(known).scalar()
        return None if found is None else EPOCH + timedelta(days=int(found))

    def _origin(self, frame: pd.DataFrame) -> dict[str, Any]:
        """Where each row stands: the start of its file's content hash and its row in that file; the file's format."""
        codes, ids = pd.factorize(frame["source_id"])
        source = schema.source.c
        query = select(source.id, source.sha256, source.format).where(source.id.in_(ids.tolist()))
        found = {id: (sha256[:HASH_SHOWN], format) for id, sha256, format in self.connection.execute(query)}
        hashes, formats = (pd.Series([found[id][k] for id in ids.tolist()], dtype="str") for k in (0, 1))
        row_ids = hashes.take(codes).set_axis(frame.index) + ":" + frame["source_row"].astype(str)
        return {"row_id": row_ids, "format": pd.Categorical(formats).take(codes)}


def derived_series(connection: Connection, station: str, parameter: str) -> int | None:
    """Id of a station's derived daily record, or None where there is none yet."""
    one = schema.series.c
    query = select(one.id).where(one.station == station, one.parameter == parameter, one.series == DERIVED)
    return connection.execute(query).scalar()


def last_derived_day(connection: Connection, station: str, parameter: str) -> date | None:
    """The last civil day that a station's derived daily record has a row for."""
    id = derived_series(connection, station, parameter)
    day = schema.daily.c
    found = connection.execute(select(day.day).where(day.series_id == id).order_by(day.day.desc()).limit(1)).scalar()
    return None if found is None else EPOCH + timedelta(days=int(found))


def day_number(day: date) -> int:
    """Days since 1970-01-01."""
    return (day - EPOCH).days


def midnight_ms(day: date, zone: ZoneInfo) -> int:
    """The first instant of a civil day [epoch ms]."""
    return round(datetime.combine(day, time(), zone).timestamp() * 1000)


def civil_days(time_ms: pd.Series, zone: ZoneInfo) -> pd.Series:
    """The local civil day of each instant, as ``datetime.date``."""
    stamps = pd.to_datetime(time_ms, unit="ms", utc=True).dt.tz_convert(zone)
    return pd.Series(stamps.dt.date, index=time_ms.index, dtype=object)


def flags_of_instants(rows: pd.DataFrame) -> list[Flags]:
    """What the instants of a day say of it, each once; a visit that took the place of a reading says nothing."""
    unlike = pd.DataFrame({"text": rows["flags"], "blank": rows["value"].isna()}).drop_duplicates()
    return [_of_instant(Flags.parse(text), blank) for text, blank in unlike.itertuples(index=False, name=None)]


def _of_instant(flags: Flags, blank: bool) -> Flags:
    kept = tuple(mark for mark in flags.qualifiers if not (blank and mark.casefold() in VISIT))
    return Flags(flags.approval, kept, flags.facts)


def daily_flow(day: int, value_text: str, flags_text: str, origin: str) -> DailyFlow:
    """One row of the daily record as the shortfall machine takes it."""
    flags = Flags.parse(flags_text)
    coverage = flags.facts.get("coverage")
    return DailyFlow(
        day=EPOCH + timedelta(days=int(day)),
        value=Decimal(value_text) if value_text else None,
        origin="computed" if origin == "computed" else "estimated" if origin == "estimated" else "published",
        qualifiers=flags.qualifiers,
        approval=flags.approval,
        coverage=None if coverage is None else Decimal(coverage),
        hole_too_long="hole" in flags.facts,
        version=flags.facts.get("row", ""),
        note=flags.facts.get("note", ""),
    )
