"""What is due when, from which recorded act, and where that stands now.

Each deadline carries two times: **plain**, the earlier, to plan by; and **statutory**, the later, after which it is
overdue. Both are printed. No deadline exists without its starting act, and none moves but by an act that names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from models.clock_run import Run, receipts, runs_of, times
from models.counting import Calendar, ends
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
    with a day. A clock that is paused, or out while it awaits what was asked for in time, has no times.
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

    @property
    def to_tell(self) -> bool:
        """Whether somebody owes or may do something, or a power passed that nobody used: that is said once more."""
        return self.standing in OPEN or (self.standing == "window_passed" and self.done_by is None)

    @property
    def lapsed(self) -> bool:
        """Whether its lapse decided something that no later act takes back, or it was used after its time."""
        decided = bool(self.silence) and self.standing in {"overdue", "done_late"}
        return decided or (self.standing == "window_passed" and self.done_by is not None)

    def due_day(self, instant: datetime | None, zone: ZoneInfo) -> date | None:
        """The last civil day (or, for hours, the day of the instant) a clerk would write down."""
        if instant is None:
            return None
        return (instant - timedelta(microseconds=1)).astimezone(zone).date()


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
        for run in (receipts(step, known) if step.nature == "receipts" else runs_of(step, known, calendar))
    ]


def _deadline(
    case: str, step: Step, run: Run, events: Sequence[Event], calendar: Calendar, now: datetime
) -> Deadline:  # fmt: skip
    plain, statutory = times(step, run, calendar, now) or (None, None)
    stands, done = _standing(step, run, statutory, now), run.done
    waited = max(0, (calendar.day(done.happened_at if done else now) - calendar.day(run.start.happened_at)).days)
    return Deadline(
        case, step.id, step.clause, step.title, step.who, step.nature, run.start.name, run.start.happened_at,
        plain, statutory, stands, done.name if done else None, done.happened_at if done else None,
        _says(step, run, stands, statutory, calendar), withdrawn(events), step.silence,
        None if step.before else waited, run.moved, run.start.key(), step.hours is not None and run.until is None,
    )  # fmt: skip


def _says(step: Step, run: Run, stands: Standing, statutory: datetime | None, calendar: Calendar) -> str:
    """What follows. An act that came when the time was out takes nothing back that the lapse had brought about."""
    if stands == "paused" and run.awaits:
        return _awaited(step, run, calendar)
    said = [step.late, step.silence] if stands in {"overdue", "done_late"} else [step.follows]
    if run.done is not None and statutory is not None and stands in {"done_late", "window_passed"}:
        last, came = calendar.day(statutory - timedelta(microseconds=1)), calendar.day(run.done.happened_at)
        weigh = " Whether it counts is for counsel." if step.silence or step.nature == "window" else ""
        said.append(f"The time ended on {last}, and {words(run.done)} came on {came}.{weigh}")
    return " ".join(part for part in said if part)


def _awaited(step: Step, run: Run, calendar: Calendar) -> str:
    asked = " and ".join(f"{words(one)} of {calendar.day(one.happened_at)}" for one in run.awaits)
    said = f"Asked for in time ({asked}): the time begins anew when the answer comes, and none runs before."
    return f"{said} {step.counsel}".rstrip()


def words(event: Event) -> str:
    """The name of an act as words."""
    return event.name.replace("_", " ")


def _standing(step: Step, run: Run, statutory: datetime | None, now: datetime) -> Standing:
    done = run.done
    if step.nature == "receipts":
        return "done" if done else "one_missing"
    if step.nature == "information":
        return "done" if done else "information"
    if statutory is None:
        return "done" if done else "paused" if run.paused or run.awaits else "open"
    in_time = done is not None and done.happened_at < statutory
    if step.nature == "window":
        return "done" if in_time else "window_open" if now < statutory else "window_passed"
    if done is not None:
        return "done" if in_time else "done_late"
    return "running" if now < statutory else "overdue"


def due(step: Step, start: datetime, calendar: Calendar) -> tuple[datetime | None, datetime | None]:
    """Plain and statutory due instants of a step begun at an aware instant; (None, None) where no time is stated."""
    return ends(step, start, None, calendar) or (None, None)
