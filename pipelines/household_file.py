"""Take one property out of ``households.toml``, whole or not at all."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path

from models.errors import BadQuestion, BadSite, EnvironmentFailed
from models.household import Households
from models.toml_file import read_noun

NAME = "households.toml"
_TABLE = re.compile(r"^\s*\[", re.MULTILINE)


def without(text: str, property: str, wells: frozenset[str]) -> str:
    """The file's text without the tables of a property and its wells; every other byte stays.

    Raises
    ------
    BadSite : the text is laid out so that a table cannot be cut out of it alone.
    """
    starts = [found.start() for found in _TABLE.finditer(text)]
    blocks = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    kept = [block for block in blocks if not _is_of(block, property, wells)]
    left = text[: starts[0] if starts else len(text)] + "".join(kept)
    if _noun(left) != _expected(_noun(text), property, wells):
        raise BadSite("take the tables out by hand: one cannot be cut out alone", file=NAME, key=property)
    return left


def _is_of(block: str, property: str, wells: frozenset[str]) -> bool:
    try:
        found = _noun(block)
    except BadSite:  # a part of a table is no file of its own: kept, and the comparison below then refuses
        return False
    return any(one.property == property for one in found.household) or any(one.well in wells for one in found.well)


def _noun(text: str) -> Households:
    return read_noun(Households, text, file=NAME, error=BadSite)


def _expected(whole: Households, property: str, wells: frozenset[str]) -> Households:
    return Households(
        household=tuple(one for one in whole.household if one.property != property),
        well=tuple(one for one in whole.well if one.well not in wells),
    )


def forget(folder: Path, property: str, wells: frozenset[str]) -> None:
    """Rewrite the file without a property; mode 0600 from the first byte, put in place in one step.

    Raises
    ------
    BadQuestion : the file holds nothing of the property.
    EnvironmentFailed : the file cannot be written.
    """
    path = folder / NAME
    text = path.read_text(encoding="utf-8-sig")
    left = without(text, property, wells)
    if left == text:
        raise BadQuestion("households.toml holds nothing of this property", key="PROPERTY", found=property)
    beside = folder / f".{NAME}.new"
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(left)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as caught:
        raise EnvironmentFailed(f"cannot be written: {caught.strerror}", file=NAME) from None
