"""Whether a rule that is law reaches this site at all: discretionary rules, and operations older than the ordinance."""

from __future__ import annotations

from datetime import date

from models.clause import Clause
from models.finding import Finding, Scope
from models.permit import Permit
from models.question import Judged, Question
from models.rules import Ordinance


def why_not(rule: Clause, question: Question) -> str:
    """Why a rule in force does not reach the site on the day judged, in words; "" where it does."""
    return reaches_not(rule, question.site.permit, question.law, question.on)


def reaches_not(rule: Clause, permit: Permit, law: Ordinance, on: date) -> str:
    """The same of a permit and a day."""
    if rule.required_by and not any(one.rule == rule.id and one.asks(on) for one in permit.required):
        why = "is discretionary and no decision that requires it is on file and in force ([[permit.required]])"
        return f"{rule.clause} {why}"
    older = permit.pre_existing
    if law.applies and older and rule.id in law.applies.pre_existing_spared_from and older.spared(on):
        return f"{law.applies.clause}: the operation is older than the ordinance ({older.decision}, {older.on})"
    return ""


def not_reached(rule: Clause, question: Question, why: str) -> Judged:
    """A rule that does not reach the site: said once, and nothing stands under it any more."""
    stood = [Scope(rule.id, one.station, one.start) for one in question.standing if one.rule == rule.id]
    return Judged((not_applicable(rule, question, why),), tuple(stood))


def not_applicable(rule: Clause, question: Question, why: str) -> Finding:
    """The finding that a rule does not apply to the site on the day judged."""
    return Finding(
        rule=rule.id, clause=rule.clause, station=question.site.id, parameter="", aspect="", start=question.on,
        end=question.on, opened_on=question.on, verdict="not_applicable", status="NOT_APPLICABLE",
        measured="", limit="", unit="", reason=why,
    )  # fmt: skip
