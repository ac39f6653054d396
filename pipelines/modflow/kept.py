"""Runs that were finished, kept whole or not at all: ``.modflow/<digest>/`` beside the site, one folder a run.

A run's name is the hash of all that decides its numbers: the model, the bytes of mf6, and the code, ours and FloPy's,
that writes and reads. What has the same name is not run again. A folder appears by one renaming; a run that was cut off
leaves only its workspace ``work-<digest>``, which the next run of it begins anew. Private wells may be found from the
numbers: the folder is its owner's alone. Beside the runs, ``asked/`` holds each question with its scenario, the
versions of its data and its runs, also where every run of it was kept before.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import flopy
import numpy as np
import pandas as pd

from models.errors import EnvironmentFailed
from models.modflow import between_centres, bore, numerical, streams, through_cells, turned
from models.modflow import outcome as outcomes
from models.modflow.numerical import NumericalModel
from models.modflow.outcome import Outcome
from pipelines.modflow import read, write
from pipelines.modflow.program import Program, sha256_of
from pipelines.version import VERSION

FOLDER, ASKED = ".modflow", "asked"
RECORD, NUMBERS, HYDROGRAPHS, FLOWS = "run.json", "numbers.npz", "hydrographs.csv", "budget.csv"
NAMED = ("hydrographs", "budget", "well_rates", "bore_level", "bore_flow", "stream_flow")
SHORT = 12


@dataclass(frozen=True)
class Key:
    """What a run's numbers rest on: each as a SHA-256, and FloPy's version."""

    model: str
    mf6: str
    code: str
    flopy: str

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.model} {self.mf6} {self.code} {self.flopy}".encode()).hexdigest()


def key_of(model: NumericalModel, program: Program) -> Key:
    return Key(model.digest, program.sha256, CODE, flopy.__version__)


def _code() -> str:
    """Of all modules that turn a model into input and output into numbers."""
    told = hashlib.sha256()
    for module in (write, read, between_centres, bore, numerical, outcomes, streams, through_cells, turned):
        told.update(Path(str(module.__file__)).read_bytes())
    return told.hexdigest()


CODE = _code()
"""Read as the modules are: what is on the disk later may be newer than what runs."""


def kept(home: Path, key: Key, model: NumericalModel) -> Outcome | None:
    """The run as it was kept; None where there is none.

    Raises
    ------
    EnvironmentFailed : its folder does not hold what was kept: somebody changed it.
    """
    folder = home / key.digest[:SHORT]
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        if record["input"] != asdict(key):
            raise ValueError("another run of the same name")
        if record["numbers_sha256"] != sha256_of(folder / NUMBERS):
            raise ValueError("its numbers are not those that were kept")
        with np.load(folder / NUMBERS, allow_pickle=False) as arrays:
            return _outcome(model, dict(arrays))
    except FileNotFoundError:
        if not folder.exists():
            return None
        raise changed(folder, "a file of it is gone") from None
    except (OSError, ValueError, KeyError) as caught:
        raise changed(folder, str(caught)) from None


def changed(folder: Path, why: str) -> EnvironmentFailed:
    """The refusal of a kept folder that does not hold what was kept."""
    return EnvironmentFailed(
        f"a kept run cannot be used: {why}", file=str(folder), allowed=["remove the folder", "--again"]
    )


def keep(home: Path, key: Key, outcome: Outcome, program: Program, rests_on: Mapping[str, Any]) -> Path:
    """Put a finished run beside the others, whole or not at all.

    Parameters
    ----------
    rests_on : scenario, data versions and the moment, for the record.

    Raises
    ------
    OSError : the disk is full; nothing is half kept.
    """
    with new_folder(home) as new:
        arrays = _arrays(outcome)
        with (new / NUMBERS).open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        _tables(new, outcome)
        record = {
            "input": asdict(key), "digest": key.digest, "mf6": program.says, "program": VERSION,
            "numbers_sha256": sha256_of(new / NUMBERS), **rests_on,
        }  # fmt: skip
        (new / RECORD).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return in_place(new, home / key.digest[:SHORT])


@contextmanager
def new_folder(home: Path) -> Iterator[Path]:
    """A folder to be filled and put in place (`in_place`); where that fails nothing of it stays."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=home))
    try:
        yield new
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def in_place(new: Path, folder: Path) -> Path:
    """On the disk, and then by one renaming where it belongs."""
    for one in new.iterdir():
        with one.open("rb") as file:
            os.fsync(file.fileno())
    if folder.exists():
        old = folder.with_name(f".old-{folder.name}")
        shutil.rmtree(old, ignore_errors=True)
        folder.rename(old)
        new.rename(folder)
        shutil.rmtree(old)
    else:
        new.rename(folder)
    return folder


def keep_question(home: Path, rests_on: Mapping[str, Any], runs: Mapping[str, str], *, passed: bool) -> Path:
    """The record of a question; the same question on the same data and runs has one.

    Parameters
    ----------
    rests_on : scenario, data versions and the moment.
    runs : digest -> what the run is for.
    passed : whether all checks have passed.

    Raises
    ------
    OSError : the disk is full; nothing is half kept.
    """
    told = {one: value for one, value in rests_on.items() if one != "created"}
    used = [{"run": digest[:SHORT], "of": what} for digest, what in runs.items()]
    told |= {"program": VERSION, "passed": passed, "runs": used}
    name = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:SHORT]
    path = home / ASKED / f"{name}.json"
    if not path.exists():
        record = {"created": rests_on.get("created"), **told}
        with new_folder(home) as new:
            (new / path.name).write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
            path.parent.mkdir(mode=0o700, exist_ok=True)
            (new / path.name).replace(path)
            new.rmdir()
    return path


def same_numbers(one: Outcome, other: Outcome) -> bool:
    """To the last bit."""
    ours, theirs = _arrays(one), _arrays(other)
    return ours.keys() == theirs.keys() and all(
        np.array_equal(values, theirs[name], equal_nan=values.dtype.kind == "f") for name, values in ours.items()
    )


def _arrays(outcome: Outcome) -> dict[str, np.ndarray[Any, Any]]:
    """Every number of a run by a name of its own."""
    found: dict[str, np.ndarray[Any, Any]] = {}
    for one in fields(outcome):
        value = getattr(outcome, one.name)
        if one.name in NAMED:
            found |= {f"{one.name}/{id}": values for id, values in value.items()}
        elif one.name != "model":
            found[one.name] = np.asarray(value)
    return found


def _outcome(model: NumericalModel, arrays: Mapping[str, np.ndarray[Any, Any]]) -> Outcome:
    named: dict[str, Any] = {
        group: {name.partition("/")[2]: one for name, one in arrays.items() if name.startswith(f"{group}/")}
        for group in NAMED
    }
    plain: dict[str, Any] = {name: one if one.ndim else one.item() for name, one in arrays.items() if "/" not in name}
    return Outcome(model=model, **plain, **named)


def _tables(folder: Path, outcome: Outcome) -> None:
    """For people: heads at places [m] and net flows into the aquifer [m3/d] at the end of every step [d]."""
    for name, group in ((HYDROGRAPHS, outcome.hydrographs), (FLOWS, outcome.budget)):
        table = pd.DataFrame({"day": outcome.model.periods[0].starts + outcome.time, **group})
        table.to_csv(folder / name, index=False)
