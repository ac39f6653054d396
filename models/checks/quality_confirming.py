"""Which earlier sample each attained result confirms, over a whole table at once.

Days of one well and one standard, with its number, are put on one line of whole numbers; ``confirms`` of
``models.nr140.confirmation`` says the same of one well in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import cast

import numpy as np
from numpy.typing import NDArray

from models.checks.quality_cases import Cases
from models.checks.quality_codes import Codes
from models.checks.quality_comparison import Computed, Said
from models.checks.quality_results import Terms
from models.checks.quality_same_standard import judged_again, number_of, refutes
from models.checks.quality_sums import laws_of_sums, said_of_sum
from models.nr140.confirmation import Resampling
from models.nr140.decision import Comparison as Decided
from models.standards import Standard

NEVER = 0
"""The ordinal of no day."""
SPAN = 10**7
"""More than any ordinal of a day."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Comparisons as columns: what each says, its row, and of a sum the rows of its members, else None."""

    sayings: Sequence[Said]
    said: Codes
    row: Codes
    parts: NDArray[np.object_]


def confirming(terms: Terms, found: Cases, judged: Judged) -> Codes:
    """Ordinal of the day of the earlier attained sample that each attained comparison confirms, else ``NEVER``."""
    confirmed, rule = np.full(len(judged.said), NEVER, np.int64), terms.resampling
    at = np.flatnonzero(_of_sayings(judged, lambda one: one.nr140.status == "attained"))
    if rule is None or not len(at):
        return confirmed
    number = _numbers(terms, judged.sayings)
    own = np.array([number[_key(terms, one)] for one in judged.sayings], np.int64)[judged.said]
    place = _line(found, judged.row, own, len(number))
    refuting = place[_of_sayings(judged, lambda one: refutes(one.nr140))]
    more = list(_of_other_numbers(terms, found, judged, number))
    attained = np.concatenate([place[at], _codes(spot for spot, met in more if met)])
    refuting = np.concatenate([refuting, _codes(spot for spot, met in more if not met)])
    confirmed[at] = _confirmed(place[at], np.unique(attained), np.setdiff1d(refuting, attained), rule)
    return confirmed


def _confirmed(place: Codes, attained: Codes, refuting: Codes, rule: Resampling) -> Codes:
    """The last attained day far enough back, unless a refuting one came after it, or it is too old."""
    spot = np.searchsorted(attained, place - rule.least, side="right") - 1
    earlier = np.where(spot >= 0, attained[np.maximum(spot, 0)], -1)
    last = np.searchsorted(refuting, place) - 1
    ended = refuting[np.maximum(last, 0)] if len(refuting) else np.full(len(place), -1)
    ended = np.where(last >= 0, ended, -1)
    counts = (earlier // SPAN == place // SPAN) & (earlier > ended)
    if rule.most is not None:
        counts &= place - earlier <= rule.most
    if rule.began is not None:
        began = rule.began.toordinal()
        counts &= (earlier % SPAN >= began) | (place % SPAN < began)
    return np.where(counts, earlier % SPAN, NEVER)


Key = tuple[str, str, Decimal]


def _key(terms: Terms, one: Said) -> Key:
    return one.standard.parameter, one.standard.name(), number_of(terms, one.standard)


def _numbers(terms: Terms, sayings: Sequence[Said]) -> dict[Key, int]:
    return {key: k for k, key in enumerate(dict.fromkeys(_key(terms, one) for one in sayings))}


def _of_sayings(judged: Judged, holds: Callable[[Said], bool]) -> NDArray[np.bool_]:
    return np.array([holds(one) for one in judged.sayings], np.bool_)[judged.said]


def _line(found: Cases, row: Codes, number: Codes, many: int) -> Codes:
    """One number for well, standard with its number, and day, in the order of days."""
    station, days = found.rows["station"], found.rows["day"]
    ordinals = np.array([cast("date", one).toordinal() for one in days.values], np.int64)
    return (station.codes[row] * many + number) * SPAN + ordinals[days.codes[row]]


def _of_other_numbers(
    terms: Terms, found: Cases, judged: Judged, number: Mapping[Key, int]
) -> Iterator[tuple[int, bool]]:
    """Comparisons against every other number their standard had: the place there, and whether they attain it."""
    named: dict[tuple[str, str], dict[Key, Standard]] = {}
    for one in judged.sayings:
        named.setdefault(_name(one), {})[_key(terms, one)] = one.standard
    for k in np.flatnonzero(_of_sayings(judged, lambda one: len(named[_name(one)]) > 1)).tolist():
        said = judged.sayings[int(judged.said[k])]
        others = {key: law for key, law in named[_name(said)].items() if key != _key(terms, said)}
        for key, standard in others.items():
            again = _again(terms, found, judged, k, standard)
            met = again.status == "attained" and said.nr140.status == "attained"
            if met or refutes(again):
                yield int(_line(found, judged.row[k : k + 1], np.array([number[key]]), len(number))[0]), met


def _again(terms: Terms, found: Cases, judged: Judged, k: int, standard: Standard) -> Decided:
    """One comparison against another number."""
    said = judged.sayings[int(judged.said[k])]
    if said.computed is None:
        (one,) = found.reported([int(judged.row[k])])
        return judged_again(one.readings()[0], said.nr140, standard, is_sum=False)
    law = laws_of_sums(terms)[said.standard.parameter]
    own = said_of_sum(terms, law, said.standard, found.reported(judged.parts[k]))
    return judged_again(cast("Computed", own.computed).result, own.nr140, standard, is_sum=True)


def _name(one: Said) -> tuple[str, str]:
    return one.standard.parameter, one.standard.name()


def _codes(numbers: Iterable[int]) -> Codes:
    return np.fromiter(numbers, np.int64)
