"""Sums of one sample: nitrate and nitrite, xylenes, a pesticide and its residues. Which they are is data of the set.

A reported total is judged and a computed sum is not; where the parts do not make the total, the sum is shown beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from models.checks.quality_comparison import Comparison, Known, limits
from models.checks.quality_results import Reported, Shown, Terms
from models.nr140.decision import Comparison as Decided
from models.nr140.decision import clause_verdict
from models.nr140.result import Result
from models.nr140.total import Total, compare_total, total
from models.parameters import parameter
from models.standard_set import Sum
from models.standards import Standard


def sums(terms: Terms, known: Known) -> Iterator[Comparison | Shown]:
    """Every sum that a sample holds a member of."""
    wanted = terms.law.sums_by_member
    for (day, _), sample in sorted(known.by_sample.items()):
        for law in {law.substance: law for one in sample for law in wanted.get(one.substance, ())}.values():
            yield from _of_sample(terms, law, day, sample)


def _of_sample(terms: Terms, law: Sum, day: date, sample: Sequence[Reported]) -> Iterator[Comparison | Shown]:
    members = set(law.members())
    parts = [one for one in sample if one.substance in members and _one_reading(one)]
    if not parts or not limits(terms, law.substance, day):
        return
    reported = [one for one in sample if one.substance == law.substance]
    for chosen in _by_fraction(law, parts):
        twice = _twice(chosen)
        if reported:
            yield from () if twice else _beside(law, chosen, reported)
        else:
            yield from _judged(terms, law, day, chosen, twice)


def _one_reading(one: Reported) -> bool:
    return one.form is None or len(one.form.factors) == 1


def _by_fraction(law: Sum, parts: Sequence[Reported]) -> Iterator[list[Reported]]:
    """The members of each fraction that is whole; where none is, all of them together."""
    fractions = sorted({one.fraction for one in parts if one.fraction})
    groups = [[one for one in parts if one.fraction in (None, fraction)] for fraction in fractions]
    whole = [group for group in groups if any(set(way) <= {one.substance for one in group} for way in law.ways)]
    yield from whole or [list(parts)]


def _twice(parts: Sequence[Reported]) -> str:
    """A member reported twice with different results: which one counts nobody knows."""
    for name in sorted({one.substance for one in parts}):
        same = [one for one in parts if one.substance == name]
        if len({_result(one) for one in same}) > 1:
            texts = " and ".join(sorted({f"{one.row.value_text} {one.row.unit}" for one in same}))
            return f"{name} is reported more than once in this sample: {texts}"
    return ""


def _result(one: Reported) -> Result:
    return one.result if one.form is None else one.result.scaled(one.form.factors[0])


def _total(law: Sum, parts: Iterable[Reported]) -> Total:
    results: Mapping[str, Result] = {one.substance: _result(one) for one in parts}
    return total(law, results, parameter(law.substance).canonical_unit)


def _beside(law: Sum, parts: Sequence[Reported], reported: Sequence[Reported]) -> Iterator[Shown]:
    """The computed sum, where it is not what the laboratory reports as the total."""
    found, first = _total(law, parts), parts[0]
    for one in reported:
        x = _result(one).value if _one_reading(one) else None
        if x is not None and one.row.unit == found.unit and not found.agrees(x):
            reason = f"the parts make {found.text()} and the reported total is {x}: the reported total is judged"
            yield Shown(
                first.row.station, law.substance, first.row.day.isoformat(), first.sample, found.text(), found.unit,
                reason, _rows(parts),
            )  # fmt: skip


def _judged(terms: Terms, law: Sum, day: date, parts: Sequence[Reported], twice: str) -> Iterator[Comparison]:
    for standard in limits(terms, law.substance, day):
        if twice:
            yield _comparison(terms, parts, standard, None, Decided("indeterminate", standard.citation, twice))
        else:
            found = _total(law, parts)
            yield _comparison(terms, parts, standard, found, compare_total(found, standard))


def _comparison(
    terms: Terms, parts: Sequence[Reported], standard: Standard, found: Total | None, said: Decided
) -> Comparison:
    exact = None if found is None or not found.bounds.exact else found.bounds.low
    unit = parameter(standard.parameter).canonical_unit
    result = Result(exact, unit)
    verdict, reading = clause_verdict(terms.rule, said.status, result, standard)
    members = tuple(sorted({one.substance for one in parts}))
    return Comparison(
        standard, result, said, verdict, reading, parts[0].row, parts[0].sample, _rows(parts),
        "" if found is None else f"{found.text()} {unit}", f"computed from {', '.join(members)}", members,
        () if found is None else found.bounds.missing,
    )  # fmt: skip


def _rows(parts: Sequence[Reported]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.row.row_id for one in parts))
