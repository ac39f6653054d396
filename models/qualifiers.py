"""What the codes beside a laboratory result say of it: one list, whatever their case and however they are joined.

``U`` looked for and not seen, ``J`` estimated, ``R`` rejected (EPA, National functional guidelines for data review);
``ND``, ``<`` and ``>`` as laboratories write them. Codes are joined with or without a mark: ``UJ``, ``U/J``, ``J-R``,
``UB``. Only a code of single EPA letters is taken apart; another list's code (``HMSR``, ``R1``) says nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

Meaning = Literal["not_seen", "below", "above", "rejected", "unclear"]
"""``below`` and ``above``: the number is a limit. ``unclear``: it can be read as a rejection, or as no result."""

_LETTERS: dict[str, Meaning | None] = {
    "u": "not_seen", "r": "rejected", "j": None, "b": None, "n": None, "d": None, "e": None, "h": None, "q": None,
}  # fmt: skip
_WORDS: dict[str, Meaning | None] = {
    "<": "below", ">": "above", "nd": "not_seen", "bdl": "not_seen", "rejected": "rejected", "reject": "rejected",
    "nr": "unclear", "rn": "unclear", "re": "unclear", "br": "unclear", "qr": "unclear", "du": "unclear",
    "undetected": "not_seen",
    "red": None, "run": None, "due": None, "rub": None, "her": None, "bud": None,
}  # fmt: skip
"""Words, and codes of two lists: ``NR`` is ``N`` and ``R``, and *not reported*; ``RE`` rejects, and is a reanalysis."""
_LONGEST = 3
_PARTS = re.compile(r"[<>]|[^\W_]+")


@lru_cache(maxsize=4096)
def meanings(code: str) -> frozenset[Meaning]:
    """Everything that one code, or several written together, says; nothing where it says no more than a remark."""
    plain = re.sub(r"n\.\s*d\.?|non-?\s?detect(?:ed)?", "nd", code.strip().lstrip("*").casefold())
    return frozenset(found for part in _PARTS.findall(plain) for found in _of_part(part))


def said_by(codes: Iterable[str]) -> frozenset[Meaning]:
    """What several codes say together."""
    return frozenset[Meaning]().union(*(meanings(code) for code in codes))


def _of_part(part: str) -> Iterable[Meaning]:
    if part in _WORDS:
        found = _WORDS[part]
        return () if found is None else (found,)
    if len(part) > _LONGEST or len(set(part)) < len(part) or not set(part) <= set(_LETTERS):
        return ()
    return [found for letter in part if (found := _LETTERS[letter]) is not None]
