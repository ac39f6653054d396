"""What a correction may do: say the same act rightly, or take an entry back; it ends and revives no order of the town.

An entry is put right by whoever's act it is, or, where it is an office's, by an office; a determination of the town is
taken back by a vote of the body that made it. An order that only another act lifts is never taken back, and no
correction moves it across the act that lifted it.
"""

from __future__ import annotations

from collections.abc import Sequence

from models.case_kind import CaseEvent
from models.case_reading import Table, ended_by, reading
from models.errors import BadSite
from models.event import ENTRY_WITHDRAWN, Event, overridden


def corrected_act(event: Event, of_case: Sequence[Event], table: Table) -> CaseEvent | None:
    """The act in the kind's table that an entry puts right or takes back.

    Parameters
    ----------
    event : names the entry it corrects.
    of_case : what is on record in the case.

    Raises
    ------
    BadSite : names the key, what was found and what is allowed.
    """
    found = _entry(event, of_case)
    word = _last_word(found, of_case)
    act = table.kind.event_of(word.name)
    if act is not None and act.lifted_by and event.name != act.name:
        raise BadSite(
            f"{act.name} stands until {ended_by(act)}: an entry that was wrong is put right by {act.name} with the "
            "same --corrects", key="event", found=event.name, allowed=[act.name],
        )  # fmt: skip
    if event.name not in {ENTRY_WITHDRAWN, found.name}:
        raise BadSite(
            f"a correction says the same act rightly, and the entry is {found.name}: take it back and record the other",
            key="event", found=event.name, allowed=[found.name, ENTRY_WITHDRAWN],
        )  # fmt: skip
    if event.name == ENTRY_WITHDRAWN:
        _taken_back(event, word, act, table)
    if act is None or event.name != ENTRY_WITHDRAWN or not act.determination:
        _across_nothing(event, of_case, table)
    return act


def _entry(event: Event, of_case: Sequence[Event]) -> Event:
    """An act of a person in the same case that no other correction took out."""
    if not event.corrects:
        raise BadSite("names the entry it withdraws", key="corrects", found=event.corrects)
    found = next((one for one in of_case if one.key() == event.corrects), None)
    if found is None or found.own:
        raise BadSite("no act of this case has that key; `headwater case show` lists them", key="corrects")
    other = overridden(of_case).get(event.corrects)
    if other is not None and other != event.key():
        raise BadSite("is corrected already; correct the correction", key="corrects", found=other[:12])
    return found


def _last_word(event: Event, of_case: Sequence[Event]) -> Event:
    """The act that a withdrawal (of a withdrawal) is about."""
    while event.name == ENTRY_WITHDRAWN:
        target = next((one for one in of_case if one.key() == event.corrects), None)
        if target is None:
            break
        event = target
    return event


def _taken_back(event: Event, word: Event, act: CaseEvent | None, table: Table) -> None:
    """With a reason; an order never, any other determination by a vote of the body that made it."""
    if not event.note:
        raise BadSite("a withdrawal says why", key="note", found="")
    if act is None or not table.kind.votes(act.name):
        return
    said = {"body": event.body, "meeting": event.meeting, "vote": event.vote}
    for name, value in said.items():
        if not value:
            raise BadSite(f"{act.name} is a determination: only a vote of the body that made it takes it back",
                          key=name, found="")  # fmt: skip
    if event.body.casefold() != word.body.casefold():
        raise BadSite(f"{act.name} is another body's", key="body", found=event.body, allowed=[word.body])


def check_by_its_own(event: Event, of_case: Sequence[Event], offices: Sequence[str]) -> None:
    """Refuse a correction by another than whose entry it is; the offices of the town keep each other's.

    Raises
    ------
    BadSite : names who may.
    """
    word = _last_word(_entry(event, of_case), of_case)
    known = {one.casefold() for one in offices}
    both = {event.by.casefold() in known, word.by.casefold() in known}
    if event.by.casefold() != word.by.casefold() and both != {True}:
        whose = word.by if word.by.casefold() not in known else "the town's"
        raise BadSite(f"the entry is {whose}, and is put right as theirs", key="by", found=event.by,
                      allowed=[word.by])  # fmt: skip


def _across_nothing(event: Event, of_case: Sequence[Event], table: Table) -> None:
    """Each order is ended by the same act as before, or by none as before."""
    was, now = (reading(acts, table).enders(table.kind) for acts in (of_case, [*of_case, event]))
    old, new = event.corrects, event.key()
    moved = {new if key == old else key: new if by == old else by for key, by in was.items()}
    names = {one.key(): one.name for one in (*of_case, event)}
    for key, by in now.items():
        if moved.get(key, by) == by:
            continue
        kept = f"ended by {names[moved[key]]}" if moved[key] else "in force"
        raise BadSite(
            f"{names[key]} is {kept}, and a correction does not change that: only the town's own act ends it or "
            "orders it anew", key="at", found=event.happened_at.isoformat(),
        )  # fmt: skip
