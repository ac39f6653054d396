"""How often the shortfall rule was met before the mine: printed beside every alert (decision 28)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from models.streamflow.day_states import DailyFlow, DayState, Operator, Quantity, day_state
from models.streamflow.practice import PRACTICE, Practice
from models.streamflow.shortfall import judge
from models.streamflow.threshold import Threshold

DAYS_PER_YEAR = Decimal("365.25")


@dataclass(frozen=True)
class NaturalRate:
    """How often the same rule was met without the mine (decision 28).

    ``years`` are known days / 365.25 [a], to two places; ``per_year`` is None where no day was known.
    """

    triggers: int
    years: Decimal
    per_year: float | None


def natural_rate(
    days: Sequence[DailyFlow],
    threshold: Threshold,
    *,
    operator: Operator = "lt",
    more_than_days: int = 5,
    quantity: Quantity = "discharge",
    practice: Practice = PRACTICE,
) -> NaturalRate:
    """The trigger rate of the same machine over the baseline record (decision 28); parameters as in `judge`."""
    found = judge(
        days, threshold, operator=operator, more_than_days=more_than_days, quantity=quantity, practice=practice
    )
    states = [day_state(day, threshold.at(day.day), operator, quantity, practice) for day in days]
    known = len(states) - states.count(DayState.UNKNOWN)
    triggers = sum(spell.trigger_date is not None for spell in found.spells)
    rate = float(triggers * DAYS_PER_YEAR / known) if known and found.status == "EVALUATED" else None
    return NaturalRate(triggers, (known / DAYS_PER_YEAR).quantize(Decimal("0.01")), rate)
