"""Cases: append-only events in, status out. Nothing about a case is stored but its events."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from models.errors import BadQuestion, BadSite
from models.rules import CaseKind, Ordinance
from models.site import Site

_CASE_ID = re.compile(r"^(?P<kind>[a-z0-9_.]+)/(?P<subject>[A-Za-z0-9._-]+)/(?P<opened>\d{4}-\d{2}-\d{2})$")
OPENED, AMENDED, RETRACTED, ENDED = "case_opened", "finding_amended", "finding_retracted", "condition_ended"
OWN_EVENTS = (OPENED, AMENDED, RETRACTED, ENDED)


@dataclass(frozen=True)
class Event:
    """One recorded act, or one thing the program itself noted (``by`` is then ``headwater``).

    ``happened_at`` is when it was true, ``recorded_at`` when somebody wrote it down.
    """

    case: str
    name: str
    happened_at: datetime
    recorded_at: datetime
    by: str
    method: str = ""
    document: str = ""
    note: str = ""

    def key(self) -> str:
        """Identity of the act: the same line read twice is one event."""
        instant = self.happened_at.astimezone(UTC).isoformat()
        parts = (self.case, self.name, instant, self.by, self.method, self.document, self.note)
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()


@dataclass(frozen=True)
class CaseId:
    """``kind/subject/date`` as in ``howard.baseflow/LMC-1/2025-08-25``."""

    kind: str
    subject: str
    opened: date

    def __str__(self) -> str:
        return f"{self.kind}/{self.subject}/{self.opened}"

    @staticmethod
    def parse(text: str) -> CaseId:
        """Read a case id.

        Raises
        ------
        BadQuestion : not of the form kind/subject/YYYY-MM-DD.
        """
        match = _CASE_ID.match(text)
        try:
            if match:
                return CaseId(match["kind"], match["subject"], date.fromisoformat(match["opened"]))
        except ValueError:
            pass
        raise BadQuestion("not a case id", found=text, allowed=["kind/subject/YYYY-MM-DD"])


@dataclass(frozen=True)
class Case:
    """A case as its events say it stands."""

    id: str
    kind: CaseKind
    events: tuple[Event, ...]

    @property
    def status(self) -> str:
        """``open``, ``closed`` or ``retracted``: the finding that opened it no longer stands."""
        names = [one.name for one in self.events]
        if any(name in self.kind.closing_events for name in names):
            return "closed"
        return "retracted" if withdrawn(self.events) and all(name in OWN_EVENTS for name in names) else "open"


def withdrawn(events: Iterable[Event]) -> bool:
    """Whether the finding behind a case was taken back and has not come to stand again since."""
    names = [one.name for one in events if one.name in {OPENED, RETRACTED}]
    return names[-1:] == [RETRACTED]


def cases(events: Iterable[Event], law: Ordinance) -> list[Case]:
    """Events gathered into cases, in order of their first act."""
    grouped: dict[str, list[Event]] = {}
    for event in sorted(events, key=lambda one: (one.happened_at, one.recorded_at)):
        grouped.setdefault(event.case, []).append(event)
    return [Case(id, _kind(CaseId.parse(id), law), tuple(group)) for id, group in grouped.items()]


def admit(event: Event, existing: Sequence[Event], site: Site, law: Ordinance) -> None:
    """Refuse an act that the law's case does not know, or that cannot have happened.

    Raises
    ------
    BadSite : names the key, what was found and what is allowed.
    """
    id = CaseId.parse(event.case)
    kind = _kind(id, law)
    _known_subject(id, kind, site)
    names = [one.name for one in kind.event]
    if event.name not in names:
        raise BadSite(f"no such event in a {kind.id} case", key="event", found=event.name, allowed=names)
    if event.recorded_at < event.happened_at:
        raise BadSite("recorded before it happened", key="recorded_at", found=event.recorded_at.isoformat())
    begun = any(one.case == event.case for one in existing)
    if not begun and (kind.opened_by == "finding" or event.name not in kind.opening_events):
        raise BadSite(f"no case {event.case} is open; {_how_it_opens(kind)}", key="case", found=event.case)


def _how_it_opens(kind: CaseKind) -> str:
    return "a finding opens it" if kind.opened_by == "finding" else f"it opens by {' or '.join(kind.opening_events)}"


def _kind(id: CaseId, law: Ordinance) -> CaseKind:
    kind = law.case_kind(id.kind)
    if kind is None:
        raise BadSite("no such kind of case", key="case", found=id.kind, allowed=[one.id for one in law.case])
    return kind


def _known_subject(id: CaseId, kind: CaseKind, site: Site) -> None:
    known = [one.id for one in (site.property if kind.subject == "property" else site.gauge)]
    if id.subject not in known:
        raise BadSite(f"no {kind.subject} of this site", key="case", found=id.subject, allowed=known)
