"""Particle paths of an answer: followed once, kept beside the runs, and not followed again.

The steady run of mf6 and the runs of mp7 share one workspace, which is removed once the paths are kept; only it ever
holds cell budgets. What is kept is named by the hash of all that decides it, as a run is (`pipelines.modflow.kept`).
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path as Folder
from typing import Any

import numpy as np

from models.errors import EnvironmentFailed
from models.modflow import gate, particles, path_checks, path_ends, path_forms, turned, weak_cells
from models.modflow.answer import Answer, Check, refuse
from models.modflow.numerical import NumericalModel
from models.modflow.outcome import Outcome
from models.modflow.particles import WAYS, Start, Way, around, porosity_of, starts_of, steady_of
from models.modflow.path_checks import closed_form, lone_well, steady_checks
from models.modflow.path_ends import Tracks, paths_of
from models.modflow.path_groups import Particles
from models.quantity import Quantity
from models.scenario.noun import Scenario
from pipelines.modflow import particle_files, particle_run, read, write
from pipelines.modflow.kept import RECORD, SHORT, changed, in_place, new_folder
from pipelines.modflow.particle_files import Marks, hand_over
from pipelines.modflow.particle_program import ParticleProgram, particle_program
from pipelines.modflow.particle_run import follow
from pipelines.modflow.program import Program, sha256_of
from pipelines.modflow.run import run
from pipelines.modflow.runs import Runs, emptied
from pipelines.version import VERSION

NUMBERS = "paths.npz"
DECIDING = (
    write, read, particle_files, particle_run, particles, path_ends, path_checks, path_forms, gate, turned, weak_cells,
)  # fmt: skip
"""The modules that decide what is written for mp7, what is read back of it, and what the checks say."""


@dataclass(frozen=True, eq=False)
class Work:
    """What decides the paths."""

    steady: NumericalModel
    starts: tuple[Start, ...]
    alone: NumericalModel | None
    porosity: Quantity
    program: ParticleProgram

    def digest(self, runs: Runs) -> str:
        ends = (self.porosity.low, self.porosity.best, self.porosity.high)
        code = [Folder(str(one.__file__)).read_bytes() for one in DECIDING]
        told = hashlib.sha256(b"".join(code))
        digests = [one.digest for one in (self.steady, self.alone) if one is not None]
        told.update(repr((digests, self.starts, ends, runs.program.sha256, self.program.sha256)).encode())
        return told.hexdigest()


Followed = tuple[dict[str, Tracks], tuple[Check, ...]]


def followed(stated: Scenario, beside: Program) -> Callable[[Answer, Runs], Particles]:
    """What follows the particles of an answer once it is there; what it needs is looked for before anything is run.

    Raises
    ------
    BadQuestion : no porosity. EnvironmentFailed : no mp7 beside mf6.
    """
    porosity_of(stated)
    program = particle_program(beside)
    return lambda answer, runs: particles_of(answer, stated, runs, program)


def particles_of(answer: Answer, stated: Scenario, runs: Runs, program: ParticleProgram) -> Particles:
    """The paths of an answer.

    Parameters
    ----------
    stated : the scenario as it was asked: forward paths start from its points.

    Raises
    ------
    BadQuestion : no porosity.
    GateFailed : a check of the steady field or of the closed form failed.
    EnvironmentFailed : mf6 or mp7 failed, the disk is full, or kept paths were changed.
    """
    steady = steady_of(answer.pair.stressed)
    work = Work(steady, starts_of(stated, steady), lone_well(answer.pair.strata, steady), porosity_of(stated), program)
    tracks, checks = _kept_or_followed(work, runs)
    refuse(checks)
    found = [path for way in WAYS if way in tracks for path in paths_of(steady, _of(work.starts, way), tracks[way])]
    return Particles(steady, work.porosity, tuple(found), checks, program.says)


def _of(starts: Sequence[Start], way: str) -> list[Start]:
    return [one for one in starts if one.way == way]


def _kept_or_followed(work: Work, runs: Runs) -> Followed:
    digest = work.digest(runs)
    folder = runs.home / digest[:SHORT]
    before = _before(folder, digest, runs)
    if before is not None and not runs.again:
        runs.taken += 1
        return before
    found = _followed(work, runs, digest)
    if before is not None and not _same(before[0], found[0]):
        raise EnvironmentFailed("the same particles took other paths than the kept ones", file=str(folder))
    _keep(folder, digest, found, work, runs)
    runs.done += 1
    return found


def _before(folder: Folder, digest: str, runs: Runs) -> Followed | None:
    try:
        return _kept(folder, digest)
    except EnvironmentFailed:
        if not runs.again:
            raise
        return None  # what cannot be used is made anew


def _followed(work: Work, runs: Runs, digest: str) -> Followed:
    space = runs.home / f"work-{digest[:SHORT]}"
    emptied(space)
    outcome, stops = _field(work.steady, space / "field", runs, "the steady field of the paths")
    checks = list(steady_checks(work.steady, outcome))
    tracks: dict[str, Tracks] = {}
    if all(one.passed for one in checks):
        for way in WAYS:
            starts = _of(work.starts, way)
            if starts:
                runs.say(f"mp7: {len(starts)} particles {way}")
                tracks[way] = follow(work.steady, starts, way, stops[way], work.porosity, space / "field", work.program)
        checks.append(_closed(work, runs, space / "alone"))
    shutil.rmtree(space)
    return tracks, tuple(checks)


def _field(steady: NumericalModel, folder: Folder, runs: Runs, what: str) -> tuple[Outcome, dict[Way, Marks]]:
    """A run with its flows handed over, and the cells that end paths."""
    outcome = run(steady, folder, runs.program, lambda line: runs.say(f"{what}: {line}"))
    try:
        return outcome, hand_over(steady, outcome, folder)
    except (OSError, ValueError, IndexError, EOFError) as caught:
        reason = f"the flows of the run could not be handed over: {caught}; kept for inspection in {folder}"
        raise EnvironmentFailed(reason) from None


def _closed(work: Work, runs: Runs, folder: Folder) -> Check:
    """The largest well alone, on the same grid."""
    alone = work.alone
    if alone is None:
        return closed_form(None, (), work.porosity.value)
    _, stops = _field(alone, folder, runs, "one well alone, for the closed form of travel time")
    starts = list(around(alone.wells[0]))
    tracks = follow(alone, starts, "backward", stops["backward"], work.porosity, folder, work.program)
    return closed_form(alone, paths_of(alone, starts, tracks), work.porosity.value)


# What is kept ---------------------------------------------------------------------------------------------------------


def _arrays(tracks: dict[str, Tracks]) -> dict[str, np.ndarray[Any, Any]]:
    return {f"{way}/{one.name}": getattr(each, one.name) for way, each in tracks.items() for one in fields(each)}


def _same(one: dict[str, Tracks], other: dict[str, Tracks]) -> bool:
    """To the last bit."""
    ours, theirs = _arrays(one), _arrays(other)
    return ours.keys() == theirs.keys() and all(np.array_equal(values, theirs[name]) for name, values in ours.items())


def _keep(folder: Folder, digest: str, found: Followed, work: Work, runs: Runs) -> None:
    tracks, checks = found
    record = {
        "digest": digest, "steady": work.steady.digest, "porosity": work.porosity.text, "mf6": runs.program.says,
        "mp7": work.program.says, "program": VERSION, "checks": [asdict(one) for one in checks], **runs.rests_on,
    }  # fmt: skip
    try:
        with new_folder(runs.home) as new:
            with (new / NUMBERS).open("wb") as file:
                np.savez_compressed(file, **_arrays(tracks))  # type: ignore[arg-type]
            record["numbers_sha256"] = sha256_of(new / NUMBERS)
            (new / RECORD).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
            in_place(new, folder)
    except OSError as caught:
        raise EnvironmentFailed(f"the paths could not be kept: {caught.strerror or caught}") from None


def _kept(folder: Folder, digest: str) -> Followed | None:
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        if record["digest"] != digest:
            raise ValueError("other paths of the same name")
        if record["numbers_sha256"] != sha256_of(folder / NUMBERS):
            raise ValueError("its numbers are not those that were kept")
        with np.load(folder / NUMBERS, allow_pickle=False) as arrays:
            return _tracks(dict(arrays)), tuple(Check(**one) for one in record["checks"])
    except FileNotFoundError:
        if not folder.exists():
            return None
        raise changed(folder, "a file of it is gone") from None
    except (OSError, ValueError, KeyError, TypeError) as caught:
        raise changed(folder, str(caught)) from None


def _tracks(arrays: dict[str, np.ndarray[Any, Any]]) -> dict[str, Tracks]:
    ways = [way for way in WAYS if f"{way}/count" in arrays]
    return {way: Tracks(**{one.name: arrays[f"{way}/{one.name}"] for one in fields(Tracks)}) for way in ways}
