"""What the letter about laboratory results in a private well says: only what the law files say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from models.finding import Finding
from models.paper_kind import PaperKind
from models.rules import Ordinance
from models.step import Step
from reports.finding_words import VERIFIED, substance

STANDARD = "groundwater standard of the State (Wis. Admin. Code ch. NR 140)"
NAMES = {"PAL": "preventive action limit", "ES": "enforcement standard"}


def facts(found: Sequence[Finding], property: str, kind: PaperKind, law: Ordinance) -> dict[str, Any]:
    """The names that ``paper_result_letter.j2`` speaks of.

    Parameters
    ----------
    found : the attained results of one property and sampling day, in order.
    """
    rules = {one.rule: law.rule_of(one.rule) for one in found}
    steps = [step for id in kind.clocks if isinstance(step := law.rule_of(id), Step)]
    return {
        "wells": " and ".join(dict.fromkeys(one.station for one in found)), "property": property,
        "sampled": found[0].opened_on, "results": [_row(one, rules) for one in found],
        "explained": list(_explained(found)),
        "quotes": list({rule.text: rule for rule in rules.values()}.values()),
        "follows": [*_follows(found, rules), *(_operator(one) for one in steps)],
        "ask": kind.ask, "sources": " ".join(dict.fromkeys(_source(one) for one in found)),
        "rows": ", ".join(dict.fromkeys(row for one in found for line in one.evidence for row in line.rows)) or "none",
    }  # fmt: skip


def told(found: Sequence[Finding], law: Ordinance) -> tuple[dict[str, str], ...]:
    """What a letter tells of each result, to be compared with later; whether it is provisional is no part of it."""
    rules = {one.rule: law.rule_of(one.rule) for one in found}
    return tuple(
        {
            "well": one.station, "parameter": one.parameter, "aspect": one.aspect,
            "measured": f"{substance(one)}: {one.measured}", "standard": _standard(one),
            "result": _reached(one, rules), "contested": _contest(one),
        }
        for one in found
    )  # fmt: skip


def _contest(one: Finding) -> str:
    """The reason of the newest act that contests a result, "" where none does."""
    acts: Sequence[Mapping[str, str]] = one.facts.get("contested", ())
    return acts[-1]["reason"] if acts else ""


def _standard(one: Finding) -> str:
    return f"{one.facts.get('kind', '')} {_limit(one)}".strip()


def _row(one: Finding, rules: dict[str, Any]) -> dict[str, str]:
    return {
        "Well": one.station, "Measured": f"{substance(one)}: {one.measured}{' [provisional]' * one.provisional}",
        "Standard": _standard(one), "Result": _reached(one, rules),
    }  # fmt: skip


def _limit(one: Finding) -> str:
    return "none may be detected" if _by_detection(one) else one.limit


def _by_detection(one: Finding) -> bool:
    return one.unit == "presence/absence"


def _reached(one: Finding, rules: dict[str, Any]) -> str:
    over = "detected" if _by_detection(one) else "over the standard"
    if not _by_detection(one) and getattr(rules[one.rule], "exceeded", "ge") == "ge":
        over = "at or over the standard"
    said = over if one.verdict == "attained" else "reached; to be confirmed"
    return f"{said}; contested" if one.facts.get("contested") else said


def _explained(found: Sequence[Finding]) -> list[str]:
    kinds = [kind for kind in NAMES if any(one.facts.get("kind") == kind for one in found)]
    unsure = [one for one in found if one.verdict == "needs_confirmation"]
    before = [one for one in found if one.attained_in_baseline]
    lines = [
        *(f"{kind} is the {NAMES[kind]}, a {STANDARD}." for kind in kinds),
        f"To be confirmed: {'; '.join(dict.fromkeys(one.reason for one in unsure))}." if unsure else "",
        f"The same standard was reached in this well before mining began: {_substances(before)}." if before else "",
    ]
    return [one for one in lines if one]


def _substances(found: Sequence[Finding]) -> str:
    return ", ".join(dict.fromkeys(substance(one) for one in found))


def _follows(found: Sequence[Finding], rules: dict[str, Any]) -> list[str]:
    """What the law of private wells attaches to what is attained; nothing to what needs confirmation."""
    private = [one for one in found if getattr(rules[one.rule], "wells", "") == "private"]
    attained = [rules[one.rule].follows for one in private if one.verdict == "attained"]
    unsure = [
        f"Nothing follows under {one.clause} from what needs confirmation."
        for one in found
        if one.verdict == "needs_confirmation"
    ]
    beyond = [] if private else ["The remedies of the clause are for wells within the distance it names."]
    return [one for one in dict.fromkeys((*attained, *unsure, *beyond)) if one]


def _operator(step: Step) -> str:
    days = f" within {step.days} days of receiving the result" if step.days else ""
    said = f"Apart from the ordinance, the operator notifies the DNR{days} ({step.clause})"
    return f"{said}." if step.applies_from else f"{said} where that rule reaches it. {step.counsel}".rstrip()


def _source(one: Finding) -> str:
    verified = VERIFIED.get(one.verification, one.verification) or "not stated"
    return f"{one.facts.get('citation', one.clause)} {one.facts.get('kind', '')}: {verified}."
