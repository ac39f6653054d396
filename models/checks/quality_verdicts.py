"""Every result and every sum of a table against every standard, as columns; one row of it as an object where shown.

The distinct cases are judged one by one in decimal (``quality_cases``) and joined back; a detect that hangs on other
samples is judged again with them. There is no other way to a verdict, for one result or a million.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import NDArray

from models.checks.quality_cases import NOT_JUDGED, Cases, Group, cases
from models.checks.quality_codes import Codes, objects
from models.checks.quality_comparison import (
    Comparison,
    Computed,
    Said,
    comparison,
    comparison_of_sum,
    dependence,
    not_in_force,
    said,
    said_of_dependent,
)
from models.checks.quality_confirming import NEVER, Judged, confirming
from models.checks.quality_disputes import Elsewhere, elsewhere
from models.checks.quality_results import Reported, Shown, Terms, reported, second_sources, shown
from models.checks.quality_rows import Rows, Source, rows_of
from models.checks.quality_sum_cases import Parts, Sums, sum_cases
from models.checks.quality_sums import beside, laws_of_sums, said_of_sum
from models.checks.quality_support import Record
from models.nr140.decision import Support
from models.observation import Flags
from models.standard_set import Sum


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Comparisons by station, day, time, sample, substance and standard.

    Parameters
    ----------
    sayings : the distinct things said, each by the first that says it; ``said`` which of them each comparison is.
    row : the row each rests on, of a sum the first; ``parts`` of a sum all of them, else None.
    confirms : ordinal of the day of the earlier sample each confirms, or ``NEVER``.
    aside : computed sums that are only shown, where they do not make the reported total.
    """

    terms: Terms
    rows: Rows
    cases: Cases
    sayings: Sequence[Said]
    said: Codes
    row: Codes
    parts: NDArray[np.object_]
    confirms: Codes
    aside: Sequence[tuple[Sum, Parts, Parts]]

    def __len__(self) -> int:
        return len(self.said)

    def shown(self) -> list[Comparison]:
        """Every comparison as an object."""
        return self.shown_at(range(len(self)))

    def shown_at(self, at: Sequence[int]) -> list[Comparison]:
        """Some of the comparisons as objects."""
        rows, which = np.unique(self.row[np.asarray(at, np.intp)], return_inverse=True)
        results = self.cases.reported(rows.tolist())
        return [self._shown(k, results[one]) for k, one in zip(at, which.tolist(), strict=True)]

    def said_at(self, k: int) -> Said:
        """What is said of one comparison, with what it quotes of its own result."""
        found = self.sayings[int(self.said[k])]
        if found.computed is not None:
            return self._of_sum(found, self.cases.reported(self.parts[k]))
        (one,) = self.cases.reported([int(self.row[k])])
        return self._quoting(found, one)

    def attained(self) -> NDArray[np.bool_]:
        """Which comparisons attain their standard."""
        return np.array([one.nr140.status == "attained" for one in self.sayings], np.bool_)[self.said]

    def not_judged(self) -> list[Shown]:
        """Results that are not judged and computed sums that are not, with the reason."""
        out = np.flatnonzero(self.cases.of_row == NOT_JUDGED)
        found = [reported(self.terms, row) for row in self.rows.stored(out)]
        out_of_force = [*self._out_of_force(), *self._beside()]
        return [*(one for one in found if isinstance(one, Shown)), *second_sources(self.rows), *out_of_force]

    @cached_property
    def _elsewhere(self) -> Mapping[str, tuple[Elsewhere, ...]]:
        return elsewhere(self.rows)

    def _shown(self, k: int, one: Reported) -> Comparison:
        found = self._alone(k, one)
        own = [each for id in found.rows for each in self._elsewhere.get(id, ())]
        return replace(found, elsewhere=tuple(dict.fromkeys(own))) if own else found

    def _alone(self, k: int, one: Reported) -> Comparison:
        found, day = self.sayings[int(self.said[k])], int(self.confirms[k])
        confirmed = None if day == NEVER else date.fromordinal(day)
        if found.computed is None:
            return comparison(one, self._quoting(found, one), confirmed)
        parts = self.cases.reported(self.parts[k])
        own = self._of_sum(found, parts)
        return comparison_of_sum(
            own, cast("Computed", own.computed), [each.row for each in parts], one.sample, confirmed
        )

    def _quoting(self, found: Said, one: Reported) -> Said:
        """What a case says, of one of its results, with what it quotes of that."""
        return said(self.terms, one, found.standard) if found.nr140.named else found

    def _of_sum(self, found: Said, parts: Sequence[Reported]) -> Said:
        return said_of_sum(self.terms, laws_of_sums(self.terms)[found.standard.parameter], found.standard, parts)

    def _out_of_force(self) -> Iterator[Shown]:
        """Results from days on which no standard of their substance was law, or is on the day that is asked for."""
        why = [self._not_in_force(one) for one in self.cases.groups]
        at = np.flatnonzero(np.array([bool(one) for one in why], np.bool_)[self.cases.group])
        for k, row in zip(at.tolist(), self.rows.stored(at), strict=True):
            one = cast("Reported", self.cases.group_of(k).one)
            yield shown(row, Flags.parse(row.flags), not_in_force(self.terms, one.substance, row.day))

    def _not_in_force(self, group: Group) -> str:
        one = group.one
        return "" if isinstance(one, Shown) or group.standards else not_in_force(self.terms, one.substance, one.row.day)

    def _beside(self) -> Iterator[Shown]:
        for law, members, totals in sorted(self.aside, key=lambda one: (one[1][0], one[0].substance)):
            parts = self.cases.reported(members)
            ids, row = dict.fromkeys(one.row.row_id for one in parts), parts[0].row
            for one in beside(law, parts, self.cases.reported(totals)):
                yield Shown(
                    row.station, one.substance, row.day.isoformat(), parts[0].sample, one.text, one.unit, one.reason,
                    tuple(ids),
                )  # fmt: skip


def verdicts(terms: Terms, source: Source) -> Verdicts:
    """Judge a table of results, of one station or of many under the same terms.

    Raises
    ------
    BadUnit : a result in a unit that does not measure its substance.
    """
    rows = rows_of(source, terms.law.counts_as, terms.law.of_samples)
    found = cases(terms, rows)
    sayings, row, of = _direct(terms, found)
    of = _supported(terms, found, sayings, row, of)
    sums = sum_cases(terms, found)
    of, row, parts = _with_sums(rows, sayings, of, row, sums)
    confirms = confirming(terms, found, Judged(sayings, of, row, parts))
    return Verdicts(terms, rows, found, sayings, of, row, parts, confirms, sums.aside)


def _direct(terms: Terms, found: Cases) -> tuple[list[Said], Codes, Codes]:
    """What each case says, and row and saying of every comparison."""
    sayings: list[Said] = []
    counts = np.zeros(len(found.first) + 1, np.int64)
    for case, (row, one) in enumerate(zip(found.first, found.reported(found.first), strict=True)):
        sayings += _said_of(terms, one, found, row)
        counts[case + 1] = len(sayings)
    at = np.flatnonzero(found.of_row != NOT_JUDGED)
    case_of = found.of_row[at]
    many = np.diff(counts)[case_of]
    within = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    return sayings, np.repeat(at, many), np.repeat(counts[case_of], many) + within


def _said_of(terms: Terms, one: Reported, found: Cases, row: int) -> Iterator[Said]:
    for k, standard in enumerate(found.group_of(row).standards):
        own = dependence(terms, standard)
        if own is None:
            yield said(terms, one, standard)
        else:
            yield said_of_dependent(terms, one, standard, own, found.others[row][k])


def _supported(terms: Terms, found: Cases, sayings: list[Said], row: Codes, of: Codes) -> Codes:
    """The same, where 140.14(3)(b) asks for the other samples, with what they say."""
    wants = np.array([one.needs_support for one in sayings], np.bool_)
    record, known = Record(terms, found), dict[tuple[int, Support], int]()
    again = of.copy()
    for k in np.flatnonzero(wants[of]).tolist() if len(of) else ():
        before = sayings[int(of[k])]
        support = record.support(int(row[k]), before.standard)
        key = int(of[k]), support
        if key not in known:
            known[key] = len(sayings)
            sayings += [said(terms, one, before.standard, support) for one in found.reported([int(row[k])])]
        again[k] = known[key]
    return again


def _with_sums(
    rows: Rows, sayings: list[Said], of: Codes, row: Codes, sums: Sums
) -> tuple[Codes, Codes, NDArray[np.object_]]:
    """Sums among the comparisons of their sample, each behind those of its own substance."""
    own = np.array(sums.said, np.int64) + len(sayings)
    sayings += sums.sayings
    first = np.array([parts[0] for parts in sums.parts], np.int64)
    names = {name: k for k, name in enumerate(sorted({one.standard.parameter for one in sayings}))}
    name = np.array([names[one.standard.parameter] for one in sayings], np.int64)
    visit = visits(rows)
    place, sums_place = visit[row] * len(names) + name[of], visit[first] * len(names) + name[own]
    order = np.argsort(sums_place, kind="stable")
    at = np.searchsorted(place, sums_place[order], side="right")
    parts = objects(sums.parts)[order]
    return np.insert(of, at, own[order]), np.insert(row, at, first[order]), np.insert(_none(len(of)), at, parts)


def visits(rows: Rows) -> Codes:
    """Which station, day, time and sample, numbered in order."""
    new = np.zeros(len(rows), np.bool_)
    for name in ("station", "day", "time_ms", "sample"):
        new[1:] |= np.diff(rows[name].codes) != 0
    return np.cumsum(new, dtype=np.int64)


def _none(n: int) -> NDArray[np.object_]:
    return np.full(n, None, object)
