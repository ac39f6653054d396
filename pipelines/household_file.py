"""Take one property out of ``households.toml``, whole or not at all: its tables, and the comments that are about it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from models.errors import BadSite, EnvironmentFailed
from models.household import FILE as NAME
from models.household import Household, Households, read_households
from models.privacy import private_fields, private_part

_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_BY_HAND = "take the tables out by hand"


def without(text: str, property: str, wells: frozenset[str]) -> str:
    """The file's text without the tables of a property and its wells, and without the comments about them.

    The comment lines right above a table belong to it. Elsewhere a comment line goes that names the property, one of
    its wells, or what nobody else on file has of the household. Every other byte stays.

    Raises
    ------
    BadSite : the text is laid out so that a table, or a comment, cannot be cut out of it alone.
    """
    whole = read_households(text)
    left = "".join(block for block in _blocks(text) if not _is_of(block, property, wells))
    kept = _expected(whole, property, wells)
    if left != text:
        left = _comments_out(left, _only_there(whole, kept), frozenset({property, *wells}))
    if _read(left) != kept:
        raise BadSite(f"{_BY_HAND}: one cannot be cut out alone", file=NAME, key=property)
    return left


def _blocks(text: str) -> list[str]:
    """The head of the file, then each table with the comment lines right above it."""
    starts = [_with_comment(text, found.start()) for found in _TABLE.finditer(text)]
    return [text[start:end] for start, end in pairwise([0, *starts, len(text)])]


def _with_comment(text: str, start: int) -> int:
    """Where the comment above a table begins; the first lines of the file are its own head."""
    lines = text[:start].splitlines(keepends=True)
    above = len(lines)
    while above and lines[above - 1].lstrip().startswith("#"):
        above -= 1
    return start if above == 0 else sum(map(len, lines[:above]))


def _is_of(block: str, property: str, wells: frozenset[str]) -> bool:
    found = _read(block)
    if found is None:  # a part of a table is no file of its own: kept, and the comparison then refuses
        return False
    return any(one.property == property for one in found.household) or any(one.well in wells for one in found.well)


def _read(text: str) -> Households | None:
    try:
        return read_households(text)
    except BadSite:
        return None


def _expected(whole: Households, property: str, wells: frozenset[str]) -> Households:
    return Households(
        household=tuple(one for one in whole.household if one.property != property),
        well=tuple(one for one in whole.well if one.well not in wells),
    )


def _only_there(whole: Households, kept: Households) -> Households:
    """What goes and stands nowhere in what stays: an owner of two properties is still on file."""
    stays = [text for one in kept.household for text in (one.owner, one.occupant, one.phone, one.address, one.hold)]
    gone = [one for one in whole.household if one not in kept.household]
    return Households(
        household=tuple(one.model_copy(update=dict.fromkeys(_still_in(stays, one), "")) for one in gone),
        well=tuple(one for one in whole.well if one not in kept.well),
    )


def _still_in(texts: Sequence[str], home: Household) -> frozenset[str]:
    alone = Households(household=(home,))
    return frozenset(name for text in texts for name in private_fields(text, alone))


def _comments_out(text: str, gone: Households, ids: frozenset[str]) -> str:
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(ids)))})(?![\w-])")
    lines, kept = text.splitlines(keepends=True), []
    for row, line in enumerate(lines, 1):
        whole = line.lstrip().startswith("#")
        told = private_part(line.partition("#")[2], gone) is not None
        if told and not whole:
            raise BadSite(f"{_BY_HAND}: a comment about them stands beside another table", file=NAME, row=row)
        if not whole or not (told or named.search(line)):
            kept.append(line)
    return "".join(kept)


def forget(folder: Path, property: str, wells: frozenset[str]) -> bool:
    """Rewrite the file without a property, and whether it held anything of it.

    The file itself is rewritten, also where its name in the site is a link to it; mode 0600 from the first byte, put
    in place in one step.

    Raises
    ------
    BadSite : the property cannot be cut out of the text, or the file has a second name that would keep it.
    EnvironmentFailed : the file cannot be written.
    """
    path = folder / NAME
    if not path.exists():
        return False
    path = path.resolve()
    if path.stat().st_nlink > 1:
        raise BadSite("has a second name (a hard link) under which it would stay", file=NAME)
    text = path.read_text(encoding="utf-8-sig")
    left = without(text, property, wells)
    if left == text:
        return False
    _put(path, left)
    return True


def _put(path: Path, text: str) -> None:
    beside = path.with_name(f".{NAME}.new")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(0o600)
        beside.replace(path)
    except OSError as caught:
        raise EnvironmentFailed(f"cannot be written: {caught.strerror}", file=NAME) from None
