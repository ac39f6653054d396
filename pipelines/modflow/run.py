"""One run of mf6 in a folder of its own. A folder of a run that failed is kept, and its path is said."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import sleep

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
STEP = "Stress period:"
PAUSE_S = 0.01
"""Between two looks at whether mf6 has ended."""
LONGEST = 200
FULL_BYTES = 1_000_000
"""Less room than that is none: mf6 does not always say why it stopped."""
REMEDY = f"{SHORTER_STEPS}, --no-newton, or a pit and wells that the layers can give"


@dataclass
class Running:
    """One model that mf6 is at work on in a folder of its own."""

    model: NumericalModel
    folder: Path
    process: subprocess.Popen[bytes]

    def ended(self) -> bool:
        """Whether it has; it does not wait."""
        return self.process.poll() is not None

    @property
    def says(self) -> str:
        """How far it has come."""
        begun = [line for line in _said(self.folder) if STEP in line]
        period = begun[-1].split(STEP)[1].split()[0] if begun else "1"
        return f"mf6: period {period} of {len(self.model.periods)}"

    def outcome(self) -> Outcome:
        """What it gave; waits for it.

        Raises
        ------
        EnvironmentFailed, GateFailed, BadQuestion : as `run`.
        """
        code, said = self.process.wait(), _said(self.folder)
        if code != 0 or not any(NORMAL in line for line in said):
            raise _gave_up(self.folder, code, said)
        try:
            return _read(self.model, self.folder)
        except OSError as caught:
            raise _failed(self.folder, caught.strerror or str(caught)) from None

    def stop(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()


def run(
    model: NumericalModel, folder: Path, program: Program, progress: Callable[[str], None] = lambda _: None
) -> Outcome:
    """Write, run and read one model in an empty folder.

    Raises
    ------
    EnvironmentFailed : the disk is full, the program cannot be started or was stopped, or what it wrote is cut; names
        the folder, which is kept.
    GateFailed : a step did not converge: which, and the folder.
    BadQuestion : MODFLOW does not take the model; what it says, and the folder.
    """
    running = started(model, folder, program)
    try:
        while not running.ended():
            progress(running.says)
            sleep(PAUSE_S)
        return running.outcome()
    except BaseException:
        running.stop()
        raise


def started(model: NumericalModel, folder: Path, program: Program) -> Running:
    """Write a model into an empty folder, and have mf6 begin.

    Raises
    ------
    EnvironmentFailed : the disk is full, or the program cannot be started; names the folder, which is kept.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write(model, folder, program)
        with (folder / SAID).open("wb") as said:
            process = subprocess.Popen(  # noqa: S603
                [program.path], cwd=folder, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
                preexec_fn=die_with_parent,  # a run nobody waits for would write into the folder of the next
            )  # fmt: skip
    except OSError as caught:
        raise _failed(folder, caught.strerror or str(caught)) from None
    return Running(model, folder, process)


def _said(folder: Path) -> list[str]:
    text = (folder / SAID).read_text(encoding="utf-8", errors="replace")
    return [line.strip() for line in text.splitlines()]


def _read(model: NumericalModel, folder: Path) -> Outcome:
    try:
        return read_outcome(model, folder)
    except (ValueError, KeyError, IndexError, EOFError) as caught:
        raise _failed(folder, f"what mf6 wrote is cut: {caught}") from None


def _failed(folder: Path, why: str) -> EnvironmentFailed:
    return EnvironmentFailed(f"the run could not be finished: {why}; kept for inspection in {folder}")


def _gave_up(folder: Path, code: int, said: list[str]) -> HeadwaterError:
    """The model has no answer, or the machine stopped it, or mf6 does not take the model.

    At the first step that does not converge mf6 ends by itself: where it has written so, it was nothing else.
    """
    kept = f"kept for inspection in {folder}"
    step = next((line for line in listed(folder) if NOT_CONVERGED in line), None)
    if step is not None:
        return GateFailed(f"no figure leaves: convergence: {step} (remedy: {REMEDY}); {kept}", key="gate")
    if code < 0:
        return _failed(folder, f"mf6 was stopped by {signal.Signals(-code).name}")
    if shutil.disk_usage(folder).free < FULL_BYTES:
        return _failed(folder, "No space left on device")
    return BadQuestion(f"mf6 does not take the model: {_last_words(said)}; {kept}")


def _last_words(said: list[str]) -> str:
    """What mf6 gives as its reason."""
    begins = next((k for k, line in enumerate(said) if line.startswith("ERROR REPORT")), len(said) - 4)
    return " ".join(line for line in said[max(begins, 0) + 1 :] if line)[:LONGEST] or "it says nothing"
