"""Every result and every sum of a table against every standard, as columns; one row of it as an object where shown.

The distinct cases are judged one by one in decimal (``quality_cases``) and joined back; a detect that hangs on other
samples is judged again with them. There is no other way to a verdict, for one result or a million.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

import numpy as np
from numpy.typing import NDArray

from models.checks.quality_cases import NOT_JUDGED, Cases, cases
from models.checks.quality_comparison import (
    Comparison,
    Said,
    comparison,
    comparison_of_sum,
    dependence,
    said,
    said_of_dependent,
)
from models.checks.quality_results import Reported, Shown, Terms, reported
from models.checks.quality_rows import Codes, Rows, Source, rows_of, together
from models.checks.quality_sums import Beside, Found, sums
from models.checks.quality_support import Record
from models.nr140.confirmation import confirms
from models.nr140.decision import Support

NEVER = 0
"""The ordinal of no day."""


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Comparisons by station, day, time, sample, substance and standard.

    Parameters
    ----------
    sayings : the distinct things said; ``said`` which of them each comparison is.
    row : the row each rests on, of a sum the first; ``parts`` of a sum all of them, else None.
    confirms : ordinal of the day of the earlier sample each confirms, or ``NEVER``.
    beside : computed sums that are only shown.
    """

    terms: Terms
    rows: Rows
    cases: Cases
    sayings: Sequence[Said]
    said: Codes
    row: Codes
    parts: NDArray[np.object_]
    confirms: Codes
    beside: Sequence[tuple[Beside, tuple[int, ...]]]

    def __len__(self) -> int:
        return len(self.said)

    def shown(self) -> list[Comparison]:
        """Every comparison as an object."""
        return self.shown_at(range(len(self)))

    def shown_at(self, at: Sequence[int]) -> list[Comparison]:
        """Some of the comparisons as objects."""
        results = self.cases.reported(self.row[np.asarray(at, np.intp)].tolist())
        return [self._shown(k, one) for k, one in zip(at, results, strict=True)]

    def attained(self) -> NDArray[np.bool_]:
        """Which comparisons attain their standard."""
        return np.array([one.nr140.status == "attained" for one in self.sayings], np.bool_)[self.said]

    def attained_before(self, day: date) -> set[tuple[str, str, str]]:
        """Station, substance and standard (by kind and table) that were attained before a day."""
        days, stations = self.rows["day"], self.rows["station"]
        earlier = np.array([cast("date", one) < day for one in days.values], np.bool_)[days.codes]
        at = np.flatnonzero(self.attained() & earlier[self.row])
        pairs = set(zip(stations.codes[self.row[at]].tolist(), self.said[at].tolist(), strict=True))
        law = {k: self.sayings[k].standard for _, k in pairs}
        return {(str(stations.values[station]), law[k].parameter, law[k].name()) for station, k in pairs}

    def not_judged(self) -> list[Shown]:
        """Results that are not judged and computed sums that are not, with the reason."""
        out = np.flatnonzero(self.cases.of_row == NOT_JUDGED)
        found = [reported(self.terms, row) for row in self.rows.stored(out)]
        return [one for one in found if isinstance(one, Shown)] + [self._beside(*one) for one in self.beside]

    def _shown(self, k: int, one: Reported) -> Comparison:
        found, day = self.sayings[int(self.said[k])], int(self.confirms[k])
        confirmed = None if day == NEVER else date.fromordinal(day)
        if found.computed is None:
            return comparison(one, found, confirmed)
        parts = self.rows.stored(self.parts[k])
        return comparison_of_sum(found, found.computed, parts, one.sample, confirmed)

    def _beside(self, found: Beside, parts: tuple[int, ...]) -> Shown:
        results = self.cases.reported(parts)
        row, ids = results[0].row, dict.fromkeys(one.row.row_id for one in results)
        return Shown(
            row.station, found.substance, row.day.isoformat(), results[0].sample, found.text, found.unit, found.reason,
            tuple(ids),
        )  # fmt: skip


def verdicts(terms: Terms, source: Source) -> Verdicts:
    """Judge a table of results, of one station or of many under the same terms.

    Raises
    ------
    BadUnit : a result in a unit that does not measure its substance.
    """
    rows = rows_of(source, terms.law.counts_as)
    found = cases(terms, rows)
    sayings, row, of = _direct(terms, found)
    of = _supported(terms, found, sayings, row, of)
    summed = list(sums(terms, rows, found))
    beside = [(one, parts) for one, parts in summed if isinstance(one, Beside)]
    counted = [(one, parts) for one, parts in summed if isinstance(one, Said)]
    of, row, parts = _with_sums(rows, sayings, of, row, counted)
    return Verdicts(terms, rows, found, sayings, of, row, parts, _confirming(terms, rows, sayings, of, row), beside)


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
    rows: Rows, sayings: list[Said], of: Codes, row: Codes, found: Sequence[Found]
) -> tuple[Codes, Codes, NDArray[np.object_]]:
    """Sums among the comparisons of their sample, each behind those of its own substance."""
    numbers: dict[int, int] = {}
    for one, _ in found:
        if isinstance(one, Said) and id(one) not in numbers:
            numbers[id(one)] = len(sayings)
            sayings.append(one)
    own = np.array([numbers[id(one)] for one, _ in found], np.int64)
    first = np.array([parts[0] for _, parts in found], np.int64)
    names = {name: k for k, name in enumerate(sorted({one.standard.parameter for one in sayings}))}
    name = np.array([names[one.standard.parameter] for one in sayings], np.int64)
    visit = visits(rows)
    place, sums_place = visit[row] * len(names) + name[of], visit[first] * len(names) + name[own]
    order = np.argsort(sums_place, kind="stable")
    at = np.searchsorted(place, sums_place[order], side="right")
    parts = np.empty(len(found), object)
    parts[:] = [one for _, one in found]
    return np.insert(of, at, own[order]), np.insert(row, at, first[order]), np.insert(_none(len(of)), at, parts[order])


def visits(rows: Rows) -> Codes:
    """Which station, day, time and sample, numbered in order."""
    new = np.zeros(len(rows), np.bool_)
    for name in ("station", "day", "time_ms", "sample"):
        new[1:] |= np.diff(rows[name].codes) != 0
    return np.cumsum(new, dtype=np.int64)


def _none(n: int) -> NDArray[np.object_]:
    return np.full(n, None, object)


def _confirming(terms: Terms, rows: Rows, sayings: Sequence[Said], of: Codes, row: Codes) -> Codes:
    """Ordinal of the day of the earlier attained sample that each attained one confirms."""
    found = np.full(len(of), NEVER, np.int64)
    rule = terms.law.header.confirmation
    attained = np.array([one.nr140.status == "attained" for one in sayings], np.bool_)
    at = np.flatnonzero(attained[of])
    if rule is None or not len(at):
        return found
    names: dict[tuple[str, str], int] = {}
    name = [names.setdefault((one.standard.parameter, one.standard.name()), len(names)) for one in sayings]
    station = together(rows["station"].codes[row[at]], np.array(name, np.int64)[of[at]])
    days = cast("Sequence[date]", rows["day"].values)
    found[at] = _earlier(station.tolist(), [days[k] for k in rows["day"].codes[row[at]].tolist()], rule.resample_days)
    return found


def _earlier(stations: Sequence[int], sampled: Sequence[date], resample_days: int) -> list[int]:
    days: dict[int, set[date]] = {}
    for station, day in zip(stations, sampled, strict=True):
        days.setdefault(station, set()).add(day)
    known = {
        (station, day): confirms(day, attained, resample_days) for station, attained in days.items() for day in attained
    }
    told = [known[key] for key in zip(stations, sampled, strict=True)]
    return [NEVER if day is None else day.toordinal() for day in told]
