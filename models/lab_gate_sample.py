"""Rules of the gate that take more than one result: of a sample, of a fraction, of a method."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from models.charge_balance import Balance, balance, ends
from models.lab_gate import Fault
from models.lab_gate_result import Delivered, dilution_of
from models.nr140.result import Result
from models.policy import Policy
from models.units import CONCENTRATIONS, convert


class SampleBalance(NamedTuple):
    """The charge balance of one sample, and the row it begins in."""

    station: str
    sample: str
    sampled: str
    fraction: str
    row: int
    found: Balance


def of_samples(results: Sequence[Delivered], policy: Policy) -> Iterator[Fault]:
    """Every rule that results break together."""
    for group in _groups(results, _same_result):
        yield from _repeated(group)
    share = policy.dissolved_above_total.value
    for group in _groups(results, lambda one: (*_visit(one), one.stored.parameter)):
        yield from _fractions(group, share)
    for group in _groups(results, _same_method):
        yield from _dilutions(group)


def balances(results: Sequence[Delivered], policy: Policy) -> list[SampleBalance]:
    """The charge balance of every sample with major ions on both sides, by its dissolved results where it has both."""
    found = []
    for group in _groups([one for one in results if one.result is not None], lambda one: (*_visit(one), one.sample)):
        chosen = _by_parameter(group)
        told = balance({name: one.result for name, one in chosen.items() if one.result is not None}, policy)
        if told is not None:
            first, used = group[0], [chosen[name] for name in told.used or chosen]
            names = " and ".join(sorted({one.fraction or "unstated" for one in used}))
            day = first.day.isoformat()
            found.append(SampleBalance(first.stored.station, first.sample, day, names, first.row, told))
    return found


def of_balances(found: Iterable[SampleBalance]) -> Iterator[Fault]:
    """Those that are off; one that nobody can tell is no fault."""
    for one in found:
        if one.found.standing == "off":
            yield Fault("charge-balance", one.row, one.found.says(), one.station, one.sample)


def _groups(results: Iterable[Delivered], key: Callable[[Delivered], Hashable]) -> list[list[Delivered]]:
    found: dict[Hashable, list[Delivered]] = {}
    for one in results:
        found.setdefault(key(one), []).append(one)
    return list(found.values())


def _visit(one: Delivered) -> tuple[str, str, int]:
    """Station and moment; a day has no more than its samples to tell two visits apart."""
    return one.stored.station, one.stored.clock, one.stored.time_ms


def _same_result(one: Delivered) -> Hashable:
    return (*_visit(one), one.stored.parameter, one.stored.series, one.sample, one.fraction)


def _same_method(one: Delivered) -> Hashable:
    return one.stored.parameter, one.stored.unit, one.flags.facts.get("method", "")


def _repeated(group: Sequence[Delivered]) -> Iterator[Fault]:
    first = group[0]
    for one in group[1:]:
        same = _said(one) == _said(first)
        rule = "results-repeat" if same else "results-contradict"
        yield one.fault(rule, f"{one.value}{'' if same else f', and {first.value}'} (row {first.row})")


def _said(one: Delivered) -> tuple[object, ...]:
    """What a result says whatever its unit of mass."""
    result = one.result
    if result is None or result.unit not in CONCENTRATIONS:
        return (one.stored.value_text, one.stored.unit)
    numbers = (result.value, result.limit if result.value is None else None)
    return (result.said, *(None if x is None else convert(x, result.unit, "mg/L") for x in numbers))


def _fractions(group: Sequence[Delivered], share: Decimal) -> Iterator[Fault]:
    """Every dissolved result above a total one of its sample, whatever both their limits leave open.

    Two bottles of one moment are one sample, whatever their numbers; of one day only those of one number.
    """
    for one in (each for each in group if each.fraction == "dissolved"):
        for whole in (each for each in group if each.fraction == "total"):
            low, high = _span(one.result)[0], _span(whole.result)[1]
            together = one.stored.clock != "day" or one.sample == whole.sample
            if together and low is not None and high is not None and low > high * (1 + share):
                yield one.fault(
                    "dissolved-above-total", f"dissolved {one.value}, total {whole.value} (row {whole.row})"
                )


def _span(result: Result | None) -> tuple[Decimal | None, Decimal | None]:
    """Between what an amount of mass lies [mg/L]."""
    found = None if result is None or result.unit not in CONCENTRATIONS else ends(result)
    if result is None or found is None:
        return None, None
    return convert(found[0], result.unit, "mg/L"), convert(found[1], result.unit, "mg/L")


def _dilutions(group: Sequence[Delivered]) -> Iterator[Fault]:
    """A LOD that an undiluted result of the method has too; a group that states no dilution says nothing."""
    plain = {one.result.lod for one in group if one.result is not None and dilution_of(one) == 1} - {None}
    for one in group:
        factor = dilution_of(one)
        if factor is not None and factor > 1 and one.result is not None and one.result.lod in plain:
            yield one.fault("dilution-limits", f"diluted {factor} times, LOD {one.result.lod} as undiluted")


def _by_parameter(group: Sequence[Delivered]) -> dict[str, Delivered]:
    """One result of each parameter: the dissolved before the total, then the first."""
    rank = {"dissolved": 0, "total": 1, None: 2}
    found: dict[str, Delivered] = {}
    for one in sorted(group, key=lambda one: rank[one.fraction]):
        found.setdefault(one.stored.parameter, one)
    return found
