"""Meters of one well one after the other: a second meter that took over from a first is one record with it.

Records that share no time follow each other: each covers its own time, and nobody owes readings of a meter that is not
yet or no longer there. Records that overlap are meters side by side, of which the well's water is the sum.
"""

from __future__ import annotations

from collections.abc import Iterable

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
