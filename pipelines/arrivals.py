"""When data came, read from the store: ``models.arrival_record`` beside what ``pipelines.recall`` reads.

A content is on record from its first delivery on, whether anything was taken of it then or not. What was taken of the
same bytes later had come then, if an entry in site.toml was all that was wanting; if the file itself was not
understood, nobody can tell whose want that was. A file that came by mail had come when the town's own mail server took
it in. When a file says it was changed, and a sender that a mail was written, is shown and proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pandas as pd
from sqlalchemy import func, or_, select

from models.arrival_record import RefusedFile, wants_of_the_site
from models.observation import Flags
from models.sample_types import kind_of
from pipelines import marks, open_rejects, origins, schema
from pipelines.casebook import instant
from pipelines.origins import Origin
from pipelines.recall import HASH_SHOWN, Recall, civil_days, midnight_ms
from pipelines.receipts import EVENTS

BUCKET_MS = 900_000
"""Values of a quarter of an hour are read as one: no civil day of any zone begins within one."""
NOT_OF_THE_PLACE = {"duplicate", "quality_control"}
COLUMNS = ["station", "parameter", "day", "known_at", "not_before", "doubt", "says", "file", "row_id"]
_SAID = {
    origins.RECEIVED: "the town's mail server took it in",
    origins.DATED: "its sender dates the mail, which proves nothing,",
    origins.CHANGED: "the file says it was last changed, which proves nothing,",
}
A_MAIL = "a mail"
"""What a message that the machine would not open is told as (``pipelines.mail_drop``)."""


@dataclass(frozen=True)
class _Taken:
    """A delivery of which something was taken: when its content was first here, when that was taken, what it came in.

    ``refused``: why what was taken later had not been taken at first.
    """

    file: str
    seen_at: int
    known_at: int
    origin: Origin
    refused: tuple[str, ...]


class Arrivals(Recall):
    """A record that also knows when each value first came."""

    def arrived(self, stations: Sequence[str], start: date, end: date) -> pd.DataFrame:
        """See ``models.arrival_record.ArrivalRecord``."""
        one, series, source = schema.observation.c, schema.series.c, schema.source.c
        bucket = one.time_ms // BUCKET_MS
        named = (series.station, series.parameter, one.flags, source.id, source.sha256, source.file, source.arrived_at,
                 source.rejected)  # fmt: skip
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
        numbers = ["id", "seen_at", "rejects", "time_ms", "known_at", "row"]
        names = ["station", "parameter", "flags", "id", "sha256", "file", *numbers[1:]]
        frame = pd.DataFrame(rows, columns=names).astype(dict.fromkeys(numbers, "int64"))
        other = {text: _is_other(str(text)) for text in frame["flags"].unique()}
        frame = frame[~frame["flags"].map(other).astype(bool)]
        row_id = frame["sha256"].str[:HASH_SHOWN] + ":" + frame["row"].astype(str)
        frame = self._proved(frame.assign(day=civil_days(frame["time_ms"], self.zone), row_id=row_id))
        order = frame.sort_values(["day", "station", "parameter", "known_at", "time_ms"], kind="stable")
        return order.drop_duplicates(["station", "parameter", "day", "file"])[COLUMNS].reset_index(drop=True)

    def _proved(self, frame: pd.DataFrame) -> pd.DataFrame:
        """With when each value is proved to have come, in the place of when it was taken, and what is told of it."""
        key = ["id", "file", "seen_at", "known_at", "rejects"]
        each = frame[key].drop_duplicates()
        origin, readings = origins.every(self.connection), self._readings()
        told = [
            self._came(_Taken(file, seen, known, origin.get(id, {}), self._later(id, rejects, seen, known)), readings)
            for id, file, seen, known, rejects in each.itertuples(index=False, name=None)
        ]
        came = pd.DataFrame(told, columns=["proved", "not_before", "doubt", "says"]).set_axis(each.index)
        joined = frame.merge(each.join(came), on=key, how="left")
        return joined.drop(columns="known_at").rename(columns={"proved": "known_at"})

    def _readings(self) -> list[tuple[int, frozenset[str]]]:
        every = marks.inbox_readings(self.connection)
        return [one for one in every if self.known_at is None or one[0] <= self.known_at]

    def _later(self, id: int, rejects: int, seen_at: int, known_at: int) -> tuple[str, ...]:
        """Why what was taken of a content later than it came was not taken at once."""
        return self._refused_first(id) if rejects and known_at > seen_at else ()

    def _refused_first(self, id: int) -> tuple[str, ...]:
        return open_rejects.taken_after_all(self.connection, id)

    def _nothing_of(self, id: int, taken: Sequence[int]) -> bool:
        """Whether nothing of a delivery was taken, at first or when its content came again."""
        return not any(taken) and not self._refused_first(id)

    def _came(self, one: _Taken, readings: Sequence[tuple[int, frozenset[str]]]) -> tuple[int, int, str, str]:
        """By when it had come, before when it had not, what leaves that open, and what else is told."""
        the_towns = wants_of_the_site(one.refused)
        stamp = _ms(one.origin.get(origins.RECEIVED))
        first = one.seen_at if stamp is None else min(stamp, one.seen_at)
        unread = _last_reading(one.seen_at, one, readings) <= first
        here = first if unread else one.seen_at
        proved = here if the_towns else one.known_at
        return proved, _last_reading(first, one, readings), self._doubt(one, first, unread=unread), self._says(one)

    def _doubt(self, one: _Taken, first: int, *, unread: bool) -> str:
        if not wants_of_the_site(one.refused):
            return f"{one.file} was first here by {self._told(one.seen_at)} and not understood then"
        held = f"the town's mail server took {one.file} in {self._told(first)}, and the inbox read after that held none"
        return "" if unread else held

    def _says(self, one: _Taken) -> str:
        times = [f"{words} {self._told(when)}" for name, words in _SAID.items() if (when := _ms(one.origin.get(name)))]
        later = f"first here by {self._told(one.seen_at)}, taken {self._told(one.known_at)}" if one.refused else ""
        return "; ".join([*([later] if later else []), *times])

    def _told(self, epoch_ms: int) -> str:
        return instant(epoch_ms).astimezone(self.zone).strftime("%Y-%m-%d %H:%M %Z")

    def refused(self) -> list[RefusedFile]:
        """See ``models.arrival_record.ArrivalRecord``."""
        waiting = open_rejects.listed(self.connection)
        reasons: dict[int, list[str]] = defaultdict(list)
        for id, reason in zip(waiting["source_id"].tolist(), waiting["reason"].tolist(), strict=True):
            reasons[id].append(reason)
        source = schema.source.c
        query = select(
            source.id, source.file, source.format, source.arrived_at, *source["accepted", "revised", "duplicate"]
        )
        query = query.where(source.rejected > 0, source.format != EVENTS)
        query = query if self.known_at is None else query.where(source.arrived_at <= self.known_at)
        rows = self.connection.execute(query.order_by(source.arrived_at, source.id))
        every = [
            RefusedFile(file, format, instant(at), self._nothing_of(id, taken), _one_wants(reasons[id]))
            for id, file, format, at, *taken in rows
            if id in reasons
        ]
        return [one for one in every if one.whole or one.for_the_town]

    def inbox_read(self) -> datetime | None:
        """See ``models.arrival_record.ArrivalRecord``."""
        return instant(max(at for at, _ in readings)) if (readings := self._readings()) else None

    def kept_since(self) -> datetime | None:
        """See ``models.arrival_record.ArrivalRecord``; a night counts from the end of its civil day."""
        source, night = schema.source.c, schema.night.c
        first = self.connection.execute(select(func.min(source.arrived_at)).where(source.format != EVENTS)).scalar()
        day = self.connection.execute(select(func.min(night.on_day))).scalar()
        ended = None if day is None else midnight_ms(date.fromisoformat(day) + timedelta(days=1), self.zone)
        known = [one for one in (first, ended) if one is not None and (self.known_at is None or one <= self.known_at)]
        return instant(min(known)) if known else None


def _ms(text: str | None) -> int | None:
    return (
        None if text is None else round(datetime.strptime(text, origins.INSTANT).replace(tzinfo=UTC).timestamp() * 1000)
    )


def _one_wants(reasons: Sequence[str]) -> bool:
    return any(wants_of_the_site([one]) for one in reasons)


def _last_reading(before: int, one: _Taken, readings: Sequence[tuple[int, frozenset[str]]]) -> int:
    """The last time before an instant that the inbox was read, and a file not left in it unread; 0: never."""
    names = {one.file, one.file.partition("/")[0], *([A_MAIL] if origins.MAIL in one.origin else [])}
    return max((at for at, left in readings if at < before and not names & left), default=0)


def _is_other(flags: str) -> bool:
    """Whether the flags make a row no sample of the place: quality control, or a duplicate of another."""
    return kind_of(Flags.parse(flags).facts.get("activity", "")) in NOT_OF_THE_PLACE
