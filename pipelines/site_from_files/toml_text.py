"""Values and comments as TOML text: whatever a file says, it can end no string, no line and no comment."""

from __future__ import annotations

from collections.abc import Sequence

from reports.text_table import one_line

LONGEST = 200
"""Of a file's own words in a comment."""
_ON_A_LINE = 8
Corner = tuple[float, float]


def quoted(text: str) -> str:
    """A basic string of one line."""
    return '"' + one_line(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def words(text: str) -> str:
    """A file's own words for a comment, on one line and not without end."""
    flat = " ".join(one_line(text).split())
    return flat if len(flat) <= LONGEST else flat[: LONGEST - 1] + "…"


def point(at: Corner) -> str:
    """``[195562.81, 152730.48]``: a hundredth of a foot is finer than any survey of a well."""
    return f"[{at[0]:.2f}, {at[1]:.2f}]"


def ring(corners: Sequence[Corner]) -> str:
    """An outline; a long one over several lines."""
    told = [point(one) for one in corners]
    if len(told) <= _ON_A_LINE:
        return f"[{', '.join(told)}]"
    lines = [", ".join(told[start : start + _ON_A_LINE]) for start in range(0, len(told), _ON_A_LINE)]
    return "[\n    " + ",\n    ".join(lines) + ",\n]"


def commented(lines: Sequence[str]) -> list[str]:
    """Lines that are not in force."""
    return [f"# {line}" if line else "#" for line in lines]
