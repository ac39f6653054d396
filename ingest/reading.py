"""What a reader is given, what it hands back, and the shape of one format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Literal

import pandas as pd

from ingest.cells import clipped
from models.errors import BadFile
from models.observation import TIDY, Reject, tidy

MOST_REJECTS = 250_000

DateOrder = Literal["dmy", "mdy", "ymd"]
DATE_ORDERS: tuple[DateOrder, ...] = ("dmy", "mdy", "ymd")
DecimalMark = Literal["point", "comma"]
DECIMAL_MARKS: tuple[DecimalMark, ...] = ("point", "comma")


@dataclass(frozen=True)
class Told:
    """What a person says about a file; a station, parameter or unit that the file names itself stands."""

    date_order: DateOrder | None = None
    station: str = ""
    parameter: str = ""
    unit: str = ""
    decimal: DecimalMark | None = None


NOTHING = Told()

LAST_LINE = "last_line"
"""Fact of a text file whose last line has no line end: a value cut short there looks like a whole one."""
CUT = "the last line has no line end: its last value may be cut short"


@dataclass(frozen=True)
class Source:
    """One file as text. Every line end is ``\\n``, so that ``text.split("\\n")`` counts rows as an editor does."""

    file: str
    text: str
    sha256: str = ""
    encoding: str = "utf-8"
    told: Told = NOTHING
    _rejected: Iterator[int] = field(default_factory=count, repr=False, compare=False)

    def reject(self, row: int, column: str, raw: str, reason: str, rows: int = 1) -> Reject:
        """One row or cell that is not taken, and how many values are left out with it.

        Raises
        ------
        BadFile : one more than ``MOST_REJECTS``; a file of nothing else would fill the memory.
        """
        if next(self._rejected) >= MOST_REJECTS:
            raise self.bad(
                f"more than {MOST_REJECTS} rows of it cannot be taken: {reason}", row=row, found=clipped(raw)
            )
        return Reject(self.file, row, column, clipped(raw), reason, rows)

    def bad(self, reason: str, *, row: int | None = None, found: object = None) -> BadFile:
        """The error that refuses the whole file."""
        return BadFile(reason, file=self.file, row=row, found=found)


@dataclass(frozen=True)
class Parts:
    """What a parser makes of a source; ``read`` adds the file's identity.

    ``tables`` holds what a file says that is no observation (``sites``, ``rating``, ``lithology``, ``construction``):
    frames of text as written, with a ``row`` column.
    """

    observations: pd.DataFrame
    rejects: tuple[Reject, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    timezone: str | None = None
    datum: str | None = None
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)


@dataclass(frozen=True)
class Reading:
    """One file read: tidy observations in the file's own units, rejects, and facts about the instrument.

    ``timezone`` is as the file states it (None: not in the file); ``facts`` holds serial, location, software;
    ``tables`` is described at ``Parts``.
    """

    file: str
    format: str
    sha256: str
    timezone: str | None
    datum: str | None
    observations: pd.DataFrame
    rejects: tuple[Reject, ...]
    facts: Mapping[str, str]
    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)


@dataclass(frozen=True)
class Format:
    """A maker's format: recognised by content, never by file name."""

    name: str
    sniff: Callable[[str], bool]
    parse: Callable[[Source], Parts]


def beside_row(header: Sequence[str]) -> list[str]:
    """A file's column names as a table of ``Parts`` takes them, beside its own ``row``: a second is ``row_2``."""
    names: dict[str, None] = {"row": None}
    for name in header:
        names[next(one for one in chain([name], (f"{name}_{n}" for n in count(2))) if one not in names)] = None
    return list(names)[1:]


def stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Tidy tables one below the other; none at all is an empty tidy table."""
    full = [frame for frame in frames if len(frame)]
    return pd.concat(full, ignore_index=True) if full else tidy(dict.fromkeys(TIDY, ()))
