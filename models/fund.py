"""A site's money in double entry: what was posted, drawn, repaid, asked for and owed, each fund apart.

Every act is one entry of two lines that sum to zero; amounts are decimal dollars and cents, never a float. A debit is
positive. Nothing is changed: a wrong entry is reversed by another. Balances are derived from the lines.

``FUND:held`` is what the town may draw on, ``FUND:posted`` what the operator put up for it; a draw moves from held to
its use (``FUND:supply``, ``FUND:claims``, ``FUND:repair``). ``FUND:owed`` is an additional amount the town asked for
and has not got. ``private:owner_owes`` stands between operator and owner (a reimbursement the operator elected).
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal

from models.errors import BadQuestion

Act = Literal["post", "release", "draw", "recover", "request", "meet", "reimburse", "reverse"]
CENT = Decimal("0.01")
LARGEST = Decimal("1e9")
ZERO = Decimal("0.00")
_MONEY = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?:\.[0-9]{1,2})?")

# act -> the accounts it debits and credits; {fund} and {use} are filled in.
_ACCOUNTS: Mapping[str, tuple[str, str]] = {
    "post": ("{fund}:held", "{fund}:posted"),
    "release": ("{fund}:posted", "{fund}:held"),
    "draw": ("{fund}:{use}", "{fund}:held"),
    "recover": ("{fund}:held", "{fund}:{use}"),
    "request": ("{fund}:owed", "{fund}:asked"),
    "meet": ("{fund}:asked", "{fund}:owed"),
    "reimburse": ("private:owner_owes", "private:operator_due"),
}


@dataclass(frozen=True)
class Line:
    """One side of an entry. ``amount`` > 0 is a debit."""

    account: str
    amount: Decimal


@dataclass(frozen=True)
class Entry:
    """One movement of money, tied to a document and, where it has one, a case.

    ``supplied`` is the span of days a supply was paid for; a reimbursement of at most a year needs it.
    """

    act: Act
    fund: str
    amount: Decimal
    happened_at: datetime
    by: str
    document: str
    case: str = ""
    use: str = ""
    supplied: tuple[date, date] | None = None
    reverses: str = ""
    note: str = ""

    def key(self) -> str:
        """Identity of the movement: recorded twice it is one."""
        instant = self.happened_at.astimezone(UTC).isoformat()
        span = "/".join(one.isoformat() for one in self.supplied or ())
        parts = (
            self.act, self.fund, str(self.amount), instant, self.by, self.document, self.case, self.use, span,
            self.reverses, self.note,
        )  # fmt: skip
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def dollars(text: str, *, key: str) -> Decimal:
    """An amount of money as a person writes it: ``1200``, ``1,200.50``, ``$85.00``; commas part thousands or nothing.

    Raises
    ------
    BadQuestion : no amount, not positive, over a billion, or finer than a cent.
    """
    plain = text.strip().removeprefix("$")
    if not _MONEY.fullmatch(plain):
        raise BadQuestion("not an amount of money", key=key, found=text, allowed=["1200", "1,200.50"])
    amount = Decimal(plain.replace(",", ""))
    if not 0 < amount <= LARGEST:
        raise BadQuestion("not an amount in dollars and cents", key=key, found=text, allowed=["0.01 to 1e9"])
    return amount.quantize(CENT)


def lines(entry: Entry, known: Mapping[str, Entry]) -> tuple[Line, Line]:
    """Debit and credit of an entry.

    Parameters
    ----------
    known : recorded entries by key; the one a reversal reverses must be among them.

    Raises
    ------
    BadQuestion : a reversal of nothing that is recorded.
    """
    if entry.act == "reverse":
        debit, credit = lines(_reversed(entry, known), known)
        return Line(credit.account, debit.amount), Line(debit.account, credit.amount)
    debited, credited = (one.format(fund=entry.fund, use=entry.use) for one in _ACCOUNTS[entry.act])
    return Line(debited, entry.amount), Line(credited, -entry.amount)


def _reversed(entry: Entry, known: Mapping[str, Entry]) -> Entry:
    if entry.reverses not in known:
        raise BadQuestion("no such entry to reverse", key="--reverses", found=entry.reverses, allowed=sorted(known))
    return known[entry.reverses]


@dataclass(frozen=True)
class Book:
    """All entries of a site, in the order they happened."""

    entries: tuple[Entry, ...]

    @property
    def by_key(self) -> dict[str, Entry]:
        return {entry.key(): entry for entry in self.entries}

    def balances(self, case: str | None = None) -> dict[str, Decimal]:
        """Balance of every account [dollars], of one case or of all; they sum to zero."""
        known = self.by_key
        totals: dict[str, Decimal] = defaultdict(lambda: ZERO)
        for entry in self.entries:
            for line in lines(entry, known) if case in (None, entry.case) else ():
                totals[line.account] += line.amount
        return dict(sorted(totals.items()))

    def lowest(self, account: str) -> tuple[Decimal, datetime | None]:
        """The lowest the account ever stood, and when."""
        known, running, lowest, when = self.by_key, ZERO, ZERO, None
        for entry in sorted(self.entries, key=lambda one: one.happened_at):
            running += sum((one.amount for one in lines(entry, known) if one.account == account), ZERO)
            if running < lowest:
                lowest, when = running, entry.happened_at
        return lowest, when

    def standing(self) -> tuple[Entry, ...]:
        """The entries that were not reversed, reversals left out."""
        undone = {entry.reverses for entry in self.entries if entry.act == "reverse"}
        return tuple(one for one in self.entries if one.act != "reverse" and one.key() not in undone)


def admit(entry: Entry, book: Book) -> Book:
    """The book with one more entry.

    Raises
    ------
    BadQuestion : the fund would be overdrawn, more would be met or reversed than stands.
    """
    if entry.act == "reverse" and entry.reverses not in {one.key() for one in book.standing()}:
        allowed = [one.key() for one in book.standing()]
        raise BadQuestion("no standing entry to reverse", key="--reverses", found=entry.reverses, allowed=allowed)
    after = Book((*book.entries, entry))
    for account in (f"{entry.fund}:held", f"{entry.fund}:owed", f"{entry.fund}:{entry.use}"):
        short, when = after.lowest(account)
        if short < 0:
            said = f"{account} would stand at {short} dollars on {when:%Y-%m-%d}"
            if entry.act == "reverse":
                raise BadQuestion(f"{said}: reverse what was drawn on it first", key="--reverses", found=entry.reverses)
            most = max(ZERO, entry.amount + short)
            allowed = [f"at most {most}; record what was posted, drawn or asked first"]
            raise BadQuestion(said, key="--amount", found=str(entry.amount), allowed=allowed)
    return after


@dataclass(frozen=True)
class Reimbursable:
    """What an operator that was not the cause may elect to be repaid, and how it was counted."""

    amount: Decimal
    first: date | None
    last: date | None
    left_out: Decimal


def reimbursable(book: Book, case: str, years: int) -> Reimbursable:
    """The cost of supply of one case during its first ``years`` years of supply (Howard 2.15(5)).

    A line that runs past the last day counts by its days inside, to the cent. What the fund got back is no cost.
    ``left_out`` is what lies beyond.
    """
    of_case = [one for one in book.standing() if (one.case, one.use) == (case, "supply")]
    paid = [(one.amount, one.supplied) for one in of_case if one.act == "draw"]
    back = sum((one.amount for one in of_case if one.act == "recover"), ZERO)
    spans = [(amount, span) for amount, span in paid if span is not None]
    whole = sum((amount for amount, _ in paid), ZERO)
    if not spans:
        return Reimbursable(ZERO, None, None, whole)
    first = min(span[0] for _, span in spans)
    last = _years_on(first, years)
    inside = sum((_inside(amount, span, last) for amount, span in spans), ZERO)
    return Reimbursable(max(ZERO, inside - back), first, last, whole - inside)


def _years_on(first: date, years: int) -> date:
    """The last day of so many years that begin on a day: 1 March's is the last day of February."""
    try:
        after = first.replace(year=first.year + years)
    except ValueError:  # 29 February
        after = date(first.year + years, 3, 1)
    return date.fromordinal(after.toordinal() - 1)


def _inside(amount: Decimal, span: tuple[date, date], last: date) -> Decimal:
    days = (span[1] - span[0]).days + 1
    within = max(0, (min(span[1], last) - span[0]).days + 1)
    return (amount * within / days).quantize(CENT)


@dataclass(frozen=True)
class Exposure:
    """What water for every household in reach could cost, against what the fund holds [dollars]."""

    parcels: tuple[str, ...]
    per_household: Decimal
    total: Decimal
    held: Decimal

    @property
    def short(self) -> Decimal:
        return max(ZERO, self.total - self.held)


def exposure(parcels: Sequence[str], cost_per_day: Decimal, days: Decimal, held: Decimal) -> Exposure:
    """Households within the ordinance's distance times the cost of supply (Howard 2.11(1)(b)).

    Parameters
    ----------
    cost_per_day : dollars a household and day, a policy of the town.
    days : how many days of supply the town plans for, a policy of the town.
    """
    each = (cost_per_day * days).quantize(CENT)
    return Exposure(tuple(parcels), each, each * len(parcels), held)


def book(entries: Iterable[Entry]) -> Book:
    """Entries as one book, in dated order, so that the order of recording never matters."""
    return Book(tuple(sorted(entries, key=lambda one: (one.happened_at, one.key()))))
