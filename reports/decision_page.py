"""The page before a decision of the town: what is asked, until when, with which money, and what is known or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from models.case import Case
from models.case_kind import CaseEvent, CaseKind
from models.clock import OPEN, Deadline
from models.event import Event
from models.policy import Policy
from models.rules import Ordinance
from models.step import Step
from reports.decision_words import meeting_lines, waiting_line
from reports.mail import Letterhead
from reports.papers.sheet import Sheet, style

MINUTES = ("body", "meeting", "vote")
"""What makes an act a determination of a body."""
SHOWN_FACTS = frozenset({"money", "date", "year"})
_STANDS = {
    "window_open": "the window is open", "window_passed": "the window has passed; nobody is in default",
    "overdue": "overdue", "open": "open, no time is stated", "running": "running", "paused": "stands still",
}  # fmt: skip


@dataclass(frozen=True)
class FundShown:
    """One fund of the assurance [dollars].

    ``case_drawn``: net, in this case. ``others``: open cases that may draw on it too. ``moved``: whether anything of
    it is on record.
    """

    name: str
    title: str
    clause: str
    held: Decimal
    case_drawn: Decimal
    others: int
    moved: bool
    draw_after: tuple[str, ...]


@dataclass(frozen=True)
class Ground:
    """What the page rests on beside the case itself, in public words: nothing of it names a household."""

    standing: Sequence[str]
    results: Sequence[Mapping[str, str]]
    evidence: Sequence[str]
    doubts: Sequence[str]
    funds: Sequence[FundShown]
    exposure: str = ""


def asked(case: Case, clocks: Sequence[Deadline], law: Ordinance) -> list[tuple[Step, Deadline]]:
    """The steps of a case that wait for a determination of the town, with the newest run of each.

    A step whose determinations all end another step as well is no question of its own.
    """
    steps = [one for one in law.steps(case.kind.id) if one.who == "town" and _decisions(one, case.kind)]
    own = [one for one in steps if not any(_covered(one, other, case.kind) for other in steps)]
    newest = {one.step: one for one in clocks}
    found = [(step, newest[step.id]) for step in own if step.id in newest]
    return [(step, run) for step, run in found if run.to_tell]


def _decisions(step: Step, kind: CaseKind) -> list[CaseEvent]:
    acts = (kind.event_of(name) for name in step.done_by)
    return [one for one in acts if one is not None and one.who == "town" and "vote" in one.requires]


def _covered(step: Step, other: Step, kind: CaseKind) -> bool:
    mine, theirs = ({one.name for one in _decisions(each, kind)} for each in (step, other))
    return step.id != other.id and mine < theirs


def decision_page(
    case: Case, clocks: Sequence[Deadline], allowed: Sequence[str], ground: Ground, head: Letterhead
) -> str:
    """The whole page; the same case gives the same bytes.

    Parameters
    ----------
    clocks : every deadline of the case.
    allowed : the acts that may be recorded as the case stands.
    """
    law, policy = head.law, head.policy
    questions = [_question(step, run, case, allowed, ground, head) for step, run in asked(case, clocks, law)]
    body = next(iter(dict.fromkeys(one["body"] for one in questions)), "the town")
    sheet = Sheet("", "", case.kind.clause, case.id, law.jurisdiction, law.title, head.site.name, "", ())
    return _template().render(
        style=style(sheet), title=f"For decision: {case.kind.title}", case=case, law=law, body=body,
        known_at=head.local(head.now), version=head.version, questions=questions, ground=ground,
        acts=[_act_row(one, case, head) for one in case.events if not one.own],
        unknown=_unknown(case, clocks, ground, law, policy), state=case.state,
    )  # fmt: skip


def _question(
    step: Step, run: Deadline, case: Case, allowed: Sequence[str], ground: Ground, head: Letterhead
) -> dict[str, Any]:
    acts = _decisions(step, case.kind)
    bodies = dict.fromkeys(body for one in acts for body in case.kind.deciding(one))
    cost = head.policy.interim_supply_cost
    return {
        "title": step.title, "clause": step.clause, "text": head.law.rule_of(step.id).text,
        "body": " or ".join(bodies) or "the town", "facts": _times(run, head), "follows": run.says,
        "options": [_option(one, head.law, allowed) for one in acts],
        "meetings": meeting_lines(run, head.law), "funds": [one for one in ground.funds if _pays(one, step)],
        "waiting": waiting_line(run, head.law, head.policy) or (
            f"Each day of supply is put at {cost.says()} a household." if ground.funds else ""
        ),
        "lasts": [_lasts(one, head.policy) for one in ground.funds if one.moved and _pays(one, step)],
    }  # fmt: skip


def _pays(fund: FundShown, step: Step) -> bool:
    return bool(set(fund.draw_after) & set(step.done_by)) or step.reimburse_years is not None


def _lasts(fund: FundShown, policy: Policy) -> str:
    """Whole days of supply of one household that a balance pays for: balance / cost of a day, rounded down."""
    cost = policy.interim_supply_cost.value
    days = int(fund.held / cost) if cost else 0
    others = f"; {fund.others} other open case{'s' * (fund.others != 1)} may draw on it" if fund.others else ""
    return f"The balance of the {fund.name} fund pays {days:,} days of supply of one household at that cost{others}."


def _times(run: Deadline, head: Letterhead) -> list[tuple[str, str]]:
    ends = [("Plain time", run.plain), ("Statutory time", run.statutory)]
    said = [(name, _when(run, instant, head)) for name, instant in ends if instant is not None]
    return [
        ("Runs from", f"{_words(run.started_by)}, {head.local(run.started_at)}"),
        *(said or [("Time", "the clause states none")]),
        ("Stands", _STANDS.get(run.standing, _words(run.standing))),
        *([("If nothing is decided", run.silence)] if run.silence else []),
    ]


def _when(run: Deadline, instant: Any, head: Letterhead) -> str:
    """An instant of a time in hours, else the last civil day."""
    return head.local(instant) if run.in_hours else f"end of {run.due_day(instant, head.zone)}"


def _option(act: CaseEvent, law: Ordinance, allowed: Sequence[str]) -> dict[str, str]:
    means = {one.name: one.means + (f": {' or '.join(one.one_of)}" if one.one_of else "") for one in law.fact}
    stated = [means.get(name, name) for name in act.requires if name not in MINUTES]
    may = [means.get(name, name) for name in act.facts]
    return {
        "Determination": act.means[:1].upper() + act.means[1:],
        "States, beside body, meeting and vote": "; ".join([*stated, *(f"{one} (may)" for one in may)]) or "nothing",
        "Recorded as": act.name + ("" if act.name in allowed else " (not allowed as the case stands)"),
    }


def _act_row(one: Event, case: Case, head: Letterhead) -> dict[str, str]:
    """An act without its free text: no document's name and no note."""
    act = case.kind.event_of(one.name)
    means = act.means if act else _words(one.name)
    return {
        "When": head.local(one.happened_at), "Act": means[:1].upper() + means[1:],
        "Clause": (act.clause if act else "") or case.kind.clause,
        "How": "; ".join(filter(None, [one.method, *_stated(one, head.law)])) or "not recorded",
    }  # fmt: skip


def _stated(one: Event, law: Ordinance) -> Iterator[str]:
    """Body, vote, and the facts that are amounts, days, or words the ordinance file offers."""
    if one.body:
        yield " ".join(filter(None, [one.body, str(one.meeting or ""), one.vote]))
    if one.until:
        yield f"until {one.until}"
    for fact in law.fact:
        if (fact.one_of or fact.kind in SHOWN_FACTS) and (said := one.fact(fact.name)):
            yield f"{_words(fact.name)}: {said}"


def _unknown(
    case: Case, clocks: Sequence[Deadline], ground: Ground, law: Ordinance, policy: Policy
) -> list[str]:  # fmt: skip
    """What nobody can say from the record, or what rests on something nobody has confirmed."""
    waits = [one for one in clocks if one.standing in OPEN and one.who != "town"]
    cost = policy.interim_supply_cost
    found = [line for one in waits for line in _missing(one, case, law)]
    found += [f"CONTRADICTION: {one.told(case.kind.event_of(one.event.name))}" for one in case.contradictions]
    found += ["The finding that opened this case was withdrawn since."] if any(one.withdrawn for one in clocks) else []
    found += [*ground.doubts, "Who caused it: this program states conditions and duties, never a cause or a fault."]
    found += [
        f"No movement of the {one.name} fund is on record: what is held is not known."
        for one in ground.funds
        if not one.moved
    ]
    found += [f"The cost of supply is {cost.says()}."] if ground.funds and not cost.adopted() else []
    rules = [law.rule_of(one.step) for one in clocks]
    found += [f"{one.clause}, for counsel: {one.counsel}" for one in rules if one.counsel]
    return list(dict.fromkeys(found))


def _missing(run: Deadline, case: Case, law: Ordinance) -> list[str]:
    """The acts that would end a step and are not on record; of receipts each that is missing."""
    step = law.rule_of(run.step)
    named = [case.kind.event_of(name) for name in (step.done_by if isinstance(step, Step) else ())]
    lacking = [one.means for one in named if one is not None and one.name not in case.in_effect]
    if run.nature == "receipts":
        return [f"Not on record: that {means} ({run.clause})." for means in lacking]
    return [f"Not on record: that {' or that '.join(lacking)} ({run.clause})."] if lacking else []


def _words(name: str) -> str:
    return name.replace("_", " ")


@cache
def _template() -> Template:
    return Environment(
        loader=PackageLoader("reports"), undefined=StrictUndefined, autoescape=True, trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("decision_page.html.j2")  # fmt: skip
