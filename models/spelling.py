"""One spelling of what people write differently and mean the same: accents, widths, cases, invisible characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

_WORD = re.compile(r"\d+|[^\W\d_]+")
_ELIDED = re.compile(r"\b([^\W\d_])['\u2019\u02bc`\u00b4](?=[^\W\d_])")
_GLUED = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TWO_LETTERS = re.compile("a[ae]|(?<=[ou])e")
"""ae, oe, ue and aa, by which ä, ö, ü and å are spelt out."""
_NO_MARK = str.maketrans({"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae", "Æ": "Ae",
                          "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th", "ð": "d", "Ð": "D"})  # fmt: skip


@dataclass(frozen=True)
class Word:
    """A word or number of a text, folded. ``capital``: it begins with one; ``shouted``: it is all capitals."""

    text: str
    capital: bool = False
    shouted: bool = False


def plain(text: str) -> str:
    """A text without what the eye does not see: full width, digits of other scripts, soft hyphens (Unicode NFKC)."""
    if text.isascii():
        return text
    seen = (char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char) != "Cf")
    return "".join(_digit(char) for char in seen)


def _digit(char: str) -> str:
    value = unicodedata.decimal(char, None)
    return char if value is None else str(value)


def without_marks(text: str) -> str:
    """A text whose letters bear no accent: Müller as Muller."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text.translate(_NO_MARK))
    return "".join(char for char in apart if unicodedata.category(char) != "Mn")


def words(text: str, *, loose: bool = False) -> list[Word]:
    """The words of a text in order; MarySample are two, of what is no letter and no digit nothing is left.

    ``loose``: Müller, Muller and Mueller are one.
    """
    bare = _ELIDED.sub(r"\1", without_marks(plain(text)))
    apart = (piece for found in _WORD.findall(bare) for piece in _GLUED.split(found))
    return [Word(_folded(one, loose=loose), one[:1].isupper(), len(one) > 1 and one.isupper()) for one in apart]


def _folded(word: str, *, loose: bool) -> str:
    folded = word.casefold()
    return _TWO_LETTERS.sub(lambda found: found[0][:1] if found[0] != "e" else "", folded) if loose else folded


class Line:
    """The words of a text, in which a name is found however its parts are joined: O'Neill, ONeill, o neill.

    ``flat``: it is written in small letters, or in capitals, throughout: then no capital tells a name.
    """

    def __init__(self, found: Sequence[Word]) -> None:
        self.words = tuple(found)
        self.joined = "".join(one.text for one in found)
        ends = list(accumulate((len(one.text) for one in found), initial=0))
        self._word_at = {at: n for n, at in enumerate(ends)}
        long = [one for one in found if len(one.text) > 1 and one.text.isalpha()]
        self.flat = not any(one.capital for one in found) or all(one.shouted for one in long)

    def runs(self, joined: str) -> Iterator[tuple[int, int]]:
        """Where whole words joined read so: first word and the one after the last."""
        at = self.joined.find(joined) if joined else -1
        while at >= 0:
            first, after = self._word_at.get(at), self._word_at.get(at + len(joined))
            if first is not None and after is not None:
                yield first, after
            at = self.joined.find(joined, at + 1)

    def holds(self, joined: str) -> bool:
        """Whether whole words joined read so."""
        return next(self.runs(joined), None) is not None
