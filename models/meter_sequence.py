"""Records of one well one after the other: a second meter that took over from a first is one record with it.

Records that share no time follow each other: each covers its own time, and nobody owes readings of a meter that is not
yet or no longer there. Records that overlap are meters side by side, of which the well's water is the sum. Where a
record has nothing to say another may speak for it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from models.metered_volumes import Interval


def in_sequence(records: Iterable[tuple[Interval, ...]]) -> tuple[tuple[Interval, ...], ...]:
    """As few records as hold them all, the intervals of each in order of time and none over another.

    Parameters
    ----------
    records : of one meter each, in order of time and not empty. A record goes on from the one that ended last before
        it begins.
    """
    lines: list[tuple[Interval, ...]] = []
    for one in sorted(records, key=lambda each: (each[0].start_ms, each[-1].end_ms)):
        ended = [line for line in lines if line[-1].end_ms <= one[0].start_ms]
        before = max(ended, key=lambda line: line[-1].end_ms, default=())
        if before:
            lines.remove(before)
        lines.append((*before, *one))
    return tuple(lines)


SPEAKS_FROM = 0.5
"""Share of a period that a record must know to speak for it beside one that tells the period whole."""


def filled(record: Sequence[Interval], other: Sequence[Interval]) -> tuple[Interval, ...]:
    """A record with the known volumes of another where it knows too little; no volume is cut or counted twice.

    Parameters
    ----------
    record, other : in order of time, none over another. Where the record has more water in a period than the other, it
        keeps the period: the two contradict each other, and the first one speaks.
    """
    known = [one for one in record if one.volume_gal is not None]
    starts, ends = _edges(known)
    fills = [
        one for one in other
        if one.volume_gal is not None
        and _silent(known[bisect_right(ends, one.start_ms) : bisect_left(starts, one.end_ms)], one)
    ]  # fmt: skip
    edges = _edges(fills)
    left = [part for one in record for part in _outside(one, fills, *edges)] if fills else record
    return tuple(sorted((*fills, *left), key=lambda one: one.start_ms))


def _edges(found: Sequence[Interval]) -> tuple[list[int], list[int]]:
    return [one.start_ms for one in found], [one.end_ms for one in found]


def _silent(known: Sequence[Interval], one: Interval) -> bool:
    inside = all(one.start_ms <= each.start_ms and each.end_ms <= one.end_ms for each in known)
    time = sum(each.end_ms - each.start_ms for each in known)
    less = sum(each.volume_gal or 0.0 for each in known) <= (one.volume_gal or 0.0)
    return inside and less and time < SPEAKS_FROM * (one.end_ms - one.start_ms)


def _outside(one: Interval, fills: Sequence[Interval], starts: list[int], ends: list[int]) -> Iterator[Interval]:
    """What is left of an interval, whole or of unknown volume, beside the periods that another record tells."""
    at = one.start_ms
    for each in fills[bisect_right(ends, one.start_ms) : bisect_left(starts, one.end_ms)]:
        if each.start_ms > at:
            yield replace(one, start_ms=at, end_ms=each.start_ms)
        at = each.end_ms
    if at < one.end_ms:
        yield replace(one, start_ms=at) if at > one.start_ms else one
