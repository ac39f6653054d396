"""The files of a site read and written as a person's editor would: line ends, mark and mode stay, each whole or not."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from models.errors import EnvironmentFailed
from models.household import FILE as HOUSEHOLDS
from pipelines.site_folder import open_site

PRIVATE, OPEN = 0o600, 0o644
_MARK = "\ufeff"


def read_text(path: Path) -> str:
    """A file with every line end as ``\\n`` and without a byte order mark; empty where there is none.

    Raises
    ------
    EnvironmentFailed : it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig") if path.exists() else ""
    except OSError as caught:
        raise EnvironmentFailed(f"cannot be read: {caught.strerror}", file=path.name) from None


def checked(texts: Mapping[str, str]) -> None:
    """Read the new files as the night will, before any of them is put in place.

    Raises
    ------
    BadSite, BadLaw : the first fault.
    """
    with tempfile.TemporaryDirectory(prefix="headwater-init-") as folder:
        for name, text in texts.items():
            if text or name != HOUSEHOLDS:
                _write(Path(folder) / name, text.encode(), PRIVATE)
        open_site(Path(folder))


def put(directory: Path, texts: Mapping[str, str]) -> list[str]:
    """Write the files that change, the private one first; which they were.

    Raises
    ------
    EnvironmentFailed : one cannot be written.
    """
    changed = [
        name for name in sorted(texts, key=lambda one: one != HOUSEHOLDS) if _changes(directory / name, texts[name])
    ]
    for name in changed:
        path = (directory / name).resolve()
        mode = PRIVATE if name == HOUSEHOLDS else path.stat().st_mode & 0o777 if path.exists() else OPEN
        try:
            beside = path.with_name(f".{name}.new")
            _write(beside, _as_before(path, texts[name]), mode)
            beside.replace(path)
        except OSError as caught:
            raise EnvironmentFailed(f"cannot be written: {caught.strerror}", file=name) from None
    return [str(directory / name) for name in texts if name in changed]


def _changes(path: Path, text: str) -> bool:
    return read_text(path) != text or not path.exists()


def _as_before(path: Path, text: str) -> bytes:
    """The text with the line ends and the mark that the file had."""
    before = path.read_bytes().decode("utf-8") if path.exists() else ""
    lines = text.replace("\n", "\r\n") if "\r\n" in before else text
    return ((_MARK if before.startswith(_MARK) else "") + lines).encode()


def _write(path: Path, content: bytes, mode: int) -> None:
    """A file of that mode from its first byte, on disk before anything points to it."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    path.chmod(mode)
