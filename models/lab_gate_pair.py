"""Rules of the gate that take more than one result: of a sample, of a fraction, of a substance, of a method."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from itertools import combinations

from models.charge_balance import ends
from models.lab_gate import Fault, of_reject
from models.lab_gate_result import Delivered, dilution_of, groups
from models.nr140.result import Result
from models.observation import Reject
from models.policy import Policy
from models.standard_set import Form
from models.units import CONCENTRATIONS, convert

Ends = tuple[Decimal | None, Decimal | None]
FORMS_APART = Decimal("0.05")
"""Share by which two forms of one amount may differ: both are rounded."""
PARTS = {"nitrate_as_n": "nitrate_nitrite_as_n", "nitrite_as_n": "nitrate_nitrite_as_n"}
"""What cannot be more than the sum it is part of."""


def of_samples(all_results: Sequence[Delivered], policy: Policy, forms: Mapping[str, Form]) -> Iterator[Fault]:
    """Every rule that results break together.

    Parameters
    ----------
    forms : the amount of a substance that each of its other forms holds.
    """
    results = [one for one in all_results if one.known]
    share = policy.dissolved_above_total.value
    for group in groups(results, lambda one: (*one.visit, one.stored.parameter)):
        if len(group) > 1:
            for same in groups(group, _same_result):
                yield from _repeated(same)
            yield from _fractions(group, share)
            yield from _samples(group)
            yield from _unstated(group)
            yield from _methods(group)
    related = {*forms, *(each.substance for each in forms.values()), *PARTS, *PARTS.values()}
    several = [one for one in results if one.stored.parameter in related]
    for group in groups(several, lambda one: (*one.visit, one.sample, one.fraction)):
        yield from _forms(group, forms)
        yield from _parts(group, forms, share)
    diluted = {_same_method(one) for one in results if (dilution_of(one) or 0) > 1}
    for group in groups([one for one in results if _same_method(one) in diluted] if diluted else (), _same_method):
        yield from _dilutions(group)


def with_disputes(faults: Iterable[Fault], disputed: Sequence[Reject], results: Sequence[Delivered]) -> list[Fault]:
    """Faults with those of results that dispute one moment when they are placed, so that none of them is taken.

    A repeat among them does not count once, and where two amounts contradict each other that is told already.
    """
    by_row = {(one.row, one.stored.parameter): one for one in results}
    rows = {(one.row, one.column) for one in disputed}
    kept = [one for one in faults if one.rule != "results-repeat" or (one.row, one.substance) not in rows]
    told = {
        _moment(by_row[one.row, one.substance])
        for one in kept
        if one.rule == "results-contradict" and (one.row, one.substance) in by_row
    }
    for one in disputed:
        result = by_row.get((one.row, one.column))
        if result is None:
            kept.append(of_reject(one, "results-disputed"))
        elif _moment(result) not in told:
            kept.append(result.fault("results-disputed", f"{_words(result)}: {one.reason}"))
    return kept


def _moment(one: Delivered) -> Hashable:
    return (*one.visit, one.stored.parameter, one.stored.series)


def _same_result(one: Delivered) -> Hashable:
    """Among results of one visit and substance."""
    return one.stored.series, one.sample, one.fraction, _method(one)


def _same_method(one: Delivered) -> Hashable:
    return one.stored.parameter, one.stored.unit, _method(one)


def _method(one: Delivered) -> str:
    return one.flags.facts.get("method", "")


def _repeated(group: Sequence[Delivered]) -> Iterator[Fault]:
    first = group[0]
    for one in group[1:]:
        same = _said(one) == _said(first)
        rule = "results-repeat" if same else "results-contradict"
        yield one.fault(rule, f"{_words(one)}{'' if same else f', and {_words(first)}'} (row {first.row})")


def _words(one: Delivered) -> str:
    """The value and its limits."""
    limits = () if one.result is None else (("LOD", one.result.lod), ("LOQ", one.result.loq))
    return ", ".join([one.value, *(f"{name} {limit}" for name, limit in limits if limit is not None)])


def _said(one: Delivered) -> tuple[object, ...]:
    """What a result says, its limits too, whatever its unit of mass."""
    result = one.result
    if result is None or result.unit not in CONCENTRATIONS:
        return (one.stored.value_text, one.stored.unit)
    numbers = (result.value, result.limit if result.value is None else None, result.lod, result.loq)
    return (result.said, *(None if x is None else convert(x, result.unit, "mg/L") for x in numbers))


def _fractions(group: Sequence[Delivered], share: Decimal) -> Iterator[Fault]:
    """Every dissolved result above a total one of its sample, whatever both their limits leave open.

    Two bottles of one moment are one sample, whatever their numbers; of one day only those of one number.
    """
    for one in (each for each in group if each.fraction == "dissolved"):
        for whole in (each for each in group if each.fraction == "total"):
            together = one.stored.clock != "day" or one.sample == whole.sample
            if together and _above(_span(one)[0], _span(whole)[1], share):
                yield one.fault(
                    "dissolved-above-total", f"dissolved {one.value}, total {whole.value} (row {whole.row})"
                )


def _samples(group: Sequence[Delivered]) -> Iterator[Fault]:
    """Results of one moment and fraction under two sample names, that differ."""
    if group[0].stored.clock == "day":
        return
    for same in groups(group, lambda one: (one.fraction, _method(one))):
        for one in same[1:]:
            if one.sample != same[0].sample and _apart(_span(one), _span(same[0])):
                first = same[0]
                yield one.fault(
                    "samples-of-one-moment", f"{one.value}, and {first.value} of {first.sample} (row {first.row})"
                )


def _unstated(group: Sequence[Delivered]) -> Iterator[Fault]:
    """A result of no fraction that differs from one of its sample that states its own."""
    for one in (each for each in group if each.fraction is None):
        for other in group:
            if other.fraction is not None and other.sample == one.sample and _apart(_span(one), _span(other)):
                yield one.fault("fraction-unstated", f"{one.value}, {other.fraction} {other.value} (row {other.row})")
                break


def _methods(group: Sequence[Delivered]) -> Iterator[Fault]:
    for same in groups(group, lambda one: (one.sample, one.fraction, one.stored.series)):
        first = same[0]
        for one in same[1:]:
            if _method(one) != _method(first) and _apart(_span(one), _span(first)):
                yield one.fault(
                    "methods-disagree",
                    f"{one.value} by {_method(one)}, {first.value} by {_method(first)} (row {first.row})",
                )


def _forms(group: Sequence[Delivered], forms: Mapping[str, Form]) -> Iterator[Fault]:
    """Two names of one substance, whose amounts do not meet within what rounding explains."""
    for same in groups(group, lambda one: _substance(one, forms)):
        for first, one in combinations(same, 2):
            if one.stored.parameter == first.stored.parameter:
                continue
            if _apart(_amount(one, forms), _amount(first, forms), FORMS_APART):
                yield one.fault("forms-contradict", f"{_named(one)}, and {_named(first)} (row {first.row})")


def _parts(group: Sequence[Delivered], forms: Mapping[str, Form], share: Decimal) -> Iterator[Fault]:
    sums = [one for one in group if _substance(one, forms) in PARTS.values()]
    for one in group if sums else ():
        for whole in sums:
            of_it = PARTS.get(_substance(one, forms)) == _substance(whole, forms)
            if of_it and _above(_amount(one, forms)[0], _amount(whole, forms)[1], share):
                yield one.fault("part-above-sum", f"{_named(one)}, {_named(whole)} (row {whole.row})")


def _named(one: Delivered) -> str:
    return f"{one.stored.parameter} {one.value}"


def _substance(one: Delivered, forms: Mapping[str, Form]) -> str:
    form = forms.get(one.stored.parameter)
    return one.stored.parameter if form is None else form.substance


def _amount(one: Delivered, forms: Mapping[str, Form]) -> Ends:
    """Between what the amount of its substance lies [mg/L], by the least and the most that its form may hold."""
    low, high = _span(one)
    form = forms.get(one.stored.parameter)
    if form is None or low is None or high is None:
        return low, high
    return min(each.times(low) for each in form.factors), max(each.times(high) for each in form.factors)


def _apart(one: Ends, other: Ends, share: Decimal = Decimal(0)) -> bool:
    """Whether two intervals do not meet, even a share apart; an end that nobody knows meets anything."""
    return _above(one[0], other[1], share) or _above(other[0], one[1], share)


def _above(low: Decimal | None, high: Decimal | None, share: Decimal) -> bool:
    return low is not None and high is not None and low > high * (1 + share)


def _span(one: Delivered) -> Ends:
    """Between what an amount of mass lies [mg/L]."""
    result: Result | None = one.result
    found = None if result is None or result.unit not in CONCENTRATIONS else ends(result)
    if result is None or found is None:
        return None, None
    scale = _scale(result.unit)
    return found[0] * scale, found[1] * scale


@lru_cache(maxsize=64)
def _scale(unit: str) -> Decimal:
    return convert(Decimal(1), unit, "mg/L")


def _dilutions(group: Sequence[Delivered]) -> Iterator[Fault]:
    """A LOD that an undiluted result of the method has too; a group that states no dilution says nothing."""
    plain = {one.result.lod for one in group if one.result is not None and dilution_of(one) == 1} - {None}
    for one in group:
        factor = dilution_of(one)
        if factor is not None and factor > 1 and one.result is not None and one.result.lod in plain:
            yield one.fault("dilution-limits", f"diluted {factor} times, LOD {one.result.lod} as undiluted")
