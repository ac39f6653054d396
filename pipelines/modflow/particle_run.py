"""One run of MODPATH 7 (``mp7``) in the folder of a steady run of mf6.

mp7 follows Pollock's method: in a cell each component of the velocity changes in a straight line from side to side.
A path ends where it enters a cell that `models.modflow.weak_cells` stops it in, and passes through every other one that
something draws on: mp7's own rules, to stop in all of those or in none, are not used.
"""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from models.errors import EnvironmentFailed
from models.modflow.numerical import NumericalModel
from models.modflow.particles import Start, Way
from models.modflow.path_ends import Tracks
from models.quantity import Quantity
from pipelines.child_process import die_with_parent
from pipelines.modflow.particle_files import Marks, read_tracks, simulation_of, write_particles
from pipelines.modflow.particle_program import ParticleProgram
from pipelines.modflow.run import FULL_BYTES

SAID = "mp7.out"
NORMAL = "Normal termination"
LONGEST = 200


def follow(
    steady: NumericalModel,
    starts: Sequence[Start],
    way: Way,
    stops: Marks,
    porosity: Quantity,
    folder: Path,
    program: ParticleProgram,
) -> Tracks:
    """The tracks of the particles of one way, in a folder whose flows were handed over.

    Parameters
    ----------
    stops : bool[nlay, nrow, ncol], where a path ends.

    Raises
    ------
    EnvironmentFailed : mp7 fails, the disk is full, or what it wrote is cut; names the folder, which is kept.
    """
    try:
        write_particles(steady, starts, way, stops, porosity, folder)
        _execute(folder, way, program)
        return read_tracks(steady, len(starts), way, folder)
    except OSError as caught:
        raise _failed(folder, caught.strerror or str(caught)) from None
    except (ValueError, KeyError, IndexError, EOFError) as caught:
        raise _failed(folder, f"what mp7 wrote is cut: {caught}") from None


def _failed(folder: Path, why: str) -> EnvironmentFailed:
    return EnvironmentFailed(f"the particles could not be followed: {why}; kept for inspection in {folder}")


def _execute(folder: Path, way: Way, program: ParticleProgram) -> None:
    """mp7 waits for a key where it fails: it is given none."""
    done = subprocess.run(  # noqa: S603
        [program.path, simulation_of(way)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", check=False, preexec_fn=die_with_parent,
    )  # fmt: skip
    (folder / SAID).write_text(done.stdout, encoding="utf-8")
    if done.returncode == 0 and NORMAL in done.stdout:
        return
    if done.returncode < 0:
        raise _failed(folder, f"mp7 was stopped by {signal.Signals(-done.returncode).name}")
    if shutil.disk_usage(folder).free < FULL_BYTES:
        raise _failed(folder, "No space left on device")
    raise _failed(folder, f"mp7 says: {_last_words(done.stdout)}")


def _last_words(said: str) -> str:
    """What it gives as its reason: the last line before it waits for a key, or before Fortran's own trace."""
    lines = [line.strip() for line in re.split(r"Press enter|forrtl", said)[0].splitlines() if line.strip()]
    return lines[-1][:LONGEST] if lines else "nothing"
