"""A laboratory result as it is judged: a number, a non-detect, or a detect without a number."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Literal

from models.observation import Flags
from models.qualifiers import said_by
from models.standard_set import Factor

Said = Literal["", "detected", "between", "above"]

BETWEEN = "between-lod-loq"
DETECTED = {
    "detected not quantified",
    "present",
    "detected",
    "positive",
    "present above quantification limit",
    "present >ql",
    "tntc",
    "too numerous to count",
}
ABSENT = {"absent", "negative", "not detected", "non-detect", "none detected"}
VOID_LIMIT = "limit-not-positive"

_SOME_NUMBER = "1"
_SPEAKING = ("lod", "loq", "limit", "limit_is", "condition")
"""Facts that say something of the amount; all others are of the sample and how it was analysed."""
_BEHIND_MARK = re.compile(r"(?:ND)?\s*[<>]\s*(\S+)", re.IGNORECASE)


@dataclass(frozen=True)
class Result:
    """One laboratory result; all numbers in ``unit``.

    Parameters
    ----------
    value : None for a non-detect and for a detect without a number.
    limit : the number behind a ``<``, or behind a ``>`` where ``said`` is ``above``.
    limit_is_reporting : the number behind the ``<`` is not the LOD.
    said : of a detect without a number what is known of it: ``between`` LOD and LOQ, ``above`` ``limit``, or no more
        than that it was ``detected``.
    below_lod : a non-detect stated as one at the LOD, whatever limit it is printed with.
    """

    value: Decimal | None
    unit: str
    lod: Decimal | None = None
    loq: Decimal | None = None
    limit: Decimal | None = None
    limit_is_reporting: bool = False
    said: Said = ""
    below_lod: bool = False

    @property
    def detected(self) -> bool:
        return self.value is not None or self.said != ""

    def of(self, value: Decimal) -> Result:
        """The same with another number."""
        return Result(
            value, self.unit, self.lod, self.loq, self.limit, self.limit_is_reporting, self.said, self.below_lod
        )

    def scaled(self, factor: Factor) -> Result:
        """The same result as the amount of another form."""
        value, lod, loq, limit = (
            None if number is None else factor.times(number) for number in (self.value, self.lod, self.loq, self.limit)
        )
        return replace(self, value=value, lod=lod, loq=loq, limit=limit)


def read_result(value_text: str, unit: str, flags: Flags) -> Result | None:
    """A stored row as a result; None where it says neither an amount nor whether anything was detected."""
    facts = tuple((name, flags.facts[name]) for name in _SPEAKING if name in flags.facts)
    value = _decimal(value_text)
    found = _read_result(value_text if value is None else _SOME_NUMBER, unit, flags.qualifiers, facts)
    return found if value is None or found is None or found.value is None else found.of(value)


@lru_cache(maxsize=16384)
def _read_result(
    value_text: str, unit: str, qualifiers: tuple[str, ...], facts: tuple[tuple[str, str], ...]
) -> Result | None:
    """Of rows that say the same once, whatever their samples are called and their numbers are."""
    said = dict(facts)
    lod, loq, limit = (_positive(said.get(name, "")) for name in ("lod", "loq", "limit"))
    value = _decimal(value_text)
    amount = () if value is not None else (value_text,)  # a number is no word
    words = _words((*qualifiers, *(text.strip(" *") for text in amount), said.get("condition", "")))
    marks = said_by((*qualifiers, *amount))
    if "above" in marks:
        return Result(None, unit, lod, loq, _behind(value_text), said="above")
    if BETWEEN in words and value is None:
        return Result(None, unit, lod, loq or limit, limit, said="between")
    if marks & {"not_seen", "below"} or words & ABSENT:
        found = Result(None, unit, lod, loq, limit or _behind(value_text))
        return _non_detect(found, "not_seen" in marks, said.get("limit_is", ""))
    if value is not None:
        return Result(value, unit, lod, loq)
    return Result(None, unit, lod, loq, said="detected") if words & DETECTED else None


def void_limit(result: Result, flags: Flags) -> bool:
    """A non-detect whose only limit is not above zero: it says nothing."""
    without = result.lod is None and result.limit is None
    return not result.detected and without and VOID_LIMIT in {word.casefold() for word in flags.qualifiers}


def _non_detect(found: Result, not_seen: bool, kind: str) -> Result:
    """A limit of unknown kind stands for a reporting limit where no LOD is known.

    Not seen at the LOD is what ``U`` and ``ND`` say, but not beside a number over the LOQ (the LOD, where no LOQ is
    known): a limit that high was raised, and what lies between is not told.
    """
    reporting = found.limit is not None and (kind == "rl" or (kind == "" and found.lod is None))
    floor = found.loq or found.lod
    raised = found.limit is not None and floor is not None and found.limit > floor
    at_the_lod = not_seen and found.lod is not None and not raised
    return replace(found, limit_is_reporting=reporting, below_lod=at_the_lod)


@lru_cache(maxsize=4096)
def _words(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.strip().lstrip("*").casefold() for word in texts)


def _behind(value_text: str) -> Decimal | None:
    match = _BEHIND_MARK.match(value_text)
    return _positive(match[1]) if match else None


@lru_cache(maxsize=4096)
def _positive(text: str) -> Decimal | None:
    number = _decimal(text) if text else None
    return number if number is not None and number > 0 else None


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None
