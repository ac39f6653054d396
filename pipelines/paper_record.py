"""The papers on record as they were written, and which of them a person let go."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from models.case import Case, Event
from models.errors import BadQuestion
from models.paper_kind import PAPER_RELEASED
from pipelines import casebook, schema
from pipelines.casebook import instant
from pipelines.judgement import all_cases
from pipelines.site_folder import SiteFolder


@dataclass(frozen=True)
class Paper:
    """A paper as it was written. A household stands in it as slots; ``sha256`` is of ``html`` as stored, in UTF-8.

    ``results``: what a letter about results told, one row each; None of any other paper, and of an older letter.
    """

    number: str
    case: str
    name: str
    composed_at: datetime
    sha256: str
    html: str
    text: str
    draft: tuple[str, ...]
    results: tuple[Mapping[str, str], ...] | None = None

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
    results = body.get("results")
    return Paper(
        row["number"], row["case_id"], row["name"], instant(row["composed_at"]), row["sha256"],
        body["html"], body["text"], tuple(body["draft"]), None if results is None else tuple(results),
    )  # fmt: skip


def body_of(one: Paper) -> str:
    """What of a paper is sealed beside its number, case and time; without results it is what it always was."""
    results = {} if one.results is None else {"results": list(one.results)}
    plain = {"html": one.html, "text": one.text, "draft": list(one.draft), **results}
    return json.dumps(plain, sort_keys=True, ensure_ascii=False)


def case_of(connection: Connection, folder: SiteFolder, id: str) -> Case | None:
    """The case of this id as its acts say it stands, if it has begun."""
    return next((one for one in all_cases(casebook.events(connection), folder) if one.id == id), None)


def released(connection: Connection, folder: SiteFolder, one: Paper) -> Event | None:
    """The act that released a paper, if one stands."""
    case = case_of(connection, folder, one.case) if "/" in one.case else None
    return _release_in(case, one)


def _release_in(case: Case | None, one: Paper) -> Event | None:
    events = () if case is None else case.events
    return next((act for act in events if act.name == PAPER_RELEASED and act.fact("paper") == one.number), None)


def let_go(connection: Connection, folder: SiteFolder, id: str, names: Sequence[str]) -> list[tuple[Paper, Event]]:
    """The papers of these names of one case that a person let go, in the order of their release."""
    case = case_of(connection, folder, id)
    of_it = [one for one in papers(connection, id) if one.name in names]
    found = [(one, act) for one in of_it if (act := _release_in(case, one)) is not None]
    return sorted(found, key=lambda each: (each[1].happened_at, each[0].number))


def newest(found: Sequence[Paper]) -> list[Paper]:
    """Of each case and name the paper written last."""
    return list({(one.case, one.name): one for one in found}.values())
