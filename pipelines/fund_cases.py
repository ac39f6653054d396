"""What of a case the ledger rests on: the town's decisions, what the operator elected, what was determined."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.case import Case
from models.errors import BadQuestion
from models.event import Event
from models.fund import ZERO, Book
from models.money_rules import FundsRule
from models.repayment import Reimbursable, Span, reimbursable
from models.rules import Step
from pipelines import casebook
from pipelines.judgement import all_cases
from pipelines.site_folder import SiteFolder

SUPPLIED = ("supplied_from", "supplied_to")
"""Facts of an election: the first and last day of the supply to be repaid."""
AMOUNT, ACCOUNT = "amount_usd", "account"


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


def case_of(id: str, folder: SiteFolder, connection: Connection) -> Case:
    """The case of this id.

    Raises
    ------
    BadQuestion : none is on record.
    """
    found = all_cases(casebook.events(connection), folder)
    case = next((one for one in found if one.id == id), None)
    if case is None:
        raise BadQuestion("no such case", key="--case", found=id, allowed=[one.id for one in found] or ["none yet"])
    return case


def local_day(when: datetime, folder: SiteFolder) -> date:
    """The civil day of an instant in the ordinance's zone."""
    return when.astimezone(ZoneInfo(folder.law.zone)).date()


def amounts(acts: list[Event], fund: str) -> Decimal:
    """What acts of a case state for a fund, one that names no account counted [dollars]."""
    said = [one for one in acts if one.fact(AMOUNT) and one.fact(ACCOUNT) in {"", fund}]
    return sum((Decimal(one.fact(AMOUNT)) for one in said), ZERO)


@dataclass(frozen=True)
class Repayment:
    """What the operator of a case may be repaid as its acts stand: after which approval and which election, how much.

    ``at_most``: what is elected, as far as the clause reaches; before an election all that may be elected.
    """

    step: Step
    approved: Event
    elected: Event | None
    found: Reimbursable
    at_most: Decimal

    @property
    def since(self) -> datetime:
        """From when on it may be claimed."""
        return max(one.happened_at for one in (self.approved, self.elected) if one is not None)


def repayment(case: Case, folder: SiteFolder, book: Book, *, until: date = date.max) -> Repayment:
    """What may be repaid in a case (Howard 2.15(5)): supply of the first year, of the days elected, up to a day.

    Raises
    ------
    BadQuestion : no act in effect says that the operator was not the cause, or the case knows no repayment.
    """
    rule, step = funds_rule(folder), repaying_step(folder)
    if never := [one.name for one in case.events if one.name in rule.repaid_not_after]:
        why = f"no repayment in a case with {never[0]}: {rule.repaid_under} is not part of it"
        raise BadQuestion(why, key="--case")
    approved = _last(case, {*rule.repaid_after} & case.in_effect)
    if approved is None or step is None:
        wanted = ", ".join(rule.repaid_after) or "nothing: the ordinance repays nobody"
        why = f"no act of {case.id} in effect says the operator was not the cause"
        raise BadQuestion(why, key="--case", allowed=[wanted])
    elected, found = _last(case, {*rule.elected_by}), elected_supply(case, folder, book, until=until)
    stated = amounts([elected], "") if elected is not None and elected.fact(AMOUNT) else found.amount
    return Repayment(step, approved, elected, found, min(stated, found.amount))


def elected_supply(case: Case, folder: SiteFolder, book: Book, *, until: date = date.max) -> Reimbursable:
    """The supply a repayment rests on, whether it is due or not: of the first year, elected, supplied by a day."""
    step = repaying_step(folder)
    years = step.reimburse_years if step is not None and step.reimburse_years else 1
    return reimbursable(book, case.id, years, _counted(_last(case, {*funds_rule(folder).elected_by}), until))


def repaying_step(folder: SiteFolder) -> Step | None:
    """The step under which supply is repaid; None where the ordinance repays nobody."""
    rule = funds_rule(folder)
    step = folder.law.rule_of(rule.repaid_under) if rule.repaid_under else None
    return step if isinstance(step, Step) and step.reimburse_years is not None else None


def _last(case: Case, names: set[str]) -> Event | None:
    return next((one for one in reversed(case.events) if one.name in names), None)


def _counted(elected: Event | None, until: date) -> Span:
    """The days that may count: those elected, and those that were supplied by a day."""
    first, last = (date.fromisoformat(elected.fact(name)) for name in SUPPLIED) if elected else (date.min, date.max)
    return first, min(last, until)
