"""All results of one station judged together: each result, each sum, and which samples confirm an earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from models.checks.quality_comparison import Comparison, Known, compared
from models.checks.quality_results import Shown, Terms, taken
from models.checks.quality_sums import sums
from models.nr140.confirmation import confirms
from models.question import StoredRow


@dataclass(frozen=True)
class Judgement:
    """Comparisons by day, substance and standard, and what was only shown."""

    comparisons: tuple[Comparison, ...]
    shown: tuple[Shown, ...]


def judge(terms: Terms, rows: Sequence[StoredRow]) -> Judgement:
    """Judge all known results of one station. The order of rows, and a row that comes twice, change nothing.

    Raises
    ------
    BadUnit : a result in a unit that does not measure its substance.
    """
    reported, shown = taken(terms, rows)
    known = Known.of(reported)
    direct = [each for one in reported for each in compared(terms, one, known)]
    summed = list(sums(terms, known))
    found = direct + [one for one in summed if isinstance(one, Comparison)]
    beside = shown + [one for one in summed if isinstance(one, Shown)]
    return Judgement(tuple(_confirming(terms, sorted(found, key=_order))), tuple(beside))


def compare_row(terms: Terms | None, row: StoredRow) -> list[Comparison]:
    """One result by itself, without sums; nothing where no standards apply."""
    found = () if terms is None else judge(terms, [row]).comparisons
    return [one for one in found if not one.members]


def attained_before(comparisons: Iterable[Comparison], day: date) -> set[tuple[str, str]]:
    """Substance and standard (by kind and table) that were attained before a day."""
    return {key_of(one) for one in comparisons if one.row.day < day and one.nr140.status == "attained"}


def key_of(one: Comparison) -> tuple[str, str]:
    """Substance and standard of a comparison, whatever the standard's number was on its day."""
    return one.standard.parameter, one.standard.name()


def _confirming(terms: Terms, found: Sequence[Comparison]) -> list[Comparison]:
    """Each attained comparison with the earlier sample it confirms."""
    rule = terms.law.header.confirmation
    if rule is None:
        return list(found)
    days: dict[tuple[str, str], set[date]] = {}
    for one in found:
        if one.nr140.status == "attained":
            days.setdefault(key_of(one), set()).add(one.row.day)
    return [
        replace(one, confirms=confirms(one.row.day, days[key_of(one)], rule.resample_days))
        if one.nr140.status == "attained"
        else one
        for one in found
    ]


def _order(one: Comparison) -> tuple[object, ...]:
    return (
        one.row.day, one.row.time_ms, one.sample, one.standard.parameter, bool(one.members), one.row.series,
        one.standard.table, one.standard.kind, one.row.parameter, one.measured, one.rows,
    )  # fmt: skip
