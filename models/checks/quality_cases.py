"""Which results are one case, so that one of them is judged for all.

NR 140.14, and every set of standards beside it, compares the number of a result with its LOD, its LOQ, the limit it was
reported with, the standard and zero, and with nothing else. Results that say the same and whose numbers stand in the
same order among themselves and among the limits are one case. Decimal numbers of up to 15 figures keep their order and
their equality as doubles. A limit of more figures (a longer number, or a standard in another form of its substance) is
rounded to a double: numbers over it do not fall below that, nor the other way round, and those on it are one number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import combinations
from typing import cast

import numpy as np

from models.checks.quality_codes import Codes, Floats, numbered, together
from models.checks.quality_comparison import dependence, limits
from models.checks.quality_results import Reported, Shown, Terms, reported
from models.checks.quality_rows import VALUE, Rows, sample_name
from models.nr140.decision import LEAST_COUNT
from models.nr140.result import Result, read_result
from models.observation import Flags
from models.parameters import parameter
from models.question import StoredRow
from models.standards import Standard
from models.units import factor

NOT_JUDGED = -1


@dataclass(frozen=True, eq=False)
class Group:
    """Results of one pattern under the law of one time: one of them, its standards, and where a number turns.

    ``turns`` None: a limit hangs on another result of the sample, so that no number is like another.
    ``fixed``: numbers of the result that the pattern holds as text.
    """

    one: Reported | Shown
    standards: Sequence[Standard]
    turns: Sequence[float] | None
    fixed: Mapping[str, Decimal]


@dataclass(frozen=True, eq=False)
class Cases:
    """The case of each row, or ``NOT_JUDGED``; the first row of each case, and what a limit of it depends on."""

    rows: Rows
    groups: Sequence[Group]
    group: Codes
    of_row: Codes
    first: Sequence[int]
    others: Mapping[int, Sequence[Decimal | None]]

    def group_of(self, row: int) -> Group:
        return self.groups[int(self.group[row])]

    def reported(self, at: Sequence[int]) -> list[Reported]:
        """Judged rows as they are judged: like the one of their group, but for the numbers of each."""
        told = zip(at, self.rows.stored(at), strict=True)
        return [_like(cast("Reported", self.group_of(row).one), stored) for row, stored in told]

    def amount(self, row: int, unit: str) -> Decimal | None:
        """The number of a judged row in a unit, by the last factor that its report leaves open; None: it has none."""
        one, text = cast("Reported", self.group_of(row).one), self.rows["value_text"]
        own = one.result.value
        if own is None:
            return None
        value = Decimal(str(text.values[int(text.codes[row])])) if self.rows.plain[row] else own
        scaled = value if one.form is None else one.form.factors[-1].times(value)
        return scaled * factor(one.result.unit, unit)


def cases(terms: Terms, rows: Rows) -> Cases:
    """The distinct cases of a table of results."""
    group = together(rows.pattern, epochs(terms, rows))
    _, first = np.unique(group, return_index=True)
    told = zip(first.tolist(), rows.stored(first), strict=True)
    groups = [_group(terms, rows, row, reported(terms, stored)) for row, stored in told]
    others = dict(_others(terms, rows, group, groups))
    judged = np.array([isinstance(one.one, Reported) for one in groups], np.bool_)[group]
    of_row = np.full(len(rows), NOT_JUDGED, np.int64)
    of_row[judged] = together(group, _places(rows, group, groups), _codes_of(others, len(rows)))[judged]
    found, first_of = np.unique(of_row[judged], return_index=True)
    of_row[judged] = np.searchsorted(found, of_row[judged])
    return Cases(rows, groups, group, of_row, np.flatnonzero(judged)[first_of].tolist(), others)


def _like(one: Reported, row: StoredRow) -> Reported:
    result = cast("Result", read_result(row.value_text, row.unit, Flags.parse(row.flags)))
    sample = sample_name(row.flags, row.series, row.time_ms)
    return Reported(row, sample, one.substance, result, one.fraction, one.form, one.doubt)


def epochs(terms: Terms, rows: Rows) -> Codes:
    """Between which two changes of the set each sample was taken."""
    days = cast("Sequence[date]", rows["day"].values)
    return np.array([bisect_right(terms.law.turns, terms.law_on(day)) for day in days], np.int64)[rows["day"].codes]


def _group(terms: Terms, rows: Rows, row: int, one: Reported | Shown) -> Group:
    if isinstance(one, Shown):
        return Group(one, (), None, {})
    fixed = dict(_fixed(rows, row, one))
    standards = limits(terms, one.substance, one.row.day)
    if any(dependence(terms, each) for each in standards):
        return Group(one, standards, None, fixed)
    turns = sorted(map(float, _turns(one, standards, fixed.values())))
    return Group(one, standards, turns, fixed)


def _turns(one: Reported, standards: Sequence[Standard], fixed: Iterable[Decimal]) -> Iterator[Decimal]:
    """What the numbers of a group are compared with: zero, the standards as reported, and what is no number of its own.

    A standard in another form of its substance is divided by the factor of the form, which rounds.
    """
    limit = {each.in_unit(one.result.unit) for each in standards if not each.detection_only}
    counts = {LEAST_COUNT} if any(each.detection_only for each in standards) else set()
    yield from {Decimal(0), *counts, *fixed}
    for number in limit:
        yield from {number} if one.form is None else {number * each.in_ / each.of for each in one.form.factors}


def _fixed(rows: Rows, row: int, one: Reported) -> Iterator[tuple[str, Decimal]]:
    result = one.result
    own = {name: not np.isnan(number[row]) for name, number in rows.numbers.items()}
    own["limit"] |= own[VALUE] and not rows.plain[row]
    for name, number in ((VALUE, result.value), ("lod", result.lod), ("loq", result.loq), ("limit", result.limit)):
        if number is not None and not own[name]:
            yield name, number


def _places(rows: Rows, group: Codes, groups: Sequence[Group]) -> Codes:
    """One code for numbers that stand in one order among themselves and among the turns of their group."""
    numbers = list(rows.numbers.values())
    turns = [one.turns or () for one in groups]
    place = together(_order(numbers), *(_place(number, group, turns) for number in numbers))
    own = np.flatnonzero(np.array([one.turns is None for one in groups], np.bool_)[group])
    place[own] = place.max(initial=0) + 1 + together(*(numbered(number[own]) for number in numbers))
    return place


def _place(number: Floats, group: Codes, turns: Sequence[Sequence[float]]) -> Codes:
    """How many turns of its group a number is over, and whether it is at one."""
    over, at = np.zeros(len(number), np.int64), np.zeros(len(number), np.bool_)
    for k in range(max(map(len, turns), default=0)):
        there = np.array([one[k] if k < len(one) else np.nan for one in turns])[group]
        over += number > there
        at |= number == there
    return 2 * over + at


def _order(numbers: Sequence[Floats]) -> Codes:
    """How numbers of a row stand to each other."""
    found = np.zeros(len(numbers[0]), np.int64)
    for one, other in combinations(numbers, 2):
        found = 3 * found + (one > other) + 2 * (one < other)
    return found


def _codes_of(others: Mapping[int, Hashable], count: int) -> Codes:
    """One number for each thing that limits depend on."""
    found = np.zeros(count, np.int64)
    known: dict[Hashable, int] = {}
    for row, other in others.items():
        found[row] = known.setdefault(other, len(known) + 1)
    return found


def _others(
    terms: Terms, rows: Rows, of_row: Codes, groups: Sequence[Group]
) -> Iterator[tuple[int, tuple[Decimal | None, ...]]]:
    """Of each row with a limit that depends on another result: what its sample says of that, standard by standard."""
    hangs = [any(dependence(terms, each) for each in one.standards) for one in groups]
    wanted = np.flatnonzero(np.array(hangs, np.bool_)[of_row]).tolist()
    if not wanted:
        return
    found = _numbers_by_sample(terms, rows, [isinstance(one.one, Reported) for one in groups], of_row)
    for row in wanted:
        own = [dependence(terms, one) for one in groups[int(of_row[row])].standards]
        sample = int(rows.sample[row])
        yield row, tuple(None if one is None else _only(found.get((sample, one.on), set())) for one in own)


def _numbers_by_sample(
    terms: Terms, rows: Rows, judged: Sequence[bool], of_row: Codes
) -> dict[tuple[int, str], set[Decimal]]:
    """Amounts of what limits depend on, in the unit its parameter is kept in."""
    named = {one.on for one in terms.law.header.dependence}
    codes = [k for k, name in enumerate(rows["parameter"].values) if name in named]
    at = np.flatnonzero(np.isin(rows["parameter"].codes, codes) & np.array(judged, np.bool_)[of_row])
    found: dict[tuple[int, str], set[Decimal]] = {}
    for row, stored in zip(at.tolist(), rows.stored(at), strict=True):
        one = reported(terms, stored)
        if isinstance(one, Reported) and one.result.value is not None:
            amount = one.result.value * factor(one.result.unit, parameter(stored.parameter).canonical_unit)
            found.setdefault((int(rows.sample[row]), stored.parameter), set()).add(amount)
    return found


def _only(numbers: set[Decimal]) -> Decimal | None:
    """Two different numbers in a sample are none."""
    return next(iter(numbers)) if len(numbers) == 1 else None
