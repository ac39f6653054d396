"""Metered volumes by calendar period, apportioned by time and adding up exactly.

A volume between two readings is spread evenly over the time between them, as ``models.pumping`` does
for the aquifer. Arithmetic is in fractions, so that the shares of an interval are the interval; whole
gallons are the differences of rounded running totals, so that printed months add up to the printed year.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from models.pumping import Interval

MS_IN_A_MINUTE = 60_000


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


def apportioned(found: Sequence[Interval], edges_ms: Sequence[int]) -> list[Share]:
    """The volumes of one meter by the periods between ``edges_ms`` (increasing)."""
    return [_share(found, start, end) for start, end in pairwise(edges_ms)]


def whole_gallons(shares: Sequence[Share]) -> list[int]:
    """Each share in whole gallons; their sum is the rounded sum of the shares."""
    totals = [0, *(round(total) for total in accumulate(one.volume_gal for one in shares))]
    return [after - before for before, after in pairwise(totals)]


def _share(found: Sequence[Interval], start: int, end: int) -> Share:
    within = [(one, _overlap(one, start, end)) for one in found if one.volume_gal is not None]
    used = [(one, inside, Fraction(one.volume_gal or 0)) for one, inside in within if inside > 0]
    volume = sum((total * inside / (one.end_ms - one.start_ms) for one, inside, total in used), Fraction(0))
    running = sum(inside for _, inside, total in used if total)
    rows = tuple(one.row for one, _, _ in used)
    return Share(start, end, volume, sum(inside for _, inside, _ in used), running, rows)


def _overlap(one: Interval, start: int, end: int) -> int:
    return min(one.end_ms, end) - max(one.start_ms, start)
