"""Computing time: what is due when, from which recorded act, and where that stands now.

A day count excludes the first day, includes the last and is due at the end of that civil day in the
ordinance's zone; hours are elapsed. Each deadline carries two times: **plain**, the earlier, to plan
by; and **statutory**, the later, moved as the ordinance's computing rule says, after which it is
overdue. Both are printed. No deadline exists without its starting act.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from models.case import Event, withdrawn
from models.holidays import SUNDAY, Holidays
from models.rules import Computing, Step

SATURDAY = 6  # ISO weekday
Standing = Literal[
    "open", "running", "overdue", "done", "done_late", "window_open", "window_passed", "one_missing"
]  # fmt: skip


@dataclass(frozen=True)
class Calendar:
    """Everything a deadline is computed with."""

    zone: ZoneInfo
    computing: Computing
    holidays: Holidays
    office_open_on_saturday: bool


@dataclass(frozen=True)
class Deadline:
    """One step of one case and where it stands. ``plain`` and ``statutory`` are instants: the first moment too late.

    ``withdrawn``: the finding behind the case no longer stands; whether the case goes on is the town's to record.
    """

    case: str
    step: str
    clause: str
    title: str
    who: str
    nature: str
    started_by: str
    started_at: datetime
    plain: datetime | None
    statutory: datetime | None
    standing: Standing
    done_by: str | None
    done_at: datetime | None
    says: str
    withdrawn: bool = False

    def due_day(self, instant: datetime | None, zone: ZoneInfo) -> date | None:
        """The last civil day (or, for hours, the day of the instant) a clerk would write down."""
        if instant is None:
            return None
        return (instant - timedelta(microseconds=1)).astimezone(zone).date()


def deadlines(
    case: str, steps: Iterable[Step], events: Sequence[Event], calendar: Calendar, now: datetime
) -> list[Deadline]:
    """Every step of a case that a recorded act has started, as it stands at ``now``.

    Parameters
    ----------
    case : case id.
    steps : the steps of its kind.
    events : its events, any order; those that happened after ``now`` are ignored.
    now : aware instant.
    """
    known = sorted((one for one in events if one.happened_at <= now), key=lambda one: one.happened_at)
    found = (_deadline(case, step, known, calendar, now) for step in steps)
    return [one for one in found if one is not None]


def _deadline(case: str, step: Step, events: Sequence[Event], calendar: Calendar, now: datetime) -> Deadline | None:
    start = _first(events, step.runs_from, None)
    if start is None or step.nature == "information":
        return None
    done = (
        _receipts(events, step) if step.nature == "receipts" else _first(events, step.done_by, _not_before(step, start))
    )
    plain, statutory = due(step, start.happened_at, calendar)
    standing = _standing(step, done, statutory, now)
    return Deadline(
        case, step.id, step.clause, step.title, step.who, step.nature, start.name, start.happened_at,
        plain, statutory, standing, done.name if done else None, done.happened_at if done else None,
        step.late if standing in {"overdue", "done_late"} else step.follows, withdrawn(events),
    )  # fmt: skip


def _not_before(step: Step, start: Event) -> Event | None:
    """An act ends a clock only after the act that started it; the program may note a duty after it was done."""
    return None if step.nature == "duty" else start


def _first(events: Sequence[Event], names: Sequence[str], after: Event | None) -> Event | None:
    """The first act of these names; with ``after``, not before that act (a duty done on the spot counts)."""
    return next(
        (one for one in events if one.name in names and (after is None or one.happened_at >= after.happened_at)), None
    )


def _receipts(events: Sequence[Event], step: Step) -> Event | None:
    """The last of several acts that are all needed, once each has happened."""
    firsts = [_first(events, (name,), None) for name in step.done_by]
    return None if None in firsts else max((one for one in firsts if one), key=lambda one: one.happened_at)


def _standing(step: Step, done: Event | None, statutory: datetime | None, now: datetime) -> Standing:
    if step.nature == "receipts":
        return "done" if done else "one_missing"
    if statutory is None:
        return "done" if done else "open"
    in_time = done is not None and done.happened_at < statutory
    if step.nature == "window":
        return "done" if in_time else "window_open" if now < statutory else "window_passed"
    if done is not None:
        return "done" if in_time else "done_late"
    return "running" if now < statutory else "overdue"


def due(step: Step, start: datetime, calendar: Calendar) -> tuple[datetime | None, datetime | None]:
    """Plain and statutory due instants of a step begun at an aware instant; (None, None) where no time is stated."""
    if step.hours is not None:
        return _hours(start, step.hours, calendar)
    if step.days is None:
        return None, None
    last = start.astimezone(calendar.zone).date() + timedelta(days=step.days)
    return _end_of(last, calendar), _end_of(_moved(last, step.filing, calendar), calendar)


def _end_of(day: date, calendar: Calendar) -> datetime:
    """The first instant after a civil day."""
    return datetime.combine(day + timedelta(days=1), time(), calendar.zone).astimezone(UTC)


def _moved(day: date, filing: bool, calendar: Calendar) -> date:
    """A last day moved off Sundays, holidays and (for a filing, office closed) a Saturday."""
    rule = calendar.computing
    closed = filing and rule.saturday_filing_moves and not calendar.office_open_on_saturday
    day = _next_day_that(day, lambda one: not _left_out(one, rule.last_day_moves_off, calendar))
    if closed and day.isoweekday() == SATURDAY:  # as counted, or moved here off a holiday on Friday
        day += timedelta(days=1)
        return _next_day_that(day, lambda one: not _left_out(one, ("sunday", "holiday"), calendar))
    return day


def _next_day_that(day: date, good: Callable[[date], bool]) -> date:
    while not good(day):
        day += timedelta(days=1)
    return day


def _left_out(day: date, what: Sequence[str], calendar: Calendar) -> bool:
    sunday = "sunday" in what and day.isoweekday() == SUNDAY
    return sunday or ("holiday" in what and calendar.holidays.name_on(day) is not None)


def _hours(start: datetime, hours: int, calendar: Calendar) -> tuple[datetime, datetime]:
    """Elapsed hours; the statutory count leaves out whole Sundays and legal holidays."""
    plain = start.astimezone(UTC) + timedelta(hours=hours)
    if not calendar.computing.hours_leave_out_sundays_and_holidays:
        return plain, plain
    return plain, _counting_only_secular(start, timedelta(hours=hours), calendar)


def _counting_only_secular(start: datetime, left: timedelta, calendar: Calendar) -> datetime:
    here = start.astimezone(UTC)
    while True:
        day = here.astimezone(calendar.zone).date()
        end = _end_of(day, calendar)
        if not _left_out(day, ("sunday", "holiday"), calendar):
            if here + left <= end:
                return here + left
            left -= end - here
        here = end
