"""What is found of one requirement: each gap by name and what closes it, what nobody can tell, what was counted."""

from __future__ import annotations

from dataclasses import dataclass

from models.network_rule import Requirement
from models.verdict import Verdict

STATES: dict[Verdict, str] = {
    "attained": "gap", "needs_confirmation": "to be surveyed", "indeterminate": "cannot tell",
    "not_attained": "complete", "not_applicable": "not judged",
}  # fmt: skip
"""How a table says a verdict about a requirement."""


@dataclass(frozen=True)
class Gap:
    """Something that is missing. ``what``: of which thing, by its id, "" of the site. ``do``: what closes it.

    ``sure``: False where it is one only if an unsurveyed place lies within the line (or over it).
    """

    what: str
    lacks: str
    do: str
    sure: bool = True

    @property
    def says(self) -> str:
        return f"{self.what}: {self.lacks}" if self.what else self.lacks


@dataclass(frozen=True)
class Answer:
    """What is found of one requirement.

    ``measured``: what was counted. ``not_judged``: why it is not asked here, "" where it is. ``unknown``: what nobody
    can tell and what would settle it. ``notes``: what else a reader should know.
    """

    asked: Requirement
    gaps: tuple[Gap, ...] = ()
    measured: str = ""
    not_judged: str = ""
    unknown: str = ""
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The surest word: one sure gap is a gap, whatever else cannot be told."""
        if self.not_judged:
            return "not_applicable"
        if any(one.sure for one in self.gaps):
            return "attained"
        if self.gaps:
            return "needs_confirmation"
        return "indeterminate" if self.unknown else "not_attained"
