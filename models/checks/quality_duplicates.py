"""Field duplicates beside their parents: the relative percent difference, and a remark where one is over a standard.

A duplicate is no sample event of its own: it is never judged, and what it says is said of the pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from models.checks.quality_comparison import Comparison
from models.checks.quality_judgement import judge
from models.checks.quality_results import Reported, Terms, taken
from models.errors import BadUnit
from models.nr140.result import Result
from models.observation import Flags
from models.question import StoredRow
from models.sample_types import kind_of
from models.statistics.background import Measured
from models.statistics.duplicates import RelativeDifference, relative_percent_difference
from models.units import convert


@dataclass(frozen=True)
class Pair:
    """A duplicate, its parent (None: not found), their difference, and what is to be said of it."""

    duplicate: Reported
    parent: Reported | None
    difference: RelativeDifference
    remark: str


def pairs(terms: Terms, rows: Sequence[StoredRow], duplicates: Sequence[tuple[StoredRow, str]]) -> list[Pair]:
    """Every field duplicate with the result it repeats.

    Parameters
    ----------
    rows : results of the place.
    duplicates : rows of duplicates, and the sample each says it repeats (``""``: the one of that station and day).
    """
    reported, _ = taken(terms, rows)
    alone = replace(terms, duplicates=True)
    found = []
    for row, parent in duplicates:
        (own, _) = taken(alone, [row])
        found += [_pair(alone, one, _parent(reported, one, parent)) for one in own]
    return found


def is_duplicate(row: StoredRow) -> bool:
    """Whether a stored row is a field duplicate."""
    return kind_of(Flags.parse(row.flags).facts.get("activity", "")) == "duplicate"


def stored_pairs(terms: Terms, rows: Sequence[StoredRow]) -> list[Pair]:
    """The field duplicates among the stored rows of a station, each with the result it repeats."""
    own = [(row, Flags.parse(row.flags).facts.get("parent", "")) for row in rows if is_duplicate(row)]
    return pairs(terms, rows, own)


def _parent(reported: Sequence[Reported], one: Reported, parent: str) -> Reported | None:
    """By the sample it names, else the only one of that station and day."""
    same = [each for each in reported if each.row.parameter == one.row.parameter and each.fraction == one.fraction]
    if parent:
        return next((each for each in same if each.sample == parent), None)
    there = [each for each in same if (each.row.station, each.row.day) == (one.row.station, one.row.day)]
    return there[0] if len(there) == 1 else None


def _pair(terms: Terms, one: Reported, parent: Reported | None) -> Pair:
    over = [each for each in judge(terms, [one.row]).comparisons if _over(each)]
    names = " and ".join(dict.fromkeys(each.standard.name() for each in over))
    judged = "the parent is what is judged" if parent else "no result that it repeats is here, so nothing was judged"
    remark = f"the duplicate attains {names}; {judged}" if names else ""
    return Pair(one, parent, _difference(one, parent), remark)


def _over(one: Comparison) -> bool:
    return not one.members and one.nr140.status == "attained"


def _difference(one: Reported, parent: Reported | None) -> RelativeDifference:
    if parent is None:
        return RelativeDifference(None, None, "undefined: no result that it repeats")
    ours, theirs = _measured(one.result, one.row.unit), _measured(parent.result, one.row.unit)
    if ours is None or theirs is None:
        return RelativeDifference(None, None, "undefined: an amount or a limit is not known")
    return relative_percent_difference(ours, theirs)


def _measured(result: Result, unit: str) -> Measured | None:
    number = result.value if result.value is not None else result.limit or result.lod
    if number is None or result.said:
        return None
    try:
        return Measured(convert(number, result.unit, unit), result.value is None)
    except BadUnit:
        return None
