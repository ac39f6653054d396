"""Days below in the 30 and the 365 days to a trigger: beside the consecutive count, and deciding nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from models.finding import Evidence
from models.streamflow.spells import Spell

WINDOWS = (30, 365)
"""Days to a trigger, it included, over which days below are counted (shortfall semantics, decision 1)."""


def last_day(spell: Spell) -> date:
    """The day the windows end with: the trigger, or the last day below."""
    return spell.trigger_date or spell.end


def first_day(spell: Spell, since: date) -> date:
    """The first day of the longest window, not before ``since``."""
    return max(since, last_day(spell) - timedelta(days=WINDOWS[-1] - 1))


def days_below(low: Sequence[date], spell: Spell, since: date) -> Evidence:
    """The counts of ``low``, days below from `first_day` to `last_day`; ``since`` is the first day judged."""
    on = last_day(spell)
    counts = (f"{sum(day > on - timedelta(days=window) for day in low)} in the {window} days" for window in WINDOWS)
    return Evidence("days below", f"{' and '.join(counts)} to {on}, since {since}", "context")
