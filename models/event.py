"""Events: the append-only acts that everything about a case is derived from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

PROGRAM = "headwater"
OPENED, AMENDED, RETRACTED, ENDED = "case_opened", "finding_amended", "finding_retracted", "condition_ended"
OWN_EVENTS = (OPENED, AMENDED, RETRACTED, ENDED)
"""What the program notes of its own findings; no person can record them."""
ENTRY_WITHDRAWN = "entry_withdrawn"
"""An entry made in error, of any kind of case: ``corrects`` names it and nothing takes its place."""
TEXTS = ("clause", "proof", "sha256", "body", "vote", "corrects", "incident")
DAYS = ("meeting", "until")
SAYABLE = frozenset({*TEXTS, *DAYS, "method", "document", "note"})
"""Fields that say something of an act beside its facts."""


@dataclass(frozen=True)
class Event:
    """One recorded act, or one thing the program itself noted (``by`` is then ``headwater``).

    ``happened_at`` is when it was true, ``recorded_at`` when somebody wrote it down. ``proof``: of service. ``sha256``:
    of the document. ``body``, ``meeting``, ``vote``: who determined it, at the meeting of which day, by which vote.
    ``until``: a new last day, or the end of a term. ``corrects``: key of the event it replaces (or withdraws).
    ``incident``: a label that cases of one incident share. ``parties``: ids of other properties and parties it
    concerns. ``facts``: what else the clause asks for, by the names the ordinance file declares, in order of name.
    ``again``: how often the very same act had been recorded and taken out before.
    """

    case: str
    name: str
    happened_at: datetime
    recorded_at: datetime
    by: str
    method: str = ""
    document: str = ""
    note: str = ""
    clause: str = ""
    proof: str = ""
    sha256: str = ""
    body: str = ""
    meeting: date | None = None
    vote: str = ""
    until: date | None = None
    corrects: str = ""
    incident: str = ""
    parties: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    again: int = 0

    def key(self) -> str:
        """Identity of the act: the same line read twice is one event. Without newer fields it is what it always was."""
        instant = self.happened_at.astimezone(UTC).isoformat()
        parts = [self.case, self.name, instant, self.by, self.method, self.document, self.note]
        if more := self.more():
            parts.append(json.dumps(more, sort_keys=True, ensure_ascii=False))
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()

    def more(self) -> dict[str, Any]:
        """The newer fields that say something, as plain JSON data."""
        whole = {name: getattr(self, name) for name in (*TEXTS, *DAYS)}
        whole = {name: value.isoformat() if isinstance(value, date) else value for name, value in whole.items()}
        whole |= {"parties": list(self.parties), "facts": dict(self.facts), "again": self.again}
        return {name: value for name, value in whole.items() if value}

    def fact(self, name: str) -> str:
        """A fact by its name, or ""."""
        return dict(self.facts).get(name, "")

    def says(self, name: str) -> str:
        """A field or a fact by its name as text, "" where it is not given."""
        value = getattr(self, name) if name in SAYABLE else self.fact(name)
        return value.isoformat() if isinstance(value, date) else value or ""

    @property
    def own(self) -> bool:
        """Noted by the program, not recorded by a person."""
        return self.name in OWN_EVENTS


def newer_fields(plain: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments of ``Event`` that ``Event.more`` wrote down."""
    fields = {name: plain[name] for name in TEXTS if name in plain}
    fields |= {name: date.fromisoformat(plain[name]) for name in DAYS if name in plain}
    facts = tuple(sorted(dict(plain.get("facts", {})).items()))
    return fields | {"parties": tuple(plain.get("parties", ())), "facts": facts, "again": plain.get("again", 0)}


def withdrawn(events: Iterable[Event]) -> bool:
    """Whether the finding behind a case was taken back and has not come to stand again since."""
    names = [one.name for one in events if one.name in {OPENED, RETRACTED}]
    return names[-1:] == [RETRACTED]


def overridden(events: Iterable[Event]) -> dict[str, str]:
    """What corrections took out: key of each event that no longer stands -> key of the correction.

    A correction replaces its target and whatever the target had replaced; a withdrawal takes out its target only,
    so that what a withdrawn correction had replaced stands again.
    """
    by_key = {one.key(): one for one in events}
    out: dict[str, str] = {}
    for key, one in sorted(by_key.items(), key=lambda item: _depth(item[1], by_key), reverse=True):
        if one.corrects and key not in out:
            out |= dict.fromkeys(_targets(one, by_key), key)
    return out


def _depth(event: Event, by_key: Mapping[str, Event]) -> int:
    """How many events it corrects one through the other: the last word is the deepest."""
    target = by_key.get(event.corrects)
    return 0 if target is None else 1 + _depth(target, by_key)


def _targets(event: Event, by_key: Mapping[str, Event]) -> list[str]:
    target = by_key.get(event.corrects)
    if target is None:
        return []
    chained = event.name != ENTRY_WITHDRAWN and target.name != ENTRY_WITHDRAWN
    return [event.corrects, *(_targets(target, by_key) if chained else [])]


def in_turn(event: Event, events: Iterable[Event]) -> Event:
    """The act as it is to be recorded: itself while it stands, a further one where the same was taken out.

    Killed and run again it is the same act; withdrawn or corrected and recorded again it is one more.
    """
    gone = overridden(one for one in events if one.case == event.case)
    while event.key() in gone:
        event = replace(event, again=event.again + 1)
    return event


def standing(events: Sequence[Event]) -> list[Event]:
    """The events that no correction took out, withdrawals left out: what happened, as it is known now."""
    out = overridden(events)
    return [one for one in events if one.name != ENTRY_WITHDRAWN and one.key() not in out]
