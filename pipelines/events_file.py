"""People's acts from events.csv: what is new is taken in dated order, what cannot be is kept with the reason."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from models.act_states import with_plain_money
from models.admission import admit
from models.case_id import CaseId
from models.case_reading import dated
from models.errors import BadSite, HeadwaterError
from models.event import Event
from models.observation import Reject
from models.privacy import private_part
from pipelines import casebook, inbox, observations
from pipelines.site_folder import EventLine, SiteFolder, read_events


def lines(folder: SiteFolder, now: datetime) -> list[EventLine]:
    """The lines of events.csv that are written down by then; a file that is none is one bad line."""
    try:
        read = list(read_events(folder.path / "events.csv"))
    except BadSite as caught:
        why = str(BadSite(caught.reason, found=caught.found, allowed=caught.allowed))
        return [EventLine(caught.row or 0, str(caught.found or ""), None, why)]
    return [one for one in read if one.event is None or one.event.recorded_at <= now]


def admitted(
    lines: Iterable[EventLine], before: Sequence[Event], folder: SiteFolder
) -> tuple[list[Event], list[tuple[EventLine, str]]]:  # fmt: skip
    """New acts in the order they happened, again until nothing more is taken; and what is left, each with why."""
    known = {event.key() for event in before}
    waiting = [line for line in _in_dated_order(lines, folder) if line.event is None or line.event.key() not in known]
    taken: list[Event] = []
    while True:
        faults = []
        for line in waiting:
            fault = _fault(line, [*before, *taken], folder)
            if fault is not None or line.event is None:
                faults.append((line, fault or line.reason))
            elif line.event.key() not in known:
                known.add(line.event.key())
                taken.append(line.event)
        if len(faults) == len(waiting) or not faults:
            return taken, sorted(faults, key=lambda one: one[0].row)
        waiting = [line for line, _ in faults]


def _in_dated_order(lines: Iterable[EventLine], folder: SiteFolder) -> list[EventLine]:
    """As the acts happened, of one instant as their table lists them; lines that are none come last."""
    read = [replace(one, event=one.event and with_plain_money(one.event, folder.law)) for one in lines]
    acts = [(_place(one.event, folder), n, one) for n, one in enumerate(read) if one.event is not None]
    return [one for *_, one in sorted(acts, key=lambda each: each[:2])] + [one for one in read if one.event is None]


def _place(event: Event, folder: SiteFolder) -> tuple[object, ...]:
    try:
        kind = folder.law.case_kind(CaseId.parse(event.case).kind)
    except HeadwaterError:
        kind = None
    return (event.happened_at, -1, event.key()) if kind is None else dated(event, kind)


def take(
    connection: Connection, folder: SiteFolder, lines: Iterable[EventLine], before: Sequence[Event], known_at: int
) -> tuple[list[Event], tuple[Reject, ...]]:
    """People's acts from events.csv: new ones are recorded, impossible ones refused with the reason."""
    taken, left = admitted(lines, before, folder)
    for event in taken:
        casebook.append_event(connection, event, known_at)
    refused = [_refused(line, fault, folder) for line, fault in left]
    _keep_refused(connection, refused, known_at)
    return taken, tuple(refused)


def _refused(line: EventLine, fault: str, folder: SiteFolder) -> Reject:
    """What is kept of a line that was not taken: nothing of it where it names a household."""
    part = private_part(line.raw, folder.households)
    if part is None:
        return Reject("events.csv", line.row, line.column, line.raw, fault)
    why = f"holds a household's {part}: an act names nobody; say owner:PROPERTY"
    sha256 = hashlib.sha256(line.raw.encode()).hexdigest()[:12]
    return Reject("events.csv", line.row, line.column, f"(withheld, {sha256})", why)


def _fault(line: EventLine, existing: Sequence[Event], folder: SiteFolder) -> str | None:
    if line.event is None:
        return line.reason
    try:
        admit(line.event, existing, folder.site, folder.law, policy=folder.policy, households=folder.households)
    except HeadwaterError as caught:
        return str(caught)
    return None


def _keep_refused(connection: Connection, refused: Sequence[Reject], known_at: int) -> None:
    """events.csv is a living file: each refused line is kept once, under the hash of its own text."""
    for one in refused:
        sha256 = hashlib.sha256(f"events.csv\0{one.raw}\0{one.reason}".encode()).hexdigest()
        if observations.source_seen(connection, sha256) is None:
            id = observations.record_source(
                connection,
                sha256=sha256,
                file="events.csv",
                format=inbox.EVENTS,
                size=len(one.raw),
                arrived_at=known_at,
            )
            observations.record_rejects(connection, id, [one])
