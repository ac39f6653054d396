"""All results of one station judged together: each result, each sum, and which samples confirm an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from models.checks.quality_comparison import Comparison
from models.checks.quality_results import Shown, Terms
from models.checks.quality_verdicts import verdicts
from models.question import StoredRow


@dataclass(frozen=True)
class Judgement:
    """Comparisons by day, substance and standard, and what was only shown."""

    comparisons: tuple[Comparison, ...]
    shown: tuple[Shown, ...]


def judge(terms: Terms, rows: Sequence[StoredRow]) -> Judgement:
    """Judge all known results of one station. The order of rows, and a row that comes twice, change nothing.

    Raises
    ------
    BadUnit : a result in a unit that does not measure its substance.
    """
    found = verdicts(terms, rows)
    return Judgement(tuple(found.shown()), tuple(found.not_judged()))
