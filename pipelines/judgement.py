"""The heart of a night, in one transaction: judge, record what changed, take people's acts, compose the mails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models import evaluate
from models.case import Case, cases
from models.case_duties import case_deadlines
from models.checks import base_flow, gauge_days, lateness, surface_level, surface_level_days
from models.checks.revised_days import DAYS
from models.clock import OPEN, Deadline
from models.counting import Calendar, calendar_under
from models.event import Event
from models.finding import Finding, Scope, Transition, transitions
from models.observation import Reject
from models.question import Changed, Question
from models.reconcile import reconcile
from models.rules import BaseFlowRule, Step
from pipelines import (
    act_doubts,
    casebook,
    daily,
    daily_levels,
    estimates,
    events_file,
    frozen_base_flow,
    marks,
    observations,
    review_book,
)  # fmt: skip
from pipelines.arrivals import Arrivals
from pipelines.casebook import instant, ms
from pipelines.recall import Recall, midnight_ms
from pipelines.site_folder import SiteFolder

ONE_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Outcome:
    """What one night's judgement did and found."""

    changes: tuple[Transition, ...]
    standing: tuple[Finding, ...]
    new_events: tuple[Event, ...]
    events: tuple[Event, ...]
    deadlines: tuple[Deadline, ...]
    refused: tuple[Reject, ...]
    not_evaluable: tuple[str, ...]
    stale: tuple[str, ...]
    first: bool
    edited: tuple[str, ...] = ()
    closed_deadlines: tuple[Deadline, ...] = ()
    contradicted: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()


def judge(connection: Connection, folder: SiteFolder, on: date, now: datetime) -> Outcome:
    """Judge what waits and record what came of it; nothing is sent."""
    zone = ZoneInfo(folder.law.zone)
    known_at = ms(now)
    folder, edited = frozen_base_flow.as_first_used(connection, folder)
    frozen_base_flow.freeze(connection, folder.site, on)
    known = [one for one in casebook.standing(connection) if not one.information]
    first = marks.get(connection, marks.LOADED) is None and not known
    lines = events_file.lines(folder, now)
    estimates.keep(connection, folder, review_book.acts(connection, known_at), known_at)
    changed = _changed(connection, folder, Recall(connection, zone), on, known_at)
    recorded = casebook.events(connection)
    before = casebook.standing(connection)
    question = Question(
        folder.site, folder.law, folder.policy, Arrivals(connection, zone), on, now, changed,
        (*recorded, *events_file.admitted(lines, recorded, folder)[0]), folder.households.well, before,
        review_book.contested(connection, zone, known_at),
    )  # fmt: skip
    judged = evaluate.findings(question)
    changes = transitions(before, judged.findings, [*judged.scopes, *_taken_out(folder, before, changed)])
    changes = [_with_changed_days(one, question) for one in changes]
    noted = reconcile(changes, recorded, now)
    for change in changes:
        casebook.append_finding(connection, change, known_at)
    for event in noted:
        casebook.append_event(connection, event, known_at)
    taken, refused = events_file.take(connection, folder, lines, [*recorded, *noted], known_at)
    if marks.arrivals(connection):
        marks.put(connection, marks.LOADED, on.isoformat())
    marks.judged(connection, midnight_ms(on + ONE_DAY, zone))
    marks.put(connection, marks.JUDGED, folder.digest)
    marks.put(connection, marks.NIGHT, on.isoformat())
    everything = (*recorded, *noted, *taken)
    return Outcome(
        tuple(changes), tuple(casebook.standing(connection)), (*noted, *taken), everything,
        tuple(all_deadlines(everything, folder, now)), refused, _not_evaluable(question),
        tuple(_stale(folder, Recall(connection, zone), on)), first, edited,
        tuple(all_deadlines(everything, folder, now, status="closed")),
        (*_contradicted(connection, everything, folder), *_doubted(connection, taken, folder)),
        tuple(lateness.not_judged(question)),
    )  # fmt: skip


def _with_changed_days(change: Transition, question: Question) -> Transition:
    """A shortfall or a lowering that was withdrawn or reads differently, with the days that did it."""
    before = change.previous
    if before is None or change.change not in {"retracted", "amended"} or DAYS not in before.facts:
        return change
    if before.parameter == surface_level_days.STAGE:
        return replace(change, changed_days=surface_level.changed_days(before, question))
    gauge = next((one for one in question.site.gauge if one.id == before.station), None)
    now = [] if gauge is None else gauge_days.daily(question, gauge, before.start, before.end or question.on)
    return replace(change, changed_days=base_flow.changed_days(before, now))


def _taken_out(folder: SiteFolder, before: Sequence[Finding], changed: Changed) -> list[Scope]:
    """After a change of site or law: what stands at a station, or under a rule, that is no more."""
    stations = {one.id for one in folder.site.stations()}
    rules = {rule.id for rule in folder.law.rule}
    gone = [one for one in before if one.station not in stations or one.rule not in rules]
    return [Scope(one.rule, one.station, one.start) for one in gone] if changed.everything else []


def _changed(connection: Connection, folder: SiteFolder, recall: Recall, on: date, known_at: int) -> Changed:
    touched = _touched(connection, recall.zone, on)
    derived = daily.derive(connection, folder, recall, touched, known_at)
    first = {key: first for key, (first, _) in touched.items()}
    levelled = daily_levels.derive(connection, folder, recall, touched, on, known_at)
    surveyed = _surveyed(connection, folder, on)
    every = (first, derived, levelled, surveyed)
    earliest = {key: min(one[key] for one in every if key in one) for key in first | derived | levelled | surveyed}
    everything = marks.get(connection, marks.JUDGED) != folder.digest
    return Changed(earliest, everything)


def _surveyed(connection: Connection, folder: SiteFolder, on: date) -> dict[tuple[str, str], date]:
    """The first day that a survey puts in a new light, by gauge: one in the file beforehand speaks from its day on."""
    night = marks.get(connection, marks.NIGHT)
    first, last = sorted((date.min if night is None else date.fromisoformat(night), on))
    valid = int(folder.policy.stage_datum_check_valid.value)
    found = {gauge.id: surface_level_days.newly_surveyed(gauge, first, last, valid) for gauge in folder.site.gauge}
    return {(id, surface_level_days.STAGE): day for id, day in found.items() if day is not None}


def _touched(connection: Connection, zone: ZoneInfo, on: date) -> dict[tuple[str, str], tuple[date, date]]:
    """First and last civil day up to ``on`` that waits to be judged, by station and parameter."""
    table = observations.series_table(connection)
    spans: dict[tuple[str, str], tuple[date, date]] = {}
    for id, (first_ms, last_ms) in marks.arrivals(connection).items():
        key = (str(table["station"][id]), str(table["parameter"][id]))
        first, last = (instant(one).astimezone(zone).date() for one in (first_ms, last_ms))
        known = spans.get(key, (first, last))
        if first <= on:
            spans[key] = (min(first, known[0]), min(max(last, known[1]), on))
    return spans


def calendar(folder: SiteFolder) -> Calendar:
    """The ordinance's computing of time, with the town's office hours."""
    return calendar_under(folder.law, folder.policy)


def all_cases(events: Sequence[Event], folder: SiteFolder) -> list[Case]:
    """Every case as its acts say it stands, time counted as the town keeps its office."""
    return cases(events, folder.law, calendar(folder))


def _contradicted(connection: Connection, now: Sequence[Event], folder: SiteFolder) -> list[str]:
    """Acts that others made impossible since a night last told so; the town's that stand all the same come first."""
    found = [(case, one) for case in all_cases(now, folder) for one in case.contradictions]
    told, keys = marks.get(connection, marks.CONTRADICTED) or "", sorted(one.event.key() for _, one in found)
    if keys != told.split():
        marks.put(connection, marks.CONTRADICTED, " ".join(keys))
    new = [(case, one) for case, one in found if one.event.key() not in told.split()]
    new.sort(key=lambda each: not each[1].stands)
    return [f"{case.id}: {one.told(case.kind.event_of(one.event.name))}" for case, one in new]


def _doubted(connection: Connection, taken: Sequence[Event], folder: SiteFolder) -> Iterator[str]:
    """What the record holds against the days that tonight's acts cite."""
    for event in taken:
        for line in act_doubts.of_cited_days(connection, folder, event):
            yield f"{event.case}: {event.name} is taken, and doubted: {line}"


def all_deadlines(
    events: Sequence[Event], folder: SiteFolder, now: datetime, *, status: str = "open"
) -> list[Deadline]:  # fmt: skip
    """Every step of every case of a status that an act has started, as it stands.

    A retracted or closed case owes nothing but what outlives it: that is told with the open ones until it is done.
    """
    found = all_cases([event for event in events if event.recorded_at <= now], folder)
    every = [
        (case, one)
        for case in found
        for one in case_deadlines(case, folder.law.steps(case.kind.id), calendar(folder), now)
    ]
    lasting = {step.id for step in folder.law.rule if isinstance(step, Step) and step.outlives_case}
    return [
        one
        for case, one in every
        if status == ("open" if case.status == "closed" and one.step in lasting and one.standing in OPEN
                      else case.status)
    ]  # fmt: skip


def _stale(folder: SiteFolder, recall: Recall, on: date) -> Iterator[str]:
    """Gauges that say nothing about the water now: silence is no recovery."""
    for gauge in folder.site.gauge:
        last = recall.last_known_day(gauge.id, gauge.judged, on)
        if last is None or (on - last).days > folder.policy.stale_after.value:
            yield f"{gauge.id}: {'no daily value yet' if last is None else f'last known day {last}'}"


def _not_evaluable(question: Question) -> tuple[str, ...]:
    rules = [rule for rule in question.law.checks(question.on) if isinstance(rule, BaseFlowRule)]
    return tuple(dict.fromkeys(line for rule in rules for line in base_flow.not_evaluable(rule, question)))
