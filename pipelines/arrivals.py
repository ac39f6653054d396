"""When data came, read from the store: ``models.arrival_record`` beside what ``pipelines.recall`` reads."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

import pandas as pd
from sqlalchemy import func, or_, select

from models.arrival_record import RefusedFile
from models.observation import Flags
from models.sample_types import kind_of
from pipelines import open_rejects, schema
from pipelines.casebook import instant
from pipelines.recall import HASH_SHOWN, Recall, civil_days, midnight_ms
from pipelines.receipts import EVENTS

BUCKET_MS = 900_000
"""Values of a quarter of an hour are read as one: no civil day of any zone begins within one."""
NOT_OF_THE_PLACE = {"duplicate", "quality_control"}
COLUMNS = ["station", "parameter", "day", "known_at", "file", "row_id"]


class Arrivals(Recall):
    """A record that also knows when each value first came."""

    def arrived(self, stations: Sequence[str], start: date, end: date) -> pd.DataFrame:
        """See ``models.arrival_record.ArrivalRecord``."""
        one, series, source = schema.observation.c, schema.series.c, schema.source.c
        bucket = one.time_ms // BUCKET_MS
        named = (series.station, series.parameter, one.flags, source.sha256, source.file)
        query = (
            select(*named, func.min(one.time_ms), func.min(one.known_at), func.min(one.source_row))
            .join_from(schema.observation, schema.series, series.id == one.series_id)
            .join(schema.source, source.id == one.source_id)
            .where(series.station.in_(list(stations)), series.series.not_like("%:duplicate"))
            .where(one.time_ms >= midnight_ms(start, self.zone))
            .where(one.time_ms < midnight_ms(end + timedelta(days=1), self.zone))
            .where(or_(one.value.is_not(None), one.value_text != "", one.flags.like("%:%")))
            .group_by(*named, one.series_id, bucket)
        )
        query = query if self.known_at is None else query.where(one.known_at <= self.known_at)
        return self._by_day(self.connection.execute(query).all())

    def _by_day(self, rows: Sequence[Sequence[object]]) -> pd.DataFrame:
        names = ["station", "parameter", "flags", "sha256", "file", "time_ms", "known_at", "row"]
        frame = pd.DataFrame(rows, columns=names).astype({"time_ms": "int64", "known_at": "int64", "row": "int64"})
        other = {text: _is_other(str(text)) for text in frame["flags"].unique()}
        frame = frame[~frame["flags"].map(other).astype(bool)]
        row_id = frame["sha256"].str[:HASH_SHOWN] + ":" + frame["row"].astype(str)
        frame = frame.assign(day=civil_days(frame["time_ms"], self.zone), row_id=row_id)
        order = frame.sort_values(["day", "station", "parameter", "known_at", "time_ms"], kind="stable")
        return order.drop_duplicates(["station", "parameter", "day", "file"])[COLUMNS].reset_index(drop=True)

    def refused(self) -> list[RefusedFile]:
        """See ``models.arrival_record.ArrivalRecord``."""
        waiting = set(open_rejects.listed(self.connection)["source_id"].tolist())
        source = schema.source.c
        nothing = (source.accepted == 0, source.revised == 0, source.duplicate == 0, source.rejected > 0)
        query = select(source.id, source.file, source.format, source.arrived_at).where(
            *nothing, source.format != EVENTS
        )
        query = query if self.known_at is None else query.where(source.arrived_at <= self.known_at)
        rows = self.connection.execute(query.order_by(source.arrived_at, source.id))
        return [RefusedFile(file, format, instant(at)) for id, file, format, at in rows if id in waiting]

    def kept_since(self) -> datetime | None:
        """See ``models.arrival_record.ArrivalRecord``; a night counts from the end of its civil day."""
        source, night = schema.source.c, schema.night.c
        first = self.connection.execute(select(func.min(source.arrived_at)).where(source.format != EVENTS)).scalar()
        day = self.connection.execute(select(func.min(night.on_day))).scalar()
        ended = None if day is None else midnight_ms(date.fromisoformat(day) + timedelta(days=1), self.zone)
        known = [one for one in (first, ended) if one is not None and (self.known_at is None or one <= self.known_at)]
        return instant(min(known)) if known else None


def _is_other(flags: str) -> bool:
    """Whether the flags make a row no sample of the place: quality control, or a duplicate of another."""
    return kind_of(Flags.parse(flags).facts.get("activity", "")) in NOT_OF_THE_PLACE
