"""Write one page, whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from models.errors import EnvironmentFailed


def write_text(path: Path, text: str) -> str:
    """Write a file beside its place and put it there; what was written, in a line.

    Raises
    ------
    EnvironmentFailed : no such folder.
    """
    if not path.parent.is_dir():
        raise EnvironmentFailed("no such folder to write it in", file=str(path.parent))
    content = text.encode()
    handle, name = tempfile.mkstemp(prefix=".page-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return f"{path}: {len(content) / 1e6:.1f} MB"
