"""The lines of a refused file that were not taken, so that a later file can be told to repeat them.

A row number proves nothing: the next month of a logger has the same numbers. A line says the same row again where every
cell but the refused ones is what it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from pipelines import marks, schema
from pipelines.database import storable

MOST_LINES = 2_000
"""A file with more refused rows is not compared line by line: its rejects wait for a person."""
LONGEST_LINE = 2_000

_MARK = "refused_lines:"
_SEPARATOR = re.compile(r"[,;\t]")


def keep(connection: Connection, source_id: int, rows: set[int], lines: Sequence[str]) -> None:
    """Remember the text of the refused rows of a delivery.

    Parameters
    ----------
    rows : from 1, as an editor counts; 0 is the whole file and has no line.
    """
    kept = {row: storable(lines[row - 1]) for row in sorted(rows) if 0 < row <= len(lines)}
    if len(kept) <= MOST_LINES and all(len(line) <= LONGEST_LINE for line in kept.values()):
        marks.put(connection, f"{_MARK}{source_id}", json.dumps(kept))


def repeated(connection: Connection, source_id: int, lines: Sequence[str]) -> set[int]:
    """The refused rows of an earlier delivery that these lines say again, the refused cells aside."""
    kept = json.loads(marks.get(connection, f"{_MARK}{source_id}") or "{}")
    refused = _refused_cells(connection, source_id)
    return {int(row) for row, line in kept.items() if _says_again(line, int(row), lines, refused)}


def _says_again(line: str, row: int, lines: Sequence[str], refused: Mapping[int, set[str]]) -> bool:
    now = storable(lines[row - 1]) if row <= len(lines) else ""
    cells, new = _cells(line), _cells(now)
    free = refused.get(row, set())
    same = [old == other for old, other in zip(cells, new, strict=False) if old not in free]
    return len(cells) == len(new) and bool(same) and all(same)


def _refused_cells(connection: Connection, source_id: int) -> dict[int, set[str]]:
    one = schema.reject.c
    found: dict[int, set[str]] = {}
    for row, raw in connection.execute(select(one.row, one.raw).where(one.source_id == source_id)):
        found.setdefault(int(row), set()).add(_bare(raw))
    return found


def _cells(line: str) -> list[str]:
    return [_bare(cell) for cell in _SEPARATOR.split(line)]


def _bare(cell: str) -> str:
    return cell.strip().strip("\"'").strip()
