"""Expected deliveries: a finding for each that did not come, or did not come whole, by the end of its statutory day.

Told once, as one thing a day however many were due, and over when the last of it came, late by so many days. A finding
is about the site and not about a station: what is missing is named in it. Nothing is judged that fell due before the
decision that asks for it, before mining began (but for information), or before the store existed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial

from models.applicability import not_applicable
from models.arrival_record import ArrivalRecord, RefusedFile
from models.checks.delivery_arrivals import Arrived, arrived_for, refused_for
from models.checks.delivery_asked import Asked, asked_by
from models.counting import Calendar, calendar_under
from models.delivery_calendar import (
    Delivered,
    DeliveryEvent,
    Reading,
    came_on,
    coming,
    delivered,
    events,
    items,
    known_on,
)
from models.delivery_rule import DeliveryRule
from models.delivery_words import limit_words, measured, reason
from models.expected_delivery import ExpectedDelivery
from models.finding import Evidence, Finding, Scope
from models.question import Judged, Question
from models.verdict import NOTABLE, VERDICT_OF

DELIVERY = "delivery"
"""The parameter of every finding of this check."""
SILENT = {"NOT_ON_RECORD", "INDETERMINATE"}
"""It goes on where something is missing."""
FILES_SHOWN = 6


@dataclass(frozen=True)
class Expected:
    """One delivery as it stands, from the first that is owed to the next.

    ``asked``: by what. ``refused``: files that would have been one of it.
    """

    delivery: ExpectedDelivery
    clause: str
    asked: Asked
    every: tuple[Delivered, ...]
    arrived: Arrived
    refused: tuple[RefusedFile, ...]


def check(rule: DeliveryRule, question: Question) -> Judged:
    """Judge every time of every delivery under a rule, whatever is new: time alone makes one late."""
    scope = (Scope(rule.id, question.site.id, date.min),)
    own = [one for one in question.site.delivery if one.rule == rule.id]
    why = _nothing_to_judge(rule, question, own)
    if why:
        return Judged((not_applicable(rule, question, why),), scope)
    found = [
        not_applicable(rule, question, f"{one.id}: {why}") for one in own if (why := _not_owed(rule, one, question))
    ]
    calendar = calendar_under(question.law, question.policy)
    for one in expected(rule, question):
        found += [_finding(rule, question, one, each, calendar) for each in _to_tell(one.every)]
    return Judged(tuple(found), scope)


def _nothing_to_judge(rule: DeliveryRule, question: Question, own: Sequence[ExpectedDelivery]) -> str:
    if not own:
        return f'no expected delivery on file ([[delivery]] rule = "{rule.id}")'
    if question.on < question.began and not rule.information:
        return "mining has not begun"
    record = question.observations
    if not isinstance(record, ArrivalRecord):
        return "the record at hand does not say when its values came"
    return "" if record.kept_since() else "nothing has come yet and no night has been: the store begins with the first"


def _not_owed(rule: DeliveryRule, delivery: ExpectedDelivery, question: Question) -> str:
    if asked_by(rule, delivery, question) is not None:
        return ""
    asks = f"{clause_of(rule, delivery)} asks for it by a decision"
    return f"{asks}, and none is on file by tonight ([[delivery]] required_by, or [[permit.required]])"


def clause_of(rule: DeliveryRule, delivery: ExpectedDelivery) -> str:
    """The clause or condition a delivery stands under."""
    return delivery.clause or rule.clause


def expected(rule: DeliveryRule, question: Question) -> Iterator[Expected]:
    """Every delivery under a rule that is owed, read together; none where the record does not tell when values came."""
    record, calendar = question.observations, calendar_under(question.law, question.policy)
    if not isinstance(record, ArrivalRecord) or (kept := record.kept_since()) is None:
        return
    due = list(_owed(rule, question, kept, calendar))
    starts = [owed[0].first for *_, owed in due if owed]
    if not starts:
        return
    arrived, refused = arrived_for(record, [one for one, *_ in due], min(starts), question.on), record.refused()
    hours = timedelta(hours=float(question.policy.delivery_read_within.value))
    for one, asked, owed in due:
        its = tuple(refused_for(one, question.site.delivery, refused))
        inbox = Reading(hours, record.inbox_read(), partial(_waits_for_the_town, its, hours, calendar))
        stands = partial(delivered, one, known=arrived.known(one, items(one)), now=question.now, inbox=inbox,
                         counting=calendar)  # fmt: skip
        every = tuple(_unasked(asked, each) or stands(each) for each in owed)
        yield Expected(one, clause_of(rule, one), asked, every, arrived, its)


def _unasked(asked: Asked, event: DeliveryEvent) -> Delivered | None:
    why = asked.not_owed(event)
    return Delivered(event, "NOT_APPLICABLE", why=why) if why else None


def _waits_for_the_town(
    refused: Sequence[RefusedFile], within: timedelta, calendar: Calendar, event: DeliveryEvent
) -> str:
    """Files that came in time and of which something was refused for want of the town's own entry, in words."""
    first, last = calendar.start_of(event.first), event.ends[1] + within
    named = [one.file for one in refused if one.for_the_town and first <= one.arrived_at <= last]
    if not named:
        return ""
    return f"{', '.join(named[:FILES_SHOWN])} came, and waits for an entry of the town in site.toml"


def _owed(
    rule: DeliveryRule, question: Question, kept: datetime, calendar: Calendar
) -> Iterator[tuple[ExpectedDelivery, Asked, list[DeliveryEvent]]]:
    """Each delivery that is asked for, by what, and its times since it was asked for and since ``kept``."""
    for one in question.site.delivery:
        asked = asked_by(rule, one, question) if one.rule == rule.id else None
        if asked is not None:
            every = events(one, calendar, question.on)
            yield one, asked, [each for each in every if each.due >= asked.since and each.ends[1] > kept]


def _to_tell(every: Sequence[Delivered]) -> Iterator[Delivered]:
    """Those that are late, excused or not to be told, and the one that is next."""
    yield from (one for one in every if one.status not in {"RUNNING", "ON_RECORD"})
    following = coming(every) or next(reversed(every), None)
    if following is not None and following.status in {"RUNNING", "ON_RECORD"}:
        yield following


def _finding(rule: DeliveryRule, question: Question, one: Expected, each: Delivered, calendar: Calendar) -> Finding:
    delivery, event, came = one.delivery, each.event, came_on(each, calendar)
    verdict, limit = VERDICT_OF[each.status], limit_words(event)
    goes_on = each.status in SILENT and bool(each.missing)
    refused = come_and_refused(one, each, calendar)
    said = measured(each, came, len(refused))
    return Finding(
        rule=rule.id, clause=one.clause, station=question.site.id, parameter=DELIVERY,
        aspect=f"{delivery.id}, due {event.due}", start=event.due,
        end=None if goes_on else max(came or event.due, event.due), opened_on=event.last, verdict=verdict,
        status=each.status, measured=said, limit=limit, unit="",
        reason=reason(delivery, event, said, one.asked.words(event.due), rule.information),
        verification=question.law.computing.verification, ongoing=goes_on,
        information=rule.information and verdict in NOTABLE, material=(limit,),
        evidence=tuple(_evidence(one, each, refused, calendar)),
        facts={
            "delivery": delivery.id, "sender": delivery.sender, "who": delivery.owed_by,
            "first": event.first.isoformat(), "last_day": event.last_day.isoformat(), "due": event.due.isoformat(),
            "plain_due": event.plain.isoformat(), "statutory_due": event.last.isoformat(),
            "missing": [[*share.item, share.days] for share in each.missing],
            "came": came and came.isoformat(), "days_late": days_late(each, calendar, question.on) if came else None,
            "refused": [file.file for file in refused],
        },
    )  # fmt: skip


def days_late(one: Delivered, calendar: Calendar, on: date) -> int:
    """Civil days from the last day in time to the day it came, or to ``on``; 0 where it is not late."""
    if one.status not in {"NOT_ON_RECORD", "ON_RECORD_LATE"}:
        return 0
    return max(((came_on(one, calendar) or on) - one.event.last).days, 0)


def come_and_refused(one: Expected, each: Delivered, calendar: Calendar) -> list[RefusedFile]:
    """Files that came since the period began, were refused whole, and are no delivery; none once it has come."""
    if each.status not in {*SILENT, "RUNNING"} or not each.missing:
        return []
    return [file for file in one.refused if file.whole and file.arrived_at >= calendar.start_of(each.event.first)]


def _evidence(
    one: Expected, each: Delivered, refused: Sequence[RefusedFile], calendar: Calendar
) -> Iterator[Evidence]:  # fmt: skip
    for file in one.arrived.files(one.delivery, each.event.first, each.event.last_day)[:FILES_SHOWN]:
        says = f"{file.file} on {known_on(file.known_at, calendar)}{f': {file.says}' if file.says else ''}"
        yield Evidence("came", says, "context", file.rows)
    for missed in refused[:FILES_SHOWN]:
        what = "waits for the town's entry in site.toml" if missed.for_the_town else "no delivery"
        says = f"{missed.file} on {known_on(missed.arrived_at, calendar)}: come and refused whole, {what}"
        yield Evidence("refused", says, "context")
    if each.why:
        yield Evidence("on record", each.why, "context")
