"""The sampling calendar: a finding for each event that nobody sampled in time at a station.

Told once, from the end of the event's statutory last day, and over when a sample of what it lacks was taken, late by so
many days. The day of sampling decides: a result delivered late and sampled in time takes the finding back. Nothing is
judged before mining began, nor before the decision that requires the calendar.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from models.applicability import not_applicable
from models.checks.sampling_results import Sampled, logged_day, sampled
from models.counting import calendar_of
from models.finding import Evidence, Finding, Scope
from models.permit import Decision
from models.question import Judged, Question
from models.rules import SamplingRule
from models.sampling import LEVELS, Excuse, Sampling
from models.sampling_calendar import SamplingEvent, Visit, events, visits
from models.verdict import NOTABLE, VERDICT_OF

LATE = {"NOT_ON_RECORD", "ON_RECORD_LATE"}


@dataclass(frozen=True)
class Decided:
    """A calendar and the decisions that require it; events due before mining began, or when none stood, nobody owes.

    ``decision``: the first of them in words.
    """

    calendar: Sampling
    decision: str
    since: date
    asked: tuple[Decision, ...]

    def owed(self, due: date) -> bool:
        """Whether what falls due on a day is owed."""
        return due >= self.since and any(one.asks(due) for one in self.asked)


@dataclass(frozen=True)
class Round:
    """What one calendar asks of one station, event by event, from the first that is owed to the next."""

    decided: Decided
    station: str
    visits: tuple[Visit, ...]
    taken: Sampled


def check(rule: SamplingRule, question: Question) -> Judged:
    """Judge every event of every calendar that a decision requires, whatever is new: time alone makes one late."""
    stood = {one.station for one in question.standing if one.rule == rule.id}
    if question.on < question.began:
        return _silent(rule, question, "mining has not begun", stood)
    own = [one for one in question.site.sampling if one.rule == rule.id]
    if not own:
        return _silent(rule, question, f'no sampling calendar on file ([[sampling]] rule = "{rule.id}")', stood)
    undecided = [one for one in own if decided(rule, one, question) is None]
    found = [not_applicable(rule, question, _undecided(rule, one)) for one in undecided]
    for one in rounds(rule, question):
        found += _of_round(rule, question, one)
    stations = stood | {id for one in own for id in one.stations}
    return Judged(tuple(found), tuple(Scope(rule.id, one, date.min) for one in sorted(stations)))


def _silent(rule: SamplingRule, question: Question, why: str, stood: set[str]) -> Judged:
    return Judged((not_applicable(rule, question, why),), tuple(Scope(rule.id, one, date.min) for one in sorted(stood)))


def _undecided(rule: SamplingRule, calendar: Sampling) -> str:
    return (
        f"{clause_of(rule, calendar)} is discretionary and no decision that requires calendar {calendar.id} is on file "
        "([[sampling]] required_by, or [[permit.required]])"
    )


def clause_of(rule: SamplingRule, calendar: Sampling) -> str:
    """The clause a calendar stands under."""
    return calendar.clause or rule.clause


def decided(rule: SamplingRule, calendar: Sampling, question: Question) -> Decided | None:
    """A calendar with its decision: its own, or the first on its rule; None where none is on file by tonight."""
    permit = question.site.permit
    on_rule = [one for one in permit.required if one.rule == rule.id]
    named: Sequence[Decision] = [calendar.required_by] if calendar.required_by else on_rule
    known = sorted((one for one in named if one.on <= question.on), key=lambda one: one.on)
    if not known:
        return None
    return Decided(calendar, f"{known[0].decision} ({known[0].on})", max(known[0].on, question.began), tuple(known))


def rounds(rule: SamplingRule, question: Question) -> Iterator[Round]:
    """Every calendar of a rule that a decision requires, at each of its stations."""
    own = [one for one in question.site.sampling if one.rule == rule.id]
    known = [each for one in own if (each := decided(rule, one, question)) is not None]
    saturday = question.policy.office_open_on_saturday.value != 0
    counting = calendar_of(question.law, office_open_on_saturday=saturday)
    due = [(one, events(one.calendar, counting, question.on)) for one in known]
    if not any(found for _, found in due):
        return
    taken = sampled(question, [one.calendar for one in known], min(found[0].first for _, found in due if found))
    for one, found in due:
        for station in one.calendar.stations:
            yield Round(one, station, _visits(question, one, station, found, taken[station]), taken[station])


def _visits(
    question: Question, one: Decided, station: str, found: Sequence[SamplingEvent], taken: Sampled
) -> tuple[Visit, ...]:  # fmt: skip
    excuses = [each for each in one.calendar.excused if each.of(station)] + taken.dry
    every = visits(found, taken.days(one.calendar), excuses, question.now)
    if one.calendar.group == LEVELS and _has_logger(question, station):
        _add_logged(question, station, every, taken)
        every = visits(found, taken.days(one.calendar), excuses, question.now)
    return tuple(each for each in every if one.owed(each.event.due))


def _has_logger(question: Question, station: str) -> bool:
    return any(one.id == station and one.logger for one in question.site.well)


def _add_logged(question: Question, station: str, every: Sequence[Visit], taken: Sampled) -> None:
    """A logger that read is a level on record; asked only where no other level answers."""
    for visit in every:
        event = visit.event
        if visit.status != "ON_RECORD" and event.first <= question.on:
            day = logged_day(question, station, event.first, event.due, event.last)
            if day is not None:
                taken.add(LEVELS, *day)


def _of_round(rule: SamplingRule, question: Question, one: Round) -> Iterator[Finding]:
    """Events that are late or excused, and where the calendar stands now."""
    for visit in one.visits:
        if visit.status in LATE or visit.status == "NOT_APPLICABLE":
            yield _finding(rule, question, one, visit)
    following = next_due(one) or next(reversed(one.visits), None)
    if following is not None and following.status in {"RUNNING", "ON_RECORD"}:
        yield _finding(rule, question, one, following)


def next_due(one: Round) -> Visit | None:
    """The event that is to be sampled next at a station; None where the calendar is over."""
    return next((visit for visit in one.visits if visit.status == "RUNNING"), None)


def _finding(rule: SamplingRule, question: Question, one: Round, visit: Visit) -> Finding:
    calendar, event = one.decided.calendar, visit.event
    verdict, goes_on = VERDICT_OF[visit.status], visit.status == "NOT_ON_RECORD"
    plain, limit = last_days(event, question)[0], limit_words(event, question)
    done = visit.sampled if visit.status == "ON_RECORD_LATE" else None
    return Finding(
        rule=rule.id, clause=clause_of(rule, calendar), station=one.station, parameter=calendar.group,
        aspect=f"{calendar.id}, due {event.due}", start=event.due,
        end=None if goes_on else max(done or event.due, event.due), opened_on=event.last, verdict=verdict,
        status=visit.status, measured=measured(visit), limit=limit, unit="", reason=_reason(one, visit, question),
        verification=question.law.computing.verification, ongoing=goes_on,
        information=rule.information and verdict in NOTABLE, material=(limit,),
        evidence=tuple(_evidence(one, visit)),
        facts={
            "calendar": calendar.id, "first": event.first.isoformat(), "due": event.due.isoformat(),
            "plain_due": plain.isoformat(), "statutory_due": event.last.isoformat(), "lacking": list(visit.lacking),
            "sampled": visit.sampled and visit.sampled.isoformat(), "days_late": done and visit.days_late(done),
        },
    )  # fmt: skip


def last_days(event: SamplingEvent, question: Question) -> tuple[date, date]:
    """The last day in time, plain and statutory."""
    plain = (event.ends[0] - timedelta(microseconds=1)).astimezone(question.zone).date()
    return plain, event.last


def limit_words(event: SamplingEvent, question: Question) -> str:
    """Both last days in words."""
    plain, statutory = last_days(event, question)
    return f"{plain} (plain), {statutory} (statutory)"


def measured(visit: Visit) -> str:
    """What is on record of an event, in words."""
    late = visit.days_late(visit.sampled) if visit.sampled else 0
    if visit.status == "ON_RECORD_LATE":
        return f"sampled {visit.sampled}, late by {late} day{'s' * (late != 1)}"
    if visit.status == "NOT_APPLICABLE":
        return f"no miss: {visit.why}"
    if visit.status == "ON_RECORD":
        return f"sampled {visit.sampled}"
    return f"no result on record of {lacks(visit)}"


def lacks(visit: Visit) -> str:
    """The substances that were not sampled in time, in words."""
    return ", ".join(name.replace("_", " ") for name in visit.lacking)


def _reason(one: Round, visit: Visit, question: Question) -> str:
    calendar, event = one.decided.calendar, visit.event
    last = last_sample(one, visit)
    before = f"last sample {last}" if last else "never sampled before"
    tolerance = f" and {calendar.tolerance_days} days" if calendar.tolerance_days else ""
    return (
        f"{calendar.group} at {one.station}: to be sampled from {event.first} to {event.due}{tolerance}, by the end of "
        f"{limit_words(event, question)}; {measured(visit)}; {before}. "
        f"A result sampled in time counts whenever it is delivered. Required by {one.decided.decision}"
    )


def last_sample(one: Round, visit: Visit) -> date | None:
    """The last day before the end of an event on which the station was sampled for anything of the group."""
    names = one.decided.calendar.substances or (LEVELS,)
    known = [_last_by(one.taken.rows.get(name, {}), visit.event.last) for name in names]
    return max((day for day in known if day is not None), default=None)


def _last_by(days: Iterable[date], until: date) -> date | None:
    return max((day for day in days if day <= until), default=None)


def _evidence(one: Round, visit: Visit) -> Iterator[Evidence]:
    names = one.decided.calendar.substances or (LEVELS,)
    for name in names:
        rows = one.taken.rows.get(name, {})
        day = _last_by(rows, visit.sampled or visit.event.last)
        if day is not None:
            says = f"{name.replace('_', ' ')} on {day}"
            yield Evidence("sample", says, "context" if name in visit.lacking else "against", (rows[day],))
    yield from (Evidence("on record", each.record, "context") for each in _excusing(one, visit))


def _excusing(one: Round, visit: Visit) -> list[Excuse]:
    event = visit.event
    known = [each for each in one.decided.calendar.excused if each.of(one.station)]
    return [each for each in known if each.excuses(event.first, event.due, event.last)]
