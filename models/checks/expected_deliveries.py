"""Expected deliveries: a finding for each that did not come, or did not come whole, by the end of its statutory day.

Told once, as one thing a day however many were due, and over when the last of it came, late by so many days. A finding
is about the site and not about a station: what is missing is named in it. Nothing is judged that fell due before the
decision that asks for it, before mining began (but for information), or before the store existed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from models.applicability import not_applicable
from models.arrival_record import ArrivalRecord, RefusedFile
from models.checks.delivery_arrivals import Arrived, arrived_for, refused_for
from models.counting import Calendar, calendar_under
from models.delivery_calendar import Delivered, DeliveryEvent, came_on, coming, delivered, events, items
from models.delivery_rule import DeliveryRule
from models.delivery_words import limit_words, measured, reason
from models.errors import BadSite
from models.expected_delivery import ExpectedDelivery
from models.finding import Evidence, Finding, Scope
from models.question import Judged, Question
from models.rules import Ordinance
from models.site import Site
from models.verdict import NOTABLE, VERDICT_OF

DELIVERY = "delivery"
"""The parameter of every finding of this check."""
LATE = {"NOT_ON_RECORD", "ON_RECORD_LATE"}
FILES_SHOWN = 6


@dataclass(frozen=True)
class Expected:
    """One delivery as it stands, from the first that is owed to the next.

    ``decision``: in words; "" where the clause itself asks. ``refused``: files that would have been one of it.
    """

    delivery: ExpectedDelivery
    clause: str
    decision: str
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
    if _decided(rule, delivery, question) is not None:
        return ""
    asks = f"{clause_of(rule, delivery)} asks for it by a decision"
    return f"{asks}, and none is on file by tonight ([[delivery]] required_by, or [[permit.required]])"


def clause_of(rule: DeliveryRule, delivery: ExpectedDelivery) -> str:
    """The clause or condition a delivery stands under."""
    return delivery.clause or rule.clause


def _decided(rule: DeliveryRule, delivery: ExpectedDelivery, question: Question) -> tuple[str, date] | None:
    """The decision in words and the first due day that is owed; None where one is needed and none is on file yet."""
    floor = date.min if rule.information else question.began
    named = [one for one in question.site.permit.required if one.rule == rule.id]
    every = [delivery.required_by] if delivery.required_by else named
    taken = sorted((one for one in every if one.on <= question.on), key=lambda one: one.on)
    if taken:
        return f"{taken[0].decision} ({taken[0].on})", max(taken[0].on, floor)
    waits = rule.decided or delivery.required_by is not None
    return None if waits else ("", floor)


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
    for one, decision, owed in due:
        known = arrived.known(one, items(one))
        every = tuple(delivered(one, each, known, question.now, hours, calendar) for each in owed)
        its = tuple(refused_for(one, question.site.delivery, refused))
        yield Expected(one, clause_of(rule, one), decision, every, arrived, its)


def _owed(
    rule: DeliveryRule, question: Question, kept: datetime, calendar: Calendar
) -> Iterator[tuple[ExpectedDelivery, str, list[DeliveryEvent]]]:
    """Each delivery that is asked for, the decision in words, and its times since that decision and since ``kept``."""
    for one in question.site.delivery:
        asked = _decided(rule, one, question) if one.rule == rule.id else None
        if asked is not None:
            decision, since = asked
            every = events(one, calendar, question.on)
            yield one, decision, [each for each in every if each.due >= since and each.ends[1] > kept]


def _to_tell(every: Sequence[Delivered]) -> Iterator[Delivered]:
    """Those that are late or excused, and the one that is next."""
    yield from (one for one in every if one.status in LATE or one.status == "NOT_APPLICABLE")
    following = coming(every) or next(reversed(every), None)
    if following is not None and following.status in {"RUNNING", "ON_RECORD"}:
        yield following


def _finding(rule: DeliveryRule, question: Question, one: Expected, each: Delivered, calendar: Calendar) -> Finding:
    delivery, event, came = one.delivery, each.event, came_on(each, calendar)
    verdict, goes_on, limit = VERDICT_OF[each.status], each.status == "NOT_ON_RECORD", limit_words(event)
    refused = come_and_refused(one, each, calendar)
    said = measured(each, came, len(refused))
    return Finding(
        rule=rule.id, clause=one.clause, station=question.site.id, parameter=DELIVERY,
        aspect=f"{delivery.id}, due {event.due}", start=event.due,
        end=None if goes_on else max(came or event.due, event.due), opened_on=event.last, verdict=verdict,
        status=each.status, measured=said, limit=limit, unit="",
        reason=reason(delivery, event, said, one.decision, rule.information),
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
    if one.status not in LATE:
        return 0
    return max(((came_on(one, calendar) or on) - one.event.last).days, 0)


def come_and_refused(one: Expected, each: Delivered, calendar: Calendar) -> list[RefusedFile]:
    """Files that came since the period began, were refused whole, and are no delivery; none once it has come."""
    if each.status not in {"NOT_ON_RECORD", "RUNNING"}:
        return []
    return [file for file in one.refused if file.arrived_at >= calendar.start_of(each.event.first)]


def _evidence(
    one: Expected, each: Delivered, refused: Sequence[RefusedFile], calendar: Calendar
) -> Iterator[Evidence]:  # fmt: skip
    for file, known_at, rows in one.arrived.files(one.delivery, each.event.first, each.event.last_day)[:FILES_SHOWN]:
        yield Evidence("came", f"{file} on {calendar.day(known_at)}", "context", rows)
    for missed in refused[:FILES_SHOWN]:
        says = f"{missed.file} on {calendar.day(missed.arrived_at)}: come and refused whole, no delivery"
        yield Evidence("refused", says, "context")
    if each.why:
        yield Evidence("on record", each.why, "context")


def check_deliveries(site: Site, law: Ordinance) -> None:
    """Refuse a delivery whose rule is not one of the ordinance's, or that owes its own clause and names none.

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
