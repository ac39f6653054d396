"""Volumes by calendar period: what was pumped between two readings, shared by time and adding up exactly.

A volume V between two readings T apart gives a time that shares o of it V o / T: spread evenly, since nothing says
otherwise. Arithmetic is in fractions, so that the shares of an interval are the interval, whatever its length, a day
of 23 or 25 hours, a leap day. What fell on one day is not known when a reading was not taken at both its ends: it lies
between the bounds of ``models.volume_bounds``, anything from nothing to the whole volume where no pump capacity is
stated. Whole gallons are the differences of rounded running totals, so that printed months add up to the printed year.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import lcm
from zoneinfo import ZoneInfo

import numpy as np

from models.metered_volumes import Interval
from models.observation import DAY_MS
from models.volume_bounds import EXACT_BELOW_GAL, PARTS, Instants, VolumeRecord

MS_IN_A_MINUTE = 60_000
HOUR_MS = 60 * MS_IN_A_MINUTE
ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Share:
    """What one meter says of one period.

    Parameters
    ----------
    start_ms, end_ms : the period, end excluded.
    volume_gal : share of every known volume.
    metered_ms : time of the period that known volumes cover; the rest is not metered.
    running_ms : time in intervals whose volume is not zero: the pump ran at some time in each.
    rows : the readings that end the intervals used.
    """

    start_ms: int
    end_ms: int
    volume_gal: Fraction
    metered_ms: int
    running_ms: int
    rows: tuple[str, ...]

    @property
    def mean_gpm(self) -> float | None:
        """Mean rate over the metered time [gpm]."""
        return float(self.volume_gal * MS_IN_A_MINUTE / self.metered_ms) if self.metered_ms else None

    @property
    def not_metered_ms(self) -> int:
        return self.end_ms - self.start_ms - self.metered_ms


@dataclass(frozen=True)
class DailyVolumes:
    """What one record says of every civil day, a value each.

    Parameters
    ----------
    days : consecutive civil days.
    volume_gal : spread evenly by time; over the days they add up to the volumes of the record exactly.
    low_gal, high_gal : what fell on the day at least and at most [gal], to a millionth; infinite where nobody knows.
    metered_ms, length_ms : time of the day that known volumes cover, and the day's own length, 23 to 25 hours.
    """

    days: tuple[date, ...]
    volume_gal: tuple[Fraction, ...]
    low_gal: tuple[float, ...]
    high_gal: tuple[float, ...]
    metered_ms: tuple[int, ...]
    length_ms: tuple[int, ...]

    @property
    def rate_gpd(self) -> tuple[float | None, ...]:
        """Mean rate over the metered time of each day [gal per 24 hours]; None where none was metered."""
        parts = zip(self.volume_gal, self.metered_ms, strict=True)
        return tuple(float(volume) * DAY_MS / metered if metered else None for volume, metered in parts)


def daily(
    found: Sequence[Interval], zone: ZoneInfo, first: date, last: date, most_gpd: Decimal | None = None
) -> DailyVolumes:
    """The volumes of one record by civil day, ``first`` to ``last``, with how far each day's is known.

    Parameters
    ----------
    found : in order of time, none over another.
    most_gpd : what the pump can lift in a day, where stated: it bounds what can have fallen on one day.
    """
    edges, known = midnights(zone, first, last), _known(found)
    lasting = tuple(one for one in found if one.end_ms > one.start_ms)  # an exchange read at one instant takes no time
    bounds = VolumeRecord(lasting, most_gpd).within(edges[:-1], edges[1:])
    return DailyVolumes(
        tuple(first + k * ONE_DAY for k in range(len(edges) - 1)),
        tuple(_spread(known, edges.tolist())),
        tuple((bounds.low / PARTS).tolist()),
        tuple(np.where(bounds.open, np.inf, bounds.high / PARTS).tolist()),
        tuple(VolumeRecord(tuple(known)).time_within(edges[:-1], edges[1:]).tolist()),
        tuple(np.diff(edges).tolist()),
    )


def midnights(zone: ZoneInfo, first: date, last: date) -> Instants:
    """The edges of every civil day from one to another [epoch ms]: one more than there are days."""
    return np.array([midnight_ms(zone, first + k * ONE_DAY) for k in range((last - first).days + 2)], np.int64)


@lru_cache(maxsize=65536)
def midnight_ms(zone: ZoneInfo, day: date) -> int:
    """The first instant of a civil day [epoch ms]."""
    return round(datetime.combine(day, time(), zone).timestamp() * 1000)


def apportioned(found: Sequence[Interval], edges_ms: Sequence[int]) -> list[Share]:
    """The volumes of one meter by the periods between ``edges_ms`` (increasing).

    Parameters
    ----------
    found : in order of time, none over another.
    """
    known, shares, first = _known(found), [], 0
    for (start, end), volume in zip(pairwise(edges_ms), _spread(known, edges_ms), strict=True):
        while first < len(known) and known[first].end_ms <= start:
            first += 1
        shares.append(_share(list(_inside(known, first, start, end)), volume, start, end))
    return shares


def whole_gallons(shares: Sequence[Share]) -> list[int]:
    """Each share in whole gallons; their sum is the rounded sum of the shares."""
    totals = [0, *(round(total) for total in accumulate(one.volume_gal for one in shares))]
    return [after - before for before, after in pairwise(totals)]


def _known(found: Sequence[Interval]) -> list[Interval]:
    return [one for one in found if one.volume_gal is not None and one.end_ms > one.start_ms]


def _inside(known: Sequence[Interval], first: int, start: int, end: int) -> Iterator[tuple[Interval, int]]:
    """The intervals that share a period, each with how much of its time that is [ms]."""
    for number in range(first, len(known)):
        one = known[number]
        if one.start_ms >= end:
            return
        yield one, min(one.end_ms, end) - max(one.start_ms, start)


def _share(used: Sequence[tuple[Interval, int]], volume: Fraction, start: int, end: int) -> Share:
    running = sum(inside for one, inside in used if one.volume_gal)
    return Share(start, end, volume, sum(inside for _, inside in used), running, tuple(one.row for one, _ in used))


def _spread(known: Sequence[Interval], edges_ms: Sequence[int]) -> list[Fraction]:
    """The volume of every period between edges: what was counted up to its end less what was up to its start.

    Up to an instant that is d into an interval of volume V and length T, all volumes before it and V d / T.
    """
    if not known:
        return [Fraction(0)] * (len(edges_ms) - 1)
    per_gallon, volumes = _scaled(known)
    lengths = [one.end_ms - one.start_ms for one in known]
    starts = np.array([one.start_ms for one in known], np.int64)
    numbers = np.clip(np.searchsorted(starts, np.array(edges_ms, np.int64), "right") - 1, 0, None)
    into = np.clip(np.array(edges_ms, np.int64) - starts[numbers], 0, np.array(lengths, np.int64)[numbers])
    at = zip(numbers.tolist(), into.tolist(), strict=True)
    return [_between(volumes, lengths, per_gallon, *ends) for ends in pairwise(at)]


Moment = tuple[int, int]
"""The number of an interval, and how far into it [ms]."""


def _between(volumes: Sequence[int], lengths: Sequence[int], per_gallon: int, one: Moment, other: Moment) -> Fraction:
    (i, d), (j, e) = one, other
    if i == j:
        return Fraction(volumes[i] * (e - d), lengths[i] * per_gallon)
    whole = sum(volumes[i + 1 : j]) if j > i + 1 else 0
    if lengths[i] == lengths[j]:
        parts = volumes[i] * (lengths[i] - d) + whole * lengths[i] + volumes[j] * e
        return Fraction(parts, lengths[i] * per_gallon)
    ends = volumes[i] * (lengths[i] - d) * lengths[j] + volumes[j] * e * lengths[i]
    return Fraction(ends + whole * lengths[i] * lengths[j], lengths[i] * lengths[j] * per_gallon)


def _scaled(known: Sequence[Interval]) -> tuple[int, list[int]]:
    """Volumes as whole parts of a gallon, so many to one: decimals as they were reported."""
    volumes = np.array([one.volume_gal for one in known], np.float64)
    parts = np.rint(volumes * PARTS)
    if bool(((parts / PARTS == volumes) & (volumes < EXACT_BELOW_GAL)).all()):
        return PARTS, parts.astype(np.int64).tolist()
    ratios = [Decimal(str(float(one))).as_integer_ratio() for one in volumes]
    per_gallon = lcm(*(bottom for _, bottom in ratios))
    return per_gallon, [top * (per_gallon // bottom) for top, bottom in ratios]
