"""Columns told apart: each distinct value once, and rows carry the number of their value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
Texts = NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Column:
    """One column told apart: the distinct values, and which of them each row holds."""

    values: Sequence[object]
    codes: Codes

    @staticmethod
    def of(cells: Texts | Codes, *, ordered: bool = True) -> Column:
        """``ordered``: a greater code is a greater value; else codes only tell apart."""
        codes, found = pd.factorize(cells)
        values = found.tolist()
        if not ordered:
            return Column(values, codes.astype(np.int64))
        order = sorted(range(len(values)), key=values.__getitem__)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return Column([values[k] for k in order], rank[codes])

    def mapped(self, change: Callable[[str], object]) -> Column:
        """Another column that depends on this one."""
        new = Column.of(objects([change(str(one)) for one in self.values]))
        return Column(new.values, new.codes[self.codes])

    def at_value(self, value: object) -> NDArray[np.bool_]:
        """The rows that hold a value."""
        return np.array([one == value for one in self.values], np.bool_)[self.codes]

    def at(self, places: NDArray[np.intp]) -> Column:
        return Column(self.values, self.codes[places])

    def texts(self) -> list[str]:
        values = cast("list[str]", self.values)
        return [values[k] for k in self.codes.tolist()]


def together(*codes: Codes) -> Codes:
    """One number for each combination that occurs."""
    found = codes[0]
    for one in codes[1:]:
        found = pd.factorize(found * (int(one.max(initial=0)) + 1) + one)[0].astype(np.int64)
    return found


def numbered(numbers: Floats) -> Codes:
    """One code for each distinct number, and one for none."""
    codes: Codes = pd.factorize(np.nan_to_num(numbers, nan=-1.0))[0].astype(np.int64)
    return codes


def objects(cells: Sequence[object]) -> Texts:
    """A list as an array of what it holds."""
    found = np.empty(len(cells), object)
    found[:] = cells
    return found
