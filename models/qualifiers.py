"""What the codes beside a laboratory result say of it: one list, whatever their case and however they are joined.

``U`` looked for and not seen, ``J`` estimated, ``R`` rejected (EPA, National functional guidelines for data review);
``ND``, ``<`` and ``>`` as laboratories write them, and phrases (``Not Detected``). Codes are joined with or without a
mark: ``UJ``, ``U/J``, ``J-R``, ``UB``. Only a code of single EPA letters is taken apart.

Lists differ: ``K``, ``T`` and ``W`` are *less than* in STORET and remarks elsewhere, ``BQL`` may stand beside a limit
or beside an estimate, ``U1`` is whatever its laboratory says. A code that holds a sign of *not detected* and is not
understood is unclear, unless another code beside it says that nothing was detected: it is never a plain detection.
Another list's code without such a sign (``HMSR``, ``R1``) says nothing here.

A code is known where every list that is known here (EPA's guidelines and WQX ``ResultMeasureQualifier``, the sets of
Arizona and of national laboratories that certify in Wisconsin) lets the number stand as an amount, estimated or not, or
where all take it back. ``B`` is not: found in the blank too, or between two limits. A word that is not known leaves the
number as it is, and attains nothing until the laboratory has said what it means.
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
_REJECTIONS = {
    "rejected", "reject", "rej", "void", "voided", "invalid", "invalidated", "contaminated", "broken", "cancelled",
    "canceled", "unusable", "qns", "nsq", "lac", "lbf", "nai", "nlbl", "nlro", "jcw", "eer", "nrr", "nrp",
}  # fmt: skip
"""Words, and codes of WQX, by which a laboratory or a validator takes a value back, or says that there is none."""
_WORDS: dict[str, _Sign | None] = {
    "<": "below", ">": "above", "nd": "not_seen", "bdl": "not_seen",
    "nr": "unclear", "rn": "unclear", "re": "unclear", "br": "unclear", "qr": "unclear", "du": "unclear",
    "bmdl": "not_seen", "blod": "not_seen", "ndj": "not_seen", "ndu": "not_seen", "lt": "below", "gt": "above",
    "k": "doubtful", "t": "doubtful", "w": "doubtful", "kj": "doubtful", "jk": "doubtful", "tj": "doubtful",
    "jt": "doubtful", "below": "doubtful", "under": "doubtful", "less": "doubtful", "absent": "doubtful",
    "negative": "doubtful", "doubted": "doubtful", **dict.fromkeys(_REJECTIONS, "rejected"),
    "red": None, "run": None, "due": None, "rub": None, "her": None, "bud": None, "but": None, "out": None,
    "sus": None, "hour": None, "result": None, "results": None, "number": None, "suspect": None, "until": None,
    "unless": None, "much": None, "such": None, "ug": None, "detect": None, "detected": None,
}  # fmt: skip
"""Words, and codes of two lists: ``NR`` is ``N`` and ``R``, and *not reported*; ``RE`` rejects, and is a reanalysis."""
_REMARKS = {
    "est", "esd", "eci", "eva", "evad", "gxb", "di", "dil", "cdi", "alt", "rex", "rin", "rnaf", "rp", "rv", "vs",
    "mi", "vvrr", "ms", "msd", "lcs", "lcsd", "msr", "msi", "mha", "hmsr", "lmsr", "hmsd", "lmsd", "hver", "lver",
    "hicc", "licc", "hib", "lob", "rpo", "rpd", "rpdx", "sdrol", "ltgte", "r1", "trace", "detect", "detected",
    "estimated", "tntc", "present", "positive", "diluted", "dilution", "confirmed", "holding", "recovery", "exceeded",
    "outside", "above", "over", "na", "none", "historical", "raw", "validated", "unreviewed", "reviewed", "final",
    "accepted", "approved", "preliminary", "provisional",
}  # fmt: skip
_FAMILIES = re.compile(r"[defhjlmsv][0-9]{1,2}|[dehjq]{1,3}|[fnp]|j[fnp]|[fnp]j")
"""Codes of remarks with a number (``H2``, ``M1``: holding time, matrix spike), and EPA's letters, alone or joined."""
_PLAIN = {
    "result", "results", "sample", "samples", "value", "values", "data", "analysis", "test", "bottle", "container",
    "lab", "laboratory", "validator", "validation", "qc", "failure", "time", "limit", "limits", "range", "in", "by",
    "is", "was", "were", "the", "and", "due", "at", "of", "to",
}  # fmt: skip
"""Words of a sentence that by themselves say nothing of a number."""
_MARKS = {"*", "**", "+", "-", "--"}
REJECTED_IN_TEXT, DOUBTED_IN_TEXT = "rejected-in-text", "doubted-in-text"
_OWN: dict[str, Meaning | None] = {
    "between-lod-loq": None, "limit-not-positive": None, "lod-above-loq": None, REJECTED_IN_TEXT: "rejected",
    DOUBTED_IN_TEXT: None,
}  # fmt: skip
"""What Headwater itself puts beside the codes of a row; ``models.nr140.result`` reads them."""
_LONGEST = 3
_PARTS = re.compile(r"[<>]|[^\W_]+")
_HEAD = re.compile(
    r"(?:(?:the |this )?(?:result|value|sample|data|analysis|test)s? ?(?:(?:is|are|was|were|has been|have been) )?)?"
    r"(?:rejected|void(?:ed)?|invalid(?:ated)?|unusable|cancell?ed|qns|quantity not sufficient|insufficient sample"
    r"|not (?:valid|usable|analy[sz]ed))(?P<why>$|\s*[-:;,.(/].*|\s+(?:by|due|because|since)\b.*)"
)
"""A text that begins by taking its result back, and goes on with no more than who did or why."""
_TAKEN_UP = re.compile(
    r"\b(?:not|no|never|re-?(?:run|runs|analy\w+|test\w*|sampl\w+|extract\w*|issued?|instated?)|accept\w*|but|however"
    r"|except|only|for|other\w*|corrected)\b"
)
_OF_A_REJECTION = re.compile(
    r"\breject\w*|\bvoid(?:ed)?\b|\binvalid\w*|\bunusable\b|\bcancel\w*|\bcontaminat\w*|\bbroken\b|\bqns\b"
    r"|\bnot (?:analy[sz]ed|valid|usable)\b|\binsufficient\b|\bnot sufficient\b|\bdo not use\b|\bsuspect\w*"
    r"|\bquestionable\b|\blab(?:oratory)? (?:accident|error)|\bmis-?label\w*|\bswitched\b|\bswapped\b"
    r"|\bmix(?:ed)?[- ]?up\b"
)
_LIMIT = r"(?:lod|mdl|dl|idl)"
_LEVEL = r"(?:loq|pql|mql|ql|mrl|rl|crdl|crql)"
_TAKEN_BACK = "|".join(sorted(word for word in _REJECTIONS if len(word) > _LONGEST))
_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\b(?:not|no|non|never)[-\s]+(?:{_TAKEN_BACK})\b"), " doubted "),
    (re.compile(r"\b(?:not (?:analy[sz]ed|tested|valid|usable)|do not use|(?:quantity |sample |volume )?not sufficient"
                r"|insufficient (?:sample|quantity|volume)(?: volume)?)\b"), " rejected "),
    (re.compile(r"n\.\s*d\.?(?!\w)"), " nd "),
    (re.compile(r"\b(?:(?:non|not|none)[-\s]?detect(?:ed|able|s|ion)?|undetect(?:ed|able)|not (?:seen|found|present)"
                rf"|below (?:the )?(?:(?:method |instrument )?detection|{_LIMIT})(?: limit| level)?)\b"), " nd "),
    (re.compile(r"\bless than\b"), " < "),
    (re.compile(r"\b(?:greater|more) than\b"), " > "),
    (re.compile(rf"\b(?:between {_LIMIT}\W+(?:and\W+)?{_LEVEL}|(?:above|over) {_LIMIT})\b"), " "),
)  # fmt: skip
_ELSEWHERE = re.compile(r"contaminat|blank", re.IGNORECASE)
_A_SENTENCE = re.compile(r"[^\W\d_]{3,} |  *[^\W\d_]{3,}")
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
    own = {meaning for code in codes if (meaning := _OWN.get(code.casefold())) is not None}
    whole = [sign for code in given if " " in code for sign in _signs(code) if sign not in {"doubtful", "unclear"}]
    return meanings(" ".join(code for code in given if " " not in code)) | _weighed(whole) | own


@lru_cache(maxsize=4096)
def unknown_words(codes: tuple[str, ...]) -> tuple[str, ...]:
    """Of several codes those that are not known, or have two meanings, as they are written; a sentence as a whole.

    A detection condition is none of them, but for one that says where else the substance was found.
    """
    given = [code for code in codes if code.casefold() not in _OWN]
    beside = [code for code in given if " " in code and _ELSEWHERE.search(code)]
    text = " ".join(code for code in given if " " not in code)
    unclear = "unclear" in meanings(text)
    sure = bool(meanings(text) & {"not_seen", "below"})
    written = {code.casefold(): code for code in given}
    odd = [written.get(word, text) for word in _in_words(text).split() if not _is_known(word, sure=sure)]
    found = [text] if unclear and (not odd or _A_SENTENCE.search(text)) else odd
    return tuple(dict.fromkeys((*found, *beside)))


@lru_cache(maxsize=4096)
def rejection_in(text: str) -> Literal["", "rejected", "perhaps"]:
    """Whether a comment takes its result back: in so many words, or perhaps, since it has a word of it.

    *Contaminated* may be said of the water itself, and *broken* of another bottle: such a comment asks to be read.
    """
    said = " ".join(text.casefold().split())
    found = _HEAD.fullmatch(said)
    if found and not _TAKEN_UP.search(found["why"]):
        return "rejected"
    return "perhaps" if _OF_A_REJECTION.search(said) else ""


def _is_known(word: str, *, sure: bool) -> bool:
    """Whether a word has one meaning here; beside one that says *not detected* for sure a limit's name has one."""
    parts = _PARTS.findall(word)
    return all(_has_one(part, sure=sure) for part in parts) if parts else word in _MARKS


def _has_one(part: str, *, sure: bool) -> bool:
    if part in _REMARKS or part in _PLAIN or _FAMILIES.fullmatch(part):
        return True
    if sure and _A_LIMIT.fullmatch(part):
        return True
    signs = set(_of_part(part))
    return bool(signs) and not signs & {"doubtful", "unclear"} and not ("b" in part and _letters(part))


def _weighed(signs: Iterable[_Sign]) -> frozenset[Meaning]:
    found = frozenset(signs)
    sure: frozenset[Meaning] = frozenset(sign for sign in found if sign != "doubtful")
    return sure | {"unclear"} if "doubtful" in found and not sure & {"not_seen", "below"} else sure


@lru_cache(maxsize=4096)
def _signs(text: str) -> frozenset[_Sign]:
    """Signs of each part. A phrase in a longer sentence (``not detected in blank``) may be about something else."""
    said, plain = text.strip().lstrip("*").casefold(), _in_words(text)
    words = _SENTENCE.findall(plain)
    phrased = plain != said or not _REJECTIONS.isdisjoint(words)
    if _COMPARED.search(plain) or (phrased and any(map(_is_foreign, words))):
        return frozenset({"unclear"})
    parts = frozenset(sign for part in _PARTS.findall(plain) for sign in _of_part(part))
    return parts | {"doubtful"} if _NEGATED.search(plain) else parts


@lru_cache(maxsize=4096)
def _in_words(text: str) -> str:
    """In small letters, every phrase as the word that stands for it."""
    plain = text.strip().lstrip("*").casefold()
    for pattern, word in _PHRASES:
        plain = pattern.sub(word, plain)
    return plain


def _is_foreign(word: str) -> bool:
    return not (word in _WORDS or word in _PLAIN or _A_LIMIT.fullmatch(word) or _letters(word))


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
