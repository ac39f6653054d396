"""The clocks of a case as its table of acts has them: a duty ends with its ground, and comes back with it.

The clock (`models.clock`) goes by the names of acts. An act that ends one of several grounds leaves the duty owed; one
that ends the last ground ends the duty; one that undoes what had done it makes it owed anew, from that act on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from models.case import Case
from models.clock import Deadline, deadlines
from models.counting import Calendar
from models.event import Event
from models.step import Step


@dataclass
class _Owed:
    """A duty while the acts are gone through.

    ``live``: its grounds in effect. ``ground``: those no act that did the duty ended. ``done``: acts in effect that did
    it since the last ground.
    """

    live: list[Event] = field(default_factory=list)
    ground: list[Event] = field(default_factory=list)
    done: list[Event] = field(default_factory=list)


def case_deadlines(case: Case, steps: Iterable[Step], calendar: Calendar, now: datetime) -> list[Deadline]:
    """Every step of a case that a recorded act has started, as it stands at ``now`` (`models.clock.deadlines`).

    Parameters
    ----------
    case : as its acts say it stands.
    steps : of its kind.
    now : aware instant.
    """
    found = []
    for step in steps:
        acts = [(one, one) for one in case.events] if step.nature != "duty" else _as_read(step, case)
        read = deadlines(case.id, [step], [one for one, _ in acts], calendar, now)
        found += [_named(one, acts) for one in read]
    return found


def _as_read(step: Step, case: Case) -> list[tuple[Event, Event]]:
    """The acts as a duty reads them: one that begins or ends it by ending others bears the name of one that does."""
    owed = _Owed()
    means = [(_means(step, event, case, owed), event) for event in case.events]
    return [(replace(event, name=name), event) for name, event in means if name is not None]


def _means(step: Step, event: Event, case: Case, owed: _Owed) -> str | None:
    """By which name a duty reads an act; None where it takes no part."""
    gone = case.gone.get(event.key(), ())
    live, done = bool(owed.live), bool(owed.done)
    owed.live = [one for one in owed.live if one not in gone]
    owed.done = [one for one in owed.done if one not in gone]
    if event.name in step.runs_from:
        owed.live, owed.ground, owed.done = [*owed.live, event], [*owed.ground, event], []
    elif event.name in step.done_by:
        if any(one.name in {each.name for each in gone} for one in owed.live):
            return None  # another of the same kind is left
        owed.ground = [one for one in owed.ground if one not in gone]
        owed.done.append(event)
    elif live and not owed.live and not done:
        owed.done.append(event)
        return step.done_by[0]
    elif done and not owed.done and owed.ground and _undoes(event, gone, case, step):
        return step.runs_from[0]
    return event.name


def _undoes(event: Event, gone: Sequence[Event], case: Case, step: Step) -> bool:
    act = case.kind.event_of(event.name)
    return act is not None and any(one.name in act.undoes and one.name in step.done_by for one in gone)


def _named(one: Deadline, acts: Sequence[tuple[Event, Event]]) -> Deadline:
    """With the acts under their own names again."""
    start = next((event for read, event in acts if read.key() == one.started_key), None)
    done = next((event for read, event in acts if (read.name, read.happened_at) == (one.done_by, one.done_at)), None)
    return replace(
        one, started_by=start.name if start else one.started_by, started_key=start.key() if start else one.started_key,
        done_by=done.name if done else one.done_by,
    )  # fmt: skip
