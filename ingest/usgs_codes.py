"""What USGS services say in codes and words: statistics, approval, qualifiers and station ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ingest.cells import APPROVALS, BadCell
from models.observation import Flags

STATISTICS = {
    "": "instant", "00000": "instant", "00011": "instant",
    "00001": "max", "00002": "min", "00003": "mean", "00006": "sum",
}  # fmt: skip
"""Statistic codes a value is kept under; 00000 and 00011 are "instantaneous" (NWIS help, ``stat_cd``)."""

APPROVAL_WORDS = {"approved": "A", "provisional": "P", "a": "A", "p": "P"}
NOT_APPROVED = {"working", "in review", "in-review", "inreview", "preliminary", "unapproved", "not approved"}
"""Other words of services for a value that nobody has approved yet."""

_NWIS_BREAK = re.compile(r"[\s,;:+]+")
_LIST_BREAK = re.compile(r"[,;|]")
_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")


def statistic(code: str) -> str:
    """The tidy statistic of a code.

    Raises
    ------
    BadCell : a statistic that is not kept.
    """
    try:
        return STATISTICS[code]
    except KeyError:
        allowed = ", ".join(key for key in STATISTICS if key)
        raise BadCell(f"unknown statistic code {code}; allowed: {allowed}", "statistic") from None


def usgs_station(id: str) -> str:
    """``USGS-05427718`` as ``05427718``; the id of another agency stays whole."""
    return id.removeprefix("USGS-")


@lru_cache(maxsize=4096)
def nwis_words(text: str) -> tuple[str, ...]:
    """``P e``, ``A:e``, ``A + e`` or ``[P,Ice]`` as words; a bracketed remark such as ``[92]`` is itself a word."""
    inner = text.strip()
    if inner.startswith("[") and inner.endswith("]") and "," in inner:
        inner = inner[1:-1]
    return tuple(word for word in (part.strip("\"'") for part in _NWIS_BREAK.split(inner)) if word)


@lru_cache(maxsize=4096)
def listed_words(text: str) -> tuple[str, ...]:
    """``ESTIMATED``, ``ICE, ESTIMATED``, ``["ICE","ESTIMATED"]`` or ``{ICE,ESTIMATED}``: words may hold blanks."""
    inner = text.strip()
    if inner[:1] in {"[", "{"} and inner[-1:] in {"]", "}"}:
        inner = inner[1:-1]
        if quoted := _QUOTED.findall(inner):
            return tuple(word for pair in quoted if (word := (pair[0] or pair[1]).strip()))
    return tuple(word for part in _LIST_BREAK.split(inner) if (word := part.strip()))


def stated(approval: str) -> tuple[str, tuple[str, ...]]:
    """A status word as A or P, and the word itself where it is neither: what is not called approved is provisional."""
    status = APPROVAL_WORDS.get(approval.casefold(), "")
    return (status, ()) if status else ("P", (approval,))


def said(words: Sequence[str], approval: str = "", facts: dict[str, str] | None = None) -> Flags:
    """Flags of a status word and qualifier words, every one that is no approval kept as it came.

    Parameters
    ----------
    approval : a status such as ``Approved``; any other, such as ``In review``, is provisional and kept as a word.
        ``""`` to look for a bare A or P among the words: where both stand, the value is provisional.
    """
    if approval:
        status, kept = stated(approval)
        return Flags(status, (*kept, *words), facts or {})
    found = APPROVALS & set(words)
    status = "P" if "P" in found else "".join(found)
    if not status and any(word.casefold() in NOT_APPROVED for word in words):
        return Flags("P", tuple(words), facts or {})
    rest = list(words)
    if status:
        rest.remove(status)
    return Flags(status, tuple(rest), facts or {})
