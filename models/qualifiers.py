"""What the codes beside a laboratory result say of it: one list, whatever their case and however they are joined.

``U`` looked for and not seen, ``J`` estimated, ``R`` rejected (EPA, National functional guidelines for data review);
``ND``, ``<`` and ``>`` as laboratories write them, and phrases (``Not Detected``). Codes are joined with or without a
mark: ``UJ``, ``U/J``, ``J-R``, ``UB``. Only a code of single EPA letters is taken apart.

Lists differ: ``K``, ``T`` and ``W`` are *less than* in STORET and remarks elsewhere, ``BQL`` may stand beside a limit
or beside an estimate, ``U1`` is whatever its laboratory says. A code that holds a sign of *not detected* and is not
understood is unclear, unless another code beside it says that nothing was detected: it is never a plain detection.
Another list's code without such a sign (``HMSR``, ``R1``) says nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

Meaning = Literal["not_seen", "below", "above", "rejected", "unclear"]
"""``below`` and ``above``: the number is a limit. ``unclear``: it can be read as a rejection, or as no result."""
_Sign = Meaning | Literal["doubtful"]
"""``doubtful``: perhaps not detected; of no weight where another code says that it was not."""

_LETTERS: dict[str, Meaning | None] = {
    "u": "not_seen", "r": "rejected", "j": None, "b": None, "n": None, "d": None, "e": None, "h": None, "q": None,
}  # fmt: skip
_WORDS: dict[str, _Sign | None] = {
    "<": "below", ">": "above", "nd": "not_seen", "bdl": "not_seen", "rejected": "rejected", "reject": "rejected",
    "nr": "unclear", "rn": "unclear", "re": "unclear", "br": "unclear", "qr": "unclear", "du": "unclear",
    "bmdl": "not_seen", "blod": "not_seen", "ndj": "not_seen", "ndu": "not_seen", "lt": "below", "gt": "above",
    "k": "doubtful", "t": "doubtful", "w": "doubtful", "kj": "doubtful", "jk": "doubtful", "tj": "doubtful",
    "jt": "doubtful", "below": "doubtful", "under": "doubtful", "less": "doubtful", "absent": "doubtful",
    "negative": "doubtful",
    "red": None, "run": None, "due": None, "rub": None, "her": None, "bud": None, "but": None, "out": None,
    "sus": None, "hour": None, "result": None, "results": None, "number": None, "suspect": None, "until": None,
    "unless": None, "much": None, "such": None, "ug": None, "detect": None, "detected": None,
}  # fmt: skip
"""Words, and codes of two lists: ``NR`` is ``N`` and ``R``, and *not reported*; ``RE`` rejects, and is a reanalysis."""
_OWN = {"between-lod-loq", "limit-not-positive", "lod-above-loq"}
"""What Headwater itself puts beside the codes of a row; ``models.nr140.result`` reads them."""
_LONGEST = 3
_PARTS = re.compile(r"[<>]|[^\W_]+")
_LIMIT = r"(?:lod|mdl|dl|idl)"
_LEVEL = r"(?:loq|pql|mql|ql|mrl|rl|crdl|crql)"
_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"n\.\s*d\.?(?!\w)"), " nd "),
    (re.compile(r"\b(?:(?:non|not|none)[-\s]?detect(?:ed|able|s|ion)?|undetect(?:ed|able)|not (?:seen|found|present)"
                rf"|below (?:the )?(?:(?:method |instrument )?detection|{_LIMIT})(?: limit| level)?)\b"), " nd "),
    (re.compile(r"\bless than\b"), " < "),
    (re.compile(r"\b(?:greater|more) than\b"), " > "),
    (re.compile(rf"\b(?:between {_LIMIT}\W+(?:and\W+)?{_LEVEL}|(?:above|over) {_LIMIT})\b"), " "),
)  # fmt: skip
_SENTENCE = re.compile(r"[^\W\d_]{3,}")
_NEGATED = re.compile(r"\b(?:no|not|none)\b.*detect")
_COMPARED = re.compile(r"(?<![a-z])(?!nd<)[a-z]{2,}<")
_NO_CODE = re.compile(r"[a-z]{5,}")
_A_LIMIT = re.compile(rf"[a-z]{{0,3}}(?:{_LIMIT}|{_LEVEL}|pdl)")


@lru_cache(maxsize=4096)
def meanings(code: str) -> frozenset[Meaning]:
    """Everything that one code, or several written together, says; nothing where it says no more than a remark."""
    return _weighed(_signs(code))


def said_by(codes: Iterable[str]) -> frozenset[Meaning]:
    """What several codes say together; a phrase may have been split at its blanks.

    One with a blank in it is a detection condition, whose words are read elsewhere: only what it says for certain.
    """
    return _said_together(tuple(codes))


@lru_cache(maxsize=4096)
def _said_together(codes: tuple[str, ...]) -> frozenset[Meaning]:
    given = [code for code in codes if code.casefold() not in _OWN]
    whole = [sign for code in given if " " in code for sign in _signs(code) if sign not in {"doubtful", "unclear"}]
    return meanings(" ".join(code for code in given if " " not in code)) | _weighed(whole)


def _weighed(signs: Iterable[_Sign]) -> frozenset[Meaning]:
    found = frozenset(signs)
    sure: frozenset[Meaning] = frozenset(sign for sign in found if sign != "doubtful")
    return sure | {"unclear"} if "doubtful" in found and not sure & {"not_seen", "below"} else sure


@lru_cache(maxsize=4096)
def _signs(text: str) -> frozenset[_Sign]:
    """Signs of each part. A phrase in a longer sentence (``not detected in blank``) may be about something else."""
    said = text.strip().lstrip("*").casefold()
    plain = said
    for pattern, word in _PHRASES:
        plain = pattern.sub(word, plain)
    if _COMPARED.search(plain) or (plain != said and any(map(_is_foreign, _SENTENCE.findall(plain)))):
        return frozenset({"unclear"})
    parts = frozenset(sign for part in _PARTS.findall(plain) for sign in _of_part(part))
    return parts | {"doubtful"} if _NEGATED.search(plain) else parts


def _is_foreign(word: str) -> bool:
    return not (word in _WORDS or _A_LIMIT.fullmatch(word) or _letters(word))


def _of_part(part: str) -> Iterable[_Sign]:
    if part in _WORDS:
        found = _WORDS[part]
        return () if found is None else (found,)
    if letters := _letters(part):
        return [sign for letter in letters if (sign := _LETTERS[letter]) is not None]
    return ("doubtful",) if _is_doubtful(part) else ()


def _letters(part: str) -> str:
    """The part where it is a code of EPA letters, each once; longer than three only behind ``UJ``."""
    short = (len(part) <= _LONGEST and not part.startswith("nd")) or part.startswith("uj")
    return part if short and len(set(part)) == len(part) and set(part) <= set(_LETTERS) else ""


def _is_doubtful(part: str) -> bool:
    """A code that is not understood, with a sign of *not detected* in it; a word of a language is no code."""
    a_word = _NO_CODE.fullmatch(part) is not None and bool(set(part) & set("aio"))
    return _A_LIMIT.fullmatch(part) is not None or part.startswith("nd") or ("u" in part and not a_word)
