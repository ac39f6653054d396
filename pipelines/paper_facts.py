"""What a paper says, gathered from the store: the facts of its template, and why it is still a draft."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from models.case import Case, CaseId, Event
from models.case_duties import case_deadlines
from models.case_kind import CaseKind
from models.checks import gauge_days
from models.checks.signed_flow import signed_versions, versions_of
from models.errors import BadQuestion
from models.finding import Finding
from models.paper_days import days_of, why_draft
from models.paper_kind import PaperKind
from models.paper_slots import Slot
from models.question import Changed, Question
from models.reconcile import case_of
from models.review import Review
from models.rules import BaseFlowRule
from models.site import Property
from models.step import Step
from pipelines import casebook, review_book
from pipelines.frozen_base_flow import as_first_used
from pipelines.judgement import calendar
from pipelines.recall import Recall
from pipelines.site_folder import SiteFolder
from pipelines.told_results import NO_RESULTS, STILL_HOLDS, attained_results, correction
from reports.papers import condition_notice, remedy, result_correction, result_letter
from reports.papers.condition_notice import Condition
from reports.papers.remedy import Remedy
from reports.papers.words import Due, due


@dataclass(frozen=True)
class Asked:
    """One paper to be written. ``case``: None of a blank form, and of a letter whose case has not begun."""

    connection: Connection
    folder: SiteFolder
    kind: PaperKind
    id: str
    case: Case | None
    now: datetime

    @property
    def today(self) -> date:
        return self.now.astimezone(ZoneInfo(self.folder.law.zone)).date()

    @property
    def subject(self) -> str:
        """The property, gauge or site it is about; "" of a blank form."""
        return CaseId.parse(self.id).subject if "/" in self.id else ""

    @property
    def case_kind(self) -> CaseKind:
        return next(one for one in self.folder.law.case if one.id == self.kind.case)

    @property
    def operator(self) -> str:
        """Who holds the permit on the day of writing."""
        return self.folder.site.party_of(self.folder.site.holder(self.today)).name

    @property
    def parcel(self) -> Property | None:
        return next((one for one in self.folder.site.property if one.id == self.subject), None)


@dataclass(frozen=True)
class Told:
    """Facts for the template; ``draft``: why the paper may not be released yet; ``results``: those it tells of."""

    facts: Mapping[str, Any]
    draft: tuple[str, ...] = ()
    results: tuple[Mapping[str, str], ...] | None = None


def told(asked: Asked) -> Told:
    """The facts of a paper.

    Raises
    ------
    BadQuestion : what it would rest on is not on record.
    """
    return _WRITERS[asked.kind.template](asked)


def addressees(asked: Asked) -> tuple[tuple[str | Slot, ...], ...]:
    """The lines of each addressee; a household stands there as slots."""
    return tuple(_lines(asked, one) for one in asked.kind.to)


def _lines(asked: Asked, who: str) -> tuple[str | Slot, ...]:
    if who == "operator":
        return (asked.operator, f"operator of {asked.folder.site.name}")
    if asked.parcel is None:  # the town itself may be the claimant
        name = next((one.name for one in asked.folder.site.party if one.id == asked.subject), asked.subject)
        return (name, who)
    role = f"{who} of property {asked.subject}"
    return (Slot("owner" if who == "owner" else "occupant", asked.subject), role, Slot("address", asked.subject))


def _condition(asked: Asked) -> Told:
    case, (folder, _) = _of_case(asked), as_first_used(asked.connection, asked.folder)
    finding = _finding_of(asked, case)
    gauge = next(one for one in folder.site.gauge if one.id == finding.station)
    stream, rule = folder.site.stream_of(gauge), folder.law.rule_of(finding.rule)
    if stream is None or not isinstance(rule, BaseFlowRule):
        raise BadQuestion("no finding of a stream flow stands behind the case", found=asked.id)
    recall = Recall(asked.connection, ZoneInfo(folder.law.zone))
    question = Question(folder.site, folder.law, folder.policy, recall, asked.today, asked.now, Changed())
    over = rule.more_than_days or 0
    record = gauge_days.daily(question, gauge, finding.opened_on - timedelta(days=over), finding.opened_on)
    signed = signed_versions(stream, gauge, question.began, asked.today)
    known = review_book.acts(asked.connection)
    seen = review_book.acceptance(asked.connection, recall.zone, folder.site.gauge, folder.law, finding, known)
    days = days_of(finding, over, record, signed, seen)
    versions = versions_of(signed, [one.day for one in days])
    condition = Condition(finding, days, versions, gauge, stream, _signatures(asked, finding, known))
    answer, given = _due(asked, asked.kind.clocks[0]), _started(asked, case)
    facts = condition_notice.facts(condition, asked.kind, answer, given, folder.law, folder.policy)
    return Told(facts, why_draft(finding, days, seen))


def _signatures(asked: Asked, finding: Finding, known: Sequence[Review]) -> list[Review]:
    """The acts that signed the finding as it stands."""
    newest = review_book.newest_versions(asked.connection)
    return [one.act for one in review_book.signatures(finding.key, newest, known) if one.current]


def _finding_of(asked: Asked, case: Case) -> Finding:
    """The finding that stands behind a case."""
    for one in casebook.standing(asked.connection):
        if one.opens == case.kind.id and case_of(one, case.recorded) == case.id:
            return one
    raise BadQuestion("no finding stands behind the case any more: it was withdrawn", found=asked.id)


def _started(asked: Asked, case: Case) -> Event | None:
    """The act on record from which the paper's first clock runs."""
    step = asked.folder.law.rule_of(asked.kind.clocks[0])
    names = step.runs_from if isinstance(step, Step) else ()
    return next((one for one in reversed(case.events) if one.name in names), None)


def _form(asked: Asked) -> Told:
    steps = [_due(asked, id) for id in asked.kind.clocks]
    return Told(remedy.form(asked.kind, asked.operator, steps, asked.folder.law))


def _receipt(asked: Asked) -> Told:
    return Told(remedy.receipt(asked.kind, _of_case(asked), _remedy(asked), asked.folder.law))


def _demand(asked: Asked) -> Told:
    return Told(remedy.demand(asked.kind, _of_case(asked), _remedy(asked), asked.folder.law))


def _remedy(asked: Asked) -> Remedy:
    owner = _lines(asked, "owner")
    parcel = asked.parcel.parcel if asked.parcel else ""
    return Remedy(asked.subject, parcel, owner, [_due(asked, id) for id in asked.kind.clocks])


def _letter(asked: Asked) -> Told:
    found = attained_results(asked.connection, asked.folder, asked.id)
    if not found:
        raise BadQuestion(NO_RESULTS, found=asked.id)
    law = asked.folder.law
    return Told(result_letter.facts(found, asked.subject, asked.kind, law), (), result_letter.told(found, law))


def _correction(asked: Asked) -> Told:
    found = correction(asked.connection, asked.folder, asked.kind, asked.id)
    if found is None:
        raise BadQuestion(STILL_HOLDS, found=asked.id)
    sampled = CaseId.parse(asked.id).opened
    facts = result_correction.facts(found, asked.subject, sampled, asked.kind, asked.folder.law)
    return Told(facts, (), found.now)


def _of_case(asked: Asked) -> Case:
    if asked.case is None:
        raise BadQuestion("no such case", found=asked.id)
    return asked.case


def _due(asked: Asked, id: str) -> Due:
    """A step as the case stands: its newest run."""
    step, law = asked.folder.law.rule_of(id), asked.folder.law
    if not isinstance(step, Step):
        raise BadQuestion("no step", key="clocks", found=id)
    return due(step, next(reversed(list(_runs(asked, step))), None), asked.case_kind, law)


def _runs(asked: Asked, step: Step) -> Iterator[Any]:
    if asked.case is not None:
        yield from case_deadlines(asked.case, [step], calendar(asked.folder), asked.now)


_WRITERS: Mapping[str, Callable[[Asked], Told]] = {
    "condition_notice": _condition,
    "owner_form": _form,
    "receipt": _receipt,
    "demand": _demand,
    "result_letter": _letter,
    "result_correction": _correction,
}
