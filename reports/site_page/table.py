"""Tables of the page: text cells, each with an optional tone that only repeats what the text says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

Tone = Literal["", "alert", "doubt", "calm", "faint", "number", "brief"]


@dataclass(frozen=True)
class Cell:
    """Text, and how it is toned."""

    text: str
    tone: Tone = ""


@dataclass(frozen=True)
class Table:
    """A captioned table; ``empty`` stands in its place when there is no row."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str = "None."

    @property
    def broad(self) -> bool:
        """Whether it needs more room than a phone has."""
        return len(self.columns) > 5

    def tone_of(self, column: int) -> Tone:
        """How a column's head is set: as the numbers below it."""
        return "number" if all(one[column].tone == "number" or not one[column].text for one in self.rows) else ""


def row(*cells: object) -> list[Cell]:
    """Cells from texts and cells; numbers are set as numbers, days are not broken, None is blank."""
    return [_cell(one) for one in cells]


def _cell(one: object) -> Cell:
    if isinstance(one, Cell):
        return one
    tone: Tone = "number" if isinstance(one, int | float) else "brief" if isinstance(one, date) else ""
    return Cell("" if one is None else str(one), tone)
