"""What is due when, from which recorded act, and where that stands now.

Each deadline carries two times: **plain**, the earlier, to plan by; and **statutory**, the later, after which it is
overdue. Both are printed. No deadline exists without its starting act, and none moves but by an act that names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from models.counting import Calendar, Ends, ends, ends_on, is_working_day, last_day
from models.event import Event, standing, withdrawn
from models.step import Step

Standing = Literal[
    "open", "running", "overdue", "done", "done_late", "window_open", "window_passed", "one_missing", "paused",
    "information",
]  # fmt: skip
OPEN: tuple[Standing, ...] = ("open", "running", "overdue", "window_open", "one_missing", "paused")
"""Where somebody still owes or may do something."""


@dataclass(frozen=True)
class Deadline:
    """One step of one case and where it stands. ``plain`` and ``statutory`` are instants: the first moment too late.

    ``withdrawn``: the finding behind the case no longer stands; whether the case goes on is the town's to record.
    ``waited_days``: civil days from the act it runs from to the act that ended it, or to now. ``moved``: paused,
    begun anew or extended since. ``started_key``: of the event it runs from. ``in_hours``: it ends at an instant, not
    with a day. A clock that is paused has no times.
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
    silence: str = ""
    waited_days: int | None = None
    moved: bool = False
    started_key: str = ""
    in_hours: bool = False

    def due_day(self, instant: datetime | None, zone: ZoneInfo) -> date | None:
        """The last civil day (or, for hours, the day of the instant) a clerk would write down."""
        if instant is None:
            return None
        return (instant - timedelta(microseconds=1)).astimezone(zone).date()


@dataclass
class _Run:
    """One clock while the acts are gone through: what it runs from, what moved it, what ended it."""

    start: Event
    done: Event | None = None
    until: date | None = None
    moved: bool = False
    paused: Event | None = None
    pauses: list[tuple[datetime, datetime]] = field(default_factory=list)


def deadlines(
    case: str, steps: Iterable[Step], events: Sequence[Event], calendar: Calendar, now: datetime
) -> list[Deadline]:
    """Every step of a case that a recorded act has started, as it stands at ``now``; one for each time it ran.

    Parameters
    ----------
    case : case id.
    steps : the steps of its kind.
    events : its events, any order; what was corrected and what happened after ``now`` is left out.
    now : aware instant.
    """
    known = sorted((one for one in standing(events) if one.happened_at <= now), key=lambda one: one.happened_at)
    return [
        _deadline(case, step.applied(calendar.day(run.start.happened_at)), run, known, calendar, now)
        for step in steps
        for run in (_receipts(step, known) if step.nature == "receipts" else _runs(step, known, calendar))
    ]


def _deadline(
    case: str, step: Step, run: _Run, events: Sequence[Event], calendar: Calendar, now: datetime
) -> Deadline:  # fmt: skip
    plain, statutory = _ends(step, run, calendar) or (None, None)
    stands = _standing(step, run, statutory, now)
    done, late = run.done, stands in {"overdue", "done_late"}
    waited = max(0, (calendar.day(done.happened_at if done else now) - calendar.day(run.start.happened_at)).days)
    return Deadline(
        case, step.id, step.clause, step.title, step.who, step.nature, run.start.name, run.start.happened_at,
        plain, statutory, stands, done.name if done else None, done.happened_at if done else None,
        _says(step, stands) if late else step.follows, withdrawn(events), step.silence,
        None if step.before else waited, run.moved, run.start.key(), step.hours is not None and run.until is None,
    )  # fmt: skip


def _says(step: Step, stands: Standing) -> str:
    return " ".join(part for part in (step.late, step.silence if stands == "overdue" else "") if part)


def _receipts(step: Step, events: Sequence[Event]) -> list[_Run]:
    """Several acts that are all needed: begun by the first, done by the last once each has happened."""
    firsts = [next((one for one in events if one.name == name), None) for name in step.done_by]
    start = next((one for one in events if one.name in step.runs_from), None)
    done = None if None in firsts else max((one for one in firsts if one), key=lambda one: one.happened_at)
    return [] if start is None else [_Run(start, done)]


def _runs(step: Step, events: Sequence[Event], calendar: Calendar) -> list[_Run]:
    """Each time the step ran: anew only after it was done; a time before an act belongs to that act."""
    runs: list[_Run] = []
    if step.only_with and not any(one.name in step.only_with for one in events):
        return runs
    for n, event in enumerate(events):
        running = runs[-1] if runs and runs[-1].done is None else None
        begins = event.name in step.runs_from and (running is None or step.before)
        if begins and not any(one.name in step.not_with for one in events[:n]):
            runs.append(_Run(event, _done_before(step, event, events, runs)))
        elif running is not None:
            _go_on(step, running, event, calendar)
    return runs


def _done_before(step: Step, start: Event, events: Sequence[Event], runs: Sequence[_Run]) -> Event | None:
    """What ends a clock though it stands no later than its start.

    The program may note a duty after it was done; a time before an act is kept before it; of two acts of one instant
    the order does not count; a paper that is filed before anybody asked for it is filed.
    """
    used = [run.done for run in runs]
    acts = [one for one in events if one.name in step.done_by and one.happened_at <= start.happened_at]
    if start.own:
        return acts[0] if acts else None
    early = step.before or step.early_counts
    unused = [one for one in acts if one not in used and (early or one.happened_at == start.happened_at)]
    return unused[-1] if unused else None


def _go_on(step: Step, run: _Run, event: Event, calendar: Calendar) -> None:
    """What an act does to a running clock."""
    if event.name in step.done_by:
        run.done = event
    elif event.name in step.resumed_by and run.paused is not None:
        run.pauses.append((run.paused.happened_at, event.happened_at))
        run.paused, run.moved = None, True
    elif run.paused is None and not _still_runs(step, run, event, calendar):
        return  # what is out is not paused, begun anew or extended
    elif event.name in step.restarted_by:
        run.start, run.until, run.paused, run.pauses, run.moved = event, None, None, [], True
    elif event.name in step.extended_by and event.until is not None:
        _extend(step, run, event.until, event, calendar)
    elif event.name in step.paused_by and run.paused is None:
        run.paused = event


def _extend(step: Step, run: _Run, until: date, event: Event, calendar: Calendar) -> None:
    """A later last day; an earlier one shortens nothing."""
    stood = [*run.pauses, *([(run.paused.happened_at, event.happened_at)] if run.paused else [])]
    found = _ends(step, replace(run, paused=None, pauses=stood), calendar)
    if found is None or calendar.end_of(until) > found[0]:
        run.until, run.paused, run.pauses, run.moved = until, None, [], True


def _still_runs(step: Step, run: _Run, event: Event, calendar: Calendar) -> bool:
    found = _ends(step, run, calendar)
    return found is not None and event.happened_at < found[1]


def _ends(step: Step, run: _Run, calendar: Calendar) -> Ends | None:
    """Plain and statutory end with what moved them; None where no time is stated or while the clock stands still."""
    if run.paused is not None and run.done is None:
        return None
    start, stood = run.start.happened_at, sum((after - at for at, after in run.pauses), timedelta())
    if step.hours is not None and run.until is None:
        return ends(step, start + stood, None, calendar)
    if not step.timed or not (run.until or run.pauses):
        return ends(step, start, run.start.until, calendar)
    last = run.until or last_day(step, calendar.day(start), calendar)
    return ends_on(_later(step, last, run.pauses, calendar), step, calendar)


def _later(step: Step, last: date, pauses: Sequence[tuple[datetime, datetime]], calendar: Calendar) -> date:
    """A last day moved by the civil days (or working days) a clock stood still."""
    for at, after in pauses:
        stopped, gone = calendar.day(at), calendar.day(after)
        days = [stopped + timedelta(days=n + 1) for n in range((gone - stopped).days)]
        left = len([day for day in days if step.working_days is None or is_working_day(day, calendar)])
        while left > 0:
            last += timedelta(days=1)
            left -= step.working_days is None or is_working_day(last, calendar)
    return last


def _standing(step: Step, run: _Run, statutory: datetime | None, now: datetime) -> Standing:
    done = run.done
    if step.nature == "receipts":
        return "done" if done else "one_missing"
    if step.nature == "information":
        return "done" if done else "information"
    if statutory is None:
        return "done" if done else "paused" if run.paused else "open"
    in_time = done is not None and done.happened_at < statutory
    if step.nature == "window":
        return "done" if in_time else "window_open" if now < statutory else "window_passed"
    if done is not None:
        return "done" if in_time else "done_late"
    return "running" if now < statutory else "overdue"


def due(step: Step, start: datetime, calendar: Calendar) -> tuple[datetime | None, datetime | None]:
    """Plain and statutory due instants of a step begun at an aware instant; (None, None) where no time is stated."""
    return ends(step, start, None, calendar) or (None, None)
