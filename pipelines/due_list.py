"""Whose a row of the due list is: a role's, a party's of the site by its id, or the owner's of one property."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from models.case_id import CaseId
from models.errors import BadQuestion
from models.event import Event
from pipelines.judgement import all_cases, calendar
from pipelines.site_folder import SiteFolder

ROLES = ("town", "operator", "owner")
Row = Mapping[str, Any]


def owed_by(who: str | None, folder: SiteFolder, events: Sequence[Event], now: datetime) -> Callable[[Row], bool]:
    """Whether a row of the due list is somebody's; everybody's where nobody is named.

    What an operator owes is owed by whoever holds the permit on its last day, or today where that is to come or no
    time is stated.

    Parameters
    ----------
    who : town, operator, owner; the id of a party of the site; owner:PROPERTY.

    Raises
    ------
    BadQuestion : nobody of this site, with who there is.
    """
    if who is None or who in ROLES:
        return lambda row: who in (None, row["who"])
    parties = {one.id: one.role for one in folder.site.party}
    role, _, parcel = who.partition(":")
    if role == "owner" and parcel in {one.id for one in folder.site.property}:
        return lambda row: row["who"] == "owner" and _subject(row) == parcel
    if who not in parties:
        raise BadQuestion("nobody of this site", key="--who", found=who, allowed=[*ROLES, *parties, "owner:PROPERTY"])
    if parties[who] != "operator":
        return lambda row: row["who"] == parties[who]
    held, today = holders(folder, events), calendar(folder).day(now)
    return lambda row: row["who"] == "operator" and _holder(held, _due(row, today)) == who


def holders(folder: SiteFolder, events: Sequence[Event]) -> list[tuple[date, str]]:
    """Who holds the permit from which day on: as the site file says, and as the transfers on record do."""
    named = [one.name for one in folder.law.fact if one.kind == "operator"]
    acts = [one for case in all_cases(events, folder) for one in case.events]
    passed = [(calendar(folder).day(one.happened_at), one.fact(name)) for one in acts for name in named]
    stated = [(one.since, one.party) for one in folder.site.permit.holders]
    return sorted({*stated, *((day, party) for day, party in passed if party)})


def _holder(held: Sequence[tuple[date, str]], day: date) -> str:
    """The last that held it by then; before anybody did, the first."""
    return next((party for since, party in reversed(held) if since <= day), held[0][1])


def _due(row: Row, today: date) -> date:
    due = row.get("statutory_due")
    return min(date.fromisoformat(due), today) if due else today


def _subject(row: Row) -> str:
    return CaseId.parse(row["case"]).subject if row.get("case") else ""
