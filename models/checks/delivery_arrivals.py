"""What came of each expected delivery: days with a value by item, which files brought it, and which were refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fnmatch import fnmatchcase

import pandas as pd

from models.arrival_record import ArrivalRecord, RefusedFile
from models.delivery_calendar import EPOCH, Item, Known
from models.expected_delivery import ExpectedDelivery


@dataclass(frozen=True)
class Arrived:
    """First arrivals of every station that a delivery names (``models.arrival_record``)."""

    table: pd.DataFrame

    def known(self, delivery: ExpectedDelivery, items: Sequence[Item]) -> Known:
        """Of each item its days in order, with the first time each was known [epoch ms]."""
        found: dict[Item, dict[date, int]] = {}
        for station, name in items:
            rows = self._of(delivery, [station], name)
            first = rows.groupby("day", sort=True)["known_at"].min()
            found[station, name] = {day: int(known) for day, known in first.items() if isinstance(day, date)}
        return found

    def files(
        self, delivery: ExpectedDelivery, first: date, last: date
    ) -> list[tuple[str, datetime, tuple[str, ...]]]:  # fmt: skip
        """Files that brought days of a period, as they came: name, when, and one row of each."""
        parts = [self._of(delivery, delivery.stations, name) for name in delivery.names]
        rows = pd.concat(parts)
        inside = rows[(rows["day"] >= first) & (rows["day"] <= last)].sort_values("known_at", kind="stable")
        once = inside.drop_duplicates("file")
        each = zip(once["file"], once["known_at"], once["row_id"], strict=True)
        return [(str(file), EPOCH + timedelta(milliseconds=int(known)), (str(row),)) for file, known, row in each]

    def _of(self, delivery: ExpectedDelivery, stations: Sequence[str], name: str) -> pd.DataFrame:
        rows = self.table[self.table["station"].isin(list(stations))]
        counted = [one for one in rows["parameter"].unique() if delivery.counts_for(name, one)]
        return rows[rows["parameter"].isin(counted)]


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
