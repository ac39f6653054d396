"""The last door: whatever field it came by, no household's name, phone or address leaves in the appendix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reports.annual.table import Cell, Plain, Table

WITHHELD = "[withheld: household]"
SHORTEST = 4  # a shorter text, like a house number, would blot out numbers and words that are nobody's


class Withhold:
    """Blots out private texts, whatever their case and spacing.

    Parameters
    ----------
    private : texts that must not appear; those under four characters are left alone.
    """

    def __init__(self, private: Sequence[str]) -> None:
        words = sorted({text.strip() for text in private if len(text.strip()) >= SHORTEST}, key=len, reverse=True)
        spaced = (r"\s+".join(map(re.escape, one.split())) for one in words)
        self._found = re.compile("|".join(spaced), re.IGNORECASE) if words else None

    def text(self, text: str) -> str:
        return self._found.sub(WITHHELD, text) if self._found else text

    def table(self, table: Table) -> Table:
        """The table with private texts blotted out of every text cell and note."""
        rows = [tuple(self._cell(item) for item in row) for row in table.rows]
        return replace(table, rows=rows, notes=tuple(map(self.text, table.notes)))

    def _cell(self, item: Plain | Cell) -> Plain | Cell:
        if isinstance(item, Cell):
            value = self.text(item.value) if isinstance(item.value, str) else item.value
            return replace(item, value=value, shown=self.text(item.shown))
        return self.text(item) if isinstance(item, str) else item
