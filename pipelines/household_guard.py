"""The one door between what a reader says of a file and whatever keeps or shows it: the store, the terminal, the mails.

Cells, sheets, members and columns are a sender's own words. Where they name a household, a mark stands in their place;
the file, the row and the column are left, by which the town finds the cell in its own copy.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import overload

import pandas as pd

from models.errors import BadFile
from models.household import Households
from models.observation import Flags, Reject
from models.privacy import private_part

WITHHELD_FLAGS = ":withheld"
"""Flags of which nothing can be kept: no approval, and a word that no rule takes for a mark of a good value."""
_PIECE = re.compile(r"(: |; |, )")
_CELL = re.compile(r"([,;\t])")
_SHORT = r"[<>]?-?(?:\d{1,5}|\d{1,3}\.\d{1,3}|0\.\d{1,5})"
_SHORT_NUMBER = re.compile(_SHORT)
"""Too short for a telephone number, and one coordinate is no place. Files have very many of them."""
_FACT_NUMBER = re.compile(rf"={_SHORT}(?=;|$)")


@dataclass(frozen=True)
class Guard:
    """Looks at each text once."""

    households: Households = field(default_factory=Households)
    _seen: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)

    def _part(self, said: str) -> str | None:
        if _SHORT_NUMBER.fullmatch(said):
            return None
        if said not in self._seen:
            self._seen[said] = private_part(said, self.households)
        return self._seen[said]

    def text(self, said: str) -> str:
        """A text with a mark in the place of the pieces that name a household; of all of it where no piece does."""
        if self._part(said) is None:
            return said
        kept = "".join(map(self._piece, _PIECE.split(said)))
        return kept if self._part(kept) is None else self._piece(said)

    def _piece(self, said: str) -> str:
        part = self._part(said)
        return said if part is None else f"(withheld: a household's {part})"

    def reject(self, one: Reject) -> Reject:
        """A reject with its row; a cell that names a household, alone or with its column and reason, is not kept."""
        kept = replace(
            one, file=self.text(one.file), column=self.text(one.column), raw=self.text(one.raw),
            reason=self.text(one.reason),
        )  # fmt: skip
        raw = "" if _SHORT_NUMBER.fullmatch(kept.raw) else kept.raw
        if (part := self._part(" ".join((kept.file, kept.column, raw, kept.reason)))) is None:
            return kept
        return replace(kept, column="", raw=f"(withheld: a household's {part})")

    def error(self, one: BadFile) -> BadFile:
        """The same of a file of which nothing was taken."""
        told = self.reject(Reject(one.file or "", one.row or 0, one.key or "", str(one.found or ""), one.reason))
        allowed = None if one.allowed is None else [self.text(each) for each in one.allowed]
        return BadFile(
            told.reason, file=told.file or None, row=one.row, key=told.column or None, found=told.raw or None,
            allowed=allowed,
        )  # fmt: skip

    def frame(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Observations whose series and flags, a file's own words, name no household."""
        return rows.assign(series=_mapped(rows["series"], self._series), flags=_mapped(rows["flags"], self._flags))

    def _series(self, name: str) -> str:
        """One for each: two series stay two."""
        if self._part(name) is None:
            return name
        return f"withheld-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:12]}"

    def _flags(self, text: str) -> str:
        if self._part(_FACT_NUMBER.sub("=", text)) is None:
            return text
        flags = Flags.parse(text)
        kept = Flags(
            self._word(flags.approval), tuple(map(self._word, flags.qualifiers)),
            {self._word(key): self._word(value) for key, value in flags.facts.items()},
        ).text()  # fmt: skip
        return kept if self._part(kept) is None else WITHHELD_FLAGS

    def _word(self, word: str) -> str:
        return word if self._part(word) is None else "withheld"

    def line(self, said: str) -> str:
        """A line of a file, its cells apart."""
        if self._part(said) is None:
            return said
        kept = "".join(map(self._piece, _CELL.split(said)))
        return kept if self._part(kept) is None else ""


@dataclass(frozen=True)
class Guarded(Sequence[str]):
    """The lines of a file as they may be kept; each is looked at when it is asked for."""

    lines: Sequence[str]
    guard: Guard

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Guarded: ...
    def __getitem__(self, at: int | slice) -> str | Guarded:
        found = self.lines[at]
        return self.guard.line(found) if isinstance(found, str) else Guarded(found, self.guard)


def _mapped(cells: pd.Series[str], change: Callable[[str], str]) -> pd.Series[str]:
    """Each distinct cell once; the cells themselves where nothing changes."""
    changed = {one: new for one in map(str, cells.unique()) if (new := change(one)) != one}
    return cells.replace(changed) if changed else cells
