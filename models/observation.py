"""One observation is one row of one tidy table; a bad row is a reject, never a silence.

The tidy table a reader hands over has the columns of ``TIDY``:

========== =================================================================================
station    the identifier as the file writes it (text; leading zeros kept)
parameter  id in ``models/parameters.csv``; a code it does not know stays ``scheme:code`` and is refused when placed
statistic  ``instant mean min max sum``
series     which sensor of the station: serial:channel, USGS time-series id, ``""`` for the only one
time_ms    integer milliseconds: UTC if ``clock`` is ``utc``, else the local wall clock read as if it were UTC
clock      ``utc`` | ``naive`` (zone not in the file) | ``day`` | ``month`` | ``year`` (a civil period, named by its
           first day; of an ``instant`` value: some time within it)
value      number, or NaN where the row carries none (ND, Ice, Eqp, blank)
value_text the value as reported, ``""`` for a blank; decimals are taken from it
unit       unit id, the file's own unit
flags      ``Flags`` as text
row        row in the file, counted from 1
========== =================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

TIDY = (
    "station", "parameter", "statistic", "series", "time_ms", "clock",
    "value", "value_text", "unit", "flags", "row",
)  # fmt: skip
STATISTICS = ("instant", "mean", "min", "max", "sum")
PERIODS = ("day", "month", "year")
CLOCKS = ("utc", "naive", *PERIODS)
DAY_MS = 86_400_000


@dataclass(frozen=True)
class Reject:
    """One row or cell that was not taken, with enough to find and mend it. Rows count from 1; 0 is the whole file.

    ``rows``: how many values are left out for this reason; 0 for a cell beside a value that was taken all the same.
    """

    file: str
    row: int
    column: str
    raw: str
    reason: str
    rows: int = 1


@dataclass(frozen=True)
class Flags:
    """What a source says beside the number, kept as it came; the rule decides what it means.

    Text form ``approval:qualifier,qualifier;key=value;…`` as in ``A:e``, ``P:Ice`` or
    ``:J;lod=0.5;loq=1.6``. Keys used: ``lod loq`` (decimal text in the row's unit), ``limit`` with
    ``limit_is`` (``lod`` or ``rl``) for a ``<`` result, ``fraction``, ``sample``, ``by``.
    """

    approval: str = ""
    qualifiers: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)

    def text(self) -> str:
        head = self.approval + (":" + ",".join(map(_plain, self.qualifiers)) if self.qualifiers else "")
        return ";".join([head, *(f"{key}={_plain(value)}" for key, value in self.facts.items() if value != "")]).rstrip(
            ";"
        )

    def with_words(self, words: tuple[str, ...]) -> Flags:
        """The same with more qualifiers."""
        return Flags(self.approval, (*self.qualifiers, *words), self.facts)

    @staticmethod
    def parse(text: str) -> Flags:
        return _parse_flags(text)


@lru_cache(maxsize=4096)
def _parse_flags(text: str) -> Flags:
    head, *facts = text.split(";")
    approval, _, qualifiers = head.partition(":")
    pairs = (fact.partition("=") for fact in facts if fact)
    return Flags(approval, tuple(q for q in qualifiers.split(",") if q), {key: value for key, _, value in pairs})


def _plain(text: str) -> str:
    return text.replace(";", " ").replace(",", " ").replace("=", " ").strip()


def tidy(rows: Iterable[Sequence[Any]] | Mapping[str, Any]) -> pd.DataFrame:
    """A tidy table from tuples in ``TIDY`` order, or from whole columns (scalars are repeated)."""
    frame = pd.DataFrame(rows if isinstance(rows, Mapping) else list(rows), columns=list(TIDY))
    return frame.astype(
        {name: "str" for name in TIDY if name not in {"time_ms", "value", "row"}}
        | {"time_ms": np.int64, "value": np.float64, "row": np.int64}
    )
