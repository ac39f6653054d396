"""Results a household is told of in a letter, and what of a letter that went out no longer holds."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from models.case import CaseId
from models.finding import Finding
from models.paper_kind import PaperKind
from pipelines import casebook, paper_record
from pipelines.casebook import ms
from pipelines.paper_record import Paper
from pipelines.site_folder import SiteFolder
from reports.papers import result_letter
from reports.papers.result_correction import Corrected

NO_RESULTS = "no attained result of a private well of that property and sampling day"
STILL_HOLDS = "what the letter said still holds"
NONE_RELEASED = "no letter about these results was released"


def attained_results(
    connection: Connection, folder: SiteFolder, case_id: str, known_at: int | None = None
) -> list[Finding]:
    """Results of one property's wells and sampling day that stand as attained under NR 140, each standard once."""
    id = CaseId.parse(case_id)
    wells = {one.id for one in folder.site.wells("private") if one.property == id.subject}
    standing = casebook.standing(connection, known_at)
    found = [one for one in standing if one.station in wells and one.opened_on == id.opened]
    once: dict[tuple[str, ...], Finding] = {}
    private = {rule.id for rule in folder.law.rule if getattr(rule, "wells", "") == "private"}
    for one in sorted(found, key=lambda each: (each.station, each.parameter, each.aspect, each.rule not in private)):
        if one.status == "attained" and not one.information and "kind" in one.facts:
            once.setdefault((one.station, one.parameter, one.aspect), one)
    return list(once.values())


def why_no_results(connection: Connection, folder: SiteFolder, kind: PaperKind, id: str) -> str | None:
    """Why a letter about results, or its correction, is not written; None where it is."""
    if kind.corrects is None:
        return None if attained_results(connection, folder, id) else NO_RESULTS
    if _last_told(connection, folder, kind, id) is None:
        return NONE_RELEASED
    return None if correction(connection, folder, kind, id) else STILL_HOLDS


def correction(connection: Connection, folder: SiteFolder, kind: PaperKind, id: str) -> Corrected | None:
    """What the household was told last and how it stands now; None where nothing was released or all of it holds."""
    last = _last_told(connection, folder, kind, id)
    if last is None:
        return None
    now = result_letter.told(attained_results(connection, folder, id), folder.law)
    by_key = {_key(one): one for one in now}
    rows = [(said, by_key.get(_key(said))) for said in _said(connection, folder, last)]
    changed = tuple((said, stands) for said, stands in rows if said != stands)
    return Corrected(last.number, last.composed_at, changed, tuple(now)) if changed else None


def adds_results(connection: Connection, folder: SiteFolder, kind: PaperKind, id: str) -> bool:
    """Whether a result stands that the paper which went out last did not tell of."""
    last = _last_told(connection, folder, kind, id)
    said = {_key(one) for one in _said(connection, folder, last)} if last else set()
    now = result_letter.told(attained_results(connection, folder, id), folder.law)
    return any(_key(one) not in said for one in now)


def _last_told(connection: Connection, folder: SiteFolder, kind: PaperKind, id: str) -> Paper | None:
    """The letter, or the correction of it, that a person let go last."""
    names = (kind.corrects or kind.id, kind.id)
    return next((one for one, _ in reversed(paper_record.let_go(connection, folder, id, names))), None)


def _said(connection: Connection, folder: SiteFolder, one: Paper) -> list[Mapping[str, str]]:
    """What a paper told; an older one kept no rows: then what stood when it was written."""
    if one.results is not None:
        return list(one.results)
    found = attained_results(connection, folder, one.case, ms(one.composed_at))
    return list(result_letter.told(found, folder.law))


def _key(row: Mapping[str, str]) -> tuple[str, str, str]:
    return row["well"], row["parameter"], row["aspect"]
