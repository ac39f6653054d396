"""Dated duties: a finding for each that the register does not show done by the end of its statutory day.

A finding says what was due, by when, and what is on record; where a duty stands is worked out in
``models.duty_standing``. Nothing is judged before mining began, nor for days before the town began to keep the
register; a duty for which the clause states no time is never late.
"""

from __future__ import annotations

from datetime import date

from models.applicability import not_applicable, why_not
from models.counting import Calendar, calendar_of
from models.duty_standing import NOTHING, OPEN, Book, Duty, duties, kept, not_kept, words
from models.event import Event
from models.finding import Evidence, Finding, Scope
from models.question import Judged, Question
from models.rules import LatenessRule
from models.verdict import NOTABLE, VERDICT_OF

DATED_DUTY = "dated_duty"
"""The parameter of every finding of this check."""


def check(rule: LatenessRule, question: Question) -> Judged:
    """Judge every time the duty has fallen due, whatever is new: time alone makes it late."""
    scope = Scope(rule.id, question.site.id, date.min)
    if question.on < question.began:
        return Judged((not_applicable(rule, question, "mining has not begun"),), (scope,))
    book = _book(question)
    if not kept(rule, book.register(rule)):
        why = f"the town keeps no register here: record an act in a case {rule.kept_in}/{question.site.id}/FIRST-DAY"
        return Judged((not_applicable(rule, question, why),), (scope,))
    return Judged(tuple(_finding(question, one, book.calendar) for one in duties(rule, book, question.on)), (scope,))


def not_judged(question: Question) -> list[str]:
    """A line for each register that the town does not keep; nothing before mining began."""
    rules = [one for one in question.law.checks(question.on) if isinstance(one, LatenessRule)]
    reached = [one for one in rules if not why_not(one, question)]
    return [] if question.on < question.began else not_kept(reached, _book(question), question.site.id)


def _book(question: Question) -> Book:
    saturday = question.policy.office_open_on_saturday.value != 0
    calendar = calendar_of(question.law, office_open_on_saturday=saturday)
    return Book(question.site.permit, question.law, question.events, calendar, question.now)


def _finding(question: Question, duty: Duty, calendar: Calendar) -> Finding:
    rule, one = duty.rule, duty.due
    plain, statutory = duty.last_days(calendar)
    verdict, goes_on, done_on = VERDICT_OF[duty.status], duty.status in OPEN, duty.done_on(calendar)
    start = _granted(question, duty) if rule.done_on else one.counted
    measured, limit = _measured(question, duty, done_on), _limit(duty, plain, statutory)
    return Finding(
        rule=rule.id, clause=rule.clause, station=question.site.id, parameter=DATED_DUTY, aspect=_aspect(duty),
        start=start, end=None if goes_on else max(done_on or start, start),
        opened_on=start if rule.done_on else statutory, verdict=verdict, status=duty.status, measured=measured,
        limit=limit, unit="", reason=_reason(duty, limit, measured),
        verification=question.law.computing.verification, ongoing=goes_on, lapses=duty.status == "DUTY_OPEN",
        information=rule.information and verdict in NOTABLE, material=(limit,),
        evidence=_evidence(duty, calendar),
        facts={
            "who": rule.who, "title": duty.title, "plain_due": plain.isoformat(),
            "statutory_due": statutory.isoformat(), "covers_year": one.covers,
            "done_on": done_on and done_on.isoformat(), "record_as": list(duty.places),
        },
    )  # fmt: skip


def _granted(question: Question, duty: Duty) -> date:
    """When a permit came to run too long: with the grant or the renewal that set its end, not on the day it exceeds."""
    term = duty.due.term
    return question.site.permit.granted if term is None else term.granted


def _aspect(duty: Duty) -> str:
    """Two acts of one day are told apart by the document each is about."""
    return duty.due.started.document if duty.due.started else ""


def _measured(question: Question, duty: Duty, done_on: date | None) -> str:
    if duty.rule.done_on is not None:
        ends = question.site.permit.ends if duty.due.term is None else duty.due.term.ends
        return f"permit ends {ends}"
    return NOTHING if duty.act is None else f"{words((duty.act.name,))} {done_on}"


def _limit(duty: Duty, plain: date, statutory: date) -> str:
    if not duty.rule.time_stated:
        return "no time stated"
    if duty.rule.done_on is not None:
        return f"no later than {duty.due.counted}"
    return f"{plain} (plain), {statutory} (statutory)"


def _reason(duty: Duty, limit: str, measured: str) -> str:
    """The duty, whose it is, the days, and what is on record."""
    rule = duty.rule
    days = limit if rule.done_on or not rule.time_stated else f"due by the end of {limit}"
    known = f"{measured}, {duty.why}" if duty.act or rule.done_on else duty.why
    return f"{duty.title}: the {rule.who}'s, {days}; {known}"


def _evidence(duty: Duty, calendar: Calendar) -> tuple[Evidence, ...]:
    renewal = duty.due.term.act if duty.due.term else None
    acts = [("the renewal it is counted by", renewal), ("the act it runs from", duty.due.started)]
    acts.append(("the act on record", duty.act))
    return tuple(
        Evidence(line, _says(act, calendar), "against" if act is duty.act and duty.status == "ON_RECORD" else "context")
        for line, act in acts
        if act is not None
    )


def _says(act: Event, calendar: Calendar) -> str:
    document = f", document {act.document}" if act.document else ""
    happened, recorded = calendar.day(act.happened_at), calendar.day(act.recorded_at)
    return f"{words((act.name,))} on {happened}, recorded {recorded}{document}"
