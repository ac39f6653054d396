"""How often the shortfall rule was met before the mine: printed beside every alert (decision 28)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import numpy as np

from models.streamflow.day_states import DailyFlow, DayState, Operator, Quantity, day_state
from models.streamflow.practice import PRACTICE, Practice
from models.streamflow.shortfall import check_question
from models.streamflow.spell_runs import CODE, NONE, UNKNOWN, Codes, spell_runs
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


@dataclass(frozen=True)
class RuleMet:
    """The rule over a record: the days on which it was met, the days that were known, and whether it can be put."""

    triggers: tuple[date, ...]
    known: tuple[date, ...]
    applicable: bool

    def rate(self) -> NaturalRate:
        """Triggers per year of known days."""
        count, known = len(self.triggers), len(self.known)
        per_year = float(count * DAYS_PER_YEAR / known) if known and self.applicable else None
        return NaturalRate(count, (known / DAYS_PER_YEAR).quantize(Decimal("0.01")), per_year)


def natural_rate(
    days: Sequence[DailyFlow],
    threshold: Threshold,
    *,
    operator: Operator = "lt",
    more_than_days: int = 5,
    quantity: Quantity = "discharge",
    practice: Practice = PRACTICE,
) -> NaturalRate:
    """The trigger rate of the same rule over the baseline record (decision 28); parameters as in `judge`."""
    return rule_met(days, threshold, operator, more_than_days, quantity, practice).rate()


def rule_met(
    days: Sequence[DailyFlow],
    threshold: Threshold,
    operator: Operator = "lt",
    more_than_days: int = 5,
    quantity: Quantity = "discharge",
    practice: Practice = PRACTICE,
) -> RuleMet:
    """The days on which the rule was met; a date that is missing is unknown. Parameters as in `judge`."""
    check_question(days, threshold, more_than_days, quantity)
    bases = [threshold.at(day.day) for day in days]
    states = [day_state(day, base, operator, quantity, practice) for day, base in zip(days, bases, strict=True)]
    known = tuple(day.day for day, state in zip(days, states, strict=True) if state is not DayState.UNKNOWN)
    if not days or (quantity == "discharge" and not any(bases)):
        return RuleMet((), known, applicable=False)
    first = days[0].day.toordinal()
    found = spell_runs(_on_calendar(days, states, first), more_than_days, practice).trigger
    return RuleMet(tuple(date.fromordinal(first + int(row)) for row in found[found != NONE]), known, applicable=True)


def _on_calendar(days: Sequence[DailyFlow], states: Sequence[DayState], first: int) -> Codes:
    """One row for every calendar day: uint8[day, 1]."""
    codes = np.full((days[-1].day.toordinal() - first + 1, 1), UNKNOWN, np.uint8)
    codes[[day.day.toordinal() - first for day in days], 0] = [CODE[state] for state in states]
    return codes
