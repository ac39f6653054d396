"""One run of mf6 in a folder of its own. A folder of a run that failed is kept, and its path is said."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from models.errors import BadQuestion, EnvironmentFailed, HeadwaterError
from models.modflow.answer import GateFailed
from models.modflow.gate import SHORTER_STEPS
from models.modflow.numerical import NumericalModel
from models.modflow.outcome import Outcome
from pipelines.child_process import die_with_parent
from pipelines.modflow.program import Program
from pipelines.modflow.read import NORMAL, NOT_CONVERGED, listed, read_outcome
from pipelines.modflow.write import write

SAID = "mf6.out"
LONGEST = 200
FULL_BYTES = 1_000_000
"""Less room than that is none: mf6 does not always say why it stopped."""
REMEDY = f"{SHORTER_STEPS}, --no-newton, or a pit and wells that the layers can give"

Progress = Callable[[str], None]


def run(model: NumericalModel, folder: Path, program: Program, progress: Progress = lambda _: None) -> Outcome:
    """Write, run and read one model in an empty folder.

    Raises
    ------
    EnvironmentFailed : the disk is full, the program cannot be started or was stopped, or what it wrote is cut; names
        the folder, which is kept.
    GateFailed : a step did not converge: which, and the folder.
    BadQuestion : MODFLOW does not take the model; what it says, and the folder.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        progress("writing the model")
        write(model, folder, program)
        _execute(folder, program, len(model.periods), progress)
        return _read(model, folder)
    except OSError as caught:
        raise _failed(folder, caught.strerror or str(caught)) from None


def _read(model: NumericalModel, folder: Path) -> Outcome:
    try:
        return read_outcome(model, folder)
    except (ValueError, KeyError, IndexError, EOFError) as caught:
        raise _failed(folder, f"what mf6 wrote is cut: {caught}") from None


def _failed(folder: Path, why: str) -> EnvironmentFailed:
    return EnvironmentFailed(f"the run could not be finished: {why}; kept for inspection in {folder}")


def _execute(folder: Path, program: Program, periods: int, progress: Progress) -> None:
    with (
        (folder / SAID).open("w", encoding="utf-8") as kept,
        subprocess.Popen(  # noqa: S603
            [program.path], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            preexec_fn=die_with_parent,  # a run nobody waits for would write into the folder of the next
        ) as running,
    ):  # fmt: skip
        said = []
        try:
            for line in running.stdout or ():
                kept.write(line)
                said.append(line.strip())
                if "stress period:" in line.lower() and "time step:     1" in line.lower():
                    progress(f"mf6: period {line.split('period:')[1].split()[0]} of {periods}")
        except BaseException:
            running.kill()
            raise
    if running.returncode != 0 or not any(NORMAL in line for line in said):
        raise _gave_up(folder, running.returncode, said)


def _gave_up(folder: Path, code: int, said: list[str]) -> HeadwaterError:
    """The machine stopped it, or the model has no answer, or mf6 does not take the model."""
    if code < 0:
        return _failed(folder, f"mf6 was stopped by {signal.Signals(-code).name}")
    if shutil.disk_usage(folder).free < FULL_BYTES:
        return _failed(folder, "No space left on device")
    kept = f"kept for inspection in {folder}"
    step = next((line for line in listed(folder) if NOT_CONVERGED in line), None)
    if step is not None:
        return GateFailed(f"no figure leaves: convergence: {step} (remedy: {REMEDY}); {kept}", key="gate")
    return BadQuestion(f"mf6 does not take the model: {_last_words(said)}; {kept}")


def _last_words(said: list[str]) -> str:
    """What mf6 gives as its reason."""
    begins = next((k for k, line in enumerate(said) if line.startswith("ERROR REPORT")), len(said) - 4)
    return " ".join(line for line in said[max(begins, 0) + 1 :] if line)[:LONGEST] or "it says nothing"
