"""Volumes pumped in any time: at least, spread evenly, and at most, since a meter is read only now and then.

Of an interval of volume V and length T that a time shares for o, between max(0, V - c (T - o)) and min(V, c o) fell
into it, c what the pump can lift; V o / T when spread evenly. Where no c is stated, or the meter shows more than it,
anything from 0 to V. Whole numbers of a millionth of a gallon, so that an interval that lies inside counts exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from models.metered_volumes import Interval
from models.observation import DAY_MS

Instants = NDArray[np.int64]
Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]
PARTS = 1_000_000
"""Of a gallon: what a register can show."""
EXACT_BELOW_GAL = 1e9
"""Of smaller volumes a float holds every digit to the millionth (15 digits)."""


def parts_of(gallons: float | Decimal) -> int:
    """Gallons as whole parts."""
    return round(Decimal(str(gallons)) * PARTS)


@dataclass(frozen=True)
class Volumes:
    """Of several times at once [parts of a gallon]: int64[n] at least and at most, float64[n] spread evenly.

    ``open``: bool[n], nobody knows the most.
    """

    low: Instants
    even: Numbers
    high: Instants
    open: Marks

    def __add__(self, other: Volumes) -> Volumes:
        low, even, high = self.low + other.low, self.even + other.even, self.high + other.high
        return Volumes(low, even, high, self.open | other.open)

    @staticmethod
    def none(count: int) -> Volumes:
        zero = np.zeros(count, np.int64)
        return Volumes(zero, np.zeros(count), zero, np.zeros(count, np.bool_))


@dataclass(frozen=True)
class VolumeRecord:
    """The intervals of one meter in order of time, none over another; ``most_gpd``: what the pump can lift in a day,
    where stated."""

    found: tuple[Interval, ...]
    most_gpd: Decimal | None = None

    @cached_property
    def starts(self) -> Instants:
        return np.array([one.start_ms for one in self.found], np.int64)

    @cached_property
    def ends(self) -> Instants:
        return np.array([one.end_ms for one in self.found], np.int64)

    @cached_property
    def known(self) -> Marks:
        return np.array([one.volume_gal is not None for one in self.found], np.bool_)

    @cached_property
    def volume(self) -> Instants:
        """0 where not known."""
        gallons = np.array([one.volume_gal or 0.0 for one in self.found], np.float64)
        parts = np.rint(gallons * PARTS).astype(np.int64)
        for k in np.flatnonzero(gallons >= EXACT_BELOW_GAL):
            parts[k] = parts_of(gallons[k])
        return parts

    def within(self, start: Instants, end: Instants) -> Volumes:
        """What fell into the times from ``start`` to ``end``."""
        if not self.found:
            return Volumes.none(len(start))
        first, last = np.searchsorted(self.ends, start, "right"), np.searchsorted(self.starts, end, "left")
        enters = (first < last) & (self.starts[np.minimum(first, len(self.found) - 1)] < start)
        inner = first + enters
        leaves = (last > inner) & (self.ends[last - 1] > end)
        outer = last - leaves
        whole = self._whole(inner, outer)
        return whole + self._part(first, enters, start, end) + self._part(last - 1, leaves, start, end)

    def counted(self, at: Numbers | Instants) -> Numbers:
        """What was counted up to each instant, evenly spread [gal]; an unknown volume counts as none."""
        if not self.found:
            return np.zeros(len(at))
        number = np.clip(np.searchsorted(self.starts, at, "right") - 1, 0, None)
        part = np.clip((at - self.starts[number]) / (self.ends[number] - self.starts[number]), 0.0, 1.0)
        return np.asarray((self._sums[0][number] + part * self.volume[number]) / PARTS)

    def time_within(self, start: Instants, end: Instants) -> Instants:
        """How much of each time lies in an interval, known or not [ms]."""
        length = np.concatenate([[0], np.cumsum(self.ends - self.starts)])
        return np.asarray(self._elapsed(length, end) - self._elapsed(length, start), np.int64)

    def _elapsed(self, length: Instants, at: Instants) -> Instants:
        if not self.found:
            return np.zeros(len(at), np.int64)
        number = np.clip(np.searchsorted(self.starts, at, "right") - 1, 0, None)
        inside = np.clip(at - self.starts[number], 0, self.ends[number] - self.starts[number])
        return np.asarray(length[number] + inside, np.int64)

    def rows_within(self, start: int, end: int) -> tuple[str, ...]:
        """The readings that end the intervals which share a time."""
        return tuple(one.row for one in self._sharing(start, end))

    def spans(self, start: int, end: int) -> list[Interval]:
        """The intervals that lie partly in a time and partly outside it."""
        return [one for one in self._sharing(start, end) if one.start_ms < start or one.end_ms > end]

    def _sharing(self, start: int, end: int) -> Sequence[Interval]:
        first, last = np.searchsorted(self.ends, start, "right"), np.searchsorted(self.starts, end, "left")
        return self.found[int(first) : int(last)]

    @cached_property
    def _sums(self) -> tuple[Instants, Instants]:
        """Known volume, and time of unknown volume, before each interval."""
        unknown = np.where(self.known, 0, self.ends - self.starts)
        return np.concatenate([[0], np.cumsum(self.volume)]), np.concatenate([[0], np.cumsum(unknown)])

    def _whole(self, first: Instants, last: Instants) -> Volumes:
        volume, unknown = self._sums
        total, hidden = volume[last] - volume[first], unknown[last] - unknown[first]
        return Volumes(total, total.astype(np.float64), total + self._liftable(hidden), self._open(hidden > 0))

    def _part(self, index: Instants, counts: Marks, start: Instants, end: Instants) -> Volumes:
        """Of the one interval at ``index`` what may have fallen into each time; nothing where it does not count."""
        at = np.clip(index, 0, len(self.found) - 1)
        length = self.ends[at] - self.starts[at]
        inside = np.where(counts, np.minimum(self.ends[at], end) - np.maximum(self.starts[at], start), 0)
        volume, known = np.where(counts, self.volume[at], 0), self.known[at] | ~counts
        bound = self._bounds(volume, length)
        low = np.where(bound, np.maximum(volume - self._liftable(length - inside), 0), 0)
        high = np.where(bound, np.minimum(volume, self._liftable(inside)), volume)
        high = np.where(known, high, self._liftable(inside))
        even = volume * (inside / length)
        return Volumes(np.where(counts & known, low, 0), even, high, self._open(~known))

    def _liftable(self, time: Instants) -> Instants:
        if self.most_gpd is None:
            return np.zeros(len(time), np.int64)
        lifted = np.ceil(time * (float(self.most_gpd) * PARTS / DAY_MS) - 1e-3)
        return np.asarray(lifted, np.int64)

    def _bounds(self, volume: Instants, length: Instants) -> Marks:
        """Whether the stated capacity agrees with the meter, so that it bounds anything."""
        if self.most_gpd is None:
            return np.zeros(len(volume), np.bool_)
        return np.asarray(volume <= self._liftable(length), np.bool_)

    def _open(self, hidden: Marks) -> Marks:
        return hidden & (self.most_gpd is None)
