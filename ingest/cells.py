"""One cell of a file: its text as a number, a unit or a code, or the reason why not."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from models.errors import BadUnit
from models.observation import Flags
from models.units import factor, unit_id

NUMBER_PATTERN = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?"
LONGEST_NUMBER = 40
LONGEST_RAW = 200
APPROVALS = {"A", "P"}
MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "--"}
SENTINELS = {-999.0, -9999.0, -99999.0, -999999.0, -99.99, -999.9, -999.99, -9999.9, -9999.99}
"""Numbers that makers write where no value stands; any other negative number is one."""
POSSIBLE_HEIGHTS = {-999.0, -99.99, -999.9, -999.99}
"""Those that an elevation above a datum can be. Nothing else that is measured here comes near one of them: temperatures
end at -459.67 degF, and of a tidal flow that is exactly one of these a reading is lost, which a neighbour replaces."""
NEVER_BELOW_ZERO = {"meter_reading", "withdrawal", "discharged_volume", "pump_run_time"}
"""Parameters that count something up. A rate may be below zero: water that ran back."""
WORDS = {"ssn", "ice", "pr", "rat", "eqp", "fld", "dis", "bkw", "dry", "tst", "mnt", "zfl", "pmp", "***", "nd"}
"""Words where a value would stand (NWIS help, "Instantaneous value qualification codes"), and ND, not detected."""

_NUMBER = re.compile(NUMBER_PATTERN)
_CODE_BREAK = re.compile(r"[:;=,\s]+")
_CODE_BEHIND = re.compile(rf"([<>]?\s*{NUMBER_PATTERN})\s*(?:\(([UJBNDEHQR]{{1,4}})\)|([UJBNDEHQR]{{1,4}}[-+*]?))")
_LIMIT_BEHIND = re.compile(
    rf"(ND|U)\s*(?:\(\s*<?\s*({NUMBER_PATTERN})\s*\)|(?:@|at)\s*({NUMBER_PATTERN}))", re.IGNORECASE
)


def counted(n: int, thing: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


class BadCell(ValueError):
    """A cell that cannot be taken; the row loop turns it into a reject. It never leaves ``ingest``."""

    def __init__(self, reason: str, column: str = "") -> None:
        self.reason, self.column = reason, column
        super().__init__(reason)


def number(text: str) -> float:
    """A plain decimal number. Thousands marks, NaN, infinity and trailing words are refused.

    Raises
    ------
    BadCell : it is not one.
    """
    if len(text) > LONGEST_NUMBER or _NUMBER.fullmatch(text) is None:
        raise BadCell("not a number")
    value = float(text)
    if not math.isfinite(value):
        raise BadCell("not a finite number")
    return value


@dataclass(frozen=True)
class Measurement:
    """A value cell of a table: NaN where the cell carries none, with the word, sentinel or limit it carries instead."""

    value: float
    text: str
    qualifiers: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)


@lru_cache(maxsize=65536)
def measurement(text: str, parameter: str = "") -> Measurement:
    """``3.10``, ``Ice``, ``ND``, ``<0.5``, a sentinel or a blank.

    Raises
    ------
    BadCell : none of them.
    """
    if text.casefold() in MISSING:
        return Measurement(math.nan, "")
    if text.casefold() in WORDS:
        return Measurement(math.nan, "ND" if text.casefold() == "nd" else "", (text,))
    if text.startswith("<"):
        limit = text[1:].strip()
        number(limit)
        return Measurement(math.nan, f"<{limit}", ("<",), {"limit": limit, "limit_is": "rl"})
    return plain(text, parameter)


def plain(text: str, parameter: str = "") -> Measurement:
    """A number or a sentinel, of a source that writes no words.

    Raises
    ------
    BadCell : no number.
    """
    value = number(text)
    if is_sentinel(value, parameter):
        return Measurement(math.nan, "", (text,))
    if value < 0 and parameter in NEVER_BELOW_ZERO:
        raise BadCell("negative")
    return Measurement(value, text)


def is_sentinel(value: float, parameter: str = "") -> bool:
    """Whether a number says that no value stands: before any unit is converted and any limit compared.

    Parameters
    ----------
    parameter : what is measured; ``""`` where that is not known.
    """
    return value in SENTINELS and not (parameter.startswith("water_elevation") and value in POSSIBLE_HEIGHTS)


def not_negative(text: str) -> float:
    """A number that cannot be below zero."""
    value = number(text)
    if value < 0:
        raise BadCell("negative")
    return value


def dotted(text: str) -> str:
    """A decimal comma as a point: loggers under a French or Dutch locale write ``1813,03``."""
    return text.replace(",", ".") if text.count(",") == 1 and "." not in text else text


@lru_cache(maxsize=1024)
def unit(text: str, canonical: str) -> str:
    """The unit id of a spelling that must measure the same thing as ``canonical``.

    Raises
    ------
    BadCell : unknown spelling, or another quantity.
    """
    try:
        found = unit_id(text)
        if found != canonical:
            factor(found, canonical)
    except BadUnit as bad:
        raise BadCell(bad.reason) from None
    return found


def code_words(text: str) -> tuple[str, ...]:
    """Codes that stand together in one cell."""
    return tuple(word for word in _CODE_BREAK.split(text) if word)


@lru_cache(maxsize=65536)
def coded(text: str) -> tuple[str, str]:
    """An amount and the code written behind it: ``12 J``, ``2U``, ``ND (2.0)``; the latter is below that limit.

    Codes are EPA's letters in capitals, since ``12 h`` and ``12 ppb`` are other things.
    """
    if text[-1:].isdigit() and not text[:1].isalpha():
        return text, ""
    if found := _CODE_BEHIND.fullmatch(text):
        return found[1].strip(), found[2] or found[3]
    limited = _LIMIT_BEHIND.fullmatch(text)
    return (f"<{limited[2] or limited[3]}", limited[1].upper()) if limited else (text, "")


@lru_cache(maxsize=4096)
def code_flags(text: str) -> Flags:
    """``A``, ``P:h``, ``A:e`` or ``A [92]`` as approval and qualifiers, every word kept as it came."""
    words = code_words(text)
    if words and words[0] in APPROVALS:
        return Flags(words[0], words[1:])
    return Flags("", words)


def clipped(text: str) -> str:
    """Raw text short enough to keep beside a reject."""
    return text if len(text) <= LONGEST_RAW else text[: LONGEST_RAW - 1] + "…"


@dataclass(frozen=True)
class Column:
    """Cells read one by one: a value each, and a reason (``""`` where it was taken)."""

    values: np.ndarray[Any, Any]
    reasons: np.ndarray[Any, Any]

    @property
    def bad(self) -> np.ndarray[Any, Any]:
        return np.asarray(self.reasons != "", dtype=bool)

    def bad_places(self, among: np.ndarray[Any, Any] | bool = True) -> list[int]:
        """Where cells were refused, among the rows asked about."""
        return [int(place) for place in np.flatnonzero(self.bad & among)]


def read_column(texts: Sequence[str], read: Callable[[str], Any], dtype: Any, missing: Any) -> Column:
    """Read a column by its distinct texts only; a million rows hold few different cells."""
    codes, distinct = pd.factorize(np.asarray(texts, dtype=object))
    values = np.full(len(distinct), missing, dtype=dtype)
    reasons = np.full(len(distinct), "", dtype=object)
    for place, text in enumerate(distinct):
        try:
            values[place] = read(text)
        except BadCell as bad:
            reasons[place] = bad.reason
    return Column(values[codes], reasons[codes])
