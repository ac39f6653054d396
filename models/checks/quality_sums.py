"""Sums of one sample: nitrate and nitrite, xylenes, a pesticide and its residues. Which they are is data of the set.

A reported total is judged and a computed sum is not; where the parts do not make the total, the sum is shown beside it.
Samples that report the same parts alike have the same sums: they are added once.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

import numpy as np

from models.checks.quality_cases import NOT_JUDGED, Cases, epochs
from models.checks.quality_comparison import Computed, Said, limits
from models.checks.quality_results import Reported, Terms
from models.checks.quality_rows import Rows, together
from models.nr140.decision import Comparison as Decided
from models.nr140.decision import clause_verdict
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


WEAK = ("memory", "single")
"""How far a text was verified, the least first; anything else is surer."""

Found = tuple[Said | Beside, tuple[int, ...]]
"""What a sum comes to, and its parts: places in the sample, or rows."""


def sums(terms: Terms, rows: Rows, found: Cases) -> Iterator[Found]:
    """Every sum that a sample holds a member of, with the rows it is made of."""
    known = _Known(terms, rows, found)
    for substance, own in _samples(terms, rows, found):
        yield from ((said, tuple(own[k] for k in places)) for said, places in known.sum_of(substance, own))


class _Known:
    """Sums by what their parts report; what is alike in one time of the law is read and added once."""

    def __init__(self, terms: Terms, rows: Rows, found: Cases) -> None:
        self._terms, self._cases = terms, found
        self._laws = {law.substance: law for laws in terms.law.sums_by_member.values() for law in laws}
        self._epoch = epochs(terms, rows)
        self._alike = together(rows.pattern, rows["value_text"].codes, self._epoch)
        self._sums: dict[Hashable, list[Found]] = {}
        self._parts: dict[int, Reported] = {}
        self._standards: dict[tuple[str, int], list[Standard]] = {}

    def sum_of(self, substance: str, own: Sequence[int]) -> list[Found]:
        """One sum of one sample, of the rows that have to do with it."""
        alike = self._alike[own].tolist()
        key = substance, *alike
        if key not in self._sums:
            sample = self._reported(own, alike)
            standards = self._limits(substance, own[0], sample[0])
            self._sums[key] = list(_of_sample(self._terms, self._laws[substance], standards, sample))
        return self._sums[key]

    def _reported(self, own: Sequence[int], alike: Sequence[int]) -> list[Reported]:
        new = [(row, code) for row, code in zip(own, alike, strict=True) if code not in self._parts]
        for (_, code), one in zip(new, self._cases.reported([row for row, _ in new]), strict=True):
            self._parts[code] = one
        return [self._parts[code] for code in alike]

    def _limits(self, substance: str, row: int, one: Reported) -> list[Standard]:
        key = substance, int(self._epoch[row])
        if key not in self._standards:
            self._standards[key] = limits(self._terms, substance, one.row.day)
        return self._standards[key]


def _samples(terms: Terms, rows: Rows, found: Cases) -> Iterator[tuple[str, list[int]]]:
    """Sample by sample the rows that have to do with each sum."""
    belongs = _belongs(terms)
    names = rows["substance"].values
    wanted = [k for k, name in enumerate(names) if name in belongs]
    at = np.flatnonzero(np.isin(rows["substance"].codes, wanted) & (found.of_row != NOT_JUDGED))
    at = at[np.argsort(rows.sample[at], kind="stable")]
    told = zip(rows.sample[at].tolist(), at.tolist(), rows["substance"].codes[at].tolist(), strict=True)
    for _, group in groupby(told, key=itemgetter(0)):
        sums: dict[str, list[int]] = {}
        parts: set[str] = set()
        for _, row, code in group:
            name = str(names[code])
            for substance in belongs[name]:
                sums.setdefault(substance, []).append(row)
            parts |= belongs[name] - {name}
        yield from ((substance, rows) for substance, rows in sums.items() if substance in parts)


def _belongs(terms: Terms) -> dict[str, set[str]]:
    """The sums that each substance is a member of, or is."""
    found: dict[str, set[str]] = {}
    for name, laws in terms.law.sums_by_member.items():
        for law in laws:
            found.setdefault(name, set()).add(law.substance)
            found.setdefault(law.substance, set()).add(law.substance)
    return found


def _of_sample(terms: Terms, law: Sum, standards: Sequence[Standard], sample: Sequence[Reported]) -> Iterator[Found]:
    whole = [one for one in sample if one.substance == law.substance]
    parts = [one for one in sample if one.substance != law.substance and _one_reading(one)]
    if not parts:
        return
    for chosen in _by_fraction(law, parts) if standards else ():
        why, own = _unusable(chosen), {id(one) for one in chosen}
        places = tuple(k for k, one in enumerate(sample) if id(one) in own)
        if not whole:
            yield from ((one, places) for one in _judged(terms, law, standards, chosen, why))
        elif not why:
            yield from ((one, places) for one in _beside(law, chosen, whole))


def _one_reading(one: Reported) -> bool:
    return one.form is None or len(one.form.factors) == 1


def _by_fraction(law: Sum, parts: Sequence[Reported]) -> Iterator[list[Reported]]:
    """The members of each fraction that is whole; where none is, all of them together."""
    fractions = sorted({one.fraction for one in parts if one.fraction})
    groups = [[one for one in parts if one.fraction in (None, fraction)] for fraction in fractions]
    whole = [group for group in groups if any(set(way) <= {one.substance for one in group} for way in law.ways)]
    yield from whole or [list(parts)]


def _unusable(parts: Sequence[Reported]) -> str:
    """Why members cannot be added: a number below zero, or one reported twice with different results."""
    below = [one for one in parts if (x := _result(one).value) is not None and x < 0]
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


def _total(law: Sum, parts: Iterable[Reported]) -> Total:
    results: Mapping[str, Result] = {one.substance: _result(one) for one in parts}
    return total(law, results, parameter(law.substance).canonical_unit)


def _beside(law: Sum, parts: Sequence[Reported], reported: Sequence[Reported]) -> Iterator[Beside]:
    """The computed sum, where it is not what the laboratory reports as the total."""
    found = _total(law, parts)
    for one in reported:
        x = _result(one).value if _one_reading(one) else None
        if x is not None and one.row.unit == found.unit and not found.agrees(x):
            reason = f"the parts make {found.text()} and the reported total is {x}: the reported total is judged"
            yield Beside(law.substance, found.text(), found.unit, reason)


def _judged(
    terms: Terms, law: Sum, standards: Sequence[Standard], parts: Sequence[Reported], why: str
) -> Iterator[Said]:
    found = None if why else _total(law, parts)
    for standard in standards:
        unknown = Decided("indeterminate", standard.citation, why)
        decided = unknown if found is None else compare_total(found, standard)
        yield _said(terms, parts, _as_sure_as(law, standard), found, decided)


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
