"""Papers that are written and that nobody has let go: the digest reminds the town of them until it is done."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from models.paper_kind import PaperKind
from pipelines import paper_book, paper_record
from pipelines.paper_record import Paper
from pipelines.site_folder import SiteFolder


def lines(connection: Connection, folder: SiteFolder) -> list[str]:
    """A line for each paper that waits, oldest first; one whose case has moved on waits for nothing."""
    return [_line(one, kind) for one, kind in _waiting(connection, folder)]


def _waiting(connection: Connection, folder: SiteFolder) -> Iterator[tuple[Paper, PaperKind]]:
    for one in sorted(paper_record.newest(paper_record.papers(connection)), key=lambda each: each.number):
        kind = folder.law.paper_of(one.name)
        if kind is None or kind.blank or paper_record.released(connection, folder, one) is not None:
            continue
        if paper_book.why_not_written(connection, folder, one.case, kind) is None:
            yield one, kind


def _line(one: Paper, kind: PaperKind) -> str:
    what = f"{one.number}, {kind.title}, to the {' and the '.join(kind.to)}, case {one.case}"
    if one.draft:
        return f"{what}: DRAFT, {'; '.join(one.draft)}"
    return f"{what}: headwater report release {one.number} --by OFFICE"
