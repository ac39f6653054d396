"""One result that reached the record from two agencies is one result with two sources.

A laboratory's result comes by the state's system and by the Water Quality Portal, under two sample numbers. Two rows of
different deliveries are the same result where station, substance, fraction and moment of sampling agree (the civil day,
where one of them has no more) and so do value and limits in one unit (``quality_alike``). The row whose series was
known first is judged, with the limits that only the others state; these stand beside it as its further sources.

A second source confirms and never clears. Where rows of one sample differ in anything that can change a verdict, all
are judged and the difference is told; of such a pair no member of a sum is taken out, so that each sample keeps its
sums. A rejected row is never the same as another, and told where the other is not. What may be one sample (the same
amount of a day at another time, of a fraction that one leaves open, or as another form of the substance) is two, and
told. Which delivery came first, and how results are parted among deliveries of one laboratory, changes nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.checks.quality_alike import Group, One, alike, apart, classes, completed, one_moment, one_value, two_samples
from models.checks.quality_codes import Codes, objects, together
from models.observation import DAY_MS
from models.question import StoredRow

NIGHT_MS = DAY_MS // 2
"""Apart by so much, two moments of two days may be one that was read on two clocks."""


class Twin(NamedTuple):
    """A row that is not judged, by its place, and the place of the row that stands for it."""

    place: int
    of: int


class Dispute(NamedTuple):
    """Places of two rows that should be one result and differ."""

    first: int
    second: int


class Perhaps(NamedTuple):
    """Places of two rows that may be one result, and why they are not taken for it."""

    first: int
    second: int
    why: str


@dataclass(frozen=True)
class OneEach:
    """``flags``: those that another source completes; ``sample`` the name under which a sample is summed; by place."""

    twins: tuple[Twin, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    perhaps: tuple[Perhaps, ...] = ()
    flags: Mapping[int, str] = field(default_factory=dict)
    sample: Mapping[int, str] = field(default_factory=dict)


Pair = tuple[One, One]
Visit = tuple[str, str]
"""A sample of a delivery (``One.visit``)."""


def one_each(
    rows: Sequence[StoredRow], places: Sequence[int], samples: Sequence[str], sums: Container[str],
    substances: Mapping[str, str] | None = None,
) -> OneEach:  # fmt: skip
    """Which of some rows are the same result, and which should or may be.

    Parameters
    ----------
    rows : those of ``candidates``; ``places`` and ``samples`` theirs.
    sums : substances that a sum or a limit of another takes from its sample.
    substances : what a parameter counts as, where that is another.
    """
    names = substances or {}
    told = zip(places, rows, samples, strict=True)
    given = [One(*one, names.get(one[1].parameter, one[1].parameter)) for one in told]
    days = _grouped((one, (one.row.station, one.row.day)) for one in given)
    found = [_of_day(group, sums) for group in days]
    twins = tuple(twin for one in found for twin in one.twins)
    disputes = tuple(pair for one in found for pair in one.disputes)
    return OneEach(
        twins, disputes, tuple(_still_two(given, twins, disputes)),
        {place: text for one in found for place, text in one.flags.items()},
        {place: name for one in found for place, name in one.sample.items()},
    )  # fmt: skip


def _still_two(given: Sequence[One], twins: Sequence[Twin], disputes: Sequence[Dispute]) -> Iterator[Perhaps]:
    """Results that may be one, each two once: not where a delivery reports both, or where they differ and are told."""
    of = {one.place: one.of for one in twins}
    sources: dict[int, set[str]] = {}
    for one in given:
        sources.setdefault(of.get(one.place, one.place), set()).add(one.source)
    told = {frozenset((of.get(one.first, one.first), of.get(one.second, one.second))) for one in disputes}
    for group in _grouped((one, (one.row.station, one.substance)) for one in given):
        for pair in _perhaps(group):
            first, second = of.get(pair.first, pair.first), of.get(pair.second, pair.second)
            if not sources[first] & sources[second] and frozenset((first, second)) not in told:
                told.add(frozenset((first, second)))
                yield Perhaps(first, second, pair.why)


def candidates(source: pd.DataFrame | Sequence[StoredRow], *keys: Codes) -> NDArray[np.intp]:
    """Places of every row of a station and day on which, or on the next, two deliveries speak of one substance.

    Parameters
    ----------
    keys : codes of station, the ordinal of the day, codes of substance.
    """
    origin = _origins(source)
    if not len(origin) or origin.max() == origin.min():
        return np.empty(0, np.intp)
    station, day, substance = keys
    visit = together(station, day)
    run = _runs(together(station, substance), day)
    pairs = np.unique(together(run, origin), return_index=True)[1]
    several = np.bincount(run[pairs], minlength=int(run.max()) + 1) > 1
    return np.flatnonzero(np.isin(visit, np.unique(visit[several[run]])))


def _runs(what: Codes, day: Codes) -> Codes:
    """One code for days of one kind that follow each other."""
    order = np.lexsort((day, what))
    new = (np.diff(what[order]) != 0) | (np.diff(day[order]) > 1)
    found = np.zeros(len(order), np.int64)
    found[order[1:]] = np.cumsum(new)
    return found


def _origins(source: pd.DataFrame | Sequence[StoredRow]) -> Codes:
    if isinstance(source, pd.DataFrame) and "source_id" in source:
        return pd.factorize(source["source_id"])[0].astype(np.int64)
    ids = source["row_id"].tolist() if isinstance(source, pd.DataFrame) else [row.row_id for row in source]
    return pd.factorize(objects([str(one).partition(":")[0] if ":" in str(one) else "" for one in ids]))[0].astype(
        np.int64
    )


def _grouped(keyed: Iterable[tuple[One, tuple[object, ...]]]) -> list[Group]:
    found: dict[tuple[object, ...], Group] = {}
    for one, key in keyed:
        found.setdefault(key, []).append(one)
    return list(found.values())


def _first_known(one: One) -> tuple[int, str]:
    """By the series, numbered as it came to be known, so that a later delivery never takes an earlier one's place."""
    return int(getattr(one.row, "series_id", 0)), one.row.row_id


def _of_day(group: Sequence[One], sums: Container[str]) -> OneEach:
    """Of one station and day."""
    told = [one for one in group if one.said is not None]
    kinds = _grouped((one, (one.row.parameter, one.fraction)) for one in told)
    sure = [[one for one in each if not one.unsure] for each in kinds]
    same = [[sorted(one, key=_first_known) for one in classes(each)] for each in sure]
    differ = [pair for each, found in zip(kinds, same, strict=True) for pair in _disputes(each, found)]
    pairs = [(one[0], other) for each in same for one in each for other in one[1:]]
    whole = _whole(pairs, differ)
    once = [
        (one, other) for one, other in pairs if one.row.parameter not in sums or {one.visit, other.visit} & {*whole}
    ]
    first, aside = {one.place: one for one, _ in once}, {other.place for _, other in once}
    return OneEach(
        tuple(Twin(other.place, one.place) for one, other in once),
        tuple(
            Dispute(one.place, other.place)
            for ours, theirs in differ for one in ours for other in theirs if not {one.place, other.place} & aside
        ), (),
        {place: completed(one, [other for own, other in once if own is one]) for place, one in first.items()},
        {one.place: whole[one.visit] for one in group if one.visit in whole},
    )  # fmt: skip


def _whole(pairs: Sequence[Pair], differ: Sequence[tuple[Group, Group]]) -> dict[Visit, str]:
    """Samples that are one with samples of other deliveries in everything, and the name of the first known of them."""
    known: dict[Visit, tuple[int, str]] = {}
    for one in (one for pair in pairs for one in pair):
        known[one.visit] = min(known.get(one.visit, _first_known(one)), _first_known(one))
    told = {frozenset((one.visit, other.visit)) for ours, theirs in differ for one in ours for other in theirs}
    whole: dict[Visit, str] = {}
    for samples in _joined(pairs):
        first = min(samples, key=known.__getitem__)
        several = len({source for source, _ in samples}) < len(samples)
        if not several and not any(frozenset(two) in told for two in combinations(samples, 2)):
            whole |= {visit: first[1] for visit in samples if visit != first}
    return whole


def _joined(pairs: Sequence[Pair]) -> list[set[Visit]]:
    """Samples that results join, through others too."""
    found: list[set[Visit]] = []
    for one, other in pairs:
        samples = {one.visit, other.visit}
        near = [each for each in found if each & samples]
        found = [*(each for each in found if not each & samples), samples.union(*near)]
    return found


def _disputes(every: Sequence[One], same: Sequence[Group]) -> Iterator[tuple[Group, Group]]:
    """Of one substance and fraction of a day: classes that should be one, and what only one source rejects."""
    for group, other in combinations(same, 2):
        if any(one_moment(one, two) for one in group for two in other) and _differ(group, other):
            yield group, other
    for unsure in (one for one in every if one.unsure):
        for group in same:
            if any(_rejected(one, unsure) for one in group):
                yield group, [unsure]


def _differ(group: Sequence[One], other: Sequence[One]) -> bool:
    """Whether two classes may be one sample and differ: not where one delivery, or laboratory, has a sample in each."""
    pairs = [(one, two) for one in group for two in other]
    if any(one.source == two.source or not (one.source and two.source) for one, two in pairs):
        return False
    if all(alike(one, two) and apart(one, two) for one, two in pairs):
        return False
    timed = any(one.row.time_ms == two.row.time_ms and one.row.clock == two.row.clock != "day" for one, two in pairs)
    return timed or not any(two_samples(one, two) for one, two in pairs)


def _rejected(one: One, unsure: One) -> bool:
    """Whether a source rejects what another reports: under its number, at its moment, or the same amount."""
    if one.source == unsure.source or not (one.source and unsure.source) or not one_moment(one, unsure):
        return False
    return one.sample == unsure.sample or one.row.clock == unsure.row.clock != "day" or one_value(one, unsure)


def _perhaps(group: Sequence[One]) -> Iterator[Perhaps]:
    """Of one station and substance: detects of two deliveries that may be one."""
    detects = [one for one in group if one.said is not None and one.said.detected and not one.unsure]
    rows = sorted(detects, key=lambda one: (one.row.day, one.row.time_ms, one.row.row_id))
    for k, one in enumerate(rows):
        for other in rows[k + 1 :]:
            if (other.row.day - one.row.day).days > 1:
                break
            why = _why(one, other) if one.source != other.source and one.source and other.source else ""
            if why:
                yield Perhaps(one.place, other.place, why)


def _why(one: One, other: One) -> str:
    """Why two rows of one substance are two, where they may be one."""
    timed = one.row.clock == other.row.clock != "day"
    night = timed and abs(other.row.time_ms - one.row.time_ms) <= NIGHT_MS
    if one.row.day != other.row.day and not night:
        return ""
    if one.row.parameter != other.row.parameter:
        return "as two forms of the substance" if one_moment(one, other) and one.row.day == other.row.day else ""
    if not one_value(one, other) or (one.fraction != other.fraction and None not in (one.fraction, other.fraction)):
        return ""
    if one.fraction != other.fraction:
        return "one without a fraction"
    if timed and one.row.time_ms != other.row.time_ms:
        return "at two times"
    return apart(one, other)
