"""Recording a person's act: from the text of a command to an event in the store, in one transaction or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select

from models.act_states import with_plain_money
from models.admission import admit, made_impossible, subjects
from models.case import Case
from models.case_id import CaseId
from models.case_kind import CaseEvent, CaseKind
from models.case_reading import Contradiction, allowed, ended_by, reading, table_of
from models.errors import BadQuestion
from models.event import Event, in_turn
from models.paper_kind import PAPER_RELEASED
from models.place import Nearness
from models.rules import Ordinance
from pipelines import casebook, schema
from pipelines.casebook import ms, utc
from pipelines.judgement import all_cases, calendar
from pipelines.local_instant import local_instant
from pipelines.site_folder import SiteFolder, event_from_text

SHORTEST_KEY = 6
SHOWN_KEY = 12
PAPER = "paper"
A_SECOND_MS = 1000
"""An act is recorded to the second."""


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
        act = event_from_text(cells | {"case": case, "corrects": _whole_key(cells["corrects"], case, existing)})
        if kind is not None and kind.opened_by == "event" and not opening:
            _no_slip(id, kind, act, existing, connection, folder)
        said = tuple(sorted(_fact(one, folder.law) for one in facts))
        act = with_plain_money(replace(act, facts=said), folder.law)
        _released_once_written(act, connection)
        taken.append(_record(connection, folder, act, existing))
    return taken


def _no_slip(
    id: CaseId, kind: CaseKind, act: Event, existing: Sequence[Event], connection: Connection, folder: SiteFolder
) -> None:  # fmt: skip
    """A wrong date in an id must not open a case; a case that a paper was written in is no slip."""
    written = select(schema.paper.c.id).where(schema.paper.c.case_id == str(id)).limit(1)
    of_subject = sorted({one.case for one in existing if one.case.startswith(f"{id.kind}/{id.subject}/")})
    if str(id) in of_subject or connection.execute(written).first() is not None:
        return
    if of_subject:
        raise BadQuestion("no such case; `headwater case open` opens another", found=str(id), allowed=of_subject)
    day = act.happened_at.astimezone(ZoneInfo(folder.law.zone)).date()
    if act.name in kind.opening_events and id.subject in subjects(kind, folder.site) and id.opened != day:
        right = str(replace(id, opened=day))
        raise BadQuestion("no such case; its id bears the day of the act that opens it", found=str(id), allowed=[right])


def _released_once_written(act: Event, connection: Connection) -> None:
    """No paper goes out before it was written."""
    query = select(schema.paper.c.composed_at).where(schema.paper.c.number == act.fact(PAPER))
    written = connection.execute(query).scalar() if act.name == PAPER_RELEASED else None
    if written is not None and ms(act.happened_at) < written - A_SECOND_MS:
        raise BadQuestion("the paper was written later", key="--at", found=act.happened_at.isoformat(),
                          allowed=[f"{utc(written)} or later"])  # fmt: skip


def _record(connection: Connection, folder: SiteFolder, act: Event, existing: Sequence[Event]) -> Taken:
    act = in_turn(act, existing)
    if act.key() in {one.key() for one in existing}:
        return Taken(act, new=False, contradicts=[])
    admit(act, existing, folder.site, folder.law, policy=folder.policy, households=folder.households)
    found = made_impossible(act, existing, folder.law, folder.policy)
    contradicts = [_contradicted(one, folder) for one in found]
    return Taken(act, casebook.append_event(connection, act, ms(act.recorded_at)), contradicts)


def _contradicted(one: Contradiction, folder: SiteFolder) -> str:
    kind = folder.law.case_kind(CaseId.parse(one.event.case).kind)
    act = kind.event_of(one.event.name) if kind else None
    day = one.event.happened_at.astimezone(ZoneInfo(folder.law.zone)).date()
    if one.stands and act is not None:
        return f"CONTRADICTED, AND IN FORCE until {ended_by(act)}: {one.event.name} of {day}: {one.reason}"
    said = f"{one.event.name} of {day} contradicts it: {one.reason}"
    return f"NOW IMPOSSIBLE, and left out until it is put right: {said}"


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


def _fact(text: str, law: Ordinance) -> tuple[str, str]:
    """Name and value; a paper that is a file here is kept by its name and its hash."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals and value):
        raise BadQuestion("not a fact", key="--fact", found=text, allowed=["name=value"])
    fact = law.fact_of(name)
    if fact is not None and fact.kind == "document":
        paper, sha256 = document(value)
        return name, f"{paper.replace(' ', '-')} sha256:{sha256}" if sha256 else value
    return name, value


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
    """A time with its hour, the town's local one unless it says its offset (`local_instant`)."""
    when = local_instant(text, folder.law.zone)
    if len(text.strip()) <= len("YYYY-MM-DD"):
        allowed = [f"{when.date()}T09:00"]
        raise BadQuestion("say the hour too: time may run from it, and of one day it is the order", key="--at",
                          found=text, allowed=allowed)  # fmt: skip
    return when


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


def usual_actor(kind: CaseKind, act: CaseEvent | None, subject: str) -> str:
    """Whose act it is where nobody says: the clerk's, or the owner's of the property the case is about.

    Raises
    ------
    BadQuestion : an owner's act in a case about no property.
    """
    if act is None or act.who != "owner":
        return "clerk"
    if kind.subject != "property":
        raise BadQuestion("say whose act it is", key="--by", allowed=["owner:PROPERTY", "a party of site.toml"])
    return f"owner:{subject}"


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


def allowed_now(case: Case, folder: SiteFolder, now: datetime) -> list[str]:
    """The acts that may be recorded in a case as it stands."""
    table = table_of(CaseId.parse(case.id), folder.law, calendar(folder))
    return allowed(reading(case.recorded, table), table, Event(case.id, "", now, now, ""))


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
