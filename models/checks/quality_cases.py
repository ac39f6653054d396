"""Which results are one case, so that one of them is judged for all.

NR 140.14, and every set of standards beside it, compares the number of a result with its LOD, its LOQ, the standard
and zero, and with nothing else. Results that say the same and whose numbers stand in the same place among those four
are one case. Numbers of up to 15 figures keep their order and their equality as doubles; where a longer one takes
part, and where a number is converted first, each text is a case of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import cast

import numpy as np

from models.checks.quality_comparison import dependence, limits
from models.checks.quality_results import Reported, Shown, Terms, reported
from models.checks.quality_rows import Codes, Rows, sample_name, together
from models.parameters import parameter
from models.question import StoredRow
from models.standards import Standard
from models.units import factor

NOT_JUDGED = -1
FIGURES, MAGNITUDE = 15, 100


@dataclass(frozen=True, eq=False)
class Group:
    """Results of one pattern under the law of one time: one of them, its standards, and where a number turns.

    ``turns`` None: no number is like another.
    """

    one: Reported | Shown
    standards: Sequence[Standard]
    turns: Sequence[float] | None


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
        """Judged rows as they are judged: like the one of their group, but for the plain number of each."""
        told = zip(at, self.rows.stored(at), strict=True)
        return [_like(cast("Reported", self.group_of(row).one), stored) for row, stored in told]


def cases(terms: Terms, rows: Rows) -> Cases:
    """The distinct cases of a table of results."""
    group = together(rows.pattern, epochs(terms, rows))
    _, first = np.unique(group, return_index=True)
    groups = [_group(terms, reported(terms, row)) for row in rows.stored(first)]
    others = dict(_others(terms, rows, group, groups))
    judged = np.array([isinstance(one.one, Reported) for one in groups], np.bool_)[group]
    of_row = np.full(len(rows), NOT_JUDGED, np.int64)
    of_row[judged] = together(group, _places(rows, group, groups), _codes_of(others, len(rows)))[judged]
    found, first_of = np.unique(of_row[judged], return_index=True)
    of_row[judged] = np.searchsorted(found, of_row[judged])
    return Cases(rows, groups, group, of_row, np.flatnonzero(judged)[first_of].tolist(), others)


def _like(one: Reported, row: StoredRow) -> Reported:
    result = one.result if one.result.value is None else one.result.of(Decimal(row.value_text))
    sample = sample_name(row.flags, row.series, row.time_ms)
    return Reported(row, sample, one.substance, result, one.fraction, one.form)


def epochs(terms: Terms, rows: Rows) -> Codes:
    """Between which two changes of the set each sample was taken."""
    days = cast("Sequence[date]", rows["day"].values)
    return np.array([bisect_right(terms.law.turns, terms.law_on(day)) for day in days], np.int64)[rows["day"].codes]


def _group(terms: Terms, one: Reported | Shown) -> Group:
    if isinstance(one, Shown):
        return Group(one, (), None)
    standards = limits(terms, one.substance, one.row.day)
    plain = one.form is None and not any(dependence(terms, each) for each in standards)
    return Group(one, standards, _turns(one, standards) if plain else None)


def _turns(one: Reported, standards: Sequence[Standard]) -> Sequence[float] | None:
    """What a number is compared with, in order; None where not every one keeps its place as a double."""
    result = one.result
    if result.value is None:
        return ()
    limit = [each.in_unit(result.unit) for each in standards if not each.detection_only]
    numbers = {Decimal(0), *limit, *(each for each in (result.lod, result.loq) if each is not None)}
    return sorted(map(float, numbers)) if all(map(_keeps_its_place, numbers)) else None


def _keeps_its_place(number: Decimal) -> bool:
    short = number.normalize()
    return len(short.as_tuple().digits) <= FIGURES and abs(short.adjusted()) < MAGNITUDE


def _places(rows: Rows, group: Codes, groups: Sequence[Group]) -> Codes:
    """Where each number stands among what it is compared with; of a group without places which text it is."""
    told = [(k, one) for k, own in enumerate(groups) for one in own.turns or ()]
    at, turn = np.array([k for k, _ in told], np.int64), np.array([one for _, one in told], np.float64)
    number = np.nan_to_num(rows.number)
    levels = np.unique(np.concatenate([number, turn]))
    turns = at * len(levels) + np.searchsorted(levels, turn)
    numbers = group * len(levels) + np.searchsorted(levels, number)
    place = np.searchsorted(turns, numbers)
    on = np.append(turns, -1)[place] == numbers
    by_text = np.array([one.turns is None for one in groups], np.bool_)[group]
    return np.where(by_text, rows["value_text"].codes, 2 * place + on)


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
