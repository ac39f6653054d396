"""A numerical run that is killed, or meets a full disk: nothing half kept, the workspace named, and it runs again."""

from __future__ import annotations

import errno
import io
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.modflow.build import Choices, pair_of
from models.modflow.calendar import Stepping
from models.modflow.numerical import NumericalModel
from models.scenario.noun import Scenario
from pipelines import cli
from pipelines.modflow import kept as keeping
from pipelines.modflow.kept import ASKED, NUMBERS, RECORD, kept, key_of, same_numbers
from pipelines.modflow.program import program
from pipelines.modflow.runs import runs_in
from tests.mf6_runs import AQUIFER

SCENARIO = (
    AQUIFER
    + """
[[well]]
id = "W"
position = [0.0, 0.0]
rate = "1000 m3/d"
since = 2025-06-01
[[point]]
id = "P"
position = [50.0, 0.0]
"""
)
COMMAND = [
    "modflow", "run", "s.toml", "--on", "2025-06-10", "--periods", "one", "--first-step", "1 h", "--step-growth", "1.1",
]  # fmt: skip
SERVER = get_context("forkserver")
"""A process that has imported everything once, and of which each run is a copy: a kill meets work, not imports."""
SERVER.set_forkserver_preload(["pipelines.cli", "pipelines.commands.modflow", "pipelines.modflow.answering"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.toml").write_text(SCENARIO)
    return tmp_path


@dataclass
class Started:
    """One command in a process of its own."""

    process: BaseProcess
    said: Connection

    def communicate(self, timeout: float) -> tuple[str, str]:
        """What it printed until it ended; nothing of a killed one."""
        printed = ("", "")
        if self.said.poll(timeout):
            with suppress(EOFError):
                printed = self.said.recv()
        self.process.join(timeout)
        assert self.process.exitcode is not None
        return printed

    def kill(self) -> None:
        self.process.kill()
        self.communicate(timeout=60)


def start(folder: Path, most_bytes: int | None = None) -> Started:
    """``most_bytes``: no file of it may grow beyond."""
    said, saying = SERVER.Pipe(duplex=False)
    process = SERVER.Process(target=command, args=(str(folder), saying, most_bytes))
    process.start()
    saying.close()
    return Started(process, said)


def command(folder: str, saying: Connection, most_bytes: int | None) -> None:
    """In the process that is started."""
    os.chdir(folder)
    if most_bytes is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.run(COMMAND)
    saying.send((out.getvalue(), err.getvalue()))
    sys.exit(code)


def whole(folder: Path) -> int:
    """How many runs are kept; every one of them is whole, and there is nothing else but workspaces."""
    found = 0
    for one in (folder / ".modflow").iterdir() if (folder / ".modflow").exists() else ():
        if one.name.startswith(("work-", ".new-", "lock", ASKED)):
            continue
        record = json.loads((one / RECORD).read_text())
        assert record["digest"].startswith(one.name)
        with np.load(one / NUMBERS, allow_pickle=False) as arrays:
            assert all(np.asarray(values).size for values in arrays.values())
        found += 1
    return found


def told(folder: Path) -> str:
    started = start(folder)
    out, err = started.communicate(timeout=300)
    assert started.process.exitcode == 0, err
    return out


def without_runs(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "run" not in line)


def test_killed_at_any_instant_it_keeps_nothing_by_halves_and_runs_again(folder: Path, tmp_path_factory: Any) -> None:
    undisturbed = tmp_path_factory.mktemp("undisturbed")
    (undisturbed / "s.toml").write_text(SCENARIO)
    begun = time.monotonic()
    expected = told(undisturbed)
    lasts = time.monotonic() - begun
    seen = []
    for part in (0.2, 0.4, 0.6, 0.8):
        started = start(folder)
        time.sleep(part * lasts)
        started.kill()
        seen.append(whole(folder))
        if started.process.exitcode == 0:
            break
    assert seen == sorted(seen)
    assert without_runs(told(folder)) == without_runs(expected)
    assert sorted(one.name for one in (folder / ".modflow").iterdir()) == sorted(
        one.name for one in (undisturbed / ".modflow").iterdir()
    )


def test_mf6_ends_with_the_program_that_started_it(folder: Path) -> None:
    """A run nobody waits for would write into the workspace of the next."""
    started = start(folder)
    work: list[Path] = []
    until(lambda: bool(work.extend(folder.glob(".modflow/work-*/mfsim.lst")) or work) or not started.process.is_alive())
    started.kill()
    until(lambda: not running_in(folder))
    assert not running_in(folder)


def running_in(folder: Path) -> list[str]:
    found = []
    for one in Path("/proc").glob("[0-9]*/cwd"):
        try:
            where = one.readlink()
        except OSError:
            continue
        if where.is_relative_to(folder / ".modflow"):
            found.append(str(one))
    return found


def until(happened: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not happened() and time.monotonic() < end:
        time.sleep(0.01)


@pytest.mark.parametrize("most_bytes", [400, 30_000, 90_000])
def test_a_full_disk_is_one_line_and_names_the_workspace(folder: Path, most_bytes: int) -> None:
    """As files that may not grow: in our own writing, or in the middle of mf6's."""
    started = start(folder, most_bytes)
    out, err = started.communicate(timeout=300)
    assert started.process.exitcode == 4, (out, err)
    assert out == ""
    assert err.count("\n") == 1
    assert "Traceback" not in err
    assert "the run could not be finished" in err
    work = Path(err.rpartition("kept for inspection in ")[2].strip())
    assert (folder / work).is_dir()
    assert whole(folder) == 0
    if most_bytes == 30_000:
        assert "passed" in told(folder)
        assert not (folder / work).exists()


# Keeping, without a process of its own --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def model() -> NumericalModel:
    well = {"id": "W", "position": (0.0, 0.0), "rate": "100 m3/d", "since": "2025-06-01"}
    aquifer = {"kind": "confined", "transmissivity": "400 m2/d", "storativity": "0.1", "thickness": "40 m"}
    points = [{"id": "P", "position": (50.0, 0.0)}]
    scenario = Scenario.model_validate({"unit": "m", "aquifer": aquifer, "well": [well], "point": points})
    return pair_of(scenario, Choices(20_250.0, "one", stepping=Stepping(1.0, 1.5))).stressed


def test_what_is_kept_comes_back_to_the_last_bit(model: NumericalModel, tmp_path: Path) -> None:
    with runs_in(tmp_path, program(), {"created": "then"}, lambda _: None, again=False) as runs:
        fresh = runs.of(model, "one")
    key = key_of(model, program())
    back = kept(tmp_path / ".modflow", key, model)
    assert back is not None
    assert same_numbers(fresh, back)
    assert (back.terminated, back.most_outer) == (True, fresh.most_outer)
    assert back.hydrographs.keys() == {"P"}
    assert not same_numbers(fresh, replace(back, time=np.nextafter(back.time, np.inf)))


def test_another_program_is_another_run(model: NumericalModel) -> None:
    here = program()
    assert key_of(model, here).digest != key_of(model, replace(here, sha256="0" * 64)).digest
    assert key_of(model, here).digest != key_of(replace(model, newton=not model.newton), here).digest


def test_a_disk_that_fills_as_a_run_is_kept(
    model: NumericalModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(keeping.np, "savez_compressed", full)
    with (
        runs_in(tmp_path, program(), {}, lambda _: None, again=False) as runs,
        pytest.raises(
            Exception, match=r"could not be kept: No space left on device; its workspace is .*work-"
        ) as caught,
    ):
        runs.of(model, "one")
    assert getattr(caught.value, "exit_code", None) == 4
    left = [one.name for one in (tmp_path / ".modflow").iterdir()]
    assert len(left) == 1
    assert left[0].startswith("work-")


def test_a_folder_that_was_cut_off_in_its_place_is_put_back(model: NumericalModel, tmp_path: Path) -> None:
    """Killed between the two renamings of a run made anew."""
    with runs_in(tmp_path, program(), {}, lambda _: None, again=False) as runs:
        runs.of(model, "one")
    (folder,) = (one for one in (tmp_path / ".modflow").iterdir() if one.name != ASKED)
    folder.rename(folder.with_name(f".old-{folder.name}"))
    (tmp_path / ".modflow/.new-half").mkdir()
    with runs_in(tmp_path, program(), {}, lambda _: None, again=False) as runs:
        runs.of(model, "one")
        assert (runs.done, runs.taken) == (0, 1)
    assert {one.name for one in (tmp_path / ".modflow").iterdir()} == {folder.name, ASKED}
