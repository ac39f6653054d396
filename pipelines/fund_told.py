"""The fund ledger under the ordinance: standing, exposure, what may be drawn or repaid."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from models.case import Case
from models.errors import BadQuestion
from models.event import Event
from models.fund import ZERO, Book, Entry, exposure, reimbursable
from models.money_rules import Fund, FundsRule
from models.place import boundary_to_parcel
from models.privacy import private_part
from models.rules import Step
from pipelines import casebook
from pipelines.judgement import all_cases
from pipelines.site_folder import SiteFolder


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
    for key, text in (("--by", entry.by), ("--document", entry.document), ("--note", entry.note)):
        if part := private_part(text, folder.households):
            raise BadQuestion(f"the ledger is sealed for good and holds no household's {part}", key=key)
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
        _decided(entry, case, fund)


def _case(id: str, folder: SiteFolder, connection: Connection) -> Case:
    found = all_cases(casebook.events(connection), folder)
    case = next((one for one in found if one.id == id), None)
    if case is None:
        raise BadQuestion("no such case", key="--case", found=id, allowed=[one.id for one in found] or ["none yet"])
    return case


def _decided(entry: Entry, case: Case | None, fund: Fund) -> None:
    if case is None:
        raise BadQuestion("a supply is paid for in a case", key="--case")
    if entry.supplied is None:
        raise BadQuestion("say which days of supply are paid for", key="--from, --to")
    before = [one for one in case.events if one.name in fund.draw_after and one.happened_at <= entry.happened_at]
    last = before[-1] if before else None
    if fund.draw_after and (last is None or _says_otherwise(last, fund)):
        said = " that uses the fund" if last else ""
        wanted = f"no {' or '.join(fund.draw_after)}{said} of {case.id} stands before it"
        raise BadQuestion(wanted, key="--at", allowed=fund.draw_after)


def _says_otherwise(act: Event, fund: Fund) -> bool:
    return any(act.fact(name) not in {"", wanted} for name, wanted in fund.draw_facts.items())


def _repayable(entry: Entry, rule: FundsRule, folder: SiteFolder, connection: Connection, book: Book) -> None:
    data = reimbursable_in(entry.case, folder, connection, book)
    elected = [one for one in _case(entry.case, folder, connection).events if one.name in rule.elected_by]
    if rule.elected_by and not elected:
        raise BadQuestion(f"the operator has not elected it in {entry.case}", key="--case", allowed=rule.elected_by)
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
    never = [one.name for one in case.events if one.name in rule.repaid_not_after]
    if never:
        raise BadQuestion(
            f"no repayment in a case with {never[0]}: {rule.repaid_under} is not part of it", key="--case"
        )
    if not acts or not isinstance(step, Step) or step.reimburse_years is None:
        wanted = ", ".join(rule.repaid_after) or "nothing: the ordinance repays nobody"
        raise BadQuestion(f"no act of {id} says the operator was not the cause", key="--case", allowed=[wanted])
    found = reimbursable(book, id, step.reimburse_years)
    return {
        "case": id, "clause": step.clause, "at_most": found.amount, "first_day": found.first, "last_day": found.last,
        "beyond_the_clause": found.left_out, "from": acts[0].name, "counsel": rule.counsel,
    }  # fmt: skip


def row(entry: Entry) -> dict[str, Any]:
    """One entry as plain data."""
    return {
        "entry": entry.key(), "happened_at": entry.happened_at.isoformat(), "act": entry.act, "fund": entry.fund,
        "use": entry.use, "amount": str(entry.amount), "case": entry.case, "document": entry.document, "by": entry.by,
        "supplied": [one.isoformat() for one in entry.supplied or ()], "reverses": entry.reverses, "note": entry.note,
    }  # fmt: skip
