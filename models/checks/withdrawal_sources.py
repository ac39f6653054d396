"""What is known of each production well: what its water is for, what its pump can lift, its meters or its reports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Literal
from zoneinfo import ZoneInfo

import numpy as np

from models.checks.withdrawal_volumes import Instants, VolumeRecord, Volumes
from models.pumped_water import WaterUse
from models.pumping import Interval, intervals
from models.question import Question, StoredRow, stored_rows
from models.site import Site, Well

METER, REPORTED = "meter_reading", "withdrawal"
Share = Literal["all", "some"]
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Source:
    """One production well: ``share`` of its water counts; ``method`` is how its volumes are known, "" for not at all.

    ``most_gpd``: the largest pump it has had; None where none is stated.
    """

    well: Well
    share: Share
    records: tuple[VolumeRecord, ...]
    method: str
    most_gpd: Decimal | None

    def within(self, start: Instants, end: Instants) -> Volumes:
        """What it gave for the uses that count in each time; of mixed or unstated uses anything from nothing to all."""
        found = Volumes.none(len(start)) if self.method else self._unmetered(start, end)
        for one in self.records:
            found = found + one.within(start, end)
        if self.share == "all":
            return found
        return Volumes(np.zeros_like(found.low), np.zeros_like(found.even), found.high, found.open)

    def _unmetered(self, start: Instants, end: Instants) -> Volumes:
        most = VolumeRecord((Interval(int(start.min()), int(end.max()), None, "no meter", ""),), self.most_gpd)
        return most.within(start, end)


@dataclass(frozen=True)
class Group:
    """The wells whose water counts together."""

    sources: tuple[Source, ...]

    def within(self, start: Instants, end: Instants) -> Volumes:
        found = Volumes.none(len(start))
        for one in self.sources:
            found = found + one.within(start, end)
        return found

    @property
    def records(self) -> tuple[VolumeRecord, ...]:
        return tuple(record for one in self.sources for record in one.records)

    def known_span(self) -> tuple[int, int] | None:
        """From the first reading of all to the last [epoch ms]."""
        known = [one for one in self.records if one.found]
        if not known:
            return None
        return min(one.found[0].start_ms for one in known), max(one.found[-1].end_ms for one in known)

    def lacks(self) -> list[str]:
        """What the site file or the meters leave open, each in words."""
        return [*(_no_volume(one) for one in self.sources if not one.method),
                *(_no_use(one) for one in self.sources if one.share == "some")]  # fmt: skip


def _no_volume(one: Source) -> str:
    able = "and no pump capacity is stated" if one.most_gpd is None else f"its pump can lift {one.most_gpd:,f} gal/day"
    return f"well {one.well.id} has no meter readings and no reported volumes ({able})"


def _no_use(one: Source) -> str:
    named = " and ".join(one.well.uses)
    return (
        f"the water of well {one.well.id} is for {named}, not metered apart"
        if named
        else f"what the water of well {one.well.id} is for is not stated ([[well]] uses)"
    )


def counted(sources: Sequence[Source], uses: Sequence[WaterUse]) -> Group:
    """The wells whose water may be for these uses; all of them where none is named."""
    return Group(tuple(_shared(sources, uses)))


def _shared(sources: Sequence[Source], uses: Sequence[WaterUse]) -> Iterator[Source]:
    for one in sources:
        own = set(one.well.uses)
        if not uses or (own and own <= set(uses)):
            yield one
        elif not own or own & set(uses):
            yield Source(one.well, "some", one.records, one.method, one.most_gpd)


def sources_of(question: Question) -> tuple[Source, ...]:
    """Every production well, with its volumes up to tonight."""
    wells = question.site.wells("production")
    last = question.on + ONE_DAY
    read = stored_rows(question.observations.rows([one.id for one in question.site.meter], [METER], None, last))
    told = stored_rows(question.observations.rows([one.id for one in wells], [REPORTED], None, question.on))
    of_meter, of_well = _by_station(read), _by_station(told)
    return tuple(_source(question, well, of_meter, of_well[well.id]) for well in wells)


def _by_station(rows: Sequence[StoredRow]) -> defaultdict[str, list[StoredRow]]:
    found: defaultdict[str, list[StoredRow]] = defaultdict(list)
    for row in rows:
        found[row.station].append(row)
    return found


def _source(
    question: Question, well: Well, read: defaultdict[str, list[StoredRow]], told: Sequence[StoredRow]
) -> Source:
    most = max((one.gal_per_day for one in well.pump if one.since <= question.on), default=None)
    own = [one for one in question.site.meter if one.well == well.id]
    metered = [intervals(one, read[one.id]) for one in own]
    found = [kept for one in metered if (kept := tuple(part for part in one if part.end_ms > part.start_ms))]
    if found:
        names = ", ".join(one.id for one in own)
        return Source(well, "all", tuple(VolumeRecord(one, most) for one in found), f"totalizing meter {names}", most)
    reported = tuple(_months(question, told))
    records = (VolumeRecord(reported, most),) if reported else ()
    return Source(well, "all", records, "volumes as reported" if reported else "", most)


def _months(question: Question, rows: Sequence[StoredRow]) -> Iterator[Interval]:
    """Reported volumes as intervals; the last row of a period is the one that counts."""
    for row in {(one.day, one.clock): one for one in rows}.values():
        end = _after(row.day, row.clock)
        volume = None if row.value != row.value else float(row.value)
        yield Interval(row.time_ms, midnight_ms(question.zone, end), volume, "as reported", row.row_id)


def _after(day: date, clock: str) -> date:
    """The day after a civil period that begins on a day."""
    if clock == "year":
        return date(day.year + 1, 1, 1)
    return date(day.year + day.month // 12, day.month % 12 + 1, 1) if clock == "month" else day + ONE_DAY


def midnight_ms(zone: ZoneInfo, day: date) -> int:
    """The first instant of a civil day [epoch ms]."""
    return round(datetime.combine(day, time(), zone).timestamp() * 1000)


def midnights(question: Question) -> Instants:
    """The edges of every civil day from the first of mining to tonight [epoch ms]: one more than there are days."""
    count = (question.on - question.began).days + 2
    days = [question.began + k * ONE_DAY for k in range(count)]
    return np.array([midnight_ms(question.zone, day) for day in days], np.int64)


def is_new(question: Question) -> bool:
    """Whether any volume has come since it was last judged."""
    stations = [(one.id, METER) for one in question.site.meter]
    stations += [(one.id, REPORTED) for one in question.site.wells("production")]
    return any(question.changed.since(id, (name,), question.began) is not None for id, name in stations)


def wells_on_property(site: Site) -> tuple[Well, ...]:
    """Production wells that are wells: a sump wider than deep is none (s. 281.34(1)(h))."""
    return tuple(one for one in site.wells("production") if one.construction != "sump")
