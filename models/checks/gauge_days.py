"""The days of a gauge as they are judged: its own discharge, or that of the stream it is a surrogate for."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

from models.question import Question
from models.rating_in_force import in_force
from models.site import Gauge
from models.streamflow.day_states import DailyFlow, to_record_precision

PERCENT = Decimal(100)


def why_not(gauge: Gauge) -> str:
    """Why a gauge says nothing of flow against a base flow (decisions 17 and 25); empty where it does."""
    if gauge.judged != "discharge":
        return "stage only: weeds and ice raise the stage at equal flow; it needs a rating in force"
    if gauge.surrogate_for is not None and gauge.transfer_ratio is None:
        return f"surrogate for {gauge.surrogate_for} without an approved transfer_ratio"
    return ""


def daily(question: Question, gauge: Gauge, start: date | None, end: date) -> list[DailyFlow]:
    """Civil days in order, discharge [cfs]; days with no row are absent."""
    return as_judged(gauge, question.observations.daily(gauge.id, "discharge", start, end))


def as_judged(gauge: Gauge, days: list[DailyFlow]) -> list[DailyFlow]:
    """A gauge's own days with its rating's uncertainty, and transferred where it is a surrogate."""
    days = [_rated(one, gauge) for one in days] if gauge.rating else days
    return days if gauge.transfer_ratio is None else [transferred(one, gauge.transfer_ratio) for one in days]


def transferred(day: DailyFlow, ratio: Decimal) -> DailyFlow:
    """A surrogate's day as the day of its stream, value times ratio to the precision of a record (decisions 17, 22)."""
    if day.value is None or not day.value.is_finite():
        return day
    value = to_record_precision(day.value * ratio, "computed", "discharge")
    return replace(day, value=value, note=" | ".join([f"{day.value} cfs x {ratio}", *([day.note] if day.note else [])]))


def surrogate(gauge: Gauge) -> str:
    """The flag of a finding that rests on a surrogate; empty for a gauge of its own stream."""
    if gauge.surrogate_for is None:
        return ""
    return f"SURROGATE: flow of {gauge.surrogate_for} transferred from {gauge.id}, times {gauge.transfer_ratio}"


def _rated(day: DailyFlow, gauge: Gauge) -> DailyFlow:
    """The rating's own standard error is the uncertainty of the day (decision 15)."""
    rating = in_force(gauge.rating, day.day)
    error = None if rating is None else rating.standard_error_percent
    return day if error is None else replace(day, uncertainty=error / PERCENT)
