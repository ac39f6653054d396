"""The runs one question needs: each done once, kept, and not done again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from models.errors import EnvironmentFailed
from models.modflow.numerical import NumericalModel
from models.modflow.outcome import Outcome
from pipelines.modflow.kept import FOLDER, SHORT, Key, keep, kept, key_of, same_numbers
from pipelines.modflow.program import Program
from pipelines.modflow.run import run
from pipelines.night_lock import file_lock

LOCK = "lock"
Say = Callable[[str], None]


@dataclass
class Runs:
    """Runs of mf6 for one question.

    Parameters
    ----------
    home : where runs are kept.
    rests_on : scenario, data versions and the moment, for the record of each run.
    again : run what is kept once more; it must give the same numbers.
    done, taken : how many were run now, and how many were found kept.
    """

    home: Path
    program: Program
    rests_on: Mapping[str, Any]
    say: Say = lambda _: None
    again: bool = False
    done: int = 0
    taken: int = 0
    _found: dict[str, Outcome] = field(default_factory=dict)

    def of(self, model: NumericalModel, what: str) -> Outcome:
        """The outcome of a model; ``what`` it is for, as progress says it.

        Raises
        ------
        EnvironmentFailed : the run failed, could not be kept, or gave other numbers than before.
        GateFailed : MODFLOW gave up.
        """
        key = key_of(model, self.program)
        if key.digest not in self._found:
            before = self._kept(key, model)
            self.taken += before is not None and not self.again
            self._found[key.digest] = self._run(model, what, before) if before is None or self.again else before
        return self._found[key.digest]

    def _kept(self, key: Key, model: NumericalModel) -> Outcome | None:
        try:
            return kept(self.home, key, model)
        except EnvironmentFailed:
            if not self.again:
                raise
            return None  # what cannot be used is made anew

    def _run(self, model: NumericalModel, what: str, before: Outcome | None) -> Outcome:
        key = key_of(model, self.program)
        work = self.home / f"work-{key.digest[:SHORT]}"
        emptied(work)
        outcome = run(model, work, self.program, lambda line: self.say(f"{what}: {line}"))
        if before is not None and not same_numbers(before, outcome):
            raise EnvironmentFailed("the same run gave other numbers than the kept one", file=str(work))
        try:
            keep(self.home, key, outcome, self.program, self.rests_on)
        except OSError as caught:
            reason = f"the run could not be kept: {caught.strerror or caught}; its workspace is {work}"
            raise EnvironmentFailed(reason) from None
        shutil.rmtree(work)
        self.done += 1
        return outcome


def emptied(work: Path) -> None:
    """A workspace of a run that was cut off, or that failed, is begun anew."""
    if work.exists():
        shutil.rmtree(work)
    work.mkdir(mode=0o700, parents=True)


@contextmanager
def runs_in(folder: Path, program: Program, rests_on: Mapping[str, Any], say: Say, *, again: bool) -> Iterator[Runs]:
    """Runs kept in a folder's ``.modflow``, for one process at a time.

    Raises
    ------
    EnvironmentFailed : another process is at work there.
    """
    home = folder / FOLDER
    home.mkdir(mode=0o700, exist_ok=True)
    taken = "another `headwater modflow run` is at work in this folder; this one stops"
    with file_lock(home / LOCK, f"process {os.getpid()}", taken):
        _swept(home)
        yield Runs(home, program, rests_on, say, again)


def _swept(home: Path) -> None:
    """What a killed process left of a folder it was about to put in place."""
    for one in home.glob(".new-*"):
        shutil.rmtree(one)
    for one in home.glob(".old-*"):
        target = home / one.name.removeprefix(".old-")
        if target.exists():
            shutil.rmtree(one)
        else:
            one.rename(target)
