"""Dated duties on a calendar: each day one falls due, and which recorded act answered it.

Pure dates and acts; what follows from them stands in ``models.checks.lateness``. A duty counted back from a date is due
on the day so many days before it, that date excluded; every other ends with its last day. Both carry a plain and a
statutory end as every clock does (``models.counting``).
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from models.case import Case, CaseId, cases
from models.counting import Calendar, Ends, ends, ends_on, months_later
from models.event import Event
from models.lateness_rule import LatenessRule
from models.permit import Permit
from models.permit_terms import Term
from models.rules import Ordinance
from models.step import Step

MONTHS_IN_A_YEAR = 12


@dataclass(frozen=True)
class Due:
    """One time a duty falls due.

    ``counted``: the last day as the clause counts it, and the duty's identity. ``ends``: the first instants too late,
    plain and statutory. ``since``: the day counted from. ``opens_on``: an act before it answers an earlier time.
    ``covers``: the calendar year a yearly duty is about. ``started``: the act it runs from. ``term``: the permit's term
    which it is counted from or judged by.
    """

    counted: date
    ends: Ends
    since: date | None = None
    opens_on: date = date.min
    covers: int | None = None
    started: Event | None = None
    term: Term | None = None


@dataclass(frozen=True)
class Register:
    """The acts that count in some kinds of case, in order, and the days they speak for.

    ``kept_since``: the first day, None where nobody keeps it. ``kept_until``: the day the last one was closed.
    ``cases``: their ids, the newest of the first kind in front.
    """

    acts: tuple[Event, ...] = ()
    kept_since: date | None = None
    kept_until: date | None = None
    cases: tuple[str, ...] = ()

    def named(self, names: Sequence[str]) -> list[Event]:
        return [one for one in self.acts if one.name in names]


def register(
    kinds: Sequence[str], law: Ordinance, events: Sequence[Event], calendar: Calendar, now: datetime
) -> Register:
    """What stands and counts in the cases of some kinds, as known at an instant.

    The date in a case's id is the first day its entries speak for.
    """
    of_kinds = [one for one in events if one.case.partition("/")[0] in kinds and one.recorded_at <= now]
    found = [case for case in cases(of_kinds, law, calendar) if case.events]
    acts = sorted((one for case in found for one in case.events), key=lambda one: (one.happened_at, one.recorded_at))
    ended = [_closed_on(case, calendar) for case in found]
    return Register(
        tuple(acts), min((CaseId.parse(case.id).opened for case in found), default=None),
        None if None in ended or not ended else max(day for day in ended if day is not None),
        tuple(case.id for kind in kinds for case in reversed(found) if case.kind.id == kind),
    )  # fmt: skip


def _closed_on(case: Case, calendar: Calendar) -> date | None:
    closing = [one for one in case.events if one.name in case.kind.closing_events]
    return calendar.day(closing[-1].happened_at) if case.status == "closed" else None


def due_days(
    rule: LatenessRule, law: Ordinance, permit: Permit, kept: Register, calendar: Calendar, on: date,
    terms: Sequence[Term] = (),
) -> list[Due]:  # fmt: skip
    """Every time a duty falls due up to the end of the year of ``on``, in order of the day as counted.

    Parameters
    ----------
    terms : of the permit, the one in force last; unsaid, the one in the site file alone.
    """
    known = terms or (Term(permit.granted, permit.granted, permit.ends),)
    if rule.of is None:
        found = _yearly(rule, law, permit, known[-1], calendar, on)
    elif rule.of == "act":
        found = _after_acts(rule, kept, calendar)
    elif rule.of == "permit_ends" or (rule.of == "permit_granted" and rule.done_on is not None):
        found = (_of_term(rule, one, calendar) for one in known)
    else:
        days = _permit_dates(rule.of, permit)
        found = (one for anchor in days for one in _anchored(rule, known[-1], anchor, calendar, on))
    return list(found)


def _yearly(
    rule: LatenessRule, law: Ordinance, permit: Permit, term: Term, calendar: Calendar, on: date
) -> Iterator[Due]:  # fmt: skip
    table = law.annual_report if rule.due_as else None
    month, day = (table.due_month, table.due_day) if table else (rule.due_month or 1, rule.due_day or 1)
    for year in range(permit.mining_began.year, on.year + 1):
        counted = date(year, month, min(day, monthrange(year, month)[1]))
        covers = year - (rule.covers == "year_before")
        if covers >= permit.mining_began.year and counted >= permit.mining_began:
            opens_on, last = date(year, 1, 1), ends_on(counted, _as_step(rule), calendar)
            yield Due(counted, last, None, opens_on, covers, None, term)


def _permit_dates(of: str, permit: Permit) -> list[date]:
    """The dates of the permit that a duty is counted from; none where the site file states none."""
    if of == "transfer":
        return sorted(one.since for one in permit.holders)[1:]
    stated = {
        "mining_began": permit.mining_began, "permit_granted": permit.granted, "lease_ends": permit.lease_ends,
    }[of]  # fmt: skip
    return [] if stated is None else [stated]


def _of_term(rule: LatenessRule, term: Term, calendar: Calendar) -> Due:
    """A duty of each term: counted from its end, or about its length. A request before a renewal was for that one."""
    if rule.of == "permit_ends":
        opens_on = term.granted if term.act is None else term.granted + timedelta(days=1)
        return replace(_counted(rule, term.ends, calendar, opens_on, None), term=term)
    return replace(_counted(rule, term.runs_from, calendar, date.min, None), since=term.granted, term=term)


def _anchored(rule: LatenessRule, term: Term, anchor: date, calendar: Calendar, on: date) -> Iterator[Due]:
    """Counted from a date that no renewal moves, up to the end of the last term."""
    if not rule.each_year:
        yield replace(_counted(rule, anchor, calendar, date.min, None), term=term)
        return
    months = MONTHS_IN_A_YEAR * (rule.years_after or 1)
    for n in range(on.year - anchor.year):
        opens_on, last = months_later(anchor, months * n), months_later(anchor, months * (n + 1))
        if last <= term.ends and last.year <= on.year:
            yield Due(last, ends_on(last, _as_step(rule), calendar), anchor, opens_on)


def _after_acts(rule: LatenessRule, kept: Register, calendar: Calendar) -> Iterator[Due]:
    """A notice before an act comes after the act before it: it is the notice of one act, and not of the next."""
    stops, before = [calendar.day(one.happened_at) for one in kept.named(rule.set_aside_by)], date.min
    for act in kept.named(rule.starts):
        anchor = calendar.day(act.happened_at)
        one = _counted(rule, anchor, calendar, before if rule.days_before else date.min, act)
        before = anchor + timedelta(days=1)
        if not any(anchor <= stop <= one.counted for stop in stops):
            yield one


def _counted(rule: LatenessRule, anchor: date, calendar: Calendar, opens_on: date, act: Event | None) -> Due:
    if rule.days_before is not None:
        counted, step = anchor - timedelta(days=rule.days_before), _as_step(rule)
        found = ends(step, calendar.start_of(anchor), anchor, calendar)
        return Due(counted, found or (calendar.end_of(counted),) * 2, anchor, opens_on, None, act)
    counted = months_later(anchor, MONTHS_IN_A_YEAR * rule.years_after) if rule.years_after else (
        anchor + timedelta(days=rule.days_after or 0)
    )  # fmt: skip
    unmoved = (calendar.end_of(counted),) * 2  # a date of the permit itself: nothing is done on it that could be late
    last = unmoved if rule.done_on else ends_on(counted, _as_step(rule), calendar)
    return Due(counted, last, anchor, opens_on, None, act)


def _as_step(rule: LatenessRule) -> Step:
    """The duty as a step, so that both count alike."""
    return Step(
        id=rule.id, kind="step", clause=rule.clause, title=rule.title, text=rule.text, effective=rule.effective,
        case=rule.kept_in or rule.id, who=rule.who, nature="deadline", runs_from=("due",),
        days=rule.days_before or 1, before=rule.days_before is not None, filing=rule.filing,
    )  # fmt: skip


def answers(rule: LatenessRule, due: Sequence[Due], kept: Register, calendar: Calendar) -> dict[Due, Event]:
    """Which act answered which time.

    An act that states its ``year`` answers the duty about that year, one that names the document of a starting act
    answers that act; any other answers the earliest time still unanswered. The first of several acts counts.
    """
    found: dict[Due, Event] = {}
    acts = kept.named(rule.done_by)
    for act in sorted(acts, key=lambda one: (not _stated(one, due), one.happened_at)):
        free = [one for one in due if one not in found and _may_answer(act, one, calendar)]
        if free:
            found[free[0]] = act
    return found


def _stated(act: Event, due: Sequence[Due]) -> bool:
    return bool(act.fact("year")) or any(one.started and one.started.document == act.document != "" for one in due)


def _may_answer(act: Event, one: Due, calendar: Calendar) -> bool:
    if act.fact("year") and one.covers is not None:
        return act.fact("year") == str(one.covers)
    if one.started is not None and one.started.document and act.document:
        return one.started.document == act.document
    return one.opens_on <= calendar.day(act.happened_at)


def presupposed(rule: LatenessRule, one: Due, kept: Register, calendar: Calendar) -> bool:
    """Whether an act without which nothing is owed was on record by the day as counted."""
    acts = [act for act in kept.named(rule.presupposes) if calendar.day(act.happened_at) <= one.counted]
    if rule.presupposes_each_year:
        acts = [act for act in acts if _year_of(act, one, calendar)]
    return bool(acts) or not rule.presupposes


def _year_of(act: Event, one: Due, calendar: Calendar) -> bool:
    stated = act.fact("year")
    return stated == str(one.covers) if stated else calendar.day(act.happened_at) >= one.opens_on
