"""The whole record of a station under two laws: exactly which verdicts a change of rule flips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from models.checks.quality_comparison import Comparison, Said
from models.checks.quality_results import Terms
from models.checks.quality_rows import Source
from models.checks.quality_verdicts import Verdicts, verdicts
from models.standards import Standard

Place = tuple[frozenset[int], str, str]
"""The rows a comparison rests on as they were given, its substance, and PAL or ES."""


@dataclass(frozen=True)
class Flip:
    """One result, or computed sum, that comes out otherwise; a side is None where that law has no standard for it."""

    station: str
    sampled: str
    sample: str
    measured: str
    rows: tuple[str, ...]
    before: Said | None
    after: Said | None

    @property
    def standard(self) -> Standard:
        """The old law's, or the new one's where the old had none."""
        return next(side.standard for side in (self.before, self.after) if side is not None)


@dataclass(frozen=True)
class Backtest:
    """Flips in order of station, day and substance; how many comparisons each law makes, and how many agree."""

    flips: tuple[Flip, ...]
    compared_before: int
    compared_after: int
    unchanged: int


def backtest(before: Terms, after: Terms, source: Source) -> Backtest:
    """Judge every result twice. A flip is another NR 140 status or another clause verdict, not another wording.

    Raises
    ------
    BadUnit : a result in a unit that does not measure its substance.
    """
    old, new = verdicts(before, source), verdicts(after, source)
    pairs = list(_pairs(old, new))
    flipped = [(left, right) for left, right in pairs if _outcome(old, left) != _outcome(new, right)]
    flips = [_flip(old, new, left, right) for left, right in flipped]
    return Backtest(tuple(sorted(flips, key=_order)), len(old), len(new), len(pairs) - len(flips))


def backtest_indicators(before: Sequence[Comparison], after: Sequence[Comparison]) -> Backtest:
    """The same of indicator parameters at one well: by the background PALs that each law sets."""
    old, new = _by_result(before), _by_result(after)
    places = dict.fromkeys([*old, *new])
    both = [(old.get(one), new.get(one)) for one in places]
    flips = [_flip_of(left, right) for left, right in both if _decision(left) != _decision(right)]
    return Backtest(tuple(sorted(flips, key=_order)), len(old), len(new), len(places) - len(flips))


def _by_result(found: Sequence[Comparison]) -> dict[tuple[str, ...], Comparison]:
    return {(*one.rows, one.row.series, one.row.value_text, one.standard.parameter): one for one in found}


def _decision(one: Comparison | None) -> tuple[str, str] | None:
    return None if one is None else (one.nr140.status, one.verdict)


def _flip_of(old: Comparison | None, new: Comparison | None) -> Flip:
    one = next(each for each in (old, new) if each is not None)
    where = one.row.station, one.row.day.isoformat(), one.sample, one.measured, one.rows
    return Flip(*where, _side(old), _side(new))


def _side(one: Comparison | None) -> Said | None:
    return None if one is None else Said(one.standard, one.nr140, one.verdict, one.reading)


def _pairs(old: Verdicts, new: Verdicts) -> Iterator[tuple[int | None, int | None]]:
    """Comparisons of the same rows with the same kind of standard: of one table first, then whatever is left."""
    left, right = _by_place(old), _by_place(new)
    for place in dict.fromkeys([*left, *right]):
        yield from _matched(old, new, left.get(place, []), right.get(place, []))


def _matched(
    old: Verdicts, new: Verdicts, left: Sequence[int], right: Sequence[int]
) -> Iterator[tuple[int | None, int | None]]:
    tables = {_said(new, k).standard.table: k for k in right}
    named = {k: tables[table] for k in left if (table := _said(old, k).standard.table) in tables}
    yield from named.items()
    lost = [k for k in left if k not in named]
    gained = [k for k in right if k not in named.values()]
    for place in range(max(len(lost), len(gained))):
        yield lost[place] if place < len(lost) else None, gained[place] if place < len(gained) else None


def _by_place(found: Verdicts) -> dict[Place, list[int]]:
    """Comparisons by what they compare; a reported total and a computed sum rest on other rows."""
    places, rows = found.rows.places.tolist(), found.row.tolist()
    by: dict[Place, list[int]] = {}
    for k, (row, parts) in enumerate(zip(rows, found.parts.tolist(), strict=True)):
        law = _said(found, k).standard
        own = frozenset(places[one] for one in (parts or (row,)))
        by.setdefault((own, law.parameter, law.kind), []).append(k)
    return by


def _said(found: Verdicts, k: int) -> Said:
    return found.sayings[int(found.said[k])]


def _outcome(found: Verdicts, k: int | None) -> tuple[str, str] | None:
    if k is None:
        return None
    said = _said(found, k)
    return said.nr140.status, said.verdict


def _flip(old: Verdicts, new: Verdicts, left: int | None, right: int | None) -> Flip:
    found, k = (old, left) if left is not None else (new, right)
    (one,) = found.shown_at([k] if k is not None else [])
    return Flip(
        one.row.station, one.row.day.isoformat(), one.sample, one.measured, one.rows,
        None if left is None else old.said_at(left), None if right is None else new.said_at(right),
    )  # fmt: skip


def _order(one: Flip) -> tuple[str, ...]:
    law = one.standard
    return one.station, one.sampled, law.parameter, law.table, law.kind, one.sample, *one.rows
