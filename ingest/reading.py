"""What a reader is given, what it hands back, and the shape of one format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from ingest.cells import clipped
from models.errors import BadFile
from models.observation import TIDY, Reject, tidy


@dataclass(frozen=True)
class Source:
    """One file as text. Every line end is ``\\n``, so that ``text.split("\\n")`` counts rows as an editor does."""

    file: str
    text: str
    sha256: str = ""
    encoding: str = "utf-8"

    def reject(self, row: int, column: str, raw: str, reason: str) -> Reject:
        return Reject(self.file, row, column, clipped(raw), reason)

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


def stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Tidy tables one below the other; none at all is an empty tidy table."""
    full = [frame for frame in frames if len(frame)]
    return pd.concat(full, ignore_index=True) if full else tidy(dict.fromkeys(TIDY, ()))
