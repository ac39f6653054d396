"""What the ordinance lets the town record in its ledger: in which case, after which act, for which days, by whom."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from sqlalchemy import Connection

from models.case import Case
from models.errors import BadQuestion
from models.event import Event
from models.fund import PRIVATE, ZERO, Book, Entry
from models.money_rules import Fund, FundsRule
from models.privacy import private_part
from models.repayment import SUPPLY, Span, net_paid
from models.said import require_said
from pipelines.fund_cases import amounts, case_of, elected_supply, funds_rule, local_day, repayment
from pipelines.site_folder import SiteFolder

LONGEST_SUPPLY = timedelta(days=366)
"""One invoice covers at most a year of supply."""
OWNER = "owner:"


def lawful(entry: Entry, folder: SiteFolder, connection: Connection, book: Book) -> None:
    """Refuse a movement the ordinance does not know, or whose case does not stand where the clause wants it.

    Raises
    ------
    BadQuestion : an unknown fund, use, case or office; a draw before the town's decision or for days it does not
        cover; an amount nobody determined; a repayment beyond the clause.
    """
    _may_be_sealed(entry, folder)
    rule = funds_rule(folder)
    case = case_of(entry.case, folder, connection) if entry.case else None
    _recorded_by(entry, case, folder)
    if entry.act == "reverse":
        _repaid_still_due(entry, case, folder, book)
    elif entry.act in PRIVATE:
        _between_neighbours(entry, case, folder, book)
    else:
        _of_a_fund(entry, case, folder, rule, book)


def _may_be_sealed(entry: Entry, folder: SiteFolder) -> None:
    for key, text in (("--by", entry.by), ("--document", entry.document), ("--note", entry.note)):
        if part := private_part(text, folder.households):
            raise BadQuestion(f"the ledger is sealed for good and holds no household's {part}", key=key)
    require_said(entry.by, "--by")
    require_said(entry.document, "--document")


def _recorded_by(entry: Entry, case: Case | None, folder: SiteFolder) -> None:
    """The town keeps the book; what passes between operator and owner either may report too."""
    offices = [*folder.law.offices, *(one.id for one in folder.site.party if one.role == "town")]
    if entry.act in PRIVATE:
        offices += ["operator", *(one.id for one in folder.site.party if one.role == "operator")]
        offices += [] if case is None else [f"{OWNER}{case.id.split('/')[1]}"]
    if entry.by.casefold() not in {one.casefold() for one in offices}:
        raise BadQuestion(f"{entry.act} is not its to record", key="--by", found=entry.by,
                          allowed=dict.fromkeys(offices))  # fmt: skip


def _of_a_fund(entry: Entry, case: Case | None, folder: SiteFolder, rule: FundsRule, book: Book) -> None:
    fund = rule.fund_of(entry.fund)
    if fund is None:
        raise BadQuestion("no such fund", key="--fund", found=entry.fund, allowed=[one.name for one in rule.fund])
    if entry.act in {"draw", "recover"}:
        _drawn_on(entry, case, fund, folder, book)
    elif entry.act != "post" and entry.act in rule.rests_on:
        _rests_on(entry, case, rule, book)


# What is drawn, and got back -----------------------------------------------------------------------------------------


def _drawn_on(entry: Entry, case: Case | None, fund: Fund, folder: SiteFolder, book: Book) -> None:
    if entry.use not in fund.uses:
        raise BadQuestion(f"the {fund.name} fund is for other uses", key="--use", found=entry.use, allowed=fund.uses)
    if fund.cases and (case is None or case.kind.id not in fund.cases):
        what = "a supply is paid for in a case" if entry.use == SUPPLY else f"{entry.use} are paid for in a case"
        raise BadQuestion(what, key="--case", found=entry.case or None, allowed=[f"{one}/…" for one in fund.cases])
    if entry.use != SUPPLY or case is None:
        return
    if entry.supplied is None:
        raise BadQuestion("say which days of supply are paid for, or got back for", key="--from, --to")
    if entry.act == "draw":
        _supply_in_time(entry, entry.supplied, _decided(entry, case, fund), case, fund, folder)
    else:
        _was_paid(entry, entry.supplied, book)
        _repaid_still_due(entry, case, folder, book)


def _decided(entry: Entry, case: Case, fund: Fund) -> Event | None:
    """The first act by which the fund may be drawn on; None where the clause wants none."""
    before = [one for one in case.events if one.name in fund.draw_after and one.happened_at <= entry.happened_at]
    last = before[-1] if before else None
    if fund.draw_after and (last is None or _says_otherwise(last, fund)):
        said = " that uses the fund" if last else ""
        wanted = f"no {' or '.join(fund.draw_after)}{said} of {case.id} stands before it"
        raise BadQuestion(wanted, key="--at", allowed=fund.draw_after)
    return next((one for one in before if not _says_otherwise(one, fund)), None)


def _says_otherwise(act: Event, fund: Fund) -> bool:
    return any(act.fact(name) not in {"", wanted} for name, wanted in fund.draw_facts.items())


def _supply_in_time(
    entry: Entry, span: Span, decided: Event | None, case: Case, fund: Fund, folder: SiteFolder
) -> None:  # fmt: skip
    """Not before the decision, not past what ends the supply, not further ahead than the town plans for."""
    if span[1] - span[0] >= LONGEST_SUPPLY:
        allowed = [f"at most {LONGEST_SUPPLY.days} days an entry"]
        raise BadQuestion("too long a supply for one invoice", key="--from, --to", found=_said(span), allowed=allowed)
    first = local_day(decided.happened_at, folder) if decided else span[0]
    if span[0] < first:
        why = f"the supply begins before {decided.name if decided else 'it'} of {first}"
        raise BadQuestion(why, key="--from", found=str(span[0]), allowed=[f"{first} or later"])
    ahead = folder.policy.interim_supply_days
    latest = local_day(entry.happened_at, folder) + timedelta(days=int(ahead.value))
    if span[0] > latest:
        why = f"paid further ahead than the town plans for, {ahead.says()}"
        raise BadQuestion(why, key="--from", found=str(span[0]), allowed=[f"{latest} or before"])
    ended = [one for one in case.events if one.name in {*fund.draw_until} & case.in_effect]
    ends = {one.name: local_day(one.happened_at, folder) for one in ended}
    if ends and span[1] > min(ends.values()):
        name, last = min(ends.items(), key=lambda item: item[1])
        why = f"{name} of {last} ended the supply the fund pays for"
        raise BadQuestion(why, key="--to", found=str(span[1]), allowed=[f"{last} or before"])


def _was_paid(entry: Entry, span: Span, book: Book) -> None:
    """Nothing is got back for days that were not paid for."""
    paid = net_paid(book, entry.case, span)
    if entry.amount > paid:
        why = f"more than supply of {_said(span)} cost"
        raise BadQuestion(why, key="--amount", found=str(entry.amount), allowed=[f"at most {paid}"])


def _said(span: Span) -> str:
    return f"{span[0]} to {span[1]}"


# What the town determined --------------------------------------------------------------------------------------------


def _rests_on(entry: Entry, case: Case | None, rule: FundsRule, book: Book) -> None:
    """Asked, met or given back as far as an act of the case determined or provided it; asked exactly so."""
    wanted = next(acts for act, acts in rule.rests_on.items() if act == entry.act)
    if case is None:
        raise BadQuestion(f"{entry.act} rests on {' or '.join(wanted)} of a case", key="--case", allowed=wanted)
    acts = [one for one in case.events if one.name in wanted and one.happened_at <= entry.happened_at]
    stated = amounts(acts, entry.fund)
    done = sum((one.amount for one in book.standing(entry.act, case=case.id) if one.fund == entry.fund), ZERO)
    if not stated:
        why = f"no {' or '.join(wanted)} of {case.id} for the {entry.fund} fund stands before it"
        raise BadQuestion(why, key="--at", allowed=wanted)
    left = max(ZERO, stated - done)
    if entry.amount > left or (entry.act == "request" and entry.amount != left):
        how = "exactly" if entry.act == "request" else "at most"
        why = f"{' and '.join(dict.fromkeys(one.name for one in acts))} of {case.id} say {stated}"
        raise BadQuestion(why, key="--amount", found=str(entry.amount), allowed=[f"{how} {left}"])


# Between operator and owner ------------------------------------------------------------------------------------------


def _between_neighbours(entry: Entry, case: Case | None, folder: SiteFolder, book: Book) -> None:
    if case is None:
        raise BadQuestion("a reimbursement and its payment belong to a case", key="--case")
    if entry.act == "reimburse":
        _repayable(entry, case, folder, book)
    elif not book.standing("reimburse", case=case.id):
        raise BadQuestion(f"the owner owes the operator nothing in {case.id}", key="--case", found=case.id)


def _repayable(entry: Entry, case: Case, folder: SiteFolder, book: Book) -> None:
    """Elected first, of days that were supplied by then, and no more than they cost."""
    rule, on = funds_rule(folder), local_day(entry.happened_at, folder)
    due = repayment(case, folder, book, until=on)
    if rule.elected_by and due.elected is None:
        raise BadQuestion(f"the operator has not elected it in {case.id}", key="--case", allowed=rule.elected_by)
    if entry.happened_at < due.since:
        why = f"before {due.approved.name} and {due.elected.name if due.elected else 'it'}"
        allowed = [f"{due.since.isoformat()} or later"]
        raise BadQuestion(why, key="--at", found=entry.happened_at.isoformat(), allowed=allowed)
    left = max(ZERO, due.at_most - _repaid(book, case.id))
    if entry.amount > left:
        why = f"{rule.repaid_under}: more than the clause lets the operator elect, of days supplied by {on}"
        raise BadQuestion(why, key="--amount", found=str(entry.amount), allowed=[f"at most {left}"])


def _repaid_still_due(entry: Entry, case: Case | None, folder: SiteFolder, book: Book) -> None:
    """What an owner owes is never more than the supply it rests on: it is taken back first."""
    repaid = ZERO if case is None else _repaid(book, case.id)
    undone = book.by_key.get(entry.reverses)
    if case is None or not repaid or (undone is not None and undone.act in PRIVATE):
        return
    due = elected_supply(case, folder, Book((*book.entries, entry))).amount
    if repaid > due:
        why = f"{repaid} were reimbursed in {case.id} and only {due} would be left to rest on"
        key = "--reverses" if entry.act == "reverse" else "--amount"
        raise BadQuestion(why, key=key, allowed=["reverse the reimbursement first"])


def _repaid(book: Book, case: str) -> Decimal:
    return sum((one.amount for one in book.standing("reimburse", case=case)), ZERO)
