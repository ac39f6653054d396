"""Move a file that was read out of the way: it is here or there, wherever the program is killed."""

from __future__ import annotations

import errno
import hashlib
import shutil
from pathlib import Path

_LONGEST_NAME = 60


def move(path: Path, folder: Path) -> None:
    """By one rename: it is here or there, wherever the program is killed. A name already taken there gets the start of
    the content's hash; under that, what stands there is the same file.
    """
    folder.mkdir(exist_ok=True)
    target = folder / path.name
    if target.exists():
        target = folder / f"{identity(path)[0][:12]}-{path.name[-_LONGEST_NAME:]}"
    try:
        path.replace(target)
    except OSError as caught:
        if caught.errno != errno.EXDEV:
            raise
        _carry(path, target)


def _carry(path: Path, target: Path) -> None:
    """To another disk: whole under its name or not there; a kill before the last step leaves both, and it is known."""
    part = target.with_name(f".{target.name}.part")
    shutil.copy2(path, part)
    part.replace(target)
    path.unlink()


def identity(path: Path) -> tuple[str, int]:
    """Content hash and size, without holding the file in memory."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size
