"""What the program's own record says against an act that it takes all the same; whoever recorded it weighs it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.case import cases
from models.case_duties import case_deadlines
from models.case_id import CaseId
from models.case_reading import reading, table_of
from models.checks import cited_run
from models.counting import calendar_under
from models.event import Event
from models.finding import Finding
from models.question import Changed, Question
from models.reconcile import case_of
from models.rules import BaseFlowRule, Step
from pipelines import casebook, review_book
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder

NOTICE = "condition_notice"


def doubts(connection: Connection, folder: SiteFolder, event: Event) -> list[str]:
    """A line for each thing on record that speaks against an act."""
    found = [
        *_before_mining(folder, event), *of_cited_days(connection, folder, event), *_of_papers(folder, event),
        *_of_provisional_days(connection, folder, event), *_ended_at_once(connection, folder, event),
        *_too_late(connection, folder, event),
    ]  # fmt: skip
    return list(dict.fromkeys(found))


def _day(folder: SiteFolder, event: Event) -> date:
    return event.happened_at.astimezone(ZoneInfo(folder.law.zone)).date()


def _before_mining(folder: SiteFolder, event: Event) -> Iterator[str]:
    kind, began = folder.law.case_kind(CaseId.parse(event.case).kind), folder.site.permit.mining_began
    if kind is not None and kind.subject != "site" and _day(folder, event) < began:
        yield f"it happened before mining began on {began}"


def _ended_at_once(connection: Connection, folder: SiteFolder, event: Event) -> Iterator[str]:
    """An order that an act on record ended before today: a slip in its date stops nothing."""
    table = table_of(CaseId.parse(event.case), folder.law, calendar_under(folder.law, folder.policy))
    acts = [one for one in casebook.events(connection) if one.case == event.case]
    ender = reading(acts, table).enders(table.kind).get(event.key())
    by = next((one for one in acts if one.key() == ender), None)
    if by is not None:
        yield f"{by.name} of {_day(folder, by)} ends it, and it is not in force: look at its date"


def _too_late(connection: Connection, folder: SiteFolder, event: Event) -> Iterator[str]:
    """An act after a time whose lapse had decided something, or after the window in which it could be done."""
    calendar = calendar_under(folder.law, folder.policy)
    acts = [one for one in casebook.events(connection) if one.case == event.case]
    for case in cases(acts, folder.law, calendar):
        for one in case_deadlines(case, folder.law.steps(case.kind.id), calendar, event.happened_at):
            if one.lapsed and (one.done_by, one.done_at) == (event.name, event.happened_at):
                yield f"{one.title} ({one.clause}): {one.says}"


def _of_papers(folder: SiteFolder, event: Event) -> Iterator[str]:
    for name, text in event.facts:
        fact = folder.law.fact_of(name)
        if fact is not None and fact.kind == "document" and " sha256:" not in text:
            yield f"{text} is kept as the name of a paper, without a hash: nothing proves what {name} said"


def of_cited_days(connection: Connection, folder: SiteFolder, event: Event) -> Iterator[str]:
    """A run of days: what the record of the case's gauge holds against it, and shortfalls that reach into it."""
    cited = [event.fact(one.name) for one in folder.law.fact if one.run_of and event.fact(one.name)]
    if not cited:
        return
    id, day, since = CaseId.parse(event.case), _day(folder, event), date.fromisoformat(cited[0])
    for one in casebook.standing(connection):
        if (one.opens, one.station) == (id.kind, id.subject) and one.start <= day and (one.end or day) >= since:
            until = one.end or "now"
            yield f"the record has days below base flow from {one.start} to {until}, and the act cites {since} on"
    yield from _of_days(connection, folder, event, since, (event.meeting or day) - timedelta(days=1))


def _of_days(connection: Connection, folder: SiteFolder, event: Event, since: date, last: date) -> Iterator[str]:
    id, day = CaseId.parse(event.case), _day(folder, event)
    gauge = next((one for one in folder.site.gauge if one.id == id.subject), None)
    rules = [one for one in folder.law.rule if isinstance(one, BaseFlowRule) and one.opens == id.kind]
    recall = Recall(connection, ZoneInfo(folder.law.zone))
    question = Question(folder.site, folder.law, folder.policy, recall, day, event.happened_at, Changed())
    if gauge is not None and rules:
        yield from cited_run.doubts(rules[0], question, gauge, since, last)


def _of_provisional_days(connection: Connection, folder: SiteFolder, event: Event) -> Iterator[str]:
    """A notice of a condition whose days no reviewer accepted; the letter is a draft until they are."""
    id = CaseId.parse(event.case)
    papers = [one for one in folder.law.papers(id.kind) if one.template == NOTICE and one.clocks]
    steps = [folder.law.rule_of(one.clocks[0]) for one in papers]
    if not any(isinstance(step, Step) and event.name in step.runs_from for step in steps):
        return
    finding = _finding_behind(connection, event)
    if finding is None:
        yield "the finding behind the case does not stand any more"
        return
    zone, known = ZoneInfo(folder.law.zone), review_book.acts(connection)
    seen = review_book.acceptance(connection, zone, folder.site.gauge, folder.law, finding, known)
    if finding.provisional and not (seen is not None and seen.whole):
        said = seen.says() if seen is not None else "none accepted"
        yield f"the notice rests on provisional days, {said}; `headwater review accept` comes before it is served"


def _finding_behind(connection: Connection, event: Event) -> Finding | None:
    kind, recorded = CaseId.parse(event.case).kind, casebook.events(connection)
    standing = [one for one in casebook.standing(connection) if one.opens == kind]
    return next((one for one in standing if case_of(one, recorded) == event.case), None)
