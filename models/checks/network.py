"""Completeness of what must be located, listed and sampled: each requirement of a rule, and each gap by name.

A gap is a condition of the record, not guilt: what was done and never filed reads as a gap until it is filed. Nothing
is judged before mining began; a baseline that was never taken is a gap from then on. Information of 2.08 is asked for
only where a decision requires it, and papers of an application only where the town keeps an inventory of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from models.applicability import not_applicable
from models.checks.network_answer import Answer
from models.checks.network_baseline import background, baseline, sectors
from models.checks.network_gradient import gradient
from models.checks.network_papers import floor, paper, ponds
from models.checks.network_places import residences, waters, wells
from models.checks.network_setbacks import setback
from models.finding import Evidence, Finding, Scope
from models.network_rule import NetworkRule, Requirement
from models.question import Judged, Question
from models.verdict import NOTABLE, Verdict

ANSWERS: dict[str, Callable[[Any, Question], Answer]] = {
    "paper": paper, "wells": wells, "waters": waters, "residences": residences, "baseline": baseline,
    "sectors": sectors, "background": background, "gradient": gradient, "floor": floor, "ponds": ponds,
    "setback": setback,
}  # fmt: skip
NOT_BEGUN = "mining has not begun"
NO_INVENTORY = "the town keeps no inventory of this site ([inventory])"
STATUS: dict[Verdict, str] = {
    "attained": "INCOMPLETE", "needs_confirmation": "PERHAPS_INCOMPLETE", "indeterminate": "CANNOT_TELL",
    "not_attained": "COMPLETE", "not_applicable": "NOT_APPLICABLE",
}  # fmt: skip
GAPS_NAMED = 8
"""In the reason of a finding; its evidence names them all."""


def check(rule: NetworkRule, question: Question) -> Judged:
    """One finding for each requirement of the rule."""
    scopes = (Scope(rule.id, question.site.id, date.min),)
    if question.on < question.began:
        return Judged((not_applicable(rule, question, NOT_BEGUN),), scopes)
    return Judged(tuple(_finding(rule, question, one) for one in answers(rule, question)), scopes)


def answers(rule: NetworkRule, question: Question) -> list[Answer]:
    """What is found of each requirement, whether mining has begun or not."""
    return [_answer(rule, question, asked) for asked in rule.requires]


def _answer(rule: NetworkRule, question: Question, asked: Requirement) -> Answer:
    if (rule.required_by or asked.required_by) and not required(rule, question, asked):
        why = "is discretionary and no decision that requires it is on file and in force ([[permit.required]])"
        return Answer(asked, not_judged=f"{asked.clause} {why}")
    if rule.from_inventory and not asked.required_by and not question.site.inventory.kept:
        return Answer(asked, not_judged=NO_INVENTORY)
    return ANSWERS[asked.ask](asked, question)


@dataclass(frozen=True)
class Decision:
    """The decision that requires something, and its day."""

    decision: str
    on: date


def required(rule: NetworkRule, question: Question, asked: Requirement) -> Decision | None:
    """The first decision on file that requires a requirement; None where none does, or where none is needed."""
    if not (rule.required_by or asked.required_by):
        return None
    named = [one for one in question.site.permit.required if one.rule == rule.id and one.asks(question.on)]
    of_it = [Decision(one.decision, one.on) for one in named if not one.only or asked.name in one.only]
    return min(of_it, key=lambda one: one.on, default=None)


def _finding(rule: NetworkRule, question: Question, one: Answer) -> Finding:
    verdict, asked = one.verdict, one.asked
    decision = required(rule, question, asked)
    since = max(question.began, decision.on if decision else question.began)
    return Finding(
        rule=rule.id, clause=asked.clause, station=question.site.id, parameter=asked.name, aspect="",
        start=question.began, end=None, opened_on=since, verdict=verdict, status=_status(one), measured=one.measured,
        limit=asked.title, unit="", reason=_reason(one), verification="as the site file and the record state it",
        ongoing=verdict in NOTABLE, lapses=True, information=rule.information and verdict in NOTABLE,
        material=(verdict, *(gap.says for gap in one.gaps)),
        evidence=tuple(_evidence(one, decision)), facts={"gaps": [vars(gap) for gap in one.gaps]},
    )  # fmt: skip


def _status(one: Answer) -> str:
    """The verdict in the words of a list: that a gap is attained would read as if nothing were missing."""
    return one.verdict if one.asked.ask == "setback" else STATUS[one.verdict]


def _reason(one: Answer) -> str:
    if one.not_judged:
        return one.not_judged
    named = [gap.says if gap.sure else f"perhaps {gap.says}" for gap in one.gaps[:GAPS_NAMED]]
    more = len(one.gaps) - len(named)
    parts = [*named, *([f"and {more} more, named in the evidence"] if more > 0 else [])]
    return "; ".join([*parts, *([one.unknown] if one.unknown else [])]) or "nothing is missing"


def _evidence(one: Answer, decision: Decision | None) -> list[Evidence]:
    asked = one.asked
    lines = [Evidence("clause", f"{asked.clause}: {asked.text}", "context")]
    if decision is not None:
        lines.append(Evidence("required by", f"{decision.decision}, {decision.on}", "context"))
    lines += [Evidence("gap", f"{gap.says}. {gap.do}", "supports") for gap in one.gaps]
    lines += [Evidence("note", note, "context") for note in one.notes]
    return [*lines, *([Evidence("reading", asked.counsel, "context")] if asked.counsel else [])]
