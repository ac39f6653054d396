"""A finding in words, as every mail prints it: clause and text, value, data version, confidence, natural rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from models.finding import Finding, Transition
from models.parameters import parameters
from models.rules import Clause, Ordinance
from reports import duty_words

NATURAL_RATE = "natural rate"
ROWS_SHOWN = 12
VERIFIED = {
    "verified2": "value read alike in two public copies of the code",
    "single": "value read in one public copy of the code",
    "memory": "value recalled, not yet checked against the Register",
    "decision": "value set for this site by the decision it names",
}
_NOT_STATED = "not stated for this kind of finding"
_STRENGTH = ("attained", "needs_confirmation", "indeterminate")


def strongest(findings: Sequence[Finding]) -> str:
    """The surest verdict among findings that are told together."""
    verdicts = {one.verdict for one in findings}
    return next((one for one in _STRENGTH if one in verdicts), findings[0].verdict)


def topic(findings: Sequence[Finding], law: Ordinance) -> str:
    """What findings of one station and parameter are about, in a few words for a subject line."""
    first = findings[0]
    rule = _rule(first, law)
    kind = getattr(rule, "kind", "")
    if kind == "base_flow":
        return "stream flow below base flow"
    if kind == "surface_level":
        told = first.parameter == "stage"
        return "surface water below its level before mining" if told else "surface level cannot be judged"
    if kind == "water_level":
        return "water in a private well"
    if kind == "lateness":
        return duty_words.topic(findings)
    if kind == "withdrawal" and first.parameter == "groundwater_use":
        return "groundwater used on days without an approval on file"
    if kind == "groundwater_quality" and "topic" in first.facts:
        return str(first.facts["topic"])
    if kind == "groundwater_quality":
        sure = [one for one in findings if one.verdict == strongest(findings)]
        limits = dict.fromkeys(str(one.facts.get("kind", "a standard")) for one in sure)
        return f"{substance(first)} over {' and '.join(limits)}"
    return rule.title if rule else substance(first)


def substance(finding: Finding) -> str:
    """The name of what was measured."""
    known = parameters().get(finding.parameter)
    return known.name if known else finding.parameter.replace("_", " ")


def finding_block(change: Transition, law: Ordinance) -> dict[str, Any]:
    """Everything a mail prints of one finding, as plain data."""
    finding, rule = change.finding, _rule(change.finding, law)
    return {
        **finding.body(),
        "word": "",
        "title": rule.title if rule else finding.rule,
        "what": substance(finding),
        "period": f"{finding.start} to {'now' if finding.ongoing else finding.end or finding.start}",
        "verdict_words": _verdict_words(change),
        "confidence_words": _confidence(finding),
        "natural_rate": _natural_rate(finding),
        "before": _before(change),
        "changed_days": "; ".join(change.changed_days),
        "verification": VERIFIED.get(finding.verification, finding.verification),
        "evidence": [line for line in finding.body()["evidence"] if line["line"] != NATURAL_RATE],
        "rows": _rows(finding),
        "duty": duty_words.block(change, law),
    }


def clauses(changes: Sequence[Transition], law: Ordinance) -> list[Clause]:
    """The clauses the findings stand under, each once; a rule that is no longer in the file has no text to quote."""
    rules = [_rule(one.finding, law) for one in changes]
    return list({rule.id: rule for rule in rules if rule}.values())


def _rule(finding: Finding, law: Ordinance) -> Clause | None:
    return next((rule for rule in law.rule if rule.id == finding.rule), None)


def _verdict_words(change: Transition) -> str:
    finding = change.finding
    words = "; ".join(dict.fromkeys(one.replace("_", " ").lower() for one in (finding.verdict, finding.status)))
    if change.change == "ended" and finding.lapses:
        return f"over; it read: {words}"
    return f"withdrawn; it read: {words}" if change.change == "retracted" else words


def _confidence(finding: Finding) -> str:
    if finding.confidence:
        return finding.confidence.replace("_", " ").lower() + " of the measurement"
    return "none: the data cannot tell" if finding.verdict == "indeterminate" else _NOT_STATED


def _natural_rate(finding: Finding) -> str:
    """How often nature alone did it: from the baseline record, or whether the standard was attained in it."""
    said = next((line.says for line in finding.evidence if line.line == NATURAL_RATE), None)
    if said is not None:
        return said
    if finding.attained_in_baseline is None:
        return _NOT_STATED
    before = "already" if finding.attained_in_baseline else "not known to be"
    return f"the same standard was {before} attained here before mining began"


def _before(change: Transition) -> str:
    before = change.previous
    if before is None or change.change != "amended":
        return ""
    verdict = before.verdict.replace("_", " ")
    return f"{verdict}, {before.status.replace('_', ' ').lower()}: {before.measured} against {before.limit}"


def _rows(finding: Finding) -> str:
    """Source and row of each number relied on, as they are stored: the data version."""
    rows = list(dict.fromkeys(row for line in finding.evidence for row in line.rows))
    more = f" and {len(rows) - ROWS_SHOWN} more" if len(rows) > ROWS_SHOWN else ""
    return ", ".join(rows[:ROWS_SHOWN]) + more or "none"
