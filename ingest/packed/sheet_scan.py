"""What a spreadsheet library does not tell of a sheet: formulas never computed, merged cells, what is out of order or
hidden.

A program that writes a workbook without computing it leaves a formula and no value (ECMA-376 part 1, 18.3.1.4 and
18.3.1.40): read for its value the cell is empty, and a depth or a result would be missing without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

CHUNK = 2**20
LONGEST_CELL = 2**20

_FORMULA = re.compile(rb"<(?:\w+:)?f(?:\s[^>]*)?(?:/>|>([^<]*))")
_VALUE = re.compile(rb"<(?:\w+:)?v(?:\s[^>]*)?>[^<]|<(?:\w+:)?is\b")
_EMPTY_TEXT = re.compile(rb'\bt\s*=\s*["\']str["\'].*<(?:\w+:)?v', re.DOTALL)
_CELL = re.compile(rb"<(?:\w+:)?c\s")
_PLACE = re.compile(rb'\br\s*=\s*["\']([A-Z]{1,3})([0-9]{1,7})["\']')
_ROW = re.compile(rb'<(?:\w+:)?row\s[^>]*?\br\s*=\s*["\']([0-9]{1,7})["\']')
_HIDDEN = rb'(?=[^>]*\bhidden\s*=\s*["\'](?:1|true)["\'])'
_HIDDEN_ROW = re.compile(rb"<(?:\w+:)?row\s" + _HIDDEN + rb'[^>]*?\br\s*=\s*["\']([0-9]{1,7})["\']')
_HIDDEN_COLUMNS = re.compile(rb"<(?:\w+:)?col\s" + _HIDDEN + rb'[^>]*?\bmin\s*=\s*["\']([0-9]{1,5})["\']')
_FAR = re.compile(rb'<(?:\w+:)?c\s[^>]*?\br\s*=\s*["\'](?:[A-Z]{3}|[S-Z][A-Z])[0-9]')
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?\bref\s*=\s*["\']([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})')


@dataclass(frozen=True)
class Merged:
    """Cells shown as one: only the first holds a value."""

    text: str
    first: int
    last: int
    columns: bool


@dataclass(frozen=True)
class Scan:
    """Formulas without a value by row (cell address and formula), and merged cells.

    ``wide``: cells beyond column ``SR`` (512); ``beyond``: the first of them that holds something; ``disordered``: rows
    that do not come in their order; ``hidden``: rows that nobody sees, ``hidden_columns``: the first of each range.
    """

    unstored: dict[int, tuple[str, str]]
    merged: tuple[Merged, ...]
    wide: bool
    beyond: str
    disordered: bool
    hidden: frozenset[int] = frozenset()
    hidden_columns: tuple[int, ...] = ()


def scan(sheet: IO[bytes]) -> Scan:
    """Look through the XML of one sheet."""
    unstored: dict[int, tuple[str, str]] = {}
    merged: list[Merged] = []
    hidden: set[int] = set()
    columns: list[int] = []
    wide, beyond, rows, disordered = False, "", 0, False
    for piece in _pieces(sheet):
        for row in map(int, _ROW.findall(piece)):
            disordered, rows = disordered or row <= rows, row
        hidden.update(map(int, _HIDDEN_ROW.findall(piece)))
        columns += map(int, _HIDDEN_COLUMNS.findall(piece))
        merged += [_merged(*found) for found in _MERGED.findall(piece)]
        if _FAR.search(piece):
            wide, beyond = True, beyond or _beyond(piece)
        for place, formula in _unstored(piece):
            unstored.setdefault(int(place[1]), (b"".join(place).decode(), formula.decode("utf-8", "replace")))
    return Scan(unstored, tuple(merged), wide, beyond, disordered, frozenset(hidden), tuple(columns))


def _pieces(sheet: IO[bytes]) -> Iterator[bytes]:
    """The text in whole cells: each piece ends behind a cell, or before one where many cells are empty."""
    rest = b""
    while chunk := sheet.read(CHUNK):
        rest += chunk
        cut = max(rest.rfind(b"</c>"), rest.rfind(b":c>")) + 4
        if cut < 4:
            cut = rest.rfind(b"<c ") if len(rest) > LONGEST_CELL else 0
        if cut > 0:
            yield rest[:cut]
            rest = rest[cut:]
    yield rest


def _unstored(piece: bytes) -> Iterator[tuple[tuple[bytes, bytes], bytes]]:
    if b"f" not in piece or _FORMULA.search(piece) is None:
        return
    for cell in _CELL.split(piece)[1:]:
        formula = _FORMULA.search(cell)
        if formula is None or _VALUE.search(cell) or _EMPTY_TEXT.search(cell):
            continue
        if place := _PLACE.search(cell):
            yield (place[1], place[2]), b"=" + (formula[1] or b"")


def _beyond(piece: bytes) -> str:
    cells = (b"<c " + cell for cell in _CELL.split(piece)[1:])
    found = next((_PLACE.search(cell) for cell in cells if _FAR.match(cell) and _VALUE.search(cell)), None)
    return "" if found is None else (found[1] + found[2]).decode()


def _merged(left: bytes, top: bytes, right: bytes, bottom: bytes) -> Merged:
    text = f"{left.decode()}{int(top)}:{right.decode()}{int(bottom)}"
    return Merged(text, int(top), int(bottom), left != right)
