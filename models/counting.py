"""Counting time as an ordinance does: the last day of days, working days, months and hours, forward or back.

A day count excludes the first day, includes the last and is due at the end of that civil day in the ordinance's zone;
hours are elapsed. A time *before* an act counts back and leaves the act's own day out: the last day is the one that
lies so many days before it. Each count has two ends: **plain**, the earlier, to plan by; and **statutory**, the later,
moved as the ordinance's computing rule says. Counting back, plain moves earlier off Sundays and holidays and
statutory does not move.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from models.holidays import SUNDAY, Holidays, holidays
from models.policy import Policy
from models.rules import Computing, Ordinance
from models.step import Step

SATURDAY = 6  # ISO weekday
ONE_DAY = timedelta(days=1)
Ends = tuple[datetime, datetime]


@dataclass(frozen=True)
class Calendar:
    """Everything a deadline is computed with."""

    zone: ZoneInfo
    computing: Computing
    holidays: Holidays
    office_open_on_saturday: bool

    def day(self, instant: datetime) -> date:
        """The civil day of an instant."""
        return instant.astimezone(self.zone).date()

    def end_of(self, day: date) -> datetime:
        """The first instant after a civil day."""
        return datetime.combine(day + ONE_DAY, time(), self.zone).astimezone(UTC)

    def start_of(self, day: date) -> datetime:
        """The first instant of a civil day."""
        return datetime.combine(day, time(), self.zone).astimezone(UTC)


def calendar_of(law: Ordinance, *, office_open_on_saturday: bool = False) -> Calendar:
    """The calendar of an ordinance."""
    return Calendar(ZoneInfo(law.zone), law.computing, holidays(law.holidays), office_open_on_saturday)


def calendar_under(law: Ordinance, policy: Policy) -> Calendar:
    """The calendar of an ordinance, with the town's office hours as its policy has them."""
    return calendar_of(law, office_open_on_saturday=policy.office_open_on_saturday.value != 0)


def ends(step: Step, start: datetime, until: date | None, calendar: Calendar) -> Ends | None:
    """Plain and statutory end of a step, the first instants too late; None where the law states no time.

    Parameters
    ----------
    start : when the act happened that the clock runs from, aware.
    until : the day that act names, if any: what a time *before* counts back from.
    """
    if step.hours is not None:
        return _before_hours(start, step.hours) if step.before else _hours(start, step.hours, calendar)
    if not step.timed:
        return None
    anchor = (until if step.before else None) or calendar.day(start)
    last = last_day(step, anchor, calendar)
    return _back(last, calendar) if step.before else ends_on(last, step, calendar)


def last_day(step: Step, anchor: date, calendar: Calendar) -> date:
    """The last civil day of a step counted from (or back from) a day, before any move."""
    sign = -1 if step.before else 1
    if step.working_days is not None:
        return _working_days(anchor, step.working_days, sign, calendar)
    if step.months is not None:
        return months_later(anchor, sign * step.months)
    return anchor + sign * timedelta(days=step.days or 0)


def ends_on(last: date, step: Step, calendar: Calendar) -> Ends:
    """Plain and statutory end of a step whose last day is known; working days are counted and not moved."""
    moved = last if step.working_days is not None else _moved(last, step.filing, calendar)
    return calendar.end_of(last), calendar.end_of(moved)


def months_later(day: date, months: int) -> date:
    """The same day of a later (or earlier) month; the last of that month where it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def is_working_day(day: date, calendar: Calendar) -> bool:
    """Monday to Friday less legal holidays."""
    return day.isoweekday() < SATURDAY and calendar.holidays.name_on(day) is None


def _working_days(day: date, count: int, sign: int, calendar: Calendar) -> date:
    for _ in range(count):
        day = _next_day_that(day + sign * ONE_DAY, lambda one: is_working_day(one, calendar), sign)
    return day


def _back(last: date, calendar: Calendar) -> Ends:
    off = calendar.computing.last_day_moves_off
    plain = _next_day_that(last, lambda one: not _left_out(one, off, calendar), -1)
    return calendar.end_of(plain), calendar.end_of(last)


def _moved(day: date, filing: bool, calendar: Calendar) -> date:
    """A last day moved off Sundays, holidays and (for a filing, office closed) a Saturday."""
    rule = calendar.computing
    closed = filing and rule.saturday_filing_moves and not calendar.office_open_on_saturday
    day = _next_day_that(day, lambda one: not _left_out(one, rule.last_day_moves_off, calendar))
    if closed and day.isoweekday() == SATURDAY:  # as counted, or moved here off a holiday on Friday
        day += ONE_DAY
        return _next_day_that(day, lambda one: not _left_out(one, ("sunday", "holiday"), calendar))
    return day


def _next_day_that(day: date, good: Callable[[date], bool], sign: int = 1) -> date:
    while not good(day):
        day += sign * ONE_DAY
    return day


def _left_out(day: date, what: Sequence[str], calendar: Calendar) -> bool:
    weekday = day.isoweekday()
    weekend = ("sunday" in what and weekday == SUNDAY) or ("saturday" in what and weekday == SATURDAY)
    return weekend or ("holiday" in what and calendar.holidays.name_on(day) is not None)


def _before_hours(start: datetime, hours: int) -> Ends:
    """Elapsed hours before an act: the end is the last instant at which notice is still in time, and nothing moves."""
    end = start.astimezone(UTC) - timedelta(hours=hours) + timedelta(microseconds=1)
    return end, end


def _hours(start: datetime, hours: int, calendar: Calendar) -> Ends:
    """Elapsed hours; the statutory count leaves out whole Sundays and legal holidays."""
    plain = start.astimezone(UTC) + timedelta(hours=hours)
    if not calendar.computing.hours_leave_out_sundays_and_holidays:
        return plain, plain
    return plain, _counting_only_secular(start, timedelta(hours=hours), calendar)


def _counting_only_secular(start: datetime, left: timedelta, calendar: Calendar) -> datetime:
    here = start.astimezone(UTC)
    while True:
        day = calendar.day(here)
        end = calendar.end_of(day)
        if not _left_out(day, ("sunday", "holiday"), calendar):
            if here + left <= end:
                return here + left
            left -= end - here
        here = end
