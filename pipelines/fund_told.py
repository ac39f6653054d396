"""The fund ledger as people read it: balances, what was asked and provided, exposure, what may be repaid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Connection

from models.case import Case
from models.case_id import CaseId
from models.fund import ZERO, Book, Entry, exposure
from models.money_rules import FundsRule
from models.place import boundary_to_parcel
from models.repayment import SUPPLY
from pipelines import casebook, ledger, schema
from pipelines.fund_cases import ACCOUNT, SUPPLIED, amounts, case_of, funds_rule, repayment
from pipelines.judgement import all_cases
from pipelines.site_folder import SiteFolder


def whole(folder: SiteFolder, connection: Connection, book: Book) -> dict[str, Any]:
    """Everything ``headwater funds`` shows: what `standing` does, what was determined beside it, and the seal."""
    cases = all_cases(casebook.events(connection), folder)
    more = {"assurance": _assurance(funds_rule(folder), cases, book), "seal": ledger.head(connection, schema.fund_line)}
    return standing(folder, book, cases) | more


def standing(folder: SiteFolder, book: Book, cases: Sequence[Case] = ()) -> dict[str, Any]:
    """Balances of every account, and what supply for every household in reach would cost.

    Parameters
    ----------
    cases : every case; in some the town found a property beyond the distance to be impacted.
    """
    accounts = [{"account": name, "balance": str(balance)} for name, balance in book.balances().items()]
    return {"accounts": accounts, "exposure": _exposure(folder, funds_rule(folder), book, cases)}


def _exposure(folder: SiteFolder, rule: FundsRule, book: Book, cases: Sequence[Case]) -> dict[str, Any] | None:
    if rule.within_mi is None:
        return None
    cost, days = folder.policy.interim_supply_cost, folder.policy.interim_supply_days
    supplying = next((one.name for one in rule.fund if SUPPLY in one.uses), "")
    held = book.balances().get(f"{supplying}:held", ZERO)
    near = [
        one.id for one in folder.site.property
        if boundary_to_parcel(folder.site.boundary, one.polygon, rule.within_mi).counts
    ]  # fmt: skip
    beyond = [one for one in shown_impacted(rule, cases) if one not in near]
    found = exposure([*near, *beyond], cost.value, days.value, held)
    return {
        "clause": rule.clause, "within_mi": str(rule.within_mi), "households": list(found.parcels),
        "shown_impacted": beyond, "per_household": str(found.per_household), "total": str(found.total),
        "held": str(found.held), "short": str(found.short), "basis": f"{cost.says()} for {days.says()}",
    }  # fmt: skip


def shown_impacted(rule: FundsRule, cases: Iterable[Case]) -> list[str]:
    """Properties the town found the mine to have damaged, wherever they lie (Howard 2.11(1)(b))."""
    found = [one for one in cases if any(each.name in rule.impacted_by for each in one.events)]
    return list(dict.fromkeys(CaseId.parse(one.id).subject for one in found))


def _assurance(rule: FundsRule, cases: Iterable[Case], book: Book) -> list[dict[str, Any]]:
    """What acts determined and provided beside what the ledger holds of it, by case and fund [dollars]."""
    rows = []
    for case in cases:
        for act, names in rule.rests_on.items():
            acts = [one for one in case.events if one.name in names]
            for fund in [one.name for one in rule.fund]:
                stated = amounts(acts, fund) if acts and _speaks_of(case, fund) else ZERO
                noted = sum((one.amount for one in book.standing(act, case=case.id) if one.fund == fund), ZERO)
                if stated or noted:
                    rows.append(_beside(case, act, fund, str(stated), str(noted)))
    return rows


def _speaks_of(case: Case, fund: str) -> bool:
    """Whether an act of the case names the account, or none names any."""
    named = {one.fact(ACCOUNT) for one in case.events} - {""}
    return not named or fund in named


def _beside(case: Case, act: str, fund: str, stated: str, noted: str) -> dict[str, Any]:
    says = "" if stated == noted else "DIFFERS: record it in the ledger too" if noted == "0.00" else "DIFFERS"
    return {"case": case.id, "act": act, "fund": fund, "in_the_case": stated, "in_the_ledger": noted, "says": says}


def reimbursable_in(id: str, folder: SiteFolder, connection: Connection, book: Book) -> dict[str, Any]:
    """At most what an operator may elect to be repaid in a case, with the days it covers; what is claimed and paid.

    Raises
    ------
    BadQuestion : no such case, or no act in effect says that the operator was not the cause.
    """
    due = repayment(case_of(id, folder, connection), folder, book)
    claimed, paid = (sum((one.amount for one in book.standing(act, case=id)), ZERO) for act in ("reimburse", "repay"))
    elected = due.elected
    return {
        "case": id, "clause": due.step.clause, "at_most": due.at_most, "first_day": due.found.first,
        "last_day": due.found.last, "beyond_the_clause": due.found.left_out, "from": due.approved.name,
        "elected": "" if elected is None else " to ".join(elected.fact(name) for name in SUPPLIED),
        "reimbursed": claimed, "paid_by_owner": paid, "counsel": funds_rule(folder).counsel,
    }  # fmt: skip


def row(entry: Entry) -> dict[str, Any]:
    """One entry as plain data."""
    return {
        "entry": entry.key(), "happened_at": entry.happened_at.isoformat(), "act": entry.act, "fund": entry.fund,
        "use": entry.use, "amount": str(entry.amount), "case": entry.case, "document": entry.document, "by": entry.by,
        "supplied": [one.isoformat() for one in entry.supplied or ()], "reverses": entry.reverses, "note": entry.note,
    }  # fmt: skip
