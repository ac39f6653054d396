"""A site's money in double entry: what was posted, drawn, repaid, asked for and owed, each fund apart.

Every act is one entry of two lines that sum to zero; amounts are decimal dollars and cents, never a float. A debit is
positive. Nothing is changed: a wrong entry is reversed by another. Balances are derived from the lines.

``FUND:held`` is what the town may draw on, ``FUND:posted`` what the operator put up for it; a draw moves from held to
its use (``FUND:supply``, ``FUND:claims``, ``FUND:repair``). ``FUND:owed`` is an additional amount the town asked for
and has not got. ``private:owner_owes`` stands between operator and owner: what the operator elected to be reimbursed
(``reimburse``) and the owner has not paid (``repay``). No public money moves by these two.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal

from models.errors import BadQuestion
from models.written_number import within, written_number

Act = Literal["post", "release", "draw", "recover", "request", "meet", "reimburse", "repay", "reverse"]
PRIVATE: frozenset[Act] = frozenset({"reimburse", "repay"})
"""Between operator and owner: they move no fund."""
CENT = Decimal("0.01")
LARGEST = Decimal("1000000000")
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
    "repay": ("private:operator_due", "private:owner_owes"),
}


@dataclass(frozen=True)
class Line:
    """One side of an entry. ``amount`` > 0 is a debit."""

    account: str
    amount: Decimal


@dataclass(frozen=True)
class Entry:
    """One movement of money, tied to a document and, where it has one, a case.

    ``supplied`` is the span of days a supply was paid for, or its price got back; a reimbursement of at most a year
    needs it. ``again``: how often the same movement had been recorded and reversed before.
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
    again: int = 0

    def key(self) -> str:
        """Identity of the movement: recorded twice it is one."""
        instant = self.happened_at.astimezone(UTC).isoformat()
        span = "/".join(one.isoformat() for one in self.supplied or ())
        parts = (
            self.act, self.fund, str(self.amount), instant, self.by, self.document, self.case, self.use, span,
            self.reverses, self.note, *([str(self.again)] if self.again else []),
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
    amount = written_number(plain.replace(",", ""), key=key, what="an amount of money")
    return within(amount, CENT, LARGEST, key=key, what="an amount in dollars and cents", unit="dollars").quantize(CENT)


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

    def lowest(self, account: str, case: str | None = None) -> tuple[Decimal, datetime | None]:
        """The lowest the account ever stood at the end of an instant, of one case or of all, and when.

        What bears one and the same time is netted: a clerk who writes only the day does not say which came first.
        """
        known, moved = self.by_key, defaultdict[datetime, Decimal](lambda: ZERO)
        for entry in self.entries if case is None else (one for one in self.entries if one.case == case):
            moved[entry.happened_at] += sum((one.amount for one in lines(entry, known) if one.account == account), ZERO)
        running, lowest, when = ZERO, ZERO, None
        for instant in sorted(moved):
            running += moved[instant]
            if running < lowest:
                lowest, when = running, instant
        return lowest, when

    @property
    def undone(self) -> frozenset[str]:
        """Keys of the entries that were reversed."""
        return frozenset(entry.reverses for entry in self.entries if entry.act == "reverse")

    def standing(self, *acts: Act, case: str | None = None) -> tuple[Entry, ...]:
        """The entries that were not reversed, reversals left out; of these acts and this case, or of all."""
        undone = self.undone
        return tuple(
            one
            for one in self.entries
            if one.act != "reverse" and one.key() not in undone
            and (not acts or one.act in acts) and case in (None, one.case)
        )  # fmt: skip


def in_turn(entry: Entry, book: Book) -> Entry:
    """The entry as it is to be recorded: itself while it stands, a further one where the same was reversed.

    Killed and run again it is the same entry; reversed and recorded again it is one more movement.
    """
    undone = book.undone
    while entry.key() in undone:
        entry = replace(entry, again=entry.again + 1)
    return entry


def same_paper(entry: Entry, book: Book) -> Entry | None:
    """The standing entry that accounts for the same movement on the same document, by whomever it was recorded."""
    alike = [one for one in book.standing(entry.act, case=entry.case) if _movement(one) == _movement(entry)]
    return next((one for one in alike if _overlap(one, entry)), None)


def _movement(entry: Entry) -> tuple[str, ...]:
    return entry.fund, entry.use, " ".join(entry.document.casefold().split())


def _overlap(one: Entry, other: Entry) -> bool:
    """Whether both speak of some same day; where they speak of no days, of the same amount."""
    if one.supplied is None or other.supplied is None:
        return one.amount == other.amount
    return one.supplied[0] <= other.supplied[1] and other.supplied[0] <= one.supplied[1]


def admit(entry: Entry, book: Book) -> Book:
    """The book with one more entry.

    Raises
    ------
    BadQuestion : the fund would be overdrawn; more would be met, got back, repaid or reversed than stands in its case.
    """
    if entry.act == "reverse":
        _reversible(entry, book)
    elif other := same_paper(entry, book):
        said = f"{entry.document!r} shows this movement already, recorded by {other.by} ({other.key()})"
        allowed = ["a document of its own for another movement", f"reverse {other.key()} first"]
        raise BadQuestion(said, key="--document", allowed=allowed)
    after = Book((*book.entries, entry))
    _not_overdrawn(entry, after, f"{entry.fund}:held", None)
    for account in (f"{entry.fund}:owed", f"{entry.fund}:{entry.use}", "private:owner_owes"):
        _not_overdrawn(entry, after, account, entry.case)
    return after


def _reversible(entry: Entry, book: Book) -> None:
    stands = {one.key(): one for one in book.standing()}
    if entry.reverses not in stands:
        raise BadQuestion("no standing entry to reverse", key="--reverses", found=entry.reverses, allowed=stands)
    first = stands[entry.reverses].happened_at
    if entry.happened_at < first:
        allowed = [f"{first.isoformat()} or later"]
        raise BadQuestion("before what it reverses", key="--at", found=entry.happened_at.isoformat(), allowed=allowed)


def _not_overdrawn(entry: Entry, after: Book, account: str, case: str | None) -> None:
    short, when = after.lowest(account, case)
    if short >= 0 or when is None:
        return
    said = f"{account} would stand at {short} dollars on {when:%Y-%m-%d}{f' in {case}' if case else ''}"
    if entry.act == "reverse":
        raise BadQuestion(f"{said}: reverse what was drawn on it first", key="--reverses", found=entry.reverses)
    most = max(ZERO, entry.amount + short)
    allowed = [f"at most {most}; record what was posted, drawn or asked first"]
    raise BadQuestion(said, key="--amount", found=str(entry.amount), allowed=allowed)


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
