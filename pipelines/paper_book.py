"""The papers on record: written once for each content, numbered, sealed; released as an act of their case."""

from __future__ import annotations

import hashlib
import html
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select

from models.case import Case, CaseId, Event
from models.errors import BadQuestion
from models.paper_case import why_not
from models.paper_kind import PAPER_RELEASED, PaperKind
from models.paper_slots import filled, properties_named
from pipelines import acts, casebook, household_access, ledger, schema
from pipelines.casebook import instant, ms
from pipelines.judgement import all_cases
from pipelines.paper_facts import Asked, addressees, attained_results, told
from pipelines.site_folder import SiteFolder
from reports.papers.sheet import Sheet, Written, written


@dataclass(frozen=True)
class Paper:
    """A paper as it was written. A household stands in it as slots; ``sha256`` is of ``html`` as stored, in UTF-8."""

    number: str
    case: str
    name: str
    composed_at: datetime
    sha256: str
    html: str
    text: str
    draft: tuple[str, ...]

    @property
    def file(self) -> str:
        """Name of its files, without an ending."""
        return f"{self.number}-{self.name}"


def papers(connection: Connection, case: str | None = None) -> list[Paper]:
    """Every paper on record, of all cases or of one, oldest first."""
    query = select(schema.paper).order_by(schema.paper.c.id)
    query = query if case is None else query.where(schema.paper.c.case_id == case)
    return [_paper(row) for row in connection.execute(query).mappings()]


def paper(connection: Connection, number: str) -> Paper:
    """The paper of a number.

    Raises
    ------
    BadQuestion : there is none.
    """
    found = papers(connection)
    known = [one.number for one in found]
    if number not in known:
        raise BadQuestion("no such paper", key="NUMBER", found=number, allowed=known or ["none yet"])
    return found[known.index(number)]


def _paper(row: Mapping[Any, Any]) -> Paper:
    body = json.loads(row["body"])
    return Paper(
        row["number"], row["case_id"], row["name"], instant(row["composed_at"]), row["sha256"],
        body["html"], body["text"], tuple(body["draft"]),
    )  # fmt: skip


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
    case = _case(connection, folder, id)
    if case is None and kind.of_results:
        return None if attained_results(connection, folder, id) else "no attained result of that property and day"
    return f"no such case: {id}" if case is None else why_not(kind, case)


def _case(connection: Connection, folder: SiteFolder, id: str) -> Case | None:
    return next((one for one in all_cases(casebook.events(connection), folder) if one.id == id), None)


def compose(connection: Connection, folder: SiteFolder, id: str, kind: PaperKind, now: datetime) -> tuple[Paper, bool]:
    """Write a paper as its case stands, and whether it is new: the same content is the same paper.

    Parameters
    ----------
    connection : inside a write transaction.
    id : of the case; of a blank form its kind.
    """
    case = None if kind.blank else _case(connection, folder, id)
    asked = Asked(connection, folder, kind, id, case, now)
    says, to = told(asked), addressees(asked)

    def write(number: str) -> Written:
        return written(kind.template, _sheet(asked, number, to, says.draft), says.facts)

    return _once(connection, folder, asked, write, says.draft)


def _sheet(asked: Asked, number: str, to: tuple[tuple[str, ...], ...], draft: tuple[str, ...]) -> Sheet:
    law, site = asked.folder.law, asked.folder.site
    town = law.jurisdiction.partition(",")[0]
    case = "" if asked.kind.blank else asked.id
    return Sheet(
        number, asked.kind.title, asked.kind.clause, case, town, law.title, site.name, site.permit.number, to, draft
    )


def _once(
    connection: Connection, folder: SiteFolder, asked: Asked, write: Callable[[str], Written], draft: tuple[str, ...]
) -> tuple[Paper, bool]:
    for one in reversed(papers(connection, asked.id)):
        if one.name == asked.kind.id and (one.html, one.text) == _forms(write(one.number)):
            return one, False
    number = _next_number(connection, asked.now, folder)
    page, text = _forms(write(number))
    sha256 = hashlib.sha256(page.encode()).hexdigest()
    new = Paper(number, asked.id, asked.kind.id, asked.now, sha256, page, text, draft)
    body = json.dumps({"html": page, "text": text, "draft": list(draft)}, sort_keys=True, ensure_ascii=False)
    row = {
        "number": number, "case_id": asked.id, "name": asked.kind.id, "composed_at": ms(asked.now), "sha256": sha256,
        "body": body,
    }  # fmt: skip
    ledger.append(connection, schema.paper, row)
    return new, True


def _forms(one: Written) -> tuple[str, str]:
    return one.html, one.text


def _next_number(connection: Connection, now: datetime, folder: SiteFolder) -> str:
    """Year and serial number, as a clerk numbers papers."""
    year = now.astimezone(ZoneInfo(folder.law.zone)).year
    taken = [one.number for one in papers(connection) if one.number.startswith(f"{year}-")]
    return f"{year}-{len(taken) + 1:03d}"


def handed_out(
    connection: Connection, folder: SiteFolder, one: Paper, *, command: str, reader: str, at: datetime
) -> Written:
    """The paper with the names in it, as its addressees get it; each household named is read on record."""
    page, text = one.html, one.text
    homes = folder.households.household
    for property in properties_named(page):
        if any(home.property == property for home in homes):
            household_access.note_read(connection, command, property, reader, f"paper {one.number}, {one.name}", at)
        page = filled(page, homes, property, html.escape)
        text = filled(text, homes, property, str)
    return Written(page, text)


def released(connection: Connection, folder: SiteFolder, one: Paper) -> Event | None:
    """The act that released a paper, if one stands."""
    case = _case(connection, folder, one.case) if "/" in one.case else None
    acts_of_it = [] if case is None else case.events
    return next((act for act in acts_of_it if act.name == PAPER_RELEASED and act.fact("paper") == one.number), None)


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
        raise BadQuestion(f"its case has moved on: {why}", key="NUMBER", found=one.number)
    current, _ = compose(connection, folder, one.case, kind, now)
    if current.number != one.number:
        raise BadQuestion(
            "its case has moved on since it was written; compose it again: headwater report notice "
            f"{one.case} --paper {one.name}", key="NUMBER", found=one.number,
        )  # fmt: skip
