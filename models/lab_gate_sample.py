"""The charge balance of every sample of a deliverable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from models.charge_balance import Balance, balance, ions, may_balance
from models.lab_gate import Fault
from models.lab_gate_result import Delivered, groups
from models.nr140.result import Result
from models.policy import Policy


class SampleBalance(NamedTuple):
    """The charge balance of one sample, and the row it begins in."""

    station: str
    sample: str
    sampled: str
    fraction: str
    row: int
    found: Balance


def balances(results: Sequence[Delivered], policy: Policy) -> list[SampleBalance]:
    """The charge balance of every sample with major ions on both sides, by its dissolved results where it has both.

    The water of one visit is often in several bottles: what a sample lacks is taken from the others of its visit, and
    where no sample has both sides alone the visit is one water.
    """
    found = []
    for visit in groups([one for one in results if one.result is not None], lambda one: one.visit):
        if not may_balance({one.stored.parameter for one in visit}):
            continue
        samples = groups(visit, lambda one: one.sample)
        whole = [one for one in samples if balance(_results(_by_parameter(one)), policy) is not None]
        for sample in whole or [visit]:
            chosen = _by_parameter(visit) | _by_parameter(sample)
            told = balance(_results(chosen), policy)
            if told is not None:
                found.append(_balance_of(sample[0], [chosen[name] for name in told.used or chosen], told))
    return found


def _results(chosen: Mapping[str, Delivered]) -> dict[str, Result]:
    """What has charge only in solution, found in water that was not filtered, is no more than what was found."""
    return {
        name: _at_most(one.result) if name in ions() and ions()[name].dissolved and one.fraction != "dissolved"
        else one.result
        for name, one in chosen.items() if one.result is not None
    }  # fmt: skip


def _at_most(result: Result) -> Result:
    return result if result.value is None else Result(None, result.unit, limit=result.value)


def _balance_of(first: Delivered, used: Sequence[Delivered], told: Balance) -> SampleBalance:
    fractions = " and ".join(sorted({one.fraction or "unstated" for one in used}))
    bottles = " + ".join(dict.fromkeys(one.sample for one in (first, *sorted(used, key=lambda one: one.row))))
    return SampleBalance(first.stored.station, bottles, first.day.isoformat(), fractions, first.row, told)


def of_balances(found: Iterable[SampleBalance]) -> Iterator[Fault]:
    """Those that are off; one that nobody can tell is no fault."""
    for one in found:
        if one.found.standing == "off":
            yield Fault("charge-balance", one.row, one.found.says(), one.station, one.sample)


def _by_parameter(group: Sequence[Delivered]) -> dict[str, Delivered]:
    """One result of each parameter: the dissolved before the total, then the first."""
    rank = {"dissolved": 0, "total": 1, None: 2}
    found: dict[str, Delivered] = {}
    for one in sorted(group, key=lambda one: rank[one.fraction]):
        found.setdefault(one.stored.parameter, one)
    return found
