"""Add blocks to the text of a site file: nothing a person wrote is changed, and what stands there already is not added.

The only lines that are ever replaced are lines of our own making, and only while they are letter for letter as made:
the boundary of the skeleton, and comments that said something was missing that is now there.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from importlib.resources import files

from pipelines.site_from_files.blocks import Block

MISSING_BOUNDARY = (
    "# missing: the boundary of the whole mine site, of the permit's plat or the county's land records; the next line "
    "is still the example. `headwater init DIR --from OUTLINE` puts a GeoJSON or a shapefile in its place."
)


def example_boundary() -> str:
    """The line of the skeleton that holds the boundary of the example."""
    text = (files("pipelines") / "skeleton" / "site.toml").read_text(encoding="utf-8")
    return next(line for line in text.split("\n") if line.startswith("boundary = "))


def is_example(text: str) -> bool:
    """Whether the boundary is still that of the skeleton."""
    return example_boundary() in text.split("\n")


def with_boundary(text: str, block: Block) -> str:
    """The text with a boundary for that of the skeleton."""
    lines = [line for line in text.split("\n") if line != MISSING_BOUNDARY]
    place = lines.index(example_boundary())
    return "\n".join([*lines[:place], *block.lines, *lines[place + 1 :]])


def boundary_missing(text: str) -> str:
    """The text with a word above the boundary of the skeleton."""
    lines = text.split("\n")
    if MISSING_BOUNDARY in lines:
        return text
    place = lines.index(example_boundary())
    return "\n".join([*lines[:place], MISSING_BOUNDARY, *lines[place:]])


def without(text: str, stale: Iterable[str]) -> str:
    """The text without blocks that we once added and that no longer hold, where nobody has touched them."""
    lines = text.split("\n")
    there = set(lines)
    for block in stale:
        gone = block.split("\n")
        if gone[0] in there and gone[0] in lines:
            place = lines.index(gone[0])
            if lines[place : place + len(gone)] == gone:
                blank = place and place + len(gone) < len(lines) and not lines[place - 1]
                blank = blank and not lines[place + len(gone)]
                del lines[place : place + len(gone) + bool(blank)]
    return "\n".join(lines)


def with_blocks(text: str, blocks: Sequence[Block]) -> str:
    """The text with every block behind it of which the first line does not stand in it."""
    there = set(text.split("\n"))
    new = [one for one in blocks if one.lines[0] not in there]
    if not new:
        return text
    parts = [text.rstrip("\n")]
    for before, one in zip([None, *new], new, strict=False):
        joined = before is not None and len(before.lines) == len(one.lines) == 1
        parts.append(("\n" if joined else "\n\n") + one.text)
    return "".join(parts) + "\n"


def difference(before: str, after: str, name: str) -> str:
    """What would change, as a unified diff; empty where nothing would."""
    found = difflib.unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="")
    return "\n".join(found)
