"""Sums of one sample: nitrate and nitrite, xylenes, a pesticide and its residues. Which they are is data of the set.

A reported total is judged and a computed sum is not; where the parts do not make the total, the sum is shown beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Protocol

from models.checks.quality_comparison import Computed, Said
from models.checks.quality_results import Reported, Terms
from models.nr140.decision import Comparison as Decided
from models.nr140.decision import clause_verdict, left_open
from models.nr140.result import Result
from models.nr140.total import Total, compare_total, total
from models.parameters import parameter
from models.standard_set import Sum
from models.standards import Standard


@dataclass(frozen=True)
class Beside:
    """A computed sum that is not what the laboratory reports as the total."""

    substance: str
    text: str
    unit: str
    reason: str


class Member(Protocol):
    """Of a result what it can be a part of."""

    @property
    def substance(self) -> str: ...

    @property
    def fraction(self) -> str | None: ...


WEAK = ("memory", "single")
"""How far a text was verified, the least first; anything else is surer."""


def laws_of_sums(terms: Terms) -> dict[str, Sum]:
    """Sums that a table of the set names, by their substance."""
    return {one.substance: one for one in terms.law.header.sum if terms.law.of(one.substance)}


def one_reading(one: Reported) -> bool:
    """Whether a report leaves open in no way what it amounts to: only then can it be added."""
    return one.form is None or len(one.form.factors) == 1


def by_fraction(law: Sum, parts: Sequence[Member]) -> list[list[int]]:
    """Places of the members of each fraction that is whole; where none is, of all of them together."""
    fractions = sorted({one.fraction for one in parts if one.fraction})
    groups = [[k for k, one in enumerate(parts) if one.fraction in (None, fraction)] for fraction in fractions]
    whole = [group for group in groups if any(set(way) <= {parts[k].substance for k in group} for way in law.ways)]
    return whole or [list(range(len(parts)))]


def said_of_sum(terms: Terms, law: Sum, standard: Standard, parts: Sequence[Reported]) -> Said:
    """What the sum of some members of one sample says against one standard."""
    why = _unusable(parts)
    if why:
        unknown = Decided("indeterminate", standard.citation, why)
        return _said(terms, parts, _as_sure_as(law, standard), None, unknown)
    found = _totals(law, parts)
    doubts = dict.fromkeys(f"{one.substance}: {one.doubt}" for one in parts if one.doubt)
    decided = left_open(_decided(found, standard, parts), "; ".join(doubts))
    return _said(terms, parts, _as_sure_as(law, standard), _spanning(found), decided)


def beside(law: Sum, parts: Sequence[Reported], reported: Sequence[Reported]) -> Iterator[Beside]:
    """The computed sum, where it is not what the laboratory reports as the total."""
    found = _totals(law, parts)[0] if not _unusable(parts) and all(map(one_reading, parts)) else None
    for one in reported if found is not None else ():
        x = _result(one).value if one_reading(one) else None
        if found is not None and x is not None and one.row.unit == found.unit and not found.agrees(x):
            reason = f"the parts make {found.text()} and the reported total is {x}: the reported total is judged"
            yield Beside(law.substance, found.text(), found.unit, reason)


def _unusable(parts: Sequence[Reported]) -> str:
    """Why members cannot be added: a number below zero, or one reported twice with different results."""
    below = [one for one in parts if (x := one.result.value) is not None and x < 0]
    if below:
        return f"{below[0].substance} is reported below zero: {below[0].row.value_text} {below[0].row.unit}"
    names = {one.substance for one in parts}
    for name in sorted(names) if len(names) < len(parts) else ():
        same = [one for one in parts if one.substance == name]
        if len({_result(one) for one in same}) > 1:
            texts = " and ".join(sorted({f"{one.row.value_text} {one.row.unit}" for one in same}))
            return f"{name} is reported more than once in this sample: {texts}"
    return ""


def _result(one: Reported) -> Result:
    return one.result if one.form is None else one.readings()[0]


def _totals(law: Sum, parts: Iterable[Reported]) -> list[Total]:
    """What the parts make, by every reading that their reports leave open."""
    readings = {one.substance: one.readings() for one in parts}
    unit = parameter(law.substance).canonical_unit
    return [total(law, dict(zip(readings, each, strict=True)), unit) for each in product(*readings.values())]


def _decided(found: Sequence[Total], standard: Standard, parts: Sequence[Reported]) -> Decided:
    """What every reading of the parts gives; where they differ nobody can tell."""
    said = [compare_total(one, standard) for one in found]
    if len({one.status for one in said}) == 1:
        return said[0]
    open_ones = [one for one in parts if one.form is not None and not one_reading(one)]
    forms = ", ".join(f"{one.row.value_text} {one.row.unit} {one.form.words}" for one in open_ones if one.form)
    why = f"reported as {forms}: the status of the sum hangs on it, ask the laboratory"
    return Decided("indeterminate", said[0].paragraph, why)


def _spanning(found: Sequence[Total]) -> Total:
    """One total for all readings: the least and the most that they make."""
    if len(found) == 1:
        return found[0]
    lows, highs = [one.bounds for one in found], [one.bounds.high for one in found]
    low, known = min(lows, key=lambda one: one.low), [one for one in highs if one is not None]
    high = max(known) if len(known) == len(highs) else None
    return replace(found[0], bounds=replace(low, high=high, high_reached=False))


def _as_sure_as(law: Sum, standard: Standard) -> Standard:
    """A sum is verified no farther than the list of its members."""
    weaker = [name for name in WEAK if name in {law.verification, standard.verification}]
    return replace(standard, verification=weaker[0]) if weaker else standard


def _said(terms: Terms, parts: Sequence[Reported], standard: Standard, found: Total | None, decided: Decided) -> Said:
    unit = parameter(standard.parameter).canonical_unit
    exact = None if found is None or not found.bounds.exact else found.bounds.low
    result, members = Result(exact, unit), tuple(sorted({one.substance for one in parts}))
    measured = "" if found is None else f"{found.text()} {unit}"
    verdict, reading = clause_verdict(terms.rule, decided.status, result, standard)
    missing = () if found is None else found.bounds.missing
    return Said(standard, decided, verdict, reading, computed=Computed(result, measured, members, missing))
