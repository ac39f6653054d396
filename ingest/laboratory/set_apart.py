"""Which rows of a deliverable are no results of the water of a place: quality control, duplicates, other media.

Whatever a table calls its columns, and however many of them speak of a sample (its type beside its class, the matrix of
the sampler beside the laboratory's), the one that sets a row apart decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

from ingest.cells import BadCell
from ingest.laboratory.headings import Record
from models.sample_types import kind_of

Apart = Literal["", "quality_control", "duplicate", "not_water"]

TARGETS = {"", "trg", "target", "tgt", "actual", "calculated", "estimated", "final", "measured"}
"""EQuIS ``result_type_code`` TRG, and EPA WQX's words for a result that is one."""
NO_TARGETS = {
    "sur", "surr", "surrogate", "is", "istd", "internal standard", "sc", "spk", "spike", "spiked", "tic",
    "tentatively identified compound", "non-target", "nontarget",
}  # fmt: skip
"""EQuIS: surrogate SUR, internal standard IS, spiked compound SC, tentatively identified compound TIC."""
YES = {"", "y", "yes", "true", "t", "1"}
NO = {"n", "no", "false", "f", "0"}
_LABORATORY = {"lab", "laboratory"}
_CONTROL_CODES = {"wq", "wh"}
"""EQuIS: water for quality-control samples, water that equipment was washed with."""
_OTHER_CODES = {"wl", "wc"}
"""EQuIS: leachate, drilling water."""
_WATER_CODE = re.compile(r"w[a-z]?|gw|sw|dw|ww|aq|liquids?")
"""EQuIS matrix codes: WG ground, WS surface, WP potable, WW waste water and others all begin with W."""
_WATER_WORD = re.compile(r"\w*water\b|aqueous\b|aq\b", re.IGNORECASE)
_CONTROL_MEDIUM = {
    "qc", "qa", "blank", "blanks", "spike", "reagent", "deionized", "deionised", "di", "distilled", "ultrapure",
    "laboratory", "lab", "trip", "rinse", "rinsate", "wash", "control", "calibration",
}  # fmt: skip
_OTHER_MEDIUM = {
    "soil", "soils", "sediment", "sediments", "sludge", "solid", "solids", "leachate", "leachates", "tclp", "splp",
    "extract", "elutriate", "oil", "product", "napl", "lnapl", "dnapl", "non", "nonaqueous", "organic", "air", "gas",
    "vapor", "vapour", "tissue", "wipe", "paint", "rock", "core", "cuttings", "waste", "biota", "dust", "ash", "concrete",
}  # fmt: skip
_WORD = re.compile(r"[a-z]+")
_NAMED_CONTROL = re.compile(
    r"\b(?:method|trip|field|equip(?:ment)?|rinsate|rinse|lab(?:oratory)?|instrument|reagent|prep(?:aration)?|storage"
    r"|temperature|cooler|filter|calibration|source water)[ ._-]*(?:blanks?|blk)\b"
    r"|\b(?:msd|lcsd?|ms/msd|ccv|ccb|icv|icb)\b|\bmatrix[ ._-]+spikes?\b|\blab(?:oratory)?[ ._-]+control\b|\brinsates?\b",
    re.IGNORECASE,
)
"""Names that no well has; codes that a well may have (MB-1, EB-2) are not among them."""


def apart(one: Record) -> Apart:
    """The table a row belongs to that is no result, ``""`` for a result."""
    found = _apart(one.type, one.result_type, one.reportable, one.taken_by, one.matrix)
    return "quality_control" if not (found or one.type) and is_named_control(one) else found


def is_named_control(one: Record) -> bool:
    """Whether sample or place have the name of a quality-control sample (``Trip Blank``, ``B05 MSD``)."""
    return _named_control(one.sample) or _named_control(one.station)


def refuse_unclear(one: Record) -> None:
    """Refuse a result of which a column that would set it apart says nothing that is understood.

    Raises
    ------
    BadCell : neither reportable nor not, or of a kind of result that is not known.
    """
    if one.reportable and one.reportable.casefold() not in YES:
        raise BadCell("neither Yes nor No: it is not known whether this is the result", "reportable")
    if one.result_type and one.result_type.casefold() not in TARGETS:
        raise BadCell("not known as a kind of result: TRG is one of the analysis", "result_type")


def strictest(one: Record, cells: Mapping[str, Iterable[str]]) -> Record:
    """A record with that of several cells on one thing that sets it apart.

    Parameters
    ----------
    cells : by field, what further columns say of it.
    """
    for field, texts in cells.items():
        one = one._replace(**{field: min((getattr(one, field), *texts), key=lambda text: _rank(field, text))})
    return one


@lru_cache(maxsize=4096)
def _rank(field: str, text: str) -> tuple[int, bool]:
    """Sorts what sets apart first, then what is not understood; a blank says least of all."""
    found = _apart(**{**dict.fromkeys(_FIELDS, ""), field: text})
    unclear = {
        "type": kind_of(text) == "unknown",
        "reportable": text.casefold() not in YES,
        "result_type": text.casefold() not in TARGETS,
    }.get(field, False)
    return _ORDER[found] if found else 3 if unclear else 4, not text


_FIELDS = ("type", "result_type", "reportable", "taken_by", "matrix")
"""Fields that set a row apart: the table of columns of every reader must know them."""
_ORDER = {"quality_control": 0, "not_water": 1, "duplicate": 2}


@lru_cache(maxsize=4096)
def _apart(type: str, result_type: str, reportable: str, taken_by: str, matrix: str) -> Apart:
    kind = kind_of(type)
    medium = medium_of(matrix)
    if (
        kind == "quality_control"
        or result_type.casefold() in NO_TARGETS
        or reportable.casefold() in NO
        or taken_by.casefold() in _LABORATORY
        or medium == "quality_control"
    ):
        return "quality_control"
    if medium == "not_water":
        return "not_water"
    return "duplicate" if kind == "duplicate" else ""


@lru_cache(maxsize=4096)
def medium_of(matrix: str) -> Literal["", "quality_control", "not_water"]:
    """What was sampled, by its EQuIS code or in words: ``""`` for water of a place, and where nothing is said."""
    text = matrix.casefold()
    words = set(_WORD.findall(text))
    if text in _CONTROL_CODES or (words & _CONTROL_MEDIUM and not words & _OTHER_MEDIUM):
        return "quality_control"
    is_water = not text or (text not in _OTHER_CODES and bool(_WATER_CODE.fullmatch(text) or _WATER_WORD.search(text)))
    return "" if is_water and not words & (_OTHER_MEDIUM - {"waste"}) else "not_water"


@lru_cache(maxsize=65536)
def _named_control(name: str) -> bool:
    return _NAMED_CONTROL.search(name) is not None
