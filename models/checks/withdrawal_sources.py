"""What is known of each production well: what its water is for, what its pump can lift, its meters or its reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Literal

import numpy as np

from models import pumping_days
from models.checks.withdrawal_gaps import able_from, gaps
from models.known_volumes import AT_A_DISCHARGE, AT_A_WELL, METER, KnownVolumes, known_at_wells, speaking
from models.metered_volumes import Interval
from models.pumped_water import WaterUse, most_gpd
from models.question import Question
from models.site import Site, Well
from models.volume_bounds import Instants, VolumeRecord, Volumes

Share = Literal["all", "some"]
NO_RECORD = VolumeRecord(())
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Source:
    """One production well: ``share`` of its water counts; ``method`` is how its volumes are known, "" for not at all.

    ``most_gpd``: the largest pump it has had; None where none is stated. ``gaps``: the time its records leave out.
    """

    well: Well
    share: Share
    records: tuple[VolumeRecord, ...]
    method: str
    most_gpd: Decimal | None
    gaps: VolumeRecord = NO_RECORD

    def within(self, start: Instants, end: Instants) -> Volumes:
        """What it gave for the uses that count in each time; of mixed or unstated uses anything from nothing to all."""
        found = Volumes.none(len(start)) if self.method else self._unmetered(start, end)
        for one in (*self.records, self.gaps):
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

    @property
    def gaps(self) -> tuple[VolumeRecord, ...]:
        return tuple(one.gaps for one in self.sources)

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
    return f"well {one.well.id} has {nothing_said(one.well)} ({able})"


def nothing_said(well: Well) -> str:
    """What is missing of a well without volumes."""
    if well.volumes_by is None:
        return "no meter readings and no reported volumes"
    return f"no volumes by its {well.volumes_by}, which the site states to speak (volumes_by)"


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
            yield replace(one, share="some")


def sources_of(question: Question) -> tuple[Source, ...]:
    """Every production well, with its volumes up to tonight by the method that speaks."""
    wells = question.site.wells("production")
    known = question.once("known volumes of wells", lambda: known_at_wells(question, wells, question.on))
    return tuple(_source(question, one, known[one.id]) for one in wells)


def _source(question: Question, well: Well, known: tuple[KnownVolumes, ...]) -> Source:
    most = most_gpd(well.pump, question.on)
    speaks = speaking(known, well.volumes_by)
    records = tuple(VolumeRecord(one, most) for one in speaks.records) if speaks else ()
    return Source(well, "all", records, speaks.says if speaks else "", most, _gaps(question, well, records, most))


def _gaps(
    question: Question, well: Well, records: Sequence[VolumeRecord], most_gpd: Decimal | None
) -> VolumeRecord:  # fmt: skip
    since = able_from(question.began, [one.since for one in well.pump])
    start, end = (pumping_days.midnight_ms(question.zone, day) for day in (since, question.on + ONE_DAY))
    return VolumeRecord(gaps(records, start, end, question.policy.volumes_read_within.value).found, most_gpd)


def midnights(question: Question) -> Instants:
    """The edges of every civil day from the first of mining to tonight [epoch ms]: one more than there are days."""
    return pumping_days.midnights(question.zone, question.began, question.on)


def is_new(question: Question) -> bool:
    """Whether any volume has come since it was last judged."""
    stations: list[tuple[str, tuple[str, ...]]] = [(one.id, (METER,)) for one in question.site.meter]
    stations += [(one.id, AT_A_WELL) for one in question.site.wells("production")]
    stations += [(one.id, AT_A_DISCHARGE) for one in question.site.discharge]
    return any(question.changed.since(id, names, question.began) is not None for id, names in stations)


def wells_on_property(site: Site) -> tuple[Well, ...]:
    """Production wells that are wells: a sump wider than deep is none (s. 281.34(1)(h))."""
    return tuple(one for one in site.wells("production") if one.construction != "sump")
