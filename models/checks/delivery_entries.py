"""Whether the expected deliveries of ``site.toml`` can be: their rule, their clause, and what is said to have come."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from datetime import date

from models.delivery_calendar import periods
from models.delivery_rule import DeliveryRule
from models.errors import BadSite
from models.expected_delivery import ExpectedDelivery
from models.rules import Ordinance
from models.site import Site


def check_deliveries(site: Site, law: Ordinance, today: date | None = None) -> None:
    """Refuse a delivery whose rule is not one of the ordinance's, or that owes its own clause and names none.

    Parameters
    ----------
    today : a record that something was received is of no later day; None: it is not known.

    Raises
    ------
    BadSite : naming the delivery, what was found and what is allowed.
    """
    rules = {one.id: one for one in law.rule if isinstance(one, DeliveryRule)}
    for each in site.delivery:
        key = f"delivery[{each.id}]"
        if each.rule not in rules:
            raise BadSite(
                "no such rule for deliveries", file="site.toml", key=f"{key}.rule", found=each.rule, allowed=rules
            )
        if rules[each.rule].own_clause and not each.clause:
            raise BadSite("names the condition it stands under", file="site.toml", key=f"{key}.clause")
        _check_received(each, today)


def _check_received(delivery: ExpectedDelivery, today: date | None) -> None:
    """Refuse a record of a delivery that never falls due, or that came before its time began or is still to come."""
    for one in delivery.received:
        key = f"delivery[{delivery.id}].received[due = {one.due}]"
        near = list(_periods_to(delivery, one.due))
        if not near or near[-1][2] != one.due:
            allowed = [str(due) for *_, due in near]
            raise BadSite(
                "nothing falls due on this day", file="site.toml", key=key, found=str(one.due), allowed=allowed
            )
        first = near[-1][0]
        if one.on < first or (today is not None and one.on > today):
            allowed = [f"{first} (the first day it covers) to {today or 'today'}"]
            raise BadSite("not a day on which it came", file="site.toml", key=f"{key}.on", found=str(one.on),
                          allowed=allowed)  # fmt: skip


def _periods_to(delivery: ExpectedDelivery, due: date) -> Sequence[tuple[date, date, date]]:
    """The last time due before a day, and the first due on it or later."""
    near: deque[tuple[date, date, date]] = deque(maxlen=2)
    for one in periods(delivery):
        near.append(one)
        if one[2] >= due:
            break
    return near
