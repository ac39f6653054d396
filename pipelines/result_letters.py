"""The letters a night writes to a household at once: stored, never sent; the town is told that they wait."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import Connection

from models.case import CaseId
from models.finding import Change, Finding, Transition
from models.paper_kind import PaperKind
from pipelines import letter_corrections, paper_book, paper_record
from pipelines.letter_corrections import PutRight
from pipelines.paper_record import Paper
from pipelines.site_folder import SiteFolder

WRITTEN_FOR: frozenset[Change] = frozenset({"opened", "amended", "confirmed"})


@dataclass(frozen=True)
class Letter:
    """What the town is told of a letter, and the findings it is about. ``number``: "" where none could be written."""

    about: frozenset[str]
    says: str
    number: str = ""


def compose(
    connection: Connection, folder: SiteFolder, changes: Sequence[Transition], now: datetime, *, first: bool
) -> list[Letter]:
    """Write the letters that tonight's results call for at once, and say what became of earlier ones.

    Parameters
    ----------
    connection : the night's transaction.
    changes : tonight's transitions.
    first : a first load: of each property the last sampling day only.
    """
    kinds = [one for one in folder.law.paper if one.at_once]
    right = letter_corrections.compose(connection, folder, now)
    found = [one for kind in kinds for one in _of_kind(connection, folder, kind, changes, right, now, first=first)]
    found += [Letter(_about(folder, id, changes), one.says(), one.paper.number) for id, one in right.items() if one.new]
    about: dict[tuple[str, str], frozenset[str]] = {}
    for one in found:
        about[one.says, one.number] = about.get((one.says, one.number), frozenset()) | one.about
    return [Letter(keys, says, number) for (says, number), keys in about.items()]


def lines(letters: Iterable[Letter], changes: Iterable[Transition]) -> list[str]:
    """What a mail about these changes says of their letters."""
    keys = {one.finding.key for one in changes}
    return list(dict.fromkeys(one.says for one in letters if one.about & keys))


def _of_kind(
    connection: Connection, folder: SiteFolder, kind: PaperKind, changes: Sequence[Transition],
    right: Mapping[str, PutRight], now: datetime, *, first: bool,
) -> Iterator[Letter]:  # fmt: skip
    homes = {one.id: one.property for one in folder.site.wells("private")}
    of_it = [one for one in changes if one.finding.station in homes and one.finding.parameter in kind.at_once]
    reached = [one.finding for one in of_it if one.change in WRITTEN_FOR and _reached(one.finding)]
    for one in reached:
        if homes[one.station] is None:
            says = f"No letter about {one.station}: site.toml names no property for that well. Tell the household."
            yield Letter(frozenset({one.key}), says)
    for id, about in _by_case(kind, homes, reached, first=first).items():
        if id not in right or right[id].adds:
            yield from _written(connection, folder, kind, id, about, now)
    if not any(one.corrects == kind.id for one in folder.law.paper):
        yield from _to_be_told(connection, folder, kind, homes, of_it)


def _about(folder: SiteFolder, id: str, changes: Sequence[Transition]) -> frozenset[str]:
    """The findings of tonight's changes that a case about results is about."""
    case = CaseId.parse(id)
    wells = {one.id for one in folder.site.wells("private") if one.property == case.subject}
    found = [one.finding for one in changes if one.finding.station in wells]
    return frozenset(one.key for one in found if one.opened_on == case.opened)


def _reached(finding: Finding) -> bool:
    return finding.status == "attained" and not finding.information


def _by_case(
    kind: PaperKind, homes: dict[str, str | None], reached: Sequence[Finding], *, first: bool
) -> dict[str, frozenset[str]]:
    """The findings of each property and sampling day, by the id of their case."""
    placed = [(home, one) for one in reached if (home := homes[one.station]) is not None]
    last: dict[str, date] = {}
    for home, one in placed:
        last[home] = max(one.opened_on, last.get(home, one.opened_on))
    found: dict[str, frozenset[str]] = {}
    for home, one in placed:
        if not first or one.opened_on == last[home]:
            id = _case(kind, home, one)
            found[id] = found.get(id, frozenset()) | {one.key}
    return found


def _case(kind: PaperKind, home: str, finding: Finding) -> str:
    return str(CaseId(kind.case, home, finding.opened_on))


def _written(
    connection: Connection, folder: SiteFolder, kind: PaperKind, id: str, about: frozenset[str], now: datetime
) -> Iterator[Letter]:
    if (why := paper_book.why_not_written(connection, folder, id, kind)) is not None:
        yield Letter(about, f"No letter in {id}: {why}.")
        return
    one, _ = paper_book.compose(connection, folder, id, kind, now)
    if paper_record.released(connection, folder, one) is None:
        yield Letter(about, f"{_named(kind, one)} is written and waits for release: {_how(one)}", one.number)


def _named(kind: PaperKind, one: Paper) -> str:
    return f"Letter {one.number} to the {' and the '.join(kind.to)} of {CaseId.parse(one.case).subject}"


def _how(one: Paper) -> str:
    return f"headwater report notice {one.case}, then headwater report release {one.number} --by OFFICE"


def _to_be_told(
    connection: Connection, folder: SiteFolder, kind: PaperKind, homes: Mapping[str, str | None],
    changes: Sequence[Transition],
) -> Iterator[Letter]:  # fmt: skip
    """Where the ordinance knows no correction: a household that was told of what is withdrawn must be told that too."""
    for change in changes:
        if change.change == "retracted" and (home := homes[change.finding.station]) is not None:
            yield from _withdrawn(connection, folder, kind, home, change.finding)


def _withdrawn(
    connection: Connection, folder: SiteFolder, kind: PaperKind, home: str, finding: Finding
) -> Iterator[Letter]:
    for one in paper_record.papers(connection, _case(kind, home, finding)):
        if one.name == kind.id and paper_record.released(connection, folder, one) is not None:
            says = f"{_named(kind, one)} told of this result and was released. Tell them that it is withdrawn."
            yield Letter(frozenset({finding.key}), says, one.number)
