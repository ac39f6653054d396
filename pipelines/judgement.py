"""The heart of a night, in one transaction: judge, record what changed, take people's acts, compose the mails."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models import evaluate
from models.admission import admit
from models.case import Case, cases
from models.checks import base_flow, gauge_days, lateness
from models.clock import Deadline, deadlines
from models.counting import Calendar, calendar_of
from models.errors import BadSite, HeadwaterError
from models.event import Event
from models.finding import Finding, Scope, Transition, transitions
from models.observation import Reject
from models.privacy import private_part
from models.question import Changed, Question
from models.reconcile import reconcile
from models.rules import BaseFlowRule
from pipelines import casebook, daily, estimates, frozen_base_flow, inbox, marks, observations, review_book
from pipelines.casebook import instant, ms
from pipelines.recall import Recall, midnight_ms
from pipelines.site_folder import EventLine, SiteFolder, read_events

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
    lines = [line for line in _lines(folder) if line.event is None or line.event.recorded_at <= now]
    estimates.keep(connection, folder, review_book.acts(connection), known_at)
    changed = _changed(connection, folder, Recall(connection, zone), on, known_at)
    recorded = casebook.events(connection)
    before = casebook.standing(connection)
    question = Question(
        folder.site, folder.law, folder.policy, Recall(connection, zone), on, now, changed,
        _with_pending(recorded, lines, folder), folder.households.well, before,
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
    taken, refused = _take_acts(connection, folder, lines, [*recorded, *noted], known_at)
    if marks.arrivals(connection):
        marks.put(connection, marks.LOADED, on.isoformat())
    marks.judged(connection, midnight_ms(on + ONE_DAY, zone))
    marks.put(connection, marks.JUDGED, folder.digest)
    everything = (*recorded, *noted, *taken)
    return Outcome(
        tuple(changes), tuple(casebook.standing(connection)), (*noted, *taken), everything,
        tuple(all_deadlines(everything, folder, now)), refused, _not_evaluable(question),
        tuple(_stale(folder, Recall(connection, zone), on)), first, edited,
        tuple(all_deadlines(everything, folder, now, status="closed")),
        tuple(_newly_contradicted(recorded, everything, folder)), tuple(lateness.not_judged(question)),
    )  # fmt: skip


def _with_changed_days(change: Transition, question: Question) -> Transition:
    """A shortfall that was withdrawn or reads differently, with the days that did it."""
    before = change.previous
    if before is None or change.change not in {"retracted", "amended"} or "days" not in before.facts:
        return change
    gauge = next((one for one in question.site.gauge if one.id == before.station), None)
    now = [] if gauge is None else gauge_days.daily(question, gauge, before.start, before.end or question.on)
    return replace(change, changed_days=base_flow.changed_days(before, now))


def _taken_out(folder: SiteFolder, before: Sequence[Finding], changed: Changed) -> list[Scope]:
    """After a change of site or law: what stands at a station, or under a rule, that is no more."""
    stations = {one.id for one in folder.site.stations()}
    rules = {rule.id for rule in folder.law.rule}
    gone = [one for one in before if one.station not in stations or one.rule not in rules]
    return [Scope(one.rule, one.station, one.start) for one in gone] if changed.everything else []


def _with_pending(recorded: Sequence[Event], lines: Iterable[EventLine], folder: SiteFolder) -> tuple[Event, ...]:
    """What is recorded and what events.csv will add tonight, each act once; a line that is refused says nothing."""
    known, found = {event.key() for event in recorded}, list(recorded)
    for line in lines:
        if line.event is not None and line.event.key() not in known and _fault(line, found, folder) is None:
            found.append(line.event)
    return tuple(found)


def _changed(connection: Connection, folder: SiteFolder, recall: Recall, on: date, known_at: int) -> Changed:
    touched = _touched(connection, recall.zone, on)
    derived = daily.derive(connection, folder, recall, touched, known_at)
    first = {key: first for key, (first, _) in touched.items()}
    earliest = {key: min(day for day in (first.get(key), derived.get(key)) if day) for key in first | derived}
    everything = marks.get(connection, marks.JUDGED) != folder.digest
    return Changed(earliest, everything)


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


def _lines(folder: SiteFolder) -> list[EventLine]:
    """The lines of events.csv; a file that is none is one bad line, and the rest of the night goes on."""
    try:
        return list(read_events(folder.path / "events.csv"))
    except BadSite as caught:
        why = str(BadSite(caught.reason, found=caught.found, allowed=caught.allowed))
        return [EventLine(caught.row or 0, str(caught.found or ""), None, why)]


def _take_acts(
    connection: Connection, folder: SiteFolder, lines: Iterable[EventLine], before: Sequence[Event], known_at: int
) -> tuple[list[Event], tuple[Reject, ...]]:
    """People's acts from events.csv: new ones are recorded, impossible ones refused with the reason."""
    known = {event.key() for event in before}
    taken: list[Event] = []
    refused: list[Reject] = []
    for line in lines:
        if line.event is not None and line.event.key() in known:
            continue
        fault = _fault(line, [*before, *taken], folder)
        if fault is None and line.event is not None:
            casebook.append_event(connection, line.event, known_at)
            taken.append(line.event)
        else:
            refused.append(_refused(line, fault or line.reason, folder))
    _keep_refused(connection, refused, known_at)
    return taken, tuple(refused)


def _refused(line: EventLine, fault: str, folder: SiteFolder) -> Reject:
    """What is kept of a line that was not taken: nothing of it where it names a household."""
    part = private_part(line.raw, folder.households)
    if part is None:
        return Reject("events.csv", line.row, line.column, line.raw, fault)
    why = f"holds a household's {part}: an act names nobody; say owner:PROPERTY"
    sha256 = hashlib.sha256(line.raw.encode()).hexdigest()[:12]
    return Reject("events.csv", line.row, line.column, f"(withheld, {sha256})", why)


def _fault(line: EventLine, existing: Sequence[Event], folder: SiteFolder) -> str | None:
    if line.event is None:
        return line.reason
    try:
        admit(line.event, existing, folder.site, folder.law, policy=folder.policy, households=folder.households)
    except HeadwaterError as caught:
        return str(caught)
    return None


def _keep_refused(connection: Connection, refused: Sequence[Reject], known_at: int) -> None:
    """events.csv is a living file: each refused line is kept once, under the hash of its own text."""
    for one in refused:
        sha256 = hashlib.sha256(f"events.csv\0{one.raw}\0{one.reason}".encode()).hexdigest()
        if observations.source_seen(connection, sha256) is None:
            id = observations.record_source(
                connection,
                sha256=sha256,
                file="events.csv",
                format=inbox.EVENTS,
                size=len(one.raw),
                arrived_at=known_at,
            )
            observations.record_rejects(connection, id, [one])


def calendar(folder: SiteFolder) -> Calendar:
    """The ordinance's computing of time, with the town's office hours."""
    return calendar_of(folder.law, office_open_on_saturday=folder.policy.office_open_on_saturday.value != 0)


def all_cases(events: Sequence[Event], folder: SiteFolder) -> list[Case]:
    """Every case as its acts say it stands, time counted as the town keeps its office."""
    return cases(events, folder.law, calendar(folder))


def _newly_contradicted(before: Sequence[Event], now: Sequence[Event], folder: SiteFolder) -> Iterator[str]:
    """Acts that became impossible by what was recorded tonight: they stay on record and count for nothing."""
    known = {one.event.key() for case in all_cases(before, folder) for one in case.contradictions}
    for case in all_cases(now, folder) if len(now) > len(before) else ():
        for one in case.contradictions:
            if one.event.key() not in known:
                yield f"{case.id}: {one.event.name} is contradicted by another act and left out: {one.reason}"


def all_deadlines(
    events: Sequence[Event], folder: SiteFolder, now: datetime, *, status: str = "open"
) -> list[Deadline]:  # fmt: skip
    """Every step of every open case that an act has started, as it stands; a retracted or closed case owes nothing."""
    found = all_cases([event for event in events if event.recorded_at <= now], folder)
    return [
        deadline
        for case in found
        if case.status == status
        for deadline in deadlines(case.id, folder.law.steps(case.kind.id), case.events, calendar(folder), now)
    ]


def _stale(folder: SiteFolder, recall: Recall, on: date) -> Iterator[str]:
    """Gauges that say nothing about the water now: silence is no recovery."""
    for gauge in folder.site.gauge:
        last = recall.last_known_day(gauge.id, gauge.judged, on)
        if last is None or (on - last).days > folder.policy.stale_after.value:
            yield f"{gauge.id}: {'no daily value yet' if last is None else f'last known day {last}'}"


def _not_evaluable(question: Question) -> tuple[str, ...]:
    rules = [rule for rule in question.law.checks(question.on) if isinstance(rule, BaseFlowRule)]
    return tuple(dict.fromkeys(line for rule in rules for line in base_flow.not_evaluable(rule, question)))
