"""Which rows of a deliverable are no results of the water of a place: quality control, duplicates, other media."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from ingest.laboratory.headings import Record
from models.sample_types import kind_of

Apart = Literal["", "quality_control", "duplicate", "not_water"]

TARGETS = {"", "trg", "target"}
"""EQuIS ``result_type_code``: no surrogate SUR, internal standard IS, spike SC or tentatively identified TIC."""
_NO = {"n", "no", "false", "0"}
_LABORATORY = {"lab", "laboratory"}
_WATER_QUALITY_CONTROL = "wq"
_WATER_CODE = re.compile(r"w[a-z]?|gw|sw|dw|ww|aq")
"""EQuIS matrix codes: WG ground, WS surface, WP potable, WW waste water and others all begin with W."""
_WATER_WORD = re.compile(r"water|aqueous|aq\b", re.IGNORECASE)


def apart(one: Record) -> Apart:
    """The table a row belongs to that is no result, ``""`` for a result."""
    return _apart(one.type, one.result_type, one.reportable, one.taken_by, one.matrix)


@lru_cache(maxsize=4096)
def _apart(type: str, result_type: str, reportable: str, taken_by: str, matrix: str) -> Apart:
    kind = kind_of(type)
    medium = matrix.casefold()
    if (
        kind == "quality_control"
        or result_type.casefold() not in TARGETS
        or reportable.casefold() in _NO
        or taken_by.casefold() in _LABORATORY
        or medium == _WATER_QUALITY_CONTROL
    ):
        return "quality_control"
    if medium and not (_WATER_CODE.fullmatch(medium) or _WATER_WORD.search(medium)):
        return "not_water"
    return "duplicate" if kind == "duplicate" else ""
