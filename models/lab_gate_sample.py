"""Rules of the gate on samples: what they are called and said to be, of which water, and their charge balance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from models.charge_balance import Balance, balance, ions, may_balance
from models.fractions import FILTER_MATTERS
from models.lab_gate import Fault, rule_of_name
from models.lab_gate_result import Delivered, Terms, groups
from models.nr140.result import Result
from models.policy import Policy
from models.qualifiers import DOUBTED_IN_TEXT, unknown_words
from models.sample_types import DESCRIBED, DOUBTED, Kind, described_as, kind_by_name
from models.units import CONCENTRATIONS


class SampleBalance(NamedTuple):
    """The charge balance of one sample, and the row it begins in."""

    station: str
    sample: str
    sampled: str
    fraction: str
    row: int
    found: Balance


def of_words(terms: Terms, results: Sequence[Delivered]) -> Iterator[Fault]:
    """Codes that are not known, and texts beside a result by which its sample may be no water of the place."""
    for one in results:
        if one.known and (words := unknown_words(one.flags.qualifiers)):
            yield one.fault("qualifier-unknown", f"{one.value}: {', '.join(words)}")
        if one.known:
            yield from _no_water(terms, one)


def _no_water(terms: Terms, one: Delivered) -> Iterator[Fault]:
    """What the sample's own name says is told already (``models.lab_gate.rule_of_name``)."""
    text, kind = _said_of(one)
    known = text.casefold() in terms.stations
    if text and not known and not rule_of_name(terms.stations, one.sample, one.stored.station)[0]:
        yield one.fault(_BY_TEXT.get(kind, "text-in-doubt"), f'"{text}": {one.value}')


def _said_of(one: Delivered) -> tuple[str, Kind]:
    """The text by which a reader left open what the sample is, and what it makes of it; ``""`` where none does."""
    activity = one.flags.facts.get("activity", "")
    if activity.startswith(DESCRIBED):
        text = activity.removeprefix(DESCRIBED)
        return text, described_as(text)
    if activity.startswith(DOUBTED):
        text = activity.removeprefix(DOUBTED)
        return text, kind_by_name(text, one.stored.station)
    if DOUBTED_IN_TEXT not in one.flags.qualifiers:
        return "", "water"
    text = one.flags.facts.get("told", "")
    return text, described_as(text, phrase=True) if " " in text else kind_by_name(text, one.stored.station)


_BY_TEXT: Mapping[Kind, str] = {"quality_control": "control-as-result", "duplicate": "duplicate-as-result"}


def of_columns(results: Sequence[Delivered]) -> Iterator[Fault]:
    """What results of a laboratory lack: the number of the sample, and of metals the fraction."""
    amounts = [one for one in results if one.known and one.stored.unit in CONCENTRATIONS]
    metals = [one for one in amounts if one.stored.parameter in FILTER_MATTERS]
    yield from _lacking("sample-number-missing", amounts, [one for one in amounts if not one.sample])
    yield from _lacking("fraction-missing", metals, [one for one in metals if one.fraction is None])


def _lacking(rule: str, among: Sequence[Delivered], without: Sequence[Delivered]) -> Iterator[Fault]:
    """A place for each, or one for the file where all lack it."""
    if without and len(without) == len(among):
        yield Fault(rule, 0, f"none of {len(among)} results")
    else:
        yield from (one.fault(rule, one.value) for one in without)


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
