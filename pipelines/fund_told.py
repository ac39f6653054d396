"""The fund ledger under the ordinance: standing, exposure, what may be drawn or repaid, days of a forfeiture."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.case import Case
from models.checks.lateness import DATED_DUTY
from models.clock import Deadline
from models.counting import Calendar
from models.duty_standing import Duty
from models.errors import BadQuestion
from models.finding import Finding
from models.fund import ZERO, Book, Entry, exposure, reimbursable
from models.money_rules import ExposureRule, FundsRule
from models.place import boundary_to_parcel
from models.rules import Step
from pipelines import casebook
from pipelines.duty_rows import site_duties
from pipelines.judgement import all_cases, all_deadlines, calendar
from pipelines.site_folder import SiteFolder

TOWN = "town"
"""What the town itself owes is no forfeiture of anybody."""


def funds_rule(folder: SiteFolder) -> FundsRule:
    """The clause about assurance.

    Raises
    ------
    BadQuestion : the ordinance has none.
    """
    found = [rule for rule in folder.law.rule if isinstance(rule, FundsRule)]
    if not found:
        raise BadQuestion("this ordinance asks for no financial assurance", key="ordinance", found=folder.law.id)
    return found[0]


def standing(folder: SiteFolder, book: Book) -> dict[str, Any]:
    """Balances of every account, and what supply for every household in reach would cost."""
    accounts = [{"account": name, "balance": str(balance)} for name, balance in book.balances().items()]
    return {"accounts": accounts, "exposure": _exposure(folder, funds_rule(folder), book)}


def _exposure(folder: SiteFolder, rule: FundsRule, book: Book) -> dict[str, Any] | None:
    if rule.within_mi is None:
        return None
    cost, days = folder.policy.interim_supply_cost, folder.policy.interim_supply_days
    supplying = next((one.name for one in rule.fund if "supply" in one.uses), "")
    held = book.balances().get(f"{supplying}:held", ZERO)
    near = [
        one.id for one in folder.site.property
        if boundary_to_parcel(folder.site.boundary, one.polygon, rule.within_mi).counts
    ]  # fmt: skip
    found = exposure(near, cost.value, days.value, held)
    return {
        "clause": rule.clause, "within_mi": str(rule.within_mi), "households": list(found.parcels),
        "per_household": str(found.per_household), "total": str(found.total), "held": str(found.held),
        "short": str(found.short), "basis": f"{cost.says()} for {days.says()}",
    }  # fmt: skip


def lawful(entry: Entry, folder: SiteFolder, connection: Connection, book: Book) -> None:
    """Refuse a movement the ordinance does not know, or whose case does not stand where the clause wants it.

    Raises
    ------
    BadQuestion : an unknown fund, use or case; a draw before the town's decision; a repayment beyond the clause.
    """
    rule = funds_rule(folder)
    case = _case(entry.case, folder, connection) if entry.case else None
    if entry.act == "reverse":
        return
    if entry.act == "reimburse":
        _repayable(entry, rule, folder, connection, book)
        return
    fund = rule.fund_of(entry.fund)
    if fund is None:
        raise BadQuestion("no such fund", key="--fund", found=entry.fund, allowed=[one.name for one in rule.fund])
    if entry.act in {"draw", "recover"} and entry.use not in fund.uses:
        raise BadQuestion(f"the {fund.name} fund is for other uses", key="--use", found=entry.use, allowed=fund.uses)
    if entry.act == "draw" and entry.use == "supply":
        _decided(entry, case, fund.draw_after)


def _case(id: str, folder: SiteFolder, connection: Connection) -> Case:
    found = all_cases(casebook.events(connection), folder)
    case = next((one for one in found if one.id == id), None)
    if case is None:
        raise BadQuestion("no such case", key="--case", found=id, allowed=[one.id for one in found] or ["none yet"])
    return case


def _decided(entry: Entry, case: Case | None, after: tuple[str, ...]) -> None:
    if case is None:
        raise BadQuestion("a supply is paid for in a case", key="--case")
    if entry.supplied is None:
        raise BadQuestion("say which days of supply are paid for", key="--from, --to")
    acts = [one for one in case.events if one.name in after and one.happened_at <= entry.happened_at]
    if after and not acts:
        raise BadQuestion(f"no {' or '.join(after)} of {case.id} stands before it", key="--at", allowed=after)


def _repayable(entry: Entry, rule: FundsRule, folder: SiteFolder, connection: Connection, book: Book) -> None:
    data = reimbursable_in(entry.case, folder, connection, book)
    repaid = sum((one.amount for one in book.standing() if (one.act, one.case) == ("reimburse", entry.case)), ZERO)
    if repaid + entry.amount > data["at_most"]:
        raise BadQuestion(
            f"{rule.repaid_under}: more than the clause lets the operator elect", key="--amount",
            found=str(entry.amount), allowed=[f"at most {data['at_most'] - repaid}"],
        )  # fmt: skip


def reimbursable_in(id: str, folder: SiteFolder, connection: Connection, book: Book) -> dict[str, Any]:
    """At most what an operator may elect to be repaid in a case, with the days it covers.

    Raises
    ------
    BadQuestion : no such case, or no act says that the operator was not the cause.
    """
    rule, case = funds_rule(folder), _case(id, folder, connection)
    acts = [one for one in case.events if one.name in rule.repaid_after]
    step = folder.law.rule_of(rule.repaid_under) if rule.repaid_under else None
    if not acts or not isinstance(step, Step) or step.reimburse_years is None:
        wanted = ", ".join(rule.repaid_after) or "nothing: the ordinance repays nobody"
        raise BadQuestion(f"no act of {id} says the operator was not the cause", key="--case", allowed=[wanted])
    found = reimbursable(book, id, step.reimburse_years)
    return {
        "case": id, "clause": step.clause, "at_most": found.amount, "first_day": found.first, "last_day": found.last,
        "beyond_the_clause": found.left_out, "from": acts[0].name, "counsel": rule.counsel,
    }  # fmt: skip


def forfeiture(folder: SiteFolder, connection: Connection, now: datetime) -> dict[str, Any]:
    """Days a dated duty was overdue and, apart from them, days a condition was observed; no amount is owed.

    Raises
    ------
    BadQuestion : the ordinance states no forfeiture.
    """
    rule = next((one for one in folder.law.rule if isinstance(one, ExposureRule)), None)
    if rule is None:
        raise BadQuestion("this ordinance states no forfeiture by the day", key="ordinance", found=folder.law.id)
    events = casebook.events(connection)
    done = [one for one in all_deadlines(events, folder, now, status="closed") if one.standing == "done_late"]
    late = _overdue([*all_deadlines(events, folder, now), *done], now, ZoneInfo(folder.law.zone))
    late += _late_duties(site_duties(folder, events, now), calendar(folder), now)
    seen = _observed(casebook.standing(connection))
    rows = [_counted(one, rule) for one in (*late, *seen)]
    says = f"{rule.clause}: {rule.text} Only on {rule.only_on}. {rule.besides} {rule.follows}"
    return {"clause": rule.clause, "rows": rows, "says": says}


def _counted(row: tuple[str, str, int], rule: ExposureRule) -> dict[str, Any]:
    what, about, days = row
    least, most = rule.between(days)
    return {"what": what, "about": about, "days": days, "least_usd": str(least), "most_usd": str(most)}


def _overdue(deadlines: Iterable[Deadline], now: datetime, zone: ZoneInfo) -> list[tuple[str, str, int]]:
    found = []
    for one in deadlines:
        owed = one.nature == "deadline" and one.who != TOWN
        if owed and one.statutory is not None and one.standing in {"overdue", "done_late"}:
            first, last = (when.astimezone(zone).date() for when in (one.statutory, one.done_at or now))
            found.append(("duty overdue", f"{one.case} {one.clause} {one.title}", (last - first).days + 1))
    return found


def _late_duties(duties: Iterable[Duty], calendar: Calendar, now: datetime) -> list[tuple[str, str, int]]:
    """The same of dated duties that the register does not show done in time; information counts for nothing."""
    on = calendar.day(now)
    return [
        ("duty overdue", f"{one.case} {one.rule.clause} {one.title}", days)
        for one in duties
        if one.rule.who != TOWN and not one.rule.information and (days := one.days_late(calendar, on)) > 0
    ]


def _observed(findings: Iterable[Finding]) -> list[tuple[str, str, int]]:
    return [
        ("condition observed", f"{one.station} {one.clause} {one.parameter}", _days_measured(one))
        for one in findings
        if one.verdict == "attained" and not one.information and one.parameter != DATED_DUTY
    ]


def _days_measured(finding: Finding) -> int:
    """Days with a measurement that shows the condition: those of a spell, or the one of a sample or reading."""
    return max(1, len(finding.facts.get("days", {})))


def row(entry: Entry) -> dict[str, Any]:
    """One entry as plain data."""
    return {
        "entry": entry.key(), "happened_at": entry.happened_at.isoformat(), "act": entry.act, "fund": entry.fund,
        "use": entry.use, "amount": str(entry.amount), "case": entry.case, "document": entry.document, "by": entry.by,
        "supplied": [one.isoformat() for one in entry.supplied or ()], "reverses": entry.reverses, "note": entry.note,
    }  # fmt: skip
