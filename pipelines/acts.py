"""Recording a person's act: from the text of a command to an event in the store, in one transaction or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select

from models.admission import admit, made_impossible
from models.case import CaseId
from models.case_kind import CaseKind
from models.errors import BadQuestion
from models.event import Event
from models.place import Nearness
from pipelines import casebook, schema
from pipelines.casebook import ms
from pipelines.judgement import all_cases
from pipelines.site_folder import SiteFolder, event_from_text

SHORTEST_KEY = 6
SHOWN_KEY = 12


@dataclass(frozen=True)
class Taken:
    """An act that is on record now: whether it is new, and what it made impossible."""

    event: Event
    new: bool
    contradicts: list[str]


def take(
    connection: Connection, folder: SiteFolder, cells: dict[str, str], facts: Sequence[str], cases: Sequence[str],
    *, opening: bool = False,
) -> list[Taken]:  # fmt: skip
    """Record one act in one case or in several of one incident; all of them or none.

    Parameters
    ----------
    connection : inside a write transaction, which the caller ends.
    cells : columns of events.csv as text, ``case`` left out.
    facts : ``name=value`` each.
    cases : ids of the cases.
    opening : a case is opened on purpose; else a new id beside a case of the same subject is a mistake.

    Raises
    ------
    BadSite, BadQuestion : what is wrong in plain words; nothing is recorded then.
    """
    taken = []
    for case in cases:
        existing = casebook.events(connection)
        id = CaseId.parse(case)
        kind = folder.law.case_kind(id.kind)
        if kind is not None and kind.opened_by == "event" and not opening:
            _no_slip(id, existing, connection)
        act = event_from_text(cells | {"case": case, "corrects": _whole_key(cells["corrects"], case, existing)})
        act = replace(act, facts=tuple(sorted(_fact(one) for one in facts)))
        taken.append(_record(connection, folder, act, existing))
    return taken


def doubts(connection: Connection, folder: SiteFolder, event: Event) -> list[str]:
    """What the program's own record says against a run of days that an act cites; the town weighs it.

    A shortfall of the case's gauge that was found, not withdrawn, and reaches into the cited days.
    """
    cited = [event.fact(one.name) for one in folder.law.fact if one.run_of and event.fact(one.name)]
    if not cited:
        return []
    id, day = CaseId.parse(event.case), event.happened_at.astimezone(ZoneInfo(folder.law.zone)).date()
    since = date.fromisoformat(cited[0])
    below = [
        one
        for one in casebook.standing(connection)
        if one.opens == id.kind and one.station == id.subject and one.start <= day and (one.end or day) >= since
    ]
    return [
        f"the record has days below base flow from {one.start} to {one.end or 'now'}, and the act cites {since} on"
        for one in below
    ]


def _no_slip(id: CaseId, existing: Sequence[Event], connection: Connection) -> None:
    """A wrong date in an id must not open a second case; a case that a paper was written in is no slip."""
    written = select(schema.paper.c.id).where(schema.paper.c.case_id == str(id)).limit(1)
    of_subject = sorted({one.case for one in existing if one.case.startswith(f"{id.kind}/{id.subject}/")})
    if of_subject and str(id) not in of_subject and connection.execute(written).first() is None:
        raise BadQuestion("no such case; `headwater case open` opens another", found=str(id), allowed=of_subject)


def _record(connection: Connection, folder: SiteFolder, act: Event, existing: Sequence[Event]) -> Taken:
    if act.key() in {one.key() for one in existing}:
        return Taken(act, new=False, contradicts=[])
    admit(act, existing, folder.site, folder.law, policy=folder.policy, households=folder.households)
    contradicts = made_impossible(act, existing, folder.law, folder.policy)
    return Taken(act, casebook.append_event(connection, act, ms(act.recorded_at)), contradicts)


def _whole_key(start: str, case: str, existing: Sequence[Event]) -> str:
    """The key that begins so, of an act of this case."""
    if not start:
        return ""
    found = [one.key() for one in existing if one.case == case and one.key().startswith(start)]
    if len(start) < SHORTEST_KEY or len(found) != 1:
        keys = [f"{one.key()[:SHOWN_KEY]} ({one.name})" for one in existing if one.case == case and not one.own]
        why = "no act" if not found else "more than one act" if len(found) > 1 else "too short a key"
        raise BadQuestion(f"{why} of this case begins so", key="--corrects", found=start, allowed=keys or ["none yet"])
    return found[0]


def _fact(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name.strip() and equals and value.strip()):
        raise BadQuestion("not a fact", key="--fact", found=text, allowed=["name=value"])
    return name.strip(), value.strip()


def document(text: str) -> tuple[str, str]:
    """Name and sha256 of a paper; a text that is no file here is kept as the name of a paper, without a hash."""
    path = Path(text)
    try:
        if text and path.is_file():
            return path.name, hashlib.sha256(path.read_bytes()).hexdigest()
    except ValueError:  # no path at all
        pass
    return text, ""


def local(text: str, folder: SiteFolder) -> datetime:
    """A time without an offset is the town's local time; an hour that the clock showed twice is refused."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise BadQuestion("not a time", key="--at", found=text, allowed=["YYYY-MM-DDTHH:MM"]) from None
    if when.tzinfo is not None:
        return when
    zone = ZoneInfo(folder.law.zone)
    first, second = (when.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if first.utcoffset() != second.utcoffset():
        allowed = [f"{when.isoformat(timespec='minutes')}{one.strftime('%z')[:3]}:00" for one in (first, second)]
        raise BadQuestion("the clock change makes this time unclear", key="--at", found=text, allowed=allowed)
    return first


def kind_of(folder: SiteFolder, id: str) -> CaseKind:
    """A kind of case that people open.

    Raises
    ------
    BadQuestion : there is none, or a finding opens it.
    """
    kind = folder.law.case_kind(id)
    opened = [one.id for one in folder.law.case if one.opened_by == "event"]
    if kind is None or kind.opened_by != "event":
        reason = "no such kind of case" if kind is None else "a finding opens it, not a person"
        raise BadQuestion(reason, key="KIND", found=id, allowed=opened)
    return kind


def opening_act(kind: CaseKind, near: Nearness | None) -> str:
    """The act that opens a case by default: of those the parcel's distance allows, the first the table opens with."""
    far = near is not None and not near.counts
    wanted = "beyond" if far else "within"
    acts = [one for name in kind.opening_events if (one := kind.event_of(name))]
    fit = [one.name for one in acts if one.standing in {None, wanted}]
    return (fit or [one.name for one in acts])[0]


def new_id(
    connection: Connection, folder: SiteFolder, kind: CaseKind, subject: str, at: datetime, *, another: bool
) -> str:  # fmt: skip
    """The id of a case opened by an act of that time; a second one of a day takes ``.2``.

    Raises
    ------
    BadQuestion : a case of that subject and day is there, and ``another`` was not asked for.
    """
    day = at.astimezone(ZoneInfo(folder.law.zone)).date()
    known = {one.id for one in all_cases(casebook.events(connection), folder)}
    free = [CaseId(kind.id, subject, day, number) for number in range(1, 10)]
    first = next((one for one in free if str(one) not in known), None)
    if first is None or (first.number > 1 and not another):
        raise BadQuestion(
            "a case of that day is on record: record in it, or say --another for a second one",
            found=str(free[0]), allowed=sorted(id for id in known if id.startswith(f"{kind.id}/{subject}/")),
        )  # fmt: skip
    return str(first)


def event_row(event: Event, zone: ZoneInfo) -> dict[str, Any]:
    """An event as plain data; times are local, an empty field is empty."""
    happened, recorded = (
        one.astimezone(zone).strftime("%Y-%m-%d %H:%M %Z") for one in (event.happened_at, event.recorded_at)
    )
    return {
        "key": event.key()[:SHOWN_KEY], "event": event.name, "happened_at": happened, "recorded_at": recorded,
        "by": event.by, "method": event.method, "document": event.document, "note": event.note,
    } | event.more()  # fmt: skip


def unknown_case(found: str, events: Sequence[Event]) -> BadQuestion:
    """The refusal of a case id that is not on record."""
    return BadQuestion("no such case", found=found, allowed=sorted({one.case for one in events}) or ["none yet"])
