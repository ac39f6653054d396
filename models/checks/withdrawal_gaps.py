"""Time of which nothing is known at a metered well: before its first reading, between records, and after the last.

A meter that nobody reads says nothing of the water pumped since, and clears nobody. The time since a last reading is
not held against it until so long is over as the policy allows (``volumes_read_within``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise

from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.volume_bounds import VolumeRecord

NOTE = "nothing metered or reported"


def gaps(records: Sequence[VolumeRecord], start_ms: int, end_ms: int, read_within_d: Decimal) -> VolumeRecord:
    """The time from ``start_ms`` to ``end_ms`` that no record of a well covers, as intervals of unknown volume.

    Meters side by side each owe their readings from their first on; before the first of all nothing is known.
    ``read_within_d``: time after a last reading is left out only when there is more of it than so many days.
    """
    lines = [one.found for one in records if one.found]
    if not lines:
        return VolumeRecord(())
    open_times = [(start_ms, min(line[0].start_ms for line in lines))]
    for line in lines:
        open_times += _within(line, end_ms, read_within_d)
    return VolumeRecord(tuple(_joined(open_times, start_ms, end_ms)))


def _within(line: Sequence[Interval], end_ms: int, read_within_d: Decimal) -> Iterator[tuple[int, int]]:
    for before, after in pairwise(line):
        yield before.end_ms, after.start_ms
    if end_ms - line[-1].end_ms > read_within_d * DAY_MS:
        yield line[-1].end_ms, end_ms


def _joined(times: Sequence[tuple[int, int]], start_ms: int, end_ms: int) -> Iterator[Interval]:
    """Times in order and none over another, inside the ends."""
    reached = start_ms
    for start, end in sorted(times):
        first, last = max(start, reached), min(end, end_ms)
        if first < last:
            yield Interval(first, last, None, NOTE, "")
            reached = last


def able_from(began: date, pumps: Sequence[date]) -> date:
    """The first day of mining on which the well can have given water: a stated pump was not there before it was set."""
    return max(began, min(pumps, default=began))
