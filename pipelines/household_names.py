"""Names of delivered files: a household's name or phone in one would go into the log, the digests and the store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from models.errors import BadQuestion, EnvironmentFailed
from models.household import Households
from models.privacy import private_part

LONGEST_ENDING = 8


def concealed(inbox: Path, households: Households) -> list[str]:
    """Give whatever lies in a folder under a name that names a household another one, and a line for each.

    The new name follows from the content, so that a night killed and run again finds the same. The ending stays.

    Raises
    ------
    EnvironmentFailed : one cannot be renamed; its name is not repeated.
    """
    return [_renamed(path, part) for path, part in named(inbox, households)]


def named(inbox: Path, households: Households) -> Iterator[tuple[Path, str]]:
    """What lies in a folder under such a name, and what the name gives away."""
    there = sorted(inbox.iterdir()) if inbox.is_dir() else []
    for path in there:
        if (part := private_part(path.name, households)) is not None:
            yield path, part


def _renamed(path: Path, part: str) -> str:
    try:
        new = path.with_name(_new_name(path))
        path.rename(new)
    except OSError as caught:
        said = f"a file whose name holds a household's {part} cannot be renamed: {caught.strerror}"
        raise EnvironmentFailed(said, file=path.parent.name) from None
    return f"{path.parent.name}/{new.name}: renamed, its name held a household's {part}"


def _new_name(path: Path) -> str:
    if not path.is_file():
        return next(name for n in range(1, 10_000) if not path.with_name(name := f"withheld-folder-{n}").exists())
    with path.open("rb") as file:
        content = hashlib.file_digest(file, "sha256").hexdigest()
    ending = path.suffix.casefold()
    return f"withheld-{content[:12]}{ending if ending[1:].isalnum() and len(ending) <= LONGEST_ENDING else ''}"


def refuse_named(path: Path, households: Households) -> None:
    """Refuse a file of somebody's own folder under such a name: it is not ours to rename.

    Raises
    ------
    BadQuestion : says what the name gives away, not the name.
    """
    if part := private_part(path.name, households):
        raise BadQuestion(
            f"a file's name holds a household's {part} and would be kept for good: rename it", key="PATHS"
        )
