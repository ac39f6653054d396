"""Telephone numbers and map coordinates in any writing: what counts is the digits, not what stands between them."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from models.spelling import plain

LOCAL_DIGITS = 7
LONGEST_PHONE = 15
"""Digits of the longest number there is (ITU-T E.164)."""
_WITH_AREA = (7, 10, 11)
_FROM_ABROAD = ("001", "0111")
_BETWEEN = 4
_GROUP = re.compile(r"\d+")
_POWER = re.compile(r"\d+(?:[.,]\d+)?[eE][+-]?\d{1,2}(?!\d)")
FT_IN_A_METRE = 3937 / 1200
"""US survey feet, the unit of the county coordinate systems."""
_LARGE, _OFF_FT = 10_000, 2.0
_SMALL_APART = 60


@dataclass(frozen=True)
class Group:
    """Digits that stand together, and where they begin and end."""

    digits: str
    start: int
    end: int


def groups(text: str) -> list[Group]:
    """The digit groups of a text in order."""
    return [Group(found[0], found.start(), found.end()) for found in _GROUP.finditer(plain(text))]


def _joined(found: Sequence[Group], longest: int) -> Iterator[tuple[str, int]]:
    """Digits of neighbouring groups with little between them, up to a length; and the first group of each."""
    for first, group in enumerate(found):
        digits = group.digits
        yield digits, first
        for before, after in pairwise(found[first : first + longest]):
            digits += after.digits
            if after.start - before.end > _BETWEEN or len(digits) > longest:
                break
            yield digits, first


def local_numbers(field: str) -> frozenset[str]:
    """The local digits of every number in a telephone field, however many stand there."""
    found = groups(field)
    apart = {digits for digits, _ in _joined(found, LONGEST_PHONE) if len(digits) in _WITH_AREA}
    whole = "".join(one.digits for one in found)
    kept = apart | ({whole} if LOCAL_DIGITS <= len(whole) <= LONGEST_PHONE else set())
    return frozenset(digits[-LOCAL_DIGITS:] for digits in kept)


@dataclass(frozen=True)
class Numbers:
    """The numbers of a text. ``local``: last digits of all that may be a telephone number; ``values``: with places."""

    local: frozenset[str]
    values: tuple[tuple[float, int], ...]

    def dialled(self, local: frozenset[str]) -> bool:
        """Whether one of these telephone numbers is among them, with or without its area and country."""
        return not self.local.isdisjoint(local)

    def placed(self, position: tuple[float, float]) -> bool:
        """Whether both coordinates of a place [ft] are among them, as feet or metres, to within two feet.

        Small coordinates (a local grid) could be any numbers: they count to the digit and where they stand together.
        """
        one, two = (self._places(abs(each)) for each in position)
        if min(map(abs, position)) >= _LARGE:
            return bool(one and two)
        return any(0 < abs(a - b) <= _SMALL_APART for a in one for b in two)

    def _places(self, coordinate: float) -> list[int]:
        if coordinate < _LARGE:
            return self._between(coordinate, coordinate)
        feet = self._between(coordinate - _OFF_FT, coordinate + _OFF_FT)
        return feet or self._between((coordinate - _OFF_FT) / FT_IN_A_METRE, (coordinate + _OFF_FT) / FT_IN_A_METRE)

    def _between(self, low: float, high: float) -> list[int]:
        first, after = bisect_left(self.values, (low,)), bisect_right(self.values, (high, sys.maxsize))
        return [at for _, at in self.values[first:after]]


def numbers_of(text: str) -> Numbers:
    """Read the numbers of a text; letters end a telephone number."""
    bare, found = plain(text), groups(text)
    phones = (digits for part in _runs_without_letters(bare, found) for digits, _ in _joined(part, LONGEST_PHONE))
    local = frozenset(digits[-LOCAL_DIGITS:] for digits in phones if _is_dialled(digits))
    return Numbers(local, tuple(sorted(_numbers(bare, found))))


def _is_dialled(digits: str) -> bool:
    """Whether so many digits are dialled: local, with its area, or from abroad; a receipt's 20 are not."""
    return len(digits) in _WITH_AREA or (len(digits) > max(_WITH_AREA) and digits.startswith(_FROM_ABROAD))


def _runs_without_letters(text: str, found: Sequence[Group]) -> Iterator[list[Group]]:
    run: list[Group] = []
    for one in found:
        if run and any(char.isalpha() for char in text[run[-1].end : one.start][: _BETWEEN + 1]):
            yield run
            run = []
        run.append(one)
    yield run


def _numbers(bare: str, found: Sequence[Group]) -> Iterator[tuple[float, int]]:
    """Every number that a text may be read as, and where: 158,620.4 is 158620.4, 158620 and 158."""
    yield from ((float(one[0].replace(",", ".")), one.start()) for one in _POWER.finditer(bare))
    for first, group in enumerate(found):
        yield float(group.digits), group.start
        for last in range(first + 1, min(first + 4, len(found))):
            whole = found[first : last + 1]
            if any(two.start - one.end != 1 for one, two in pairwise(whole)):
                break
            digits = [one.digits for one in whole]
            if _in_thousands(digits):
                yield float("".join(digits)), group.start
            if _in_thousands(digits[:-1]):
                yield float(f"{''.join(digits[:-1])}.{digits[-1]}"), group.start


def _in_thousands(digits: Sequence[str]) -> bool:
    return len(digits) == 1 or (len(digits[0]) <= 3 and all(len(one) == 3 for one in digits[1:]))
