"""What an operator that was not the cause may be repaid: the supply of a year, counted by its days (Howard 2.15(5))."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from models.fund import CENT, ZERO, Book, Entry

Span = tuple[date, date]
SUPPLY = "supply"


@dataclass(frozen=True)
class Reimbursable:
    """What an operator that was not the cause may elect to be repaid, and how it was counted [dollars].

    ``left_out``: what was paid for days that do not count.
    """

    amount: Decimal
    first: date | None
    last: date | None
    left_out: Decimal


def reimbursable(book: Book, case: str, years: int, elected: Span | None = None) -> Reimbursable:
    """The net cost of supply of one case during its first ``years`` years, by days and not by sum.

    A line counts by its days inside, to the cent; what the fund got back counts for the days it was got back for.

    Parameters
    ----------
    elected : the days the operator elected, or any further limit; only days in both count.
    """
    lines = _of_supply(book, case)
    spans = [one.supplied for one in lines if one.act == "draw" and one.supplied is not None]
    if not spans:
        return Reimbursable(ZERO, None, None, sum((_signed(one) for one in lines), ZERO))
    window = first_years(spans, years)
    counted = window if elected is None else (max(window[0], elected[0]), min(window[1], elected[1]))
    inside = net_paid(book, case, counted)
    whole = sum((_signed(one) for one in lines), ZERO)
    return Reimbursable(inside, *counted, max(ZERO, whole - inside))


def net_paid(book: Book, case: str, span: Span) -> Decimal:
    """What supply of these days cost the fund, less what it got back for them [dollars]; never below zero.

    A refund that says no days is taken off whole: of two readings the one that asks less of a household.
    """
    lines = _of_supply(book, case)
    return max(ZERO, sum((_share(one, span) * (1 if one.act == "draw" else -1) for one in lines), ZERO))


def first_years(spans: Iterable[Span], years: int) -> Span:
    """The first so many years of supply, from the first day that was paid for."""
    first = min(span[0] for span in spans)
    return first, _years_on(first, years)


def _of_supply(book: Book, case: str) -> list[Entry]:
    return [one for one in book.standing("draw", "recover", case=case) if one.use == SUPPLY]


def _signed(one: Entry) -> Decimal:
    return one.amount if one.act == "draw" else -one.amount


def _share(one: Entry, span: Span) -> Decimal:
    """The part of a line that its days inside a span make up."""
    if one.supplied is None:
        return one.amount if one.act == "recover" else ZERO
    days = (one.supplied[1] - one.supplied[0]).days + 1
    within = max(0, (min(one.supplied[1], span[1]) - max(one.supplied[0], span[0])).days + 1)
    return (one.amount * within / days).quantize(CENT)


def _years_on(first: date, years: int) -> date:
    """The last day of so many years that begin on a day: 1 March's is the last day of February."""
    try:
        after = first.replace(year=first.year + years)
    except ValueError:  # 29 February
        after = date(first.year + years, 3, 1)
    return date.fromordinal(after.toordinal() - 1)
