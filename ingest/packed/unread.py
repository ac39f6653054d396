"""Sheets and members that no format knows and that hold results all the same: left out loudly, never in passing.

A cover, a legend or a letter has no cell that is the name of a substance beside a number in a cell of its own.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator

from ingest.cells import NUMBER_PATTERN
from ingest.headings import names_substance
from ingest.packed.delivery import Sheet
from models.observation import Reject

REASON = "it names a substance and holds numbers, and no layout knows its head: nothing of it is taken; give it the "
REASON += "head of a known layout, or send it by itself and say by --map what its columns are"
_NUMBER = re.compile(rf"\s*[<>]?\s*(?:{NUMBER_PATTERN})(?:\s+[A-Z]{{1,3}})?\s*")
_LONGEST_LINE = 100_000
"""Of the library no cell may be longer than 131,072."""


def left_out(sheets: Iterable[Sheet]) -> Iterator[Reject]:
    """One reject for each sheet with results in it; it stands for the whole sheet."""
    for one in sheets:
        cells = _cells(one.source.text)
        named = next((cell for cell in cells if names_substance(cell)), "")
        if named and any(map(_NUMBER.fullmatch, cells)):
            yield one.source.reject(0, one.name, named, REASON)


def _cells(text: str) -> list[str]:
    """Every distinct cell, in order."""
    mark = max(",;\t", key=text.count)
    lines = (next(csv.reader([line[:_LONGEST_LINE]], delimiter=mark), []) for line in text.split("\n"))
    return list(dict.fromkeys(cell.strip() for line in lines for cell in line))
