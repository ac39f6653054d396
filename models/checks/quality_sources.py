"""One result that reached the record from two agencies is one result with two sources.

A laboratory's result comes by the state's system and by the Water Quality Portal, under two sample numbers. Two rows of
different deliveries are the same result where station, substance, fraction and moment of sampling agree (the civil day,
where one of them has no more) and so do value and limits in one unit. The row whose series was known first is
judged, with the limits that only the other states; the other stands beside it as its second source.

Where two samples share a result and differ in another, both of that are judged and the difference is told; of such a
pair no member of a sum is taken out, so that each sample keeps its sums. What is rejected, or no plain water of the
place, is the same as nothing.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from models.checks.quality_codes import Codes, objects, together
from models.errors import BadUnit
from models.fractions import Fraction, fraction_of
from models.nr140.result import Result, read_result
from models.observation import Flags
from models.qualifiers import said_by
from models.question import StoredRow
from models.sample_types import kind_of
from models.units import convert

LIMITS = ("lod", "loq")
UNSURE = {"rejected", "unclear"}


class Twin(NamedTuple):
    """A row that is not judged, by its place, and the place of the row that stands for it."""

    place: int
    of: int


class Dispute(NamedTuple):
    """Places of two rows that should be one result and differ."""

    first: int
    second: int


@dataclass(frozen=True)
class OneEach:
    """``flags``: those that another source completes; ``sample`` the name under which a sample is summed; by place."""

    twins: tuple[Twin, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    flags: Mapping[int, str] = field(default_factory=dict)
    sample: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _One:
    """A row of a day on which two deliveries speak of its substance."""

    place: int
    row: StoredRow
    sample: str

    @cached_property
    def flags(self) -> Flags:
        return Flags.parse(self.row.flags)

    @cached_property
    def result(self) -> Result | None:
        """None for what is never the same as anything."""
        plain = kind_of(self.flags.facts.get("activity", "")) == "water"
        usable = plain and not said_by(self.flags.qualifiers) & UNSURE
        return read_result(self.row.value_text, self.row.unit, self.flags) if usable else None

    @cached_property
    def fraction(self) -> Fraction | None:
        return fraction_of(self.flags.facts.get("fraction", ""), self.row.series.partition(":")[0])

    @property
    def source(self) -> str:
        return source_of(self.row)

    @property
    def visit(self) -> tuple[str, str]:
        """A sample of a delivery."""
        return self.source, self.sample


Pair = tuple[_One, _One]


def source_of(row: StoredRow) -> str:
    """The delivery of a stored row: what its id has before the colon; a file's own rows have none."""
    source, colon, _ = row.row_id.partition(":")
    return source if colon else ""


def one_each(rows: Sequence[StoredRow], places: Sequence[int], samples: Sequence[str], sums: Container[str]) -> OneEach:
    """Which of some rows are the same result, and which should be.

    Parameters
    ----------
    rows : those of ``candidates``; ``places`` and ``samples`` theirs.
    sums : substances that a sum or a limit of another takes from its sample.
    """
    told = zip(places, rows, samples, strict=True)
    given = sorted((_One(*one) for one in told), key=_first_known)
    days: dict[tuple[object, ...], list[_One]] = {}
    for one in given:
        days.setdefault((one.row.station, one.row.day), []).append(one)
    found = [_of_day(group, sums) for group in days.values()]
    return OneEach(
        tuple(twin for one in found for twin in one.twins), tuple(pair for one in found for pair in one.disputes),
        {place: text for one in found for place, text in one.flags.items()},
        {place: name for one in found for place, name in one.sample.items()},
    )  # fmt: skip


def candidates(source: pd.DataFrame | Sequence[StoredRow], *keys: Codes) -> NDArray[np.intp]:
    """Places of every row of a station and day on which two deliveries speak of one substance.

    Parameters
    ----------
    keys : codes of station, day and substance.
    """
    origin = _origins(source)
    if not len(origin) or origin.max() == origin.min():
        return np.empty(0, np.intp)
    station, day, substance = keys
    visit = together(station, day)
    what = together(visit, substance)
    pairs = np.unique(together(what, origin), return_index=True)[1]
    several = np.bincount(what[pairs], minlength=int(what.max()) + 1) > 1
    return np.flatnonzero(np.isin(visit, np.unique(visit[several[what]])))


def _origins(source: pd.DataFrame | Sequence[StoredRow]) -> Codes:
    if isinstance(source, pd.DataFrame) and "source_id" in source:
        return pd.factorize(source["source_id"])[0].astype(np.int64)
    ids = source["row_id"].tolist() if isinstance(source, pd.DataFrame) else [row.row_id for row in source]
    return pd.factorize(objects([str(one).partition(":")[0] if ":" in str(one) else "" for one in ids]))[0].astype(
        np.int64
    )


def _first_known(one: _One) -> tuple[int, str]:
    """By the series, numbered as it came to be known, so that a later delivery never takes an earlier one's place."""
    return int(getattr(one.row, "series_id", 0)), one.row.row_id


def _of_day(group: Sequence[_One], sums: Container[str]) -> OneEach:
    """Of one station and day."""
    substances: dict[str, list[_One]] = {}
    for one in group:
        substances.setdefault(one.row.parameter, []).append(one)
    pairs = [pair for each in substances.values() for pair in _pairs(each)]
    alike = {frozenset((one.visit, other.visit)) for one, other in pairs}
    matched = {one.place for pair in pairs for one in pair}
    left = ([one for one in each if one.place not in matched] for each in substances.values())
    disputes = [pair for each in left for pair in _disputes(each, alike)]
    whole = _whole(pairs, disputes)
    same = [(one, other) for one, other in pairs if other.visit in whole or one.row.parameter not in sums]
    flags: dict[int, str] = {}
    for one, other in same:
        flags[one.place] = _completed(Flags.parse(flags.get(one.place, one.row.flags)), one, other)
    return OneEach(
        tuple(Twin(other.place, one.place) for one, other in same),
        tuple(Dispute(one.place, other.place) for one, other in disputes), flags,
        {one.place: whole[one.visit] for one in group if one.visit in whole},
    )  # fmt: skip


def _whole(pairs: Sequence[Pair], disputes: Sequence[Pair]) -> dict[tuple[str, str], str]:
    """Samples that are one with a sample of another delivery in everything, and the name of that."""
    partners: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for one, other in pairs:
        partners.setdefault(other.visit, set()).add(one.visit)
    disputed = {visit for pair in disputes for visit in (pair[0].visit, pair[1].visit)}
    sure = {visit: min(found) for visit, found in partners.items() if len(found) == 1}
    return {visit: first[1] for visit, first in sure.items() if not {visit, first} & disputed}


def _pairs(group: Sequence[_One]) -> Iterator[Pair]:
    """Of one substance each row with the first known that says the same, one of each delivery at most."""
    kept: list[tuple[_One, set[str]]] = []
    for one in group:
        for first, sources in kept:
            if one.source not in sources and _same(first, one):
                sources.add(one.source)
                yield first, one
                break
        else:
            kept.append((one, {one.source}))


def _disputes(left: Sequence[_One], alike: Container[frozenset[tuple[str, str]]]) -> Iterator[Pair]:
    """Results of one substance that differ though their samples agree in another, in the moment or in their number.

    Two analyses of one sample (EQuIS ``test_type``), each reportable in a delivery of its own, have its number.
    """
    for one, other in combinations(left, 2):
        named = one.sample == other.sample or frozenset((one.visit, other.visit)) in alike
        if (named or one.row.clock == other.row.clock != "day") and _comparable(one, other):
            yield one, other


def _comparable(one: _One, other: _One) -> bool:
    """Whether two rows should be one result."""
    sources = one.source and other.source and one.source != other.source
    moment = one.row.time_ms == other.row.time_ms or "day" in (one.row.clock, other.row.clock)
    named = (one.row.parameter, one.fraction) == (other.row.parameter, other.fraction)
    return bool(sources) and moment and named and one.result is not None and other.result is not None


def _same(one: _One, other: _One) -> bool:
    if not _comparable(one, other) or one.result is None or other.result is None:
        return False
    scaled = _in_unit(other.result, one.result.unit)
    return scaled is not None and _says(one.result, scaled)


def _says(one: Result, other: Result) -> bool:
    """The same amount, or not seen below the same limit; a limit that only one of them states contradicts nothing."""
    known = [(getattr(one, name), getattr(other, name)) for name in LIMITS]
    agree = all(None in pair or pair[0] == pair[1] for pair in known)
    below = [each.limit or each.lod for each in (one, other)]
    under = one.value is not None or None in below or below[0] == below[1]
    return agree and under and (one.value, one.said) == (other.value, other.said)


def _in_unit(result: Result, unit: str) -> Result | None:
    """The same in another unit; None where that measures something else."""
    try:
        value, limit, lod, loq = (
            _scaled(number, result.unit, unit) for number in (result.value, result.limit, result.lod, result.loq)
        )
    except BadUnit:
        return None
    return replace(result, unit=unit, value=value, limit=limit, lod=lod, loq=loq)


def _scaled(number: Decimal | None, unit: str, wanted: str) -> Decimal | None:
    return None if number is None else convert(number, unit, wanted)


def _completed(flags: Flags, one: _One, other: _One) -> str:
    """The limits that only the second source states, in the unit of the first."""
    scaled = None if other.result is None else _in_unit(other.result, one.row.unit)
    stated = {name: f"{limit:f}" for name in LIMITS if (limit := getattr(scaled, name)) is not None}
    added = {name: text for name, text in stated.items() if not flags.facts.get(name)}
    if not added and flags == one.flags:
        return one.row.flags
    return Flags(flags.approval, flags.qualifiers, {**flags.facts, **added}).text()
