"""What came of each expected delivery: days with a value by item, which files brought it, and which were refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fnmatch import fnmatchcase

import pandas as pd

from models.arrival_record import ArrivalRecord, RefusedFile
from models.delivery_calendar import EPOCH, Came, Item, Known
from models.expected_delivery import ExpectedDelivery


@dataclass(frozen=True)
class Brought:
    """A file that brought something: when it had come, one row of it, and what is told of its coming."""

    file: str
    known_at: datetime
    rows: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class Arrived:
    """First arrivals of every station that a delivery names (``models.arrival_record``)."""

    table: pd.DataFrame

    def known(self, delivery: ExpectedDelivery, items: Sequence[Item]) -> Known:
        """Of each item its days in order, with the first time each had come, and before which none of it had."""
        return {(station, name): _days(self._of(delivery, [station], name)) for station, name in items}

    def files(self, delivery: ExpectedDelivery, first: date, last: date) -> list[Brought]:
        """Files that brought days of a period, as they came."""
        parts = [self._of(delivery, delivery.stations, name) for name in delivery.names]
        rows = pd.concat(parts)
        inside = rows[(rows["day"] >= first) & (rows["day"] <= last)].sort_values("known_at", kind="stable")
        once = inside.drop_duplicates("file")
        each = zip(once["file"], once["known_at"], once["row_id"], once["says"], strict=True)
        return [Brought(str(file), _instant(known), (str(row),), str(says)) for file, known, row, says in each]

    def _of(self, delivery: ExpectedDelivery, stations: Sequence[str], name: str) -> pd.DataFrame:
        rows = self.table[self.table["station"].isin(list(stations))]
        counted = [one for one in rows["parameter"].unique() if delivery.counts_for(name, one)]
        return rows[rows["parameter"].isin(counted)]


def _days(rows: pd.DataFrame) -> dict[date, Came]:
    """Each day: when its first value is proved to have come, and the earliest one may have come, with the doubt."""
    known = rows.groupby("day")["known_at"].min()
    first = rows.sort_values("not_before", kind="stable").drop_duplicates("day").sort_values("day", kind="stable")
    each = zip(first["day"], first["not_before"], first["doubt"], strict=True)
    return {day: Came(int(known[day]), int(before), str(doubt)) for day, before, doubt in each}


def _instant(epoch_ms: int) -> datetime:
    return EPOCH + timedelta(milliseconds=int(epoch_ms))


def arrived_for(record: ArrivalRecord, deliveries: Sequence[ExpectedDelivery], start: date, end: date) -> Arrived:
    """One read for every delivery."""
    stations = sorted({id for one in deliveries for id in one.stations})
    return Arrived(record.arrived(stations, start, end))


def refused_for(
    delivery: ExpectedDelivery, every: Sequence[ExpectedDelivery], refused: Sequence[RefusedFile]
) -> Iterator[RefusedFile]:
    """Refused files that would have been a delivery: by its name or format; else those that no other one claims."""
    for file in refused:
        claimed = any(_claims(one, file) for one in every)
        names_none = not (delivery.files or delivery.formats)
        if _claims(delivery, file) or (names_none and not claimed):
            yield file


def _claims(delivery: ExpectedDelivery, file: RefusedFile) -> bool:
    name = file.file.casefold()
    return file.format in delivery.formats or any(fnmatchcase(name, one.casefold()) for one in delivery.files)
