"""Whether results meet one standard: the number in force on the day of one of them, not only its name.

An alternative limit, or a change of the code, puts another number under the same name. What stood against the old
number is compared again with the one that a result is judged by: only so did the well attain the same standard before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal

from models.checks.quality_comparison import Comparison, dependence, key_of
from models.checks.quality_results import Terms
from models.nr140.decision import Comparison as Decided
from models.nr140.decision import compare, left_open, reached
from models.nr140.indicators import COMPUTED
from models.nr140.result import Result
from models.parameters import parameter
from models.standards import Standard

OWN = Decimal(-1)
"""Stands for the number of a limit that each sample or each background sets anew: it is one standard all the same."""


class Baseline:
    """What a well's results from before mining began attain."""

    def __init__(self, terms: Terms, found: Iterable[Comparison], began: date) -> None:
        self._terms = terms
        self._before: dict[tuple[str, ...], list[Comparison]] = {}
        self._known: dict[tuple[object, ...], bool] = {}
        for one in found:
            if one.row.day < began:
                self._before.setdefault((one.row.station, *key_of(one)), []).append(one)

    def attained(self, one: Comparison) -> bool:
        """Whether the standard of a comparison, with its number, was already attained at its well."""
        place = one.row.station, *key_of(one)
        key = *place, number_of(self._terms, one.standard)
        if key not in self._known:
            before = self._before.get(place, ())
            self._known[key] = any(against(self._terms, each, one.standard).status == "attained" for each in before)
        return self._known[key]


def number_of(terms: Terms, standard: Standard) -> Decimal:
    """What tells the numbers of one standard apart, in the unit its parameter is kept in."""
    if standard.note == COMPUTED or dependence(terms, standard) is not None:
        return OWN
    return Decimal(0) if standard.detection_only else standard.in_unit(parameter(standard.parameter).canonical_unit)


def against(terms: Terms, one: Comparison, standard: Standard) -> Decided:
    """How a comparison comes out against the number of another day; nothing but its number moves it."""
    if number_of(terms, one.standard) == number_of(terms, standard):
        return one.nr140
    return judged_again(one.result, one.nr140, standard, is_sum=bool(one.members))


def judged_again(result: Result, before: Decided, standard: Standard, *, is_sum: bool) -> Decided:
    """A result against another number. What nobody could tell of it nobody can tell now, nor of a sum with bounds."""
    if before.status == "indeterminate" or (is_sum and result.value is None):
        return Decided("indeterminate", before.paragraph, before.reason)
    if is_sum and before.status == "needs_confirmation":
        return before
    found = compare(result, standard) if not is_sum else _of_exact_sum(result, before, standard)
    return left_open(found, before.doubt)


def _of_exact_sum(result: Result, before: Decided, standard: Standard) -> Decided:
    x = result.value
    met = x is not None and reached(x, standard.in_unit(result.unit), standard.attained_at)
    return Decided("attained" if met else "not_attained", before.paragraph, before.reason)


def refutes(said: Decided) -> bool:
    """Whether it shows that a standard was not attained; a non-detect that proves nothing, and a doubt, do not."""
    return said.status == "not_attained" and not said.proves_nothing and not said.doubt


def attained_and_refuting(terms: Terms, one: Comparison, history: Sequence[Comparison]) -> tuple[set[date], set[date]]:
    """Days of samples that attained the standard of a comparison, by their own day's number too, and that did not."""
    told = [(each, against(terms, each, one.standard)) for each in history]
    attained = {each.row.day for each, said in told if said.status == each.nr140.status == "attained"}
    return attained, {each.row.day for each, said in told if refutes(said)} - attained
