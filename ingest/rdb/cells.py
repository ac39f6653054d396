"""Lines of tab-delimited text as columns of cells, cut by position: a million rows hold few different texts.

A block of lines stays one array of bytes. A cell is two positions in it; a column becomes codes and the distinct
texts they stand for, and only those are made into strings and read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from ingest.cells import BadCell

TAB, NEWLINE, HASH, BLANK, LAST_PLAIN = 9, 10, 35, 32, 126
WORD = 8
LONGEST_WORDS = 4
"""Cells of up to this many 8-byte words are compared as integers; longer ones as strings."""

_MASKS = np.array([(1 << (8 * n)) - 1 for n in range(WORD + 1)], dtype="<u8")
_PAD = bytes(WORD * (LONGEST_WORDS + 1))

Ints = np.ndarray[Any, np.dtype[np.int64]]


class Taken(NamedTuple):
    """Cells read: the value of every row, and why those rows were refused that were."""

    values: np.ndarray[Any, Any]
    refused: dict[int, str]


@dataclass(frozen=True)
class Coded:
    """A column: ``texts[codes[row]]`` is the cell of a row."""

    codes: Ints
    texts: Sequence[str]

    def at(self, row: int) -> str:
        return self.texts[int(self.codes[row])]

    def stripped(self) -> Coded:
        return Coded(self.codes, [text.strip() for text in self.texts])

    def read(self, reader: Callable[[str], Any], dtype: Any, missing: Any) -> Taken:
        """Each distinct text through ``reader``."""
        values = np.full(len(self.texts), missing, dtype=dtype)
        reasons: dict[int, str] = {}
        for place, text in enumerate(self.texts):
            try:
                values[place] = reader(text)
            except BadCell as bad:
                reasons[place] = bad.reason
        rows = np.flatnonzero(np.isin(self.codes, list(reasons))).tolist() if reasons else []
        return Taken(values[self.codes], {row: reasons[self.codes[row]] for row in rows})

    def objects(self) -> np.ndarray[Any, Any]:
        """The text of every row; equal texts are one string."""
        distinct = np.empty(len(self.texts), dtype=object)
        distinct[:] = self.texts
        return np.asarray(distinct[self.codes])


@dataclass(frozen=True)
class Cells:
    """Rows of one table that have as many cells as its header has names.

    Parameters
    ----------
    raw : the lines as UTF-8, padded behind.
    rows : row of each line in the file.
    starts, ends : first byte of each line and the one after its last.
    tabs, first : every tab of ``raw``, and the place among them of each line's first.
    """

    header: tuple[str, ...]
    raw: bytes
    rows: Ints
    starts: Ints
    ends: Ints
    tabs: Ints
    first: Ints
    _known: dict[int, Coded] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, which: Any) -> Cells:
        lines = (self.rows[which], self.starts[which], self.ends[which])
        return Cells(self.header, self.raw, *lines, self.tabs, self.first[which])

    @cached_property
    def bytes(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        return np.frombuffer(self.raw, dtype=np.uint8)

    def bounds(self, place: int) -> tuple[Ints, Ints]:
        """Where the cells of one column begin and end."""
        last = len(self.header) - 1
        starts = self.tabs[self.first + (place - 1)] + 1 if place else self.starts
        return starts, self.tabs[self.first + place] if place < last else self.ends

    def coded(self, column: int | str) -> Coded:
        """One column by its place or name."""
        place = self.header.index(column) if isinstance(column, str) else column
        if place not in self._known:
            self._known[place] = self._coded(place)
        return self._known[place]

    def _coded(self, place: int) -> Coded:
        starts, ends = self.bounds(place)
        codes = self._codes(starts, ends)
        if codes is None:
            return _coded_texts([self._text(*bound) for bound in zip(starts.tolist(), ends.tolist(), strict=True)])
        some = _first_places(codes)
        texts = [self._text(*bound) for bound in zip(starts[some].tolist(), ends[some].tolist(), strict=True)]
        return Coded(codes, texts)

    def line(self, row: int) -> str:
        return self._text(int(self.starts[row]), int(self.ends[row]))

    def words(self, starts: Ints, size: int) -> np.ndarray[Any, Any]:
        """``size`` bytes from each position on, as one row of an array of bytes."""
        window = np.ndarray((len(self.raw) - size,), dtype=f"V{size}", buffer=self.raw, strides=(1,))
        return window[starts].view(np.uint8).reshape(-1, size)

    @cached_property
    def _has_nul(self) -> bool:
        return self.raw.find(b"\0", 0, len(self.raw) - len(_PAD)) >= 0

    def _text(self, start: int, end: int) -> str:
        return self.raw[start:end].decode("utf-8", "surrogatepass")

    def _codes(self, starts: Ints, ends: Ints) -> Ints | None:
        """Codes of equal cells, found on integers; None where cells are too long, or a NUL would pass for padding."""
        lengths = ends - starts
        words = -(-int(lengths.max(initial=0)) // WORD)
        if words > LONGEST_WORDS or self._has_nul:
            return None
        window = np.ndarray((len(self.raw) - WORD,), dtype="<u8", buffer=self.raw, strides=(1,))
        codes = np.zeros(len(starts), dtype=np.int64)
        for word in range(words):
            kept = _MASKS[np.clip(lengths - word * WORD, 0, WORD)]
            found, distinct = pd.factorize(window[starts + word * WORD] & kept)
            codes = pd.factorize(codes * len(distinct) + found)[0] if word else found
        return codes


def cut(text: str, rows: Ints, header: tuple[str, ...]) -> tuple[Cells, list[tuple[int, str]]]:
    """Lines of text as cells; and those that do not fit the header, with their rows.

    Blank lines and comments are passed over. Blank cells after the last column are nothing.

    Parameters
    ----------
    rows : row in the file of each line.
    """
    raw = text.encode("utf-8", "surrogatepass")
    starts, ends = _lines(raw)
    raw += _PAD
    data = np.frombuffer(raw, dtype=np.uint8)
    tabs = np.flatnonzero(data == TAB)
    live = _live(raw, data, starts, ends)
    first = np.searchsorted(tabs, starts)
    found = np.diff(first, append=len(tabs))  # no tab stands between the end of a line and the next line
    for line in np.flatnonzero(live & (found >= len(header))).tolist():
        extra = int(found[line]) - len(header) + 1
        if raw[ends[line] - extra : ends[line]] == b"\t" * extra:
            ends[line] -= extra
            found[line] -= extra
    good = live & (found == len(header) - 1)
    cells = Cells(header, raw, rows[good], starts[good], ends[good], tabs, first[good])
    return cells, [(int(rows[line]), cells._text(starts[line], ends[line])) for line in np.flatnonzero(live & ~good)]


def _lines(raw: bytes) -> tuple[Ints, Ints]:
    ends = np.flatnonzero(np.frombuffer(raw, dtype=np.uint8) == NEWLINE)
    if raw and not raw.endswith(b"\n"):
        ends = np.append(ends, len(raw))
    starts = np.concatenate(([0], ends[:-1] + 1))[: len(ends)]
    return starts, ends


def _live(raw: bytes, data: np.ndarray[Any, Any], starts: Ints, ends: Ints) -> np.ndarray[Any, Any]:
    """Lines that hold data: neither a comment nor blank."""
    heads = data[starts]
    live = (ends > starts) & (heads != HASH)
    for line in np.flatnonzero(live & ((heads <= BLANK) | (heads > LAST_PLAIN))).tolist():
        live[line] = not raw[starts[line] : ends[line]].decode("utf-8", "surrogatepass").isspace()
    return np.asarray(live, dtype=bool)


def _first_places(codes: Ints) -> Ints:
    """The first row of each code."""
    places = np.empty(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    places[codes[::-1]] = np.arange(len(codes))[::-1]
    return places


def _coded_texts(texts: list[str]) -> Coded:
    objects = np.empty(len(texts), dtype=object)
    objects[:] = texts
    codes, distinct = pd.factorize(objects)
    return Coded(codes, list(distinct))
