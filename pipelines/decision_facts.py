"""What the page before a decision of the town rests on, gathered from the store in public words: no household in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Connection

from models.admission import nearness
from models.case import Case, CaseId
from models.case_duties import case_deadlines
from models.errors import BadQuestion
from models.finding import Finding
from models.fund import ZERO, Book, book
from models.money_rules import FundsRule
from models.reconcile import case_of
from pipelines import casebook, fund_book, fund_told
from pipelines.acts import allowed_now, unknown_case
from pipelines.casebook import ms
from pipelines.judgement import all_cases, calendar
from pipelines.site_folder import SiteFolder
from pipelines.version import VERSION
from reports.decision_page import FundShown, Ground, asked, decision_page
from reports.finding_words import substance
from reports.mail import Letterhead

RESULTS_SHOWN = 12
WITHIN = {
    "inside": "The parcel lies within {miles} mile of the mine site ({clause}).",
    "uncertain": "Whether the parcel lies within {miles} mile of the mine site ({clause}) needs a survey.",
    "outside": "The parcel lies beyond {miles} mile of the mine site ({clause}).",
}


def page(connection: Connection, folder: SiteFolder, id: str, now: datetime) -> str:
    """The page of a case as known at an instant.

    Raises
    ------
    BadQuestion : no such case, or nothing in it waits for a determination of the town.
    """
    recorded = [one for one in casebook.events(connection) if one.recorded_at <= now]
    cases = all_cases(recorded, folder)
    case = next((one for one in cases if one.id == id), None)
    if case is None:
        raise unknown_case(id, recorded)
    clocks = case_deadlines(case, folder.law.steps(case.kind.id), calendar(folder), now)
    if case.status == "retracted" or not asked(case, clocks, folder.law):
        raise BadQuestion(_nothing(case), key="CASE", found=id)
    ground = _ground(connection, folder, case, cases, now)
    head = Letterhead(folder.site, folder.law, folder.policy, now, VERSION)
    return decision_page(case, clocks, allowed_now(case, folder, now), ground, head)


def _nothing(case: Case) -> str:
    state = f": {case.state}" if case.state else ""
    return f"nothing in it waits for a determination of the town; the case is {case.status}{state}"


def _ground(
    connection: Connection, folder: SiteFolder, case: Case, cases: Sequence[Case], now: datetime
) -> Ground:  # fmt: skip
    found = casebook.standing(connection, ms(now))
    homes, behind = _of_property(folder, case, found), _behind(case, found)
    told = [*homes, *([behind] if behind else [])]
    money = _book(connection, now)
    funds = list(_funds(folder, case, cases, money))
    return Ground(
        standing=list(_standing(folder, case)), results=[_result(one) for one in _newest(homes)],
        evidence=list(_evidence(behind)), doubts=list(_doubts(folder, case, told, homes)), funds=funds,
        exposure=_exposure(folder, money) if funds else "",
    )  # fmt: skip


def _of_property(folder: SiteFolder, case: Case, found: Sequence[Finding]) -> list[Finding]:
    """Laboratory results of the property's wells. What was measured or modelled at the exact place stays out."""
    subject = CaseId.parse(case.id).subject
    wells = {one.id for one in folder.site.wells("private") if one.property == subject}
    return [one for one in found if one.station in wells and "kind" in one.facts]


def _newest(found: Sequence[Finding]) -> list[Finding]:
    notable = [one for one in found if one.verdict in {"attained", "needs_confirmation"}]
    return sorted(notable, key=lambda one: (one.opened_on, one.station, one.parameter), reverse=True)[:RESULTS_SHOWN]


def _result(one: Finding) -> dict[str, str]:
    return {
        "Sampled": one.opened_on.isoformat(),
        "Substance": substance(one),
        "Measured": one.measured,
        "Limit": f"{one.limit} ({one.facts['kind']})",
        "Verdict": one.verdict.replace("_", " "),
        "Clause": one.clause,
    }


def _behind(case: Case, found: Sequence[Finding]) -> Finding | None:
    """The finding that opened the case."""
    of_kind = [one for one in found if one.opens == case.kind.id]
    return next((one for one in of_kind if case_of(one, case.recorded) == case.id), None)


def _evidence(behind: Finding | None) -> Iterator[str]:
    if behind is None:
        return
    yield f"{behind.clause}, {behind.opened_on}: {behind.measured} against {behind.limit}; {behind.reason}"
    yield from (f"{one.line} ({one.bearing}): {one.says}" for one in behind.evidence)


def _standing(folder: SiteFolder, case: Case) -> Iterator[str]:
    near = nearness(case.kind, CaseId.parse(case.id).subject, folder.site)
    if near is not None:
        yield WITHIN[near.within].format(miles=case.kind.standing_mi, clause=case.kind.standing_clause)


def _doubts(folder: SiteFolder, case: Case, told: Sequence[Finding], homes: Sequence[Finding]) -> Iterator[str]:
    if case.kind.subject == "property" and not homes:
        yield "No laboratory result of the property's wells is on record."
    unsure = [one for one in told if one.verdict in {"indeterminate", "needs_confirmation"}]
    yield from (f"{one.clause}, {one.opened_on}, {substance(one)}: {one.reason}" for one in unsure[:RESULTS_SHOWN])
    if any(one.provisional for one in told):
        yield "Values marked provisional may still change."
    if case.kind.subject == "property":
        yield "What a household logged, and what is computed at its exact place, is not printed here."
    law = folder.law.open_meetings
    if law is not None:
        yield f"The limits of open meetings: {law.citation}, {law.verification}."


def _book(connection: Connection, now: datetime) -> Book:
    known = fund_book.read_book(connection, ms(now))
    return book(one for one in known.entries if one.happened_at <= now)


def _funds(folder: SiteFolder, case: Case, cases: Sequence[Case], money: Book) -> Iterator[FundShown]:
    """The funds that acts of this kind of case draw on."""
    acts, held = {one.name for one in case.kind.event}, money.balances()
    others = [one for one in cases if one.kind.id == case.kind.id and one.status == "open" and one.id != case.id]
    drawn = money.balances(case.id)
    for rule in folder.law.rule:
        for fund in rule.fund if isinstance(rule, FundsRule) else ():
            if set(fund.draw_after) & acts:
                spent = sum((drawn.get(f"{fund.name}:{use}", ZERO) for use in fund.uses), ZERO)
                balance = held.get(f"{fund.name}:held", ZERO)
                moved = any(one.fund == fund.name for one in money.entries)
                yield FundShown(fund.name, fund.title, fund.clause, balance, spent, len(others), moved, fund.draw_after)


def _exposure(folder: SiteFolder, money: Book) -> str:
    """What supply for everybody in reach would cost: a sum, no parcel."""
    found = fund_told.standing(folder, money)["exposure"]
    if found is None:
        return ""
    n = len(found["households"])
    return (
        f"Supply for all {n} households within {found['within_mi']} mile would cost USD {Decimal(found['total']):,} "
        f"({found['basis']}); the fund is USD {Decimal(found['short']):,} short of that."
    )
