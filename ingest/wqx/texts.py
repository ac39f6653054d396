"""What the texts beside a result say: that its sample is quality control, a duplicate, or that it is taken back.

Exports of the Wisconsin DNR have no column of a sample's type, so that a description, a field number or a comment is
the only sign. What a text says for certain is taken at its word; what it only may say leaves the result in doubt, which
is told with the text and drops nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ingest.cells import clipped
from models.qualifiers import DOUBTED_IN_TEXT, REJECTED_IN_TEXT, rejection_in
from models.sample_types import DESCRIBED, described_as, kind_by_name, kind_of, mentions_control, type_or_doubt

_SET_APART = {"quality_control", "duplicate"}


class Texts(NamedTuple):
    """Texts of a row: further ``numbers`` of its sample, what ``describes`` it, comments ``on_sample`` and result."""

    numbers: tuple[str, ...] = ()
    describes: tuple[str, ...] = ()
    on_sample: tuple[str, ...] = ()
    on_result: tuple[str, ...] = ()


NONE = Texts()


class Told(NamedTuple):
    """The type of a sample as stated, described or in doubt; the ``mark`` that its texts make, and which one does."""

    type: str
    mark: str = ""
    text: str = ""


def told(type: str, sample: str, station: str, texts: Texts) -> Told:
    """What a row is, by its type, its numbers and every text beside it.

    A stated type stands; a text that contradicts it leaves the result in doubt.
    """
    if texts == NONE or kind_of(type) != "water":
        return Told(type_or_doubt(type, sample, station))
    said = _said(texts)
    if said.clear and not type:
        return Told(DESCRIBED + clipped(said.clear))
    doubts = (type_or_doubt(type, name, station) for name in (sample, *said.names))
    found = next((one for one in doubts if one != type), type)
    if said.back:
        return Told(found, REJECTED_IN_TEXT, clipped(said.back))
    twice = (one for one in said.names if kind_by_name(one, station) == "duplicate")
    text = said.clear or said.open or next(twice, "")
    return Told(found, DOUBTED_IN_TEXT if text else "", clipped(text))


class _Said(NamedTuple):
    """Of some texts the first that describes a control or a duplicate, takes back, or leaves open; and the names."""

    clear: str
    back: str
    open: str
    names: tuple[str, ...]


@lru_cache(maxsize=16384)
def _said(texts: Texts) -> _Said:
    comments = (*texts.on_result, *texts.on_sample, *texts.describes)
    return _Said(
        _described(texts),
        next((one for one in comments if rejection_in(one) == "rejected"), ""),
        next((one for one in comments if mentions_control(one) or rejection_in(one)), ""),
        (*texts.numbers, *(one for one in texts.describes if " " not in one)),
    )


def _described(texts: Texts) -> str:
    """The first text that says of the sample for certain that it is quality control or a duplicate."""
    said = [one for one in (*texts.describes, *texts.numbers) if described_as(one) in _SET_APART]
    said += [one for one in texts.on_sample if described_as(one, phrase=True) in _SET_APART]
    return next(iter(said), "")
