"""Which sums of a table are one case, so that one of them is added and judged in decimal for all.

A sum is compared with its standards by what its members make at least, at most, and quantified for sure. Samples that
report the same members alike, and whose sums stand in the same place among the standards, are one case. Places come
from sums of doubles, which stray some 1e-15 from the decimal ones: a sum closer than `CLOSE` to a standard, or with a
member that is reported twice or has no exact double, is a case of its own.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import cast

import numpy as np

from models.checks.quality_cases import NOT_JUDGED, Cases, Group
from models.checks.quality_codes import Codes
from models.checks.quality_comparison import Said, limits
from models.checks.quality_results import Reported, Terms
from models.checks.quality_rows import VALUE
from models.checks.quality_sums import by_fraction, laws_of_sums, one_reading, said_of_sum
from models.nr140.total import bound_of, way_of, weight
from models.parameters import parameter
from models.standard_set import Sum
from models.standards import Standard

CLOSE = 1e-9
"""Relative: far over what doubles lose in a sum, far under what a laboratory can tell."""
Parts = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Sums:
    """Every computed sum against each standard: what its case says, and the rows of its members.

    ``aside``: sums in place of which a total is reported that they may not make: members, and the rows of totals.
    """

    sayings: list[Said]
    said: list[int]
    parts: list[Parts]
    aside: list[tuple[Sum, Parts, Parts]]


@dataclass(frozen=True)
class _Kind:
    """What the rows of one group are to a sum: ``bound`` of ``bound_of``, ``scale`` its unit and form make of it."""

    substance: str
    fraction: str | None
    adds: bool
    compares: bool
    bound: str
    scale: float
    quantifiable: bool
    own: bool
    standards: tuple[Standard, ...]
    doubt: str


@dataclass(frozen=True, eq=False)
class _Choice:
    """Places of the members of a sum in their sample, and of those that are added; ``open``: one is not measured."""

    members: Sequence[int]
    added: Sequence[int]
    open: bool
    twice: bool


@dataclass(frozen=True, eq=False)
class _Plan:
    """What rows of some kinds make: sums, and the reported totals they are held against."""

    choices: Sequence[_Choice]
    whole: Sequence[int]
    compared: Sequence[int]
    standards: Sequence[Standard]
    limits: Sequence[float]


@dataclass(frozen=True, eq=False)
class _Added:
    """Of each row its kind, and what it adds to a sum at least, at most and quantified for sure."""

    rows: list[int]
    kind: list[int]
    low: list[float]
    high: list[float]
    sure: list[float]


def sum_cases(terms: Terms, found: Cases) -> Sums:
    """Every sum that a sample holds a member of."""
    sums = Sums([], [], [], [])
    for _, law in sorted(laws_of_sums(terms).items()):
        _OneSum(terms, found, law, sums).judge()
    return sums


class _OneSum:
    """One sum over all samples."""

    def __init__(self, terms: Terms, found: Cases, law: Sum, sums: Sums) -> None:
        self._terms, self._found, self._law, self._sums = terms, found, law, sums
        self._unit = parameter(law.substance).canonical_unit
        self._kinds: list[_Kind] = []
        self._plans: dict[tuple[int, ...], _Plan] = {}
        self._known: dict[Hashable, int] = {}

    def judge(self) -> None:
        at, starts = self._samples()
        added = self._added(at)
        for start, end in pairwise((*starts, len(at))):
            kinds = tuple(added.kind[start:end])
            if kinds not in self._plans:
                self._plans[kinds] = self._plan([self._kinds[k] for k in kinds])
            plan = self._plans[kinds]
            for choice in plan.choices:
                self._judge(plan, choice, kinds, added, start)

    def _samples(self) -> tuple[Codes, list[int]]:
        """Rows that have to do with the sum, sample by sample, and where each sample starts; not totals alone."""
        rows, names = self._found.rows, self._found.rows["substance"]
        members = {self._law.substance, *self._law.members()}
        wanted = np.array([one in members for one in names.values], np.bool_)
        at = np.flatnonzero(wanted[names.codes] & (self._found.of_row != NOT_JUDGED))
        at = at[np.argsort(rows.sample[at], kind="stable")]
        sample = rows.sample[at]
        kept = np.isin(sample, sample[~names.at(at).at_value(self._law.substance)])
        return at[kept], np.flatnonzero(np.diff(sample[kept], prepend=-1)).tolist()

    def _added(self, at: Codes) -> _Added:
        """What each row adds; NaN where one of its numbers has no exact double."""
        groups, which = np.unique(self._found.group[at], return_inverse=True)
        kinds = [self._kind(self._found.groups[k]) for k in groups.tolist()]
        self._kinds = list(dict.fromkeys(kinds))
        places = {one: k for k, one in enumerate(self._kinds)}
        kind = np.array([places[one] for one in kinds], np.int64)[which]
        number = {name: one[at] for name, one in self._found.rows.numbers.items()}
        value, lod, loq, limit = number[VALUE], number["lod"], number["loq"], number["limit"]
        bounds = {
            VALUE: value, "lod": lod, "loq": np.where(np.isnan(loq), limit, loq),
            "limit": np.where(np.isnan(limit), value, limit), "": np.full(len(at), np.inf),
        }  # fmt: skip
        by = {name: np.array([one.bound == name for one in self._kinds], np.bool_)[kind] for name in bounds}
        scale = np.array([np.nan if one.own else one.scale for one in self._kinds])[kind]
        high = scale * np.select(list(by.values()), list(bounds.values()), np.nan)
        low = np.where(by[VALUE] | np.isnan(high), high, 0.0)
        quantifiable = np.array([one.quantifiable for one in self._kinds], np.bool_)[kind]
        sure = np.where(quantifiable & (value >= loq), high, 0.0)
        return _Added(at.tolist(), kind.tolist(), low.tolist(), high.tolist(), sure.tolist())

    def _kind(self, group: Group) -> _Kind:
        one = cast("Reported", group.one)
        result, adds = one.result, one_reading(one)
        form = one.form.factors[0] if one.form is not None and adds else None
        scale = weight(self._law, one.substance, result, self._unit) if adds else Decimal(1)
        return _Kind(
            one.substance, one.fraction, adds, result.value is not None and result.unit == self._unit,
            bound_of(result), float(scale if form is None else scale * form.of / form.in_),
            result.value is not None and result.loq is not None, bool(group.fixed or result.said or not adds),
            tuple(limits(self._terms, self._law.substance, one.row.day)), one.doubt,
        )  # fmt: skip

    def _plan(self, kinds: Sequence[_Kind]) -> _Plan:
        law, standards = self._law, kinds[0].standards
        whole = [k for k, one in enumerate(kinds) if one.substance == law.substance]
        sure = {one.substance for one in kinds if one.adds}
        members = [k for k, one in enumerate(kinds) if one.substance != law.substance]
        parts = [k for k in members if kinds[k].adds or kinds[k].substance not in sure]
        chosen = by_fraction(law, [kinds[k] for k in parts]) if parts and standards else []
        choices = [_choice(law, kinds, [parts[k] for k in places]) for places in chosen]
        compared = [k for k in whole if kinds[k].adds and kinds[k].compares]
        return _Plan(choices, whole, compared, standards, [float(one.in_unit(self._unit)) for one in standards])

    def _judge(self, plan: _Plan, choice: _Choice, kinds: tuple[int, ...], added: _Added, start: int) -> None:
        at = [start + k for k in choice.added]
        low, sure = sum(added.low[k] for k in at), sum(added.sure[k] for k in at)
        high = math.inf if choice.open else sum(added.high[k] for k in at)
        rows = tuple(added.rows[start + k] for k in choice.members)
        if plan.whole:
            reported = [added.low[start + k] for k in plan.compared]
            if not all(low * (1 + CLOSE) < x < high * (1 - CLOSE) for x in reported):
                self._sums.aside.append((self._law, rows, tuple(added.rows[start + k] for k in plan.compared)))
            return
        places = [_place(number, plan.limits) for number in (low, high, sure)]
        alone = choice.twice or None in places
        key: Hashable = rows if alone else (*places, *(kinds[k] for k in choice.members))
        first = self._first(key, plan, rows)
        self._sums.said.extend(range(first, first + len(plan.standards)))
        self._sums.parts.extend([rows] * len(plan.standards))

    def _first(self, key: Hashable, plan: _Plan, rows: Parts) -> int:
        """The number of what the case says against the first of its standards."""
        if key not in self._known:
            parts = self._found.reported(rows)
            self._known[key] = len(self._sums.sayings)
            self._sums.sayings.extend(said_of_sum(self._terms, self._law, one, parts) for one in plan.standards)
        return self._known[key]


def _choice(law: Sum, kinds: Sequence[_Kind], members: Sequence[int]) -> _Choice:
    names = [kinds[k].substance for k in members]
    way = way_of(law, names)
    added = [k for k in members if kinds[k].substance in way]
    return _Choice(members, added, any(name not in names for name in way), len(set(names)) < len(names))


def _place(number: float, limits: Sequence[float]) -> int | None:
    """Which limits a number is over; None where no double can tell."""
    place = 0
    for limit in limits:
        if not abs(number - limit) > CLOSE * limit:
            return None
        place = 2 * place + (number > limit)
    return place
