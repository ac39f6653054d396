"""An expected delivery in words: what has come, what is missing, by when it was due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from models.delivery_calendar import Delivered, DeliveryEvent, Share
from models.expected_delivery import GROUPS, ExpectedDelivery

NAMES_SHOWN = 6


def limit_words(event: DeliveryEvent) -> str:
    """Both last days in words."""
    return f"{event.plain} (plain), {event.last} (statutory)"


def measured(one: Delivered, came: date | None, refused: int) -> str:
    """What has come, in words."""
    if one.status == "NOT_APPLICABLE":
        return f"not late: {one.why}"
    if one.status == "INDETERMINATE" and not one.missing:
        return f"known {came}; {one.why}"
    if one.status == "ON_RECORD":
        return f"known {came}"
    if one.status == "ON_RECORD_LATE":
        late = max((came - one.event.last).days, 0) if came else 0
        how = "came" if came == one.received else "known"
        most = "" if came == one.received else "no more than "
        return f"{how} {came}, late by {most}{late} day{'s' * (late != 1)}"
    but = f"; {refused} file{'s' * (refused > 1)} came and refused whole" if refused else ""
    but += f"; {one.why}" if one.why else ""
    return f"partly come, missing {missing_words(one.missing)}{but}" if one.begun else f"nothing has come{but}"


def missing_words(shares: Sequence[Share]) -> str:
    """What is missing by station, so many named and the others counted."""
    said = [_share_words(one) for one in shares[:NAMES_SHOWN]]
    more = len(shares) - len(said)
    return ", ".join(said) + (f" and {more} more" if more > 0 else "")


def _share_words(one: Share) -> str:
    station, name = one.item
    days = f" ({one.days} day{'s' * (one.days != 1)} only)" if one.days else ""
    return f"{name.replace('_', ' ')} of {station}{days}"


def what(delivery: ExpectedDelivery) -> str:
    """What is to come, of which stations."""
    more = len(delivery.stations) - NAMES_SHOWN
    at = ", ".join(delivery.stations[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")
    named = delivery.group if delivery.parameters or delivery.group in GROUPS else "data"
    return f"{named} of {at}"


def reason(delivery: ExpectedDelivery, event: DeliveryEvent, said: str, decision: str, information: bool) -> str:
    """The delivery, its days, when it was due, what has come, and who asked for it."""
    tolerance = f" and {delivery.tolerance_days} days" if delivery.tolerance_days else ""
    least = f", {delivery.least_days} days of them at least" if delivery.least_days > 1 else ""
    asked = f" Required by {decision}." if decision else " No clause asks for it." if information else ""
    return (
        f"{delivery.sender} ({delivery.id}): {what(delivery)}, days {event.first} to {event.last_day}{least}; due "
        f"{event.due}{tolerance}, by the end of {limit_words(event)}; {said}. When it came decides, not the days it is "
        f"of.{asked}"
    )
