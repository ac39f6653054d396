"""Corrections of letters that went out: written by the night once what a letter told no longer holds, never sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from models.case import CaseId
from models.paper_kind import PaperKind
from pipelines import paper_book, paper_record
from pipelines.paper_record import Paper
from pipelines.site_folder import SiteFolder
from pipelines.told_results import adds_results, correction


@dataclass(frozen=True)
class PutRight:
    """A correction as it stands tonight.

    ``of``: the number of the paper it corrects. ``new``: written tonight. ``adds``: the case shows a result that no
    released paper told of, so that a letter of its own is due beside it.
    """

    kind: PaperKind
    paper: Paper
    of: str
    new: bool
    adds: bool

    def says(self) -> str:
        """What the town is told of it."""
        to = f"the {' and the '.join(self.kind.to)} of {CaseId.parse(self.paper.case).subject}"
        return (
            f"Letter {self.of} to {to} was released, and what it told no longer holds. Correction {self.paper.number} "
            f"is written and waits for release: headwater report notice {self.paper.case} --paper {self.kind.id}, then "
            f"headwater report release {self.paper.number} --by OFFICE"
        )


def compose(connection: Connection, folder: SiteFolder, now: datetime) -> dict[str, PutRight]:
    """The corrections that letters on record call for, by the id of their case; the same state is the same paper.

    Parameters
    ----------
    connection : inside a write transaction.
    """
    kinds = [one for one in folder.law.paper if one.corrects]
    return {one.paper.case: one for kind in kinds for one in _of_kind(connection, folder, kind, now)}


def _of_kind(connection: Connection, folder: SiteFolder, kind: PaperKind, now: datetime) -> Iterator[PutRight]:
    letters = [one.case for one in paper_record.papers(connection) if one.name == kind.corrects]
    for id in dict.fromkeys(letters):
        found = correction(connection, folder, kind, id)
        if found is not None and paper_book.why_not_written(connection, folder, id, kind) is None:
            paper, new = paper_book.compose(connection, folder, id, kind, now)
            yield PutRight(kind, paper, found.number, new, adds_results(connection, folder, kind, id))
