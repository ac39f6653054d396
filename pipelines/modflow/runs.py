"""The runs one question needs: each done once, kept, and not done again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from typing import Any

from models.errors import EnvironmentFailed
from models.modflow.answer import GateFailed
from models.modflow.numerical import NumericalModel
from models.modflow.outcome import Outcome
from pipelines.modflow.kept import FOLDER, SHORT, Key, keep, keep_question, kept, key_of, same_numbers
from pipelines.modflow.program import AT_ONCE, Program
from pipelines.modflow.run import PAUSE_S, Running, started
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
    at_once : so many mf6 at a time, if the machine has as many cores.
    done, taken : how many were run now, and how many were found kept.
    used : digest -> what for, of each that is kept and was asked for.
    """

    home: Path
    program: Program
    rests_on: Mapping[str, Any]
    say: Say = lambda _: None
    again: bool = False
    at_once: int = 1
    done: int = 0
    taken: int = 0
    used: dict[str, str] = field(default_factory=dict)
    _found: dict[str, Outcome] = field(default_factory=dict)

    def of(self, model: NumericalModel, what: str) -> Outcome:
        """The outcome of a model; ``what`` it is for, as progress says it.

        Raises
        ------
        EnvironmentFailed : the run failed, could not be kept, or gave other numbers than before.
        GateFailed : MODFLOW gave up.
        """
        self.ahead([(model, what)])
        digest = key_of(model, self.program).digest
        self.used.setdefault(digest, what)
        return self._found[digest]

    def ahead(self, models: Iterable[tuple[NumericalModel, str]]) -> None:
        """Run what is not kept of these, ``at_once`` of them at a time, so that `of` finds them; the first one first.

        Raises
        ------
        EnvironmentFailed, GateFailed : as `of`; the others are stopped, and what had ended is kept.
        """
        waiting: list[_Job] = []
        for model, what in models:
            key = key_of(model, self.program)
            if key.digest in self._found or any(one.key == key for one in waiting):
                continue
            before = self._kept(key, model)
            self.taken += before is not None and not self.again
            if before is None or self.again:
                waiting.append(_Job(model, what, key, before))
            else:
                self._found[key.digest] = before
        self._work(waiting)

    def _kept(self, key: Key, model: NumericalModel) -> Outcome | None:
        try:
            return kept(self.home, key, model)
        except EnvironmentFailed:
            if not self.again:
                raise
            return None  # what cannot be used is made anew

    def _work(self, waiting: list[_Job]) -> None:
        running: list[tuple[_Job, Running]] = []
        try:
            while waiting or running:
                while waiting and len(running) < self.at_once:
                    running.append(self._started(waiting.pop(0)))
                if not any(one.ended() for _, one in running):
                    self.say("; ".join(f"{job.what}: {one.says}" for job, one in running))
                    sleep(PAUSE_S)
                    continue
                job, one = running.pop(next(k for k, (_, one) in enumerate(running) if one.ended()))
                self._found[job.key.digest] = self._finished(job, one)
        except BaseException:
            for _, one in running:
                one.stop()
                shutil.rmtree(one.folder)
            raise

    def _started(self, job: _Job) -> tuple[_Job, Running]:
        work = self.home / f"work-{job.key.digest[:SHORT]}"
        emptied(work)
        return job, started(job.model, work, self.program)

    def _finished(self, job: _Job, running: Running) -> Outcome:
        outcome, work = running.outcome(), running.folder
        if job.before is not None and not same_numbers(job.before, outcome):
            raise EnvironmentFailed("the same run gave other numbers than the kept one", file=str(work))
        try:
            keep(self.home, job.key, outcome, self.program, self.rests_on)
        except OSError as caught:
            reason = f"the run could not be kept: {caught.strerror or caught}; its workspace is {work}"
            raise EnvironmentFailed(reason) from None
        shutil.rmtree(work)
        self.done += 1
        return outcome


@dataclass(frozen=True, eq=False)
class _Job:
    """A model to run, and what is kept of it."""

    model: NumericalModel
    what: str
    key: Key
    before: Outcome | None


def emptied(work: Path) -> None:
    """A workspace of a run that was cut off, or that failed, is begun anew."""
    if work.exists():
        shutil.rmtree(work)
    work.mkdir(mode=0o700, parents=True)


@contextmanager
def runs_in(
    folder: Path, program: Program, rests_on: Mapping[str, Any], say: Say, *, again: bool, at_once: int = AT_ONCE
) -> Iterator[Runs]:
    """Runs kept in a folder's ``.modflow``, for one process of ours at a time.

    Parameters
    ----------
    at_once : so many mf6 at a time, though no more than there are cores.

    Raises
    ------
    EnvironmentFailed : another process is at work there.
    """
    home = folder / FOLDER
    home.mkdir(mode=0o700, exist_ok=True)
    taken = "another `headwater modflow run` is at work in this folder; this one stops"
    with file_lock(home / LOCK, f"process {os.getpid()}", taken):
        _swept(home)
        runs = Runs(home, program, rests_on, say, again, max(1, min(at_once, os.cpu_count() or 1)))
        try:
            yield runs
        except GateFailed:
            _recorded(runs, passed=False)
            raise
        _recorded(runs, passed=True)


def _recorded(runs: Runs, *, passed: bool) -> None:
    try:
        if runs.used:
            keep_question(runs.home, runs.rests_on, runs.used, passed=passed)
    except OSError as caught:
        reason = f"the record of the question could not be kept: {caught.strerror or caught}"
        raise EnvironmentFailed(reason, file=str(runs.home)) from None


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
