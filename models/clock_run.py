"""One clock while the acts of a case are gone through: what it runs from, what moves it, what ends it, its two ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from models.counting import Calendar, Ends, ends, ends_on, is_working_day, last_day
from models.event import Event
from models.step import Step


@dataclass
class Run:
    """One clock while the acts are gone through: what it runs from, what moved it, what ended it.

    ``asked``: acts that asked for what begins it anew and are not answered. ``awaits``: of those, asked in its time.
    """

    start: Event
    done: Event | None = None
    until: date | None = None
    moved: bool = False
    paused: Event | None = None
    pauses: list[tuple[datetime, datetime]] = field(default_factory=list)
    asked: list[Event] = field(default_factory=list)
    awaits: list[Event] = field(default_factory=list)


def receipts(step: Step, events: Sequence[Event]) -> list[Run]:
    """Several acts that are all needed: begun by the first, done by the last once each has happened."""
    firsts = [next((one for one in events if one.name == name), None) for name in step.done_by]
    start = next((one for one in events if one.name in step.runs_from), None)
    done = None if None in firsts else max((one for one in firsts if one), key=lambda one: one.happened_at)
    return [] if start is None else [Run(start, done)]


def runs_of(step: Step, events: Sequence[Event], calendar: Calendar) -> list[Run]:
    """Each time the step ran: anew only after it was done; a time before an act belongs to that act."""
    runs: list[Run] = []
    if step.only_with and not any(one.name in step.only_with for one in events):
        return runs
    for n, event in enumerate(events):
        running = runs[-1] if runs and runs[-1].done is None else None
        begins = event.name in step.runs_from and (running is None or step.before)
        if begins and not any(one.name in step.not_with for one in events[:n]):
            runs.append(_begun(step, event, events, runs, calendar))
        elif running is not None:
            _go_on(step, running, event, calendar)
    return runs


def _begun(step: Step, start: Event, events: Sequence[Event], runs: Sequence[Run], calendar: Calendar) -> Run:
    """A clock, with what had ended it before; a notice between two acts is the later one's, and not the earlier's."""
    new = Run(start, _done_before(step, start, events, runs, calendar))
    for run in runs:
        if step.before and new.done is not None and run.done == new.done:
            run.done = None
    return new


def _done_before(
    step: Step, start: Event, events: Sequence[Event], runs: Sequence[Run], calendar: Calendar
) -> Event | None:  # fmt: skip
    """What ends a clock though it stands no later than its start.

    The program may note a duty after it was done; a time before an act is kept before it, by any notice that came in
    time; of two acts of one instant the order does not count; a paper that is filed before anybody asked for it is
    filed.
    """
    used = [run.done for run in runs if run.done and run.done.happened_at <= run.start.happened_at]
    acts = [one for one in events if one.name in step.done_by and one.happened_at <= start.happened_at]
    if start.own:
        return acts[0] if acts else None
    early = step.before or step.early_counts
    unused = [one for one in acts if one not in used and (early or one.happened_at == start.happened_at)]
    last = _ends(step, Run(start), calendar) if step.before else None
    enough = [one for one in unused if last is not None and one.happened_at < last[1]]
    fit = enough or unused
    return fit[-1] if fit else None


def _go_on(step: Step, run: Run, event: Event, calendar: Calendar) -> None:
    """What an act does to a running clock."""
    if event.name in step.done_by:
        run.done = event
    elif event.name in step.resumed_by and run.paused is not None:
        run.pauses.append((run.paused.happened_at, event.happened_at))
        run.paused, run.moved = None, True
    elif event.name in step.awaits:
        _ask(step, run, event, calendar)
    elif event.name in step.restarted_by and event.name in [step.awaits[one.name] for one in run.asked]:
        _begin_anew(step, run, event)
    elif run.paused is None and not _still_runs(step, run, event, calendar):
        return  # what is out is not paused, begun anew or extended
    elif event.name in step.restarted_by:
        _begin_anew(step, run, event)
    elif event.name in step.extended_by and event.until is not None:
        _extend(step, run, event.until, event, calendar)
    elif event.name in step.paused_by and run.paused is None:
        run.paused = event


def _ask(step: Step, run: Run, event: Event, calendar: Calendar) -> None:
    """Asked for once silence has decided, nothing begins anew; else it does, and in time nothing is out meanwhile."""
    in_time = bool(run.awaits or run.paused) or _still_runs(step, run, event, calendar)
    run.asked += [event] if in_time or not step.silence else []
    run.awaits += [event] if in_time else []


def _begin_anew(step: Step, run: Run, event: Event) -> None:
    run.asked, run.awaits = (
        [one for one in those if step.awaits[one.name] != event.name] for those in (run.asked, run.awaits)
    )
    run.start, run.until, run.paused, run.pauses, run.moved = event, None, None, [], True


def _extend(step: Step, run: Run, until: date, event: Event, calendar: Calendar) -> None:
    """A later last day; an earlier one shortens nothing. A clock that stands still goes on standing still."""
    found = _ends(step, replace(run, paused=None, pauses=_stood(run, event)), calendar)
    if found is None or calendar.end_of(until) > found[0]:
        run.until, run.pauses, run.moved = until, [], True
        run.paused = run.paused and replace(run.paused, happened_at=event.happened_at)


def _stood(run: Run, by: Event) -> list[tuple[datetime, datetime]]:
    """When it stood still, up to an act."""
    return [*run.pauses, *([(run.paused.happened_at, by.happened_at)] if run.paused else [])]


def times(step: Step, run: Run, calendar: Calendar, now: datetime) -> Ends | None:
    """Plain and statutory end; none once it is out while what was asked for in time is awaited."""
    found = _ends(step, run, calendar)
    at = run.done.happened_at if run.done else now
    return None if found is not None and run.awaits and at >= found[1] else found


def _still_runs(step: Step, run: Run, event: Event, calendar: Calendar) -> bool:
    found = _ends(step, run, calendar)
    return found is not None and event.happened_at < found[1]


def _ends(step: Step, run: Run, calendar: Calendar) -> Ends | None:
    """Plain and statutory end with what moved them; None where no time is stated or while the clock stands still."""
    if run.paused is not None and run.done is None:
        return None
    pauses = run.pauses if run.done is None else _stood(run, run.done)
    start, stood = run.start.happened_at, sum((after - at for at, after in pauses), timedelta())
    if step.hours is not None and run.until is None:
        return ends(step, start + stood, None, calendar)
    if not step.timed or not (run.until or pauses):
        return ends(step, start, run.start.until, calendar)
    last = run.until or last_day(step, calendar.day(start), calendar)
    return ends_on(_later(step, last, pauses, calendar), step, calendar)


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
