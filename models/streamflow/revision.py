"""What a revised record does to shortfalls already found (decision 13). Both judgements are made from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from models.streamflow.day_states import DailyFlow
from models.streamflow.shortfall import Shortfall, Spell


@dataclass(frozen=True)
class Change:
    """One shortfall that a revision made, unmade, moved or confirmed. No deadline runs from it.

    Parameters
    ----------
    kind : APPEARED, RETRACTED, AMENDED (the date moved), or CONFIRMED (no longer provisional, same date).
    before, after : the spell in the old and in the new judgement; None where there is none.
    changed_days : days within the spells whose record differs, in order.
    """

    kind: Literal["APPEARED", "RETRACTED", "AMENDED", "CONFIRMED"]
    before: Spell | None
    after: Spell | None
    changed_days: tuple[date, ...]


def changes(
    old_days: Sequence[DailyFlow], old: Shortfall, new_days: Sequence[DailyFlow], new: Shortfall
) -> tuple[Change, ...]:
    """Compare two judgements of one gauge.

    Parameters
    ----------
    old_days, new_days : the records the judgements were made from.
    old, new : the judgements.

    Returns
    -------
    tuple of Change
        Old shortfalls in order, then those that appeared; a shortfall that stands unchanged is not listed.
    """
    revised = _revised(old_days, new_days)
    fresh = _triggered(new)
    found: list[Change] = []
    for before in _triggered(old):
        after = next((one for one in fresh if _overlap(before, one)), None)
        if after is not None:
            fresh.remove(after)
        found += _change(before, after, revised)
    return (*found, *(Change("APPEARED", None, one, _within(revised, one)) for one in fresh))


def _change(before: Spell, after: Spell | None, revised: list[date]) -> list[Change]:
    if after is None:
        return [Change("RETRACTED", before, None, _within(revised, before))]
    if before.trigger_date != after.trigger_date:
        return [Change("AMENDED", before, after, _within(revised, before, after))]
    if before.provisional and not after.provisional:
        return [Change("CONFIRMED", before, after, _within(revised, before, after))]
    return []


def _triggered(judgement: Shortfall) -> list[Spell]:
    return [spell for spell in judgement.spells if spell.trigger_date]


def _overlap(one: Spell, other: Spell) -> bool:
    return one.start <= other.end and other.start <= one.end


def _revised(old_days: Sequence[DailyFlow], new_days: Sequence[DailyFlow]) -> list[date]:
    old, new = ({day.day: day for day in days} for days in (old_days, new_days))
    return sorted(day for day in old.keys() | new.keys() if old.get(day) != new.get(day))


def _within(revised: list[date], *spells: Spell) -> tuple[date, ...]:
    first = min(spell.earliest_start or spell.start for spell in spells)
    last = max(spell.latest_end or spell.end for spell in spells)
    return tuple(day for day in revised if first <= day <= last)
