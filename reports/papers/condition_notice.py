"""What the town's notice to the operator says of a condition at a stream gauge (shortfall semantics, section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from models.base_flow import BaseFlow
from models.case import Event
from models.finding import Finding
from models.paper_days import TriggerDay
from models.paper_kind import PaperKind
from models.policy import Policy, Threshold
from models.review import Review
from models.rules import Ordinance
from models.site import Gauge, Stream
from reports.papers.words import Due, long_instant

USED = frozenset({
    "day_minimum_coverage", "day_longest_step", "day_longest_hole", "day_hole_edges_agree", "discharge_uncertainty",
    "record_rated_good", "record_rated_fair", "record_rated_poor", "baseline_minimum_years",
})  # fmt: skip
"""Thresholds of the town's policy that a condition of six known days rests on."""
NATURAL_RATE, REFERENCE, SAME_STREAM = "natural rate", "reference gauge", "same stream"


@dataclass(frozen=True)
class Condition:
    """What the notice rests on: the finding, its days, the signed base flows they were compared with, who signed it.

    ``signed``: the signatures under the finding as it stands; one under an earlier version is none of this notice.
    """

    finding: Finding
    days: Sequence[TriggerDay]
    base_flows: Sequence[BaseFlow]
    gauge: Gauge
    stream: Stream
    signed: Sequence[Review] = ()


def facts(
    told: Condition, kind: PaperKind, answer: Due, given: Event | None, law: Ordinance, policy: Policy
) -> dict[str, Any]:
    """The names that ``paper_condition_notice.j2`` speaks of.

    Parameters
    ----------
    answer : the operator's time to answer.
    given : the act by which the notice was given, once it is on record.
    """
    rule = law.rule_of(told.finding.rule)
    return {
        "stream": told.stream.name or told.stream.id, "gauge": _gauge(told.gauge),
        "first": told.days[0].day, "last": told.days[-1].day, "days": [_row(one) for one in told.days],
        "quotes": [law.rule_of(id).text for id in kind.quotes], "reading": rule.counsel,
        "context": [*_context(told), *_signed(told, ZoneInfo(law.zone))],
        "reviewers": "; ".join(dict.fromkeys(one.accepted for one in told.days if one.provisional and one.accepted)),
        "choices": kind.choices, "answer": answer, "computing": law.computing.citation,
        "given": long_instant(given.happened_at, ZoneInfo(law.zone)) if given else "",
        "method": given.method if given else "", "proof": (given.proof or "none recorded") if given else "",
        "rows": ", ".join(one.row for one in told.days if one.row) or "none",
        "unadopted": list(_unadopted(policy)),
    }  # fmt: skip


def _unadopted(policy: Policy) -> Iterator[tuple[str, str]]:
    """Name, value and reason of each threshold in use that is a default."""
    for name in policy.unadopted():
        if name in USED:
            one: Threshold = getattr(policy, name)
            yield _sentence(name.replace("_", " ")).rstrip("."), f"{one.says()}. {_sentence(one.reason)}"


def _gauge(gauge: Gauge) -> str:
    return f"{gauge.id} ({gauge.name})" if gauge.name else gauge.id


def _row(one: TriggerDay) -> Mapping[str, str]:
    return {
        "Day": f"{one.day:%a} {one.day}",
        "Mean daily flow, cfs": "unknown" if one.value is None else str(one.value),
        "Base flow, cfs": str(one.base),
        "Mark": "; ".join([_approval(one), *one.qualifiers]),
    }


def _approval(one: TriggerDay) -> str:
    if one.provisional:
        return "provisional, accepted" if one.accepted else "provisional, NOT ACCEPTED"
    return "approved" if one.approval.strip().upper() == "A" else one.approval or "no approval mark"


def _context(told: Condition) -> list[tuple[str, str]]:
    finding = told.finding
    pairs = [pair for one in told.base_flows for pair in _base_flow(one, several=len(told.base_flows) > 1)]
    pairs.append(("Confidence", _confidence(finding.confidence)))
    named = {NATURAL_RATE: "Natural rate", REFERENCE: "Reference gauge", SAME_STREAM: "Same stream"}
    pairs += [(named[one.line], _sentence(one.says)) for one in finding.evidence if one.line in named]
    if told.gauge.surrogate_for is not None:
        ratio = f"transferred from {told.gauge.id} times {told.gauge.transfer_ratio}"
        pairs.insert(0, ("Surrogate", f"The flow of {told.stream.name or told.stream.id} is {ratio}."))
    return pairs


def _signed(told: Condition, zone: ZoneInfo) -> list[tuple[str, str]]:
    """Who signed the finding, under which licence, on which civil day."""
    days = [(one, one.when.astimezone(zone).date()) for one in told.signed]
    return [("Finding signed", f"by {one.says()}, on {day}") for one, day in days]


def _base_flow(base: BaseFlow, *, several: bool) -> list[tuple[str, str]]:
    error = "" if base.uncertainty_percent is None else f", uncertainty {base.uncertainty_percent} %"
    version = f" (version {base.version}, in force from {base.effective})" if several else ""
    licence = f"{base.licence_kind} {base.licence_number}".strip()
    return [
        ("Base flow", f"{base.says()} cfs{error}{version}"),
        ("Method", _sentence(base.method)),
        ("Record", f"{base.record_from} to {base.record_to}{_own_years(base)}"),
        ("Signature", f"signed by {base.signed_by}, {licence}, on {base.signed_on}"),
    ]


def _own_years(base: BaseFlow) -> str:
    return f", {base.baseline_years} years" + (f", extended from {base.extended_from}" if base.extended_from else "")


def _confidence(word: str) -> str:
    said = {
        "BEYOND_UNCERTAINTY": "below by more than the uncertainty of the measurement on each of the days",
        "WITHIN_UNCERTAINTY": "below on each day as recorded; not on every day by more than its uncertainty",
    }
    return _sentence(said.get(word, word or "not stated"))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
