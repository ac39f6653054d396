"""The one table style of the terminal and of plain-text mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def one_line(text: str) -> str:
    """Text of a file or a name as one line: what could forge a second, turn the reading direction or drive a terminal
    is a blank."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)


def text_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], *, width: int = 60) -> str:
    """Rows as aligned text, a header and a rule above; long cells are cut with an ellipsis.

    Parameters
    ----------
    rows : plain data; an absent or None cell prints empty.
    columns : keys to show, in order; the header is the key with blanks for underscores.
    width : longest cell.
    """
    cells = [[_cell(row.get(name), width) for name in columns] for row in rows]
    heads = [name.replace("_", " ") for name in columns]
    widths = [max(len(line[k]) for line in [heads, *cells]) for k in range(len(columns))]
    lines = [heads, ["-" * size for size in widths], *cells]
    return "\n".join(
        "  ".join(text.ljust(size) for text, size in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _cell(value: Any, width: int) -> str:
    text = "" if value is None else "yes" if value is True else "no" if value is False else str(value)
    flat = one_line(text)
    return flat if len(flat) <= width else flat[: width - 1] + "…"
