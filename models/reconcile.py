"""From changed findings to case events: a finding opens a duty, moves with its spell, or is taken back.

The program records only what it saw (``case_opened``, ``finding_amended``, ``finding_retracted``,
``condition_ended``, all by ``headwater``). Every act of a person comes from the person's own record.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from models.case import CaseId
from models.event import AMENDED, ENDED, OPENED, PROGRAM, RETRACTED, Event, withdrawn
from models.finding import Change, Finding, Transition

_NOTED: dict[Change, str] = {
    "amended": AMENDED,
    "confirmed": AMENDED,
    "retracted": RETRACTED,
    "ended": ENDED,
}


def reconcile(changes: Sequence[Transition], events: Sequence[Event], now: datetime) -> list[Event]:
    """The events that tonight's transitions add to the cases.

    Parameters
    ----------
    changes : tonight's transitions.
    events : every event recorded so far.
    now : the night's instant; it is when the program noted what it notes.
    """
    found = (_event(change, events, now) for change in changes)
    return [event for event in found if event is not None]


def _event(change: Transition, events: Sequence[Event], now: datetime) -> Event | None:
    case = case_of(change.previous or change.finding, events)
    name = _NOTED.get(change.change)
    opens = change.change in {"opened", "amended"} and change.finding.opens
    if case is None:
        return _opened(change.finding, now) if opens else None
    if opens and withdrawn(one for one in events if one.case == case):
        name = OPENED
    return None if name is None else Event(case, name, now, now, PROGRAM, note=change.finding.key)


def _opened(finding: Finding, now: datetime) -> Event:
    id = CaseId(finding.opens or "", finding.station, finding.opened_on)
    return Event(str(id), OPENED, now, now, PROGRAM, note=finding.key)


def case_of(finding: Finding, events: Sequence[Event]) -> str | None:
    """The case a finding opened or was last amended in."""
    of_it = [one for one in events if one.note == finding.key and one.by == PROGRAM and one.name in {OPENED, AMENDED}]
    return of_it[-1].case if of_it else None
