"""What texts say of a result, each distinct text read once: the sample, the numbers, and the rest that can matter.

A number is taken out of its text where it keeps its order and its equality among its like as a double; any other
stays part of the rest, where it tells texts apart.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from models.checks.quality_codes import Codes, Column, Floats

NUMBERS = ("lod", "loq", "limit")
READ = (*NUMBERS, "limit_is", "condition", "fraction", "activity", "told", "medium", "statistic_base")
"""Facts of a result that a verdict can depend on, beside its qualifiers; the others say where it came from."""

_UNREAD = re.compile(rf"^[^:;]*|;(?!(?:{'|'.join(READ)})=)[^;]*")
_NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_MARK = re.compile(r"[<>]\s*")
_EXACT = 15
"""Decimal numbers of so many figures keep their order and their equality as doubles (DBL_DIG)."""


@dataclass(frozen=True, eq=False)
class Facts:
    """Of each distinct text of flags: its sample (``""``: not named), the rest of it, and ``NUMBERS`` (NaN: none)."""

    samples: Column
    rest: Codes
    numbers: Mapping[str, Floats]


@dataclass(frozen=True, eq=False)
class Amounts:
    """Of each distinct text of a value: the number in it (NaN: none), whether it is behind a ``<``, and the rest."""

    numbers: Floats
    plain: NDArray[np.bool_]
    rest: Codes


def facts_of(flags: Sequence[str]) -> Facts:
    """The facts of distinct texts of flags."""
    samples, rest = _Numbering(), _Numbering()
    numbers = {name: array("d", (np.nan,)) * len(flags) for name in NUMBERS}
    for k, text in enumerate(flags):
        head, *facts = text.split(";")
        kept, sample = head.partition(":")[2], ""
        for fact in facts:
            name, _, value = fact.partition("=")
            if name in numbers:
                exact = is_exact(value) and (number := float(value)) > 0
                numbers[name][k] = number if exact else np.nan
                kept += f";{name if exact else fact}"
            elif name == "sample":
                sample = sample or value
            elif name in READ:
                kept += f";{fact}"
        samples.add(sample)
        rest.add(kept)
    told = {name: np.frombuffer(one, np.float64) for name, one in numbers.items()}
    return Facts(samples.column(), rest.codes(), told)


def amounts_of(texts: Sequence[str]) -> Amounts:
    """What distinct texts of values hold."""
    rest, plain, numbers = _Numbering(), np.zeros(len(texts), np.bool_), np.full(len(texts), np.nan)
    for k, text in enumerate(texts):
        mark = _MARK.match(text)
        number = text[mark.end() :] if mark else text
        if is_exact(number) and (mark is None or float(number) > 0):
            numbers[k], plain[k] = float(number), mark is None
            rest.add(mark[0] if mark else "")
        else:
            rest.add(f"={text}")
    return Amounts(numbers, plain, rest.codes())


def is_exact(text: str) -> bool:
    """Whether a text is a number that keeps its order among its like as a double."""
    return len(text) <= _EXACT and _NUMBER.fullmatch(text) is not None


def what_is_read(flags: str) -> str:
    """The part of the flags that a verdict, or what is shown of it, can depend on."""
    return _UNREAD.sub("", flags)


class _Numbering:
    """Texts numbered as they come."""

    def __init__(self) -> None:
        self._known: dict[str, int] = {}
        self._codes = array("q")

    def add(self, text: str) -> None:
        self._codes.append(self._known.setdefault(text, len(self._known)))

    def codes(self) -> Codes:
        return np.frombuffer(self._codes, np.int64) if self._codes else np.empty(0, np.int64)

    def column(self) -> Column:
        """In the order of the texts."""
        order = np.argsort(np.array(list(self._known), object), kind="stable") if self._known else np.empty(0, np.int64)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        values = sorted(self._known)
        return Column(cast("list[object]", values), rank[self.codes()])
