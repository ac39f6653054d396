"""Spells pooled over short recoveries: a secondary report beside the trigger, never part of it (decision 19)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from models.streamflow.day_states import DailyFlow
from models.streamflow.practice import PRACTICE, Practice
from models.streamflow.shortfall import Shortfall, Spell
from models.streamflow.threshold import Threshold

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Pool:
    """Spells that a day of augmentation or a shower would have parted.

    Parameters
    ----------
    start, end : first and last known day below.
    spells : how many spells are pooled.
    below_days : known days below in all of them [d].
    deficit : sum of (base flow - value) over those days [cfs d, or ft d].
    """

    start: date
    end: date
    spells: int
    below_days: int
    deficit: Decimal


def pooled(
    found: Shortfall, days: Sequence[DailyFlow], threshold: Threshold, practice: Practice = PRACTICE
) -> tuple[Pool, ...]:
    """Pool neighbouring spells by the inter-event time and volume criterion.

    Parameters
    ----------
    found : the judgement of ``days`` against ``threshold``.
    days : the record.
    threshold : base flow [cfs] or stage [ft] by day.
    practice : pooled where t <= ``pool_gap_days`` and v / deficit before <= ``pool_volume_ratio``, with t the days
        and v the volume above the base flow between two spells; never across a day without a value.

    Notes
    -----
    Tallaksen, Madsen & Clausen (1997), Hydrol. Sci. J. 42(1), 15-33.
    """
    above = {day.day: day.value - threshold.at(day.day) for day in days if day.value is not None}
    pools: list[Pool] = []
    for spell in found.spells:
        one = _pool(spell, above)
        if pools and _joins(pools[-1], one, above, practice):
            one = _joined(pools.pop(), one)
        pools.append(one)
    return tuple(pools)


def _pool(spell: Spell, above: dict[date, Decimal]) -> Pool:
    deficit = -sum((above[day] for day in spell.below_days), Decimal(0))
    return Pool(spell.start, spell.end, 1, spell.known_below_days, deficit)


def _joins(before: Pool, after: Pool, above: dict[date, Decimal], practice: Practice) -> bool:
    gap = (after.start - before.end).days - 1
    between = [above.get(before.end + k * ONE_DAY) for k in range(1, gap + 1)]
    excess = sum((max(one, Decimal(0)) for one in between if one is not None), Decimal(0))
    small = excess <= practice.pool_volume_ratio * before.deficit
    return gap <= practice.pool_gap_days and None not in between and small


def _joined(before: Pool, after: Pool) -> Pool:
    deficit = before.deficit + after.deficit
    return Pool(before.start, after.end, before.spells + after.spells, before.below_days + after.below_days, deficit)
