"""The papers on record: written once for each content, numbered, sealed; released as an act of their case."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.case import CaseId, Event
from models.errors import BadQuestion
from models.paper_case import why_not
from models.paper_kind import PAPER_RELEASED, PaperKind
from models.paper_slots import Says, Slot, each, filled, of_homes, properties_in
from models.privacy import private_part
from pipelines import acts, household_access, ledger, schema
from pipelines.casebook import ms
from pipelines.paper_facts import Asked, addressees, told
from pipelines.paper_record import Paper, body_of, case_of, paper, papers, released
from pipelines.site_folder import SiteFolder
from pipelines.told_results import why_no_results
from reports.papers.sheet import Sheet, Written, written

MOVED_ON = "its case has moved on"
WITHHELD = "(withheld: it names a household)"
"""What a paper prints of an act's own words that give a household away."""


def to_write(connection: Connection, folder: SiteFolder, id: str, name: str | None) -> list[PaperKind]:
    """The papers of a case (or the blank forms of a kind of case) that are written as it stands.

    Raises
    ------
    BadQuestion : none is, or the named one is not, with the reason.
    """
    kinds = _kinds(folder, id)
    if name is not None and name not in [one.id for one in kinds]:
        raise BadQuestion("no such paper of this kind of case", key="--paper", found=name, allowed=_ids(kinds))
    wanted = [one for one in kinds if name in (None, one.id)]
    reasons = {one.id: why_not_written(connection, folder, id, one) for one in wanted}
    ready = [one for one in wanted if reasons[one.id] is None]
    if not ready:
        why = "; ".join(f"{name}: {reason}" for name, reason in reasons.items()) or "this kind of case has no papers"
        raise BadQuestion(f"no paper is written as it stands: {why}", found=id)
    return ready


def _kinds(folder: SiteFolder, id: str) -> list[PaperKind]:
    blank = folder.law.case_kind(id) is not None
    kind = id if blank else CaseId.parse(id).kind
    return [one for one in folder.law.papers(kind) if one.blank == blank]


def _ids(kinds: Sequence[PaperKind]) -> list[str]:
    return [one.id for one in kinds] or ["none"]


def why_not_written(connection: Connection, folder: SiteFolder, id: str, kind: PaperKind) -> str | None:
    """Why a paper is not written as its case stands, in plain words; None where it is."""
    if kind.blank:
        return None
    case = case_of(connection, folder, id)
    if kind.of_results and (why := why_no_results(connection, folder, kind, id)) is not None:
        return why
    if case is None:
        return None if kind.begins_its_case else f"no such case: {id}"
    return why_not(kind, case)


def compose(connection: Connection, folder: SiteFolder, id: str, kind: PaperKind, now: datetime) -> tuple[Paper, bool]:
    """Write a paper as its case stands, and whether it is new: the same content is the same paper.

    Parameters
    ----------
    connection : inside a write transaction.
    id : of the case; of a blank form its kind.
    """
    case = None if kind.blank else case_of(connection, folder, id)
    form = _form(Asked(connection, folder, kind, id, case, now))
    return _once(connection, folder, form)


@dataclass(frozen=True)
class _Form:
    """A paper before it is written: its facts and its addressees, a household in them as slots."""

    asked: Asked
    facts: Mapping[str, Any]
    to: tuple[tuple[str | Slot, ...], ...]
    draft: tuple[str, ...]
    results: tuple[Mapping[str, str], ...] | None

    def write(self, number: str, says: Says) -> Written:
        sheet = _sheet(self.asked, number, filled(self.to, says), self.draft)
        return written(self.asked.kind.template, sheet, filled(self.facts, says))


def _form(asked: Asked) -> _Form:
    says = told(asked)
    return _Form(asked, each(says.facts, _open_to(asked.folder)), addressees(asked), says.draft, says.results)


def _open_to(folder: SiteFolder) -> Callable[[Any], Any]:
    """What people wrote, as every party of a case may read it: an act may be older than the household on file."""
    public = {one.name for one in folder.site.party}

    def seen(one: Any) -> Any:
        if not isinstance(one, str) or one in public or private_part(one, folder.households) is None:
            return one
        return WITHHELD

    return seen


def _sheet(asked: Asked, number: str, to: tuple[tuple[str, ...], ...], draft: tuple[str, ...]) -> Sheet:
    law, site = asked.folder.law, asked.folder.site
    town = law.jurisdiction.partition(",")[0]
    case = "" if asked.kind.blank else asked.id
    return Sheet(
        number, asked.kind.title, asked.kind.clause, case, town, law.title, site.name, site.permit.number, to, draft
    )


def _once(connection: Connection, folder: SiteFolder, form: _Form) -> tuple[Paper, bool]:
    asked = form.asked
    for one in reversed(papers(connection, asked.id)):
        if one.name == asked.kind.id and _reads(one, form):
            return one, False
    number = _next_number(connection, asked.now, folder)
    new = form.write(number, Slot.mark)
    sha256 = hashlib.sha256(new.html.encode()).hexdigest()
    paper = Paper(
        number, asked.id, asked.kind.id, asked.now, sha256, new.html, new.text, form.draft, form.results
    )  # fmt: skip
    row = {
        "number": number, "case_id": asked.id, "name": asked.kind.id, "composed_at": ms(asked.now), "sha256": sha256,
        "body": body_of(paper),
    }  # fmt: skip
    ledger.append(connection, schema.paper, row)
    return paper, True


def _reads(one: Paper, form: _Form) -> bool:
    """Whether a paper on record is what its template says now."""
    now = form.write(one.number, Slot.mark)
    return (one.html, one.text) == (now.html, now.text)


def _next_number(connection: Connection, now: datetime, folder: SiteFolder) -> str:
    """Year and serial number, as a clerk numbers papers."""
    year = now.astimezone(ZoneInfo(folder.law.zone)).year
    taken = [one.number for one in papers(connection) if one.number.startswith(f"{year}-")]
    return f"{year}-{len(taken) + 1:03d}"


def handed_out(
    connection: Connection, folder: SiteFolder, one: Paper, *, command: str, reader: str, at: datetime
) -> Written:
    """The paper as its addressees get it, written by its template with the names in its slots; each look on record.

    Raises
    ------
    BadQuestion : its case does not stand any more as when it was written, or ``reader`` cannot be sealed.
    """
    kind = folder.law.paper_of(one.name)
    case = case_of(connection, folder, one.case) if kind is not None and not kind.blank else None
    form = None if kind is None else _form(Asked(connection, folder, kind, one.case, case, at))
    if form is None or not _reads(one, form):
        raise BadQuestion(f"{MOVED_ON} since it was written", key="NUMBER", found=one.number)
    homes, purpose = folder.households.household, f"paper {one.number}, {one.name}"
    for property in properties_in((form.to, form.facts)):
        if any(home.property == property for home in homes):
            household_access.check_reader(reader, purpose, folder.households)
            household_access.note_read(connection, command, property, reader, purpose, at)
    return form.write(one.number, of_homes(homes))


def release(
    connection: Connection, folder: SiteFolder, number: str, *, by: str, at: datetime, method: str, now: datetime
) -> tuple[Event, bool]:
    """Record that a person let a paper go, and whether that is new. Nothing is sent.

    Raises
    ------
    BadQuestion : a blank form, a draft, or a paper of a state its case has left.
    BadSite : the act cannot be recorded: no such office, or a time that cannot be.
    """
    one = paper(connection, number)
    if (before := released(connection, folder, one)) is not None:
        return before, False
    _may_go(connection, folder, one, now)
    page = handed_out(connection, folder, one, command="report release", reader=by, at=now).html
    cells = {
        "event": PAPER_RELEASED, "by": by, "happened_at": at.isoformat(), "recorded_at": now.isoformat(),
        "method": method, "document": f"{one.file}.html", "sha256": hashlib.sha256(page.encode()).hexdigest(),
        "corrects": "", "note": "",
    }  # fmt: skip
    (taken,) = acts.take(connection, folder, cells, [f"paper={number}"], [one.case], opening=True)
    return taken.event, taken.new


def _may_go(connection: Connection, folder: SiteFolder, one: Paper, now: datetime) -> None:
    kind = folder.law.paper_of(one.name)
    if kind is None or kind.blank:
        raise BadQuestion("a blank form needs no release", key="NUMBER", found=one.number)
    if one.draft:
        raise BadQuestion(f"a draft is not released: {'; '.join(one.draft)}", key="NUMBER", found=one.number)
    if (why := why_not_written(connection, folder, one.case, kind)) is not None:
        raise BadQuestion(f"{MOVED_ON}: {why}", key="NUMBER", found=one.number)
    current, _ = compose(connection, folder, one.case, kind, now)
    if current.number != one.number:
        raise BadQuestion(
            f"{MOVED_ON} since it was written; compose it again: headwater report notice {one.case} "
            f"--paper {one.name}", key="NUMBER", found=one.number,
        )  # fmt: skip
