"""Days of a stage gauge as they are put to the shortfall machine: each known one beside its reference stage.

A day whose datum is in doubt is unknown: neither below nor a recovery, whatever it reads. Read as it stands where it
reads below, it only tells the town of a lowering that nobody can vouch for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from models.checks import revised_days, surface_level_days
from models.checks.surface_level_reference import Reference
from models.question import Question
from models.rules import SurfaceLevelRule
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, DayState, explain
from models.streamflow.practice import Practice
from models.streamflow.spells import Spell

ONE_DAY = timedelta(days=1)


def practice(question: Question, gauge: Gauge) -> Practice:
    """The numbers the law leaves open, for the stage of this gauge."""
    return surface_level_days.practice(question.policy.practice(), gauge)


def judged_days(
    rule: SurfaceLevelRule,
    question: Question,
    gauge: Gauge,
    by: Reference,
    start: date,
    end: date,
    *,
    low_as_read: bool = False,
) -> list[DailyFlow]:
    """Every calendar day: silence counts, and a day that cannot be compared, or on a datum in doubt, has no value.

    ``low_as_read``: days that read below on a datum in doubt keep what they read.
    """
    known = {one.day: one for one in surface_level_days.daily(question, gauge, start, end)}
    calendar = [start + k * ONE_DAY for k in range((end - start).days + 1)]
    own = practice(question, gauge)
    days = [_compared(by, known[day]) if day in known else DailyFlow(day, None) for day in calendar]
    return [one if low_as_read and state(rule, by, one, own)[0] is DayState.BELOW else _sound(by, one) for one in days]


def _compared(by: Reference, day: DailyFlow) -> DailyFlow:
    if day.value is None or by.at(day.day) is not None:
        return day
    return replace(day, value=None, qualifiers=(), note=by.lack(day.day))


def _sound(by: Reference, day: DailyFlow) -> DailyFlow:
    doubt = "" if day.value is None else by.doubt(day.day)
    return replace(day, value=None, qualifiers=(), note=f"reads {day.value} ft; {doubt}") if doubt else day


def state(rule: SurfaceLevelRule, by: Reference, day: DailyFlow, own: Practice) -> tuple[DayState, str]:
    """State of a day of `judged_days`, and why an unknown one is unknown."""
    return explain(day, by.at(day.day) or Decimal(0), rule.operator, "stage", own)


def sound_trigger(spell: Spell, by: Reference, needed: int) -> date | None:
    """The day that completed ``needed`` consecutive days below on an established datum and reference."""
    run, before = 0, None
    for day in spell.below_days:
        run = 0 if by.lack(day) else (run if before is not None and day - before == ONE_DAY else 0) + 1
        if run >= needed:
            return day
        before = day
    return None


def said(days: Mapping[date, DailyFlow], by: Reference, within: Sequence[date]) -> dict[str, str]:
    """What each of some days says against its reference, for people and to measure a revision against."""
    return {day.isoformat(): _says(days.get(day), by, day) for day in within}


def _says(day: DailyFlow | None, by: Reference, on: date) -> str:
    if by.doubt(on):
        return "datum in doubt"
    return revised_days.UNKNOWN if day is None or day.value is None else f"{day.value} ft against {by.at(on)} ft"
