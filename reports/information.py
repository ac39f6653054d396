"""Findings under clauses that are information: nobody is alerted to them, and no summary is silent about them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from models.finding import TOLD, Finding, Transition
from models.rules import Ordinance
from models.verdict import NOTABLE
from reports.finding_words import topic

ALL_FINDINGS = "headwater findings --all"
_WORDS = {"attained": "attained", "needs_confirmation": "to be confirmed", "indeterminate": "that nobody can tell"}


def information(findings: Iterable[Finding]) -> list[Finding]:
    """What stands under clauses that are information and is attained, or may be."""
    return [one for one in findings if one.information and one.verdict in NOTABLE]


def information_changed(changes: Iterable[Transition]) -> list[Transition]:
    """Changes of such findings, and of findings that were such."""
    return [one for one in changes if one.change in TOLD and information(_sides(one))]


def information_counts(findings: Iterable[Finding]) -> str:
    """``2 attained, 1 to be confirmed``; empty where there is nothing."""
    return verdict_counts(one.verdict for one in information(findings))


def verdict_counts(verdicts: Iterable[str]) -> str:
    """The same of the verdicts alone."""
    found = list(verdicts)
    return ", ".join(f"{n} {words}" for verdict, words in _WORDS.items() if (n := found.count(verdict)))


def information_line(finding: Finding, law: Ordinance, word: str = "") -> str:
    """What, where, under which clause, when, how it came out, and against what; ``word`` how it changed."""
    verdict = finding.verdict.replace("_", " ")
    says = f"{topic([finding], law)}, {finding.station}, {finding.clause}, {finding.opened_on}: {verdict}"
    against = f"; {finding.measured} against {finding.limit}" if finding.limit else f"; {finding.measured}"
    return f"{word}: {says}{against}" if word else f"{says}{against}"


def _sides(change: Transition) -> Sequence[Finding]:
    return [one for one in (change.finding, change.previous) if one is not None]
