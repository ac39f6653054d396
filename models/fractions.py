"""Whether a result is of filtered or of whole water: by what the report says, else by its STORET code.

Codes: DNR export codes of ``storet_fractions.csv``; a code that is not there says nothing.
"""

from __future__ import annotations

import csv
import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

Fraction = Literal["dissolved", "total"]
_DISSOLVED = {"dissolved", "diss", "filtered", "filterable", "filt", "d", "dis"}
_TOTAL = {"total", "tot", "t", "tr", "unfiltered", "unfilt", "recoverable", "rec", "whole", "raw", "nonfiltered"}
_SAYS_NOTHING = {"", "none", "na", "n a", "not applicable", "field", "lab", "volatile", "semivolatile", "unknown"}
"""``Volatile`` names a way of analysis, which says nothing of a filter."""
_ONLY_A_PART = {
    "suspended", "particulate", "particle", "nonfilterable", "acid", "bioavailable", "bed", "bedload", "sediment",
    "residue", "residual", "settleable", "nonsettleable", "supernate", "sieved", "leachable", "pot", "soluble", "fixed",
}  # fmt: skip
"""Words of a fraction that is another part of the water, whatever word stands beside them."""
FILTER_MATTERS = {
    "aluminum", "antimony", "arsenic", "barium", "beryllium", "boron", "cadmium", "chromium", "cobalt", "copper",
    "iron", "lead", "manganese", "mercury", "molybdenum", "nickel", "selenium", "silver", "strontium", "thallium",
    "vanadium", "zinc",
}  # fmt: skip
"""Metals, of which total (recoverable) and dissolved are two analytes (40 CFR 136.3 Table IB): particles in a muddy
bottle carry them. What else has standards dissolves whole, or would be lost to a filter and is not filtered."""
_NOT = re.compile(r"\b(?:non|not|un)[\s-]*(?=filter)")


def fraction_of(said: str, code: str) -> Fraction | None:
    """The fraction of a result, None where nothing tells, or where it is neither.

    Parameters
    ----------
    said : sample fraction as reported (``Filtered field and/or lab``, ``Total Recoverable``), ``""`` for none.
    code : five-digit STORET code, or anything else.
    """
    return _of_words(said) or (None if is_another(said) else fraction_by_code(code))


@lru_cache(maxsize=4096)
def is_another(said: str) -> bool:
    """Whether a fraction is stated that is neither dissolved nor total, or that is no known word."""
    return _of_words(said) is None and " ".join(_words(said)) not in _SAYS_NOTHING


@lru_cache(maxsize=4096)
def _of_words(said: str) -> Fraction | None:
    words = set(_words(said))
    if words & _ONLY_A_PART:
        return None
    if words & _DISSOLVED:
        return "dissolved"
    return "total" if words & _TOTAL else None


def _words(said: str) -> list[str]:
    return re.findall(r"[a-z]+", _NOT.sub("non", said.casefold()))


def fraction_by_code(code: str) -> Fraction | None:
    """What a five-digit STORET code alone says of the fraction."""
    return _by_code().get(code)


@cache
def _by_code() -> dict[str, Fraction]:
    text = files("models").joinpath("storet_fractions.csv").read_text(encoding="utf-8")
    found = {row["storet_code"]: _of_words(row["fraction"]) for row in csv.DictReader(text.splitlines())}
    return {code: fraction for code, fraction in found.items() if fraction is not None}
