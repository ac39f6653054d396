"""Which rows of a deliverable are no results of the water of a place: quality control, duplicates, other media.

Whatever a table calls its columns, and however many of them speak of a sample (its type beside its class, the matrix of
the sampler beside the laboratory's), the one that sets a row apart decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Literal

from ingest.cells import BadCell
from ingest.headings import plain_name
from ingest.laboratory.headings import DECIDING, QC_FLAGS, RESULT_TYPES, Record
from models.sample_types import kind_of, medium_of, named_control, not_groundwater

Apart = Literal["", "quality_control", "duplicate", "not_water"]

TARGETS = {"", "trg", "target", "tgt", "actual", "calculated", "estimated", "final", "measured"}
"""EQuIS ``result_type_code`` TRG, and EPA WQX's words for a result that is one."""
NO_TARGETS = {
    "sur", "surr", "surrogate", "is", "istd", "internal standard", "sc", "spk", "spike", "spiked", "tic",
    "tentatively identified compound", "non-target", "nontarget",
}  # fmt: skip
"""EQuIS: surrogate SUR, internal standard IS, spiked compound SC, tentatively identified compound TIC."""
FIRST_TEST = "INITIAL"
_FIRST_TESTS = {"", "initial", "init", "original", "primary", "first", "na", "n/a", "none"}
"""EQuIS ``test_type`` of the first analysis of a sample."""
YES = {"", "y", "yes", "true", "t", "1"}
NO = {"n", "no", "false", "f", "0"}
_LABORATORY = {"lab", "laboratory"}
_ORDER = {"quality_control": 0, "not_water": 1, "duplicate": 2}


def apart(one: Record) -> Apart:
    """The table a row belongs to that is no result, ``""`` for a result.

    A row without a type whose sample or place is named for quality control is that.
    """
    found = _apart(one.type, one.result_type, one.reportable, one.taken_by, one.matrix)
    named = not (found or one.type) and (named_control(one.sample) or named_control(one.station))
    return "quality_control" if named else found


def further_test(one: Record) -> str:
    """What a further analysis of a sample adds to the name of its series, ``""`` for the first."""
    return "" if one.test.casefold() in _FIRST_TESTS else f":{plain_name(one.test)}"


def refuse_unclear(one: Record) -> None:
    """Refuse a result of which a cell that would set it apart is not understood.

    Raises
    ------
    BadCell : whose ``column`` is the field at fault.
    """
    if one.reportable and one.reportable.casefold() not in YES:
        raise BadCell("neither Yes nor No: nobody knows whether this is the result", "reportable")
    if one.result_type and one.result_type.casefold() not in TARGETS:
        raise BadCell("not known as a kind of result: TRG is one of the analysis", "result_type")


@lru_cache(maxsize=4096)
def said_in(column: str, cell: str) -> str:
    """A cell of a column that decides; of one that asks only whether a sample is of quality control, the type."""
    if plain_name(column) in RESULT_TYPES:
        return cell if cell.casefold() in NO_TARGETS else ""
    if plain_name(column) not in QC_FLAGS:
        return cell
    answer = cell.casefold()
    return "" if answer in NO else "QC" if answer and answer in YES else cell


def strictest(one: Record, cells: Mapping[str, Iterable[str]]) -> Record:
    """The record with that of several cells on one thing that sets it apart, else one that is not understood.

    Parameters
    ----------
    cells : by field, what further columns say of it.
    """
    chosen = {field: _strictest(field, (getattr(one, field), *texts)) for field, texts in cells.items()}
    return one._replace(**chosen) if any(getattr(one, field) != text for field, text in chosen.items()) else one


@lru_cache(maxsize=4096)
def _strictest(field: str, texts: tuple[str, ...]) -> str:
    return min(texts, key=lambda text: _rank(field, text))


@lru_cache(maxsize=4096)
def _rank(field: str, text: str) -> tuple[int, bool]:
    found = _apart(**{**dict.fromkeys(DECIDING, ""), field: text})
    if found:
        return _ORDER[found], False
    plain = _understood(field, text) and not (field == "matrix" and not_groundwater(text))
    return 4 if plain else 3, not text


def _understood(field: str, text: str) -> bool:
    if field == "type":
        return kind_of(text) != "unknown"
    known = {"reportable": YES, "result_type": TARGETS}.get(field)
    return known is None or text.casefold() in known


@lru_cache(maxsize=4096)
def _apart(type: str, result_type: str, reportable: str, taken_by: str, matrix: str) -> Apart:
    kind, medium = kind_of(type), medium_of(matrix)
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
