"""Days of a monitoring or index well's logger as level rows: the corrected daily record, where a day may be used.

A day with too little record, a hole, a failed or a suspect mean is no level here; `headwater levels STATION` shows it
with its reason. A private well's logger is shown and not judged: its own pump moves the level all day.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time

from models.observation import Flags
from models.question import Question, StoredRow
from models.site import Well
from models.streamflow.day_states import DailyFlow, why_unknown

DEPTH = "depth_to_water"
SUSPECT = "suspect"
LOGGER = "logger"
"""The series of such a row."""


@dataclass
class LoggerDay:
    """A row as `models.question.StoredRow` has it: the daily mean depth below land [ft] of one civil day."""

    station: str
    day: date
    time_ms: int
    value: float
    value_text: str
    row_id: str
    flags: str
    parameter: str = DEPTH
    statistic: str = "mean"
    series: str = LOGGER
    unit: str = "ft"
    clock: str = "day"


def logger_days(question: Question, well: Well) -> Iterator[StoredRow]:
    """The days of a well's logger up to tonight that a level may rest on, in order."""
    if not well.logger or well.use == "private":
        return
    practice = question.policy.practice()
    for one in question.observations.daily(well.id, DEPTH, None, question.on):
        if one.value is not None and SUSPECT not in one.qualifiers and not why_unknown(one, "stage", practice):
            yield _row(question, well, one)


def _row(question: Question, well: Well, one: DailyFlow) -> LoggerDay:
    midnight = datetime.combine(one.day, time(), question.zone)
    flags = Flags(one.approval, one.qualifiers)
    return LoggerDay(
        well.id, one.day, round(midnight.timestamp() * 1000), float(one.value or 0), f"{one.value:f}", one.version,
        flags.text(),
    )  # fmt: skip
