"""The days of a stage gauge as they are judged: daily mean stage above NAVD88, and whether its datum is established.

Days on which two gauges of one lake disagree are unknown (shortfall semantics, decision 26). The semantics ask for
sustained wind beside it; no station records wind, and a lake is level, so the difference alone says that either wind
holds the water at one shore or a gauge has moved, and the level of the day is known in neither case.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from models.question import Question
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, to_record_precision, why_unknown
from models.streamflow.practice import Practice
from models.waters import Datum, zero_on

STAGE: Final = "stage"
NO_ZERO = "no gauge_zero in force states its vertical datum"


def daily(question: Question, gauge: Gauge, start: date | None, end: date) -> list[DailyFlow]:
    """Civil days in order, stage [ft above NAVD88]; days with no row are absent, doubtful ones have no value."""
    days = above_datum(question, gauge, start, end)
    others = [_known(question, one, start, end) for one in siblings(question, gauge)]
    return [_agreed(question, gauge, one, others) for one in days]


def siblings(question: Question, gauge: Gauge) -> list[Gauge]:
    """Other stage gauges of the same lake; stages along a stream differ by its slope and say nothing of each other."""
    if gauge.lake is None:
        return []
    return [one for one in question.site.gauge if one.lake == gauge.lake and one.id != gauge.id]


def known_before_mining(question: Question, gauge: Gauge) -> tuple[dict[date, float], int]:
    """Known days before mining [ft] whose datum is established, and how many were left out because it is not."""
    own = practice(question.policy.practice(), gauge)
    days = daily(question, gauge, None, question.day_before_mining)
    known = [one for one in days if one.value is not None and not why_unknown(one, "stage", own)]
    sure = [one for one in known if not doubt(question, gauge, one.day)]
    return {one.day: float(one.value) for one in sure if one.value is not None}, len(known) - len(sure)


def practice(policy: Practice, gauge: Gauge) -> Practice:
    """Ice backs up a stream and voids its stage; a lake's it leaves as it is (decisions 14 and 26)."""
    return policy if gauge.lake is not None else replace(policy, stage_keeps=frozenset())


def doubt(question: Question, gauge: Gauge, day: date) -> str:
    """Why the datum of a day's stage is not established; empty where it is."""
    return question.once(("datum", gauge.id), lambda: _datum(question, gauge)).doubt(day)


def _datum(question: Question, gauge: Gauge) -> Datum:
    policy = question.policy
    checks = [one for one in gauge.datum_check if one.on <= question.on]
    return Datum(gauge.gauge_zero, checks, policy.stage_uncertainty.value, int(policy.stage_datum_check_valid.value))


def newly_surveyed(gauge: Gauge, after: date, on: date, valid_days: int) -> date | None:
    """The first day that a survey of the days after ``after``, to ``on``, speaks of; None without one."""
    new = [one.on for one in gauge.datum_check if after < one.on <= on]
    return min(new) - timedelta(days=valid_days) if new else None


def above_datum(question: Question, gauge: Gauge, start: date | None, end: date) -> list[DailyFlow]:
    """The same, whatever other gauges of the lake say."""
    return [raised(gauge, one) for one in question.observations.daily(gauge.id, STAGE, start, end)]


def raised(gauge: Gauge, day: DailyFlow) -> DailyFlow:
    """A day's stage above NAVD88 by the zero in force; no value where none states its datum."""
    if day.value is None or not day.value.is_finite():
        return day
    zero = zero_on(gauge.gauge_zero, day.day)
    if zero is None:
        return replace(day, value=None, note=NO_ZERO)
    stage = to_record_precision(day.value, day.origin, STAGE)
    return replace(day, value=zero.navd88_ft + stage, origin="estimated" if day.is_estimated else "published")


def _known(question: Question, gauge: Gauge, start: date | None, end: date) -> tuple[str, dict[date, Decimal]]:
    """Known days on an established datum: a gauge that is known to be off contradicts nobody."""
    days = above_datum(question, gauge, start, end)
    own = practice(question.policy.practice(), gauge)
    known = {one.day: one.value for one in days if one.value is not None and not why_unknown(one, "stage", own)}
    return gauge.id, {day: value for day, value in known.items() if not doubt(question, gauge, day)}


def _agreed(
    question: Question, gauge: Gauge, day: DailyFlow, others: list[tuple[str, dict[date, Decimal]]]
) -> DailyFlow:
    apart = question.policy.stage_gauges_agree.value
    for id, known in others:
        other = known.get(day.day)
        if day.value is not None and other is not None and abs(day.value - other) > apart:
            note = f"{gauge.id} says {day.value} ft and {id} {other} ft: wind holds the water up or a gauge has moved"
            return replace(day, value=None, note=note)
    return day
