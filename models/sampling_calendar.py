"""Sampling events on the calendar: the period of each, until when it counts as in time, and which samples answer it.

Period k runs from the day after due day k - 1 through due day k. An event is in time with a sample of every substance
from the first day of its period to the end of its last day, due day plus tolerance, moved as the ordinance's computing
rule moves a last day. In time a sample answers one event only, the earliest that is open: a round taken in the
tolerance of one period is not the round of the next as well; nor is a dry well found on one day, or access refused on
one. An event nobody sampled in time is late until a sample of
what it lacks is taken, which may be the next event's own. The day of sampling decides, never that of delivery.
"""

from __future__ import annotations

from bisect import bisect_right
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from models.counting import Calendar, Ends, ends_on, months_later
from models.sampling import MONTHS, Excuse, Sampling
from models.step import Step

ONE_DAY = timedelta(days=1)
Status = Literal["RUNNING", "ON_RECORD", "NOT_ON_RECORD", "ON_RECORD_LATE", "NOT_APPLICABLE"]


@dataclass(frozen=True)
class SamplingEvent:
    """One sampling event of a calendar, the same at all its stations.

    ``first``, ``due``: its period. ``ends``: the first instants too late, plain and statutory. ``last``: the last civil
    day in time.
    """

    first: date
    due: date
    ends: Ends
    last: date


@dataclass(frozen=True)
class Visit:
    """Where one event stands at one station.

    ``sampled``: the day on which the last of its substances was. ``lacking``: substances not sampled in time.
    ``why``: what excuses it.
    """

    event: SamplingEvent
    status: Status
    sampled: date | None = None
    lacking: tuple[str, ...] = ()
    why: str = ""

    def days_late(self, on: date) -> int:
        """Civil days from the last day in time to the sample, or to ``on``; 0 where it is not late."""
        if self.status not in {"NOT_ON_RECORD", "ON_RECORD_LATE"}:
            return 0
        return ((self.sampled or on) - self.event.last).days


def events(calendar: Sampling, counting: Calendar, until: date) -> list[SamplingEvent]:
    """Every event due up to a day, and the first two after it, in order: the first may be answered already."""
    found, step = [], _as_step(calendar)
    for first, due in _periods(calendar):
        end = ends_on(due + timedelta(days=calendar.tolerance_days), step, counting)
        found.append(SamplingEvent(first, due, end, counting.day(end[1] - timedelta(microseconds=1))))
        if first > until:
            break
    return found


def _periods(calendar: Sampling) -> Iterator[tuple[date, date]]:
    before, k = _due(calendar, -1), 0
    while (due := _due(calendar, k)) <= (calendar.until or date.max):
        yield before + ONE_DAY, due
        before, k = due, k + 1


def _due(calendar: Sampling, k: int) -> date:
    """The last day of period k, counted from 0."""
    if calendar.every_days is not None:
        return calendar.first_due + timedelta(days=k * calendar.every_days)
    found = months_later(calendar.first_due, k * MONTHS[calendar.frequency or "monthly"])
    return _end_of_month(found) if calendar.first_due == _end_of_month(calendar.first_due) else found


def _end_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _as_step(calendar: Sampling) -> Step:
    """The end of a period as a step, so that both are moved alike."""
    return Step(
        id=calendar.rule, kind="step", clause=calendar.clause, title=calendar.id, text="", effective="unknown",
        case=calendar.rule, who="operator", nature="deadline", runs_from=("due",), days=1,
    )  # fmt: skip


def visits(
    found: Sequence[SamplingEvent], sampled: Mapping[str, Sequence[date]], excuses: Sequence[Excuse], now: datetime
) -> list[Visit]:
    """Where every event stands at one station, in order.

    Parameters
    ----------
    sampled : by substance the days with a result, each once, in any order; a substance without one has none.
    excuses : those of the station.
    now : an event whose statutory time is not out by then is not late yet.
    """
    days = {name: sorted(set(each)) for name, each in sampled.items()}
    answered = zip(*(_in_time(found, each) for each in days.values()), strict=True)
    left, known = list(excuses), []
    for event, answers in zip(found, answered, strict=True):
        missed = any(day is None for day in answers)
        excuse = _excuse(event, left) if missed else None
        if excuse is not None and _of_one_day(excuse):
            left.remove(excuse)
        known.append(_visit(event, answers, days, excuse, now))
    return known


def _excuse(event: SamplingEvent, excuses: Sequence[Excuse]) -> Excuse | None:
    """What excuses an event: what lasts before what was found on one day, and of such days the earliest."""
    found = [one for one in excuses if one.excuses(event.first, event.due, event.last)]
    return min(found, key=lambda one: (_of_one_day(one), one.since), default=None)


def _of_one_day(one: Excuse) -> bool:
    """Whether it tells of one visit, which is that of one event."""
    return one.why != "suspended" and one.until in {None, one.since}


def _in_time(found: Sequence[SamplingEvent], days: Sequence[date]) -> list[date | None]:
    """Which sample answers each event in time: the earliest that no earlier event took. As many are answered as can."""
    answers: list[date | None] = []
    k = 0
    for event in found:
        while k < len(days) and days[k] < event.first:
            k += 1
        taken = k < len(days) and days[k] <= event.last
        answers.append(days[k] if taken else None)
        k += taken
    return answers


def _visit(
    event: SamplingEvent, answers: Sequence[date | None], days: Mapping[str, Sequence[date]], excuse: Excuse | None,
    now: datetime,
) -> Visit:  # fmt: skip
    taken = [day for day in answers if day is not None]
    if len(taken) == len(answers):
        return Visit(event, "ON_RECORD", max(taken))
    lacking = tuple(sorted(name for name, day in zip(days, answers, strict=True) if day is None))
    if excuse is not None:
        return Visit(event, "NOT_APPLICABLE", max(taken, default=None), lacking, f"{excuse.why}: {excuse.record}")
    if now < event.ends[1]:
        return Visit(event, "RUNNING", max(taken, default=None), lacking)
    late = [_first_after(days[name], event.last) for name in lacking]
    known = [day for day in late if day is not None]
    if len(known) < len(late):
        return Visit(event, "NOT_ON_RECORD", None, lacking)
    return Visit(event, "ON_RECORD_LATE", max(known), lacking)


def _first_after(days: Sequence[date], last: date) -> date | None:
    k = bisect_right(days, last)
    return days[k] if k < len(days) else None
