"""Whether a result is of filtered or of whole water: by what the report says, else by its STORET code.

Codes: DNR export codes of ``storet_fractions.csv``; a code that is not there says nothing.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from importlib.resources import files
from typing import Literal

Fraction = Literal["dissolved", "total"]
_WORDS: dict[str, Fraction] = {
    "dissolved": "dissolved", "filtered": "dissolved", "filterable": "dissolved", "total": "total",
    "unfiltered": "total", "recoverable": "total",
}  # fmt: skip
_FIRST_WORD = re.compile(r"[a-z]+")


def fraction_of(said: str, code: str) -> Fraction | None:
    """The fraction of a result, None where nothing tells.

    Parameters
    ----------
    said : sample fraction as reported (``Filtered field and/or lab``, ``Total Recoverable``), ``""`` for none.
    code : five-digit STORET code, or anything else.
    """
    first = _FIRST_WORD.match(said.strip().casefold())
    return (_WORDS.get(first[0]) if first else None) or fraction_by_code(code)


def fraction_by_code(code: str) -> Fraction | None:
    """What a five-digit STORET code alone says of the fraction."""
    return _by_code().get(code)


@cache
def _by_code() -> dict[str, Fraction]:
    text = files("models").joinpath("storet_fractions.csv").read_text(encoding="utf-8")
    return {row["storet_code"]: _WORDS[row["fraction"]] for row in csv.DictReader(text.splitlines())}
