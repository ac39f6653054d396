"""Expected deliveries of a site as rows of the due list, and as lines of the doctor: overdue, and the next of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.applicability import reaches_not
from models.checks.delivery_entries import check_deliveries
from models.checks.expected_deliveries import Expected, come_and_refused, days_late, expected
from models.counting import Calendar, calendar_under
from models.delivery_calendar import Delivered, came_on, coming
from models.delivery_rule import DeliveryRule
from models.delivery_words import limit_words, measured, what
from models.event import Event
from models.question import Changed, Question
from pipelines.arrivals import Arrivals
from pipelines.casebook import ms, utc
from pipelines.site_folder import SiteFolder

NATURE = "expected delivery"
STANDS = {"RUNNING": "running", "NOT_ON_RECORD": "overdue", "ON_RECORD_LATE": "done_late", "NOT_APPLICABLE": "not_owed"}
NOT_ON_RECORD = "not_on_record"
"""What is only information is never overdue."""
CANNOT_TELL, DONE_CANNOT_TELL = "cannot_tell", "done_cannot_tell"
"""Not known to have come, or to have come in time, for a want that is the town's own."""
Line = tuple[str, Literal["ok", "warn", "fail"], str, str]
"""Probe, state, what it says, what to do."""


def delivery_rows(
    connection: Connection, folder: SiteFolder, events: Sequence[Event], now: datetime
) -> list[dict[str, Any]]:  # fmt: skip
    """Each delivery that is late, excused or to come; none under a clause before mining began."""
    question = _question(connection, folder, events, now)
    calendar = calendar_under(folder.law, folder.policy)
    return [
        _row(rule, one, each, calendar, question.on)
        for rule, one in _expected(folder, question)
        for each in one.every
        if each.status != "ON_RECORD" and (each.status != "RUNNING" or each is coming(one.every))
    ]


def _question(connection: Connection, folder: SiteFolder, events: Sequence[Event], now: datetime) -> Question:
    zone = ZoneInfo(folder.law.zone)
    on = (now - timedelta(microseconds=1)).astimezone(zone).date()
    record = Arrivals(connection, zone, ms(now))
    return Question(folder.site, folder.law, folder.policy, record, on, now, Changed(), events)


def _expected(folder: SiteFolder, question: Question) -> Iterator[tuple[DeliveryRule, Expected]]:
    on, permit = question.on, folder.site.permit
    rules = [one for one in folder.law.checks(on) if isinstance(one, DeliveryRule)]
    for rule in rules if folder.site.delivery else ():
        judged = rule.information or on >= question.began
        if judged and not reaches_not(rule, permit, folder.law, on):
            yield from ((rule, one) for one in expected(rule, question))


def _row(rule: DeliveryRule, one: Expected, each: Delivered, calendar: Calendar, on: date) -> dict[str, Any]:
    delivery, event = one.delivery, each.event
    plain, statutory = event.plain.isoformat(), event.last.isoformat()
    return {
        "case": "", "step": rule.id, "clause": one.clause, "title": f"{delivery.sender}: {what(delivery)}",
        "who": delivery.owed_by, "nature": "information" if rule.information else NATURE,
        "standing": _standing(rule, each),
        "runs_from": f"delivery {delivery.id}", "started_at": None, "started": event.first.isoformat(),
        "plain_due": plain, "statutory_due": statutory, "plain": plain, "statutory": statutory,
        "plain_due_at": utc(ms(event.ends[0])), "statutory_due_at": utc(ms(event.ends[1])),
        "done_by": None, "done_at": each.complete_at and utc(ms(each.complete_at)),
        "says": _says(one, each, calendar), "finding_withdrawn": False, "waited_days": None, "moved": False,
        "silence": None, "stations": list(delivery.stations), "delivery": delivery.id,
        "due": event.due.isoformat(), "limit": limit_words(event),
        "covers": f"{event.first} to {event.last_day}", "days_late": days_late(each, calendar, on),
    }  # fmt: skip


def _standing(rule: DeliveryRule, each: Delivered) -> str:
    if each.status == "INDETERMINATE":
        return CANNOT_TELL if each.missing else DONE_CANNOT_TELL
    return NOT_ON_RECORD if rule.information and each.status == "NOT_ON_RECORD" else STANDS[each.status]


def _says(one: Expected, each: Delivered, calendar: Calendar) -> str:
    refused = come_and_refused(one, each, calendar)
    named = f" ({', '.join(file.file for file in refused)})" if refused else ""
    said = measured(each, came_on(each, calendar), len(refused))
    return f"days {each.event.first} to {each.event.last_day}: {said}{named}"


def about_deliveries(connection: Connection, folder: SiteFolder, now: datetime) -> Iterator[Line]:
    """For the doctor: every delivery that has not come in time, or when the next is due."""
    if not folder.site.delivery:
        return
    check_deliveries(folder.site, folder.law, now.astimezone(ZoneInfo(folder.law.zone)).date())
    rows = delivery_rows(connection, folder, (), now)
    silent = [row for row in rows if row["standing"] in {"overdue", NOT_ON_RECORD, CANNOT_TELL}]
    for row in silent:
        yield "deliveries", "warn", f"{_named(row)} ({row['clause']}): {row['says']}", _to_do(row)
    following = min((row for row in rows if row["standing"] == "running"), key=_plain_due, default=None)
    if not silent and following is not None:
        yield "deliveries", "ok", f"none overdue; next {_named(following)}", ""


def _named(row: dict[str, Any]) -> str:
    """A delivery by the day that the site states, and by when it is in time where that is another."""
    until = "" if row["due"] == row["plain_due"] == row["statutory_due"] else f", by the end of {row['limit']}"
    return f"{row['delivery']}, due {row['due']}{until}"


def _to_do(row: dict[str, Any]) -> str:
    if row["standing"] == CANNOT_TELL:
        return "headwater nightly reads the inbox; headwater rejects lists what site.toml lacks"
    return f"ask {row['title'].partition(':')[0]}; headwater rejects lists refused files"


def _plain_due(row: dict[str, Any]) -> str:
    return str(row["plain_due"])
